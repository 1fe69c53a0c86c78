"""resources/variables.bin: what the runtime has to know about variables; `runtime/variables.c` reads it."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import numpy as np

from blocks.plan import Place, Plan
from blocks.storage import Strings
from cython_kernels.engine import fnv1a_hash
from fmu.variables import LARGEST, Limits, Variable

VERSION = 1
_HEADER = struct.Struct("<8sQQ6i64s")
_REAL, _INTEGER, _BOOLEAN, _ENUMERATION = 1, 2, 4, 8
_INPUT, _TUNABLE, _FIXED, _ABOVE, _BELOW, _LIMITED = 16, 32, 64, 128, 256, 512
_TYPES = {"Real": _REAL, "Integer": _INTEGER, "Boolean": _BOOLEAN, "Enumeration": _INTEGER | _ENUMERATION}


@dataclass(frozen=True)
class _Range:
    place: Place
    name: str
    kind: int = 0
    limits: tuple[float, float] | None = None


def stored_variables(plan: Plan, variables: list[Variable], token: str) -> bytes:
    """The bytes of variables.bin. `token` is the GUID or instantiation token that the runtime asks for."""
    ranges = [_Range(variable.place, variable.name, *_permissions(variable)) for variable in variables]
    shown = {(variable.name, variable.place.first) for variable in variables}
    ranges += [
        _Range(place, name)  # for messages only
        for table in (plan.states, plan.outputs)
        for name, place in table.items()
        if (name, place.first) not in shown
    ]
    strings = Strings()
    ordered = sorted((item for item in ranges if item.place.count), key=lambda item: item.place.first)
    pairs = list(dict.fromkeys(item.limits for item in ordered if item.limits))
    rows = [
        (
            item.place.first, item.place.count, _columns(item.place), item.kind,
            pairs.index(item.limits) if item.limits else -1, strings.add(item.name),
        )
        for item in ordered
    ]  # fmt: skip
    faults = [
        (number, fault, strings.add(text))
        for number, leaf in enumerate(plan.flat.leaves)
        for fault, text in enumerate(type(leaf.block).faults, 1)
    ]
    body = (
        np.array(pairs, dtype="<f8").tobytes()
        + np.array([*rows], dtype="<i4").tobytes()
        + np.array([*faults], dtype="<i4").tobytes()
        + (strings.data or b"\0")
    )
    counts = (len(pairs), len(rows), len(faults), len(strings.data) or 1)
    head = (int(plan.checksum, 16), VERSION, _HEADER.size + len(body), *counts, token.encode())
    bare = _HEADER.pack(b"KEELVARS", 0, *head) + body
    return _HEADER.pack(b"KEELVARS", fnv1a_hash(bare[16:]), *head) + body


def _permissions(variable: Variable) -> tuple[int, tuple[float, float] | None]:
    """What may be done with a variable: its kind as `variables.c` knows it, and its limits."""
    kind = _TYPES[variable.type]
    if variable.causality == "input":
        kind |= _INPUT
    if variable.causality == "parameter":
        kind |= _TUNABLE if variable.variability == "tunable" else _FIXED
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
