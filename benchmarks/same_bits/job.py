"""What a judge is asked to do, and what it answers, as bytes that are the same on every platform."""

from __future__ import annotations

import struct
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from cython_kernels import engine as native

_HEADER = struct.Struct("<7q2d")
_NONE = np.zeros(0)


@dataclass(frozen=True)
class Job:
    """A plan, run from start to end.

    Recorded are the values at `places`, at every so many points of the grid; afterwards all numbers of the plan are
    kept, and if there are `knowns`, the derivatives of the `unknowns` by them at the end, over these scales.
    """

    name: str
    stored: bytes
    start: float
    end: float
    step: float
    every: int
    places: NDArray[np.intc]
    knowns: NDArray[np.uint32] = field(default_factory=lambda: _NONE.astype(np.uint32))
    unknowns: NDArray[np.uint32] = field(default_factory=lambda: _NONE.astype(np.uint32))
    scales: NDArray[np.float64] = field(default_factory=lambda: _NONE)

    @property
    def capacity(self) -> int:
        """Rows for which there is room."""
        return int((self.end - self.start) / (self.step * self.every)) + 3

    def to_bytes(self, path: int = len(native.SIMD) - 1) -> bytes:
        """As runner.c reads it. path: the widest instructions that loops over waves may take, of `SIMD`."""
        parts = (self.stored, *(_little(part) for part in (self.places, self.knowns, self.unknowns, self.scales)))
        numbers = (len(self.stored), len(self.places), self.every, self.capacity, path)
        header = _HEADER.pack(*numbers, len(self.knowns), len(self.unknowns), self.start, self.end)
        return header + b"".join(part + bytes(-len(part) % 8) for part in parts)


@dataclass(frozen=True)
class Answer:
    """How a job ended, and all numbers that came of it: times, recorded rows, the plan's numbers, derivatives."""

    status: int
    rows: int
    numbers: NDArray[np.float64]

    @classmethod
    def from_bytes(cls, data: bytes) -> Answer:
        """What runner.c wrote."""
        status, rows, _ = struct.unpack_from("<3q", data)
        return cls(status, rows, np.frombuffer(data, "<f8", offset=24).astype(np.float64))


@dataclass(frozen=True)
class Difference:
    """How far two answers are apart: how many numbers differ of how many, and the largest of the differences."""

    count: int
    of: int
    worst: float


def compare(expected: Answer, given: Answer) -> Difference:
    """Number by number, by their bits; that one is not a number in both is no difference, whatever its bits."""
    numbers = max(len(expected.numbers), len(given.numbers))
    if (expected.status, expected.rows, len(expected.numbers)) != (given.status, given.rows, len(given.numbers)):
        return Difference(numbers, numbers, np.inf)
    differ = expected.numbers.view(np.uint64) != given.numbers.view(np.uint64)
    differ &= ~(np.isnan(expected.numbers) & np.isnan(given.numbers))
    with np.errstate(all="ignore"):
        apart = np.abs(expected.numbers[differ] - given.numbers[differ])
    return Difference(int(differ.sum()), numbers, float(np.max(np.nan_to_num(apart, nan=np.inf), initial=0.0)))


def run_here(job: Job) -> Answer:
    """The answer of the engine of this Python, with the instructions that `use_simd` chose."""
    engine: Any = native.Engine(job.stored)
    time, table = np.zeros(job.capacity), np.zeros((job.capacity, len(job.places)))
    engine.record(job.places, job.every, time, table)
    status = engine.start(job.start)
    if status == 0 and job.end > job.start:
        status = engine.advance(job.end)
    matrices: list[NDArray[np.float64]] = []
    if len(job.knowns) and status >= 0:
        engine.hold(engine.time)
        matrices += engine.differences(engine.time, job.knowns, job.scales, job.unknowns)[:2]
    rows = engine.rows
    parts = (time[:rows], table[:rows].ravel(), engine.values, *(matrix.ravel() for matrix in matrices))
    return Answer(status, rows, np.concatenate(parts))


def _little(array: NDArray[Any]) -> bytes:
    return array.astype(array.dtype.newbyteorder("<")).tobytes()
