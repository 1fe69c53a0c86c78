"""An autopilot for Tito Neri: heading and speed to waypoints, by the topics of `tito_neri.yaml` and rclpy alone.

    python examples/tito_neri_ros/autopilot.py
    python examples/tito_neri_ros/autopilot.py --ros-args -r __ns:=/myboat1 -p speed:=0.4

Position comes at 5 Hz, heading at 16 Hz; each heading is answered by an order to the thrusters, so the pace is that of
the simulator, whatever multiple of real time it runs at. Ends at the last waypoint.
"""

from __future__ import annotations

import math
import sys

import rclpy
from rclpy.exceptions import ParameterException
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import Imu, NavSatFix
from std_msgs.msg import Float32, Float32MultiArray

WAYPOINTS = [  # latitude and longitude, deg: a round in the harbour of Delft
    52.00150, 4.37200,
    52.00150, 4.37222,
    52.00137, 4.37222,
    52.00130, 4.37206,
    52.00138, 4.37190,
]  # fmt: skip
EARTH = 6371000.0  # m
AFT, BOW = 0.42, 0.28  # m, of the thrusters from the middle
BOW_FORCE, DRAG = 3.575, 2.64  # N at full order, N s/m
LINEAR, CUBIC = 1.061e-2, 1.925e-5  # thrust of an aft thruster, N, by rev/s and (rev/s)³
MOST_FORCE, MOST_MOMENT = 4.0, 1.5  # N, N m


class Autopilot(Node):
    """Steers for one waypoint after the other."""

    def __init__(self) -> None:
        super().__init__("autopilot", namespace="tito_neri")
        given = self.declare_parameter("waypoints", WAYPOINTS).value
        self.speed = float(self.declare_parameter("speed", 0.6).value)
        self.radius = float(self.declare_parameter("acceptance_radius", 1.5).value)
        if len(given) < 2 or len(given) % 2:
            raise ValueError(f"waypoints: latitude, longitude, latitude and so on are wanted, not {len(given)} numbers")
        self.waypoints = list(zip(given[::2], given[1::2], strict=True))
        self.arrived = False
        self.begin()
        self.orders = self.create_publisher(Float32MultiArray, "reference/actuation", 1)
        for kind, topic, hear in (
            (NavSatFix, "telemetry/gnss/fix", self.hear_fix),
            (Imu, "telemetry/imu", self.hear_imu),
            (Float32, "telemetry/heading", self.hear_heading),
        ):
            self.create_subscription(kind, topic, hear, qos_profile_sensor_data)
        self.get_logger().info(f"{len(self.waypoints)} waypoints, from the first position on")

    def begin(self) -> None:
        """Know nothing yet."""
        self.target, self.integral, self.ahead, self.rate, self.heading = 0, 0.0, 0.0, 0.0, 0.0
        self.fix: tuple[float, float, float] | None = None  # time, latitude, longitude

    def hear_fix(self, message: NavSatFix) -> None:
        """Where the tug is, and how fast it goes ahead."""
        stamp = message.header.stamp
        new = (stamp.sec + 1e-9 * stamp.nanosec, message.latitude, message.longitude)
        if self.fix is not None and new[0] < self.fix[0]:
            self.get_logger().info("the clock was set back: from the first waypoint again")
            self.begin()
        if self.fix is not None and new[0] > self.fix[0]:
            north, east = metres(self.fix[1:], new[1:])
            step = new[0] - self.fix[0]
            self.ahead = (north * math.cos(self.heading) + east * math.sin(self.heading)) / step
        self.fix = new

    def hear_imu(self, message: Imu) -> None:
        """The rate of turn, to port there and to starboard here."""
        self.rate = -message.angular_velocity.z

    def hear_heading(self, message: Float32) -> None:
        """Answer by an order."""
        self.heading = message.data
        if self.fix is None or self.arrived:
            return
        north, east = metres(self.fix[1:], self.waypoints[self.target])
        if math.hypot(north, east) < self.radius:
            self.get_logger().info(f"waypoint {self.target + 1} of {len(self.waypoints)}")
            self.target += 1
            self.arrived = self.target == len(self.waypoints)
            if self.arrived:
                self.order(0.0, 0.0)
                return
            north, east = metres(self.fix[1:], self.waypoints[self.target])
        error = math.remainder(math.atan2(east, north) - self.heading, math.tau)
        wanted = self.speed * max(math.cos(error), 0.0)
        self.integral = clip(self.integral + 0.1 * (wanted - self.ahead), 1.0)
        force = DRAG * wanted + 8.0 * (wanted - self.ahead) + self.integral
        self.order(min(max(force, 0.0), MOST_FORCE), clip(1.5 * error - 3.0 * self.rate, MOST_MOMENT))

    def order(self, force: float, moment: float) -> None:
        """Have the thrusters make a force ahead, N, and a moment to starboard, N m, that do not push sideways."""
        side = moment / (AFT + BOW)
        speed = 60.0 * revolutions(0.5 * math.hypot(force, side))  # rev/min
        angle = math.atan2(-side, force) if speed else 0.0
        self.orders.publish(Float32MultiArray(data=[speed, speed, clip(side / BOW_FORCE, 1.0), angle, angle]))


def clip(value: float, most: float) -> float:
    """The value within ±most."""
    return min(max(value, -most), most)


def metres(here: tuple[float, float], there: tuple[float, float]) -> tuple[float, float]:
    """How far one place is to the north and to the east of another; latitudes and longitudes in degrees."""
    north, east = (math.radians(to - of) for of, to in zip(here, there, strict=True))
    return EARTH * north, EARTH * math.cos(math.radians(here[0])) * east


def revolutions(force: float) -> float:
    """Of an aft thruster that has to give a force, rev/s: the one root of CUBIC n³ + LINEAR n = force."""
    scale = math.sqrt(LINEAR / (3.0 * CUBIC))
    return 2.0 * scale * math.sinh(math.asinh(1.5 * force / (LINEAR * scale)) / 3.0)


def main() -> None:
    """Sail."""
    rclpy.init(args=sys.argv)
    try:
        pilot = Autopilot()
        while not pilot.arrived:
            rclpy.spin_once(pilot)
    except (ValueError, ParameterException) as problem:
        sys.exit(str(problem))
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        rclpy.try_shutdown()


if __name__ == "__main__":
    main()
