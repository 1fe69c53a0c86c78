"""The power that thrust gives to a vehicle, term by term."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.declare import Input, Output
from blocks.model.dependence import whole
from blocks.signal import BodyVelocity, Power, Wrench


class ThrustPower(Block):
    """The power that thrust gives to a vehicle, and what it goes into, term by term of the equation of motion.

    P = τᵀ ν_r = P_m + P_c + P_d + P_h + P_e
    P_c = f_cᵀ ν_r,  P_d = f_dᵀ ν_r,  P_h = f_hᵀ ν_r,  P_e = -τ_dᵀ ν_r
    P_m = (M ν̇)ᵀ ν_r = (τ + τ_d - f_c - f_d - f_h)ᵀ ν_r

    τ: `force` of the thrusters; ν_r: `nu_r`, velocity through the water; f_c, f_d, f_h: `coriolis_force`,
    `damping_force`, `restoring_force` of the vessel, on the left of M ν̇ + f_c + f_d + f_h = τ + τ_d; τ_d:
    `disturbance`, of the wind say; forces N and N·m, 6, velocities m/s and rad/s, 6, all in body axes. P: `power`;
    P_m, P_c, P_d, P_h, P_e: `inertia_power`, `coriolis_power`, `damping_power`, `restoring_power`,
    `disturbance_power`, W. Terms whose force is not connected are 0, and inertia, as what is left, has them.

    **Signs.** P > 0 where thrust works on the water that the vehicle moves through: power has to be supplied. P < 0
    where the water drives the thrusters, when they brake, reverse, or the current carries the vehicle against its
    thrust: the most that could be regenerated; what does not come back a Saturation or `ElectricDrive` takes out.
    P_e > 0 against the wind.

    P is what an ideal propeller takes: no losses of propeller, shaft or motor. For a vessel with C(ν_r) skew-symmetric
    P_c is 0 in still water; in a current it holds the power of the turning axes, as f_c does.

    Source: Touzout (2021), Energy consumption modelling of marine drones, doctoral thesis, UMBB, eq. 4.22 to 4.24; the
    equation of motion is that of Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 6.
    """

    kernel = "thrust_power"

    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water")
    force = Input(Wrench, "τ, of the thrusters about the body origin")
    coriolis_force = Input(Wrench, "f_c of the vessel", default=0.0)
    damping_force = Input(Wrench, "f_d of the vessel", default=0.0)
    restoring_force = Input(Wrench, "f_h of the vessel", default=0.0)
    disturbance = Input(Wrench, "τ_d, wind and other forces that are no thrust", default=0.0)

    power = Output(
        Power, "P, negative where the water drives the thrusters", feedthrough=("nu_r", "force"),
        depends=whole("nu_r", "force"), nominal=100.0,
    )  # fmt: skip
    coriolis_power = Output(
        Power, "P_c", feedthrough=("nu_r", "coriolis_force"), depends=whole("nu_r", "coriolis_force"), nominal=100.0
    )
    damping_power = Output(
        Power, "P_d", feedthrough=("nu_r", "damping_force"), depends=whole("nu_r", "damping_force"), nominal=100.0
    )
    restoring_power = Output(
        Power, "P_h", feedthrough=("nu_r", "restoring_force"), depends=whole("nu_r", "restoring_force"), nominal=100.0
    )
    disturbance_power = Output(
        Power, "P_e, positive against the wind", feedthrough=("nu_r", "disturbance"),
        depends=whole("nu_r", "disturbance"), nominal=100.0,
    )  # fmt: skip
    inertia_power = Output(
        Power,
        "P_m, negative while the vehicle loses way",
        depends=whole("nu_r", "force", "coriolis_force", "damping_force", "restoring_force", "disturbance"),
        nominal=100.0,
    )
