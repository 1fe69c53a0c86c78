"""Metrics in text: "settling_time(vessel.eta[psi], guidance.heading, band=0.05)"."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import numpy as np

from blocks.errors import ParameterError, did_you_mean
from blocks.metrics import journeys, series, steps  # noqa: F401  (they define the metrics)
from blocks.metrics.definition import DEFINITIONS, Array, Definition, Option
from blocks.metrics.errors import MetricError
from blocks.result import Result
from blocks.units import to_unit

WINDOW: Mapping[str, Option] = {
    "after": Option(-np.inf, "s", "only from this time on"),
    "until": Option(np.inf, "s", "only up to this time"),
    "leg": Option(0, "1", "only on this leg of the path, counted from 1; 0: on all"),
}
"""What every metric may be told: the part of the run that counts."""

_CALL = re.compile(r"\s*(?P<word>\w+)\s*(?:\((?P<inside>.*)\))?\s*\Z", re.S)
_SIGNAL = re.compile(r"[\w.]+(?:\[[^\]]+\])?\Z")


@dataclass(frozen=True)
class RunMetric:
    """A metric with the signals that it is of. Called with the result of a run it gives a number.

    Raises MetricError, when called, for what cannot be measured: a signal that was not recorded or has several
    elements, a step that is none, a vessel that did not arrive.
    """

    definition: Definition
    signals: tuple[str, ...]
    options: Mapping[str, float] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> RunMetric:
        """Read a metric. Raises MetricError."""
        found = _CALL.match(text)
        if found is None:
            raise MetricError(
                f"the metric '{text}' must be like rms(vessel.eta[z]) or overshoot(vessel.eta[psi], guidance.heading)"
            )
        word = found["word"]
        if word not in DEFINITIONS:
            raise MetricError(f"the metric '{text}': there is no '{word}'{did_you_mean(word, DEFINITIONS)}")
        definition = DEFINITIONS[word]
        signals, options = _arguments(text, found["inside"] or "", definition)
        if not definition.least <= len(signals) <= len(definition.signals):
            raise MetricError(f"the metric '{text}' takes other signals: {definition.usage}")
        return cls(definition, tuple(signals), options)

    def needs(self, available: Collection[str]) -> tuple[str, ...]:
        """The outputs that have to be recorded, where these are available. Raises MetricError."""
        names = [signal.partition("[")[0] for signal in self.signals]
        return tuple(dict.fromkeys([*names, *self._schedule(available)]))

    def __call__(self, result: Result) -> float:
        window = self._window(result)
        time = result.time[window]
        if len(time) < 2:
            raise MetricError(f"{self}: the run has {len(time)} samples there, and two are needed")
        arrays = [self._array(result, number)[window] for number in range(len(self.signals))]
        if arrays and arrays[0].ndim == 1 and self._is_angle(result) and (len(arrays) == 2 or self.definition.moving):
            arrays[0] = np.unwrap(arrays[0])
            if len(arrays) == 2:
                arrays[1] = arrays[0] + _wrapped(arrays[1] - arrays[0])
        if self.definition.error and len(arrays) == 2:
            arrays = [arrays[1] - arrays[0]]
        own = {name: self.options.get(name, option.default) for name, option in self.definition.options.items()}
        try:
            return float(self.definition.function(time, *arrays, **own))
        except MetricError as problem:
            raise MetricError(f"{self}: {problem}") from None

    def unit(self, units: Mapping[str, str]) -> str:
        """The unit of the result, from those of the signals by name."""
        first = units.get(self.signals[0], "1") if self.signals else "1"
        return combined(self.definition.unit, first)

    def unit_in(self, result: Result) -> str:
        """The unit of the result in a run."""
        return (
            self.unit({self.signals[0]: self._arrays_unit(result, self.signals[0])}) if self.signals else self.unit({})
        )

    def _arrays_unit(self, result: Result, signal: str) -> str:
        bare, _, element = signal.partition("[")
        units, labels = result.element_units(bare), result.labels(bare)
        label = element.removesuffix("]")
        number = labels.index(label) if label in labels else int(label) if label.isdigit() else 0
        return units[number]

    def _is_angle(self, result: Result) -> bool:
        return self._arrays_unit(result, self.signals[0]) == "rad"

    def _array(self, result: Result, number: int) -> Array:
        signal = self.signals[number]
        array = result.values(signal)
        if self.definition.signals[number].strip("[]") in self.definition.whole:
            if array.ndim != 2 or array.shape[1] < 3:
                raise MetricError(f"{self}: '{signal}' must be a pose or a position, with three elements at least")
            return array
        if array.ndim > 1:
            if array.shape[1:] != (1,):
                labels = result.labels(signal) or tuple(map(str, range(array.shape[1])))
                raise MetricError(
                    f"{self}: '{signal}' has {len(labels)} elements ({', '.join(labels)}); name one of them"
                )
            array = array[:, 0]
        return array

    def _schedule(self, available: Collection[str]) -> tuple[str, ...]:
        """The output that tells which leg is followed: the one called `waypoint` beside a signal, or the only one."""
        if not self.options.get("leg"):
            return ()
        beside = [f"{signal.partition('[')[0].rpartition('.')[0]}.waypoint" for signal in self.signals]
        all_there = [name for name in available if name.endswith(".waypoint")]
        found = [name for name in beside if name in available] or all_there
        if len(dict.fromkeys(found)) != 1:
            there = f"there are {', '.join(all_there)}" if all_there else "there is none"
            raise MetricError(f"{self}: leg= needs the one output 'waypoint' that tells the leg, and {there}")
        return (found[0],)

    def _window(self, result: Result) -> np.ndarray:
        time = result.time
        inside = (time >= self.options.get("after", -np.inf)) & (time <= self.options.get("until", np.inf))
        for name in self._schedule(list(result)):
            inside &= result.values(name) == self.options["leg"] + 1.0
        return np.asarray(inside)

    def __str__(self) -> str:
        said = [*self.signals, *(f"{name}={value:g}" for name, value in self.options.items())]
        return f"{self.definition.name}({', '.join(said)})"


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


def _arguments(text: str, inside: str, definition: Definition) -> tuple[list[str], dict[str, float]]:
    signals: list[str] = []
    options: dict[str, float] = {}
    known = {**definition.options, **WINDOW}
    for part in _split(inside):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if not _SIGNAL.match(name):
                raise MetricError(f"the metric '{text}': '{name}' is no signal; signals are like vessel.eta[psi]")
            signals.append(name)
            continue
        if name not in known:
            raise MetricError(f"the metric '{text}': it has no option '{name}'{did_you_mean(name, known)}")
        unit = known[name].unit
        try:
            options[name] = to_unit(value, None if unit == "{0}" else unit)
        except ParameterError as problem:
            raise MetricError(f"the metric '{text}': {name}: {problem}") from None
    if options.get("leg", 0.0) % 1.0 or options.get("leg", 0.0) < 0.0:
        raise MetricError(f"the metric '{text}': leg is a whole number from 1, not {options['leg']:g}")
    return signals, options


def _split(inside: str) -> list[str]:
    """At commas, but not at those in brackets: "vessel.M[0,0], leg=2"."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", inside) if part.strip()]
