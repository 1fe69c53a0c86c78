"""The JSON schema of phases in words, for editors."""

from __future__ import annotations

from typing import Any

from blocks.guidance.mission_words import COMMON, CONDITIONS, KINDS, LATE
from blocks.model.declare import Parameter

_QUANTITY = {"type": ["number", "string"]}
_ROWS = {"type": "array", "minItems": 1}
_DEEPER = 2
"""How far phases in phases are told; beyond that anything goes."""


def phases_schema(deeper: int = _DEEPER) -> dict[str, Any]:
    """What a list of phases may be."""
    phase = _phase_schema(deeper)
    return {"anyOf": [{"type": "array", "items": phase, "minItems": 1}, phase]}


def aborts_schema() -> dict[str, Any]:
    """What a list of aborts may be."""
    when = {
        "type": "object",
        "properties": {word: _QUANTITY | {"description": limit.doc} for word, limit in CONDITIONS.items()},
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    then = {"anyOf": [{"const": "stop"}, *phases_schema(_DEEPER - 1)["anyOf"]]}
    abort = {
        "type": "object",
        "properties": {"when": when, "then": then},
        "required": ["when"],
        "additionalProperties": False,
    }
    return {"anyOf": [{"type": "array", "items": abort}, {"const": "[]"}]}


def _phase_schema(deeper: int) -> dict[str, Any]:
    if deeper == 0:
        return {}
    late = {"description": "what is done then", "anyOf": [{"enum": list(LATE)}, *phases_schema(deeper - 1)["anyOf"]]}
    properties: dict[str, Any] = {}
    for word, kind in KINDS.items():
        keys = {name: _form(parameter) for name, parameter in {**kind.keys, **COMMON}.items()}
        keys["name"] = {"type": "string", "description": "what it is called in summaries and metrics"}
        keys["if late"] = late
        full: dict[str, Any] = {"type": "object", "properties": keys, "additionalProperties": False}
        if kind.needed:
            full["required"] = list(kind.needed)
        forms = [full]
        if kind.main:
            forms.append(_form(kind.keys[kind.main]))
        if not kind.needed:
            forms.append({"type": "null"})
        properties[word] = {"description": kind.doc, "anyOf": forms}
    alone = [word for word, kind in KINDS.items() if not kind.needed]
    mapping = {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        "minProperties": 1,
        "maxProperties": 1,
    }
    return {"anyOf": [mapping, {"enum": alone}]}


def _form(parameter: Parameter) -> dict[str, Any]:
    found: dict[str, Any] = {"description": parameter.doc} if parameter.doc else {}
    if parameter.choices:
        return found | {"enum": list(parameter.choices)}
    if parameter.shape == ("k", 3):
        row = _ROWS | {"items": _QUANTITY, "minItems": 2, "maxItems": 3}
        return found | _ROWS | {"items": row}
    if parameter.shape:
        row = _ROWS | {"items": _QUANTITY, "minItems": 2, "maxItems": 3}
        return found | ({"anyOf": [row, _QUANTITY]} if hasattr(parameter, "word") else row)
    return found | _QUANTITY
