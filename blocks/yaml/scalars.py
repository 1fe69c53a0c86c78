"""Scalars by the core schema of YAML 1.2: `yes`, `1:30` and `2024-01-01` are text, and `1e-3` is a number."""

from __future__ import annotations

import math
import re

PREFIX = "tag:yaml.org,2002:"
TEXT, SEQUENCE, MAPPING, MERGE = (PREFIX + kind for kind in ("str", "seq", "map", "merge"))

CORE: dict[str, tuple[re.Pattern[str], str]] = {
    PREFIX + kind: (re.compile(pattern), first)
    for kind, (pattern, first) in {
        "null": (r"(?:~|null|Null|NULL|)\Z", "~nN\0"),
        "bool": (r"(?:true|True|TRUE|false|False|FALSE)\Z", "tTfF"),
        "int": (r"(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)\Z", "-+0123456789"),
        "float": (
            r"(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))\Z",
            "-+.0123456789",
        ),
        "merge": (r"<<\Z", "<"),
    }.items()
}
"""The tags of plain scalars: the pattern, and the characters that one begins with ("\\0": an empty one)."""

_BY_FIRST: dict[str, list[tuple[str, re.Pattern[str]]]] = {}
for _tag, (_pattern, _firsts) in CORE.items():
    for _first in _firsts:
        _BY_FIRST.setdefault(_first, []).append((_tag, _pattern))
_LONGEST = 240
"""Characters of a whole number that is sure to fit in a float."""
_NONE: list[tuple[str, re.Pattern[str]]] = []


def tag_of(text: str) -> str:
    """The tag of a plain scalar that has none written."""
    for tag, pattern in _BY_FIRST.get(text[:1] or "\0", _NONE):
        if pattern.match(text):
            return tag
    return TEXT


def _whole(text: str) -> int | float:
    """A whole number; beyond 64 bit it is a float, as it would be with a point in it."""
    if len(text) > _LONGEST:
        return float(text) if text[:2] not in ("0o", "0x") else math.inf
    number = int(text, 0) if text[:2] in ("0o", "0x") else int(text)
    return number if -(2**63) <= number < 2**63 else float(number)


def value_of(tag: str, text: str) -> str | int | float | bool | None:
    """The value of a scalar. Raises ValueError if its text is not of the kind that the tag says."""
    kind = tag.rpartition(":")[2]
    if kind in ("str", "merge"):
        return text
    pattern, _ = CORE[tag]
    if not pattern.match(text) and not (kind == "float" and CORE[PREFIX + "int"][0].match(text)):
        raise ValueError
    if kind == "int":
        return _whole(text)
    if kind == "float":
        return float(re.sub(r"\.(?=inf|nan)", "", text.lower()))
    return text.lower() == "true" if kind == "bool" else None
