"""Swarms: many copies of one diagram that run at once, each with its own numbers."""

from __future__ import annotations

import os
import time as clock
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ParameterError, SimulationError, did_you_mean
from blocks.failure import explain
from blocks.place import Place
from blocks.plan import Plan, make_plan
from blocks.settings import SCIPY
from blocks.simulation import Progress, RunInterrupted, RunStopped, reporting
from blocks.swarm_recording import SwarmRecording
from blocks.swarm_result import SwarmResult
from blocks.variation import Variation
from cython_kernels import engine as native
from cython_kernels import swarm as together

_CHUNK_SECONDS = 0.1
_PAUSED = next(number for number, name in native.STATUSES.items() if name == "paused")

Neighbours = Mapping[str, tuple[str, ArrayLike]]


class Swarm:
    """`count` copies of a diagram, or of a block, in one world.

    parameters: by dotted name ("vessel.initial_eta", "sea.seed") one value for each vehicle, along the first axis.
    inputs: for each input of the diagram a constant for all, or one for each along the first axis.
    neighbours: for inputs of the diagram an output and whose it is: {"leader": ("vessel.eta", [-1, 0, 1])} gives
        vehicle 1 the pose of vehicle 0, and vehicle 2 that of vehicle 1; -1 is nobody, and the input stays as it is
        given. A row of k numbers for each vehicle puts k outputs one after the other into the input.

    Without neighbours each vehicle runs ahead on its own. With them all go step by step, and see of each other what was
    at the beginning of the step. Numbers do not depend on how many threads there are.

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
        if isinstance(count, bool) or not isinstance(count, (int, np.integer)) or count < 1:
            raise SimulationError(f"a swarm needs a whole number of vehicles ≥ 1, not {count!r}")
        self.diagram = diagram
        self.count = int(count)
        self.parameters = {name: self._rows(f"parameter '{name}'", value) for name, value in (parameters or {}).items()}
        self.inputs = dict(inputs or {})
        self.neighbours = dict(neighbours or {})

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
        progress: bool | Progress = False,
        **settings: Any,
    ) -> SwarmResult:
        """Run all vehicles to `end` and return what was recorded, with a dimension `vehicle`.

        record, every, stop, solver and the other settings: as in `simulate`; record=[] records nothing.
        summarise: outputs of which mean, RMS, standard deviation, significant amplitude, least and greatest value are
            found on the way, at every step: memory for a long run of a large swarm.
        threads: how many work at once; None takes all that the process may use.

        A vehicle that has to stop, by a fault or a value that is not finite, keeps what was recorded, its reason stands
        in `messages`, and the others go on. Raises RunInterrupted, with `result`, on Ctrl-C.
        """
        names = None if record is None else [record] if isinstance(record, str) else list(record)
        kept = [summarise] if isinstance(summarise, str) else list(summarise)
        self._check_inputs()
        if solver in SCIPY:
            raise SimulationError(f"a swarm runs with euler, heun, rk4 or dopri5, not {solver}")
        if self.neighbours and solver not in ("euler", "heun", "rk4"):
            raise SimulationError(f"vehicles that see each other go in equal steps: euler, heun or rk4, not {solver}")
        plan = make_plan(
            self.diagram,
            stop=stop,
            solver=solver,
            step=step,
            start=start,
            end=end,
            input_shapes=self._shapes(),
            **settings,
        )
        if not np.isfinite(plan.settings.end):
            raise SimulationError("say when the run ends, a finite time")
        workers = _threads(threads)
        variation = Variation(plan, self.parameters)
        recording = SwarmRecording(plan, self.count, names, every, kept)
        engines = [plan.engine() for _ in range(self.count)]
        try:
            self._prepare(plan, engines, variation)
            recording.attach(engines)
            run = _Run(plan, engines, recording, self._links(plan), workers)
            with reporting(progress, plan) as report:
                return run.go(report)
        finally:
            for engine in engines:
                plan.close(engine)

    def _shapes(self) -> dict[str, tuple[int, ...]]:
        """Shapes of external inputs that nothing else decides: of the values, without the axis of the vehicles."""
        found = {}
        for name, value in self.inputs.items():
            shape = np.shape(value)
            found[name] = shape[1:] if shape[:1] == (self.count,) else shape
        return found

    def _check_inputs(self) -> None:
        ports = self.diagram.input_ports
        for name in [*self.inputs, *self.neighbours]:
            if name not in ports:
                raise SimulationError(f"no input '{name}'{did_you_mean(name, ports)}")
        for name, port in ports.items():
            if name not in self.inputs and name not in self.neighbours and port.default is None:
                raise SimulationError(f"the input '{name}' needs a value: Swarm(…, inputs={{'{name}': …}})")

    def _prepare(self, plan: Plan, engines: list[native.Engine], variation: Variation) -> None:
        """Give every vehicle its own numbers."""
        given = {name: self._input(plan.inputs[name], value) for name, value in self.inputs.items()}
        for i, engine in enumerate(engines):
            for name, values in given.items():
                engine.values[plan.inputs[name].slice] = values[i]
            try:
                changes = variation.encode({name: rows[i] for name, rows in self.parameters.items()})
            except ParameterError as problem:
                raise ParameterError(f"vehicle {i}: {problem}") from None
            for place, numbers in changes:
                engine.values[place] = numbers
            engine.inputs_changed()
            engine.parameters_changed()

    def _input(self, place: Place, value: ArrayLike) -> NDArray[np.float64]:
        """A row of numbers for each vehicle."""
        try:
            array = np.asarray(value, dtype=np.float64)
        except (TypeError, ValueError):
            array = np.array(np.nan)
        for shape in ((self.count, *place.shape), place.shape, ()):
            if array.shape == shape and np.all(np.isfinite(array)):
                rows = array if array.shape[:1] == (self.count,) and shape != place.shape else array[None]
                return np.broadcast_to(rows.reshape(len(rows), -1), (self.count, place.count))
        wanted = "×".join(map(str, place.shape)) or "one number"
        raise SimulationError(
            f"input '{place.name}' takes finite numbers, {wanted} for all or for each of {self.count} vehicles, "
            f"not {'an array of ' + '×'.join(map(str, array.shape)) if array.ndim else repr(value)}"
        )

    def _links(self, plan: Plan) -> NDArray[np.longlong]:
        """Rows (from vehicle, place, to vehicle, place, how many)."""
        rows = []
        outputs = {**plan.outputs, **plan.external_outputs}
        for name, (output, whose) in self.neighbours.items():
            if output not in outputs:
                raise SimulationError(f"neighbours: no output '{output}'{did_you_mean(output, outputs)}")
            source, sink = outputs[output], plan.inputs[name]
            index = np.asarray(whose)
            index = index[:, None] if index.ndim == 1 else index
            if index.ndim != 2 or len(index) != self.count or not np.issubdtype(index.dtype, np.integer):
                raise SimulationError(
                    f"neighbours of '{name}' must be a whole number, or a row of them, "
                    f"for each of {self.count} vehicles"
                )
            if np.any(index < -1) or np.any(index >= self.count):
                raise SimulationError(
                    f"neighbours of '{name}' are numbers from 0 to {self.count - 1}, or -1 for nobody, "
                    f"not {index[(index < -1) | (index >= self.count)][0]}"
                )
            if sink.count != source.count * index.shape[1]:
                raise SimulationError(
                    f"input '{name}' takes {sink.count} numbers, but {index.shape[1]} times '{output}' are "
                    f"{source.count * index.shape[1]}"
                )
            rows += [
                (int(other), source.first, i, sink.first + k * source.count, source.count)
                for i, others in enumerate(index)
                for k, other in enumerate(others)
                if other >= 0
            ]
        return np.array(rows, dtype=np.longlong).reshape(-1, 5)


def _threads(wanted: int | None) -> int:
    if wanted is None:
        affinity = getattr(os, "sched_getaffinity", None)
        return len(affinity(0)) if affinity else os.cpu_count() or 1
    if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)) or wanted < 1:
        raise SimulationError(f"threads must be a whole number ≥ 1, not {wanted!r}")
    return int(wanted)


class _Run:
    """One run of a swarm in progress."""

    def __init__(
        self,
        plan: Plan,
        engines: list[native.Engine],
        recording: SwarmRecording,
        links: NDArray[np.longlong],
        threads: int,
    ) -> None:
        self.plan, self.engines, self.recording, self.links, self.threads = plan, engines, recording, links, threads
        addresses = np.array([engine.addresses for engine in engines], dtype=np.uintp)
        self.plans, self.recorders = np.ascontiguousarray(addresses.T)
        self.statuses = np.full(len(engines), _PAUSED, dtype=np.intc)

    def go(self, report: Progress) -> SwarmResult:
        began = clock.perf_counter()
        try:
            self._start()
            steps = 1 if self.plan.python_blocks else 100
            while np.any(self.statuses == _PAUSED):
                before = clock.perf_counter()
                self._advance(steps)
                spent = clock.perf_counter() - before
                steps = max(1, min(int(steps * min(4.0, _CHUNK_SECONDS / max(spent, 1e-9))), 10**9))
                going = np.flatnonzero(self.statuses == _PAUSED)
                try:
                    report(
                        self.engines[going[0]].time if len(going) else self.plan.settings.end, self.plan.settings.end
                    )
                except Exception as problem:  # whatever the user's function raises
                    message = f"the progress function failed: {type(problem).__name__}: {problem}"
                    raise RunStopped(message, self.result(clock.perf_counter() - began)) from problem
        except KeyboardInterrupt:
            message = f"interrupted at t = {max(e.time for e in self.engines):g} s of {self.plan.settings.end:g} s"
            raise RunInterrupted(message, self.result(clock.perf_counter() - began)) from None
        return self.result(clock.perf_counter() - began)

    def _start(self) -> None:
        for i, engine in enumerate(self.engines):
            status = engine.start(self.plan.settings.start)
            if status != 0:
                self.statuses[i] = status
        together.exchange(self.plans, self.links)

    def _advance(self, steps: int) -> None:
        end = self.plan.settings.end
        if together.PARALLEL or self.threads == 1 or len(self.links):
            together.advance(self.plans, self.recorders, self.statuses, self.links, end, steps, self.threads)
            return
        with ThreadPoolExecutor(self.threads) as pool:
            parts = [slice(i, None, self.threads) for i in range(self.threads)]
            for _ in pool.map(lambda part: self._advance_part(part, end, steps), parts):
                pass

    def _advance_part(self, part: slice, end: float, steps: int) -> None:
        """One thread's share, where the compiler knew no OpenMP."""
        statuses = self.statuses[part].copy()
        together.advance(self.plans[part].copy(), self.recorders[part].copy(), statuses, self.links, end, steps, 1)
        self.statuses[part] = statuses

    def result(self, wall: float) -> SwarmResult:
        names = ["interrupted" if s == _PAUSED else self._kind(int(s)) for s in self.statuses]
        messages = {
            i: explain(self.plan, self.engines[i], int(self.statuses[i]))
            for i, name in enumerate(names)
            if name == "failed"
        }
        return SwarmResult.of_run(self.plan, self.engines, self.recording, names, messages, wall, self.threads)

    @staticmethod
    def _kind(status: int) -> str:
        name = native.STATUSES[status]
        return name if name in ("end", "stopped") else "failed"
