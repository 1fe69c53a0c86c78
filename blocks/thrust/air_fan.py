"""A fan on a pivot, as an airboat has."""

from __future__ import annotations

import math

from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import elements, rows, whole
from blocks.signal import Angle, BodyVelocity, Force, Pose, Power, Signal, Velocity, Wrench

_Revolution = Signal("Revolution", unit="rev/s")
_TURNED = ("angle", "angle_limit")
_LIMITED = ("command", "thrust_limit_forward", "thrust_limit_reverse")
_COMMANDED = ("command", "angle")


class AirFan(Block):
    """A fan in the air on a vertical pivot, as an airboat has.

    τ = (F, r × F),  F = f (cos α, sin α, 0)
    n = n_max sgn(f) √(|f|/F_max)
    P = |f| (w/2 + √(w²/4 + 2 |f|/(π ρ D²))) / FM,  w = sgn(f) (v + ω × r - Rᵀ `wind`) · (cos α, sin α, 0)

    f: `thrust`, N: `command` held within -`thrust_limit_reverse` and F_max = `thrust_limit_forward`; α: `azimuth`, rad:
    `angle` held within ±`angle_limit`, the direction of the thrust, right-handed about down from straight ahead; τ:
    `force`, N and N·m, 6; r: `position`, m; n: `speed`, rev/s; n_max: `full_speed`; P: `power` at the shaft, W; D:
    `diameter`, m; ρ: `density` of the air; FM: `figure_of_merit`; R: attitude of `eta`; (v, ω): `nu` over ground.

    The command is the thrust that is wanted, whatever the wind: the power that it takes is greater with air from ahead.
    A fan behind the origin turns the bow to starboard with α < 0. Thrust above the origin, r_z < 0, presses the bow
    down. With the default of `full_speed`, `speed` is the fraction of full speed.

    Raises ParameterError if a limit, the diameter or the figure of merit is out of range.

    Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 11.2 (wrench);
    Carlton (2018), Marine Propellers and Propulsion, 4th ed., ch. 8 (actuator disc).
    """

    examples = (
        {
            "position": [-0.5, 0.1, -0.4],
            "thrust_limit_forward": 0.9,
            "thrust_limit_reverse": 0.5,
            "angle_limit": 0.8,
            "diameter": 0.3,
        },
    )

    kernel = "air_fan"

    command = Input(Force, "wanted thrust, negative astern")
    angle = Input(Angle, "wanted angle of the thrust", default=0.0)
    eta = Input(Pose, "η; the attitude counts", default=0.0)
    nu = Input(BodyVelocity, "ν, velocity over ground", default=0.0)
    wind = Input(Velocity, "velocity of the air, where it blows to", default=0.0)

    force = Output(
        Wrench,
        "τ, on the hull about the body origin",
        feedthrough=_COMMANDED,
        depends={name: rows("X Y K M N") for name in (*_LIMITED, *_TURNED)} | {"position": rows("K M N")},
    )
    thrust = Output(
        Force,
        "f, positive ahead",
        feedthrough=("command",),
        depends=whole(*_LIMITED),
        within=("-thrust_limit_reverse", "thrust_limit_forward"),
    )
    speed = Output(_Revolution, "n, negative astern", feedthrough=("command",), depends=whole(*_LIMITED, "full_speed"))
    power = Output(
        Power,
        "P, at the shaft",
        depends=whole(*_LIMITED, *_TURNED, "wind", "position", "diameter", "figure_of_merit", "density")
        | {"eta": elements("phi theta psi"), "nu": elements("u v p q r")},
    )
    azimuth = Output(Angle, "α", feedthrough=("angle",), depends=whole(*_TURNED))

    position = Parameter(
        shape=(3,), unit="m", frame="body", labels=("x", "y", "z"), doc="r, centre of the fan from the body origin"
    )
    thrust_limit_forward = Parameter(unit="N", above=0.0, doc="F_max, greatest thrust ahead")
    thrust_limit_reverse = Parameter(0.0, unit="N", at_least=0.0, doc="greatest thrust astern, positive")
    angle_limit = Parameter(math.pi, unit="rad", at_least=0.0, doc="greatest angle to either side; 0: fixed")
    diameter = Parameter(unit="m", above=0.0, doc="D")
    figure_of_merit = Parameter(0.6, above=0.0, at_most=1.0, doc="FM, ideal over actual power at rest")
    full_speed = Parameter(1.0, unit="rev/s", above=0.0, doc="n_max, shaft speed at the greatest thrust ahead")
    density = Parameter(1.225, unit="kg/m^3", above=0.0, doc="density of the air ρ; 1.225 at 15 °C and sea level")
