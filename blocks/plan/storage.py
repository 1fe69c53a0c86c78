"""A plan as bytes, in the form that `cython_kernels/core/plan.pxd` describes."""

from __future__ import annotations

import struct
import zlib

import numpy as np

from blocks.model.block import Block
from blocks.model.wiring import width
from blocks.plan.flatten import Leaf
from blocks.plan.kernel import kernel_functions, kernel_name, kernel_numbers
from blocks.plan.layout import Layout
from blocks.plan.order import Call
from cython_kernels import engine as native

_HEADER = struct.Struct("<8sdQ22i5d")
_MAGIC = b"KEELPLAN"

Ports = list[tuple[int, int]]
"""(place, width) of each."""


def checksum(stored: bytes) -> str:
    """The checksum in the header of a stored plan."""
    return f"{_HEADER.unpack_from(stored)[2]:016x}"


def store(layout: Layout) -> bytes:
    """Header, start values and tables of a plan."""
    strings = Strings()
    regions = layout.regions
    numbers: list[int] = []
    ports: list[int] = []
    records: list[int] = []
    copies: list[int] = []
    work, x, z, g = regions.work, regions.x, regions.z, regions.g
    for leaf in layout.flat.leaves:
        block = leaf.block
        read, written, held = _block_ports(layout, leaf)
        record = [strings.add(kernel_name(block)), strings.add(leaf.name)]
        for group in (read, written, held):
            record += [len(group), len(ports)]
            ports += [number for pair in group for number in pair]
        shapes = {n: width(tuple(int(d) for d in leaf.shape(s.signal))) for n, s in block.states.items()}
        nx = sum(shapes[n] for n, s in block.states.items() if not s.discrete)
        nz = sum(shapes[n] for n, s in block.states.items() if s.discrete)
        nw, ng = block.work_size(leaf.room), block.crossing_count(leaf.room)
        own_numbers = kernel_numbers(leaf)
        record += [work, nw, x, nx, z, nz, g, ng, len(numbers), len(own_numbers), _rate(layout, block)]
        record.append(struct.unpack("<i", struct.pack("<I", zlib.crc32(leaf.name.encode())))[0])
        numbers += own_numbers
        work, x, z, g = work + nw, x + nx, z + nz, g + ng
        records += record
        if not kernel_functions(block)["start"]:
            for name in block.states:
                place = layout.states[f"{leaf.name}.{name}"]
                copies += [layout.initial[f"{leaf.name}.{name}"], place.first, place.count]
    majors, wanted = _call_table(layout, layout.majors, [])
    minors, wanted = _call_table(layout, layout.minors, wanted)
    rates = [place for pair in layout.rates.values() for place in pair]
    given = np.concatenate(layout.given) if layout.given else np.zeros(0)
    tables = np.array([*records, *ports, *majors, *minors, *wanted, *numbers, *copies, *rates], dtype="<i4")
    body = given.astype("<f8").tobytes() + tables.tobytes() + strings.data
    s = layout.settings
    head = (
        native.PLAN_VERSION_NUMBER,
        _HEADER.size + len(body),
        len(layout.flat.leaves),
        len(ports),
        len(layout.majors),
        layout.steady,
        len(layout.minors),
        len(wanted),
        len(numbers),
        len(copies) // 3,
        len(layout.rates),
        len(strings.data),
        layout.external_width,
        regions.parameters,
        regions.work - regions.parameters,
        regions.x - regions.work,
        regions.z - regions.x,
        regions.hits - regions.z,
        g - regions.g,
        native.SOLVERS.get(s.solver, native.SOLVERS["rk4"]),
        0,
        layout.stop,
        s.start,
        s.step,
        s.relative_tolerance,
        s.absolute_tolerance,
        s.max_step,
    )
    bare = _HEADER.pack(_MAGIC, s.end, 0, *head) + body
    checksum = native.fnv1a_hash(bare[native.CHECKED_FROM_BYTE :])
    stored = _HEADER.pack(_MAGIC, s.end, checksum, *head) + body
    return stored


def _rate(layout: Layout, block: Block) -> int:
    """Which sample rate a block has, from 1; 0 if it is not sampled."""
    if not block.sampled:
        return 0
    period, offset = block.sampling
    key = (float(block.values[period]), float(block.values[offset]))
    return list(layout.rates).index(key) + 1


def _block_ports(layout: Layout, leaf: Leaf) -> tuple[Ports, Ports, Ports]:
    """(place, width) of each input, output and parameter of a block."""
    block = leaf.block
    read = [(layout.feeds[leaf.name, n], leaf.width(p.signal)) for n, p in block.input_ports.items()]
    written = [(p.first, p.count) for n in block.output_ports for p in [layout.outputs[f"{leaf.name}.{n}"]]]
    held = [(p.first, p.count) for n in block.all_parameters() for p in [layout.parameters[f"{leaf.name}.{n}"]]]
    for name, state in block.states.items():
        if state.private:
            held.append((layout.initial[f"{leaf.name}.{name}"], leaf.width(state.signal)))
    return read, written, held


def _call_table(layout: Layout, calls: list[Call], wanted: list[int]) -> tuple[list[int], list[int]]:
    """Rows (block, first of wanted), and `wanted` with the rows' entries appended."""
    table: list[int] = []
    for call in calls:
        block = call.leaf.block
        computed = [o for o in block.output_ports if not block.state_of(o)]
        alike = len({frozenset(block.feedthrough(o)) for o in computed}) == 1
        table += [layout.flat.leaves.index(call.leaf), len(wanted)]
        wanted = wanted + [1 if o in call.outputs or (alike and o in computed) else 0 for o in block.output_ports]
    return table, wanted


class Strings:
    """Texts ended by 0, each once."""

    def __init__(self) -> None:
        self.data = b""
        self.known: dict[str, int] = {}

    def add(self, text: str) -> int:
        """Where a text stands."""
        if text not in self.known:
            self.known[text] = len(self.data)
            self.data += text.encode() + b"\0"
        return self.known[text]
