"""What comes in: values of inputs of messages, by the topics of a scenario."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError
from blocks.live.messages.contents import MessageError, quantity
from blocks.live.messages.contents import field as field_of
from blocks.live.messages.geometry import eta_of_pose, force_of_wrench, nu_of_twist
from blocks.live.messages.outgoing import of_topic
from blocks.scenario import topics_model as model

Array = NDArray[np.float64]
Values = dict[str, Array]


@dataclass(frozen=True)
class Subscription:
    """Messages of one type on one topic that give inputs.

    `values(message)` are the values of inputs by name, `inputs`, as arrays (…, *shape); the message is a dictionary
    or an object with the fields' names. Raises MessageError for a message that does not fit or has numbers that are not
    finite. Of several that give one input, the one of the highest `priority` has it, until `timeout`, s, after its last
    message. `reliable`: whether what is lost on the way has to be sent again.
    """

    topic: str
    type: str
    inputs: tuple[str, ...]
    convert: Callable[[Any], Values]
    priority: int = 0
    timeout: float = math.inf
    reliable: bool = True

    def values(self, message: Any) -> Values:
        """The values of inputs that a message gives."""
        try:
            found = self.convert(message)
        except (TypeError, ValueError, OverflowError) as problem:
            raise MessageError(f"a message on {self.topic} is no {self.type}: {problem}") from None
        except MessageError as problem:
            raise MessageError(f"a message on {self.topic} is no {self.type}: {problem}") from None
        for name, value in found.items():
            if not np.all(np.isfinite(value)):
                raise MessageError(f"a message on {self.topic} has a value for '{name}' that is not finite")
        return found


def subscriptions(topics: Mapping[str, Any], shapes: Mapping[str, tuple[int, ...]]) -> list[Subscription]:
    """What these topics give, by their entries; `shapes` are those of all inputs and parameters that may be set.

    Raises MessageError for what does not fit the inputs, and for one that two topics of equal priority give.
    """
    made: list[Subscription] = []
    taken: dict[str, list[tuple[str, int, str]]] = {}
    for topic, entry in topics.items():
        try:
            inputs, convert = _MAKERS[type(entry)](entry, shapes)
            for name in inputs:
                _take(taken, name, entry.priority, topic)
            timeout = _timeout(entry.timeout)
            made.append(
                Subscription(topic, entry.type, tuple(inputs), convert, entry.priority, timeout, entry.reliable)
            )
        except KeelblocksError as problem:
            raise of_topic(MessageError, topic, problem) from None
    return made


def _take(taken: dict[str, list[tuple[str, int, str]]], name: str, priority: int, topic: str) -> None:
    """Note who gives an input. Raises MessageError where it would not be plain who has it."""
    others = taken.setdefault(name.partition("[")[0], [])
    for other, of_other, giver in others:
        if other == name and giver == topic:
            raise MessageError(f"it gives '{name}' twice")
        if other == name and of_other == priority:
            raise MessageError(f"'{name}' is given by {giver} already; say which one has it by 'priority'")
        if other != name and "[" not in min(other, name, key=len):
            by = "it, too" if giver == topic else giver
            raise MessageError(f"'{name}' is given by {by}, as '{other}': give all of it, or all of its elements alone")
    others.append((name, priority, topic))


def _timeout(given: Any) -> float:
    try:
        seconds = math.inf if given is None else quantity(given, "s")
    except KeelblocksError as problem:
        raise MessageError(f"timeout: {problem}") from None
    if not seconds > 0.0:
        raise MessageError(f"timeout must be more than 0 s, not {given}")
    return seconds


Made = tuple[list[str], Callable[[Any], Values]]
Shapes = Mapping[str, tuple[int, ...]]


def _checked(name: str, shapes: Shapes, *wanted: tuple[int, ...]) -> str:
    bare, _, element = name.partition("[")
    if bare not in shapes:
        raise MessageError(f"no input '{bare}'", code="unknown-input", wrong=bare, valid=shapes)
    shape = () if element else shapes[bare]
    if wanted and shape not in wanted:
        raise MessageError(f"input '{name}' takes {_numbers(shape)}, and the topic gives {_numbers(wanted[0])}")
    return name


_ONE = ((), (1,))
"""Shapes of inputs that take one number."""


def _as_input(values: Any, name: str, shapes: Shapes) -> Array:
    """Single numbers (…) in the shape of the input that takes them."""
    given = np.asarray(values, dtype=np.float64)
    return given.reshape((*given.shape, *(() if "[" in name else shapes[name])))


def _numbers(shape: tuple[int, ...]) -> str:
    return f"{'×'.join(map(str, shape))} numbers" if shape else "one number"


def _six(entry: Any, shapes: Shapes, whole: str, parts: tuple[str, ...], convert: Callable[[Any], Array]) -> Made:
    """Inputs that take six numbers, or some of them one by one."""
    name = getattr(entry, whole)
    all_of_it = [_checked(name, shapes, (6,))] if name else []
    single = {n: _checked(getattr(entry, p), shapes, *_ONE) for n, p in enumerate(parts) if getattr(entry, p)}
    if not all_of_it and not single:
        raise MessageError(f"say which input takes it: '{whole}', or some of {', '.join(parts)}")

    def values(message: Any) -> Values:
        six = convert(message)
        one_by_one = {name: _as_input(six[..., number], name, shapes) for number, name in single.items()}
        return dict.fromkeys(all_of_it, six) | one_by_one

    return [*all_of_it, *single.values()], values


def _twist(entry: model.TwistInput, shapes: Shapes) -> Made:
    path = "twist" if entry.type.endswith("Stamped") else ""
    parts = ("surge", "sway", "heave", "roll_rate", "pitch_rate", "yaw_rate")
    return _six(entry, shapes, "nu", parts, lambda message: nu_of_twist(field_of(message, path) if path else message))


def _wrench(entry: model.WrenchInput, shapes: Shapes) -> Made:
    path = "wrench" if entry.type.endswith("Stamped") else ""
    return _six(
        entry, shapes, "force", tuple("XYZKMN"),
        lambda message: force_of_wrench(field_of(message, path) if path else message),
    )  # fmt: skip


def _pose(entry: model.PoseInput, shapes: Shapes) -> Made:
    eta = _checked(entry.eta, shapes, (6,))
    return [eta], lambda message: {eta: eta_of_pose(field_of(message, "pose"))}


def _odometry(entry: model.OdometryInput, shapes: Shapes) -> Made:
    ways: list[tuple[str, Callable[[Any], Array]]] = []
    if entry.eta:
        ways.append((_checked(entry.eta, shapes, (6,)), lambda message: eta_of_pose(field_of(message, "pose.pose"))))
    if entry.nu:
        ways.append((_checked(entry.nu, shapes, (6,)), lambda message: nu_of_twist(field_of(message, "twist.twist"))))
    if not ways:
        raise MessageError("say which input takes the pose, 'eta', or the velocity, 'nu'")
    return [name for name, _ in ways], lambda message: {name: way(message) for name, way in ways}


def _array(entry: model.ArrayInput, shapes: Shapes) -> Made:
    names = [_checked(name, shapes) for name in entry.data]
    each = [() if "[" in name else shapes[name] for name in names]
    counts = [int(np.prod(shape, dtype=np.int64)) for shape in each]
    total, ends = sum(counts), np.cumsum(counts)

    def values(message: Any) -> Values:
        data = np.asarray(field_of(message, "data"), dtype=np.float64)
        if data.shape[-1:] != (total,):
            raise MessageError(f"it has {data.shape[-1] if data.ndim else 0} numbers, and {total} are wanted")
        return {
            name: data[..., end - count : end].reshape((*data.shape[:-1], *shape))
            for name, shape, count, end in zip(names, each, counts, ends, strict=True)
        }

    return names, values


def _number(entry: model.NumberInput, shapes: Shapes) -> Made:
    name = _checked(entry.data, shapes, *_ONE)
    return [name], lambda message: {name: _as_input(field_of(message, "data"), name, shapes)}


def _joy(entry: model.JoyInput, shapes: Shapes) -> Made:
    ways: dict[str, tuple[str, int, float, float, float]] = {}
    for kind, sticks in (("axes", entry.axes), ("buttons", entry.buttons)):
        for name, stick in sticks.items():
            if name in ways:
                raise MessageError(f"'{name}' is given by an axis and by a button")
            scale, offset = (quantity(value, None) for value in (stick.scale, stick.offset))
            if not math.isfinite(scale + offset):
                raise MessageError(f"'{name}': scale and offset must be finite, not {stick.scale} and {stick.offset}")
            ways[_checked(name, shapes, *_ONE)] = (kind, stick.index, scale, offset, stick.deadband)
    if not ways:
        raise MessageError("say what 'axes' or 'buttons' do")

    def values(message: Any) -> Values:
        found = {}
        for name, (kind, index, scale, offset, deadband) in ways.items():
            given = np.asarray(field_of(message, kind), dtype=np.float64)
            if index >= given.shape[-1]:
                raise MessageError(f"it has {given.shape[-1]} {kind}, and number {index} is wanted, from 0")
            stick = given[..., index]
            moved = np.sign(stick) * np.maximum(np.abs(stick) - deadband, 0.0) / (1.0 - deadband)
            found[name] = _as_input(scale * moved + offset, name, shapes)
        return found

    return [*ways], values


_MAKERS: Mapping[type, Callable[[Any, Shapes], Made]] = {
    model.TwistInput: _twist,
    model.WrenchInput: _wrench,
    model.PoseInput: _pose,
    model.OdometryInput: _odometry,
    model.ArrayInput: _array,
    model.NumberInput: _number,
    model.JoyInput: _joy,
}
