"""Where the keys of a YAML file stand, so that a message can name the line."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import yaml

Place = tuple[str, ...]

_DEPTH = 5
"""How deep keys are looked up: sections, dynamics, parameters, mass, value. Aliases may go round in circles."""

_MERGE = "<<"


class DuplicateKeyError(ValueError):
    """A mapping has a key twice, of which YAML would silently keep the last."""


def key_lines(text: str, loader: Any) -> dict[Place, int]:
    """The line of each key, by the keys that lead to it. Raises DuplicateKeyError, and YAMLError."""
    lines: dict[Place, int] = {}
    _collect(yaml.compose(text, Loader=loader), (), lines)
    return lines


def _collect(node: yaml.Node | None, place: Place, lines: dict[Place, int]) -> None:
    if not isinstance(node, yaml.MappingNode) or len(place) == _DEPTH:
        return
    seen: dict[str, int] = {}
    merged: list[yaml.Node] = []
    for key, value in node.value:
        name, line = str(key.value), key.start_mark.line + 1
        if name == _MERGE:
            merged += value.value if isinstance(value, yaml.SequenceNode) else [value]
            continue
        if name in seen:
            where = ".".join((*place, name))
            raise DuplicateKeyError(f"{where} is given twice, in lines {seen[name]} and {line}")
        seen[name] = line
        here = (*place, name)
        lines[here] = line
        _collect(value, here, lines)
    for taken_over in merged:
        theirs: dict[Place, int] = {}
        _collect(taken_over, place, theirs)
        lines |= {where: line for where, line in theirs.items() if where not in lines}


def nearest(lines: Mapping[Place, int], place: Iterable[str]) -> int | None:
    """The line of a key, or of the innermost one around it that is in the file."""
    keys = tuple(place)
    while keys and keys not in lines:
        keys = keys[:-1]
    return lines.get(keys)


def in_words(lines: Iterable[int | None]) -> str:
    """Such as " (line 7)" or " (lines 7, 9 and 12)", to end a message; empty if no line is known."""
    known = [str(line) for line in sorted({line for line in lines if line})]
    if not known:
        return ""
    if len(known) == 1:
        return f" (line {known[0]})"
    return f" (lines {', '.join(known[:-1])} and {known[-1]})"
