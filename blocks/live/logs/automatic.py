"""What a log holds where nobody says which topics: every signal, and the messages of ROS that signals make together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.live.messages.entries import topic_entries
from blocks.live.messages.outgoing import Signals
from blocks.scenario.topics_model import BASE
from blocks.signal import BodyRate, BodyVelocity, Pose, Signal, SpecificForce, Wrench

_FIX = ("latitude", "longitude", "height")
_BATTERY = ("voltage", "current", "state_of_charge")


def topics_of(signals: Signals, rate: float | str | None = None) -> dict[str, Any]:
    """Entries of topics by name, all of this rate.

    Each signal has its topic, /vessel/eta for vessel.eta, as std_msgs/Float64 or Float64MultiArray with the numbers
    that Keelblocks has; forces and moments as geometry_msgs/WrenchStamped, which has the same ones. Signals of one
    block that are a pose and a velocity, an inertial measurement, a fix or a battery make the message for that besides,
    and poses with velocity the transforms of their bodies.
    """
    topics: dict[str, Any] = {_topic(name): _of_signal(signals, name) for name in signals.places}
    bodies = []
    for owner, ports in _by_owner(signals).items():
        if _is(ports.get("eta"), Pose) and _is(ports.get("nu"), BodyVelocity):
            bodies.append(owner)
        if _is(ports.get("specific_force"), SpecificForce) and _is(ports.get("angular_rate"), BodyRate):
            _add(topics, f"{_topic(owner)}/data", {"type": "sensor_msgs/Imu", "block": owner})
        if all(port in ports for port in _FIX):
            _add(topics, f"{_topic(owner)}/navsat", {"type": "sensor_msgs/NavSatFix", "block": owner})
        if all(port in ports for port in _BATTERY):
            _add(topics, f"{_topic(owner)}/state", {"type": "sensor_msgs/BatteryState", "block": owner})
    frames = {owner: BASE if len(bodies) == 1 else f"{owner.replace('.', '/')}/{BASE}" for owner in bodies}
    for owner in bodies:
        body = {"eta": f"{owner}.eta", "nu": f"{owner}.nu", "child_frame_id": frames[owner]}
        _add(topics, f"{_topic(owner)}/odom", {"type": "nav_msgs/Odometry", **body})
    if bodies:
        transforms = {frames[owner]: f"{owner}.eta" for owner in bodies}
        _add(topics, "/tf", {"type": "tf2_msgs/TFMessage", "transforms": transforms})
    return topic_entries({name: {**entry, "rate": rate} for name, entry in topics.items()})


def _topic(name: str) -> str:
    return f"/{name.replace('.', '/')}"


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


def _add(topics: dict[str, Any], name: str, entry: Mapping[str, Any]) -> None:
    while name in topics:
        name += "_"
    topics[name] = entry
