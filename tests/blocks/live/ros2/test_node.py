"""A diagram as a node of ROS 2, with a node of rclpy in another process that knows nothing of it."""

from __future__ import annotations

import math
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ros_peer import Peer

from blocks import Diagram, Simulator
from blocks.basic import Gain
from blocks.control import PID
from blocks.dynamics import Vessel3DOF
from blocks.live.ros2 import Ros2Error, Ros2Node, missing
from blocks.power import Battery
from blocks.realtime.loop import RealTime
from blocks.run.result import Result
from blocks.sensors import Gnss, Imu

STEP = 0.02


def _diagram() -> Diagram:
    boat = Diagram("boat")
    vessel = boat.add("vessel", Vessel3DOF.diagonal(m=(40, 50, 10), d=(20, 30, 10)))
    imu = boat.add("imu", Imu(period=0.1, gyro_noise_density=0.01, accelerometer_noise_density=0.02))
    gnss = boat.add("gnss", Gnss("52 deg", "4 deg", period=0.2, horizontal_noise=0.5, vertical_noise=1.0))
    battery = boat.add("battery", Battery(capacity="10 A*h", open_circuit_voltage=[11.0, 13.0]))
    heading = boat.add("heading", PID(kp=3.0, kd=1.0, derivative="measurement"))
    gain = boat.add("gain", Gain(2.0))
    boat.inputs(force=vessel.force, power=battery.power, reference=heading.reference, stick=gain.u)
    for block in (imu, gnss):
        boat.connect(vessel.eta, block.eta)
        boat.connect(vessel.nu, block.nu)
    boat.connect(vessel.acceleration, imu.acceleration)
    boat.connect(vessel.eta["psi"], heading.measurement)
    return boat


def _simulator() -> Simulator:
    start = {"force": np.zeros(6), "power": [120.0], "reference": 0.0, "stick": np.zeros(3)}
    return Simulator(_diagram(), step=STEP, inputs=start)


TOPICS = {
    "odom": {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu"},
    "imu": {"type": "sensor_msgs/Imu", "block": "imu", "attitude": "vessel.eta"},
    "fix": {"type": "sensor_msgs/NavSatFix", "block": "gnss", "rate": "5 Hz"},
    "battery": {"type": "sensor_msgs/BatteryState", "block": "battery"},
    "pose": {"type": "geometry_msgs/PoseStamped", "eta": "vessel.eta"},
    "speed": {"type": "geometry_msgs/TwistStamped", "nu": "vessel.nu"},
    "stick": {"type": "std_msgs/Float64MultiArray", "data": ["gain.y", "reference"]},
    "/tf": {"type": "tf2_msgs/TFMessage", "transforms": {"base_link": "vessel.eta"}},
}
INPUTS = {
    "wrench": {"type": "geometry_msgs/WrenchStamped", "force": "force", "timeout": "0.5 s"},
    "cmd_vel": {"type": "geometry_msgs/Twist", "yaw_rate": "reference"},
    "joy": {
        "type": "sensor_msgs/Joy",
        "axes": {"stick[0]": {"index": 1, "scale": 4.0, "deadband": 0.2}, "stick[1]": {"index": 0, "offset": 1.0}},
        "buttons": {"stick[2]": {"index": 0, "scale": 7.0}},
    },
    "override": {"type": "std_msgs/Float32", "data": "stick[0]", "priority": 1, "timeout": "0.3 s"},
}


class Live:
    """A run in real time in a thread of its own."""

    def __init__(self, folder: Path) -> None:
        self.namespace = f"/t{os.getpid()}"
        self.file = folder / "saved.nc"
        self.simulator = _simulator()
        self.node = Ros2Node(topics=TOPICS, inputs=INPUTS, name="boat", namespace=self.namespace, file=self.file)
        self.loop = RealTime(self.simulator, **self.node.attached)
        self.timing: Any = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self) -> None:
        self.timing = self.loop.run()

    def topic(self, name: str) -> str:
        return f"{self.namespace}/{name}"

    def service(self, name: str) -> str:
        return f"{self.namespace}/boat/{name}"

    def end(self) -> Result:
        self.loop.stop()
        self._thread.join(10.0)
        return self.simulator.result()


@pytest.fixture(scope="module")
def live(peer: Peer, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Live]:
    run = Live(tmp_path_factory.mktemp("live"))
    yield run
    run.end()


def test_every_message_arrives_with_what_the_run_has(peer: Peer, live: Live) -> None:
    for name in ("odom", "pose", "speed"):
        peer.listen(live.topic(name), TOPICS[name]["type"])  # type: ignore[arg-type]
    peer.send(
        live.topic("wrench"),
        "geometry_msgs/WrenchStamped",
        {"wrench": {"force": {"x": 40.0, "y": -9.0}, "torque": {"z": -2.0}}},
    )
    messages = peer.received(live.topic("odom"), 40)
    pose, speed = peer.received(live.topic("pose"))[0], peer.received(live.topic("speed"))[0]
    result = live.node._requests.ask(live.simulator.result)  # type: ignore[union-attr]
    stamps = np.array([m["header"]["stamp"]["sec"] + 1e-9 * m["header"]["stamp"]["nanosec"] for m in messages])
    np.testing.assert_allclose(np.diff(stamps), STEP, atol=1e-6)
    rows = np.rint(stamps / STEP).astype(int)
    eta, nu = result.values("vessel.eta")[rows], result.values("vessel.nu")[rows]
    assert messages[0]["header"]["frame_id"] == "odom"
    assert messages[0]["child_frame_id"] == "base_link"
    for number, message in enumerate(messages):
        position, linear = message["pose"]["pose"]["position"], message["twist"]["twist"]["linear"]
        assert (position["x"], position["y"]) == (eta[number, 1], eta[number, 0])  # east, north
        assert (linear["x"], linear["y"]) == (nu[number, 0], -nu[number, 1])  # forward, left
    quaternion = messages[-1]["pose"]["pose"]["orientation"]
    yaw = 2.0 * math.atan2(quaternion["z"], quaternion["w"])
    assert yaw == pytest.approx(math.pi / 2.0 - eta[-1, 5])
    assert nu[-1, 0] > 0.0 < nu[-1, 1]  # the wrench to the left came as one to starboard
    assert pose["header"]["frame_id"] == "odom"
    assert speed["header"]["frame_id"] == "base_link"


def test_a_message_that_is_too_old_no_longer_holds(peer: Peer, live: Live) -> None:
    kind = "geometry_msgs/WrenchStamped"
    peer.send(live.topic("wrench"), kind, {"wrench": {"force": {"x": 5.0}}})
    peer.listen(live.topic("stick"), "std_msgs/Float64MultiArray")
    peer.received(live.topic("stick"), 35, fresh=True)
    assert live.simulator["force[X]"] == 0.0


def test_instruments_come_with_their_covariances(peer: Peer, live: Live) -> None:
    for name in ("imu", "fix", "battery"):
        peer.listen(live.topic(name), TOPICS[name]["type"])  # type: ignore[arg-type]
    [imu], fixes, [battery] = (
        peer.received(live.topic(name), n) for name, n in (("imu", 1), ("fix", 3), ("battery", 1))
    )
    assert imu["angular_velocity_covariance"][::4] == pytest.approx([1e-3] * 3)  # N²/T
    assert imu["linear_acceleration_covariance"][::4] == pytest.approx([4e-3] * 3)
    assert imu["linear_acceleration"]["z"] == pytest.approx(9.81, abs=0.3)  # up
    assert fixes[0]["position_covariance"][::4] == pytest.approx([0.25, 0.25, 1.0])
    assert fixes[0]["latitude"] == pytest.approx(52.0, abs=1e-3)
    times = [fix["header"]["stamp"]["sec"] + 1e-9 * fix["header"]["stamp"]["nanosec"] for fix in fixes]
    assert np.diff(times) == pytest.approx([0.2, 0.2], abs=1e-6)  # at its own rate
    assert battery["voltage"] == pytest.approx(13.0, rel=0.01)
    assert battery["current"] == pytest.approx(-120.0 / 13.0, rel=0.01)  # negative: it discharges
    assert battery["capacity"] == pytest.approx(10.0)


def test_a_joystick_and_who_has_priority_over_it(peer: Peer, live: Live) -> None:
    topic = live.topic("stick")
    peer.listen(topic, "std_msgs/Float64MultiArray")
    peer.send(live.topic("cmd_vel"), "geometry_msgs/Twist", {"angular": {"z": 0.5}})
    peer.send(live.topic("joy"), "sensor_msgs/Joy", {"axes": [-0.5, 0.6], "buttons": [1]})
    stick = [2.0 * 4.0 * 0.5, 2.0 * 0.5, 14.0, -0.5]  # half of what is beyond the deadband; yaw to port
    at = _awaited(peer, topic, stick, 0)
    peer.send(live.topic("joy"), "sensor_msgs/Joy", {"axes": [0.1], "buttons": [1]})  # has not the axes: refused
    peer.send(live.topic("override"), "std_msgs/Float32", {"data": math.nan})
    peer.send(live.topic("override"), "std_msgs/Float32", {"data": 30.0})
    at = _awaited(peer, topic, [60.0, *stick[1:]], at)
    _awaited(peer, topic, stick, at)  # the joystick has it again
    assert live.node._inbox.refused >= 1  # type: ignore[union-attr]


def _awaited(peer: Peer, topic: str, wanted: list[float], first: int) -> int:
    """Wait for a message with these numbers, and give the number of the one after it."""
    for _ in range(500):
        messages = peer.since(topic, first)
        for number, message in enumerate(messages, first):
            if message["data"] == pytest.approx(wanted):
                return number + 1
        first += len(messages)
    raise AssertionError(f"{message['data']} instead of {wanted}")


def test_parameters_of_blocks_are_parameters_of_the_node(peer: Peer, live: Live) -> None:
    def set_(name: str, **value: Any) -> Any:
        given = {"parameters": [{"name": name, "value": value}]}
        return peer.call(live.service("set_parameters"), "rcl_interfaces/SetParameters", given)["results"][0]

    names = ["heading.kp", "gnss.delay", "gnss.vertical_noise", "vessel.initial_eta"]
    [kp, delay, noise, initial] = peer.call(
        live.service("describe_parameters"), "rcl_interfaces/DescribeParameters", {"names": names}
    )["descriptors"]
    assert kp["type"] == noise["type"] == 3
    assert noise["description"] == "σ down, m"
    assert noise["floating_point_range"][0]["from_value"] == 0.0
    assert delay["read_only"]
    assert delay["integer_range"][0]["from_value"] == 0
    assert "x, y, z, phi, theta, psi" in initial["additional_constraints"]

    assert set_("heading.kp", type=3, double_value=4.5) == {"successful": True, "reason": ""}
    assert live.simulator["heading.kp"] == 4.5
    assert set_("heading.kp", type=2, integer_value=5)["successful"]  # ros2 param set … 5
    assert set_("imu.gyro_bias", type=8, double_array_value=[0.1, 0.2, 0.3])["successful"]
    assert set_("gnss.vertical_noise", type=4, string_value="50 cm")["successful"]
    got = peer.call(
        live.service("get_parameters"), "rcl_interfaces/GetParameters",
        {"names": ["heading.kp", "imu.gyro_bias", "gnss.vertical_noise"]},
    )["values"]  # fmt: skip
    assert got[0]["double_value"] == 5.0
    assert got[1]["double_array_value"] == [0.1, 0.2, 0.3]
    assert got[2]["double_value"] == 0.5

    refused = set_("gnss.vertical_noise", type=3, double_value=-1.0)
    assert refused == {"successful": False, "reason": "gnss.vertical_noise must be ≥ 0 m, not -1"}
    assert "decides sizes, ports or equations" in set_("gnss.delay", type=2, integer_value=1)["reason"]
    assert "did you mean 'heading.kp'" in set_("heading.kP", type=3, double_value=1.0)["reason"]
    assert "must be an array of n, not True" in set_("heading.kp", type=1, bool_value=True)["reason"]
    assert "is not a number with a unit" in set_("imu.gyro_bias", type=9, string_array_value=["a", "b", "c"])["reason"]
    assert "an array of 3" in set_("imu.gyro_bias", type=5, byte_array_value=[[1], [2]])["reason"]
    assert "cannot be taken away" in set_("heading.kp", type=0)["reason"]
    assert live.simulator["heading.kp"] == 5.0


def test_services_pause_step_reset_and_save(peer: Peer, live: Live) -> None:
    def trigger(name: str) -> Any:
        return peer.call(live.service(name), "std_srvs/Trigger")

    paused = peer.call(live.service("pause"), "std_srvs/SetBool", {"data": True})
    assert paused["success"]
    at = live.simulator.time
    assert paused["message"] == f"paused at t = {at:g} s"
    given = {"parameters": [{"name": "step_turns", "value": {"type": 2, "integer_value": 5}}]}
    assert peer.call(live.service("set_parameters"), "rcl_interfaces/SetParameters", given)["results"][0]["successful"]
    assert trigger("step") == {"success": True, "message": f"paused at t = {at + 5 * STEP:g} s"}
    assert live.simulator.time == pytest.approx(at + 5 * STEP)
    saved = trigger("save")
    assert saved == {"success": True, "message": str(live.file)}
    assert Result.load(live.file).time[-1] == pytest.approx(at + 5 * STEP)

    start = [1.0, 2.0, 0.0, 0.0, 0.0, 0.5]
    given = {"parameters": [{"name": "vessel.initial_eta", "value": {"type": 8, "double_array_value": start}}]}
    [result] = peer.call(live.service("set_parameters"), "rcl_interfaces/SetParameters", given)["results"]
    assert result == {"successful": True, "reason": "vessel.initial_eta: holds from the next reset on"}
    assert trigger("reset") == {"success": True, "message": "at t = 0 s again, with vessel.initial_eta anew"}
    assert live.simulator.time == 0.0
    assert live.simulator["vessel.eta"].tolist() == start
    assert peer.call(live.service("pause"), "std_srvs/SetBool", {"data": False})["success"]
    peer.listen(live.topic("stick"), "std_msgs/Float64MultiArray")
    peer.received(live.topic("stick"), 3, fresh=True)
    assert 0.0 < live.simulator.time < 5.0


def test_the_clock_and_transforms_are_of_the_types_that_ros_knows(peer: Peer, live: Live) -> None:
    from rosidl_generator_type_description import RIHS01_PREFIX

    from blocks.live.ros2.transform_type import HASH

    peer.listen("/clock", "rosgraph_msgs/Clock")
    first, second = (m["clock"]["sec"] + 1e-9 * m["clock"]["nanosec"] for m in peer.received("/clock", 2))
    assert second - first == pytest.approx(STEP, abs=1e-6)
    assert peer.do("topics")["/tf"] == ["tf2_msgs/msg/TFMessage", f"{RIHS01_PREFIX}{HASH}", "boat"]


def test_ros_stays_on_loopback(peer: Peer, live: Live) -> None:
    own = set()
    for entry in Path("/proc/self/fd").iterdir():
        try:
            own.add(str(entry.readlink()).removeprefix("socket:[").removesuffix("]"))
        except OSError:
            continue
    local = [line.split() for line in Path("/proc/self/net/udp").read_text().splitlines()[1:]]
    bound = {fields[1].partition(":")[0] for fields in local if fields[9] in own}
    assert bound
    assert bound <= {"0100007F", "0100FFEF"}  # 127.0.0.1 and 239.255.0.1, little-endian


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"topics": {"odom": {"type": "nav_msgs/Odometri", "eta": "e", "nu": "n"}}}, "did you mean"),
        ({"name": "my boat"}, "node: "),
        ({"clock": "sundial"}, "clock: "),
    ],
)
def test_a_node_that_cannot_be_is_refused_when_it_is_made(given: dict[str, Any], message: str) -> None:
    with pytest.raises(Exception, match=message):
        Ros2Node(**given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        (
            {"topics": {"odom": {"type": "nav_msgs/Odometry", "eta": "vesel.eta", "nu": "vessel.nu"}}},
            "did you mean 'vessel.eta'",
        ),
        (
            {"topics": {"imu": {"type": "sensor_msgs/Imu", "block": "imu", "rate": "200 Hz"}}},
            "write live: rate: 200 Hz",
        ),
        ({"parameters": ["headin.*"]}, "did you mean 'heading"),
    ],
)
def test_what_the_diagram_has_not_is_refused_when_it_is_opened(peer: Peer, given: dict[str, Any], message: str) -> None:
    with pytest.raises(Exception, match=message):
        RealTime(_simulator(), end=1.0, **Ros2Node(**given).attached).run()


def test_parameters_given_with_the_node_and_a_clock_that_is_followed(peer: Peer) -> None:
    given = ["--ros-args", "-p", "heading.kp:=7.0", "-r", "/clock:=/other_clock"]
    space = f"/f{os.getpid()}"
    topics = {"heading": {"type": "std_msgs/Float32MultiArray", "data": ["vessel.eta[psi]", "vessel.eta[x]"]}}
    topics["pose"] = {"type": "geometry_msgs/PoseStamped", "eta": "vessel.eta"}
    node = Ros2Node(topics=topics, clock="follow", name="follower", namespace=space, services=False, arguments=given)
    simulator = _simulator()
    loop = RealTime(simulator, end=0.2, **node.attached)
    thread = threading.Thread(target=loop.run)
    thread.start()

    def ticks(seconds: int, milliseconds: int, enough: Callable[[], bool]) -> None:
        for _ in range(200):
            if enough():
                return
            peer.send(
                "/other_clock", "rosgraph_msgs/Clock", {"clock": {"sec": seconds, "nanosec": milliseconds * 1_000_000}}
            )
            thread.join(0.01)

    try:
        ticks(5, 100, lambda: simulator.status == "running")
        ticks(5, 110, lambda: node.clock() > 5.105)
        peer.listen(f"{space}/heading", "std_msgs/Float32MultiArray")
        peer.listen(f"{space}/pose", "geometry_msgs/PoseStamped")
        assert simulator.time <= STEP  # 10 ms have gone by
        ticks(2, 0, lambda: node._last < 3.0)  # back: the run goes on from where it is
        assert simulator.time <= 2.0 * STEP
        ticks(2, 900, lambda: not thread.is_alive())
    finally:
        loop.stop()
        thread.join()
    assert simulator.time == pytest.approx(0.2)
    assert simulator["heading.kp"] == 7.0
    assert peer.received(f"{space}/heading")[0]["data"] == [0.0, 0.0]
    assert peer.received(f"{space}/pose")[0]["header"]["stamp"]["sec"] == 2


def test_a_missing_ros_is_told_with_what_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, "rclpy", None)
    assert "pip install 'keelblocks[ros2]'" in missing()
    with pytest.raises(Ros2Error, match="there is no rclpy"):
        Ros2Node().open(_simulator())
