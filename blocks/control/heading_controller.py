"""What the controllers of heading share."""

from __future__ import annotations

from blocks.control.limited_controller import LimitedController
from blocks.dynamics.nomoto import NomotoVessel
from blocks.model.declare import Input, Output
from blocks.model.dependence import each, elements
from blocks.signal import Angle, AngularRate, BodyVelocity, Moment, Pose, Signal

AngularAcceleration = Signal("AngularAcceleration", unit="rad/s^2")

HEADING_ERROR = each("heading") | {"eta": elements("psi")}
YAW_MOTION = HEADING_ERROR | {"nu": elements("r")} | each("rate", "acceleration", "integral")
LIMITS = each("lower", "upper")


class HeadingController(LimitedController, abstract=True):
    """From a desired heading to a yaw moment, which `ComposeWrench` takes as N."""

    acting = "moment"
    reads_outputs = ("error",)

    heading = Input(Angle, "ψ_d, what is wanted")
    eta = Input(Pose, "η, of which the heading ψ counts")
    nu = Input(BodyVelocity, "ν, of which the yaw rate r counts")
    rate = Input(AngularRate, "r_d, the yaw rate that goes with a reference that turns", default=0.0)
    acceleration = Input(AngularAcceleration, "a_d, its rate of change", default=0.0)

    moment = Output(Moment, "N within its limits", within=("lower", "upper"))
    error = Output(Angle, "e = ψ_d - ψ, the short way round", feedthrough=("heading", "eta"), depends=HEADING_ERROR)


def nomoto(gain: float | str, time_constant: float | str, rudder_moment: float | str) -> NomotoVessel:
    """The vessel of Nomoto's first-order equation T ṙ + r = K N/N_δ. Raises ParameterError."""
    return NomotoVessel(
        gain=gain, time_constant=time_constant, rudder_moment=rudder_moment, surge_gain=1.0, surge_time_constant=1.0
    )
