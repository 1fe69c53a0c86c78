"""The JSON schema of drawings, and drawings read from JSON."""

from __future__ import annotations

import functools
from typing import Any

from pydantic import TypeAdapter, ValidationError

from blocks.errors import KeelblocksError

from .drawing import Drawing

__all__ = ["DrawingError", "read_drawing", "schema"]


class DrawingError(KeelblocksError):
    """What is to be a drawing is none."""


def schema() -> dict[str, Any]:
    """The schema, in draft 2020-12, of what `keelblocks draw --format json` writes."""
    made = _adapter().json_schema(mode="serialization", ref_template="#/$defs/{model}")
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **made, "title": "Drawing of Keelblocks"}


def read_drawing(text: str) -> Drawing:
    """The drawing in a JSON text. Raises DrawingError if it is none."""
    try:
        return _adapter().validate_json(text)
    except ValidationError as problem:
        first = problem.errors(include_url=False)[0]
        where = ".".join(map(str, first["loc"])) or "the text"
        more = f", and {problem.error_count() - 1} more" if problem.error_count() > 1 else ""
        raise DrawingError(f"this is no drawing: {where}: {first['msg']}{more}") from None


@functools.cache
def _adapter() -> TypeAdapter[Drawing]:
    """Made when first needed, because pydantic takes its time."""
    return TypeAdapter(Drawing)
