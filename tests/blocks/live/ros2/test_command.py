"""`keelblocks live --ros2` as a user starts and ends it, with another node that drives."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest
from ros_peer import Peer

from blocks import Result

ROOT = Path(__file__).resolve().parents[4]
EXAMPLE = ROOT / "examples" / "otter_ros2.yaml"


def test_the_example_sails_as_it_is_told_and_ends_with_its_result(peer: Peer, tmp_path: Path) -> None:
    space = f"/c{os.getpid()}"
    run = subprocess.Popen(
        [
            sys.executable, "-m", "blocks.cli", "live", str(EXAMPLE), "--plain", "--output", str(tmp_path), "--endless",
            "--factor", "5", "--ros-args", "-r", f"__ns:={space}", "-r", f"/clock:={space}/clock",
        ],
        cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    for topic, kind in (("odom", "nav_msgs/Odometry"), ("battery", "sensor_msgs/BatteryState")):
        peer.listen(f"{space}/{topic}", kind)
    for _ in range(2000):
        peer.send(f"{space}/cmd_vel", "geometry_msgs/Twist", {"linear": {"x": 1.0}, "angular": {"z": 0.2}})
        [odom] = peer.received(f"{space}/odom", fresh=True)
        if odom["twist"]["twist"]["linear"]["x"] > 0.5 and odom["twist"]["twist"]["angular"]["z"] > 0.1:
            break
    assert odom["twist"]["twist"]["linear"]["x"] > 0.5
    assert peer.received(f"{space}/battery")[0]["voltage"] == pytest.approx(33.6, rel=0.1)
    run.send_signal(signal.SIGINT)
    out, problem = run.communicate(timeout=20.0)
    assert run.returncode == 130, out + problem
    assert f"what was recorded until then is in {tmp_path / 'otter_ros2.nc'}" in problem.replace("\n", " ")
    nu = Result.load(tmp_path / "otter_ros2.nc")["vessel.nu"].values
    assert nu[:, 0].max() > 0.4
    assert nu[:, 5].min() < -0.05  # to port
