"""What is in the messages of ROS 2 that are written here: names and types of fields, without constants and comments.

Source: ROS 2 packages builtin_interfaces, std_msgs, geometry_msgs, nav_msgs, sensor_msgs, tf2_msgs, rosgraph_msgs, the
same from Humble to Kilted.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from blocks.live.messages.contents import MessageError

_VECTOR = "float64 x, float64 y, float64 z"
_QUATERNION = f"{_VECTOR}, float64 w"

DEFINITIONS: Mapping[str, tuple[str, ...]] = {
    name: tuple(fields.split(", "))
    for name, fields in {
        "builtin_interfaces/Time": "int32 sec, uint32 nanosec",
        "std_msgs/Header": "builtin_interfaces/Time stamp, string frame_id",
        "std_msgs/Float32": "float32 data",
        "std_msgs/Float64": "float64 data",
        "std_msgs/MultiArrayDimension": "string label, uint32 size, uint32 stride",
        "std_msgs/MultiArrayLayout": "std_msgs/MultiArrayDimension[] dim, uint32 data_offset",
        "std_msgs/Float32MultiArray": "std_msgs/MultiArrayLayout layout, float32[] data",
        "std_msgs/Float64MultiArray": "std_msgs/MultiArrayLayout layout, float64[] data",
        "geometry_msgs/Vector3": _VECTOR,
        "geometry_msgs/Point": _VECTOR,
        "geometry_msgs/Quaternion": _QUATERNION,
        "geometry_msgs/Pose": "geometry_msgs/Point position, geometry_msgs/Quaternion orientation",
        "geometry_msgs/PoseStamped": "std_msgs/Header header, geometry_msgs/Pose pose",
        "geometry_msgs/PoseWithCovariance": "geometry_msgs/Pose pose, float64[36] covariance",
        "geometry_msgs/Twist": "geometry_msgs/Vector3 linear, geometry_msgs/Vector3 angular",
        "geometry_msgs/TwistStamped": "std_msgs/Header header, geometry_msgs/Twist twist",
        "geometry_msgs/TwistWithCovariance": "geometry_msgs/Twist twist, float64[36] covariance",
        "geometry_msgs/Wrench": "geometry_msgs/Vector3 force, geometry_msgs/Vector3 torque",
        "geometry_msgs/WrenchStamped": "std_msgs/Header header, geometry_msgs/Wrench wrench",
        "geometry_msgs/Transform": "geometry_msgs/Vector3 translation, geometry_msgs/Quaternion rotation",
        "geometry_msgs/TransformStamped": (
            "std_msgs/Header header, string child_frame_id, geometry_msgs/Transform transform"
        ),
        "nav_msgs/Odometry": (
            "std_msgs/Header header, string child_frame_id, geometry_msgs/PoseWithCovariance pose, "
            "geometry_msgs/TwistWithCovariance twist"
        ),
        "sensor_msgs/Imu": (
            "std_msgs/Header header, geometry_msgs/Quaternion orientation, float64[9] orientation_covariance, "
            "geometry_msgs/Vector3 angular_velocity, float64[9] angular_velocity_covariance, "
            "geometry_msgs/Vector3 linear_acceleration, float64[9] linear_acceleration_covariance"
        ),
        "sensor_msgs/NavSatStatus": "int8 status, uint16 service",
        "sensor_msgs/NavSatFix": (
            "std_msgs/Header header, sensor_msgs/NavSatStatus status, float64 latitude, float64 longitude, "
            "float64 altitude, float64[9] position_covariance, uint8 position_covariance_type"
        ),
        "sensor_msgs/BatteryState": (
            "std_msgs/Header header, float32 voltage, float32 temperature, float32 current, float32 charge, "
            "float32 capacity, float32 design_capacity, float32 percentage, uint8 power_supply_status, "
            "uint8 power_supply_health, uint8 power_supply_technology, bool present, float32[] cell_voltage, "
            "float32[] cell_temperature, string location, string serial_number"
        ),
        "sensor_msgs/Joy": "std_msgs/Header header, float32[] axes, int32[] buttons",
        "tf2_msgs/TFMessage": "geometry_msgs/TransformStamped[] transforms",
        "rosgraph_msgs/Clock": "builtin_interfaces/Time clock",
    }.items()
}
"""Fields, "type name", by the type of the message, "nav_msgs/Odometry"."""


def fields(name: str) -> Iterator[tuple[str, str]]:
    """Type and name of each field of a message. Raises MessageError if it is not among `DEFINITIONS`."""
    if name not in DEFINITIONS:
        raise MessageError(f"no message type '{name}'", code="unknown-name", wrong=name, valid=DEFINITIONS)
    for line in DEFINITIONS[name]:
        kind, _, field = line.partition(" ")
        yield kind, field


def definition(name: str) -> str:
    """The definition of a message with those of all that is in it, as MCAP stores it for `ros2msg`."""
    within: dict[str, None] = {}
    waiting = [name]
    while waiting:
        for kind, _ in fields(waiting.pop(0)):
            bare = kind.partition("[")[0]
            if "/" in bare and bare not in within:
                within[bare] = None
                waiting.append(bare)
    parts = ["\n".join(DEFINITIONS[name]), *("\n".join([f"MSG: {each}", *DEFINITIONS[each]]) for each in within)]
    return f"\n{'=' * 80}\n".join(parts) + "\n"


def full_name(name: str) -> str:
    """The name of a type as bags and schemas have it: "nav_msgs/msg/Odometry"."""
    package, _, rest = name.partition("/")
    return f"{package}/msg/{rest}"


def short_name(name: str) -> str:
    """The name of a type as files here have it: "nav_msgs/Odometry"."""
    return name.replace("/msg/", "/")
