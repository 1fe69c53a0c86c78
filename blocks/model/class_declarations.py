"""What the class of a block declares, gathered from it and its bases, and what its constructor is by that."""

from __future__ import annotations

import functools
import inspect
from collections.abc import Callable, Iterable, Mapping
from typing import Any, TypeVar

from blocks.errors import DeclarationError, did_you_mean
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import TIME, unknown_source
from blocks.model.derived import Crossing, Derived

P = TypeVar("P", Input, Output)


def declarations_of(cls: type) -> list[Any]:
    """Ports, states, parameters and what is derived, bases first. Raises DeclarationError for a name that is taken."""
    found: dict[str, Any] = {}
    for base in reversed(cls.__mro__):
        for attribute, item in vars(base).items():
            if isinstance(item, (Input, Output, State, Parameter, Derived, Crossing)):
                taken = hasattr(super(base, cls), attribute) or attribute in ("values", "sources")
                if taken and attribute not in found:
                    raise DeclarationError(
                        f"{cls.__name__} cannot declare '{attribute}': every block has something else of that name"
                    )
                found[attribute] = item
            else:
                found.pop(attribute, None)
    return list(found.values())


def ports_of(declared: Iterable[Any], kind: type[P]) -> dict[str, P]:
    """Ports by name: first those that every instance has."""
    ports = [port for port in declared if isinstance(port, kind)]
    return {port.name: port for port in sorted(ports, key=lambda port: port.when is not None)}


def refuse_unknown_sources(cls: Any) -> None:
    """Raise DeclarationError where an output or a state of a block's class depends on what that does not declare."""
    inputs = cls.declared_inputs
    known = [*inputs, *cls.declared_states, *cls.parameters, *cls.initial_parameters]
    items: list[Output | State] = [*cls.declared_outputs.values(), *cls.declared_states.values()]
    for item in items:
        of_inputs: tuple[str, ...] = ()
        if isinstance(item, Output):
            of_inputs = item.feedthrough if isinstance(item.feedthrough, tuple) else ()
            of_inputs += (item.like,) if item.like else ()
        for name in of_inputs:
            if name not in inputs:
                raise DeclarationError(
                    f"{cls.__name__}.{item.name} depends on '{name}', which is not an input{did_you_mean(name, inputs)}"
                )
        start = item.start or {} if isinstance(item, State) else {}
        for name in (*(item.depends or {}), *start):
            if name not in known and name != TIME:
                raise unknown_source(f"{cls.__name__}.{item.name}", name, known)


def refuse_unknown_limits(cls: Any) -> None:
    """Raise DeclarationError where an output of a block's class is held within what is not a parameter of it."""
    for output in cls.declared_outputs.values():
        for limit in output.within or ():
            if (name := limit.removeprefix("-")) not in cls.parameters:
                raise DeclarationError(
                    f"{cls.__name__}.{output.name} is held within '{name}', which is not a parameter"
                    f"{did_you_mean(name, cls.parameters)}"
                )


def sampling_parameters() -> dict[str, Parameter]:
    """Structural, because blocks of equal rate take those of the first."""
    period = Parameter(unit="s", above=0.0, doc="time between samples", structural=True, name="period")
    offset = Parameter(0.0, unit="s", at_least=0.0, doc="time of the first sample", structural=True, name="offset")
    return {"period": period, "offset": offset}


def signature_of(
    parameters: Mapping[str, Parameter], positional: tuple[str, ...], aliases: Mapping[str, str] | None = None
) -> inspect.Signature:
    """The signature of a constructor that takes these parameters, some of them by another name, too."""
    kinds = inspect.Parameter
    others = {other: name for other, name in (aliases or {}).items() if name in parameters}
    made = [
        kinds(
            name,
            kinds.POSITIONAL_OR_KEYWORD if name in positional else kinds.KEYWORD_ONLY,
            default=kinds.empty if parameter.required and name not in others.values() else parameter.default,
        )
        for name, parameter in parameters.items()
    ]
    made += [kinds(other, kinds.KEYWORD_ONLY, default=parameters[name].default) for other, name in others.items()]
    made.sort(key=lambda p: (p.kind is kinds.KEYWORD_ONLY, p.default is not kinds.empty))
    return inspect.Signature(made)


def making(constructor: Callable[..., None]) -> Callable[..., None]:
    """A constructor of a class of its own, in which a block may be given any attribute."""

    @functools.wraps(constructor)
    def __init__(self: Any, *args: Any, **given: Any) -> None:
        outermost = "_being_made" not in self.__dict__
        self.__dict__["_being_made"] = True
        try:
            constructor(self, *args, **given)
        finally:
            if outermost:
                del self.__dict__["_being_made"]

    return __init__
