"""The ports that all vessels share."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.declare import Input, Output
from blocks.signal import BodyAcceleration, BodyVelocity, Pose, Velocity, Wrench

__all__ = ["Vessel"]


class Vessel(Block, abstract=True):
    """A vessel that forces and a current move. Vessels of every fidelity have these ports, so one replaces another.

    The force outputs stand on the left of M ν̇ + f_c + f_d + f_h = τ + τ_d, with τ `force` and τ_d `disturbance`.
    """

    force = Input(Wrench, "τ, forces and moments about the body origin")
    disturbance = Input(Wrench, "τ_d, further forces and moments: waves, wind, a tether", default=0.0)
    current = Input(Velocity, "v_c, velocity of the water, where it flows to; steady and uniform", default=0.0)

    eta = Output(Pose, "η, position of the body origin and attitude", state="eta")
    nu = Output(BodyVelocity, "ν, velocity over ground", state="nu")
    nu_r = Output(BodyVelocity, "ν_r, velocity through the water", feedthrough=("current",))
    acceleration = Output(BodyAcceleration, "ν̇, rate of change of ν in body axes")
    restoring_force = Output(Wrench, "f_h, from weight and buoyancy", feedthrough=False)
    damping_force = Output(Wrench, "f_d", feedthrough=("current",))
    coriolis_force = Output(Wrench, "f_c, from turning body axes", feedthrough=("current",))
