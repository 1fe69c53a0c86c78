"""Replay: a model driven by what was logged."""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from itertools import pairwise
from typing import Any

import numpy as np

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.input_series import attach_inputs
from blocks.lab.analysis.elements import Element, find, find_one
from blocks.lab.identification.between import Between
from blocks.lab.identification.driving import check_unit, driven_by, way_of
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.log import Array, Log
from blocks.lab.identification.shaping import Shaped
from blocks.plan import make_plan
from cython_kernels import engine as native

_COMPLETED = ("end", "stopped")
_FINEST = 0.1
"""Steps are not longer than this, s, unless samples are."""
_STEPS_SHAPED = 8
"""Steps in a sample where a column comes behind a delay or a lag: a jump within a step counts by the mean of the step,
which is off by the square of the step. With one step, a delay came out too small by three standard deviations."""
_SAME = 1e-6
"""Samples that are so many steps beside the grid are on it."""
LARGEST = 1e100
"""What can be measured, and what a residual can be of its noise: squares of it, and of its changes, are numbers."""
_MOST_STEPS = 1e9
"""Of a replay; a fit takes dozens of these."""
_MOST_POINTS_PER_SAMPLE = 100
"""Points of the grid per sample, up to which the grid is recorded."""


class Replay:
    """A segment of a log, and the model that is driven by it.

    Its outputs are those at the times of the samples. shaped: columns that may come behind a delay or a lag.
    """

    def __init__(
        self, component: Diagram | Block, log: Log, segment: slice, inputs: Mapping[str, Any],
        outputs: Mapping[str, str], step: float | None, solver: str, between: Mapping[str, Between],
        shaped: Collection[str] = (),
    ) -> None:  # fmt: skip
        self.log, self.segment, self._ports = log, segment, component.input_ports
        time = log.time[segment]
        self.time = time - time[0]
        usual = float(np.median(np.diff(self.time)))
        finest = min(usual, step or min(_FINEST, usual / _STEPS_SHAPED if shaped else usual))
        self._check_steps(usual, finest)
        per_sample = max(1, math.ceil(usual / finest - 1e-9))
        self.step = usual / per_sample
        points = np.round(self.time / self.step).astype(np.int64)
        self._every = int(np.gcd.reduce(points))
        self._rows = points // max(self._every, 1)
        self._on_grid = bool(np.all(np.abs(self.time - self.step * points) < _SAME * self.step)) and (
            self._rows[-1] <= _MOST_POINTS_PER_SAMPLE * len(points)
        )
        grid = self._grid(int(points[-1])) if shaped else self.time
        driving = driven_by(component, log, segment, inputs, between, shaped, grid)
        driven, constants = attach_inputs(component, driving)
        self.plan = make_plan(
            driven, end=float(self.time[-1]) + 2.0 * self.step, step=self.step, solver=solver,
            input_shapes={name: np.shape(value) for name, value in constants.items()},
        )  # fmt: skip
        if self.plan.python_blocks:
            raise IdentificationError("a diagram with blocks written in Python cannot be identified: write a kernel")
        self.engine = self.plan.engine()
        for name, value in constants.items():
            self.engine.values[self.plan.inputs[name].slice] = np.reshape(value, -1)
        own = "" if isinstance(component, Diagram) else f"{self.plan.flat.leaves[0].name}."
        self.own = own
        tables = {**self.plan.external_outputs, **self.plan.outputs}
        tables = {name.removeprefix(own): place for name, place in tables.items()} | tables
        self.outputs = [find_one(tables, name, "output") for name in outputs]
        self.measured = np.column_stack([log.values(column)[segment] for column in outputs.values()])
        for column, most in zip(outputs.values(), np.max(np.abs(self.measured), axis=0), strict=True):
            if most > LARGEST:
                raise IdentificationError(f"{log.name}: {column} reaches {most:.3g}, and {LARGEST:g} is the most")
        self.angles = np.array([element.unit == "rad" for element in self.outputs])
        self._check_units(outputs)
        self._places = np.array([element.place for element in self.outputs], dtype=np.intc)
        rows = int(self._rows[-1]) + 3 if self._on_grid else 0
        self._time, self._table = np.empty(rows), np.empty((rows, len(self.outputs)))
        self._numbers = len(self.engine.values)
        self.columns = tuple(dict.fromkeys(source for source in inputs.values() if isinstance(source, str)))
        self._extra = {
            name: self._numbers + number
            for number, name in enumerate(
                (*(("delay", column) for column in self.columns), *(("lag", column) for column in self.columns),
                 *(("bias", column) for column in outputs.values()))
            )
        }  # fmt: skip
        self._biases = slice(self._numbers + 2 * len(self.columns), self._numbers + len(self._extra))
        self._shaped = [
            (column, self._series(name, grid), Shaped(self.time, log.values(column)[segment],
             hold=way_of(log, column, between) == "hold", edges=np.append(grid, grid[-1] + self.step)))
            for name, column in inputs.items() if column in shaped
        ]  # fmt: skip
        self.pristine = np.concatenate([self.engine.values, np.zeros(len(self._extra))])

    def _grid(self, last: int) -> Array:
        """Where steps of the integration begin."""
        if self._on_grid:
            return np.asarray(self.step * np.arange(last + 1), dtype=np.float64)
        pieces = [
            np.linspace(a, b, max(1, math.ceil((b - a) / self.step - _SAME)), endpoint=False)
            for a, b in pairwise(self.time.tolist())
        ]
        return np.concatenate([*pieces, self.time[-1:]])

    def _series(self, name: str, grid: Array) -> slice:
        """Where the values of an element of an input over the grid stand."""
        bare, _, label = name.partition("[")
        own = re.compile(rf"{re.escape(bare)}_(series|hold)_*\.data")
        place = next(
            place for key, place in self.plan.parameters.items()
            if own.fullmatch(key) and place.shape[0] == len(grid)
        )  # fmt: skip
        width = place.count // len(grid)
        signal = self._ports[bare].signal
        labels = list(signal.labels) or [str(i) for i in range(width)]
        label = label.removesuffix("]")
        number = labels.index(label) if label in labels else int(label or 0)
        return slice(place.first + number, place.first + place.count, width)

    def beside(self, kind: str, column: str) -> int:
        """Where a delay, a lag or a bias of a column stands: behind the numbers of the engine."""
        return self._extra[kind, column]

    def steady(self, name: str) -> list[Element]:
        """The numbers of an input that stays as it is. Raises IdentificationError or AnalysisError."""
        bare = name.partition("[")[0]
        if bare in self._ports and bare not in self.plan.inputs:
            raise IdentificationError(f"steady: {name} is driven by columns of the log, and cannot be steady")
        found = find(self.plan.inputs, name, "input")
        horizontal = [one for one in found if not one.name.endswith("[down]")]
        return horizontal if "[" not in name and horizontal else found

    def parameter(self, name: str) -> Element:
        """A number among the parameters. Raises IdentificationError or AnalysisError."""
        places = self.plan.parameters
        return find_one(
            {key.removeprefix(self.own): place for key, place in places.items()} | places, name, "parameter"
        )

    def initial(self, number: int) -> Element | None:
        """The initial value of an output that is a state, if it is one."""
        output = self.outputs[number]
        for name, place in self.plan.states.items():
            if not place.discrete and place.first <= output.place < place.first + place.count:
                owner, _, state = name.rpartition(".")
                parameter = self.plan.parameters.get(f"{owner}.initial_{state}")
                if parameter is not None and parameter.count == place.count:
                    bare = parameter.name
                    offset = output.place - place.first
                    return Element(f"{bare}[{offset}]", parameter.first + offset, output.unit, output.nominal)
        return None

    def run(self, places: Array, numbers: Array) -> Array | None:
        """Outputs at the samples, samples × outputs, with these numbers at these places; None if the run fails."""
        engine = self.engine
        values = self.pristine.copy()
        values[places.astype(np.intp)] = numbers
        engine.values[:] = values[: self._numbers]
        for column, where, shaped in self._shaped:
            delay, lag = (float(values[self._extra[kind, column]]) for kind in ("delay", "lag"))
            engine.values[where] = shaped.means(delay, lag)
        engine.inputs_changed()
        engine.parameters_changed()
        found = self._run_on_grid() if self._on_grid else self._run_from_sample_to_sample()
        if found is None or not np.all(np.isfinite(found)):
            return None
        return np.asarray(np.where(self.angles, np.unwrap(found, axis=0), found) + values[self._biases])

    def _run_on_grid(self) -> Array | None:
        engine = self.engine
        engine.record(self._places, self._every, self._time, self._table)
        status = engine.start(0.0)
        if status == 0:
            status = engine.advance(self.plan.settings.end)
        sound = native.STATUSES[status] in _COMPLETED and engine.rows > self._rows[-1]
        return self._table[self._rows] if sound else None

    def _run_from_sample_to_sample(self) -> Array | None:
        """A step ends at each sample: where an input jumps, outputs are not to be interpolated."""
        engine, places = self.engine, self._places
        status = engine.start(0.0)
        found = np.empty((len(self.time), len(places)))
        for row, instant in enumerate(self.time.tolist()):
            if status == 0:
                status = engine.advance(instant)
            if native.STATUSES[status] not in _COMPLETED:
                return None
            found[row] = engine.values[places]
        return found

    def residuals(self, found: Array) -> Array:
        """Measured less found; of angles the short way round."""
        apart = self.measured - found
        turns = np.where(self.angles, 2.0 * np.pi * np.round(np.median(apart, axis=0) / (2.0 * np.pi)), 0.0)
        return np.asarray(apart - turns)

    def _check_steps(self, usual: float, finest: float) -> None:
        end = float(self.time[-1])
        if end / finest <= _MOST_STEPS:
            return
        gaps = end > 2.0 * usual * len(self.time)
        remedy = "say gaps: split, or leave out what is beyond its gaps" if gaps else "take a longer step"
        raise IdentificationError(
            f"{self.log.name}: its {end:.4g} s, with a sample every {usual:.3g} s, take {end / finest:.3g} steps of "
            f"{finest:.3g} s, and at most {_MOST_STEPS:g} are run: {remedy}"
        )

    def _check_units(self, outputs: Mapping[str, str]) -> None:
        for element, (name, column) in zip(self.outputs, outputs.items(), strict=True):
            check_unit(self.log, column, element.unit, name)
