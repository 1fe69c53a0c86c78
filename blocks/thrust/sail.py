"""A sail in the apparent wind."""

from __future__ import annotations

from blocks.block import Sizes
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Pattern, Sources, between, elements, rows, whole
from blocks.signal import Angle, BodyVelocity, Force, Pose, Speed, Velocity, Wrench
from blocks.thrust.foils import FoilSet

_REACHED = "X Y K M N"


class Sail(FoilSet):
    """A sail on a boom that the wind turns and a sheet holds.

    L = ½ ρ A V² k_l sin 2α, across the apparent wind;  D = ½ ρ A V² k_d (1 - cos 2α), along it
    V (cos β, sin β) = (v + ω × r - Rᵀ `wind`)_xy,  γ = min(max(β, -σ), σ),  α = β - γ,  τ = (F, r × F)

    V: `apparent_wind_speed`, m/s, at the centre of effort r, `position`, m; β: `apparent_wind_angle`, where the
    apparent wind comes from, from the bow, positive to starboard, within ±π, rad; σ: `command`, how far the sheet lets
    the boom go to either side, within 0 and `angle_limit`, rad; γ: `angle` of the boom, positive to port, rad; L, D:
    `lift` and `drag`, N; τ: `force`, N and N·m, 6; A: `area`, m²; k_l, k_d: `lift_coefficient`, `drag_coefficient`;
    ρ: `density` of the air; R: attitude of `eta`; (v, ω): `nu`, over ground.

    The boom lies to leeward, at the end of its sheet or, where the sheet is longer than that, along the wind: the sail
    then flags and gives no force. Dead before the wind, at β = ±π, the boom goes over to the other side at once.
    A centre of effort above the origin, z < 0, heels the boat.

    **Energy.** F · (v - wind) = -D V ≤ 0 at the centre of effort: all that the boat gains comes from the wind over
    ground. In air at rest a sail only brakes.

    Raises ParameterError if area, density or a coefficient is out of range.

    Sources: Jaulin and Le Bars (2014), Sailboat as a windmill, in Robotic Sailing 2013 (boom, sheet); Paravisi et al.
    (2019), Unmanned Surface Vehicle Simulator with Realistic Environmental Disturbances, Sensors 19, 1068 (L, D).
    """

    kernel = "sail"

    command = Input(Angle, "σ, how far the sheet lets the boom go")
    eta = Input(Pose, "η; the attitude counts")
    nu = Input(BodyVelocity, "ν, velocity over ground")
    wind = Input(Velocity, "velocity of the air, where it blows to")

    force = Output(Wrench, "τ, on the hull about the body origin")
    lift = Output(Force, "L, positive with wind from starboard")
    drag = Output(Force, "D")
    angle = Output(Angle, "γ, of the boom, positive to port")
    apparent_wind_speed = Output(Speed, "V", feedthrough=("eta", "nu", "wind"))
    apparent_wind_angle = Output(
        Angle, "β, where the apparent wind comes from, positive to starboard", feedthrough=("eta", "nu", "wind")
    )

    density = Parameter(1.225, unit="kg/m^3", above=0.0, doc="density of the air ρ; 1.225 at 15 °C and sea level")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """The apparent wind, the sheet, and what makes force of them."""
        seen = {"eta": elements("phi theta psi"), "nu": elements("u v p q r")} | whole("wind", "position")
        held = seen | whole("command", "angle_limit")
        if output in ("apparent_wind_speed", "apparent_wind_angle"):
            return seen
        if output == "angle":
            return held
        own = ("area", "density")
        if output in ("lift", "drag"):
            return held | whole(*own, f"{output}_coefficient")
        names = ("wind", "position", "command", "angle_limit", *own, "lift_coefficient", "drag_coefficient")
        force: dict[str, Pattern] = dict.fromkeys(names, rows(_REACHED))
        return force | {
            "eta": between({_REACHED: "phi theta psi"}),
            "nu": between({_REACHED: "u v p q r"}),
        }
