"""The ports of a simulator that ArduPilot steers and sees, found by the names that a scenario gives."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError, ParameterError, ScenarioError, did_you_mean, shown
from blocks.live.ardupilot.frame import Sensors, Servos
from blocks.metrics.signals import Kind, parted
from blocks.units import same, to_unit

if TYPE_CHECKING:
    from blocks.plan.place import Place
    from blocks.scenario.ardupilot_model import ArduPilotEntry
    from blocks.yaml.places import ItemPath


class Wired(Protocol):
    """A simulator, as far as it is asked for here."""

    @property
    def plan(self) -> Any:
        """What has inputs and outputs by name."""

    @property
    def inputs(self) -> Mapping[str, NDArray[np.float64]]:
        """Their values."""

    @property
    def outputs(self) -> Mapping[str, NDArray[np.float64]]:
        """Their values."""


_PARTS: dict[str, tuple[tuple[str, ...], str]] = {
    "vessel": (("eta", "nu"), "a dynamics block, such as dynamics.Vessel6DOF"),
    "imu": (("angular_rate", "specific_force"), "a sensors.Imu"),
    "battery": (("voltage", "current"), "a power.Battery"),
}
"""Blocks by their keys: the outputs that are needed of each, and what it must be."""


def servos_of(simulator: Wired, entry: ArduPilotEntry) -> Servos:
    """The commands that servo outputs are. Raises ScenarioError for inputs and units that are not there."""
    found = []
    for name, servo in entry.servos.items():
        where = f"live.ardupilot.servos: {name}"
        place, element = _element(where, name, simulator.plan.inputs, "input of the diagram")
        unit = Kind.of(place).units[element] or None
        low, neutral, high = (
            _command(f"{where}.{key}", getattr(servo, key), unit) for key in ("low", "neutral", "high")
        )
        if servo.reversed:
            low, high = high, low
        target = np.reshape(simulator.inputs[place.name], -1)[element : element + 1]
        found.append((target, servo.channel, servo.min, servo.trim, servo.max, low, neutral, high))
    return Servos(found)


def sensors_of(simulator: Wired, entry: ArduPilotEntry) -> Sensors:
    """What ArduPilot is told. Raises ScenarioError for blocks and outputs that are not there."""
    outputs = _Outputs(simulator)
    eta, nu = outputs.part("vessel", entry)
    rate, force = outputs.part("imu", entry)
    voltage, current = outputs.part("battery", entry) or (None, None)
    (wind,) = outputs.part("wind", entry) or (None,)
    ranges = [outputs.one("rangefinders", name, "m", 1) for name in entry.rangefinders]
    return Sensors(eta, nu, rate, force, voltage, current, wind, ranges)


def wiring_faults(simulator: Wired, entry: ArduPilotEntry) -> Iterator[tuple[ItemPath, KeelblocksError]]:
    """All that does not fit, each with the item that says it."""
    outputs = _Outputs(simulator)

    def servo(name: str) -> Callable[[], object]:
        return lambda: servos_of(simulator, entry.model_copy(update={"servos": {name: entry.servos[name]}}))

    def block(key: str) -> Callable[[], object]:
        return lambda: outputs.part(key, entry)

    def distance(name: str) -> Callable[[], object]:
        return lambda: outputs.one("rangefinders", name, "m", 1)

    looks: list[tuple[ItemPath, Callable[[], object]]] = [((key,), block(key)) for key in (*_PARTS, "wind")]
    looks += [(("rangefinders", number), distance(name)) for number, name in enumerate(entry.rangefinders)]
    looks += [(("servos", name), servo(name)) for name in entry.servos]
    for item, look in looks:
        try:
            look()
        except KeelblocksError as fault:
            yield item, fault


class _Outputs:
    """Outputs of a simulator by name."""

    def __init__(self, simulator: Wired) -> None:
        self.simulator = simulator
        self.places: Mapping[str, Place] = simulator.plan.outputs

    def part(self, key: str, entry: ArduPilotEntry) -> list[NDArray[np.float64]]:
        """What a key names; nothing, where it is not given."""
        name = getattr(entry, key)
        if name is None:
            return []
        return [self.one(key, name, "m/s", 3)] if key == "wind" else self.of(key, name, *_PARTS[key])

    def of(self, key: str, block: str, ports: Iterable[str], wanted: str) -> list[NDArray[np.float64]]:
        """Some outputs of a block."""
        names = [f"{block}.{port}" for port in ports]
        if any(name not in self.places for name in names):
            near = {name.rpartition(".")[0] for name in self.places}
            fitting = sorted(one for one in near if all(f"{one}.{port}" in self.places for port in ports))
            raise ScenarioError(
                f"live.ardupilot.{key}: '{block}' must be {wanted}, with {' and '.join(ports)}"
                f"{did_you_mean(block, fitting)}",
                wrong=block,
            )
        return [self.simulator.outputs[name] for name in names]

    def one(self, key: str, name: str, unit: str, count: int) -> NDArray[np.float64]:
        """An output of this unit and width, or an element of one."""
        where = f"live.ardupilot.{key}"
        bare, element = parted(name)
        if bare not in self.places:
            raise ScenarioError(
                f"{where}: there is no output '{bare}'", code="unknown-output", wrong=bare, valid=self.places
            )
        kind = Kind.of(self.places[bare])
        first = 0
        if element or count == 1:
            place, first = _element(where, name, self.places, "output")
            kind = Kind((place.name,), (kind.units[first],))
        if len(kind.units) != count or any(given and not same(given, unit) for given in kind.units):
            raise ScenarioError(
                f"{where}: '{name}' has {len(kind.units)} element{'s' if len(kind.units) > 1 else ''} in "
                f"{', '.join(dict.fromkeys(given or 'no unit' for given in kind.units))}, but {count} in {unit} "
                f"{'are' if count > 1 else 'is'} wanted"
            )
        return np.reshape(self.simulator.outputs[bare], -1)[first : first + count]


def _element(where: str, name: str, places: Mapping[str, Place], what: str) -> tuple[Place, int]:
    """The place and the number of a single element, "thrust[port]"."""
    bare, element = parted(name)
    if bare not in places:
        raise ScenarioError(f"{where}: there is no {what} '{bare}'", code="unknown-name", wrong=bare, valid=places)
    kind = Kind.of(places[bare])
    if not element and len(kind.labels) > 1:
        raise ScenarioError(
            f"{where}: '{bare}' has {len(kind.labels)} elements ({', '.join(kind.labels)}); name one, such as "
            f"{bare}[{kind.labels[0]}]"
        )
    number = kind.number(element)
    if number is None:
        raise ScenarioError(
            f"{where}: '{bare}' has no element '{element}'", code="unknown-element", wrong=element, valid=kind.labels
        )
    return places[bare], number


def _command(where: str, value: Any, unit: str | None) -> float:
    """A number in the unit of the input."""
    try:
        number = to_unit(value, unit) if isinstance(value, str) else float(value)
    except ParameterError as problem:
        raise ScenarioError(f"{where}: {problem}") from None
    if not np.isfinite(number):
        raise ScenarioError(f"{where} must be a finite number, not {shown(value)}")
    return number
