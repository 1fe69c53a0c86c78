"""The task of a learner, bound to the signals of one vehicle or of many: observation, reward and end."""

from __future__ import annotations

import math
from collections.abc import Collection
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError, WiringError
from blocks.live.learning.commands import limits
from blocks.live.learning.declaration import Declaration
from blocks.live.learning.episode_metrics import EpisodeMetrics
from blocks.live.learning.opening import Alias
from blocks.live.learning.signals import TIME, Bound, Rows, Signals, View
from blocks.plan import Plan
from blocks.plan.surface import Surface
from blocks.scenario.expression import CONSTANTS, Expression, Reference, names_in

Array = NDArray[np.float64]
Mask = NDArray[np.bool_]

FAILURE, TIME_LIMIT = "failure", "time limit"
"""Why an episode ends, besides the terminations that are declared."""
ENDING = "ending"
"""The term of the reward that comes with the end of an episode."""


class Task:
    """Observation, reward and end of episodes, for `count` vehicles at once.

    view: where the values of a signal stand, vehicles × elements. `begin` is called when the engine was reset, `step`
    when it has advanced by one interval.
    """

    def __init__(
        self,
        declaration: Declaration,
        plan: Plan | Surface,
        aliases: dict[str, Alias],
        view: View,
        count: int,
        interval: float,
    ) -> None:
        self.declaration, self.count, self.interval = declaration, count, interval
        entry = declaration.entry
        self.limit = _whole(declaration, "episode", interval)
        self.signals = Signals({**plan.outputs, **plan.inputs}, aliases)
        self.metrics = EpisodeMetrics(declaration, plan, view, count, self.limit, interval)
        self._check_names()

        observed = {name: item.of if item.of is not None else name for name, item in entry.observation.items()}
        ends = {name: item.when for name, item in entry.termination.items()}
        bonuses = {name: item.reward for name, item in entry.termination.items()}
        read = {
            kind: {name: declaration.expression(text, _ITEM.get(kind, kind), name) for name, text in items.items()}
            for kind, items in (("derived", entry.derived), ("observation", observed), ("reward", entry.reward),
                                ("termination", ends), ("bonus", bonuses), ("final", entry.final))
        }  # fmt: skip
        self.measured = {name: np.zeros(count) for name in entry.metrics}
        self.derived_rows: dict[str, Array] = {}
        for name in entry.derived:
            self.derived_rows[name] = np.zeros(count)
        own = {Reference(name): row for name, row in {**self.measured, **self.derived_rows}.items()}
        needed: dict[Reference, None] = {}
        for kind, items in read.items():
            known = {*([] if kind == "derived" else entry.derived), *(entry.metrics if kind == "final" else ())}
            for name, expression in items.items():
                needed |= dict.fromkeys(self._needed(kind, name, expression, known))
                known |= {name} if kind == "derived" else set()
        self.rows = Rows(needed, self.signals, view, count)
        of: dict[Reference, Any] = {**self.rows.of, **own}
        bound = {kind: {n: Bound(e, of) for n, e in items.items()} for kind, items in read.items()}
        for kind, group in bound.items():
            for name, item in group.items():
                with declaration.at(_ITEM.get(kind, kind), name):
                    width = item.width()
                    if width > 1 and kind != "observation":
                        raise WiringError(f"'{item.expression}' gives {width} numbers, and one is needed")
        self.derived, self.observed, self.rewards, self.terminations, self.bonuses, self.final = bound.values()
        self.changing = [
            item for kind, group in bound.items() for item in group.values() if item.inner and kind != "derived"
        ]

        self.widths = {name: item.width() for name, item in self.observed.items()}
        self.low, self.high = (np.concatenate(parts) for parts in zip(*map(self._limits, self.observed), strict=True))
        self._scaled = np.zeros((len(self.low), count))
        finite = np.isfinite(self.low)
        low, high = np.where(finite, self.low, -1.0), np.where(finite, self.high, 1.0)
        self._middle = 0.5 * (low + high)[:, None]
        self._scale = 2.0 / (high - low)[:, None]
        self._ends = np.where(finite, 1.0, np.inf)[:, None]
        self._least = -self._ends

        self._backwards = [*enumerate(self.terminations.values())][::-1]
        self.steps = np.zeros(count, dtype=np.int64)
        self.terms = {name: np.zeros(count) for name in (*entry.reward, ENDING)}
        self.reasons = [*entry.termination, FAILURE, TIME_LIMIT]
        self.ended_by = np.full(count, -1)

    def begin(self, mask: Mask) -> None:
        """An episode has begun for some."""
        self.steps[mask] = 0
        self.ended_by[mask] = -1
        np.multiply(self.steps, self.interval, out=self.rows.time)
        self.rows.take()
        with np.errstate(all="ignore"):
            for name, bound in self.derived.items():
                bound.begin(mask)
                self.derived_rows[name][...] = bound.value()
            for bound in self.changing:
                bound.begin(mask)
        self.metrics.take(self.steps)

    def observation(self) -> NDArray[np.float32]:
        """What is seen: vehicles × numbers, a new array. Raises SimulationError for what is not finite."""
        first, scaled = 0, self._scaled
        with np.errstate(all="ignore"):
            for name, bound in self.observed.items():
                last = first + self.widths[name]
                scaled[first:last] = bound.value()
                first = last
            np.subtract(scaled, self._middle, out=scaled)
            np.multiply(scaled, self._scale, out=scaled)
            np.minimum(scaled, self._ends, out=scaled)
            np.maximum(scaled, self._least, out=scaled)
            found = np.empty(scaled.shape[::-1], dtype=np.float32)
            np.copyto(found, scaled.T, casting="same_kind")
        if not math.isfinite(np.vdot(found, found)) and not np.isfinite(found).all():  # the first alone is quicker
            vehicle, number = map(int, np.argwhere(~np.isfinite(found))[0])
            raise self._not_finite(f"the observation {self.names[number]}", vehicle, f"{found[vehicle, number]:g}")
        return found

    @property
    def names(self) -> list[str]:
        """What the numbers of an observation are."""
        return [name if width == 1 else f"{name}[{i}]" for name, width in self.widths.items() for i in range(width)]

    @property
    def bounds(self) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """The least and the greatest observation."""
        ends = self._ends[:, 0].astype(np.float32)
        return -ends, ends

    def step(self, failed: Mask, waiting: Mask) -> tuple[Array, Mask, Mask]:
        """Rewards, and who ended by a termination or a failure, and who by the time limit.

        waiting: those whose episode had ended before, of whom nothing is said.
        """
        self.steps += ~waiting
        np.multiply(self.steps, self.interval, out=self.rows.time)
        self.rows.take()
        with np.errstate(all="ignore"):
            for name, bound in self.derived.items():
                bound.step()
                self.derived_rows[name][...] = bound.value()
            for bound in self.changing:
                bound.step()
            reward = np.zeros(self.count)
            for name, bound in self.rewards.items():
                term = self.terms[name]
                term[...] = bound.value()
                reward += term
            self.metrics.take(self.steps)
            terminated, truncated = self._end(failed, waiting)
            ending = self.terms[ENDING]
            ending[...] = 0.0
            done = terminated | truncated
            if done.any():
                self._reward_of_end(done, ending)
                reward += ending
            reward[waiting] = 0.0
        if not np.isfinite(reward).all():
            vehicle = int(np.argmin(np.isfinite(reward)))
            terms = ", ".join(f"{name} {term[vehicle]:g}" for name, term in self.terms.items())
            raise self._not_finite("the reward", vehicle, terms)
        return reward, terminated, truncated

    def _not_finite(self, what: str, vehicle: int, numbers: str) -> SimulationError:
        who = f" of vehicle {vehicle}" if self.count > 1 else ""
        return SimulationError(
            f"{what}{who} is not finite at {self.rows.time[vehicle]:g} s: {numbers}; keep it finite, by max(x, 1e-6) "
            f"in a denominator, say"
        )

    def _end(self, failed: Mask, waiting: Mask) -> tuple[Mask, Mask]:
        ended_by = self.ended_by
        ended_by.fill(-1)
        for number, bound in self._backwards:  # so that of several that hold the first counts
            np.copyto(ended_by, number, where=np.not_equal(bound.value(), 0.0))
        np.copyto(ended_by, self.reasons.index(FAILURE), where=failed)
        np.copyto(ended_by, -1, where=waiting)
        terminated = ended_by >= 0
        truncated = self.steps >= self.limit
        if truncated.any():
            truncated &= ~(terminated | waiting)
            ended_by[truncated] = self.reasons.index(TIME_LIMIT)
        return terminated, truncated

    def _reward_of_end(self, done: Mask, ending: Array) -> None:
        """What ends of episodes are worth: of what ended them, and of what was measured."""
        for number, bound in enumerate(self.bonuses.values()):
            np.copyto(ending, bound.value(), where=self.ended_by == number)
        ending[self.ended_by == self.reasons.index(FAILURE)] = self.declaration.entry.failure
        for name, values in self.metrics.measure(np.flatnonzero(done), self.steps).items():
            self.measured[name][done] = values
        for bound in self.final.values():
            np.add(ending, bound.value(), out=ending, where=done)

    def ending(self, vehicle: int) -> dict[str, Any]:
        """What is told of the end of an episode."""
        told: dict[str, Any] = {"ended_by": self.reasons[self.ended_by[vehicle]]}
        if self.measured:
            told["metrics"] = {name: float(values[vehicle]) for name, values in self.measured.items()}
        return told

    def _check_names(self) -> None:
        """Raise ScenarioError for a name that something else has."""
        entry = self.declaration.entry
        signals = {*self.signals.places, TIME, *CONSTANTS}
        for kind, names, taken in (
            ("metrics", entry.metrics, signals),
            ("derived", entry.derived, signals | set(entry.metrics)),
            ("reward", entry.reward, {ENDING}),
            ("termination", entry.termination, {FAILURE}),
        ):
            for name in taken.intersection(names):
                message = f"'{name}' is the name of something else: choose another one"
                raise self.declaration.error(kind, name, message=message)

    def _needed(self, kind: str, name: str, expression: Expression, besides: Collection[str]) -> list[Reference]:
        """The signals that an expression is of. Raises ScenarioError, with its place, for what is not there."""
        with self.declaration.at(_ITEM.get(kind, kind), name):
            found = [r for r in names_in([expression]) if r.element is not None or r.name not in besides]
            for reference in found:
                if reference.name != TIME:
                    self.signals.span(reference, besides)
        return found

    def _limits(self, name: str) -> tuple[Array, Array]:
        """What -1 and 1 of an observation stand for; infinite where it is given as it is."""
        item, width = self.declaration.entry.observation[name], self.widths[name]
        if item.range is None:
            return np.full(width, -np.inf), np.full(width, np.inf)
        with self.declaration.at("observation", name):
            unit = self.signals.unit(self.observed[name].expression)
            low, high = limits(item.range, unit)
        return np.full(width, low), np.full(width, high)


def _whole(declaration: Declaration, name: str, interval: float) -> int:
    """How many intervals a time has. Raises ScenarioError if that is no whole number."""
    seconds = declaration.seconds(name)
    count = round(seconds / interval)
    if count < 1 or abs(seconds - count * interval) > 1e-9 * seconds:
        raise declaration.error(name, message=f"{seconds:g} s must be a whole number of intervals of {interval:g} s")
    return count


_ITEM = {"bonus": "termination"}
"""Where expressions stand that have no key of their own."""
