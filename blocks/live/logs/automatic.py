"""What a log holds where nobody says which topics: every signal, and the messages of ROS that signals make together."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from blocks.live.messages.entries import topic_entries
from blocks.live.messages.outgoing import Signals
from blocks.scenario.topics_model import BASE
from blocks.signal import BodyRate, BodyVelocity, Pose, Signal, SpecificForce, Wrench

_FIX = ("latitude", "longitude", "height")
_BATTERY = ("voltage", "current", "state_of_charge")


def topics_of(
    signals: Signals, topics: Mapping[str, Any] | None = None, rate: float | str | None = None
) -> dict[str, Any]:
    """Entries of topics by name, all of this rate but those of `topics`.

    Each signal has its topic, /vessel/eta for vessel.eta, as std_msgs/Float64 or Float64MultiArray with the numbers
    that Keelblocks has; forces and moments as geometry_msgs/WrenchStamped, which has the same ones. Besides there are
    `topics`, or if none are given what signals of one block make together: a pose and a velocity an Odometry, and all
    such poses the transforms of their bodies, inertial measurements an Imu, a fix a NavSatFix, and what a battery shows
    a BatteryState.
    """
    own: dict[str, Any] = {}
    for name in signals.places:
        own[_free(_topic(name), own)] = _of_signal(signals, name)
    for name, entry in ({} if topics is not None else _together(signals)).items():
        own[_free(name, own)] = entry
    made = topic_entries({name: {**entry, "rate": rate} for name, entry in own.items()})
    return made | topic_entries(topics or {})


def _together(signals: Signals) -> dict[str, dict[str, Any]]:
    """What signals of one block make together."""
    made: dict[str, dict[str, Any]] = {}
    bodies = []
    for owner, ports in _by_owner(signals).items():
        where = _topic(owner)
        if _is(ports.get("eta"), Pose) and _is(ports.get("nu"), BodyVelocity):
            bodies.append(owner)
        if _is(ports.get("specific_force"), SpecificForce) and _is(ports.get("angular_rate"), BodyRate):
            made[f"{where}/data"] = {"type": "sensor_msgs/Imu", "block": owner}
        if all(port in ports for port in _FIX):
            made[f"{where}/navsat"] = {"type": "sensor_msgs/NavSatFix", "block": owner}
        if all(port in ports for port in _BATTERY):
            made[f"{where}/state"] = {"type": "sensor_msgs/BatteryState", "block": owner}
    frames = {owner: BASE if len(bodies) == 1 else f"{owner.replace('.', '/')}/{BASE}" for owner in bodies}
    for owner, frame in frames.items():
        body = {"eta": f"{owner}.eta", "nu": f"{owner}.nu", "child_frame_id": frame}
        made[f"{_topic(owner)}/odom"] = {"type": "nav_msgs/Odometry", **body}
    if bodies:
        transforms = {frame: f"{owner}.eta" for owner, frame in frames.items()}
        made["/tf"] = {"type": "tf2_msgs/TFMessage", "transforms": transforms}
    return made


def _topic(name: str) -> str:
    """The topic of a signal: of its name what ROS allows."""
    return "/" + re.sub("[^A-Za-z0-9_/]", "_", name.replace(".", "/"))


def _free(name: str, taken: Mapping[str, Any]) -> str:
    """A name that no other topic has."""
    while name in taken:
        name += "_"
    return name


def _of_signal(signals: Signals, name: str) -> dict[str, str]:
    place = signals.places[name]
    if place.shape == (6,) and _is(place.signal, Wrench):
        return {"type": "geometry_msgs/WrenchStamped", "force": name}
    return {"type": "std_msgs/Float64MultiArray" if place.shape else "std_msgs/Float64", "data": name}


def _by_owner(signals: Signals) -> Mapping[str, dict[str, Signal | None]]:
    """The signals of each block by the names of its ports."""
    owners: dict[str, dict[str, Signal | None]] = {}
    for name, place in signals.places.items():
        owner, _, port = name.rpartition(".")
        if owner:
            owners.setdefault(owner, {})[port] = place.signal
    return owners


def _is(signal: Signal | None, kind: Signal) -> bool:
    """Whether a signal is of this type, whatever it is called."""
    return signal is not None and (signal.shape, signal.frame, signal.labels) == (kind.shape, kind.frame, kind.labels)
