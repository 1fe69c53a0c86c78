"""One block with its kernel and its plain C, called alike and compared."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from benchmarks.kernels.library import plain
from benchmarks.model import BenchmarkError
from blocks import Block
from blocks.block import library
from blocks.plan import Plan, make_plan

Floats = NDArray[np.float64]

FUNCTIONS: Final = ("outputs", "derivatives", "update", "crossings")
REQUIRED: Final = FUNCTIONS[:3]
"""What plain C has to have where the kernel has it; crossings say nothing that update does not."""

TOLERANCE: Final = 1e-12
"""How far a result may be from that of plain C, relative to the greatest number at any point of that port or state."""

EACH_SCALE: Final = (1.0, -1.0, 0.2, -0.2, 2.5, -2.5)
STEP: Final = 0.05  # s, from one point of the comparison to the next
POINTS: Final = 24
ZERO_CROSSINGS: Final = "zero crossings"
WIDTH: Final = 3
"""Size of an input that nothing else decides."""


@dataclass
class Case:
    """A block of the library as it is measured: made with `parameters`, with `inputs` at the instant that is timed."""

    name: str
    parameters: Mapping[str, Any]
    variant: str = ""
    inputs: Mapping[str, Any] = field(default_factory=dict)
    scales: tuple[float, ...] = EACH_SCALE

    @property
    def title(self) -> str:
        """The block, and which of its variants."""
        return f"{self.name} {self.variant}".rstrip()

    @cached_property
    def block(self) -> Block:
        """The block."""
        return library()[self.name](**self.parameters)

    @cached_property
    def plan(self) -> Plan:
        """The block alone as a plan."""
        return make_plan(self.block, input_shapes=_open_shapes(self.block, self.inputs))

    def has_plain(self, library: ctypes.CDLL) -> bool:
        """Whether there is plain C of its kernel."""
        return plain(library, self.block.kernel) is not None

    @contextmanager
    def open(self, library: ctypes.CDLL, shift: int = 0) -> Iterator[Pair]:
        """Kernel and plain C of the block, for as long as a `with` lasts; `shift` moves their results in memory."""
        pair = Pair(self, library, shift)
        try:
            yield pair
        finally:
            library.case_close(pair.handle)


class Pair:
    """A kernel and its plain counterpart, with the same inputs, parameters and states."""

    def __init__(self, case: Case, library: ctypes.CDLL, shift: int) -> None:
        self.case = case
        self.plan = case.plan
        self.library = library
        (leaf,) = self.plan.flat.leaves
        own = len(leaf.name) + 1
        block = case.block
        self.parts = [(name[own:], place.count) for name, place in self.plan.outputs.items()]
        is_state = [block.state_of(name) is not None for name, _ in self.parts]
        states = [(name[own:], place) for name, place in self.plan.states.items()]
        self.parts += [(f"derivative of {name}", place.count) for name, place in states if not place.discrete]
        self.parts += [(f"next {name}", place.count) for name, place in states if place.discrete]
        crossings = block.crossing_count(self.plan.flat.sizes[leaf])
        self.parts += [(ZERO_CROSSINGS, crossings)] if crossings else []
        count = sum(width for _, width in self.parts)
        status = ctypes.c_int()
        states_or_not = (ctypes.c_int * len(is_state))(*is_state)
        stored = self.plan.stored
        address = plain(library, block.kernel)
        self.handle = self.library.case_open(stored, len(stored), states_or_not, count, shift, address, status)
        if not self.handle:
            raise BenchmarkError(f"{case.title}: the engine refuses its plan with status {status.value}")
        self.values = np.ctypeslib.as_array(self.library.case_values(self.handle), (self.plan.regions.g,))
        self.results = np.ctypeslib.as_array(self.library.case_results(self.handle), (2, max(count, 1)))
        self.x = [place for _, place in states if not place.discrete]
        kernel = [f for i, f in enumerate(FUNCTIONS) if self.library.kernel_has(self.handle, i)]
        beside = [f for i, f in enumerate(FUNCTIONS) if self.library.plain_has(self.handle, i)]
        self.functions = [f for f in kernel if f in beside]
        self._check_functions(kernel, beside)

    def _check_functions(self, kernel: list[str], beside: list[str]) -> None:
        name = f"plain_{self.case.block.kernel}"
        for function in kernel:
            if function in REQUIRED and function not in beside:
                raise BenchmarkError(f"{self.case.title}: the kernel has {function}, {name} has none: add it")
        for function in beside:
            if function not in kernel:
                raise BenchmarkError(f"{self.case.title}: {name} has {function}, the kernel has none: leave it out")

    def start(self) -> None:
        """Go to the initial states."""
        status = self.library.case_start(self.handle, 0.0)
        if status:
            raise BenchmarkError(f"{self.case.title} does not start: status {status}")
        self.x_start = [self.values[place.slice].copy() for place in self.x]

    def _go_to(self, point: int) -> float:
        """Give inputs and states of a point; its time. Discrete states stay what they have become."""
        scale = self.case.scales[point % len(self.case.scales)]
        number = 0
        for name, place in self.plan.inputs.items():
            phases = np.arange(number, number + place.count)
            number += place.count
            wave = np.sin(0.7 * point + phases)
            given = self.case.inputs.get(name)
            if given is None:
                self.values[place.slice] = scale * (0.85 + 0.4 * wave)
            else:
                self.values[place.slice] = np.ravel(given) * (1.0 + 0.1 * wave)
        for place, start in zip(self.x, self.x_start, strict=True):
            self.values[place.slice] = start + 0.2 * np.sin(1.3 * point + 0.5 + np.arange(place.count))
        return STEP * point

    def call(self, function: str, t: float) -> None:
        """Call both. Raises BenchmarkError if the kernel reports a fault."""
        fault = self.library.case_call(self.handle, FUNCTIONS.index(function), t)
        if fault:
            raise BenchmarkError(f"{self.case.title}: {self.case.block.faults[fault - 1]}: give the case other inputs")

    def check(self) -> None:
        """Raises BenchmarkError, with the results that differ, if kernel and plain C do not agree."""
        self.results[:] = 0.0
        self.start()
        found = np.empty((POINTS, *self.results.shape))
        for point in range(POINTS):
            t = self._go_to(point)
            for function in self.functions:
                self.call(function, t)
            found[point] = self.results
        differing = [line for part in self._places() for line in self._compare(part, found)]
        if differing:
            lines = "\n".join(differing)
            raise BenchmarkError(f"{self.case.title}: kernel and plain C do not agree\n{lines}")

    def _places(self) -> Iterator[tuple[str, slice]]:
        """What is compared, by name, and where it is among the results."""
        first = 0
        for name, width in self.parts:
            if name != ZERO_CROSSINGS or "crossings" in self.functions:
                yield name, slice(first, first + width)
            first += width

    def _compare(self, part: tuple[str, slice], found: Floats) -> Iterator[str]:
        """The first point at which a part of the results differs, as a line for people."""
        name, place = part
        ours, theirs = found[:, 0, place], found[:, 1, place]
        greatest = np.abs(theirs).max(initial=0.0)
        agrees = np.all(np.abs(ours - theirs) <= TOLERANCE * greatest, axis=1)
        if not np.all(agrees):
            point = int(np.argmin(agrees))
            yield f"  {name} at point {point}: the kernel gives {_shown(ours[point])}, plain C {_shown(theirs[point])}"

    def settle(self) -> None:
        """Go to the instant that is timed, modes settled."""
        self.start()
        self._go_to(0)
        for _ in range(1 if self.case.block.sampled else 10):
            for function in self.functions:
                self.call(function, 0.0)

    def time_kernel(self, function: str, many: int) -> float:
        """Nanoseconds per call of the kernel."""
        return float(self.library.time_kernel(self.handle, FUNCTIONS.index(function), 0.0, many))

    def time_plain(self, function: str, many: int) -> float:
        """Nanoseconds per call of the plain C."""
        return float(self.library.time_plain(self.handle, FUNCTIONS.index(function), 0.0, many))


def _shown(numbers: Floats) -> str:
    return f"({', '.join(f'{number:.16g}' for number in numbers)})"


def _open_shapes(block: Block, given: Mapping[str, Any]) -> dict[str, tuple[int, ...]]:
    """Shapes of inputs whose size nothing in the block decides: those of what is given, or WIDTH."""
    known = block.known_sizes()
    shapes = {}
    for name, port in block.input_ports.items():
        shape = port.signal.shape
        if any(isinstance(size, str) and size not in known for size in shape):
            usual = tuple(known.get(size, WIDTH) if isinstance(size, str) else size for size in shape)
            shapes[name] = np.shape(given[name]) if name in given else usual
    return shapes
