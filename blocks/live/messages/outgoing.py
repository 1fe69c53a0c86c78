"""What is published: messages of signals, by the topics of a scenario."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError
from blocks.live.messages import geometry, navigation, sensors, standard
from blocks.live.messages.contents import Message, MessageError, MissingSignalError, quantity
from blocks.model.block import Block
from blocks.plan.place import Place
from blocks.scenario import topics_model as model

Array = NDArray[np.float64]
Read = Callable[[str], Array]
"""The values of a signal by its name, "vessel.eta": (…, *shape) of the signal, with one leading dimension or none."""


@dataclass(frozen=True)
class Publication:
    """Messages of one type on one topic.

    `message(read, stamp)` is the content of a message: `read` gives the values of a signal by its name, one of
    `signals`, and `stamp` is its time. `period` is the time between two messages, s, 0 for one with every turn.
    """

    topic: str
    type: str
    signals: tuple[str, ...]
    message: Callable[[Read, Message], Message]
    period: float = 0.0


@dataclass(frozen=True)
class Signals:
    """What there is to publish: outputs and inputs by name, and the blocks that have them, where these are known."""

    places: Mapping[str, Place]
    blocks: Mapping[str, Block] = field(default_factory=dict)

    def shape(self, name: str) -> tuple[int, ...]:
        """The shape of a signal, () for an element. Raises MessageError if there is none."""
        bare, _, element = name.partition("[")
        if bare not in self.places:
            raise MissingSignalError(f"no signal '{bare}'", code="unknown-output", wrong=bare, valid=self.places)
        place = self.places[bare]
        if not element:
            return place.shape
        label, labels = element.removesuffix("]"), self.labels(bare)
        valid = labels or tuple(map(str, range(place.count)))
        if label not in valid and not (label.isdigit() and int(label) < place.count):
            raise MessageError(f"{bare} has no element '{label}'", code="unknown-element", wrong=label, valid=valid)
        return ()

    def labels(self, name: str) -> tuple[str, ...]:
        """The names of the elements of a signal, if they have names."""
        place = self.places[name.partition("[")[0]]
        labels = place.signal.labels if place.signal else ()
        return labels if place.shape == (len(labels),) and "[" not in name else ()

    def checked(self, name: str, *shapes: tuple[int, ...]) -> str:
        """The name of a signal that has one of these shapes. Raises MessageError."""
        shape = self.shape(name)
        if shape not in shapes:
            wanted = " or ".join(_size(one) for one in shapes)
            raise MessageError(f"'{name}' has {_size(shape)}, and {wanted} is wanted")
        return name


def publications(topics: Mapping[str, Any], signals: Signals) -> list[Publication]:
    """What is published on these topics, by their entries. Raises MessageError for what does not fit the signals."""
    made = []
    for topic, entry in topics.items():
        try:
            names, message = _MAKERS[type(entry)](entry, signals)
            made.append(Publication(topic, entry.type, tuple(names), message, period_of(entry.rate)))
        except KeelblocksError as problem:
            kind = MissingSignalError if isinstance(problem, MissingSignalError) else MessageError
            raise of_topic(kind, topic, problem) from None
    return made


def of_topic(kind: type[MessageError], topic: str, fault: KeelblocksError) -> MessageError:
    """A fault as that of a topic."""
    problems = tuple(replace(one, message=f"topic {topic}: {one.message}") for one in fault.problems)
    return kind(f"topic {topic}: {fault}", problems=problems)


def period_of(rate: Any) -> float:
    """Seconds between two messages of a rate, "10 Hz" or 10; 0 if none is given. Raises MessageError."""
    if rate is None:
        return 0.0
    hertz = quantity(rate, "Hz")
    if not (math.isfinite(hertz) and hertz > 0.0):
        raise MessageError(f"rate must be more than 0 Hz, not {rate}")
    return 1.0 / hertz


def _size(shape: tuple[int, ...]) -> str:
    if not shape:
        return "one number"
    return f"{'×'.join(map(str, shape))} numbers"


Made = tuple[list[str], Callable[[Read, Message], Message]]


def _odometry(entry: model.OdometryTopic, signals: Signals) -> Made:
    eta, nu = signals.checked(entry.eta, (6,)), signals.checked(entry.nu, (6,))
    return [eta, nu], lambda read, stamp: navigation.odometry(
        stamp, entry.frame_id, entry.child_frame_id, eta=read(eta), nu=read(nu)
    )


def _pose(entry: model.PoseTopic, signals: Signals) -> Made:
    eta = signals.checked(entry.eta, (6,))
    return [eta], lambda read, stamp: geometry.pose_stamped(stamp, entry.frame_id, eta=read(eta))


def _transforms(entry: model.TransformsTopic, signals: Signals) -> Made:
    poses = {frame: signals.checked(name, (6,)) for frame, name in entry.transforms.items()}
    return [*poses.values()], lambda read, stamp: geometry.tf_message(
        stamp, entry.frame_id, {frame: read(name) for frame, name in poses.items()}
    )


def _twist(entry: model.TwistTopic, signals: Signals) -> Made:
    nu = signals.checked(entry.nu, (6,))
    if entry.type == "geometry_msgs/Twist":
        return [nu], lambda read, stamp: geometry.twist(read(nu))
    return [nu], lambda read, stamp: geometry.twist_stamped(stamp, entry.frame_id, nu=read(nu))


def _wrench(entry: model.WrenchTopic, signals: Signals) -> Made:
    force = signals.checked(entry.force, (6,))
    return [force], lambda read, stamp: geometry.wrench_stamped(stamp, entry.frame_id, force=read(force))


def _imu(entry: model.ImuTopic, signals: Signals) -> Made:
    ports = _ports(entry, signals, {"specific_force": (3,), "angular_rate": (3,)})
    block = signals.blocks.get(entry.block or "")
    noise: dict[str, Any] = {}
    if block is not None and "gyro_noise_density" in block.values:
        value = {name: np.asarray(block.values[name], dtype=np.float64) for name in _IMU_NOISE}
        for port, sensor in (("angular_rate", "gyro"), ("specific_force", "accelerometer")):
            white = value[f"{sensor}_noise_density"] ** 2 / value["period"]
            noise[f"{port}_covariance"] = (white + value[f"{sensor}_drift"] ** 2) * np.eye(3)
    attitude = signals.checked(entry.attitude, (3,), (4,), (6,)) if entry.attitude else None
    names = [*ports.values(), *([attitude] if attitude else [])]

    def message(read: Read, stamp: Message) -> Message:
        given = {port: read(name) for port, name in ports.items()}
        if attitude:
            angles = np.asarray(read(attitude))
            given["attitude"] = angles[..., 3:] if angles.shape[-1] == 6 else angles
        return sensors.imu(stamp, entry.frame_id, **given, **noise)

    return names, message


_IMU_NOISE = ("period", "gyro_noise_density", "gyro_drift", "accelerometer_noise_density", "accelerometer_drift")


def _fix(entry: model.FixTopic, signals: Signals) -> Made:
    ports = _ports(entry, signals, {"latitude": (), "longitude": (), "height": ()}, {"valid": ()})
    block = signals.blocks.get(entry.block or "")
    covariance = None
    if block is not None and "horizontal_noise" in block.values:
        value = {name: float(np.asarray(block.values[name])) for name in _FIX_NOISE}
        flat, down = (value[f"{way}_noise"] ** 2 + value[f"{way}_drift"] ** 2 for way in ("horizontal", "vertical"))
        covariance = np.diag([flat, flat, down])
    return [*ports.values()], lambda read, stamp: sensors.nav_sat_fix(
        stamp, entry.frame_id, **{port: read(name) for port, name in ports.items()}, covariance=covariance
    )


_FIX_NOISE = ("horizontal_noise", "horizontal_drift", "vertical_noise", "vertical_drift")


def _battery(entry: model.BatteryTopic, signals: Signals) -> Made:
    ports = _ports(entry, signals, {"voltage": (), "current": (), "state_of_charge": ()})
    block = signals.blocks.get(entry.block or "")
    capacity = float(np.asarray(block.values.get("capacity", math.nan))) if block is not None else math.nan
    return [*ports.values()], lambda read, stamp: sensors.battery_state(
        stamp, entry.frame_id, **{port: read(name) for port, name in ports.items()}, capacity=capacity
    )


def _ports(
    entry: Any,
    signals: Signals,
    needed: Mapping[str, tuple[int, ...]],
    others: Mapping[str, tuple[int, ...]] | None = None,
) -> dict[str, str]:
    """The signals of an instrument: those that are named, the others by the ports of its block."""
    if entry.block is not None and not any(name.startswith(f"{entry.block}.") for name in signals.places):
        known = {name.rpartition(".")[0] for name in signals.places if "." in name}
        raise MissingSignalError(
            f"no block '{entry.block}' has signals here", code="unknown-block", wrong=entry.block, valid=known
        )
    found = {}
    for port, shape in {**needed, **(others or {})}.items():
        name = getattr(entry, port) or (f"{entry.block}.{port}" if entry.block else None)
        if name is None and port in needed:
            raise MessageError(f"say which output '{port}' is, or by 'block' which block has it")
        if name is not None and (port in needed or getattr(entry, port) or name in signals.places):
            found[port] = signals.checked(name, shape)
    return found


def _array(entry: model.ArrayTopic, signals: Signals) -> Made:
    shapes = {name: signals.shape(name) for name in entry.data}
    if len(entry.data) == 1:
        [(name, shape)] = shapes.items()
        labels = signals.labels(name)
        return [name], lambda read, stamp: standard.float64_multi_array(read(name), shape, labels)
    labels = tuple(
        f"{name}[{label}]" if shape else name
        for name, shape in shapes.items()
        for label in (signals.labels(name) or range(int(np.prod(shape, dtype=int))))
    )

    def message(read: Read, stamp: Message) -> Message:
        parts = []
        for name, shape in shapes.items():
            values = np.asarray(read(name))
            parts.append(values.reshape(*values.shape[: values.ndim - len(shape)], -1))
        return standard.float64_multi_array(np.concatenate(parts, axis=-1), (len(labels),), labels)

    return [*shapes], message


def _number(entry: model.NumberTopic, signals: Signals) -> Made:
    name = signals.checked(entry.data, ())
    return [name], lambda read, stamp: standard.float64(read(name))


def _clock(entry: model.ClockTopic, signals: Signals) -> Made:
    return [], lambda read, stamp: standard.clock(stamp)


_MAKERS: Mapping[type, Callable[[Any, Signals], Made]] = {
    model.OdometryTopic: _odometry,
    model.PoseTopic: _pose,
    model.TransformsTopic: _transforms,
    model.TwistTopic: _twist,
    model.WrenchTopic: _wrench,
    model.ImuTopic: _imu,
    model.FixTopic: _fix,
    model.BatteryTopic: _battery,
    model.ArrayTopic: _array,
    model.NumberTopic: _number,
    model.ClockTopic: _clock,
}
