"""The rig: a scenario that is run for a while, where it is steady, and its loops about there."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from blocks.input_series import attach_inputs
from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.linearization import linearized
from blocks.lab.analysis.model import Model
from blocks.lab.analysis.trim import newton_step
from blocks.lab.design.channels import channels_of, held_within
from blocks.lab.design.open_loops import OpenLoops
from blocks.lab.design.robustness import Array
from blocks.model.python_block import PythonBlock
from blocks.plan.flatten import Leaf
from blocks.scenario.inputs import input_value
from cython_kernels import engine as native

if TYPE_CHECKING:
    from blocks.scenario import Scenario

MOST_STEPS = 20_000
"""Of a run that looks for a steady point: about a tenth of a second of computing."""
_STEPS_IN_PYTHON = 400
_LOOKS = 24
_FAST = 0.7
"""A point counts as one under way from this part of the greatest speed on."""
CALM = 0.02
"""A largest rate of the velocities, in their magnitudes per second, up to which a moment counts as steady."""
_FIXED_STEP = ("euler", "heun", "rk4")
_SETTINGS = ("step", "start", "solver", "relative_tolerance", "absolute_tolerance", "max_step")


@dataclass(frozen=True)
class Moment:
    """All numbers of a plan at a time of the run, s. speed: through the water, m/s, or None without a vessel."""

    time: float
    values: Array
    speed: float | None
    limited: tuple[str, ...]
    """Controllers whose outputs are at a limit, so that their loops are open."""
    unrest: float
    """The largest rate of what would settle, in its nominal magnitude."""


class Rig:
    """A scenario as a closed model and one with all loops opened, to be looked at anywhere in its run.

    end: look before this time of the run, s. also: blocks that count as controllers. Raises what making its plan
    raises.
    """

    def __init__(self, scenario: Scenario, *, end: float | None = None, also: Collection[str] = ()) -> None:
        settings = dict(scenario.settings)
        given = {name: input_value(value) for name, value in (settings.get("inputs") or {}).items()}
        component, constants = attach_inputs(scenario.diagram, given, all_given=False)
        how = {key: settings[key] for key in _SETTINGS if key in settings}
        if how.get("solver", "rk4") not in (*_FIXED_STEP, "dopri5"):
            how = {key: value for key, value in how.items() if key in ("step", "start")} | {"solver": "rk4"}
        stop = {"stop": settings["stop"]} if settings.get("stop") else {}
        self.closed = Model(component, constants, **how, **stop)
        self.flat = self.closed.plan.flat
        self.channels = channels_of(self.closed.plan, also)
        self.opened: Model | None = None
        if self.channels:
            names = tuple(dict.fromkeys(channel.output for channel in self.channels))
            self.opened = Model(component, constants, names, **how)
            self.opened.start(self.closed.plan.settings.start)
        self.held = held_within(self.flat, {one.block for one in self.channels if not one.steers})
        plan = self.closed.plan.settings
        self.start, self.step = plan.start, plan.step
        self.solver = str(settings.get("solver", "rk4"))
        in_python = any(isinstance(leaf.block, PythonBlock) for leaf in self.flat.leaves)
        most = _STEPS_IN_PYTHON if in_python else MOST_STEPS
        whole = end if end is not None else plan.end if np.isfinite(plan.end) else np.inf
        given_end = settings.get("end")
        if end is None and given_end is not None:
            from blocks.units import to_unit

            whole = to_unit(given_end, "s") if isinstance(given_end, str) else float(given_end)
        self.whole = whole
        self.end = min(whole, self.start + most * plan.step)
        self.most = most
        self._set: dict[str, Any] = {}
        self._vessels = [leaf for leaf in self.flat.leaves if leaf.block.family == "dynamics" and "nu" in leaf.outputs]
        self._limits = [(leaf, port) for leaf, port in self._acting_outputs()]

    def __enter__(self) -> Rig:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let blocks written in Python give back what they hold."""
        self.closed.close()
        if self.opened is not None:
            self.opened.close()

    # --- the run ---------------------------------------------------------------------------------------------------

    def set(self, gains: Mapping[str, Any]) -> None:
        """Other values of parameters, which hold from now on."""
        self._set |= gains
        for model in (self.closed, self.opened):
            if model is not None:
                for name, value in gains.items():
                    model.values[model.plan.parameters[name].slice] = np.reshape(value, -1)
                model.engine.parameters_changed()

    def run(self) -> list[Moment]:
        """Run from the start until it ends, stops, fails or has taken its steps; where it was on the way."""
        model, found = self.closed, []
        self._restart()
        each = max(1, self.most // _LOOKS)
        spread = np.r_[np.linspace(0.0, 1.0, _LOOKS + 1)[1:], np.geomspace(0.005, 1.0, _LOOKS // 2)]
        for end in self.start + (self.end - self.start) * np.unique(spread.round(6)):
            status = model.engine.advance(float(end), 4 * each)
            if native.STATUSES[status] != "end" or not np.all(np.isfinite(model.values)):
                break
            found.append(self._moment(float(model.engine.time)))
            if model.engine.stopped:
                break
        return found

    def _moment(self, time: float) -> Moment:
        model, plan = self.closed, self.closed.plan
        values = model.values.copy()
        limited = tuple(leaf.name for leaf, port in self._limits if self._at_limit(leaf, port))
        rates = [0.0]
        for name, place in model.continuous.items():
            if name.rpartition(".")[2] in _SETTLING:
                first = place.first + plan.derivative_offset
                rates.append(float(np.max(np.abs(values[first : first + place.count]) / place.nominals)))
        return Moment(time, values, self.speed(values), limited, max(rates))

    def speed(self, values: Array) -> float | None:
        """The greatest surge speed of the vessels, through the water where they tell it, m/s."""
        found = []
        for leaf in self._vessels:
            port = "nu_r" if "nu_r" in leaf.outputs else "nu"
            place = self.closed.plan.outputs.get(f"{leaf.name}.{port}")
            if place is not None:
                found.append(float(values[place.first]))
        return max(found, key=abs) if found else None

    def _acting_outputs(self) -> list[tuple[Leaf, str]]:
        named = {one.output for one in self.channels}
        return [
            (leaf, port)
            for leaf in self.flat.leaves
            for port, output in leaf.outputs.items()
            if output.within and f"{leaf.name}.{port}" in named
        ]

    def _at_limit(self, leaf: Leaf, port: str) -> bool:
        plan, values = self.closed.plan, self.closed.values
        place = plan.outputs[f"{leaf.name}.{port}"]
        within = leaf.outputs[port].within
        assert within is not None
        low, high = (values[plan.parameters[f"{leaf.name}.{name}"].slice] for name in within)
        value = values[place.slice]
        room = 1e-6 * np.minimum(np.abs(high - low), 1e9)
        return bool(np.any((value <= low + room) | (value >= high - room)))

    # --- the loops -------------------------------------------------------------------------------------------------

    def steadiest(self, moments: list[Moment]) -> Moment | None:
        """Where it is under way, within its limits, and most at rest. None if it never was."""
        free = [one for one in moments if not one.limited] or moments
        if not free:
            return None
        fastest = max(abs(one.speed or 0.0) for one in free)
        under_way = [one for one in free if abs(one.speed or 0.0) >= _FAST * fastest]
        return min(under_way, key=lambda one: (round(one.unrest, 9), one.time))

    def point(self) -> Moment | None:
        """Where the loops are looked at: under way as in the run, at the equilibrium there, if there is one.

        None if the run never got on.
        """
        moments = self.run()
        best = self.steadiest(moments)
        if best is None or self._in_weather():
            return best
        fastest = max(abs(one.speed or 0.0) for one in moments)
        if (found := self._settled(best)) is not None:
            return found
        if best.unrest <= CALM and not best.limited:
            return best
        calm = sorted((one for one in moments if one is not best), key=lambda one: (bool(one.limited), one.unrest))
        for tried in (self._straight(best, fastest), *calm[:2]):
            found = self._settled(tried)
            if found is not None and abs(found.speed or 0.0) >= _FAST * fastest and not found.limited:
                return found
        return best

    def _settled(self, moment: Moment) -> Moment | None:
        """The equilibrium near a moment by Newton's method, if there is one with about its speed."""
        model = self.closed
        self._stand(model, moment)
        try:
            if not newton_step(model, moment.time):
                return None
        except (AnalysisError, ValueError, np.linalg.LinAlgError):
            return None
        found = self._moment(moment.time)
        near = abs((found.speed or 0.0) - (moment.speed or 0.0)) <= 0.3 * max(abs(moment.speed or 0.0), 0.1)
        return found if near else None

    def _straight(self, moment: Moment, speed: float) -> Moment:
        """The start of the run, but with this surge speed: where a run is that never came to rest may go to."""
        model = self.closed
        self._restart()
        values = model.values.copy()
        for leaf in self._vessels:
            place = model.plan.states.get(f"{leaf.name}.nu")
            if place is not None:
                values[place.first] = speed if place.count in (3, 6) else values[place.first]
        return Moment(moment.time, values, speed, (), moment.unrest)

    def _restart(self) -> None:
        model = self.closed
        kept = {name: model.values[place.slice].copy() for name, place in model.plan.parameters.items()}
        model.start(self.start)
        for name, value in kept.items():
            model.values[model.plan.parameters[name].slice] = value
        model.engine.parameters_changed()

    def loops(self, moment: Moment) -> OpenLoops | None:
        """The loops about a moment. None if nothing closes any."""
        if self.opened is None:
            return None
        self._stand(self.closed, moment)
        model = self.opened
        model.take(self.closed)
        model.engine.parameters_changed()
        model.hold(moment.time)
        names = tuple(dict.fromkeys(channel.output for channel in self.channels))
        system = linearized(model, moment.time, None, None, names)
        return OpenLoops(system, self.channels)

    def _stand(self, model: Model, moment: Moment) -> None:
        model.values[:] = moment.values
        for name, value in self._set.items():
            model.values[model.plan.parameters[name].slice] = np.reshape(value, -1)
        model.engine.parameters_changed()
        model.hold(moment.time)

    def _in_weather(self) -> bool:
        """Whether something varies without end: then no moment is at rest."""
        return any(leaf.block.family == "environment" and leaf.block.uses_time for leaf in self.flat.leaves)


_SETTLING = ("nu",)
