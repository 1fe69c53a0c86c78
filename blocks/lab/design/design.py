"""Design of the loops of a scenario: a look at all speeds, gains that bear more, and runs with both."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from blocks.errors import did_you_mean
from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.design.by_lqr import by_lqr
from blocks.lab.design.by_run import by_run
from blocks.lab.design.by_shaping import by_shaping
from blocks.lab.design.found import Design
from blocks.lab.design.gains import all_gains, turned_of
from blocks.lab.design.look import Look, look_at
from blocks.lab.design.proposal import Trials, proposal
from blocks.lab.design.rig import Rig
from blocks.lab.design.shaping import PHASE
from blocks.lab.design.speeds import speed_parameter
from blocks.lab.design.trial import run_of, swept
from blocks.lab.tuning.progress import TuningBar

if TYPE_CHECKING:
    from blocks.scenario import Scenario


METHODS = ("shaping", "lqr", "run")


def design(
    scenario: Scenario,
    *,
    loops: Sequence[str] | None = None,
    bandwidth: Mapping[str, float] | None = None,
    phase_margin: float = PHASE,
    speeds: Sequence[float] | None = None,
    run: bool = True,
    method: str = "shaping",
    runs: int = 60,
    progress: bool | Callable[[int, float], None] = False,
) -> Design:
    """Look at the loops of a scenario, propose gains for those that bear too little, and try them.

    loops: those that are tuned, by the output at which they are opened, or by their block; by default those that bear
        less than the phase margin, 6 dB of gain both ways and a disk margin of 0.7.
    bandwidth: crossovers that are wanted, rad/s, by the same names; by default about those that the loops have.
    phase_margin: that is wanted, rad.
    speeds: at which the loops are looked at besides, m/s; by default parts of the speed that is wanted.
    run: whether the scenario is run with both.
    method: "shaping": gains of each loop come from its frequency response, the others closed, from the fastest to the
        slowest and round again. "lqr": from a linear-quadratic regulator of all acting loops at once, projected on the
        gains that the controllers have. "run": those that are shaped, turned until the run has the least errors.
        Guidance gets a longer lookahead by all of them.
    runs: of method "run", at most, about.
    progress: a progress bar of these runs, or a function of (runs done, least cost).

    What is proposed is linearized anew, at all speeds, and run, and is refused if something is unstable that was not,
    if the loops bear less than they did and than is wanted, if the run stops or gets less far, or if an error's root
    mean square becomes 1.5 times as large.

    Raises AnalysisError if the scenario has no loops, for names that are not there, for a phase margin that is not
    within 0 and 90°, for a crossover of a loop that is not tuned, and what making its plan raises.
    """
    _checked_method(method, run, runs, bandwidth)
    _checked_numbers(phase_margin, bandwidth or {}, speeds or ())
    with Rig(scenario) as rig:
        before = look_at(rig)
        if before is None:
            raise AnalysisError(
                f"{scenario.name} has no loops: no controller of `blocks.control` acts on what comes back to it"
            )
        chosen = _chosen(before, loops)
        asked = {name: value for key, value in (bandwidth or {}).items() for name in _chosen(before, [key])}
        for name in asked:
            if name not in chosen:
                raise AnalysisError(f"a crossover is asked for '{name}', which is not among the loops to be tuned: "
                                    f"{', '.join(chosen)}")  # fmt: skip
        if speeds and speed_parameter(rig) is None:
            raise AnalysisError(f"{scenario.name} has no parameter for a speed that is wanted: leave out the speeds")
        if before.held:
            return Design(scenario, before, None, {}, f"{', '.join(before.held)} within the loops is sampled, and held "
                          "in the linear system: take it out, or in a copy put a FirstOrderLag there")  # fmt: skip
        own = all_gains(rig)
        with np.errstate(all="ignore"):
            first = run_of(scenario) if run or method == "lqr" else None
            looked = tuple((speed, one, None) for speed, one in swept(rig, own, speeds))
            start = Design(scenario, before, None, {}, sweep=looked)
            if run and first is not None:
                start = replace(start, runs=(first[0], None), stopped=(first[1], ""))
            trials = Trials(rig, start, own, speeds, first if run else None)
            if method == "lqr" and first is not None:
                kept = by_lqr(rig, before, chosen, phase_margin, first[0])
                steering = [name for name in chosen if before.steers(name)]
                kept |= by_shaping(rig, before, steering, {}, phase_margin, everything=False)
            else:
                kept = by_shaping(rig, before, chosen, asked, phase_margin, everything=loops is not None)
            trials = replace(trials, start=replace(start, kept=kept))
            made = proposal(trials, all_gains(rig), chosen, phase_margin)
            if method != "run":
                return made
            names = turned_of(rig, own, chosen)
            with TuningBar.of(progress, runs) as told:
                return by_run(trials, made, names, phase_margin, runs, told)


def _checked_method(method: str, run: bool, runs: int, bandwidth: Mapping[str, float] | None) -> None:
    """Raise AnalysisError where method and the rest do not go together."""
    if method not in METHODS:
        raise AnalysisError(f"there is no method '{method}'{did_you_mean(method, METHODS)}")
    if method == "run" and not run:
        raise AnalysisError("method 'run' tunes against the run: leave out --no-run (run=False), or take 'shaping'")
    if method == "lqr" and bandwidth:
        raise AnalysisError("method 'lqr' weighs errors against outputs and takes no bandwidth: take 'shaping' for one")
    if runs < 1:
        raise AnalysisError(f"--runs must be 1 or more, not {runs}")


def _checked_numbers(phase_margin: float, bandwidth: Mapping[str, float], speeds: Sequence[float]) -> None:
    """Raise AnalysisError for numbers that nothing can be designed for."""
    if not 0.0 < phase_margin <= np.pi / 2:
        raise AnalysisError(f"the phase margin must be above 0 and at most 90°, not {np.degrees(phase_margin):g}°")
    for name, value in bandwidth.items():
        if not 0.0 < value < np.inf:
            raise AnalysisError(f"the crossover of '{name}' must be > 0 rad/s, not {value:g}")
    for speed in speeds:
        if not np.isfinite(speed):
            raise AnalysisError(f"a speed must be a finite number of m/s, not {speed:g}")


def _chosen(before: Look, wanted: Sequence[str] | None) -> list[str]:
    """Names of loops, by their output or by their block. Raises AnalysisError."""
    known = list(before.margins)
    if wanted is None:
        return known
    found = []
    for given in wanted:
        names = [name for name in known if name == given or name.rpartition(".")[0] == given]
        if not names:
            raise AnalysisError(f"there is no loop at '{given}'{did_you_mean(given, known)}")
        found += names
    return found
