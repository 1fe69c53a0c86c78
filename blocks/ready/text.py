"""The text of a scenario, from its blocks: as a person would have written it, with comments."""

from __future__ import annotations

import json
import re
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

_WIDTH = 120
_COMMENT_AT = 36


@dataclass(frozen=True)
class Said:
    """A value as it stands in the file, with a comment behind it."""

    value: object
    comment: str


@dataclass
class Piece:
    """A block of the scenario: its name, type, vehicle and parameters, with a comment above it."""

    name: str
    type: str
    parameters: Mapping[str, object] = field(default_factory=dict)
    vehicle: str = ""
    section: str = ""
    comment: str = ""


def number(value: float, digits: int = 4) -> str:
    """A number as it is written: to some digits, never with an exponent that YAML 1.1 would take for text."""
    rounded = float(f"{value:.{digits}g}")
    text = f"{rounded:.10f}".rstrip("0").rstrip(".") if 1e-4 <= abs(rounded) < 1e6 else repr(rounded)
    return "0" if rounded == 0.0 else text


def quantity(value: float, unit: str, digits: int = 3) -> str:
    """A number with its unit."""
    return f"{number(value, digits)} {unit}"


def comment(text: str, indent: int = 0) -> str:
    """Lines of a comment."""
    before = " " * indent + "# "
    return "".join(f"{line}\n" for line in textwrap.wrap(text, _WIDTH, initial_indent=before, subsequent_indent=before))


def block_lines(piece: Piece, indent: int = 4) -> str:
    """A block among the blocks of a diagram."""
    pad = " " * indent
    text = comment(piece.comment, indent) if piece.comment else ""
    text += f"{pad}{piece.name}:\n{pad}  type: {piece.type}\n"
    if piece.vehicle:
        plain = re.fullmatch(r"[\w./-]+", piece.vehicle)
        text += f"{pad}  vehicle: {piece.vehicle if plain else json.dumps(piece.vehicle)}\n"
    if piece.section:
        text += f"{pad}  section: {piece.section}\n"
    if piece.parameters:
        text += f"{pad}  parameters:\n"
        text += "".join(_entry(name, value, indent + 4) for name, value in piece.parameters.items())
    return text


def _entry(name: str, value: object, indent: int) -> str:
    said = value.comment if isinstance(value, Said) else ""
    plain = value.value if isinstance(value, Said) else value
    line = f"{' ' * indent}{name}: {written(plain)}"
    if len(line) <= _WIDTH and "\n" not in line:
        return f"{line:{_COMMENT_AT}}  # {said}\n" if said else f"{line}\n"
    rows = plain if isinstance(plain, (list, tuple, np.ndarray)) else [plain]
    head = f"{' ' * indent}{name}:{'':10}# {said}\n" if said else f"{' ' * indent}{name}:\n"
    if rows is not plain or not isinstance(rows[0], (list, tuple, np.ndarray)):
        flow = textwrap.wrap(written(plain), _WIDTH - indent - 2)
        return head + "".join(f"{' ' * (indent + 2)}{part}\n" for part in flow)
    return head + "".join(f"{' ' * (indent + 2)}- {written(row)}\n" for row in rows)


def written(value: object) -> str:
    """A value as YAML."""
    if isinstance(value, (bool, np.bool_)):
        return str(bool(value)).lower()
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, np.ndarray)):
        return f"[{', '.join(written(item) for item in value)}]"
    if isinstance(value, int):
        return str(value)
    return number(float(value), 6)  # type: ignore[arg-type]


def wires(connections: Sequence[tuple[str, str]], indent: int = 4) -> str:
    """The connections, those from one output in one line."""
    sinks: dict[str, list[str]] = {}
    for source, sink in connections:
        sinks.setdefault(source, []).append(sink)
    return "".join(
        f"{' ' * indent}{source}: {to[0] if len(to) == 1 else '[' + ', '.join(to) + ']'}\n"
        for source, to in sinks.items()
    )
