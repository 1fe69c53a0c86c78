"""Many vehicles at once that others can touch while they run: `Fleet`."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from types import MappingProxyType, TracebackType
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block
from blocks.compiled.choice import Asked, asked
from blocks.diagram import Diagram
from blocks.errors import SimulationError, did_you_mean, shown
from blocks.plan import Plan
from blocks.run.asked import evaluated, names_of, no_output, one_of, seconds, wanted_outputs
from blocks.run.inputs import numbers
from blocks.run.named import element_of, with_elements
from blocks.run.parameters import TunableParameters
from blocks.run.pieces import usable_cores
from blocks.run.recording import choose
from blocks.run.timing import Timing
from blocks.swarm.compiling import compile_for
from blocks.swarm.members import Members, rows_for
from blocks.swarm.neighbours import Neighbours
from blocks.swarm.parameters import FleetParameters
from blocks.swarm.recording import SwarmRecording
from blocks.swarm.result import SwarmResult
from blocks.swarm.run import END, STOPPED, SwarmRun
from cython_kernels import engine as native


class Fleet:
    """`count` copies of a diagram that go on when they are told to, with arrays for what goes in and comes out.

        with Fleet(diagram, 1024, step=0.02) as fleet:
            eta = fleet["vessel.eta"]                          # (1024, 6), written at each advance
            while True:
                fleet.inputs["force"][:, 0] = policy(eta)      # (1024, 6), read at each advance
                fleet.advance(0.2)
                fleet.reset(np.abs(eta[:, 1]) > 20.0)

    parameters, inputs, neighbours: as in `Swarm`; inputs that are not given are to be set before the start.
    solver, step, start, every, stop, summarise, threads, tolerances: as in `Swarm.run`.
    record: as there, but nothing if it is not given.
    outputs: those that can be read, besides the recorded ones; None: all.
    compiled: as in `Simulator`.

    Each vehicle has the numbers that a `Simulator` of it would have, however many there are and whoever computes them.
    One that stops or fails stands still until it is reset, and the others go on: `running`, `stopped` and `failed` say
    which, `messages` why.

    Raises ParameterError, WiringError or SimulationError where something does not fit.
    """

    _members: Members
    plan: Plan
    _run: SwarmRun

    def __init__(
        self,
        diagram: Diagram | Block,
        count: int,
        *,
        parameters: Mapping[str, Any] | None = None,
        inputs: Mapping[str, ArrayLike] | None = None,
        neighbours: Neighbours | None = None,
        solver: str = "rk4",
        step: float | str = 0.01,
        start: float | str = 0.0,
        record: str | Iterable[str] | None = (),
        every: int = 1,
        summarise: str | Iterable[str] = (),
        outputs: str | Iterable[str] | None = None,
        stop: str | None = None,
        threads: int | None = None,
        relative_tolerance: float = 1e-6,
        absolute_tolerance: float = 1e-8,
        max_step: float | str = 0.0,
        compiled: Asked = False,
    ) -> None:
        settings = {
            "solver": solver, "step": step, "start": start, "relative_tolerance": relative_tolerance,
            "absolute_tolerance": absolute_tolerance, "max_step": max_step,
        }  # fmt: skip
        members = Members("fleet", diagram, count, parameters, inputs, neighbours)
        self._make(members, settings, record, every, summarise, stop, threads, outputs, compiled)

    @classmethod
    def _of(cls, members: Members, *how: Any) -> Fleet:
        """A fleet of members that were checked before."""
        fleet = cls.__new__(cls)
        fleet._make(members, *how)
        return fleet

    def _make(
        self,
        members: Members,
        settings: dict[str, Any],
        record: str | Iterable[str] | None,
        every: int,
        summarise: str | Iterable[str],
        stop: str | None,
        threads: int | None,
        outputs: str | Iterable[str] | None,
        compiled: Asked,
    ) -> None:
        asked(compiled)
        self._engines: list[native.Engine] = []
        self._state = "ready"
        self._members = members
        whole = "end" in settings  # all inputs have to be there, since nobody gives them later
        members.check_inputs(all_given=whole)
        names, seen = names_of("record", record), names_of("outputs", outputs)
        kept = names_of("summarise", summarise) or []
        wanted = wanted_outputs(names, kept, seen)
        plan = self.plan = members.plan(wanted, stop, settings)
        self._readable = evaluated(plan, wanted)
        if seen is not None:
            choose(plan, seen, "outputs")
        self._threads = min(_threads(threads), members.count)
        recording = SwarmRecording(plan, members.count, names, every, kept)
        links = members.links(plan)
        try:
            members.engines(plan, self._engines)
            linked = len(links) > 0
            self.compiled, lanes = compile_for(self._engines, plan, compiled, self._threads, whole, linked)
            """By what it runs and why, where `compiled` was given; else ""."""
            self._run = SwarmRun(plan, self._engines, recording, links, self._threads)
            if lanes is not None:
                self._run.together.go_in_lanes(lanes)
        except BaseException:
            self.close()
            raise
        self._parameters = TunableParameters(plan)
        self._own = FleetParameters(plan, members.parameters, members.count)
        given: dict[str, NDArray[np.float64]] = {}
        for name, place in plan.inputs.items():
            if name not in members.neighbours:
                start = np.array([engine.values[place.slice] for engine in self._engines])
                if not whole and name not in members.inputs and members.diagram.input_ports[name].default is None:
                    start[:] = math.nan
                given[name] = start.reshape(members.count, *place.shape)
        self.inputs: Mapping[str, NDArray[np.float64]] = MappingProxyType(given)
        """An array for each input, (vehicles, …), that the engine reads at each advance."""
        self._outputs: dict[str, NDArray[np.float64]] = {}
        self._connect()

    def _connect(self) -> None:
        """Tell the engines of the arrays."""
        plan, count = self.plan, len(self)
        outputs = plan.outputs | plan.external_outputs
        self._run.together.exchange_arrays(
            [(a.reshape(count, -1), plan.inputs[name].first) for name, a in self.inputs.items()],
            [(a.reshape(count, -1), outputs[name].first) for name, a in self._outputs.items()],
        )

    # --- time ------------------------------------------------------------------------------------------------------

    def start(self) -> None:
        """Let all go to their initial states; `advance` does it if it was not done before.

        Raises SimulationError where an input has no value yet.
        """
        self._check_open()
        if self._state != "ready":
            raise SimulationError("the fleet has been started; to begin anew: reset()")
        for name, array in self.inputs.items():
            if np.any(np.isnan(array)):
                raise SimulationError(
                    f"the input '{name}' needs a value: fleet.inputs['{name}'][:] = … before start(), or Fleet(…, "
                    f"inputs={{'{name}': …}})"
                )
        self._state = "running"
        self._read_inputs(np.arange(len(self)))
        self._run.start(np.arange(len(self)))

    def advance(self, duration: float | str | None = None, *, until: float | str | None = None) -> None:
        """Let all that can go on by `duration`, or to the instant `until`, s or text with a unit.

        Vehicles with neighbours go in whole steps. Raises SimulationError for a time that cannot be, and
        KeyboardInterrupt on Ctrl-C, after which all stand at whole steps and can go on.
        """
        if self._state != "running":
            self._check_open()
            self.start()
        step = self.plan.settings.step
        if until is not None:
            one_of(duration, until)
            ahead = float(self.time.max(where=self.running, initial=self.plan.settings.start))
            self._run.advance(-1.0, seconds("until", until, ahead, step))
        else:
            self._run.advance(seconds("duration", duration, 0.0, step), 0.0)

    def refresh(self) -> None:
        """Make the outputs those of the inputs that were set at this instant."""
        if self._state != "running":
            self._check_open()
            self.start()
        self._run.together.renew()

    @property
    def time(self) -> NDArray[np.float64]:
        """Where each vehicle stands, s."""
        return self._run.together.times

    @property
    def started(self) -> bool:
        """Whether it has been started; before, outputs mean nothing."""
        return self._state != "ready"

    @property
    def running(self) -> NDArray[np.bool_]:
        """Which can go on."""
        return np.equal(self._run.statuses, END)

    @property
    def stopped(self) -> NDArray[np.bool_]:
        """Whose stop signal is on."""
        return np.equal(self._run.statuses, STOPPED)

    @property
    def failed(self) -> NDArray[np.bool_]:
        """Which had to stop: a fault, or a value that is not finite."""
        return ~(self.running | self.stopped)

    @property
    def messages(self) -> dict[int, str]:
        """Why those that failed did."""
        return {int(i): self._run.message(int(i)) for i in np.flatnonzero(self.failed)}

    # --- numbers ---------------------------------------------------------------------------------------------------

    def __len__(self) -> int:
        """How many vehicles there are."""
        return self._members.count

    def __getitem__(self, name: str) -> NDArray[np.float64]:
        """An output, (vehicles, …), or an element of it, "vessel.eta[psi]", (vehicles,); or an input.

        From then on the engine writes the array at each advance. Raises SimulationError if there is no such output.
        """
        bare = name.partition("[")[0] if isinstance(name, str) else name
        outputs = self._readable
        if bare in outputs:
            place = outputs[bare]
            if bare not in self._outputs:
                self._outputs[bare] = np.array(
                    [engine.values[place.slice].reshape(place.shape) for engine in self._engines]
                )
                self._connect()
            array = self._outputs[bare]
        elif bare in self.inputs:
            array, place = self.inputs[bare], self.plan.inputs[bare]
        else:
            raise no_output(self.plan, name, [*outputs, *self.inputs])
        return array.reshape(len(self), -1)[:, element_of(place, name)] if "[" in name else array

    def __setitem__(self, name: str, value: ArrayLike) -> None:
        """Set an input, or an element of it: a value for all, or one for each vehicle along the first axis.

        Raises SimulationError if there is none, or if the value does not fit.
        """
        bare = name.partition("[")[0] if isinstance(name, str) else name
        if bare not in self.inputs:
            seen = "; neighbours give it" if bare in self.plan.inputs else did_you_mean(str(bare), self.inputs)
            raise SimulationError(f"no input '{name}' to set{seen}")
        array, target = numbers(name, value), self[name]
        if "[" in name:
            if array.shape not in ((), (len(self),)):
                raise SimulationError(f"'{name}' takes one number, or {len(self)}, not {array.shape}")
            target[:] = array
        else:
            rows = self._members.input_rows(self.plan.inputs[bare], array)
            target.reshape(len(self), -1)[:] = rows

    # --- the whole -------------------------------------------------------------------------------------------------

    def reset(
        self,
        mask: ArrayLike | None = None,
        *,
        seed: int | None = None,
        parameters: Mapping[str, Any] | None = None,
    ) -> None:
        """Let the vehicles of a mask (vehicles,), or all, begin anew; what was recorded of them is forgotten.

        seed: gives each block that has a parameter `seed` one of its own in each vehicle, equal for equal seeds,
            whichever others are reset.
        parameters: by dotted name a value for each of the vehicles that are reset, along the first axis.
        Raises ParameterError or SimulationError for what cannot be; then nothing has changed.
        """
        self._check_open()
        which = self._which(mask)
        given = self._members.mapping("parameters", parameters, '{"vessel.initial_eta": a row for each that is reset}')
        values = {name: rows_for(f"parameter '{name}'", rows, len(which)) for name, rows in given.items()}
        if seed is not None:
            drawn = [self._parameters.seeds(seed, int(i)) for i in which]
            values = {name: [seeds[name] for seeds in drawn] for name in (drawn[0] if drawn else {})} | values
        if values:
            self._own.set(self._engines, which, values)
        if self._state == "ready":
            self.start()
            return
        self._read_inputs(which)
        for i in which:
            self._run.recording.begin(int(i), self._engines[i])
        self._run.start(which)

    def _which(self, mask: ArrayLike | None) -> NDArray[np.integer]:
        if mask is None:
            return np.arange(len(self))
        chosen = np.asarray(mask)
        if chosen.shape != (len(self),) or chosen.dtype != np.bool_:
            raise SimulationError(
                f"a mask says of each of {len(self)} vehicles whether it is meant, True or False; not {shown(mask)}"
            )
        return np.flatnonzero(chosen)

    def _read_inputs(self, which: NDArray[np.integer]) -> None:
        for name, array in self.inputs.items():
            rows, place = array.reshape(len(self), -1), self.plan.inputs[name].slice
            for i in which:
                self._engines[i].values[place] = rows[i]
                self._engines[i].inputs_changed()

    def result(self) -> SwarmResult:
        """What was recorded of each vehicle since it began. Raises SimulationError before the start."""
        if self._state == "ready":
            raise SimulationError("nothing has been recorded: start() or advance(…) comes first")
        if self._state == "running":
            self._run.together.renew()
        return self._result()

    def _result(self) -> SwarmResult:
        result = self._run.result()
        if self.compiled:
            result.attributes["compiled"] = self.compiled
        if self._run.together.lanes is not None:
            steps = sum(engine.steps for engine in self._engines)
            beside = int(self._run.together.steps_side_by_side.sum())
            result.attributes["share_side_by_side"] = beside / max(steps, 1)
        return result

    def run_realtime(self, **options: Any) -> Timing:
        """Run at real time, or a multiple of it, with sources and sinks; how late it was. As `Simulator.run_realtime`.

        It goes on as long as a vehicle can; what is attached gets the fleet as `simulator.fleet`.
        """
        from blocks.realtime.loop import RealTime
        from blocks.swarm.fleet_run import FleetRun

        return RealTime(FleetRun(self), **options).run()

    def close(self) -> None:
        """Let blocks give back what they hold, such as other tools' FMUs."""
        if self._state != "closed":
            self._state = "closed"
            if hasattr(self, "_run"):
                self._run.close()
            for engine in self._engines:
                self.plan.close(engine)

    def __enter__(self) -> Fleet:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __reduce_ex__(self, protocol: Any) -> Any:
        raise SimulationError("a Fleet cannot be copied or pickled: make another one")

    def _ipython_key_completions_(self) -> list[str]:
        return with_elements(self._readable)

    def __repr__(self) -> str:
        settings = self.plan.settings
        return f"<Fleet of {len(self)}, {int(self.running.sum())} running: {settings.solver}, {settings.step:g} s>"

    def _check_open(self) -> None:
        if self._state == "closed":
            raise SimulationError("this Fleet is closed; make a new one")


def _threads(wanted: int | None) -> int:
    if wanted is None:
        return usable_cores()
    if isinstance(wanted, bool) or not isinstance(wanted, (int, np.integer)) or wanted < 1:
        raise SimulationError(f"threads must be a whole number ≥ 1, not {wanted!r}")
    return int(wanted)
