"""A plan as bytes, in the form that `cython_kernels/core/plan.pxd` describes."""

from __future__ import annotations

import hashlib
import struct
import zlib
from collections.abc import Iterable, Mapping

import numpy as np

from blocks.plan.flatten import Leaf
from blocks.plan.kernel import kernel_functions, kernel_name, kernel_numbers, rate_of
from blocks.plan.memory_layout import MemoryLayout
from blocks.plan.order import Call
from cython_kernels import engine as native

HEADER = struct.Struct("<8sdQ22i5d")
_MAGIC = b"KEELPLAN"

Ports = list[tuple[int, int]]
"""(first value, width) of each."""


def checksum(stored: bytes) -> str:
    """The checksum in the header of a stored plan."""
    return f"{HEADER.unpack_from(stored)[2]:016x}"


def joined(checksum: str, digests: Mapping[str, str]) -> str:
    """A checksum that tells kernels of libraries, too: it is the plan's where that has none."""
    if not digests:
        return checksum
    return hashlib.sha256(f"{checksum} {sorted(digests.items())}".encode()).hexdigest()[:16]


def encode(layout: MemoryLayout) -> bytes:
    """Header, start values and tables of a plan."""
    flat, regions = layout.flat, layout.regions
    strings = Strings()
    numbers: list[int] = []
    ports: list[int] = []
    records: list[int] = []
    copies: list[int] = []
    work, x, z, g = regions.work, regions.x, regions.z, regions.g
    rates = {rate: number for number, rate in enumerate(layout.rates, start=1)}
    for leaf in flat.leaves:
        block = leaf.block
        record = [strings.add(kernel_name(block)), strings.add(leaf.name)]
        for group in _block_ports(layout, leaf):
            record += [len(group), len(ports)]
            ports += [number for pair in group for number in pair]
        states = [layout.states[f"{leaf.name}.{name}"] for name in leaf.states]
        nx = sum(state.count for state in states if not state.discrete)
        nz = sum(state.count for state in states if state.discrete)
        room = flat.room(leaf)
        nw, ng = block.work_size(room), block.crossing_count(room)
        own_numbers = kernel_numbers(block, flat.sizes[leaf])
        rate = rates[rate_of(block)] if block.sampled else 0
        record += [work, nw, x, nx, z, nz, g, ng, len(numbers), len(own_numbers), rate]
        record.append(struct.unpack("<i", struct.pack("<I", zlib.crc32(leaf.name.encode())))[0])
        numbers += own_numbers
        work, x, z, g = work + nw, x + nx, z + nz, g + ng
        records += record
        if not kernel_functions(block)["start"]:
            for state in states:
                copies += [layout.initial[state.name], state.first, state.count]
    wanted: list[int] = []
    majors = _call_table(flat.majors, wanted)
    minors = _call_table(flat.minors, wanted)
    hits = [first for pair in layout.rates.values() for first in pair]
    tables = np.array([*records, *ports, *majors, *minors, *wanted, *numbers, *copies, *hits], dtype="<i4")
    text = strings.data
    body = layout.start_values.astype("<f8").tobytes() + tables.tobytes() + text
    s = layout.settings
    head = (
        native.PLAN_VERSION_NUMBER,
        HEADER.size + len(body),
        len(flat.leaves),
        len(ports),
        len(flat.majors),
        flat.steady,
        len(flat.minors),
        len(wanted),
        len(numbers),
        len(copies) // 3,
        len(layout.rates),
        len(text),
        sum(place.count for place in layout.inputs.values()),
        regions.parameters,
        regions.work - regions.parameters,
        regions.x - regions.work,
        regions.z - regions.x,
        regions.hits - regions.z,
        g - regions.g,
        native.SOLVERS.get(s.solver, native.SOLVERS["rk4"]),
        0,
        -1 if layout.stop is None else layout.stop,
        s.start,
        s.step,
        s.relative_tolerance,
        s.absolute_tolerance,
        s.max_step,
    )
    bare = HEADER.pack(_MAGIC, s.end, 0, *head) + body
    checksum = native.fnv1a_hash(bare[native.CHECKED_FROM_BYTE :])
    return HEADER.pack(_MAGIC, s.end, checksum, *head) + body


def _block_ports(layout: MemoryLayout, leaf: Leaf) -> tuple[Ports, Ports, Ports]:
    """(first value, width) of each input, output and parameter of a block."""
    flat, block = layout.flat, leaf.block
    read = [(layout.reads[leaf.name, name], flat.width(leaf, port.signal)) for name, port in leaf.inputs.items()]
    written = [(p.first, p.count) for name in leaf.outputs for p in [layout.outputs[f"{leaf.name}.{name}"]]]
    held = [(p.first, p.count) for name in block.all_parameters() for p in [layout.parameters[f"{leaf.name}.{name}"]]]
    for name, state in leaf.states.items():
        if state.private:
            held.append((layout.initial[f"{leaf.name}.{name}"], flat.width(leaf, state.signal)))
    return read, written, held


def _call_table(calls: Iterable[Call], wanted: list[int]) -> list[int]:
    """Rows (block, first of wanted); the rows' entries are appended to `wanted`."""
    table: list[int] = []
    for call in calls:
        leaf = call.leaf
        computed = {o for o in leaf.outputs if not leaf.state_of(o)}
        alike = len({frozenset(leaf.block.feedthrough(o)) for o in computed}) == 1
        table += [leaf.number, len(wanted)]
        wanted += [1 if o in call.outputs or (alike and o in computed) else 0 for o in leaf.outputs]
    return table


class Strings:
    """Texts ended by 0, each once."""

    def __init__(self) -> None:
        self._parts: list[bytes] = []
        self._size = 0
        self._known: dict[str, int] = {}

    @property
    def data(self) -> bytes:
        """All of them."""
        return b"".join(self._parts)

    def add(self, text: str) -> int:
        """Where a text stands."""
        if text not in self._known:
            self._known[text] = self._size
            self._parts.append(text.encode() + b"\0")
            self._size += len(self._parts[-1])
        return self._known[text]
