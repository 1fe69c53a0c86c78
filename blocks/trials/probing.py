"""Finding out what a block depends on by trying: every source is changed in turn, and every target watched.

Nothing of a declaration is used but names, shapes and valid values. `Probe.seen` collects what was seen to change, and
`Probe.unwritten` what a kernel left as it was.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.errors import KeelblocksError
from blocks.model.declare import Parameter
from blocks.plan.place import Place
from blocks.trials.samples import plan_alone

SCALES = (0.1, 0.6, 3.0, 25.0)  # of inputs and states: near zero, beyond most limits, and across a path of waypoints
UNLIMITED = 1e200  # what is more stands for no limit
NO_VALUE = -12345.678

Target = tuple[str, str]
"""("output", "state" or "start", name)."""
Source = tuple[str, str, int]
"""("input", "state", "parameter" or "time", name, element); a parameter is one element."""
Numbers = NDArray[np.float64]


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
    unwritten: dict[Target, set[int]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.random = np.random.default_rng(zlib.crc32(repr(self.block).encode()))
        self.plan, _ = plan_alone(self.block, first=2)  # so that one element can be told from the other
        (self.leaf,) = self.plan.flat.leaves
        self.engine = self.plan.engine()
        self.values = self.engine.values
        self.given = self.values.copy()
        self._prepared = b""
        self.own = len(self.leaf.name) + 1
        self.inputs = {name: place.slice for name, place in self.plan.inputs.items()}
        self.states = {name[self.own :]: place for name, place in self.plan.states.items()}
        self.structural = self.block.structural_parameters()
        self.parameters = [name for name in type(self.block).parameters if name not in self.structural]
        self._see_places()

    def run(self, only: Collection[tuple[str, str]] | None = None) -> None:
        """Probe at one random point more; with `only`, these sources: (kind, name)."""
        self._only = only
        self._probe()

    def _see_places(self) -> None:
        """Where everything stands that is set before an evaluation or read after it."""
        outputs = {name[self.own :]: place for name, place in self.plan.outputs.items()}
        continuous = {name: place for name, place in self.states.items() if not place.discrete}
        modes = {n: place for n, place in self.states.items() if place.discrete and not self.block.sampled}
        computed = [place for name, place in outputs.items() if not self.block.state_of(name)]
        rates = np.arange(self.plan.regions.dx, self.plan.regions.g)
        self._set = _indices(range(part.start, part.stop) for part in self.inputs.values())
        self._set = np.concatenate([self._set, _indices(map(_range, self.states.values()))])
        self._blank = np.concatenate([_indices(map(_range, computed)), rates])
        self._looked = _indices(map(_range, outputs.values()))
        derivatives = _indices(map(_range, continuous.values())) + self.plan.derivative_offset
        self._looked = np.concatenate([self._looked, derivatives])
        self._updated = _indices(map(_range, modes.values()))
        self._started_places = _indices(map(_range, self.states.values()))
        tables = (("output", outputs), ("state", continuous), ("state", modes))
        self._evaluated_names = [
            ((kind, n), j) for kind, found in tables for n, p in found.items() for j in range(p.count)
        ]
        self._started_names = [(("start", n), j) for n, p in self.states.items() for j in range(p.count)]

    def _left_out(self, kind: str, name: str) -> bool:
        return self._only is not None and (kind, name) not in self._only

    def _scale(self) -> float:
        return float(self.random.choice(SCALES))

    def _probe(self) -> None:
        block = self._varied()
        t = float(self.random.choice([0.0, 0.4, 1.7]))
        point = self._point(block, t)
        before = self._evaluated(point)
        origin = self._with_parameters(Point(self.given, t), block, self.parameters)
        start = self._started(origin)
        for source, other in self._neighbours(point):
            self._compare(before, self._evaluated(other), source)
        for shift in () if self._left_out("time", "") else (0.37, 2.9, -0.2):
            self._compare(before, self._evaluated(Point(point.values, t + shift)), ("time", "", 0))
            self._compare(start, self._started(Point(origin.values, t + shift)), ("time", "", 0), start=True)
        for name in self.parameters:
            for _ in range(0 if self._left_out("parameter", name) else 4):
                kept = dict(block.values)
                if self._vary(block, name):
                    changed = [one for one in self.parameters if block.values[one] is not kept[one]]
                    source = ("parameter", name, 0)
                    self._compare(before, self._evaluated(self._with_parameters(point, block, changed)), source)
                    moved = self._with_parameters(origin, block, changed)
                    self._compare(start, self._started(moved), source, start=True)
                    block.values = kept
        for name in self.block.initial_parameters:  # they are copied, whatever they are
            place = self.plan.parameters[f"{self.leaf.name}.{name}"].slice
            given = Point(origin.values.copy(), t)
            given.values[place] += self.random.uniform(0.1, 1.0, place.stop - place.start)
            self._compare(start, self._started(given), ("parameter", name, 0), start=True)
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
        if isinstance(old, str):  # words, which decide no numbers
            return old
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

    def _with_parameters(self, point: Point, block: Block, names: Iterable[str]) -> Point:
        values = point.values.copy()
        for name in names:
            place = self.plan.parameters[f"{self.leaf.name}.{name}"]
            values[place.slice] = block.all_parameters()[name].encode(block.values[name], place.shape)
        return Point(values, point.t)

    def _point(self, block: Block, t: float) -> Point:
        """Random inputs and states; modes as they settle, or anything."""
        point = self._with_parameters(Point(self.given, t), block, self.parameters)
        for part in self.inputs.values():
            point.values[part] = self.random.uniform(-1.0, 1.0, part.stop - part.start) * self._scale()
            given = self._numbers(block)
            if given and self.random.integers(3) == 0:  # at a limit exactly, or at a waypoint
                row = given[self.random.integers(len(given))][: part.stop - part.start]
                point.values[part.start : part.start + len(row)] = row
        self._initialise(point)
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
                    point.values[place] = other
                    yield (kind, name, element), point
                point.values[place] = old

    # --- evaluations

    def _initialise(self, point: Point) -> None:
        self.values[:] = point.values
        self.engine.parameters_changed()
        self.engine.initialise(point.t)
        self._prepared = self._parameters_of(point)

    def _parameters_of(self, point: Point) -> bytes:
        return point.values[self.plan.regions.parameters : self.plan.regions.work].tobytes()

    def _evaluated(self, point: Point) -> Numbers:
        """Outputs, derivatives and settled modes."""
        if self._parameters_of(point) != self._prepared:  # else the derived constants are those, which take time
            self._initialise(point)
        values = self.values
        values[self._set] = point.values[self._set]
        values[self._blank] = NO_VALUE
        failed = self.engine.look(point.t)
        looked = values[self._looked]
        for k in () if failed else np.flatnonzero(looked == NO_VALUE):
            target, element = self._evaluated_names[k]
            self.unwritten.setdefault(target, set()).add(element)
        self.engine.update(point.t)
        return np.concatenate([looked, values[self._updated]])

    def _started(self, point: Point) -> Numbers:
        """Start values of the states."""
        self._initialise(point)
        return self.values[self._started_places]

    def _compare(self, before: Numbers, after: Numbers, source: Source, *, start: bool = False) -> None:
        names = self._started_names if start else self._evaluated_names
        for k in np.flatnonzero((before != after) & ~(np.isnan(before) & np.isnan(after))):
            target, element = names[k]
            self.seen.setdefault(target, set()).add((element, source))


def _range(place: Place) -> range:
    return range(place.first, place.first + place.count)


def _indices(parts: Iterable[range]) -> NDArray[np.int64]:
    return np.array([k for part in parts for k in part], dtype=np.int64)
