"""Operating points: where a model is looked at."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.model import Array, Model
from blocks.plan.place import Place

_AT_REST = 1e-12


@dataclass(frozen=True)
class OperatingPoint:
    """The values of a model at an instant, arrays by dotted name, in SI.

    time: s. states, inputs: all of them. parameters: those that differ from the model's own. outputs: what the model
    gives there. rates: derivatives of the states that are not at rest, such as the position of a vessel under way.
    """

    time: float
    states: Mapping[str, Array]
    inputs: Mapping[str, Array]
    parameters: Mapping[str, Array] = field(default_factory=dict)
    outputs: Mapping[str, Array] = field(default_factory=dict)
    rates: Mapping[str, Array] = field(default_factory=dict)

    @classmethod
    def of(cls, model: Model, time: float, parameters: Mapping[str, Place] | None = None) -> OperatingPoint:
        """Where a model stands."""
        plan, values = model.plan, model.values

        def all_of(places: Mapping[str, Place]) -> dict[str, Array]:
            return {name: values[place.slice].reshape(place.shape).copy() for name, place in places.items()}

        outputs = {**plan.external_outputs, **plan.outputs}
        rates = {}
        for name, place in model.continuous.items():
            first = place.first + plan.derivative_offset
            rate = values[first : first + place.count].reshape(place.shape).copy()
            if np.any(np.abs(rate).reshape(-1) > _AT_REST * np.asarray(place.nominal)):
                rates[name] = rate
        return cls(time, all_of(plan.states), all_of(plan.inputs), all_of(parameters or {}), all_of(outputs), rates)

    def put(self, model: Model) -> None:
        """Make a model stand here. Raises AnalysisError if it is another model."""
        for places, given, what in (
            (model.plan.states, self.states, "state"),
            (model.plan.inputs, self.inputs, "input"),
            (model.plan.parameters, self.parameters, "parameter"),
        ):
            for name, value in given.items():
                place = places.get(name)
                if place is None or place.shape != np.shape(value):
                    raise AnalysisError(
                        f"the operating point has a {what} '{name}' of shape {np.shape(value)}, and the model has "
                        f"{'none' if place is None else f'one of shape {place.shape}'}: it is a point of another model"
                    )
                model.values[place.slice] = np.reshape(value, -1)
        for leaf in model.plan.flat.leaves:
            for port in leaf.block.output_ports if leaf.block.sampled else ():  # held; others are computed again
                name = f"{leaf.name}.{port}"
                place = model.plan.outputs.get(name)
                if name in self.outputs and place is not None and place.shape == np.shape(self.outputs[name]):
                    model.values[place.slice] = np.reshape(self.outputs[name], -1)

    def __getitem__(self, name: str) -> Array:
        """A state, input, parameter or output by name."""
        for table in (self.outputs, self.states, self.inputs, self.parameters):
            if name in table:
                return table[name]
        raise AnalysisError(f"the operating point has no '{name}'")

    def __str__(self) -> str:
        lines = [f"operating point at {self.time:g} s"]
        for title, table in (
            ("inputs", self.inputs), ("parameters", self.parameters), ("states", self.states),
            ("not at rest", self.rates),
        ):  # fmt: skip
            if table:
                lines.append(f"  {title}")
                lines += [f"    {name} = {np.array2string(np.asarray(v), precision=6)}" for name, v in table.items()]
        return "\n".join(lines)
