"""Finding out what a block depends on by trying: every source is changed in turn, and every target watched.

Nothing of a declaration is used but names, shapes and valid values. `Probe.seen` collects what was seen to change.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.errors import KeelblocksError
from blocks.model.declare import Parameter
from blocks.trials.samples import plan_alone

SCALES = (0.1, 0.6, 3.0, 25.0)  # of inputs and states: near zero, beyond most limits, and across a path of waypoints
UNLIMITED = 1e200  # what is more stands for no limit
NO_VALUE = -12345.678

Target = tuple[str, str]
"""("output", "state" or "start", name)."""
Source = tuple[str, str, int]
"""("input", "state", "parameter" or "time", name, element); a parameter is one element."""


@dataclass
class Point:
    """Where a block is evaluated."""

    values: NDArray[np.float64]
    t: float


@dataclass
class Probe:
    """One block with everything that it can be asked."""

    block: Block
    seen: dict[Target, set[tuple[int, Source]]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(zlib.crc32(repr(self.block).encode()))
        self.plan, _ = plan_alone(self.block, first=2)  # so that one element can be told from the other
        (self.leaf,) = self.plan.flat.leaves
        self.engine = self.plan.engine()
        self.values = self.engine.values
        self.given = self.values.copy()
        self.own = len(self.leaf.name) + 1
        self.inputs = {name: place.slice for name, place in self.plan.inputs.items()}
        self.states = {name[self.own :]: place for name, place in self.plan.states.items()}
        self.structural = self.block.structural_parameters()
        self.parameters = [name for name in type(self.block).parameters if name not in self.structural]

    def run(self, only: Collection[tuple[str, str]] | None = None) -> None:
        """Probe at one random point more; with `only`, these sources: (kind, name)."""
        self._only = only
        self._probe()

    def _left_out(self, kind: str, name: str) -> bool:
        return self._only is not None and (kind, name) not in self._only

    def _scale(self) -> float:
        return float(self.random.choice(SCALES))

    def _probe(self) -> None:
        block = self._varied()
        t = float(self.random.choice([0.0, 0.4, 1.7]))
        point = self._point(block, t)
        before = self._evaluated(point)
        start = self._started(block, t)
        for source, other in self._neighbours(point):
            self._compare(before, self._evaluated(other), source)
        for shift in () if self._left_out("time", "") else (0.37, 2.9, -0.2):
            self._compare(before, self._evaluated(Point(point.values, t + shift)), ("time", "", 0))
            self._compare(start, self._started(block, t + shift), ("time", "", 0))
        for name in self.parameters:
            for _ in range(0 if self._left_out("parameter", name) else 4):
                changed = block.copy()
                if self._vary(changed, name):
                    self._compare(
                        before, self._evaluated(self._with_parameters(point, changed)), ("parameter", name, 0)
                    )
                    self._compare(start, self._started(changed, t), ("parameter", name, 0))
        for name in self.block.initial_parameters:  # they are copied, whatever they are
            place = self.plan.parameters[f"{self.leaf.name}.{name}"].slice
            given = self._with_parameters(Point(self.given.copy(), t), block)
            given.values[place] += self.random.uniform(0.1, 1.0, place.stop - place.start)
            self._compare(start, self._started_from(given), ("parameter", name, 0))
            moved = Point(point.values.copy(), t)
            moved.values[place] = given.values[place]
            self._compare(before, self._evaluated(moved), ("parameter", name, 0))

    # --- points

    def _varied(self) -> Block:
        """The block, or the block with other values of its parameters as far as that is allowed."""
        block = self.block.copy()
        if self.random.integers(3) == 0:
            return block
        for name in self.parameters:
            self._vary(block, name)
        return block

    def _vary(self, block: Block, name: str) -> bool:
        """Give a parameter another value; False if none of those tried was allowed."""
        parameter, old = block.all_parameters()[name], block.values[name]
        for _ in range(4):
            try:
                block.set(**{name: self._other(parameter, old)})
                return True
            except KeelblocksError:
                continue
        return False

    def _other(self, parameter: Parameter, old: Any) -> Any:
        """A value nearby, so that a matrix stays as regular as it is, or anywhere."""
        if parameter.choices:
            return str(self.random.choice(parameter.choices))
        if parameter.switch:
            return bool(self.random.integers(2))
        value = np.asarray(old, dtype=np.float64)
        if parameter.integer:
            return value + self.random.integers(1, 5)
        unlimited = np.abs(value) > UNLIMITED
        largest = np.max(np.abs(value), initial=0.0, where=~unlimited) or 1.0
        if self.random.integers(2):
            moved = value * self.random.uniform(0.9, 1.1, value.shape)
            moved += 0.1 * largest * self.random.uniform(0.0, 0.5, value.shape)
        else:
            moved = value * self.random.uniform(0.0, 2.0, value.shape)
            moved += largest * self.random.uniform(-0.5, 1.0, value.shape)
        bound = value if self.random.integers(2) else np.sign(value) * self.random.uniform(0.1, 3.0, value.shape)
        return np.where(unlimited, bound, moved)

    def _with_parameters(self, point: Point, block: Block) -> Point:
        values = point.values.copy()
        for name in self.parameters:
            place = self.plan.parameters[f"{self.leaf.name}.{name}"]
            values[place.slice] = block.all_parameters()[name].encode(block.values[name], place.shape)
        return Point(values, point.t)

    def _point(self, block: Block, t: float) -> Point:
        """Random inputs and states; modes as they settle, or anything."""
        point = self._with_parameters(Point(self.given.copy(), t), block)
        for part in self.inputs.values():
            point.values[part] = self.random.uniform(-1.0, 1.0, part.stop - part.start) * self._scale()
            given = self._numbers(block)
            if given and self.random.integers(3) == 0:  # at a limit exactly, or at a waypoint
                row = given[self.random.integers(len(given))][: part.stop - part.start]
                point.values[part.start : part.start + len(row)] = row
        self._load(point)
        self.engine.initialise(t)
        self.engine.look(t)
        self.engine.update(t)
        for name, place in self.states.items():
            angular = self.block.states[name].signal.name in ("Pose", "Quaternion")
            if not place.discrete:
                scale = 0.6 if angular else self._scale()
                point.values[place.slice] = self.random.uniform(-scale, scale, place.count)
                continue
            settled = self.values[place.slice]
            pool = np.stack([settled, *(np.full(place.count, v) for v in (0.0, 1.0, 2.0, 3.0, 5.0, t, t - 0.3))])
            point.values[place.slice] = self.random.permuted(pool, axis=0)[0]
        return point

    def _numbers(self, block: Block) -> list[NDArray[np.float64]]:
        """The numbers among the parameters, row by row."""
        known = block.all_parameters()
        given = [block.values[name] for name in self.parameters if not known[name].choices and not known[name].switch]
        matrices = [np.atleast_2d(value) for value in given]
        rows = [row for value in matrices for row in value.reshape(-1, value.shape[-1])]
        return [row for row in rows if np.all(np.abs(row) < UNLIMITED)]

    def _neighbours(self, point: Point) -> Iterator[tuple[Source, Point]]:
        """The same point with one element of an input or state changed."""
        places = [("input", name, part) for name, part in self.inputs.items()]
        places += [("state", name, place.slice) for name, place in self.states.items()]
        for kind, name, part in places:
            if self._left_out(kind, name):
                continue
            for element, place in enumerate(range(part.start, part.stop)):
                old = point.values[place]
                for other in (np.nan, old + 0.01, 1.0 - old, self.random.uniform(-1.0, 1.0) * self._scale()):
                    values = point.values.copy()
                    values[place] = other
                    yield (kind, name, element), Point(values, point.t)

    # --- evaluations

    def _load(self, point: Point) -> None:
        self.values[:] = point.values
        self.engine.parameters_changed()

    def _evaluated(self, point: Point) -> dict[Target, NDArray[np.float64]]:
        """Outputs, derivatives and settled modes."""
        self._load(point)
        self.engine.initialise(point.t)
        found: dict[Target, NDArray[np.float64]] = {}
        keep = [*self.inputs.values(), *(place.slice for place in self.states.values())]
        for part in keep:
            self.values[part] = point.values[part]
        state_outputs = {name for name in self.block.output_ports if self.block.state_of(name)}
        for name, place in self.plan.outputs.items():
            if name[self.own :] not in state_outputs:
                self.values[place.slice] = NO_VALUE
        self.values[self.plan.regions.dx : self.plan.regions.g] = NO_VALUE
        self.engine.look(point.t)
        for name, place in self.plan.outputs.items():
            found["output", name[self.own :]] = self.values[place.slice].copy()
        offset = self.plan.derivative_offset
        for name, place in self.states.items():
            if not place.discrete:
                found["state", name] = self.values[place.first + offset : place.first + offset + place.count].copy()
        self.engine.update(point.t)
        for name, place in self.states.items():
            if place.discrete and not self.block.sampled:
                found["state", name] = self.values[place.slice].copy()
        return found

    def _started(self, block: Block, t: float) -> dict[Target, NDArray[np.float64]]:
        """Start values of the states."""
        return self._started_from(self._with_parameters(Point(self.given.copy(), t), block))

    def _started_from(self, point: Point) -> dict[Target, NDArray[np.float64]]:
        self._load(point)
        self.engine.initialise(point.t)
        return {("start", name): self.values[place.slice].copy() for name, place in self.states.items()}

    def _compare(
        self, before: dict[Target, NDArray[np.float64]], after: dict[Target, NDArray[np.float64]], source: Source
    ) -> None:
        for target, old in before.items():
            new = after[target]
            for element in np.flatnonzero((old != new) & ~(np.isnan(old) & np.isnan(new))):
                self.seen.setdefault(target, set()).add((int(element), source))
