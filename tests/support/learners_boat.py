"""A diagram that is quick to run: a vessel that is pushed ahead and turned, and a declaration for it."""

from __future__ import annotations

from typing import Any

from blocks import Diagram
from blocks.basic import Constant
from blocks.control import PID, ComposeWrench
from blocks.dynamics import Vessel3DOF
from blocks.environment import UniformCurrent


def boat() -> Diagram:
    """Surge force and yaw moment by controllers of speed and heading."""
    diagram = Diagram("boat")
    vessel = diagram.add("vessel", Vessel3DOF.diagonal(m=(100, 120, 20), d=(50, 80, 20)))
    diagram.add("current", UniformCurrent(speed="0.1 m/s", direction="90 deg"))
    diagram.add("wanted", Constant(1.0))
    diagram.add("north", Constant(0.0))
    speed = diagram.add("speed", PID(kp=200, derivative="none"))
    heading = diagram.add("heading", PID(kp=60, kd=40, derivative="rate", angle=True))
    wrench = diagram.add("wrench", ComposeWrench())
    diagram.connect("current.current", vessel.current)
    diagram.connect("wanted.y", speed.reference)
    diagram.connect("north.y", heading.reference)
    diagram.connect(vessel.nu["u"], speed.measurement)
    diagram.connect(vessel.eta["psi"], heading.measurement)
    diagram.connect(vessel.nu["r"], heading.rate)
    diagram.connect(speed.output, wrench.X)
    diagram.connect(heading.output, wrench.N)
    diagram.connect(wrench.force, vessel.force)
    return diagram


def declared(**changes: Any) -> dict[str, Any]:
    """What a learner of it sees, does and is rewarded for."""
    given: dict[str, Any] = {
        "interval": "0.5 s",
        "episode": "10 s",
        "action": {"wrench.X": ["-100 N", "0.2 kN"], "wrench.N": [-40, 40]},
        "observation": {
            "heading": {"of": "wrap(vessel.eta[psi])", "range": ["-180 deg", "180 deg"]},
            "vessel.nu[u]": ["-2 m/s", "4 kn"],
            "vessel.nu[r]": [-1, 1],
        },
        "reward": {"way": "change(vessel.eta[x])", "effort": "-1e-4 * wrench.X ** 2"},
        "termination": {"turned": {"when": "abs(vessel.eta[psi]) > 3", "reward": -5}},
        "metrics": {"way": "path_length(vessel.eta)"},
        "final": {"finish": "0.1 * way"},
        "randomise": {
            "vessel.initial_eta[psi]": {"uniform": ["-20 deg", "20 deg"]},
            "current.speed": {"normal": [0.2, 0.01]},
            "vessel.linear_damping[0]": {"choice": [50, "60 N*s/m"]},
        },
    }
    return given | changes
