"""Parameters that may be given together, item by item: `thrusters: [{at: …, along: …, max: 40 N}, …]`."""

from __future__ import annotations

from collections.abc import Mapping
from copy import copy
from typing import Any

from blocks.errors import ParameterError
from blocks.model.declare import Parameter


def in_words(value: Any) -> bool:
    """Whether a value is a list of items in words, rather than of numbers."""
    return isinstance(value, (list, tuple)) and any(isinstance(item, Mapping) for item in value)


def spelled_out(
    known: Mapping[str, Parameter], aliases: Mapping[str, str], given: Mapping[str, Any], called: str
) -> dict[str, Any]:
    """Parameters with what items say of other ones taken out of them and given as lists; by itself it counts more.

    Raises ParameterError if some items say it and others do not.
    """
    found = dict(given)
    for written, value in given.items():
        parameter = known.get(aliases.get(written, written))
        if parameter is None or not parameter.item_numbers or not in_words(value):
            continue
        lists: dict[str, list[Any]] = {}
        for word, targets in parameter.item_numbers.items():
            for i, item in enumerate(value):
                if isinstance(item, Mapping) and word in item:
                    for target in targets:
                        lists.setdefault(target, [None] * len(value))[i] = item[word]
        words = {*parameter.in_words, *parameter.item_numbers}
        strange = any(isinstance(item, Mapping) and {*item} - words for item in value)
        for target, values in lists.items():
            word = next(word for word, targets in parameter.item_numbers.items() if target in targets)
            if strange:  # reading it says so, and that will do
                lists[target] = [next((one for one in values if one is not None), None)] * len(value)
            elif any(one is None for one in values):
                i = values.index(None)
                raise _of_item(
                    f"{called}.{written}[{i}].{word} is missing: where one has it, all have", (written, i, word)
                )
            elif target not in given:
                _check(known[target], value, target, parameter.item_numbers, f"{called}.{written}", written)
        numbers = set(parameter.item_numbers)
        found[written] = [
            {key: own for key, own in item.items() if key not in numbers} if isinstance(item, Mapping) else item
            for item in value
        ]
        found = {**{target: values for target, values in lists.items() if target not in given}, **found}
    return found


def owner_in_words(known: Mapping[str, Parameter], name: str) -> str:
    """The parameter whose items may say this one, too; "" if none does."""
    return next(
        (owner for owner, parameter in known.items() if any(name in own for own in parameter.item_numbers.values())), ""
    )


def or_in_words(known: Mapping[str, Parameter], aliases: Mapping[str, str], name: str) -> str:
    """Where else a parameter may stand, for messages: ", or `max` of each in `thrusters`"."""
    owner = owner_in_words(known, name)
    if not owner:
        return ""
    word = next(word for word, targets in known[owner].item_numbers.items() if name in targets)
    return f", or `{word}` of each in `{next((other for other, own in aliases.items() if own == owner), owner)}`"


def _check(
    target: Parameter, items: Any, name: str, numbers: Mapping[str, tuple[str, ...]], called: str, written: str
) -> None:
    """Raise ParameterError for what an item says of a parameter if it cannot be that; it names the item's own word."""
    single = copy(target)
    single.shape = ()
    for i, item in enumerate(items):
        if not isinstance(item, Mapping):
            continue
        word = [word for word, targets in numbers.items() if name in targets and word in item][-1]
        try:
            single.read(item[word], f"{called}[{i}].{word}")
        except ParameterError as problem:
            problem.inside = (written, i, word)
            raise


def _of_item(message: str, inside: tuple[str | int, ...]) -> ParameterError:
    problem = ParameterError(message)
    problem.inside = inside
    return problem
