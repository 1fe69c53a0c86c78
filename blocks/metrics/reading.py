"""Metrics as they are written: the signals and the options of "rms(vessel.eta[psi], leg=2)"."""

from __future__ import annotations

import math
import re
from collections.abc import Mapping

from blocks.errors import ParameterError, did_you_mean
from blocks.metrics.definition import DEFINITIONS, Definition, Option
from blocks.metrics.errors import MetricError
from blocks.units import to_unit

PHASE = "phase"
"""The option that is a name."""

WINDOW: Mapping[str, Option] = {
    "after": Option(-math.inf, "s", "only from this time on"),
    "until": Option(math.inf, "s", "only up to this time"),
    "leg": Option(0, "1", "only on this leg of the path, counted from 1"),
    PHASE: Option(0, "{0}", "only in this phase of a mission, by its name or its number from 1"),
}
"""What every metric may be told: the part of the run that counts."""

ALL = "all"
"""`leg=all`: a number for each leg."""

_CALL = re.compile(r"\s*(?P<word>\w+)\s*(?:\((?P<inside>.*)\))?\s*\Z", re.S)
_SIGNAL = re.compile(r"[\w.]+(?:\[[^\]]+\])?\Z")
_EVERY_LEG = re.compile(rf"(?P<before>[,(]\s*leg\s*=\s*){ALL}(?P<after>\s*[,)])")


def read(text: str) -> tuple[Definition, list[str], dict[str, float], dict[str, str]]:
    """The definition, the signals, the options, and those with the unit of the signal as they are written.

    Raises MetricError.
    """
    found = _CALL.match(text)
    if found is None:
        raise MetricError(
            f"the metric '{text}' must be like rms(vessel.eta[z]) or overshoot(vessel.eta[psi], guidance.heading)"
        )
    word = found["word"]
    if word not in DEFINITIONS:
        raise MetricError(f"the metric '{text}': there is no '{word}'{did_you_mean(word, DEFINITIONS)}")
    definition = DEFINITIONS[word]
    signals, given = _arguments(text, found["inside"] or "", definition)
    if not definition.least <= len(signals) <= len(definition.signals):
        raise MetricError(f"the metric '{text}' takes other signals: {definition.usage}")
    known = {**definition.options, **WINDOW}
    options = {name: _number(text, name, value, known[name]) for name, value in given.items() if name != PHASE}
    if options.get("after", -math.inf) >= options.get("until", math.inf):
        raise MetricError(f"the metric '{text}': after must be before until")
    return definition, signals, options, {name: value for name, value in given.items() if known[name].unit == "{0}"}


def is_per_leg(text: str) -> bool:
    """Whether a metric in text is a number for each leg."""
    return _EVERY_LEG.search(text) is not None


def on_leg(text: str, leg: int) -> str:
    """A metric with `leg=all` on one leg."""
    return _EVERY_LEG.sub(rf"\g<before>{leg}\g<after>", text)


def leg_name(name: str, text: str, leg: int) -> str:
    """What a metric with `leg=all` is called on one leg: as before, with the leg; or by its text, if that names it."""
    return on_leg(text, leg) if name == text else f"{name}_leg_{leg}"


def _arguments(text: str, inside: str, definition: Definition) -> tuple[list[str], dict[str, str]]:
    signals: list[str] = []
    given: dict[str, str] = {}
    known = {**definition.options, **WINDOW}
    for part in _split(inside):
        name, equals, value = (piece.strip() for piece in part.partition("="))
        if not equals:
            if not _SIGNAL.match(name):
                raise MetricError(f"the metric '{text}': '{name}' is no signal; signals are like vessel.eta[psi]")
            signals.append(name)
        elif name not in known:
            raise MetricError(f"the metric '{text}': it has no option '{name}'{did_you_mean(name, known)}")
        elif name in given:
            raise MetricError(f"the metric '{text}': {name} is given twice")
        else:
            given[name] = value
    return signals, given


def _number(text: str, name: str, value: str, option: Option) -> float:
    """The value of an option. Raises MetricError."""
    if name == "leg" and value == ALL:
        raise MetricError(f"the metric '{text}' is a number for each leg: {name}={ALL} is not possible here")
    try:
        number = to_unit(value, None if option.unit == "{0}" else option.unit)
    except ParameterError as problem:
        raise MetricError(f"the metric '{text}': {name}: {problem}") from None
    if name == "leg" and (not math.isfinite(number) or number % 1.0 or number < 1.0):
        raise MetricError(f"the metric '{text}': leg is a whole number from 1, or {ALL}, not {number:g}")
    if not option.allows(number):
        raise MetricError(f"the metric '{text}': {name} must be {option.range}, not {value}")
    return number


def _split(inside: str) -> list[str]:
    """At commas, but not at those in brackets: "vessel.M[0,0], leg=2"."""
    return [part.strip() for part in re.split(r",(?![^\[]*\])", inside) if part.strip()]
