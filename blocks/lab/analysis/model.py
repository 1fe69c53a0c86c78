"""A model under analysis: a plan with an engine that stands at a point."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import did_you_mean
from blocks.lab.analysis.elements import Element
from blocks.lab.analysis.errors import AnalysisError
from blocks.plan import Plan, make_plan
from blocks.plan.place import Place
from blocks.run.failure import explain
from blocks.units import to_unit

Array = NDArray[np.float64]


class Model:
    """A plan, and an engine whose values are those of the point that is analysed.

    opened: outputs whose sinks read an external input of the same name instead.
    """

    def __init__(
        self, component: Diagram | Block, given: Mapping[str, Any], opened: Iterable[str] = (), **settings: Any
    ) -> None:
        self.component = component
        for name in given:
            if name not in component.input_ports:
                raise AnalysisError(f"there is no input '{name}'{did_you_mean(name, component.input_ports)}")
        values = {name: np.asarray(value, dtype=np.float64) for name, value in given.items()}
        shapes = {name: value.shape for name, value in values.items()}
        self.plan: Plan = make_plan(component, input_shapes=shapes, opened=opened, **settings)
        self.engine = self.plan.engine()
        for name, value in values.items():
            place = self.plan.inputs[name]
            if value.ndim and value.size != place.count:
                raise AnalysisError(f"the input '{name}' has {place.count} elements, and {value.size} are given")
            self.engine.values[place.slice] = value.reshape(-1)

    @property
    def values(self) -> Array:
        """All numbers of the engine."""
        values: Array = self.engine.values
        return values

    @property
    def outputs(self) -> dict[str, Place]:
        """All outputs, those of the diagram first."""
        return self.named({**self.plan.external_outputs, **self.plan.outputs})

    @property
    def states(self) -> dict[str, Place]:
        """All states, those too that are discrete."""
        return self.named(self.plan.states)

    @property
    def parameters(self) -> dict[str, Place]:
        """All parameters."""
        return self.named(self.plan.parameters)

    def named(self, places: Mapping[str, Place]) -> dict[str, Place]:
        """Quantities by their names; those of a block alone by their names without the block's too."""
        if isinstance(self.component, Diagram):
            return dict(places)
        own = len(self.plan.flat.leaves[0].name) + 1
        return {name[own:]: place for name, place in places.items()} | dict(places)

    @property
    def continuous(self) -> dict[str, Place]:
        """Continuous states."""
        return {name: place for name, place in self.plan.states.items() if not place.discrete}

    def parameter(self, name: str) -> Place | None:
        """A parameter that may be varied. Raises AnalysisError for one that decides the structure."""
        place = self.parameters.get(name)
        if place is None:
            return None
        owner, _, bare = place.name.rpartition(".")
        block = next(leaf.block for leaf in self.plan.flat.leaves if leaf.name == owner)
        if bare in block.structural_parameters():
            raise AnalysisError(f"{name} decides what {type(block).__name__} computes, and has no derivative")
        return place

    def start(self, time: float) -> None:
        """Go to the initial state. Raises AnalysisError."""
        self.check(self.engine.start(time))

    def hold(self, time: float) -> None:
        """Evaluate the values as they are, samples and modes held. Raises AnalysisError."""
        self.check(self.engine.hold(time))

    def look(self, time: float) -> None:
        """Evaluate the values as they are, samples included. Raises AnalysisError."""
        self.check(self.engine.look(time))

    def differences(
        self, time: float, knowns: list[Element], unknowns: list[int], *, parameters: bool = False, part: float = 1.0
    ) -> tuple[Array, Array]:
        """Derivatives of the values at `unknowns` by those at `knowns`, and how much larger they are ahead than behind.

        part: how much narrower than usual the differences are.
        """
        scales = part * np.array([self.scale(known, parameter=parameters) for known in knowns])
        found, jumps, status = self.engine.differences(
            time,
            np.array([known.place for known in knowns], dtype=np.uint32),
            scales,
            np.array(unknowns, dtype=np.uint32),
            parameters,
        )
        self.check(status)
        return found, jumps

    def scale(self, known: Element, *, parameter: bool = False) -> float:
        """The magnitude on which a number changes."""
        size = abs(float(self.values[known.place]))
        if parameter:
            return size or 1.0  # so that it keeps its sign
        return max(size, known.nominal)

    def take(self, other: Model) -> None:
        """Stand where another model of the same blocks stands: its states, inputs, parameters and sampled values."""
        for mine, theirs in (
            (self.plan.states, other.plan.states),
            (self.plan.parameters, other.plan.parameters),
            (self.plan.outputs, other.plan.outputs),
        ):
            for name, place in mine.items():
                self.values[place.slice] = other.values[theirs[name].slice]
        for name, place in self.plan.inputs.items():
            source = other.plan.inputs.get(name) or other.plan.outputs[name]
            self.values[place.slice] = other.values[source.slice]

    def close(self) -> None:
        """Let blocks written in Python give back what they hold."""
        self.plan.close(self.engine)

    def check(self, status: int) -> None:
        if status != 0:
            raise AnalysisError(f"the model cannot be evaluated there: {explain(self.plan, self.engine, status)}")


def number(text: Any, element: Element) -> float:
    """A value of an element: a number in SI, or text with a unit. Raises AnalysisError."""
    try:
        value = to_unit(text, element.unit) if isinstance(text, str) else float(text)
    except (TypeError, ValueError, OverflowError) as problem:  # ParameterError is a ValueError
        raise AnalysisError(f"{element.name} must be a number in {element.unit}: {problem}") from None
    if not np.isfinite(value):
        raise AnalysisError(f"{element.name} must be finite, not {value:g}")
    return value
