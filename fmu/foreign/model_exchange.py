"""A Model Exchange FMU that is stepped like one for Co-Simulation: with an integrator, and events within the step.

Inputs are set at communication points, in event mode if they change, and held. State events (sign changes of event
indicators), time events and step events are handled as FMI 1.0, 2.0.4 and 3.0.1, ch. 3.2 each, describe. The
integrator begins anew at every communication point, so that a step depends on nothing but the FMU's state.
"""

from __future__ import annotations

import ctypes
import math
from typing import Any

import numpy as np

from blocks.errors import FmuError
from fmu.foreign.instance import Floats, Instance
from fmu.foreign.integrator import Integrator, integrator

DEFAULT_TOLERANCE = 1e-6
_EVENTS_AT_ONCE = 1000
"""Events or iterations of an event without time going on."""
_ONE_INSTANT = 1e-9
"""Instants nearer than this are one, in communication steps."""


class ModelExchangeInstance(Instance):
    """One Model Exchange FMU with its integrator."""

    problem: FmuError | None = None
    """What went wrong within the integrator."""
    solver: Integrator | None = None
    next_event = math.inf
    in_event_mode = True

    # --- the model that is integrated: see integrator.Model ----------------------------------------------------------

    @property
    def states(self) -> int:
        """How many continuous states there are."""
        return self.spec.states

    @property
    def indicators(self) -> int:
        """How many event indicators there are."""
        return self.spec.indicators

    def get_states(self, x: Any, n: int) -> None:
        """Write the continuous states."""
        self._quietly(x, n, self.fmu.getContinuousStates)

    def set_states(self, x: Any, n: int) -> None:
        """Take the continuous states."""
        self._quietly(None, n, self.fmu.setContinuousStates, x)

    def get_derivatives(self, dx: Any, n: int) -> None:
        """Write the derivatives."""
        self._quietly(dx, n, self.calls.derivatives)

    def get_indicators(self, z: Any, n: int) -> None:
        """Write the event indicators."""
        self._quietly(z, n, self.fmu.getEventIndicators)

    def get_nominals(self, x: Any, n: int) -> None:
        """Write the nominal values of the states."""
        self._quietly(x, n, self.calls.nominals)

    def set_time(self, t: float) -> None:
        """Take the time."""
        if self.problem is None:
            try:
                self._do(f"going to t = {t:g} s", self.fmu.setTime, t)
            except FmuError as problem:
                self.problem = problem

    def _quietly(self, target: Any, n: int, function: Any, values: Any = None) -> None:
        """Call within the integrator, through which no exception may pass; what a get cannot give is not a number."""
        if self.problem is None:
            try:
                self._do("the integration of its states", function, values if target is None else target, n)
                return
            except FmuError as problem:
                self.problem = problem
        if target is not None:
            ctypes.memmove(target, (ctypes.c_double * n)(*([math.nan] * n)), 8 * n)

    # --- life -------------------------------------------------------------------------------------------------------

    def _initialized(self) -> None:
        self.problem, self.solver = None, None
        self.next_event, self.in_event_mode = math.inf, True
        self._update_discrete_states(self.t0)

    def _held(self) -> dict[str, Any]:
        return {"next_event": self.next_event.hex(), "in_event_mode": self.in_event_mode} if self.live else {}

    def _check_held(self, held: dict[str, Any]) -> None:
        float.fromhex(held["next_event"])
        if type(held["in_event_mode"]) is not bool:
            raise ValueError("it does not say in which mode it is")

    def _restored(self, held: dict[str, Any]) -> None:
        self.next_event, self.in_event_mode = float.fromhex(held["next_event"]), held["in_event_mode"]
        self.solver = None

    def _enter_event_mode(self) -> None:
        if not self.in_event_mode:
            self._do("entering event mode", self.calls.enter_event_mode)
            self.in_event_mode = True

    def _update_discrete_states(self, t: float) -> None:
        """Iterate an event until it has settled, and go on in continuous time."""
        for _ in range(_EVENTS_AT_ONCE):
            found = self._do(f"an event at t = {t:g} s", self.calls.update_discrete_states)
            if found.terminate:
                self._stop(f"at t = {t:g} s it asks for the end of the simulation")
            if not found.again:
                break
        else:
            self._stop(f"an event at t = {t:g} s does not settle")
        self.next_event = found.next_event
        self._do("leaving event mode", self.calls.enter_continuous_time_mode)
        self.in_event_mode = False

    # --- stepping ---------------------------------------------------------------------------------------------------

    def _give(self, inputs: Floats, given: list[Any]) -> None:
        changed = [g for g in given if not np.array_equal(inputs[g.places], self.inputs[g.places])]
        if changed:
            self._enter_event_mode()
            super()._give(inputs, changed)

    def _advance(self, t: float, h: float) -> None:
        end, near = t + h, _ONE_INSTANT * h
        if self.in_event_mode:
            self._update_discrete_states(t)
        self._reset_solver(t)
        idle = 0
        while t < end - near:
            before, state_event, step_event = t, False, False
            target = min(end, self.next_event)
            if target > t + near:
                state_event, t = self._integrate(t, target)
                step_event = self._complete_step(t)
            time_event = t >= self.next_event - near
            idle = 0 if t > before + near else idle + 1
            if idle > _EVENTS_AT_ONCE:
                self._stop(f"events follow each other without time going on at t = {t:g} s")
            if state_event or step_event or time_event:
                if time_event:
                    self._set_time(self.next_event)
                self._enter_event_mode()
                self._update_discrete_states(t)
                self._reset_solver(t)
        self._set_time(end)

    def _reset_solver(self, t: float) -> None:
        if self.solver is None:
            tolerance = self.spec.tolerance or DEFAULT_TOLERANCE
            self.solver = integrator(self, t, self.spec.step, tolerance)
        else:
            self.solver.reset(t)
        self._raise_problem()

    def _integrate(self, t: float, target: float) -> tuple[bool, float]:
        """Go on to `target` or the first state event; whether there was one, and the instant."""
        assert self.solver is not None
        try:
            event, _, reached = self.solver.step(t, target)
        except (RuntimeError, FmuError) as failed:
            self._raise_problem()
            *_, reason = getattr(self.solver, "error_info", None) or [str(failed)]
            self._stop(f"the integration of its states from t = {t:g} s to {target:g} s fails: {reason}")
        self._raise_problem()
        self._set_time(reached)
        return bool(event), float(reached)

    def _set_time(self, t: float) -> None:
        self.set_time(t)
        self._raise_problem()

    def _complete_step(self, t: float) -> bool:
        """Tell the FMU of the step if it wants to hear; whether it wants an event."""
        if not self.spec.completes_steps:
            return False
        event, terminate = self._do(f"completing a step at t = {t:g} s", self.calls.complete_step)
        if terminate:
            self._stop(f"at t = {t:g} s it asks for the end of the simulation")
        return bool(event)

    def _raise_problem(self) -> None:
        if self.problem is not None:
            problem, self.problem = self.problem, None
            raise problem


def make_instance(spec: Any, name: str) -> Instance:
    """The instance of an FMU in this process."""
    return (ModelExchangeInstance if spec.interface == "me" else Instance)(spec, name)
