"""Metrics in text: "settling_time(vessel.eta[psi], guidance.heading, band=0.05)"."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import numpy as np

from blocks.errors import did_you_mean
from blocks.metrics import journeys, series, steps  # noqa: F401  (they define the metrics)
from blocks.metrics.definition import Array, MetricCall
from blocks.metrics.errors import MetricError
from blocks.metrics.reading import PHASE, read
from blocks.metrics.signals import check_signals, options_of, parted, unit_of
from blocks.plan.place import Place
from blocks.run.result import Result


@dataclass(frozen=True)
class RunMetric(MetricCall):
    """A metric with the signals that it is of. Called with the result of a run it gives a number.

    Raises MetricError, when called, for what cannot be measured: signals of another kind, a step that is none, a vessel
    that did not arrive; and ResultError for a signal that was not recorded.
    """

    @classmethod
    def of(cls, text: str) -> RunMetric:
        """Read a metric. Raises MetricError."""
        if not isinstance(text, str):
            raise MetricError(f"a metric is text such as 'rms(vessel.eta[z])', not {text!r}")
        definition, signals, options, said = read(text)
        return cls(definition, tuple(signals), options, said)

    def needs(self, available: Collection[str]) -> tuple[str, ...]:
        """The outputs that have to be recorded, where these are available. Raises MetricError."""
        names = [parted(signal)[0] for signal in self.signals]
        return tuple(dict.fromkeys([*names, *self.schedule(available), *self._phases(available)]))

    def check(self, places: Mapping[str, Place]) -> None:
        """Raise MetricError if the signals are not what the metric takes; those that are not there are passed over."""
        check_signals(self, places)
        for name in self._phases(list(places)):
            self._phase_number(places[name])

    def __call__(self, result: Result) -> float:
        for signal in self.signals:
            result.values(signal)
        self.check(result.places)
        window = self._window(result)
        time = result.time[window]
        if len(time) < 2:
            count = "1 sample" if len(time) == 1 else "0 samples"
            raise MetricError(f"{self}: the run has {count} there, and two are needed")
        if not (result.time_increases or np.all(np.diff(time) > 0.0)):
            raise MetricError(f"{self}: the time of the run does not increase from sample to sample")
        arrays = [np.ascontiguousarray(self._array(result, n)[window]) for n in range(len(self.signals))]
        for signal, array in zip(self.signals, arrays, strict=True):
            self._check_numbers(signal, time, array)
        angle = bool(arrays) and arrays[0].ndim == 1 and self._unit_of_signal(result.places) == "rad"
        within = angle and bool(np.all(np.abs(arrays[0]) <= np.pi))
        if angle and (len(arrays) == 2 or self.definition.moving):
            arrays[0] = np.unwrap(arrays[0])
            if len(arrays) == 2:
                arrays[1] = arrays[0] + _wrapped(arrays[1] - arrays[0])
        if self.definition.error and len(arrays) == 2:
            arrays = [arrays[1] - arrays[0]]
        try:
            value = float(self.definition.function(time, *arrays, **options_of(self, result.places)))
        except MetricError as problem:
            raise MetricError(f"{self}: {problem}") from None
        return float(_wrapped(np.asarray(value))) if within and self.definition.direction else value

    def unit(self, units: Mapping[str, str]) -> str:
        """The unit of the result, from those of the signals by name."""
        first = units.get(self.signals[0], "1") if self.signals else "1"
        return combined(self.definition.unit, first)

    def unit_among(self, places: Mapping[str, Place]) -> str:
        """The unit of the result where these signals are."""
        return combined(self.definition.unit, self._unit_of_signal(places))

    def schedule(self, available: Collection[str]) -> tuple[str, ...]:
        """The output that tells which leg is followed: the one called `waypoint` beside a signal, or the only one."""
        return self._telling("leg", "waypoint", available) if self.options.get("leg") else ()

    def _phases(self, available: Collection[str]) -> tuple[str, ...]:
        """The output that tells the phase of a mission: the one called `phase` beside a signal, or the only one."""
        return self._telling(PHASE, PHASE, available) if PHASE in self.said else ()

    def _telling(self, option: str, port: str, available: Collection[str]) -> tuple[str, ...]:
        beside = [f"{parted(signal)[0].rpartition('.')[0]}.{port}" for signal in self.signals]
        all_there = [name for name in available if name.endswith(f".{port}")]
        found = [name for name in beside if name in available] or all_there
        if len(dict.fromkeys(found)) != 1:
            there = f"there are {', '.join(all_there)}" if all_there else "there is none"
            raise MetricError(f"{self}: {option}= needs the one output '{port}' that tells the {option}, and {there}")
        return (found[0],)

    def _unit_of_signal(self, places: Mapping[str, Place]) -> str:
        return unit_of(self.signals[0], places) if self.signals else "1"

    def _array(self, result: Result, number: int) -> Array:
        array = result.values(self.signals[number])
        if self.definition.signals[number].strip("[]") in self.definition.whole:
            return array
        return array.reshape(len(array))

    def _check_numbers(self, signal: str, time: Array, array: Array) -> None:
        sound = np.isfinite(array if array.ndim == 1 else array[:, :3].sum(axis=1))
        if not sound.all():
            raise MetricError(f"{self}: {signal} is not a finite number at {time[np.argmin(sound)]:g} s")

    def _window(self, result: Result) -> np.ndarray | slice:
        """The rows that are meant."""
        if not self.options.keys() & {"after", "until", "leg"} and PHASE not in self.said:
            return slice(None)
        time = result.time
        inside = (time >= self.options.get("after", -np.inf)) & (time <= self.options.get("until", np.inf))
        for name in self.schedule(list(result)):
            legs, leg = legs_of(result.values(name)), int(self.options["leg"])
            on = inside & (legs == leg)
            if not on.any():
                followed = sorted({int(number) for number in legs[inside]})
                there = f"those that were are {', '.join(map(str, followed))}" if followed else "none was"
                raise MetricError(f"{self}: leg {leg} was not followed there; {there}")
            first = int(np.argmax(on))
            over = np.flatnonzero(~on[first:])
            on[first + int(over[0]) if over.size else len(on) :] = False  # a loop comes back to it
            inside = on
        for name in self._phases(list(result)):
            number = self._phase_number(result.places[name])
            inside = inside & (result.values(name).reshape(len(time)) == number)
            if not inside.any():
                raise MetricError(f"{self}: the mission was not in the phase {self.said[PHASE]} there")
        return np.asarray(inside)

    def _phase_number(self, place: Place) -> int:
        """The number of the phase that is named. Raises MetricError."""
        wanted, names = self.said[PHASE], place.signal.meanings if place.signal else ()
        if wanted in names:
            return names.index(wanted)
        if wanted.isdigit() and (0 < int(wanted) < len(names) or not names):
            return int(wanted)
        if not names:
            raise MetricError(f"{self}: {place.name} does not say the names of its phases; give their number from 1")
        raise MetricError(f"{self}: there is no phase '{wanted}'{did_you_mean(wanted, names[1:])}")


def legs_of(waypoint: Array) -> Array:
    """The leg of each sample, from 1. On a loop the way from the last waypoint back to the first is the last."""
    target = waypoint.reshape(len(waypoint))
    return np.where(target >= 2.0, target - 1.0, target.max())


def combined(rule: str, unit: str) -> str:
    """The unit of a result, by the rule of its definition and the unit of the signal."""
    if unit == "1":
        made = rule.replace("({0})**2*", "").replace("{0}*", "").replace("{0}/", "1/").replace("{0}", "1")
        return made.replace("s**2", "s^2")
    if unit.endswith("/s") and rule in ("{0}*s", "{0}*s**2"):
        return unit.removesuffix("/s") + ("*s" if rule == "{0}*s**2" else "")
    square = f"({unit})^2" if set(unit) & set("*/^") else f"{unit}^2"
    return rule.replace("({0})**2", square).replace("{0}", unit).replace("s**2", "s^2")


def _wrapped(angle: Array) -> Array:
    return np.asarray((angle + np.pi) % (2.0 * np.pi) - np.pi)
