"""Which signals make which message of ROS 2 on which topic, and which messages give which inputs, as files say it.

The ROS 2 node and logs share these entries; `blocks/live/messages` makes messages by them.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, get_args

from pydantic import BeforeValidator, Field, StrictFloat, StrictInt, StringConstraints, WithJsonSchema
from pydantic_core import PydanticCustomError

from blocks.errors import did_you_mean
from blocks.scenario.entry import Entry, Quantity, as_list, one_or_more

TOPIC = r"^(~?/)?[A-Za-z_][A-Za-z0-9_]*(/[A-Za-z_][A-Za-z0-9_]*)*$"
_FRAME = r"^[A-Za-z0-9_./-]+$"
_BLOCK = r"^[^\W\d]\w*(\.[^\W\d]\w*)*$"
_PORT = r"^[^\W\d]\w*(\.[^\W\d]\w*)*(\[[^\]]+\])?$"

TopicName = Annotated[str, StringConstraints(pattern=TOPIC)]
Frame = Annotated[str, StringConstraints(pattern=_FRAME)]
BlockName = Annotated[str, StringConstraints(pattern=_BLOCK)]
Port = Annotated[str, StringConstraints(pattern=_PORT)]
"""As a run names it: plant.vessel.eta, plant.vessel.eta[psi], force."""


Ports = Annotated[
    list[Port],
    Field(min_length=1),
    BeforeValidator(as_list),
    WithJsonSchema(one_or_more({"type": "string", "pattern": _PORT})),
]

ODOM, BASE = "odom", "base_link"
"""Frames by REP 105: one that is fixed to the world, and that of the body."""


class _Topic(Entry):
    """A topic that is published."""

    rate: Quantity | None = Field(None, description="messages per time, such as 10 Hz; with every turn if not given")


class _World(_Topic):
    frame_id: Frame = Field(ODOM, description="frame of the world, which is ENU; odom if not given")


class BodyTopic(_Topic):
    frame_id: Frame = Field(BASE, description="frame of the body, which is FLU; base_link if not given")


class OdometryTopic(_World):
    """Pose and velocity of a body."""

    type: Literal["nav_msgs/Odometry"]
    eta: Port = Field(description="output with the pose η, 6")
    nu: Port = Field(description="output with the velocity ν, 6")
    child_frame_id: Frame = Field(BASE, description="frame of the body; base_link if not given")


class PoseTopic(_World):
    """Pose of a body."""

    type: Literal["geometry_msgs/PoseStamped"]
    eta: Port = Field(description="output with the pose η, 6")


class TransformsTopic(_World):
    """Where the frames of bodies are."""

    type: Literal["tf2_msgs/TFMessage"]
    transforms: dict[Frame, Port] = Field(
        min_length=1, description="frames of bodies, and the outputs with their poses η: {base_link: vessel.eta}"
    )


class TwistTopic(BodyTopic):
    """Velocity of a body, in its axes."""

    type: Literal["geometry_msgs/TwistStamped", "geometry_msgs/Twist"]
    nu: Port = Field(description="output with the velocity ν, 6")


class WrenchTopic(BodyTopic):
    """Forces and moments, in body axes."""

    type: Literal["geometry_msgs/WrenchStamped"]
    force: Port = Field(description="output with forces and moments, 6")


class ImuTopic(BodyTopic):
    """What an inertial measurement unit shows; without `block` by its ports."""

    type: Literal["sensor_msgs/Imu"]
    block: BlockName | None = Field(None, description="block sensors.Imu, whose noise gives the covariances")
    specific_force: Port | None = Field(None, description="output with the specific force, 3")
    angular_rate: Port | None = Field(None, description="output with the angular rate, 3")
    attitude: Port | None = Field(
        None, description="output with φ, θ, ψ (3), a pose η (6) or a quaternion (4); none if not given"
    )


class FixTopic(BodyTopic):
    """What a satellite receiver shows; without `block` by its ports."""

    type: Literal["sensor_msgs/NavSatFix"]
    block: BlockName | None = Field(
        None, description="block sensors.Gnss, whose noise gives the covariance, or navigation.GeodeticPosition"
    )
    latitude: Port | None = Field(None, description="output with the latitude, rad")
    longitude: Port | None = Field(None, description="output with the longitude, rad")
    height: Port | None = Field(None, description="output with the height above the ellipsoid, m")
    valid: Port | None = Field(None, description="output that is 1 where there is a fix; always if not given")


class BatteryTopic(_Topic):
    """The state of a battery; without `block` by its ports."""

    type: Literal["sensor_msgs/BatteryState"]
    block: BlockName | None = Field(None, description="block power.Battery")
    voltage: Port | None = Field(None, description="output with the voltage, V")
    current: Port | None = Field(None, description="output with the current, A, positive where it discharges")
    state_of_charge: Port | None = Field(None, description="output with the state of charge, 0 to 1")
    frame_id: str = ""


class ArrayTopic(_Topic):
    """Numbers of any signals, in SI and in the axes that they have here."""

    type: Literal["std_msgs/Float64MultiArray", "std_msgs/Float32MultiArray"]
    data: Ports = Field(description="output, or list of outputs that are put one behind the other")


class NumberTopic(_Topic):
    """One number, in SI."""

    type: Literal["std_msgs/Float64", "std_msgs/Float32"]
    data: Port = Field(description="output, or element of one: vessel.eta[psi]")


class ClockTopic(_Topic):
    """The simulated time, for nodes with use_sim_time."""

    type: Literal["rosgraph_msgs/Clock"]


class _Incoming(Entry):
    """A topic that gives inputs."""

    priority: StrictInt = Field(
        0, description="where topics give the same input, the one of the highest priority has it"
    )
    timeout: Quantity | None = Field(
        None,
        description="simulated time, such as 2 s, after which what was sent holds no more: then a topic of lower "
        "priority has the input, or it is as it was at the start; a value holds until the next one if not given",
    )
    reliable: bool = Field(
        True,
        description="whether what is lost on the way has to be sent again; false takes what best-effort publishers "
        "send, too; true if not given",
    )


class TwistInput(_Incoming):
    """A velocity that is wanted, in FLU body axes; inputs get it in FRD."""

    type: Literal["geometry_msgs/Twist", "geometry_msgs/TwistStamped"]
    nu: Port | None = Field(None, description="input that takes all of it, 6")
    surge: Port | None = Field(None, description="input that takes u, m/s, forward")
    sway: Port | None = Field(None, description="input that takes v, m/s, to starboard")
    heave: Port | None = Field(None, description="input that takes w, m/s, down")
    roll_rate: Port | None = Field(None, description="input that takes p, rad/s")
    pitch_rate: Port | None = Field(None, description="input that takes q, rad/s")
    yaw_rate: Port | None = Field(None, description="input that takes r, rad/s, to starboard")


class WrenchInput(_Incoming):
    """Forces and moments in FLU body axes; inputs get them in FRD."""

    type: Literal["geometry_msgs/WrenchStamped", "geometry_msgs/Wrench"]
    force: Port | None = Field(None, description="input that takes all of them, 6")
    X: Port | None = Field(None, description="input that takes X, N, forward")
    Y: Port | None = Field(None, description="input that takes Y, N, to starboard")
    Z: Port | None = Field(None, description="input that takes Z, N, down")
    K: Port | None = Field(None, description="input that takes K, N m, in roll")
    M: Port | None = Field(None, description="input that takes M, N m, in pitch")
    N: Port | None = Field(None, description="input that takes N, N m, in yaw")


class PoseInput(_Incoming):
    """A pose in ENU; the input gets it in NED."""

    type: Literal["geometry_msgs/PoseStamped"]
    eta: Port = Field(description="input that takes the pose η, 6")


class OdometryInput(_Incoming):
    """Pose and velocity."""

    type: Literal["nav_msgs/Odometry"]
    eta: Port | None = Field(None, description="input that takes the pose η, 6")
    nu: Port | None = Field(None, description="input that takes the velocity ν, 6")


class ArrayInput(_Incoming):
    """Numbers in SI, as the input has them."""

    type: Literal["std_msgs/Float64MultiArray", "std_msgs/Float32MultiArray"]
    data: Ports = Field(description="input that takes the array, or several that take it one behind the other")


class NumberInput(_Incoming):
    """One number, in SI."""

    type: Literal["std_msgs/Float64", "std_msgs/Float32"]
    data: Port = Field(description="input that takes it, or element of one: force[X]")


class StickEntry(Entry):
    """What an axis or a button of a joystick does."""

    index: StrictInt = Field(ge=0, description="number of the axis or button, from 0")
    scale: Quantity = Field(1.0, description="value at full deflection, such as 2 m/s; negative to turn it round")
    offset: Quantity = Field(0.0, description="value in the middle")
    deadband: StrictFloat | StrictInt = Field(
        0.0, ge=0.0, lt=1.0, description="deflection below which it is the middle; what is left is stretched to 1"
    )


class JoyInput(_Incoming):
    """A joystick: axes are -1 to 1, buttons 0 or 1."""

    type: Literal["sensor_msgs/Joy"]
    axes: dict[Port, StickEntry] = Field(default_factory=dict, description="by the input that takes the axis")
    buttons: dict[Port, StickEntry] = Field(default_factory=dict, description="by the input that takes the button")


_Out = (
    OdometryTopic
    | PoseTopic
    | TransformsTopic
    | TwistTopic
    | WrenchTopic
    | ImuTopic
    | FixTopic
    | BatteryTopic
    | ArrayTopic
    | NumberTopic
    | ClockTopic
)
_In = TwistInput | WrenchInput | PoseInput | OdometryInput | ArrayInput | NumberInput | JoyInput


def _types(models: Any) -> tuple[str, ...]:
    return tuple(kind for model in get_args(models) for kind in get_args(model.model_fields["type"].annotation))


OUTGOING = _types(_Out)
"""Types of messages that can be published."""
INCOMING = _types(_In)
"""Types of messages that can give inputs."""


def _known(kinds: tuple[str, ...]) -> BeforeValidator:
    """Check the type of a message before its entry is looked at, so that one message says what is wrong."""

    def check(value: Any) -> Any:
        if isinstance(value, Entry):
            return value
        if not isinstance(value, dict) or not isinstance(value.get("type"), str):
            wanted = {"kind": kinds[0]}
            raise PydanticCustomError(
                "wanted", "a mapping with the type of its messages is wanted, type: {kind}", wanted
            )
        kind = value["type"].replace("/msg/", "/")
        if kind not in kinds:
            near = did_you_mean(kind, kinds, every=20)
            raise PydanticCustomError("wanted", "no messages of type '{kind}' here{near}", {"kind": kind, "near": near})
        return {**value, "type": kind}

    return BeforeValidator(check)


TopicEntry = Annotated[_Out, Field(discriminator="type"), _known(OUTGOING)]
"""A topic that is published."""
InputTopicEntry = Annotated[_In, Field(discriminator="type"), _known(INCOMING)]
"""A topic that gives inputs."""

Topics = dict[TopicName, TopicEntry]
InputTopics = dict[TopicName, InputTopicEntry]
