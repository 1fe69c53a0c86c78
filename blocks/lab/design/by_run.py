"""Against the run: the gains with which the nonlinear run has the least errors, while the margins stay."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from scipy import optimize

from blocks.lab.design.by_shaping import bearable
from blocks.lab.design.gains import STEERING
from blocks.lab.design.look import look_at
from blocks.lab.design.proposal import Trials
from blocks.lab.design.robustness import Array
from blocks.lab.design.shaping import DISK
from blocks.lab.design.trial import errors_of, rms_of, run_with, worse_run

if TYPE_CHECKING:
    from blocks.lab.design.found import Design
    from blocks.run.result import Result

_REACH = np.log(5.0)
_REACH_STEERING = np.log(2.5)
_EFFORT = 0.1
"""What the size of outputs counts beside that of errors."""
_FAILED = 3.0
_TRIES = 5
_RHO = (0.25, 0.02)
"""The first and the last radius of the search, in logarithms of gains."""
_VIOLATION = 1e-3


class _Runs:
    """Runs with gains as factors of those to begin with: what they cost, and what the loops bear with them."""

    def __init__(
        self, trials: Trials, start: Mapping[str, Array], names: tuple[str, ...], phase: float,
        progress: Callable[[int, float], object],
    ) -> None:  # fmt: skip
        self.trials, self.start, self.names, self.progress = trials, start, names, progress
        before = trials.before
        self.wanted = {
            name: phase if before.unstable else min(phase, one.phase)
            for name, one in before.margins.items()
            if one.phase is not None
        }
        self.disk = DISK if before.unstable else min(DISK, before.disk)
        self.found: dict[bytes, tuple[float, Array]] = {}
        self.gains: dict[bytes, dict[str, Array]] = {}

    def cost(self, x: Array) -> float:
        """The mean of the errors' root mean squares over those of the run as it is, and a tenth of that of outputs."""
        return self._at(x)[0]

    def room(self, x: Array) -> Array:
        """What is left of each margin beyond what is wanted, in parts of it; negative where a loop bears too little."""
        return self._at(x)[1]

    def gains_at(self, x: Array) -> dict[str, Array]:
        """Gains, to three digits."""
        found = dict(self.start)
        for name in self.names:
            found[name] = np.array(found[name], dtype=float)
        for value, (name, place) in zip(x, self._places(), strict=True):
            flat = found[name].reshape(-1)
            flat[place] = float(f"{flat[place] * np.exp(value):.3g}")
        return found

    def _places(self) -> list[tuple[str, int]]:
        return [(name, int(k)) for name in self.names for k in np.flatnonzero(np.ravel(self.start[name]))]

    @property
    def reach(self) -> Array:
        """The largest change of each gain, as a logarithm."""
        return np.array(
            [_REACH_STEERING if name.rpartition(".")[2] in STEERING else _REACH for name, _ in self._places()]
        )

    def best(self) -> list[dict[str, Array]]:
        """Gains whose loops bear enough, those with the best run first."""
        good = [key for key, (cost, room) in self.found.items() if np.all(room >= -_VIOLATION) and cost < _FAILED]
        return [self.gains[key] for key in sorted(good, key=lambda key: self.found[key][0])]

    def _at(self, x: Array) -> tuple[float, Array]:
        gains = self.gains_at(x)
        key = b"".join(np.asarray(gains[name], dtype=float).tobytes() for name in self.names)
        if key not in self.found:
            self.gains[key] = gains
            self.found[key] = self._cost(gains), self._room(gains)
            self.progress(len(self.found), min(cost for cost, _ in self.found.values()))
        return self.found[key]

    def _room(self, gains: Mapping[str, Array]) -> Array:
        rig, before = self.trials.rig, self.trials.before
        rig.set(gains)
        found = look_at(rig)
        if found is None:
            return np.full(len(self.wanted) + 1, -1.0)
        grows = max((mode.value.real for mode in found.modes), default=0.0)
        if grows > bearable(before):
            return np.full(len(self.wanted) + 1, -1.0 - grows)
        have = {name: one.phase for name, one in found.margins.items()}
        phases = [(have.get(name) or np.pi) / least - 1.0 for name, least in self.wanted.items()]
        return np.array([*phases, found.disk / self.disk - 1.0])

    def _cost(self, gains: Mapping[str, Array]) -> float:
        assert self.trials.first is not None
        first, stopped = self.trials.first
        result, why = run_with(self.trials.start.scenario, self.trials.own, gains)
        if why or (not stopped and worse_run(first, result, why, {})):
            return _FAILED
        errors = _ratios(first, result, errors_of(first))
        outputs = [one.output for one in self.trials.before.open_loops.channels if not one.steers]
        effort = _ratios(first, result, list(dict.fromkeys(outputs)))
        return min(_FAILED, float(np.mean(errors)) + _EFFORT * float(np.mean(effort)))


def _ratios(first: Result, second: Result, names: list[str]) -> list[float]:
    """Root mean squares in the second run over those in the first."""
    found = []
    for name in names:
        if name in first and name in second:
            was, then = rms_of(first, name), rms_of(second, name)
            if was > 1e-6:
                found.append(then / was)
    return found or [1.0]


def by_run(
    trials: Trials,
    shaped: Design,
    names: tuple[str, ...],
    phase: float,
    runs: int,
    progress: Callable[[int, float], object],
) -> Design:
    """A design whose gains were turned from those that are shaped, or those that there are, by a number of runs.

    Each gain may change by a factor of 5, a lookahead by 2.5. Phase margins and the disk margin, where they are not
    what is wanted before, may not become less; where they are, not less than that.

    Source: Ragonneau (2022), Model-Based Derivative-Free Optimization Methods and Software (COBYQA), by SciPy.
    """
    start = {**trials.own, **({n: np.asarray(v) for n, (_, v) in shaped.gains.items()} if shaped.proposed else {})}
    turned = _Runs(trials, start, names, phase, progress)
    reach = turned.reach
    optimize.minimize(
        turned.cost, np.zeros(len(reach)), method="COBYQA", bounds=np.stack([-reach, reach], axis=1),
        constraints=optimize.NonlinearConstraint(turned.room, 0.0, np.inf),
        options={"maxfev": runs, "initial_tr_radius": _RHO[0], "final_tr_radius": _RHO[1]},
    )  # fmt: skip
    refused = None
    for gains in turned.best()[:_TRIES]:
        found = trials.tried(gains)
        if found.proposed:
            return replace(found, kept=shaped.kept)
        refused = refused or found
    return shaped if shaped.proposed or refused is None else refused
