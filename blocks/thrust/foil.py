"""A foil in the water."""

from __future__ import annotations

from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import whole
from blocks.model.derived import Derived
from blocks.signal import Angle, BodyVelocity, Force, Wrench
from blocks.thrust.foils import FoilSet

_FLOW = ("command", "nu_r", "position", "angle_limit", "cant")


class Foil(FoilSet):
    """A foil in the water at any cant: a fin, a keel, a hydroplane, a wing.

    L = ½ ρ A V² C_l,  C_l = k_l sin 2α, across the flow
    D = ½ ρ A V² C_d,  C_d = k_d (1 - cos 2α), against the motion
    τ = (F, r × F)

    V: speed of the centre of pressure through the water in the plane of the foil's section, m/s, from v_r + ω × r; α:
    `angle_of_attack`, rad; L, D: `lift` and `drag`, N; τ: `force`, N and N·m, 6; r: `position`, m; A: `area`, m²; k_l,
    k_d: `lift_coefficient`, `drag_coefficient`; ρ: `density`; (v_r, ω): `nu_r`; δ: `angle`, the `command` within
    ±`angle_limit`, rad.

    **Signs.** `cant` turns the foil about the x-axis: 0 is upright, such as a rudder or keel, π/2 is level. δ > 0 turns
    the leading edge to port (level: up), and the foil then pushes to port (up) as the vehicle goes ahead. Behind the
    origin this turns an upright foil's vehicle to starboard, N > 0, and a level foil's bow down, M < 0. α = δ where
    the motion is straight ahead. It is right for all flow, from astern as well.

    **Energy.** Lift does no work: with velocity v of the centre of pressure through the water, F · v = -D V ≤ 0. The
    drag of the foil edge on, at α = 0, is zero; count it with the hull.

    For k_l = k_d = k the force is normal to the foil, ρ A k V² sin α. The slope of C_l at α = 0 is 2 k_l per rad.

    Raises ParameterError if area, density or a coefficient is out of range.

    Source: Paravisi, Santos, Jorge, Heck, Gonçalves and Amory (2019), Unmanned Surface Vehicle Simulator with Realistic
    Environmental Disturbances, Sensors 19, 1068 (usv_sim: C_l, C_d); Jaulin and Le Bars (2014), Sailboat as a windmill,
    in Robotic Sailing 2013 (force normal to a plate).
    """

    examples = (FoilSet.examples[0] | {"cant": 0.7},)

    kernel = "foil"

    command = Input(Angle, "wanted angle δ", default=0.0)
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water")

    force = Output(Wrench, "τ, on the hull about the body origin")
    lift = Output(Force, "L, positive for positive α", depends=whole(*_FLOW, "area", "lift_coefficient", "density"))
    drag = Output(Force, "D, against the motion", depends=whole(*_FLOW, "area", "drag_coefficient", "density"))
    angle_of_attack = Output(Angle, "α, within ±π", depends=whole(*_FLOW))
    angle = Output(
        Angle,
        "δ",
        feedthrough=("command",),
        depends=whole("command", "angle_limit"),
        within=("-angle_limit", "angle_limit"),
    )

    cant = Parameter(0.0, unit="rad", doc="turn about the x-axis; 0: upright, π/2: level")

    sine = Derived("of the cant")
    cosine = Derived("of the cant")
