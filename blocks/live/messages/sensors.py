"""sensor_msgs: what instruments and the battery show."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.typing import ArrayLike

from blocks.live import frames
from blocks.live.messages.contents import Message, header, vector

UNKNOWN, DIAGONAL_KNOWN = 0, 2
"""Of `position_covariance_type`."""

_DISCHARGING, _CHARGING, _NOT_CHARGING, _FULL = 2, 1, 3, 4


def imu(
    stamp: Message,
    frame_id: str,
    *,
    specific_force: ArrayLike,
    angular_rate: ArrayLike,
    attitude: ArrayLike | None = None,
    attitude_covariance: ArrayLike | None = None,
    angular_rate_covariance: ArrayLike | None = None,
    specific_force_covariance: ArrayLike | None = None,
) -> Message:
    """sensor_msgs/Imu of specific force (…, 3), m/s², angular rate (…, 3), rad/s, and attitude, if there is one: zyx
    Euler angles (…, 3) or a scalar-first quaternion (…, 4).

    At rest on an even keel ROS shows +g along z, up. Covariances (3, 3) in FRD body axes; 0 where nothing is known.
    Without an attitude the first element of its covariance is -1, as the definition of the message has it.
    """
    orientation = np.array([0.0, 0.0, 0.0, 1.0]) if attitude is None else frames.ros_quaternion(attitude)
    of_attitude = _zeros_or(frames.covariance_to_flu, attitude_covariance)
    if attitude is None:
        of_attitude[0] = -1.0
    return {
        "header": header(stamp, frame_id),
        "orientation": vector(orientation, "xyzw"),
        "orientation_covariance": of_attitude,
        "angular_velocity": vector(frames.frd_to_flu(angular_rate)),
        "angular_velocity_covariance": _zeros_or(frames.covariance_to_flu, angular_rate_covariance),
        "linear_acceleration": vector(frames.frd_to_flu(specific_force)),
        "linear_acceleration_covariance": _zeros_or(frames.covariance_to_flu, specific_force_covariance),
    }


def _zeros_or(turn: Callable[[ArrayLike], frames.Array], covariance: ArrayLike | None) -> frames.Array:
    return np.zeros(9) if covariance is None else turn(covariance).reshape(9)


def nav_sat_fix(
    stamp: Message,
    frame_id: str,
    *,
    latitude: ArrayLike,
    longitude: ArrayLike,
    height: ArrayLike,
    valid: ArrayLike = 1.0,
    covariance: ArrayLike | None = None,
) -> Message:
    """sensor_msgs/NavSatFix of latitude and longitude, rad here and degrees there, and height above the ellipsoid, m.

    `valid` below 0.5 is no fix. The covariance (3, 3), m², is that of north, east, down.
    """
    return {
        "header": header(stamp, frame_id),
        "status": {"status": np.where(np.asarray(valid) < 0.5, -1, 0), "service": 1},
        "latitude": np.degrees(latitude),
        "longitude": np.degrees(longitude),
        "altitude": np.asarray(height, dtype=np.float64),
        "position_covariance": _zeros_or(frames.covariance_to_enu, covariance),
        "position_covariance_type": UNKNOWN if covariance is None else DIAGONAL_KNOWN,
    }


def battery_state(
    stamp: Message,
    frame_id: str = "",
    *,
    voltage: ArrayLike,
    current: ArrayLike,
    state_of_charge: ArrayLike,
    capacity: float = math.nan,
) -> Message:
    """sensor_msgs/BatteryState of voltage, V, current, A, positive where it discharges, state of charge, 0 to 1, and
    capacity, C (A h there).

    In ROS the current is negative where it discharges. What is not known is NaN, as the definition has it.
    """
    drawn = np.asarray(current, dtype=np.float64)
    charge = np.asarray(state_of_charge, dtype=np.float64)
    hours = capacity / 3600.0
    full = np.where(charge >= 1.0, _FULL, _NOT_CHARGING)
    return {
        "header": header(stamp, frame_id),
        "voltage": np.asarray(voltage, dtype=np.float64),
        "temperature": math.nan,
        "current": -drawn,
        "charge": hours * charge,
        "capacity": hours,
        "design_capacity": hours,
        "percentage": charge,
        "power_supply_status": np.where(drawn > 0.0, _DISCHARGING, np.where(drawn < 0.0, _CHARGING, full)),
        "power_supply_health": 0,
        "power_supply_technology": 0,
        "present": True,
        "cell_voltage": np.zeros(0),
        "cell_temperature": np.zeros(0),
        "location": "",
        "serial_number": "",
    }
