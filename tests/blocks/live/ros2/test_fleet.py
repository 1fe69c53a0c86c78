"""A fleet as a node of ROS 2: each vehicle has its own topics and frames."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator

import numpy as np
import pytest
from mcap_ros2._dynamic import generate_dynamic
from ros_peer import Peer

from blocks import Diagram, Fleet
from blocks.dynamics import Vessel3DOF
from blocks.live.messages import definition
from blocks.live.ros2 import Ros2Node
from blocks.live.ros2.message_types import message_type
from blocks.realtime.loop import RealTime
from blocks.swarm.fleet_run import FleetRun

COUNT = 11
SPACE = f"/fleet{os.getpid()}"


@pytest.fixture
def run(peer: Peer) -> Iterator[tuple[Fleet, Ros2Node]]:
    boat = Diagram("boat")
    vessel = boat.add("vessel", Vessel3DOF.diagonal(m=(40, 50, 10), d=(20, 30, 10)))
    boat.inputs(force=vessel.force)
    places = [[float(i), 10.0 * i, 0.0, 0.0, 0.0, 0.0] for i in range(COUNT)]
    fleet = Fleet(
        boat, COUNT, step=0.02, inputs={"force": np.zeros(6)}, parameters={"vessel.initial_eta": places}, threads=1
    )
    node = Ros2Node(
        topics={
            "odom": {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu"},
            f"{SPACE}/tf": {"type": "tf2_msgs/TFMessage", "transforms": {"base_link": "vessel.eta"}},
        },
        inputs={
            "wrench": {"type": "geometry_msgs/WrenchStamped", "force": "force", "priority": 1},
            f"{SPACE}/all": {"type": "geometry_msgs/WrenchStamped", "force": "force"},
        },
        namespace=SPACE,
        vehicles="usv_{}",
    )
    loop = RealTime(FleetRun(fleet), **node.attached)
    thread = threading.Thread(target=loop.run)
    thread.start()
    yield fleet, node
    loop.stop()
    thread.join(10.0)


def test_each_vehicle_has_its_topics_and_frames(peer: Peer, run: tuple[Fleet, Ros2Node]) -> None:
    fleet, _ = run
    for name in ("usv_03", "usv_10"):
        peer.listen(f"{SPACE}/{name}/odom", "nav_msgs/Odometry")
        [message] = peer.received(f"{SPACE}/{name}/odom")
        assert message["child_frame_id"] == f"{name}/base_link"
        assert message["header"]["frame_id"] == "odom"
        assert message["pose"]["pose"]["position"]["x"] == 10.0 * int(name[-2:])  # east
    kind = "geometry_msgs/WrenchStamped"
    peer.send(f"{SPACE}/usv_03/wrench", kind, {"wrench": {"force": {"x": 8.0}}})
    peer.send(f"{SPACE}/all", kind, {"wrench": {"force": {"x": 3.0}}})  # does not begin with the name of a vehicle
    wanted = [8.0 if i == 3 else 3.0 for i in range(COUNT)]
    for _ in range(100):
        peer.received(f"{SPACE}/usv_10/odom", fresh=True)
        if fleet.inputs["force"][:, 0].tolist() == wanted:
            break
    assert fleet.inputs["force"][:, 0].tolist() == wanted
    paused = peer.call(f"{SPACE}/keelblocks/pause", "std_srvs/SetBool", {"data": True})
    assert paused["success"]
    assert peer.call(f"{SPACE}/keelblocks/reset", "std_srvs/Trigger")["message"] == "at t = 0 s again"


def test_all_send_their_transforms_on_one_topic(run: tuple[Fleet, Ros2Node], capfd: pytest.CaptureFixture[str]) -> None:
    import rclpy
    from rclpy.executors import SingleThreadedExecutor

    context = rclpy.Context()
    rclpy.init(context=context)
    node = rclpy.create_node("transforms", context=context)
    executor = SingleThreadedExecutor(context=context)
    executor.add_node(node)
    got: list[bytes] = []
    kind = message_type("tf2_msgs/TFMessage")
    node.create_subscription(kind, f"{SPACE}/tf", got.append, 1000, raw=True)
    if hasattr(kind, "registered"):
        kind.registered()
    decoders = generate_dynamic("tf2_msgs/msg/TFMessage", definition("tf2_msgs/TFMessage"))
    for _ in range(1000):
        executor.spin_once(timeout_sec=0.1)
        if len(got) >= 3 * COUNT:
            break
    executor.shutdown()
    node.destroy_node()
    context.shutdown()
    found = {}
    for data in got:
        [transform] = decoders["tf2_msgs/msg/TFMessage"](data).transforms
        assert transform.header.frame_id == "odom"
        found[transform.child_frame_id] = transform.transform.translation.x
    assert found == {f"usv_{i:02d}/base_link": 10.0 * i for i in range(COUNT)}
    assert "rcutils" not in capfd.readouterr().err
