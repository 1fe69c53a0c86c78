"""Parameters that the layout of a plan hangs on: those that are declared structural are those that turn out to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.errors import KeelblocksError
from blocks.model.declare import Parameter
from blocks.trials.samples import Sample


def check_layout(sample: Sample) -> None:
    """Parameters that decide ports, states, sizes or feedthrough are structural, and no others are."""
    block, sizes = sample(), sample.shapes.sizes
    declared, found = block.structural_parameters(), found_structural(block, sizes)
    if missing := sorted(found - declared):
        raise sample.fault(
            f"{', '.join(missing)} decides ports, states, sizes or feedthrough: declare it with structural=True, or "
            f"with a function of the block that says when it does"
        )
    if needless := sorted(declared - found):
        raise sample.fault(f"{', '.join(needless)} is declared structural and decides nothing of the layout: leave it")
    trial, before = block.copy(), _shape_of(block, sizes)
    for name, parameter in block.all_parameters().items():  # tunable numbers may be set while an FMU runs
        number = not (parameter.integer or parameter.choices or parameter.switch)
        if parameter.tunable and number and parameter.structural is False:
            for other in (np.asarray(block.values[name]) + 1.0, np.asarray(block.values[name]) * 0.0):
                if _differs(trial, sizes, name, other, before):
                    raise sample.fault(
                        f"{name} decides the layout, and may be changed while an FMU runs: structural=True"
                    )


def found_structural(block: Block, known: Mapping[str, int]) -> set[str]:
    """The parameters of which another value gives a block other ports, states, sizes or feedthrough.

    Enumerations and switches are tried in all their values, whole numbers at their limits, arrays with one added to
    each element. Words and whole numbers without limits count as such. Blocks of equal sample rate take period and
    offset of the first, so these do too.
    """
    found: set[str] = set()
    trial = block.copy()
    before = _shape_of(trial, known)
    for name, parameter in block.all_parameters().items():
        value = block.values[name]
        word = isinstance(value, str) and not parameter.choices
        shared = block.sampled and name in ("period", "offset")
        open_ended = parameter.integer and (parameter.at_least is None or parameter.at_most is None)
        plain = parameter.tunable and parameter.structural is False
        others = () if plain and not (parameter.choices or parameter.switch) else _other_values(parameter, value)
        if word or shared or open_ended or any(_differs(trial, known, name, other, before) for other in others):
            found.add(name)
    return found


def _other_values(parameter: Parameter, value: Any) -> Iterator[Any]:
    if parameter.choices:
        yield from (choice for choice in parameter.choices if choice != value)
    elif parameter.switch:
        yield not value
    elif parameter.integer:
        yield from (np.full(np.shape(value), limit) for limit in (parameter.at_least, parameter.at_most))
    else:
        yield np.asarray(value) + 1.0


def _differs(trial: Block, known: Mapping[str, int], name: str, other: Any, before: tuple[object, ...]) -> bool:
    old = trial.values[name]
    try:
        trial.set(**{name: other})
        return _shape_of(trial, known) != before
    except KeelblocksError:
        # Out of range says nothing about arrays; a choice that is refused belongs with the other parameters.
        return isinstance(other, (str, bool))
    finally:
        trial.values[name] = old


def _shape_of(block: Block, known: Mapping[str, int]) -> tuple[object, ...]:
    """Everything about a block that a plan is laid out by."""
    sizes = {**known, **block.known_sizes()}
    return (
        block.kernel, sizes, block.kernel_sizes(sizes), block.work_size(sizes), block.crossing_count(sizes),
        tuple(block.input_ports), tuple(block.states),
        tuple((name, block.feedthrough(name)) for name in block.output_ports),
    )  # fmt: skip
