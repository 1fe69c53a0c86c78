"""The vehicles of a swarm: copies of one diagram, each with its own numbers, checked, and an engine for each."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError, SimulationError, did_you_mean
from blocks.plan import Plan, make_plan
from blocks.plan.place import Place
from blocks.plan.settings import SCIPY
from blocks.plan.variation import Variation
from blocks.swarm.neighbours import Neighbours, links, read_neighbours, sent_shapes
from cython_kernels import engine as native


class Members:
    """What a swarm is made of. `called` is what messages call the whole: "swarm", "fleet".

    Raises ParameterError or SimulationError where something does not fit.
    """

    def __init__(
        self,
        called: str,
        diagram: Diagram | Block,
        count: int,
        parameters: Mapping[str, Any] | None,
        inputs: Mapping[str, ArrayLike] | None,
        neighbours: Neighbours | None,
    ) -> None:
        if not isinstance(diagram, Diagram | Block):
            raise SimulationError(f"a {called} is made of a Diagram or a Block, not {diagram!r}")
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise SimulationError(f"a {called} needs a whole number of vehicles ≥ 1, not {count!r}")
        self.called = called
        self.diagram = diagram
        self.count = int(count)
        varied = self.mapping("parameters", parameters, '{"vessel.initial_eta": a row for each vehicle}')
        self.parameters = {name: rows_for(f"parameter '{name}'", v, self.count) for name, v in varied.items()}
        given = self.mapping("inputs", inputs, '{"force": a value for all, or for each vehicle}')
        self.inputs = {name: _array(name, value) for name, value in given.items()}
        seen = self.mapping("neighbours", neighbours, '{"leader": ("vessel.eta", [-1, 0, 1])}')
        self.neighbours = read_neighbours(seen, self.count)

    def mapping(self, what: str, given: Any, example: str) -> Mapping[str, Any]:
        """What was given by name; nothing if it is None. Raises SimulationError if it is no mapping."""
        if given is None:
            return {}
        if not isinstance(given, Mapping):
            raise SimulationError(f"{what} of a {self.called} are a mapping of names, such as {example}, not {given!r}")
        return given

    def plan(self, wanted: Iterable[str] | None, stop: str | None, settings: dict[str, Any]) -> Plan:
        """The plan of all vehicles. An input that takes any number of signals has as many as neighbours send."""
        solver = settings["solver"]
        if solver in SCIPY:
            raise SimulationError(
                f"a {self.called} runs with euler, heun, rk4 or dopri5, not {solver}; a Study runs vehicles with it, "
                f"one by one"
            )
        if self.neighbours and solver not in ("euler", "heun", "rk4"):
            raise SimulationError(f"vehicles that see each other go in equal steps: euler, heun or rk4, not {solver}")
        if wanted is not None:
            wanted = [*wanted, *(output.partition("[")[0] for output, _ in self.neighbours.values())]
        shapes = self._shapes()
        plan = make_plan(self.diagram, wanted=wanted, stop=stop, input_shapes=shapes, **settings)
        ports = self.diagram.input_ports
        free = {
            n for n in self.neighbours if n not in shapes and any(isinstance(d, str) for d in ports[n].signal.shape)
        }
        sent = sent_shapes(plan, {name: self.neighbours[name] for name in free})
        if any(plan.inputs[name].shape != shape for name, shape in sent.items()):
            plan = make_plan(self.diagram, wanted=wanted, stop=stop, input_shapes=shapes | sent, **settings)
        return plan

    def check_inputs(self, all_given: bool) -> None:
        """Raise SimulationError for inputs that are not there, and with `all_given` for those without a value."""
        ports = self.diagram.input_ports
        for name in [*self.inputs, *self.neighbours]:
            if name not in ports:
                raise SimulationError(f"no input '{name}'{did_you_mean(name, ports)}")
        for name, port in ports.items():
            if all_given and name not in self.inputs and name not in self.neighbours and port.default is None:
                raise SimulationError(
                    f"the input '{name}' needs a value: {self.called.capitalize()}(…, inputs={{'{name}': …}})"
                )

    def links(self, plan: Plan) -> NDArray[np.longlong]:
        """What neighbours pass on, see `neighbours.links`."""
        with_default = {name for name, port in self.diagram.input_ports.items() if port.default is not None}
        return links(plan, self.neighbours, with_default | set(self.inputs))

    def engines(self, plan: Plan, engines: list[native.Engine]) -> None:
        """Append an engine for each vehicle, with its own numbers.

        All work in one piece of memory, in large pages where the system has them: a step of many goes through it all.
        """
        size = -(-native.memory_for(plan.stored) // 64) * 64
        memory = np.empty((self.count, size), dtype=np.uint8)
        variation = Variation(plan, self.parameters)
        given = {name: self.input_rows(plan.inputs[name], value) for name, value in self.inputs.items()}
        for i in range(self.count):
            changes = self.encode(variation, i)
            own = {number: block.copy() for number, block in plan.python_blocks.items()}
            engine = plan.engine(own | variation.python_blocks(), memory[i])
            engines.append(engine)
            for name, values in given.items():
                engine.values[plan.inputs[name].slice] = values[i]
            for place, numbers in changes:
                engine.values[place] = numbers
            engine.inputs_changed()
            engine.parameters_changed()

    def encode(self, variation: Variation, i: int) -> list[tuple[slice, NDArray[np.float64]]]:
        """The parameters of one vehicle, as `Variation.encode` has them."""
        try:
            return variation.encode({name: rows[i] for name, rows in self.parameters.items()})
        except ParameterError as problem:
            raise ParameterError(f"vehicle {i}: {problem}") from None

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of external inputs that nothing else decides: of the values, without the axis of the vehicles."""
        return {
            name: value.shape[1:] if value.shape[:1] == (self.count,) else value.shape
            for name, value in self.inputs.items()
        }

    def input_rows(self, place: Place, array: NDArray[np.float64]) -> NDArray[np.float64]:
        """A row of numbers for each vehicle. Raises SimulationError if the array does not fit."""
        for shape in ((self.count, *place.shape), place.shape, ()):
            if array.shape == shape:
                rows = array if array.shape[:1] == (self.count,) and shape != place.shape else array[None]
                return np.broadcast_to(rows.reshape(len(rows), -1), (self.count, place.count))
        wanted = "×".join(map(str, place.shape)) or "one number"
        raise SimulationError(
            f"input '{place.name}' takes {wanted} for all, or for each of {self.count} vehicles along the first axis, "
            f"not an array of {'×'.join(map(str, array.shape))}"
        )


def rows_for(what: str, values: Any, count: int) -> list[Any]:
    """A value for each vehicle. Raises ParameterError unless there are as many."""
    try:
        rows = list(values)
    except TypeError:
        rows = []
    if len(rows) != count or isinstance(values, str):
        given = f"{len(rows)}" if rows and not isinstance(values, str) else repr(values)
        raise ParameterError(f"{what} needs a value for each of the {count} vehicles, not {given}")
    return rows


def _array(name: str, value: Any) -> NDArray[np.float64]:
    try:
        array = np.array(value, dtype=np.float64) if value is not None else None
    except (TypeError, ValueError, OverflowError):
        array = None
    if array is None or not np.all(np.isfinite(array)):
        raise SimulationError(
            f"input '{name}' must be finite numbers, not {value!r}; one that changes over time is a TimeSeries in the "
            f"diagram"
        )
    return array
