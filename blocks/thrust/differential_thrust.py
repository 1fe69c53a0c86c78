"""Two propellers side by side, which steer by the difference of their thrusts."""

from __future__ import annotations

from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import between, each, elements, rows, whole
from blocks.signal import BodyVelocity, Signal, Wrench

_SIDES = ("port", "starboard")
_Thrusts = Signal("Forces", (2,), "N", None, _SIDES)
_Speeds = Signal("Revolutions", (2,), "rev/s", None, _SIDES)
_Powers = Signal("Powers", (2,), "W", None, _SIDES)
_LIMITED = each("command", "thrust_limit_forward", "thrust_limit_reverse")


class DifferentialThrust(Block):
    """Two propellers side by side that push ahead and steer by the difference of their thrusts.

    τ = (f_p + f_s, 0, 0, 0, d (f_p + f_s), ½ b (f_p - f_s))
    n_i = n_max sgn(f_i) √(|f_i|/F_max)
    P_i = f_i v_i / η where f_i v_i > 0, else η f_i v_i;  v_i = u + d q ± ½ b r, + at port

    f: `thrust`, port and starboard, N: `command` held within -`thrust_limit_reverse` and F_max =
    `thrust_limit_forward`; τ: `force`, N and N·m, 6; b: `spacing`, m; d: `depth` of the propellers below the body
    origin, m; n: `speed`, rev/s; n_max: `full_speed`; P: `power`, W, 2; η: `efficiency`; u, q, r: of `nu_r`.

    For vessels of which the thrust is known, but not the propellers. Commands are thrusts, as `ThrustAllocation` gives
    them. More thrust at port turns to starboard, N > 0.

    **Power** is that of the thrust over the efficiency of everything before it, so with η = 1 the sum is τᵀ ν_r. It is
    negative where thrust brakes and the water gives power; what passes the losses then is the fraction η. At zero
    speed it is zero: for power at bollard pull use `PropellerThrusters`. `speed` is the propeller law; with the default
    of 1 it is the fraction of full speed.

    Raises ParameterError if a limit, the spacing or the efficiency is out of range.

    Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 11.2 (wrench);
    Touzout (2021), doctoral thesis, ch. 5 (Lutra Prop: 11.5 N from each of two propellers 0.16 m apart).
    """

    examples = (
        {"spacing": 0.4, "depth": 0.1, "thrust_limit_forward": 0.9, "thrust_limit_reverse": 0.5, "efficiency": 0.7},
    )

    kernel = "differential_thrust"

    command = Input(_Thrusts, "wanted thrusts, negative astern")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water", default=0.0)

    force = Output(
        Wrench,
        "τ, on the hull about the body origin",
        feedthrough=("command",),
        depends=dict.fromkeys(_LIMITED, between({"X M N": "*"})) | {"spacing": rows("N"), "depth": rows("M")},
    )
    thrust = Output(
        _Thrusts,
        "f, positive ahead",
        feedthrough=("command",),
        depends=_LIMITED,
        within=("-thrust_limit_reverse", "thrust_limit_forward"),
    )
    speed = Output(_Speeds, "n, negative astern", feedthrough=("command",), depends=_LIMITED | each("full_speed"))
    power = Output(
        _Powers,
        "P; negative where the water drives the propeller",
        depends=_LIMITED | {"nu_r": elements("u q r")} | whole("spacing", "depth", "efficiency"),
    )

    spacing = Parameter(unit="m", above=0.0, doc="b, from propeller to propeller")
    depth = Parameter(0.0, unit="m", doc="d, of the propellers below the body origin")
    thrust_limit_forward = Parameter(unit="N", above=0.0, doc="F_max, greatest thrust of one propeller ahead")
    thrust_limit_reverse = Parameter(unit="N", at_least=0.0, doc="greatest thrust of one propeller astern, positive")
    efficiency = Parameter(1.0, above=0.0, at_most=1.0, doc="η, power of the thrust over power put in")
    full_speed = Parameter(1.0, unit="rev/s", above=0.0, doc="n_max, shaft speed at the greatest thrust ahead")
