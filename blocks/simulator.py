"""A simulation that others can touch while it runs: `Simulator`."""

from __future__ import annotations

import math
import time as clock
from collections.abc import Iterable, Mapping
from os import PathLike, fspath
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.block import Block
from blocks.compiled.choice import Asked, Choosing, asked
from blocks.diagram import Diagram
from blocks.errors import SimulationError, did_you_mean
from blocks.plan import Plan
from blocks.plan.settings import SCIPY, Settings
from blocks.prepared import prepare, with_scopes
from blocks.run.asked import NEAR, evaluated, names_of, no_output, one_of, seconds, wanted_outputs
from blocks.run.checkpoint import Checkpoint
from blocks.run.engine_run import EngineRun, RunStopped, hear_interrupt
from blocks.run.inputs import input_numbers, one_number
from blocks.run.named import Views, element_of, with_elements
from blocks.run.parameters import TunableParameters
from blocks.run.recording import Recording, choose
from blocks.run.result import Result
from blocks.run.simulator_state import SimulatorState
from blocks.run.timing import Timing
from cython_kernels import engine as native

__all__ = ["Simulator"]


class Simulator:
    """A run that goes on when it is told to, and whose inputs and parameters may change on the way.

        with Simulator(diagram, step=0.02) as simulator:
            simulator["force"] = [10.0, 0.0, 0.0]
            while simulator.time < 60.0:
                simulator.advance(0.1)
                simulator["force[N]"] = -3.0 * simulator["vessel.eta[psi]"]
        simulator.result().save("run.nc")

    solver, step, start, stop, every and tolerances: as in `simulate`; SciPy's solvers cannot be stepped from outside.
    inputs: as in `simulate`; those that are not given are set by their names, before `start` if they have no default.
    record: as in `simulate`; record=[] records nothing. keep: only the last so many seconds of it, "10 min".
    outputs: those that can be read, "*" and "?" as in file names, besides the recorded ones; None: all.
    compiled: as in `simulate`; "auto", which cannot know how long the run will be, takes what was compiled before.

    Stepping through a run, in any pieces, gives the bits of running it in one: a step that an instant from outside
    cuts short is taken again, whole, when the run goes on, unless inputs or parameters changed. What is recorded of an
    instant is what holds from it on: to the same bits a run can be repeated by `simulate`, with what its inputs were
    as (times, values, "hold").

    Raises WiringError, ParameterError or SimulationError for what cannot be run.
    """

    def __init__(
        self,
        component: Diagram | Block,
        *,
        solver: str = "rk4",
        step: float | str = 0.01,
        start: float | str = 0.0,
        inputs: Mapping[str, Any] | None = None,
        record: str | Iterable[str] | None = None,
        every: int = 1,
        keep: float | str | None = None,
        outputs: str | Iterable[str] | None = None,
        stop: str | None = None,
        relative_tolerance: float = 1e-6,
        absolute_tolerance: float = 1e-8,
        max_step: float | str = 0.0,
        compiled: Asked = False,
    ) -> None:
        chosen = asked(compiled)
        if not isinstance(component, Diagram | Block):
            raise SimulationError(f"Simulator: expected a Diagram or a Block, got {type(component).__name__}")
        if solver in SCIPY:
            raise SimulationError(
                f"a Simulator goes on with euler, heun, rk4 or dopri5, not {solver}, which has to know the whole run: "
                f"simulate(diagram, end, solver='{solver}')"
            )
        names, seen = with_scopes(component, names_of("record", record)), names_of("outputs", outputs)
        wanted = wanted_outputs(names, seen)
        prepared = prepare(
            component,
            inputs,
            all_given=False,
            wanted=wanted,
            stop=stop,
            solver=solver,
            step=step,
            start=start,
            relative_tolerance=relative_tolerance,
            absolute_tolerance=absolute_tolerance,
            max_step=max_step,
        )
        component, constants = prepared.component, prepared.constants
        self.plan: Plan = prepared.plan
        if seen is not None:
            choose(self.plan, seen, "outputs")
        self.settings: Settings = self.plan.settings
        choosing = Choosing(self.plan, chosen) if chosen else None
        if choosing is not None:
            choosing.look()
        self._parameters = TunableParameters(self.plan)
        self._engine: native.Engine = self._parameters.engine()
        plan, values = self.plan, self._engine.values
        self.inputs = Views("input", values, plan.inputs, writable=True)
        """Arrays that the engine reads when it goes on, by name."""
        self.outputs = Views("output", values, evaluated(plan, wanted), writable=False)
        """Arrays that the engine writes, by name."""
        self.parameters = Views("parameter", values, plan.parameters, writable=False)
        """The values of parameters, by name; they are set by `simulator[name] = …`."""
        self._recording = Recording(plan, names, every, None if keep is None else seconds("keep", keep, 0.0, 0.0))
        self._run = EngineRun(plan, self._engine, self._recording, choosing=choosing)
        self._status = "ready"
        self._message = ""
        for name, port in component.input_ports.items():
            if port.default is None:
                self._engine.values[plan.inputs[name].slice] = math.nan
        for name, value in constants.items():
            self[name] = value

    # --- time ------------------------------------------------------------------------------------------------------

    @property
    def time(self) -> float:
        """The present instant, s."""
        return self._engine.time if self._status != "ready" else self.settings.start

    @property
    def step(self) -> float:
        """The step of a fixed-step solver, or the interval at which an adaptive one records, s."""
        return self.settings.step

    @property
    def status(self) -> str:
        """ "ready", "running", "stopped" (the stop signal is on), "failed" or "closed"."""
        return self._status

    @property
    def running(self) -> bool:
        """Whether the run can go on."""
        return self._status in ("ready", "running")

    def start(self) -> None:
        """Go to the initial state; `advance` does it if it was not done before.

        Raises SimulationError where an input has no value yet, and RunStopped if there is no initial state.
        """
        self._check_open()
        if self._status != "ready":
            raise SimulationError(f"the run has been started; to begin anew: reset(), now at t = {self.time:g} s")
        for name, place in self.plan.inputs.items():
            if np.any(np.isnan(self._engine.values[place.slice])):
                raise SimulationError(
                    f"the input '{name}' needs a value: simulator['{name}'] = … before start(), or Simulator(…, "
                    f"inputs={{'{name}': …}})"
                )
        self._recording.attach(self._engine)
        try:
            self._run.begin()
        except RunStopped as problem:
            self._fail(problem)
            raise
        self._status = "stopped" if self._engine.stopped else "running"

    def advance(self, duration: float | str | None = None, *, until: float | str | None = None) -> float:
        """Go on by `duration` or to the instant `until`, s or text with a unit; the instant that was reached.

        That is an earlier one where the stop signal comes on. Raises SimulationError if the run cannot go on from
        here, RunStopped, whose `result` holds what was recorded, if it has to stop (a fault, a value that is not
        finite), and RunInterrupted on Ctrl-C, after which it can go on.
        """
        if self._status != "running":
            self._begin_to_advance()
        engine = self._engine
        if until is None:
            target = engine.time + seconds("duration", duration, 0.0, self.settings.step)
        else:
            one_of(duration, until)
            target = seconds("until", until, engine.time, self.settings.step)
        self._go_on(self._on_grid(target))
        return engine.time

    def _begin_to_advance(self) -> None:
        self._check_open()
        if self._status == "ready":
            self.start()
        if self._status == "running":
            return
        why = f": {self._message}" if self._message else f" by {self._stop_name()}"
        raise SimulationError(
            f"the run {self._status} at t = {self.time:g} s{why}; reset() begins anew, restore(state) goes back"
        )

    def _stop_name(self) -> str:
        places = self.plan.outputs | self.plan.external_outputs
        return next((f"'{n}'" for n, place in places.items() if place.first == self.plan.stop), "its stop signal")

    def _go_on(self, target: float) -> None:
        began = clock.perf_counter()
        try:
            for _ in self._run.proceed(target):
                hear_interrupt(self._run.runners)
        except KeyboardInterrupt:
            raise self._run.interrupted() from None
        except RunStopped as problem:
            self._fail(problem)
            raise
        finally:
            self._run.wall += clock.perf_counter() - began
        if self._run.status == "stopped":
            self._status = "stopped"

    def _on_grid(self, target: float) -> float:
        """The point of the grid that is meant, where rounding alone keeps an instant from it."""
        settings = self.settings
        point = settings.start + math.floor((target - settings.start) / settings.step + 0.5) * settings.step
        return point if abs(point - target) <= NEAR * settings.step else target

    def refresh(self) -> None:
        """Make the outputs those of the inputs and parameters that were set at this instant.

        Raises RunStopped if that is not possible.
        """
        if self._status not in ("running", "stopped"):
            self._begin_to_advance()
        status = self._engine.renew()
        if status != 0:
            problem = self._run.failed(status)
            self._fail(problem)
            raise problem
        self._status = "stopped" if self._engine.stopped else "running"

    # --- numbers ---------------------------------------------------------------------------------------------------

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """An output, an input or a parameter, or an element of one, "vessel.eta[psi]": an array that goes with the run.

        Outputs are those of the last `advance`, `start` or `refresh`. Raises SimulationError if there is none.
        """
        for views in (self.outputs, self.inputs, self.parameters):
            if views.has(name):
                return views[name]
        raise no_output(self.plan, name, self._everything())

    def __setitem__(self, name: str, value: Any) -> None:
        """Set an input, a parameter, or an element of one, from this instant on.

        Raises SimulationError or ParameterError if there is none, or if it cannot have that value.
        """
        if self.inputs.has(name):
            place = self.inputs.place(name)
            if "[" in name:
                self._engine.values[place.first + element_of(place, name)] = one_number(name, value)
            else:
                self._engine.values[place.slice] = input_numbers(place, value)
        elif self.parameters.has(name):
            self._check_open()
            self._parameters.set(self._engine, {name: value}, started=self._status != "ready")
        elif self.outputs.has(name):
            raise SimulationError(f"'{name}' is an output; inputs and parameters can be set")
        else:
            settable = [*self.plan.inputs, *self.plan.parameters]
            raise SimulationError(f"no input or parameter '{name}'{did_you_mean(str(name), settable)}")

    def __contains__(self, name: object) -> bool:
        return name in self.outputs or name in self.inputs or name in self.parameters

    def _everything(self) -> list[str]:
        return [*self.outputs, *self.inputs, *self.parameters]

    # --- the whole -------------------------------------------------------------------------------------------------

    def reset(self, *, seed: int | None = None, parameters: Mapping[str, Any] | None = None) -> None:
        """Go to the initial state again; inputs and parameters stay as they are, and nothing is recorded yet.

        seed: gives each block that has a parameter `seed` one of its own, equal for equal seeds.
        parameters: other values, also for those that count at the start alone.
        Raises ParameterError or SimulationError for values that cannot be, and RunStopped as `start` does.
        """
        self._check_open()
        values = parameters or {}
        if seed is not None:
            values = {**self._parameters.seeds(seed), **values}
        if values:
            self._parameters.set(self._engine, values, started=False)
        self._status, self._message = "ready", ""
        self._run.wall = 0.0
        self.start()

    def save(self, path: str | PathLike[str] | None = None) -> bytes:
        """The whole state: what follows after `restore` has the same bits, also in another process.

        path: write a file, too, with what was recorded until now. Raises SimulationError if that is not possible, or if
        a block cannot say what it holds.
        """
        self._check_open()
        if self._status == "ready":
            self.start()
        engine, here = self._engine, self._engine.time
        engine.come_back()
        try:
            checkpoint = Checkpoint.of(self.plan, engine, self._recording, self._run.wall, here)
            checkpoint.parameters = self._parameters.to_json()
            if path is not None:
                checkpoint.save(path)
        finally:
            if engine.time < here:
                self._go_on(here)
        return SimulatorState(here, checkpoint.state, checkpoint.blocks, checkpoint.parameters).to_bytes()

    def restore(self, state: bytes | str | PathLike[str]) -> None:
        """Go to where a Simulator of the same diagram and settings was saved, and on from there.

        state: what `save` gave, or the path of the file. Raises SimulationError if it is not one of this diagram.
        """
        self._check_open()
        if isinstance(state, (str, PathLike)):
            saved = Checkpoint.load(fspath(state))
            saved.check(self.plan, self._recording)
            here, stored, blocks, changed = saved.instant, saved.state, saved.blocks, saved.parameters
        else:
            found = SimulatorState.of(state)
            saved, here, stored, blocks, changed = None, found.time, found.engine, found.blocks, found.parameters
        engine = self._engine
        try:
            if not self._parameters.can_be(changed):
                raise native.EngineError
            engine.restore(stored)
        except native.EngineError:
            raise SimulationError(
                "this state was saved by another diagram, other settings, or another version; restore it where it "
                "belongs"
            ) from None
        self._parameters.take_up(engine, changed)
        for runner in self._run.runners:
            runner.restore(blocks.get(runner.name, b""))
        if saved is not None:
            self._recording.attach(engine, saved.time, saved.data)
            self._run.wall = saved.wall
        elif self._status == "ready":
            self._recording.attach(engine)
        else:
            self._recording.forget(engine, self.settings.start + (engine.grid - 0.5) * self.settings.step)
        engine.visit()
        self._status, self._message = "stopped" if engine.stopped else "running", ""
        if here > engine.time:
            self._go_on(here)

    def result(self) -> Result:
        """What was recorded until now, the present instant included, with the inputs that were set there."""
        if self._status == "ready":
            raise SimulationError("nothing has been recorded: start() or advance(…) comes first")
        if self._status == "running" and (problem := self._engine.renew()) != 0:
            self._fail(self._run.failed(problem))
        status = {"running": "end", "closed": "end"}.get(self._status, self._status)
        recording = self._recording if status == "failed" else self._recording.until_now(self._engine)
        result = Result.of_run(self.plan, self._engine, recording, status, self._message, self._run.wall)
        if self.compiled:
            result.attributes["compiled"] = self.compiled
        return result

    @property
    def compiled(self) -> str:
        """By what it runs and why, where `compiled` was given; else ""."""
        choosing = self._run.choosing
        return "" if choosing is None else str(choosing.decided("it was not compiled before"))

    # --- beside a clock --------------------------------------------------------------------------------------------

    def run_realtime(self, **options: Any) -> Timing:
        """Run at real time, or a multiple of it, with sources and sinks; how late it was.

        options: those of `blocks.realtime.loop.RealTime`: end, factor=1.0, rate, late="catch up", sources, sinks.

            timing = simulator.run_realtime(end="10 min", factor=2, sources=[helm], sinks={"log": print_position})

        Raises RunStopped, with `result` and `timing`, where a block, a source or a sink fails, and RunInterrupted on
        Ctrl-C; the simulator stands at its last whole step then.
        """
        from blocks.realtime.loop import RealTime

        return RealTime(self, **options).run()

    def live_plot(self, *signals: str, **options: Any) -> Any:
        """A `LivePlot` of signals that follows the run, in a notebook or a window: a sink for `run_realtime`.

        options: those of `blocks.realtime.plot.LivePlot`: track, window, size.

            plot = simulator.live_plot("vessel.eta[psi]", "vessel.nu", track="vessel.eta", window="60 s")
            simulator.run_realtime(end="10 min", sinks=[plot])
        """
        from blocks.realtime.plot import LivePlot

        return LivePlot(self, signals, **options)

    def close(self) -> None:
        """Let blocks give back what they hold, such as other tools' FMUs; what was recorded can still be had."""
        if self._status != "closed":
            self._status = "closed"
            self.plan.close(self._engine)

    def __enter__(self) -> Simulator:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise SimulationError(
            "a Simulator cannot be copied or pickled: make another one, and restore(simulator.save())"
        )

    def _ipython_key_completions_(self) -> list[str]:
        return with_elements(self.outputs.places)

    def __repr__(self) -> str:
        return f"<Simulator at t = {self.time:g} s, {self._status}: {self.settings.solver}, {self.step:g} s>"

    # --- inside ----------------------------------------------------------------------------------------------------

    def _check_open(self) -> None:
        if self._status == "closed":
            raise SimulationError("this Simulator is closed; make a new one")

    def _fail(self, problem: RunStopped) -> None:
        self._status, self._message = "failed", str(problem)
