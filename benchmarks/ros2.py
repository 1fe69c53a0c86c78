"""Vehicles of a fleet as ROS 2 topics, 100 messages a second each: what is lost, and what it costs.

A second process, a node of rclpy, counts the messages of nav_msgs/Odometry; both stay on the loopback interface.
"""

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.report import arguments, show
from blocks import Diagram, Fleet
from blocks.dynamics import Vessel3DOF
from blocks.live.ros2 import Ros2Node
from blocks.realtime.loop import RealTime
from blocks.swarm.fleet_run import FleetRun

COUNTS = (50, 100, 200, 400)
RATE, SECONDS = 100.0, 10.0
DEPTH = 100
"""Messages of a topic that wait for the listener: those of a second, for the times when it has no core."""
ENVIRONMENT = {"ROS_DOMAIN_ID": str(1 + os.getpid() % 100), "FASTDDS_BUILTIN_TRANSPORTS": "SHM"}


def fleet(count: int) -> Fleet:
    """Vessels that are pushed around, in RK4 steps of 10 ms."""
    boat = Diagram("boat")
    vessel = boat.add("vessel", Vessel3DOF.diagonal(m=(40, 50, 10), d=(20, 30, 10)))
    boat.inputs(force=vessel.force)
    return Fleet(boat, count, step=1.0 / RATE, inputs={"force": [10.0, 0.0, 0.0, 0.0, 0.0, 1.0]}, threads=1)


def listen(count: int) -> None:
    """The other process: count messages by topic until standard input ends, then print how many there were."""
    import rclpy
    from nav_msgs.msg import Odometry
    from rclpy.experimental import EventsExecutor

    rclpy.init()
    node = rclpy.create_node("listener")
    received = [0] * count

    def counting(number: int) -> object:
        def take(message: bytes) -> None:
            received[number] += 1

        return take

    width = len(str(count - 1))
    for number in range(count):
        node.create_subscription(Odometry, f"/usv_{number:0{width}d}/odom", counting(number), DEPTH, raw=True)
    executor = EventsExecutor()
    executor.add_node(node)
    while node.count_publishers(f"/usv_{0:0{width}d}/odom") == 0:
        executor.spin_once(timeout_sec=0.05)
    os.set_blocking(0, False)
    began = time.process_time()
    while sys.stdin.read(1) != "e":
        for _ in range(100):
            executor.spin_once(timeout_sec=0.01)
    print(json.dumps({"received": received, "cpu": time.process_time() - began}), flush=True)
    os._exit(0)


class _Begin:
    """Waits until the listener has found all topics, so that what is counted begins with the first message."""

    def __init__(self, node: Ros2Node) -> None:
        self.node = node

    def open(self, simulator: object) -> None:
        began = time.monotonic()
        while not all(p.get_subscription_count() for p in self.node.node.publishers if p.topic_name.endswith("odom")):
            if time.monotonic() - began > 60.0:
                raise RuntimeError("the listener has not found all topics")
            time.sleep(0.1)

    def read(self, simulator: object, t: float) -> None:
        pass


def measure(count: int, seconds: float) -> dict[str, dict[str, object]]:
    """Run so many vehicles for some seconds."""
    other = subprocess.Popen(
        [sys.executable, "-m", "benchmarks.ros2", "--listen", str(count)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    assert other.stdin is not None
    odom = {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu"}
    node = Ros2Node(topics={"odom": odom}, inputs={}, vehicles="usv_{}", depth=DEPTH, services=False)
    boats = fleet(count)
    attached = node.attached
    attached["sources"] = {"ros2": node, "begin": _Begin(node)}
    loop = RealTime(FleetRun(boats), end=seconds, rate=RATE, **attached)
    began = time.process_time()
    timing = loop.run()
    cpu = time.process_time() - began
    time.sleep(0.5)
    other.stdin.write("e")
    other.stdin.close()
    assert other.stdout is not None
    counted = json.loads(other.stdout.read())
    sent = (timing.turns + 1) * count
    name = f"{count} vehicles"
    return {
        f"{name}: messages lost": {"value": sent - sum(counted["received"]), "unit": f"of {sent}"},
        f"{name}: late, half of the turns": {"value": 1e3 * timing.lateness_median, "unit": "ms"},
        f"{name}: late, 99 %": {"value": 1e3 * timing.lateness_99, "unit": "ms"},
        f"{name}: overruns": {"value": timing.overruns, "unit": f"of {timing.turns} turns"},
        f"{name}: processor, node": {"value": 100.0 * cpu / seconds, "unit": "% of a core"},
        f"{name}: processor, listener": {"value": 100.0 * counted["cpu"] / seconds, "unit": "% of a core"},
    }


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--listen", type=int, help="be the other process")
    parser.add_argument("--vehicles", type=int, nargs="+", default=list(COUNTS), metavar="N", help="how many")
    parser.add_argument("--seconds", type=float, default=SECONDS, metavar="S", help="how long each")
    options = parser.parse_args()
    if options.listen:
        listen(options.listen)
    with tempfile.TemporaryDirectory() as folder:
        os.environ.update(ENVIRONMENT, ROS_LOG_DIR=str(Path(folder)))
        figures: dict[str, dict[str, object]] = {}
        for count in options.vehicles:
            figures |= measure(count, options.seconds)
    show(f"{RATE:g} messages a second of each vehicle for {options.seconds:g} s", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
