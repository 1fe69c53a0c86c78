"""What the entries of our YAML files are made of: names, ports, quantities, and mappings without other keys."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    StrictFloat,
    StrictInt,
    StrictStr,
    StringConstraints,
    WithJsonSchema,
)
from pydantic_core import PydanticCustomError

from blocks.errors import ParameterError
from blocks.units import to_unit

NAME = r"^[A-Za-z_][A-Za-z0-9_]*$"
_PORT = r"^[A-Za-z_][A-Za-z0-9_]*(\.[A-Za-z_][A-Za-z0-9_]*)?(\[[^\]]+\])?$"

Name = Annotated[str, StringConstraints(pattern=NAME)]
Port = Annotated[str, StringConstraints(pattern=_PORT)]
Number = StrictInt | StrictFloat
Quantity = Annotated[
    StrictInt | StrictFloat | StrictStr,
    WithJsonSchema(
        {"type": ["number", "string"], "description": 'a number in SI, or text with a unit such as "2 min"'}
    ),
]


def _positive(unit: str) -> BeforeValidator:
    """A check that a quantity can be read in a unit, and is a finite number > 0."""

    def check(value: Any) -> Any:
        try:
            number = to_unit(value, unit) if isinstance(value, str) else value
        except ParameterError as problem:
            raise PydanticCustomError("wanted", "{problem}", {"problem": str(problem)}) from None
        if isinstance(number, float | int) and not isinstance(number, bool) and not 0.0 < number < float("inf"):
            raise PydanticCustomError("wanted", "more than 0 {unit} is wanted", {"unit": unit})
        return value

    return BeforeValidator(check)


Rate = Annotated[Quantity, _positive("Hz")]
Duration = Annotated[Quantity, _positive("s")]


def as_list(value: Any) -> Any:
    """A text as a list of one."""
    return [value] if isinstance(value, str) else value


def _as_ports(value: Any) -> Any:
    if not isinstance(value, (str, list)):
        raise PydanticCustomError("wanted", "a port, or a list of ports, is wanted")
    return as_list(value)


def one_or_more(item: dict[str, Any]) -> dict[str, Any]:
    """The schema of an item, or a list of them."""
    return {"anyOf": [item, {"type": "array", "items": item, "minItems": 1}]}


Ports = Annotated[
    list[Port],
    Field(min_length=1),
    BeforeValidator(_as_ports),
    WithJsonSchema(one_or_more({"type": "string", "pattern": _PORT})),
]
Names = Annotated[list[str], BeforeValidator(as_list), WithJsonSchema(one_or_more({"type": "string"}))]


FURTHEST = 10_000
"""Columns and rows of a drawing: as many as a picture can have."""


def _check_cell(value: Any) -> Any:
    whole = isinstance(value, (list, tuple)) and len(value) == 2 and all(type(number) is int for number in value)
    if not whole or not all(-FURTHEST <= number <= FURTHEST for number in value):
        given = {"most": FURTHEST}
        raise PydanticCustomError(
            "wanted", "column and row, whole numbers up to {most}, such as [12, 4], are wanted", given
        )
    return tuple(value)


Cell = Annotated[
    tuple[int, int],
    BeforeValidator(_check_cell),
    WithJsonSchema(
        {
            "type": "array",
            "items": {"type": "integer", "minimum": -FURTHEST, "maximum": FURTHEST},
            "minItems": 2,
            "maxItems": 2,
        }
    ),
]
"""Where a block stands in a drawing: column and row of its grid."""


class Entry(BaseModel):
    """A mapping of the file: no other keys than those that are named."""

    model_config = ConfigDict(extra="forbid", frozen=True, defer_build=True)
