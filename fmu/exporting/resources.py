"""resources/variables.bin: what the runtime has to know about variables; `runtime/c/variables.c` reads it."""

from __future__ import annotations

import struct
from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from blocks.plan import Plan
from blocks.plan.encode import Strings, checksum
from blocks.plan.place import Place
from cython_kernels.engine import fnv1a_hash
from fmu.description.dependencies import Dependencies, References
from fmu.description.variables import LARGEST, Limits, Variable

VERSION = 2
_HEADER = struct.Struct("<8sQQ10i64s")
_REAL, _INTEGER, _BOOLEAN, _ENUMERATION = 1, 2, 4, 8
_INPUT, _TUNABLE, _FIXED, _ABOVE, _BELOW, _LIMITED = 16, 32, 64, 128, 256, 512
_STATE, _DERIVATIVE, _TIME, _CLOCK, _SIZE = 1024, 2048, 4096, 8192, 16384
_TYPES = {
    "Real": _REAL, "Integer": _INTEGER, "Boolean": _BOOLEAN, "Enumeration": _INTEGER | _ENUMERATION,
    "Size": _INTEGER | _SIZE, "Clock": _CLOCK,
}  # fmt: skip
_ROLES = {"derivative": _DERIVATIVE, "time": _TIME}
_ELSEWHERE = ("time", "size", "clock")
"""The roles of variables that have no place among the plan's values."""

Row = tuple[int, ...]
Pair = tuple[float, float]


@dataclass(frozen=True)
class _Range:
    place: Place
    name: str
    kind: int = 0
    limits: Pair | None = None


class _Tables:
    """Rows as they are stored, with the limits and names that they refer to."""

    def __init__(self) -> None:
        self.strings = Strings()
        self.pairs: dict[Pair, int] = {}

    def limits(self, pair: Pair | None) -> int:
        return -1 if pair is None else self.pairs.setdefault(pair, len(self.pairs))

    def ranges(self, plan: Plan, variables: Iterable[Variable]) -> list[Row]:
        """Every variable by its place, and for messages what is not shown."""
        ranges = [_Range(v.place, v.name, *_permissions(v)) for v in variables if v.role not in _ELSEWHERE]
        outputs = {v.name for v in variables if v.causality == "output"}
        shown = {(item.name, item.place.first) for item in ranges}
        ranges += [
            _Range(place, name)
            for table in (plan.states, plan.outputs)
            for name, place in table.items()
            if (name, place.first) not in shown
        ]
        return [
            (
                item.place.first, item.place.count, _columns(item.place), item.kind, self.limits(item.limits),
                self.strings.add(item.name),
            )
            # Of several names for one value messages use the last.
            for item in sorted(ranges, key=lambda item: (item.place.first, item.name in outputs))
            if item.place.count
        ]  # fmt: skip

    def arrays(self, references: References, variables: Iterable[Variable]) -> list[Row]:
        """The variables of FMI 3 in the order of their value references."""
        rows: list[Row] = []
        for variable in variables:
            kind, limits = _permissions(variable)
            size = references[variable.size] if variable.size else 0
            rows.append(
                (
                    variable.place.first, variable.place.count, kind, self.limits(limits), size,
                    self.strings.add(variable.name),
                )
            )  # fmt: skip
        return rows

    def dependencies(self, dependencies: Dependencies | None) -> tuple[list[Row], list[Row]]:
        """Of everything that is computed, where its links begin and how many there are; and all links."""
        unknowns: list[Row] = []
        links: list[Row] = []
        for reference, phase, those in dependencies.table() if dependencies else ():
            unknowns.append((reference, phase, len(links), len(those)))
            links += those
        return unknowns, links

    def faults(self, plan: Plan) -> list[Row]:
        """What the blocks' own failures mean."""
        return [
            (number, fault, self.strings.add(text))
            for number, leaf in enumerate(plan.flat.leaves)
            for fault, text in enumerate(type(leaf.block).faults, 1)
        ]


def stored_variables(
    plan: Plan, variables: list[Variable], listed: list[Variable], dependencies: Dependencies | None, token: str
) -> bytes:
    """The bytes of variables.bin.

    `listed` are the variables as FMI 3 has them, and `dependencies` know their value references, counted from 0 in the
    order of those that have one; None for FMI 2. `token` is the GUID or instantiation token that the runtime asks for.
    """
    tables = _Tables()
    references = dependencies.value_references if dependencies else {}
    ranges = tables.ranges(plan, variables)
    arrays = tables.arrays(references, (v for v in listed if v.name in references))
    unknowns, links = tables.dependencies(dependencies)
    faults = tables.faults(plan)
    nominals = [place.nominals for place in plan.states.values() if not place.discrete]
    states = np.concatenate(nominals) if nominals else np.zeros(0)
    body = (
        np.array([*tables.pairs], dtype="<f8").tobytes()
        + states.astype("<f8").tobytes()
        + b"".join(np.array(rows, dtype="<i4").tobytes() for rows in (ranges, arrays, unknowns, links, faults))
        + (tables.strings.data or b"\0")
    )
    head = (
        int(checksum(plan.stored), 16), VERSION, _HEADER.size + len(body),
        len(tables.pairs), len(ranges), len(faults), len(arrays), len(unknowns), len(links), len(states),
        len(tables.strings.data) or 1,
        token.encode(),
    )  # fmt: skip
    return _checked(_HEADER.pack(b"KEELVARS", 0, *head) + body)


def with_token(stored: bytes, token: str) -> bytes:
    """The same variables.bin with another token."""
    fields = _HEADER.unpack_from(stored)
    return _checked(_HEADER.pack(*fields[:-1], token.encode()) + stored[_HEADER.size :])


def _checked(stored: bytes) -> bytes:
    """The same with its checksum."""
    return stored[:8] + struct.pack("<Q", fnv1a_hash(stored[16:])) + stored[16:]


def _permissions(variable: Variable) -> tuple[int, Pair | None]:
    """What may be done with a variable: its kind as `variables.c` knows it, and its limits."""
    kind = _TYPES[variable.type] | _ROLES.get(variable.role, 0)
    if variable.state and variable.role != "derivative":
        kind |= _STATE
    if variable.causality == "input":
        kind |= _INPUT
    if variable.causality == "parameter":
        kind |= _TUNABLE if variable.variability == "tunable" else _FIXED
    if variable.causality in ("parameter", "structuralParameter"):
        limits = _stored_limits(variable)
        if limits.low > -LARGEST or limits.high < LARGEST:
            kind |= _LIMITED | (_ABOVE if limits.above else 0) | (_BELOW if limits.below else 0)
            return kind, (limits.low, limits.high)
    return kind, None


def _stored_limits(variable: Variable) -> Limits:
    """The limits of the stored number: of an enumeration the indices of its items."""
    return Limits(0.0, len(variable.choices) - 1.0) if variable.choices else variable.limits


def _columns(place: Place) -> int:
    """How `variables.c` writes an index: -1 none, 0 of a vector, else the columns of a matrix."""
    return -1 if not place.shape else 0 if len(place.shape) == 1 else place.shape[-1]
