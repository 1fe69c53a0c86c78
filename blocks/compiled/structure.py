"""What of a stored plan is compiled in: sizes, tables and kernels, but no value that a parameter or an input has."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, fields
from functools import cached_property

import numpy as np

from blocks.plan.encode import HEADER
from cython_kernels import engine as native

_FIELDS = (
    *("version", "size", "blocks", "ports", "majors", "steady", "minors", "wanted", "numbers", "copies", "rates"),
    *("strings", "inputs", "signals", "parameters", "work", "x", "z", "g", "solver", "reserved", "stop"),
)
"""The whole numbers of a header, see `cython_kernels/core/plan.pxd`."""
COMPILED_IN = (
    *("blocks", "majors", "steady", "rates", "inputs", "signals", "parameters", "work", "x", "z", "g", "solver"),
    "stop",
)
"""Those of them that are constants in the C of a plan."""
SOLVER_VECTORS = 12


@dataclass(frozen=True)
class Port:
    """Where in the values a port begins, and how many numbers it has."""

    place: int
    count: int


@dataclass(frozen=True)
class BlockRecord:
    """What a stored plan says of a block; places are those in the values."""

    number: int
    kernel: str
    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    parameters: tuple[Port, ...]
    work: Port
    x: Port
    z: Port
    g: Port
    numbers: tuple[int, ...]
    first_number: int
    rate: int
    key: int


@dataclass(frozen=True)
class CallRecord:
    """A call of a block's outputs, and which of them are wanted."""

    block: int
    wanted: tuple[bool, ...]


class Structure:
    """A stored plan, read."""

    def __init__(self, stored: bytes) -> None:
        self.header = dict(zip(_FIELDS, HEADER.unpack_from(stored)[3:25], strict=True))
        head = self.header
        at = HEADER.size + 8 * (head["signals"] + head["parameters"])
        text = stored[len(stored) - head["strings"] :]
        self._tables = np.frombuffer(stored, "<i4", (len(stored) - head["strings"] - at) // 4, at)
        parts = self._cut(
            20 * head["blocks"], head["ports"], 2 * head["majors"], 2 * head["minors"], head["wanted"], head["numbers"],
            3 * head["copies"], 2 * head["rates"],
        )  # fmt: skip
        blocks, ports, majors, minors, wanted, numbers, self.copies, self.rates = parts
        self._text = text
        self.numbers = tuple(int(n) for n in numbers)
        self.calls_hash = native.fnv1a_hash(b"".join(part.tobytes() for part in parts[1:5]))
        self.blocks = tuple(self._block(i, record, ports, numbers) for i, record in enumerate(blocks.reshape(-1, 20)))
        self.majors = self._calls(majors, wanted)
        self.minors = self._calls(minors, wanted)

    def _cut(self, *counts: int) -> list[np.ndarray]:
        ends = np.cumsum(counts)
        return [self._tables[end - count : end] for end, count in zip(ends, counts, strict=True)]

    def _string(self, place: int) -> str:
        return self._text[place : self._text.index(b"\0", place)].decode()

    def _block(self, number: int, record: np.ndarray, ports: np.ndarray, numbers: np.ndarray) -> BlockRecord:
        values = [int(value) for value in record]

        def those(kind: int) -> tuple[Port, ...]:
            count, first = values[kind : kind + 2]
            return tuple(Port(int(ports[first + 2 * i]), int(ports[first + 2 * i + 1])) for i in range(count))

        first, count = values[16:18]
        return BlockRecord(
            number, self._string(values[0]), self._string(values[1]), those(2), those(4), those(6), Port(*values[8:10]),
            Port(*values[10:12]), Port(*values[12:14]), Port(*values[14:16]),
            tuple(int(n) for n in numbers[first : first + count]), first, values[18], values[19] & 0xFFFFFFFF,
        )  # fmt: skip

    def _calls(self, table: np.ndarray, wanted: np.ndarray) -> tuple[CallRecord, ...]:
        return tuple(
            CallRecord(int(block), tuple(bool(w) for w in wanted[first : first + len(self.blocks[block].outputs)]))
            for block, first in table.reshape(-1, 2)
        )

    @property
    def kernels(self) -> list[str]:
        """The kernels that it needs, each once."""
        return list(dict.fromkeys(block.kernel for block in self.blocks))

    @property
    def x0(self) -> int:
        """Where the continuous states begin in the values."""
        return int(self.header["signals"] + self.header["parameters"] + self.header["work"])

    @property
    def saved(self) -> int:
        """How many of the values belong to the state."""
        return int(self.x0 + self.header["x"] + self.header["z"] + self.header["rates"])

    @property
    def derivatives(self) -> int:
        """How far behind a continuous state its derivative stands."""
        return self.saved - self.x0

    @property
    def values(self) -> int:
        """How many values there are, scratch included."""
        head = self.header
        return int(self.saved + head["x"] + head["g"] + head["z"] + 2 * head["g"] + SOLVER_VECTORS * head["x"])

    @cached_property
    def digest(self) -> str:
        """Tells it from others: plans whose numbers alone differ are one."""
        told = [*(self.header[name] for name in COMPILED_IN), self.majors, self.minors, self.rates.tolist()]
        told += [[getattr(block, f.name) for f in fields(block) if f.name != "name"] for block in self.blocks]
        return hashlib.sha256(repr(told).encode()).hexdigest()
