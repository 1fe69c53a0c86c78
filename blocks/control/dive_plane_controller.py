"""The depth controller of vehicles that dive by their pitch."""

from __future__ import annotations

from typing import Any

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.control.limited_controller import LimitedController
from blocks.control.operating_point import OperatingPoint, number
from blocks.control.pole_placement import motion_gains, who
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Sources, each, elements
from blocks.signal import Angle, BodyVelocity, Length, Moment, Pose

_ERROR = each("depth") | {"eta": elements("z")}
_PITCH = _ERROR | each("integral", "kp", "pitch_limit")


class DivePlaneController(LimitedController):
    """Depth controller of a vehicle under way that dives by its pitch: depth to pitch, and pitch to a pitch moment.

    θ_v = I - k_p e,  θ_d = θ_v within ±`pitch_limit`,  e = z_d - z
    v = K_p (θ_d - θ) - K_d q + k θ_d,  M = v within [lower, upper]
    dI/dt = -k_i e - K_t ((θ_v - θ_d) + (v - M)/K_p);  dI/dt = 0 where k_i = 0

    z_d: `depth`, m, down; z, θ: of `eta`; q: pitch rate of `nu`, rad/s; M: `moment`, N·m, for `ComposeWrench.M`, or
    divided by what a dive plane makes per rad its angle; θ_d: `pitch`, rad, bow up; e: `error`, m; k_p, k_i: `kp`,
    `ki`, rad per m and m s; K_p, K_d: `pitch_kp`, `pitch_kd`, N·m per rad and rad/s; k: `stiffness`, the moment that
    rights the vehicle, N·m/rad; I: state `integral`, rad; K_t: `tracking_gain`, 1/s, back-calculation; 0 is no
    anti-windup.

    At the speed U the depth follows ż = w - U θ nearly, so bow down, θ < 0, is deeper. The integral finds the pitch
    that holds the depth, and so makes up for buoyancy and for moments that are not modelled: pitch needs no integral of
    its own. Below some speed a vehicle cannot dive so at all.

    Raises ParameterError if an upper limit is below its lower limit, and for values out of range.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15; Prestero (2001),
    Verification of a Six-Degree of Freedom Simulation Model for the REMUS Autonomous Underwater Vehicle, MIT (a pitch
    loop within a depth loop).
    """

    examples = (
        {"kp": 0.3, "ki": 0.05, "pitch_kp": 3.0, "pitch_kd": 2.0, "stiffness": 1.5, "lower": -1.0, "upper": 1.0},
    )

    kernel = "dive_plane_controller"
    acting = "moment"
    reads_outputs = ("error",)
    positional = ("kp", "ki", "pitch_kp", "pitch_kd")

    depth = Input(Length, "z_d, what is wanted")
    eta = Input(Pose, "η, of which depth and pitch count")
    nu = Input(BodyVelocity, "ν, of which the pitch rate counts")

    moment = Output(Moment, "M within its limits", within=("lower", "upper"))
    pitch = Output(Angle, "θ_d, what the pitch is to be", feedthrough=("depth", "eta"), depends=_PITCH)
    error = Output(Length, "e = z_d - z", feedthrough=("depth", "eta"), depends=_ERROR)

    kp = Parameter(unit="rad/m", at_least=0.0, doc="proportional gain k_p of depth")
    ki = Parameter(0.0, unit="rad/(m*s)", at_least=0.0, doc="integral gain k_i of depth")
    pitch_kp = Parameter(unit="N*m", above=0.0, doc="proportional gain K_p of pitch, per rad")
    pitch_kd = Parameter(0.0, unit="N*m*s", doc="derivative gain K_d of pitch, per rad/s")
    stiffness = Parameter(0.0, unit="N*m", doc="k, righting moment per rad")
    pitch_limit = Parameter(0.5235987755982988, unit="rad", above=0.0, below=1.5707963267948966, doc="greatest |θ_d|")
    lower = Parameter(-NO_LIMIT, unit="N*m", doc="lower limit of the moment")
    upper = Parameter(NO_LIMIT, unit="N*m", doc="upper limit of the moment")
    tracking_gain = Parameter(1.0, unit="1/s", at_least=0.0, doc="K_t of back-calculation")

    integral = State(Angle, "I, the pitch that holds the depth")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The moment depends on depth and pitch."""
        if output != "moment":
            return super().output_sources(output, sizes)
        moving = {"eta": elements("z theta"), "nu": elements("q")}
        return {**_PITCH, **moving, **each("pitch_kp", "pitch_kd", "stiffness", "lower", "upper")}

    @classmethod
    def by_pole_placement(
        cls,
        vessel: Block,
        speed: float | str,
        natural_frequency: float | str,
        damping_ratio: float | str = 1.0,
        *,
        depth_frequency: float | str | None = None,
        **parameters: Any,
    ) -> DivePlaneController:
        """The controller that gives pitch the poles of s² + 2ζω s + ω² and then depth those of (s + ω_z)².

        vessel: a block of `blocks.dynamics` that pitches; speed: U, m/s; natural_frequency: ω of pitch, rad/s;
        damping_ratio: ζ of pitch; depth_frequency: ω_z, rad/s, ω/5 unless given: the pitch has to be faster than what
        relies on it; parameters: any others of the block.

        K_p = m ω² - k, K_d = 2ζω m - d with m, d and k of pitch, the other motions held; k_p = 2 ω_z/U, k_i = ω_z²/U.
        The heave that comes with pitch, and its Munk moment, are not in this design: choose ω well above the rate at
        which heave dies out, and look at a run.

        Raises ParameterError if the vessel's own damping or stiffness is more than these poles need.
        """
        name = who(cls)
        number(speed, "m/s", f"{name}: speed", above=0.0)
        point = OperatingPoint(vessel, speed, name)
        pitch = motion_gains(point, "pitch", natural_frequency, damping_ratio, 0.0)
        slow = number(natural_frequency, "rad/s", f"{name}: natural_frequency") / 5.0
        if depth_frequency is not None:
            slow = number(depth_frequency, "rad/s", f"{name}: depth_frequency", above=0.0)
        ahead = float(point.nu[0])
        found = {
            "kp": 2.0 * slow / ahead,
            "ki": slow * slow / ahead,
            "pitch_kp": pitch["kp"],
            "pitch_kd": pitch["kd"],
            "stiffness": point.motion("pitch")[2],
            "tracking_gain": 0.5 * slow,
        }
        return cls(**(found | parameters))
