"""The signals that metrics are of, checked against what the metric takes: before anything runs, or with a result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from blocks.errors import ParameterError, did_you_mean
from blocks.metrics.definition import MetricCall
from blocks.metrics.errors import MetricError
from blocks.plan.place import Place
from blocks.units import to_unit


@dataclass(frozen=True)
class Kind:
    """The names and the units of the elements of an output; "" where the unit is not known, as with a PID."""

    labels: tuple[str, ...]
    units: tuple[str, ...]

    @classmethod
    def of(cls, place: Place) -> Kind:
        """That of a place."""
        labels = place.signal.labels if place.signal is not None else ()
        unit = place.unit
        return cls(
            labels if len(labels) == place.count else tuple(map(str, range(place.count))),
            tuple(unit) if isinstance(unit, tuple) else (unit or "",) * place.count,
        )

    def number(self, element: str) -> int | None:
        """The number of an element by its name or by its number, 0 if there is no name; None if there is none."""
        if not element:
            return 0
        if element in self.labels:
            return self.labels.index(element)
        return int(element) if element.isdigit() and int(element) < len(self.labels) else None


def parted(signal: str) -> tuple[str, str]:
    """Output and element: "vessel.eta[psi]" is ("vessel.eta", "psi")."""
    bare, _, element = signal.removesuffix("]").partition("[")
    return bare, element


def unit_of(signal: str, places: Mapping[str, Place]) -> str:
    """The unit of a signal; "1" where it is not known."""
    return _known_unit(signal, places) or "1"


def check_signals(metric: MetricCall, places: Mapping[str, Place]) -> None:
    """Raise MetricError if signals are not what the metric takes. Those that are not there at all are passed over."""
    definition = metric.definition
    for name, signal in zip(definition.signals, metric.signals, strict=False):
        bare, element = parted(signal)
        if bare not in places:
            continue
        kind, name = Kind.of(places[bare]), name.strip("[]")
        if name in definition.whole:
            _check_pose(metric, signal, kind)
            continue
        if not element and len(kind.labels) > 1:
            raise MetricError(
                f"{metric}: {bare} has {len(kind.labels)} elements ({', '.join(kind.labels)}); name one: "
                f"{bare}[{kind.labels[0]}]"
            )
        if kind.number(element) is None:
            raise MetricError(f"{metric}: {bare} has no element '{element}'{did_you_mean(element, kind.labels)}")
        if name == "finished" and unit_of(signal, places) != "1":
            raise MetricError(
                f"{metric}: '{signal}' is in {unit_of(signal, places)}; a signal that comes on, such as "
                f"guidance.finished, has no unit"
            )
    _check_reference(metric, places)
    options_of(metric, places)


def options_of(metric: MetricCall, places: Mapping[str, Place]) -> dict[str, float]:
    """What a metric is told, as its function takes it. Raises MetricError for a unit that is not the signal's."""
    found = {name: metric.options.get(name, option.default) for name, option in metric.definition.options.items()}
    for name, text in metric.said.items():
        if name not in found or not metric.signals or parted(metric.signals[0])[0] not in places:
            continue
        try:
            found[name] = to_unit(text, _known_unit(metric.signals[0], places) or None)
        except ParameterError as problem:
            raise MetricError(f"{metric}: {name}: {problem}, the unit of {metric.signals[0]}") from None
    return found


def _known_unit(signal: str, places: Mapping[str, Place]) -> str:
    bare, element = parted(signal)
    if bare not in places:
        return ""
    kind = Kind.of(places[bare])
    return kind.units[kind.number(element) or 0] if kind.units else ""


def _check_pose(metric: MetricCall, signal: str, kind: Kind) -> None:
    if "[" in signal or len(kind.labels) < 3 or set(kind.units[:3]) != {"m"}:
        shown = f"one element of {parted(signal)[0]}" if "[" in signal else _elements(kind)
        raise MetricError(
            f"{metric}: '{signal}' must be a pose or a position, with north, east and down in m, such as vessel.eta; "
            f"it is {shown}"
        )


def _elements(kind: Kind) -> str:
    units: Sequence[str] = list(dict.fromkeys(unit for unit in kind.units if unit not in ("", "1")))
    count = len(kind.labels)
    return f"{count} {'number' if count == 1 else 'numbers'}{' in ' + ', '.join(units) if units else ''}"


def _check_reference(metric: MetricCall, places: Mapping[str, Place]) -> None:
    """A signal and its reference have one unit. Those that say none, as constants do, go with all."""
    names = [name.strip("[]") for name in metric.definition.signals[: len(metric.signals)]]
    if names[1:] != ["reference"]:
        return
    first, second = (unit_of(signal, places) for signal in metric.signals)
    if "1" not in (first, second) and first != second:
        raise MetricError(
            f"{metric}: '{metric.signals[0]}' is in {first}, but its reference '{metric.signals[1]}' in {second}"
        )
