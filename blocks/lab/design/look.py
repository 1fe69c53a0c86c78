"""A look at the loops of a scenario where it is under way: margins, modes, and what is the matter, in words."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from blocks.lab.design.modes import UNSTABLE, Mode, modes_of
from blocks.lab.design.open_loops import OpenLoops
from blocks.lab.design.rig import CALM, Moment, Rig
from blocks.lab.design.robustness import LoopMargins

if TYPE_CHECKING:
    from blocks.scenario import Scenario

LEAST_PHASE = np.radians(30.0)
"""A phase margin below which a loop is warned of."""
_FACTORS = (0.75, 1.5, 0.5, 2.0, 0.2, 5.0)
_UNLIMITED = 1000.0
_FADES = 0.98
"""By what a step changes a mode that fades, at most, if the step is not short beside it."""
_ORDERS = {"euler": 1, "heun": 2, "rk4": 4}


@dataclass(frozen=True, eq=False)
class Look:
    """The loops of a scenario about a point of its run.

    speed: of the vessel there, through the water, m/s. held: sampled blocks within the loops, which the linear system
    lacks. span: how long the run is, s. solver, step: with what it is run.
    """

    open_loops: OpenLoops
    moment: Moment
    held: tuple[str, ...]
    span: float
    solver: str
    step: float

    @property
    def speed(self) -> float | None:
        """Of the vessel, through the water, m/s."""
        return self.moment.speed

    @cached_property
    def margins(self) -> Mapping[str, LoopMargins]:
        """Of each loop, the others closed, by the name of the output at which it is opened."""
        one = self.open_loops
        return {one.channels[i].name: one.margins(i) for i in one.looped}

    @cached_property
    def modes(self) -> tuple[Mode, ...]:
        """Of the closed loop, the fastest growing first; states that drift are set aside."""
        return modes_of(self.open_loops)

    @cached_property
    def disk(self) -> float:
        """The disk margin of all loops that act, changed at once."""
        return self.open_loops.disk()

    @property
    def trusted(self) -> bool:
        """Whether the linear system tells of the run: steady, within limits, nothing sampled in its loops."""
        return bool(self.open_loops.looped) and not (self.held or self.moment.limited or self.moment.unrest > CALM)

    @property
    def unstable(self) -> tuple[Mode, ...]:
        """Modes that grow by the factor e within the run."""
        return tuple(mode for mode in self.modes if mode.unstable and mode.value.real * self.span > 1.0)

    @property
    def weak(self) -> tuple[str, ...]:
        """Loops with too small a phase margin, the smallest first."""
        small = {n: m.phase for n, m in self.margins.items() if m.phase is not None and m.phase < LEAST_PHASE}
        return tuple(sorted(small, key=lambda name: small[name]))

    def too_fast(self) -> tuple[Mode, float] | None:
        """A mode that fades too fast for solver and step, so that the numbers grow or hardly fade, and a step that it
        bears, s, of two digits."""
        if self.solver not in _ORDERS:
            return None
        fast = [mode for mode in self.modes if not _follows(self.solver, mode, self.step)]
        if not fast:
            return None
        mode = min(fast, key=lambda one: one.value.real)
        step = self.step
        while not all(_follows(self.solver, one, step) for one in self.modes):
            step *= 0.998
        digit = 10.0 ** (math.floor(math.log10(step)) - 1)
        return mode, float(f"{math.floor(step / digit * (1.0 + 1e-9)) * digit:.2g}")

    def weakest(self) -> str | None:
        """The loop with the least phase margin."""
        phases = {name: one.phase for name, one in self.margins.items() if one.phase is not None}
        return min(phases, key=lambda name: phases[name]) if phases else None

    def steers(self, name: str) -> bool:
        """Whether a loop asks another controller, instead of acting."""
        return next(one.steers for one in self.open_loops.channels if one.name == name)

    def at(self) -> str:
        """Where that is: "at 1 m/s"."""
        return f"at {self.moment.time:.3g} s" if self.speed is None else f"at {abs(self.speed):.3g} m/s"

    def calmed_by(self, mode: Mode) -> tuple[str, float] | None:
        """The loop, and the factor of its gain, by which what grows does so half as fast, or not at all.

        -1 where the opposite sign makes it stable; None if no loop alone does it.
        """
        names = [one.name for one in self.open_loops.channels]
        for name in mode.acting:
            growths = {k: _growth(self.open_loops, names.index(name), k) for k in (-1.0, *_FACTORS)}
            if growths[-1.0] < UNSTABLE and min(growths[k] for k in _FACTORS) >= UNSTABLE:
                return name, -1.0
            for factor in _FACTORS:
                if growths[factor] < 0.5 * mode.value.real:
                    return name, factor
        return None

    def say(self, mode: Mode) -> str:
        """A mode that grows, and what to do, as one or two sentences."""
        how = f"grows with a time constant of {mode.time_constant:.3g} s"
        if mode.period is not None:
            how += f", swinging with a period of {mode.period:.3g} s"
        text = f"the {mode.name} mode ({mode.symbols}) of the closed loop is unstable {self.at()}: it {how}"
        return f"{text}. {self.advice(mode)}"

    def advice(self, mode: Mode) -> str:
        """What calms a mode."""
        found = self.calmed_by(mode)
        if found is not None and found[1] < 0.0:
            return f"With the opposite sign of {found[0]} it would be stable"
        if found is not None:
            return f"{'Less' if found[1] < 1.0 else 'More'} gain of {found[0]} calms it"
        if not mode.acting:
            return f"No controller acts on it: give {mode.name} one, or go slower"
        named = f"no gain of {mode.acting[0]} alone makes it stable"
        return f"{named[0].upper()}{named[1:]}: give {mode.name} a controller of its own, or go slower"


def _grows(solver: str, mode: Mode, step: float) -> complex:
    """By what a step of an explicit solver changes a mode: 1 + z + z²/2! + … up to its order, z = λ h."""
    return sum((mode.value * step) ** k / math.factorial(k) for k in range(_ORDERS[solver] + 1))


def _follows(solver: str, mode: Mode, step: float) -> bool:
    """Whether what fades does so in the numbers too; what is slow beside the step does with all solvers, if it is
    damped at all."""
    if mode.value.real >= 0.0:
        return True
    size = abs(_grows(solver, mode, step))
    return size < _FADES or (size <= 1.0 and abs(mode.value * step) < 1.0)


def _growth(loops: OpenLoops, channel: int, factor: float) -> float:
    """The largest real part with the gain of one loop by a factor."""
    A, B, C, D = loops.closed_but([channel])
    closed = A + B @ C * (factor / (1.0 - factor * D[0, 0]))
    kept = [i for i in range(len(closed)) if i not in loops.drifting]
    return float(np.linalg.eigvals(closed[np.ix_(kept, kept)]).real.max(initial=-np.inf))


def look(scenario: Scenario, *, end: float | None = None, also: Collection[str] = ()) -> Look | None:
    """The loops of a scenario where it is under way. None if it has none, or never got on.

    end: look before this time of the run, s. also: blocks that count as controllers, a gain alone say. Raises what
    making its plan raises.
    """
    with Rig(scenario, end=end, also=also) as rig:
        return look_at(rig)


def look_at(rig: Rig) -> Look | None:
    """The loops of a rig where it is under way, with the gains that it has. None if there are none."""
    if all(one.steers for one in rig.channels):
        return None
    with np.errstate(all="ignore"):  # a run may grow without bound on the way
        moment = rig.point()
        loops = None if moment is None else rig.loops(moment)
        if moment is None or loops is None or not np.all(np.isfinite(loops.closed)):
            return None
    return Look(loops, moment, rig.held, min(rig.whole - rig.start, _UNLIMITED), rig.solver, rig.step)
