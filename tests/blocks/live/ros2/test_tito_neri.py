"""The example `tito_neri_ros`: simulator, autopilot and helm as processes of their own, in a namespace of their own."""

from __future__ import annotations

import os
import pty
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from ros_peer import Peer

ROOT = Path(__file__).resolve().parents[4]
EXAMPLE = ROOT / "examples" / "tito_neri_ros"
SPACE = f"/tito{os.getpid()}"
NAMES = ["--ros-args", "-r", f"__ns:={SPACE}", "-r", f"/clock:={SPACE}/clock"]
ORDERS, OVERRIDE = f"{SPACE}/reference/actuation", f"{SPACE}/reference/actuation_prio"
ARRAY = "std_msgs/Float32MultiArray"


def _stamps(messages: list[Any]) -> Any:
    return np.array([m["header"]["stamp"]["sec"] + 1e-9 * m["header"]["stamp"]["nanosec"] for m in messages])


def test_the_autopilot_sails_to_its_waypoint_and_the_helm_overrides_it(peer: Peer, tmp_path: Path) -> None:
    pilot = subprocess.Popen([sys.executable, str(EXAMPLE / "autopilot.py"), *NAMES], stderr=subprocess.PIPE, text=True)
    peer.listen(ORDERS, ARRAY)  # the autopilot is there
    simulator = subprocess.Popen(
        [
            sys.executable, "-m", "blocks.cli", "live", str(EXAMPLE / "tito_neri.yaml"), "--quiet", "--factor", "15",
            "--record", "vessel.eta", "--output", str(tmp_path), *NAMES,
        ],
        cwd=ROOT, stderr=subprocess.PIPE, text=True,
    )  # fmt: skip
    patience = threading.Timer(60.0, pilot.kill)
    patience.start()
    try:
        for topic, kind in (("gnss/fix", "NavSatFix"), ("imu", "Imu")):
            peer.listen(f"{SPACE}/telemetry/{topic}", f"sensor_msgs/{kind}")
        assert pilot.stderr is not None
        assert "5 waypoints" in pilot.stderr.readline()
        assert "waypoint 1 of 5" in pilot.stderr.readline()
        for topic, rate in (("gnss/fix", 5.0), ("imu", 16.0)):
            messages = peer.received(f"{SPACE}/telemetry/{topic}", 20)
            steps = np.diff(_stamps(messages)) * rate
            np.testing.assert_allclose(steps, np.round(steps), atol=1e-4)
            assert round(steps.min()) == 1  # a slow reader loses some at 15 times real time
        fixes = peer.since(f"{SPACE}/telemetry/gnss/fix", 0)
        away = [np.hypot(f["latitude"] - 52.0015, 0.616 * (f["longitude"] - 4.372)) for f in fixes]
        assert 111e3 * min(away) < 5.0  # from 13 m
        state = f"{SPACE}/diagnostics/sim_state/actuator_state"
        peer.listen(state, ARRAY)
        for _ in range(50):  # nobody sends again what is lost
            peer.send(OVERRIDE, ARRAY, {"data": [-1200.0, -1200.0, 0.0, 0.5, 0.5]})
            [astern] = peer.received(state, fresh=True)
            if astern["data"][0] < -1199.9:
                break
        assert astern["data"][:2] == pytest.approx([-1200.0, -1200.0], abs=0.1)
        before = _stamps(peer.received(f"{SPACE}/telemetry/imu", fresh=True))[0]
        assert peer.call(f"{SPACE}/simulator/reset", "std_srvs/Trigger")["success"]
        assert _stamps(peer.received(f"{SPACE}/telemetry/imu", fresh=True))[0] < before
    finally:
        patience.cancel()
        simulator.send_signal(signal.SIGINT)
        pilot.send_signal(signal.SIGINT)
        problem = simulator.communicate(timeout=20.0)[1]
        pilot.communicate(timeout=20.0)
    assert simulator.returncode == 130, problem
    assert pilot.returncode == 0


def test_keys_of_the_helm_are_orders_and_h_hands_over(peer: Peer) -> None:
    own, terminal = pty.openpty()
    helm = subprocess.Popen([sys.executable, str(EXAMPLE / "helm.py"), *NAMES], stdin=terminal, stdout=terminal)
    os.close(terminal)
    peer.listen(OVERRIDE, ARRAY)
    os.write(own, b"w\x1b[Ade")
    for _ in range(20):
        [orders] = peer.received(OVERRIDE, fresh=True)
        if orders["data"][4]:
            break
    assert orders["data"] == pytest.approx([600.0, 600.0, 0.25, -np.radians(15.0), -np.radians(15.0)])
    os.write(own, b"hx")
    assert helm.wait(10.0) == 0
    shown = os.read(own, 65536).decode()
    assert "turn to port" in shown
    assert f"+600 rev/min at -15°, bow +0.25 | nothing on {SPACE}/telemetry/" in shown
    os.close(own)
