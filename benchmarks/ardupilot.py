"""A frame for ArduPilot: our side of its JSON interface against a loop in plain Python over `Simulator`.

Both serve the same frames of the Otter at 400 Hz over UDP on loopback, by turns in one process; what is timed is from
the packet that waits in the socket to the answer that has left. The loop in Python unpacks the packet, sets the inputs
and reads the outputs by their names, turns the velocity with numpy and writes JSON by the standard library. Engine
alone: the same simulation with the same inputs and no packets.
"""

import json
import socket
import struct
import sys
import time
from pathlib import Path

import numpy as np

from benchmarks.report import arguments, show, spread
from blocks import Simulator
from blocks.live.ardupilot import ArduPilot
from blocks.scenario import Scenario

SCENARIO = Path(__file__).resolve().parents[1] / "examples" / "otter_ardupilot.yaml"
RATE, FRAMES, ROUNDS = 400, 1000, 30
PULSES = [1650, 0, 1600, *[1500] * 13]


class PlainPython:
    """What one writes first."""

    def __init__(self, simulator: Simulator) -> None:
        self.simulator = simulator
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.bind(("127.0.0.1", 0))
        self.address = self.socket.getsockname()
        self.last = -1

    def exchange(self) -> None:
        """One frame."""
        data, sender = self.socket.recvfrom(100)
        magic, rate, count, *pulses = struct.unpack("<HHI16H", data)
        if magic != 18458 or count == self.last:
            return
        self.last = count
        simulator = self.simulator
        for name, channel in (("thrust[port]", 0), ("thrust[starboard]", 2)):
            share = min(max((pulses[channel] - 1500) / 400, -1.0), 1.0)
            simulator[name] = share * (119.682 if share > 0 else 66.708)
        simulator.advance(1.0 / rate)
        eta, nu = simulator["vessel.eta"], simulator["vessel.nu"]
        cphi, ctheta, cpsi = np.cos(eta[3:])
        sphi, stheta, spsi = np.sin(eta[3:])
        rotation = np.array(
            [
                [cpsi * ctheta, cpsi * stheta * sphi - spsi * cphi, cpsi * stheta * cphi + spsi * sphi],
                [spsi * ctheta, spsi * stheta * sphi + cpsi * cphi, spsi * stheta * cphi - cpsi * sphi],
                [-stheta, ctheta * sphi, ctheta * cphi],
            ]
        )
        velocity, wind = rotation @ nu[:3], simulator["wind.wind"]
        air = rotation.T @ (wind - velocity)
        line = {
            "timestamp": simulator.time,
            "imu": {
                "gyro": simulator["imu.angular_rate"].tolist(),
                "accel_body": simulator["imu.specific_force"].tolist(),
            },
            "position": eta[:3].tolist(),
            "attitude": eta[3:].tolist(),
            "velocity": velocity.tolist(),
            "battery": {
                "voltage": float(simulator["battery.voltage"]),
                "current": float(simulator["battery.current"]),
            },
            "windvane": {
                "direction": float(np.arctan2(-air[1], -air[0])),
                "speed": float(np.hypot(air[0], air[1])),
            },
            "velocity_wind": wind.tolist(),
        }
        self.socket.sendto(b"\n" + json.dumps(line).encode() + b"\n", sender)

    def close(self) -> None:
        """Give the port back."""
        self.socket.close()


def frames(vehicle: PlainPython | ArduPilot, autopilot: socket.socket, first: int) -> float:
    """Seconds per frame over a thousand of them, the autopilot's side not counted."""
    spent = 0.0
    for count in range(first, first + FRAMES):
        autopilot.sendto(struct.pack("<HHI16H", 18458, RATE, count, *PULSES), vehicle.address)
        began = time.perf_counter()
        vehicle.exchange()
        spent += time.perf_counter() - began
        autopilot.recv(4000)
    return spent / FRAMES


def engine(simulator: Simulator) -> float:
    """Seconds per frame of the simulation alone, from a loop in Python."""
    thrust, start = simulator.inputs["thrust"], simulator.time
    began = time.perf_counter()
    for count in range(FRAMES):
        thrust[0] = 44.88 + 1e-9 * count
        simulator.advance(until=start + (count + 1) / RATE)
    return (time.perf_counter() - began) / FRAMES


def measure(rounds: int) -> dict[str, dict[str, object]]:
    """By turns."""
    scenario = Scenario.load(SCENARIO)
    ours = ArduPilot(scenario.simulator(keep="1 min"), scenario.live["ardupilot"], port=0)
    theirs, alone = PlainPython(scenario.simulator(keep="1 min")), scenario.simulator(keep="1 min")
    autopilot = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    autopilot.settimeout(5.0)
    found: dict[str, list[float]] = {"ours": [], "theirs": [], "engine": []}
    for number in range(rounds):
        found["ours"].append(1e6 * frames(ours, autopilot, number * FRAMES))
        found["theirs"].append(1e6 * frames(theirs, autopilot, number * FRAMES))
        found["engine"].append(1e6 * engine(alone))
    autopilot.close()
    ours.close()
    theirs.close()
    ratios = [a / b for a, b in zip(found["ours"], found["theirs"], strict=True)]
    return {
        "our side of a frame": spread(found["ours"], "µs"),
        "of that, Simulator.advance": spread(found["engine"], "µs"),
        "a loop in Python over Simulator": spread(found["theirs"], "µs"),
        "ours over the loop in Python, median of the rounds": spread(ratios, "×") | {"target": "≤ 0.25"},
    }


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    show(
        "Frames of the Otter for ArduPilot, 400 Hz, over UDP on loopback",
        measure(options.rounds or ROUNDS),
        options.json,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
