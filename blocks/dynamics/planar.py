"""What the vessels in the horizontal plane share."""

from __future__ import annotations

from blocks.declare import State
from blocks.dynamics.vessel import Vessel
from blocks.signal import Signal

PlanarPose = Signal("PlanarPose", (3,), ("m", "m", "rad"), "ned", ("x", "y", "psi"))
PlanarVelocity = Signal("PlanarVelocity", (3,), ("m/s", "m/s", "rad/s"), "body", ("u", "v", "r"))


class PlanarVessel(Vessel, abstract=True):
    """A vessel that surges, sways and yaws only. Heave, roll and pitch are zero in all its outputs."""

    eta_state = State(PlanarPose, "north, east and heading", name="eta")
    nu_state = State(PlanarVelocity, "surge, sway and yaw rate", name="nu")
