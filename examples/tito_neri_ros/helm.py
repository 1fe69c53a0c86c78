"""A keyboard helm for Tito Neri, in any terminal: orders that override those of an autopilot, by rclpy alone.

    python examples/tito_neri_ros/helm.py
    python examples/tito_neri_ros/helm.py --ros-args -r __ns:=/myboat1

Orders go out ten times a second from the first key on. After h they end, and 5 s later the simulator takes those of
others again.
"""

from __future__ import annotations

import contextlib
import math
import os
import select
import shutil
import sys
import termios
import tty
from collections.abc import Iterator

import rclpy
from rclpy.executors import ExternalShutdownException
from rclpy.node import Node
from rclpy.qos import qos_profile_sensor_data
from sensor_msgs.msg import NavSatFix
from std_msgs.msg import Float32, Float32MultiArray
from std_srvs.srv import Trigger

KEYS = """\
  w s  more ahead, more astern         space  all stop
  a d  turn to port, to starboard      h      hand over to the autopilot
  q e  bow to port, to starboard       r      reset the simulation
  arrows as w a s d                    x      leave (or Ctrl-C)
"""
ARROWS = {"\x1b[A": "w", "\x1b[B": "s", "\x1b[D": "a", "\x1b[C": "d"}
CHANGES = {  # key: which order, by how much, at most
    "w": ("speed", 300.0, 3600.0),  # rev/min
    "s": ("speed", -300.0, 3600.0),
    "a": ("angle", 15.0, 135.0),  # deg: the stern goes to starboard
    "d": ("angle", -15.0, 135.0),
    "q": ("bow", -0.25, 1.0),
    "e": ("bow", 0.25, 1.0),
}
STOP = {"speed": 0.0, "angle": 0.0, "bow": 0.0}


class Helm(Node):
    """What the keys do, and what is seen of the tug."""

    def __init__(self) -> None:
        super().__init__("helm", namespace="tito_neri")
        self.orders, self.steers, self.said = dict(STOP), False, ""
        self.heading: float | None = None
        self.place = ""
        self.publisher = self.create_publisher(Float32MultiArray, "reference/actuation_prio", 1)
        self.reset = self.create_client(Trigger, "simulator/reset")
        self.create_subscription(Float32, "telemetry/heading", self.hear_heading, qos_profile_sensor_data)
        self.create_subscription(NavSatFix, "telemetry/gnss/fix", self.hear_fix, qos_profile_sensor_data)
        self.create_timer(0.1, self.publish)

    def hear_heading(self, message: Float32) -> None:
        """Keep the heading."""
        self.heading = math.degrees(message.data) % 360.0

    def hear_fix(self, message: NavSatFix) -> None:
        """Keep the position."""
        self.place = f"{message.latitude:.6f} {message.longitude:.6f}"

    def press(self, key: str) -> None:
        """Do what a key says."""
        self.said = ""
        if key in CHANGES:
            name, change, most = CHANGES[key]
            self.orders[name] = min(max(self.orders[name] + change, -most), most)
            self.steers = True
        elif key == " ":
            self.orders, self.steers = dict(STOP), True
        elif key == "h":
            self.orders, self.steers = dict(STOP), False
        elif key == "r":
            self.ask_for_reset()

    def ask_for_reset(self) -> None:
        """Have the simulation begin anew."""
        if self.reset.service_is_ready():
            self.reset.call_async(Trigger.Request()).add_done_callback(self.hear_answer)
        else:
            self.said = f"no service {self.reset.srv_name}"

    def hear_answer(self, answer: rclpy.Future) -> None:
        """Show what came of a reset."""
        self.said = answer.result().message

    def publish(self) -> None:
        """Say once more what is wanted."""
        if self.steers:
            speed, angle, bow = self.orders["speed"], math.radians(self.orders["angle"]), self.orders["bow"]
            self.publisher.publish(Float32MultiArray(data=[speed, speed, bow, angle, angle]))

    def line(self) -> str:
        """What is shown."""
        if self.heading is None:
            seen = f"nothing on {self.resolve_topic_name('telemetry/heading')} yet"
        else:
            seen = f"{self.heading:03.0f}° {self.place}"
        wanted = "{speed:+.0f} rev/min at {angle:+.0f}°, bow {bow:+.2f}".format(**self.orders)
        return " | ".join((wanted if self.steers else "others steer", seen, *filter(None, [self.said])))


@contextlib.contextmanager
def keys() -> Iterator[int]:
    """The terminal, giving each key at once."""
    file = sys.stdin.fileno()
    before = termios.tcgetattr(file)
    try:
        tty.setcbreak(file, termios.TCSADRAIN)  # keys typed already count
        yield file
    finally:
        termios.tcsetattr(file, termios.TCSADRAIN, before)
        print()


def steer() -> None:
    """Until x."""
    print(KEYS)
    with keys() as file:
        helm = Helm()
        while True:
            rclpy.spin_once(helm, timeout_sec=0.02)
            if select.select([file], [], [], 0.0)[0]:
                typed = os.read(file, 64).decode(errors="ignore")
                for arrow, letter in ARROWS.items():
                    typed = typed.replace(arrow, letter)
                if not typed or "x" in typed:
                    return
                for key in typed:
                    helm.press(key)
            print(f"\r\x1b[K  {helm.line()}"[: shutil.get_terminal_size().columns + 3], end="", flush=True)


def main() -> None:
    """Take the helm."""
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        sys.exit("helm.py takes keys from a terminal: run it in one of its own")
    rclpy.init(args=sys.argv)
    try:
        steer()
    except (KeyboardInterrupt, ExternalShutdownException):
        pass
    finally:
        rclpy.try_shutdown()


if __name__ == "__main__":
    main()
