"""Swarms: many copies of one diagram that run at once, each with its own numbers."""

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
from blocks.run.engine_run import Progress, reporting
from blocks.run.pieces import usable_cores
from blocks.swarm.neighbours import Neighbours, links, read_neighbours, sent_shapes
from blocks.swarm.recording import SwarmRecording
from blocks.swarm.result import SwarmResult
from blocks.swarm.run import SwarmRun
from cython_kernels import engine as native


class Swarm:
    """`count` copies of a diagram, or of a block, in one world.

    parameters: by dotted name ("vessel.initial_eta", "sea.seed") one value for each vehicle, along the first axis.
    inputs: for each input of the diagram a constant for all, or one for each along the first axis.
    neighbours: for inputs of the diagram an output and whose it is: {"leader": ("vessel.eta", [-1, 0, 1])} gives
        vehicle 1 the pose of vehicle 0, and vehicle 2 that of vehicle 1; -1 is nobody, and the input stays as it is
        given. A row of k numbers for each vehicle puts k outputs one after the other into the input.

    Without neighbours each vehicle runs ahead on its own. With them all go step by step, and see of each other what was
    at the beginning of the step, also where one of them divides it, at a sample or a jump. Numbers do not depend on how
    many threads there are.

    Raises ParameterError, WiringError or SimulationError where something does not fit.
    """

    def __init__(
        self,
        diagram: Diagram | Block,
        count: int,
        *,
        parameters: Mapping[str, Any] | None = None,
        inputs: Mapping[str, ArrayLike] | None = None,
        neighbours: Neighbours | None = None,
    ) -> None:
        if not isinstance(diagram, Diagram | Block):
            raise SimulationError(f"a swarm is made of a Diagram or a Block, not {diagram!r}")
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise SimulationError(f"a swarm needs a whole number of vehicles ≥ 1, not {count!r}")
        self.diagram = diagram
        self.count = int(count)
        varied = _mapping("parameters", parameters, '{"vessel.initial_eta": a row for each vehicle}')
        self.parameters = {name: self._rows(f"parameter '{name}'", value) for name, value in varied.items()}
        given = _mapping("inputs", inputs, '{"force": a value for all, or for each vehicle}')
        self.inputs = {name: _array(name, value) for name, value in given.items()}
        seen = _mapping("neighbours", neighbours, '{"leader": ("vessel.eta", [-1, 0, 1])}')
        self.neighbours = read_neighbours(seen, self.count)

    def _rows(self, what: str, values: Any) -> list[Any]:
        try:
            rows = list(values)
        except TypeError:
            rows = []
        if len(rows) != self.count or isinstance(values, str):
            given = f"{len(rows)}" if rows and not isinstance(values, str) else repr(values)
            raise ParameterError(f"{what} needs a value for each of the {self.count} vehicles, not {given}")
        return rows

    def run(
        self,
        end: float | str,
        *,
        solver: str = "rk4",
        step: float | str = 0.01,
        start: float | str = 0.0,
        record: str | Iterable[str] | None = None,
        every: int = 1,
        summarise: str | Iterable[str] = (),
        stop: str | None = None,
        threads: int | None = None,
        relative_tolerance: float = 1e-6,
        absolute_tolerance: float = 1e-8,
        max_step: float | str = 0.0,
        progress: bool | Progress = False,
    ) -> SwarmResult:
        """Run all vehicles to `end` and return what was recorded, with a dimension `vehicle`.

        solver, step, start, record, every, stop, tolerances and progress: as in `simulate`, with "euler", "heun", "rk4"
            and "dopri5". record=[] records nothing.
        summarise: outputs of which mean, RMS, standard deviation, significant amplitude, least and greatest value are
            found on the way, at every step: memory for a long run of a large swarm.
        threads: how many work at once; None takes all that the process may use.

        A vehicle that has to stop, by a fault or a value that is not finite, keeps what was recorded, its reason stands
        in `messages`, and the others go on. Raises WiringError, ParameterError or SimulationError if the run cannot
        start, and RunInterrupted, with `result`, on Ctrl-C.
        """
        names = None if record is None else [record] if isinstance(record, str) else list(record)
        kept = [summarise] if isinstance(summarise, str) else list(summarise)
        self._check_inputs()
        if solver in SCIPY:
            raise SimulationError(
                f"a swarm runs with euler, heun, rk4 or dopri5, not {solver}; a Study runs vehicles with it, one by one"
            )
        if self.neighbours and solver not in ("euler", "heun", "rk4"):
            raise SimulationError(f"vehicles that see each other go in equal steps: euler, heun or rk4, not {solver}")
        settings = {
            "solver": solver, "step": step, "start": start, "end": end, "relative_tolerance": relative_tolerance,
            "absolute_tolerance": absolute_tolerance, "max_step": max_step,
        }  # fmt: skip
        plan = self._plan(self._wanted(names, kept), stop, settings)
        if not np.isfinite(plan.settings.end):
            raise SimulationError("say when the run ends, a finite time: swarm.run(end)")
        workers = min(_threads(threads), self.count)
        recording = SwarmRecording(plan, self.count, names, every, kept)
        wires = links(plan, self.neighbours, self._given())
        engines: list[native.Engine] = []
        try:
            self._make(plan, engines)
            recording.attach(engines)
            run = SwarmRun(plan, engines, recording, wires, workers)
            with reporting(progress, plan) as report:
                return run.go(report)
        finally:
            for engine in engines:
                plan.close(engine)

    def _plan(self, wanted: list[str] | None, stop: str | None, settings: dict[str, Any]) -> Plan:
        """The plan of all vehicles. An input that takes any number of signals has as many as neighbours send."""
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

    def _wanted(self, names: list[str] | None, summarised: list[str]) -> list[str] | None:
        """Outputs to evaluate at every step: those that are recorded, summarised and seen by neighbours."""
        if names is None or any(set(name) & set("*?") for name in [*names, *summarised]):
            return None
        return [*names, *summarised, *(output.partition("[")[0] for output, _ in self.neighbours.values())]

    def _given(self) -> set[str]:
        """Inputs that have a value without neighbours."""
        return {
            name for name, port in self.diagram.input_ports.items() if name in self.inputs or port.default is not None
        }

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of external inputs that nothing else decides: of the values, without the axis of the vehicles."""
        return {
            name: value.shape[1:] if value.shape[:1] == (self.count,) else value.shape
            for name, value in self.inputs.items()
        }

    def _check_inputs(self) -> None:
        ports = self.diagram.input_ports
        for name in [*self.inputs, *self.neighbours]:
            if name not in ports:
                raise SimulationError(f"no input '{name}'{did_you_mean(name, ports)}")
        for name, port in ports.items():
            if name not in self.inputs and name not in self.neighbours and port.default is None:
                raise SimulationError(f"the input '{name}' needs a value: Swarm(…, inputs={{'{name}': …}})")

    def _make(self, plan: Plan, engines: list[native.Engine]) -> None:
        """An engine for each vehicle, with its own numbers."""
        variation = Variation(plan, self.parameters)
        given = {name: self._input(plan.inputs[name], value) for name, value in self.inputs.items()}
        for i in range(self.count):
            try:
                changes = variation.encode({name: rows[i] for name, rows in self.parameters.items()})
            except ParameterError as problem:
                raise ParameterError(f"vehicle {i}: {problem}") from None
            engine = plan.engine(variation.python_blocks())
            engines.append(engine)
            for name, values in given.items():
                engine.values[plan.inputs[name].slice] = values[i]
            for place, numbers in changes:
                engine.values[place] = numbers
            engine.inputs_changed()
            engine.parameters_changed()

    def _input(self, place: Place, array: NDArray[np.float64]) -> NDArray[np.float64]:
        """A row of numbers for each vehicle."""
        for shape in ((self.count, *place.shape), place.shape, ()):
            if array.shape == shape:
                rows = array if array.shape[:1] == (self.count,) and shape != place.shape else array[None]
                return np.broadcast_to(rows.reshape(len(rows), -1), (self.count, place.count))
        wanted = "×".join(map(str, place.shape)) or "one number"
        raise SimulationError(
            f"input '{place.name}' takes {wanted} for all, or for each of {self.count} vehicles along the first axis, "
            f"not an array of {'×'.join(map(str, array.shape))}"
        )


def _mapping(what: str, given: Any, example: str) -> Mapping[str, Any]:
    if given is None:
        return {}
    if not isinstance(given, Mapping):
        raise SimulationError(f"{what} of a swarm are a mapping of names, such as {example}, not {given!r}")
    return given


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


def _threads(wanted: int | None) -> int:
    if wanted is None:
        return usable_cores()
    if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)) or wanted < 1:
        raise SimulationError(f"threads must be a whole number ≥ 1, not {wanted!r}")
    return int(wanted)
