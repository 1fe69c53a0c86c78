"""Replay: a model driven by what was logged."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
from scipy.interpolate import make_interp_spline

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.inputs import attach_inputs
from blocks.lab.analysis.elements import Element, find_one
from blocks.lab.identification.errors import IdentificationError
from blocks.lab.identification.log import Array, Log
from blocks.plan import make_plan
from cython_kernels import engine as native

_SOUND = ("end", "stopped")
_FINEST = 0.1
"""Steps are not longer than this, s, unless samples are."""


class Replay:
    """A segment of a log, and the model that is driven by it.

    Its outputs are those at the times of the samples.
    """

    def __init__(
        self, component: Diagram | Block, log: Log, segment: slice, inputs: Mapping[str, Any],
        outputs: Mapping[str, str], step: float | None, solver: str,
    ) -> None:  # fmt: skip
        self.log, self.segment = log, segment
        time = log.time[segment]
        self.time = time - time[0]
        usual = float(np.median(np.diff(self.time)))
        per_sample = max(1, math.ceil(usual / (step or _FINEST) - 1e-9))
        self.step = usual / per_sample
        driven, constants = attach_inputs(component, _series(component, log, segment, inputs))
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
        self.angles = np.array([element.unit == "rad" for element in self.outputs])
        self._check_units(outputs)
        rows = math.floor(self.plan.settings.end / self.step + 1e-6) + 3
        self._time, self._table = np.empty(rows), np.empty((rows, len(self.outputs)))
        self._places = np.array([element.place for element in self.outputs], dtype=np.intc)
        self.pristine = self.engine.values.copy()

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
        engine.values[:] = self.pristine
        engine.values[places.astype(np.intp)] = numbers
        engine.inputs_changed()
        engine.parameters_changed()
        engine.record(self._places, 1, self._time, self._table)
        status = engine.start(0.0)
        if status == 0:
            status = engine.advance(self.plan.settings.end)
        if native.STATUSES[status] not in _SOUND or engine.rows < 4:
            return None
        time, table = self._time[: engine.rows], self._table[: engine.rows]
        if not np.all(np.isfinite(table)):
            return None
        table = np.where(self.angles, np.unwrap(table, axis=0), table)
        return np.asarray(make_interp_spline(time, table, k=3)(np.minimum(self.time, time[-1])))

    def residuals(self, found: Array) -> Array:
        """Measured less found; of angles the short way round."""
        apart = self.measured - found
        turns = np.where(self.angles, 2.0 * np.pi * np.round(np.median(apart, axis=0) / (2.0 * np.pi)), 0.0)
        return np.asarray(apart - turns)

    def _check_units(self, outputs: Mapping[str, str]) -> None:
        for element, (name, column) in zip(self.outputs, outputs.items(), strict=True):
            _check_unit(self.log, column, element.unit, name)


def _series(component: Diagram | Block, log: Log, segment: slice, inputs: Mapping[str, Any]) -> dict[str, Any]:
    """The inputs of the model: over time where columns are named, else constant."""
    ports = component.input_ports
    time = log.time[segment] - log.time[segment][0]
    whole: dict[str, Any] = {}
    for name, source in inputs.items():
        bare, _, label = name.partition("[")
        if bare not in ports:
            raise IdentificationError(f"there is no input '{bare}'{did_you_mean(bare, ports)}")
        signal = ports[bare].signal
        width = int(np.prod([d for d in signal.shape if isinstance(d, int)])) if signal.shape else 1
        labels = list(signal.labels) or [str(i) for i in range(width)]
        if not label:
            if isinstance(source, str) and width > 1:
                raise IdentificationError(f"the input '{bare}' has {width} elements; name one: '{bare}[{labels[0]}]'")
            whole[bare] = (time, log.values(source)[segment]) if isinstance(source, str) else source
            continue
        label = label.removesuffix("]")
        number = labels.index(label) if label in labels else int(label) if label.isdigit() else -1
        if not 0 <= number < width:
            raise IdentificationError(f"the input '{bare}' has no element '{label}'{did_you_mean(label, labels)}")
        unit = signal.units(width)[number]
        if isinstance(source, str):
            _check_unit(log, source, unit or "1", name)
        _, table = whole.setdefault(bare, (time, np.zeros((len(time), width))))
        table[:, number] = log.values(source)[segment] if isinstance(source, str) else source
    for name, port in ports.items():
        if name not in whole and port.default is None:
            width = int(np.prod([d for d in port.signal.shape if isinstance(d, int)])) if port.signal.shape else 1
            whole[name] = np.zeros(width) if port.signal.shape else 0.0
    return whole


def _check_unit(log: Log, column: str, unit: str, name: str) -> None:
    from blocks.units import same

    log.values(column)
    given = log.units[column]
    if not same(given, unit):
        raise IdentificationError(f"{log.name}: {column} is in {given}, and {name} in {unit}")
