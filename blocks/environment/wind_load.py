"""The load of the wind on a vehicle."""

from __future__ import annotations

from blocks.block import Block, Sizes
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Pattern, Sources, between, rows
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.signal import BodyVelocity, Pose, Velocity, Wrench

_LOADED = "X Y N"


class WindLoad(Block):
    """The load of the wind on what stands above the water, by coefficients.

    X = -½ ρ V² c_x cos γ A_F
    Y = -½ ρ V² c_y sin γ A_L
    N = -½ ρ V² c_n sin 2γ A_L L
    V cos γ = u - u_w,  V sin γ = v - v_w,  (u_w, v_w, ·) = Rᵀ `wind`

    ρ: `density` of the air, kg/m³; V: speed of the wind past the vehicle, m/s; γ: where it comes from as seen from the
    bow, positive to starboard, rad; A_F, A_L: `frontal_area` and `lateral_area`, m²; L: `length`, m; c_x, c_y, c_n:
    `surge_coefficient`, `sway_coefficient`, `yaw_coefficient`, positive; R: attitude of `eta`; (u, v): of `nu`, m/s;
    `disturbance`: (X, Y, 0, 0, 0, N) about the body origin, N and N·m.

    **Signs.** Positive coefficients push the vehicle where the air goes: a head wind gives X < 0, wind from starboard
    Y < 0. c_n > 0 turns the bow away from a wind ahead of the beam and into one abaft of it, so that the vehicle would
    lie across the wind. Where γ' is what the air blows **to**, as with γ' = β' - ψ in some sources, X and Y have plus
    signs and N the same.

    **Apparent or true wind.** `reference="apparent"` is the wind that the moving vehicle feels. "true" leaves `nu` out
    (u = v = 0 above), as some simulators do, usv_sim_lsa among them: air at rest then does not brake the vehicle.

    Ships have c_x of 0.5 to 0.9, c_y of 0.7 to 0.95 and c_n of 0.05 to 0.2. Roll and pitch turn the wind but leave the
    areas what they are.

    Raises ParameterError if an area, the length or the density is out of range.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 10 (there
    γ_rw = -γ); Isherwood (1973), Wind resistance of merchant ships, RINA Transactions 115, for coefficients.
    """

    examples = variants({"frontal_area": 0.1, "lateral_area": 0.2, "yaw_coefficient": 0.1}, {"reference": "true"})

    kernel = "wind_load"

    wind = Input(Velocity, "velocity of the air, where it blows to")
    eta = Input(Pose, "η; the attitude counts")
    nu = Input(
        BodyVelocity,
        "ν, velocity over ground; not used with the true wind",
        default=0.0,
        wanted=lambda block: block.reference == "apparent",
    )
    disturbance = Output(Wrench, "load on the vehicle about the body origin")

    reference = Parameter(
        "apparent", choices=("apparent", "true"), structural=True, doc="the wind past the vehicle, or over ground"
    )
    frontal_area = Parameter(unit="m^2", at_least=0.0, doc="A_F, above the water, seen from ahead")
    lateral_area = Parameter(unit="m^2", at_least=0.0, doc="A_L, above the water, seen from the side")
    length = Parameter(1.0, unit="m", above=0.0, doc="L, of the yaw moment")
    surge_coefficient = Parameter(0.7, at_least=0.0, doc="c_x")
    sway_coefficient = Parameter(0.85, at_least=0.0, doc="c_y")
    yaw_coefficient = Parameter(0.0, doc="c_n")
    density = Parameter(1.225, unit="kg/m^3", above=0.0, doc="density of the air ρ; 1.225 at 15 °C and sea level")

    surge_load = Derived("½ρ c_x A_F, force per squared speed", unit="N*s^2/m^2")
    sway_load = Derived("½ρ c_y A_L, force per squared speed", unit="N*s^2/m^2")
    yaw_load = Derived("ρ c_n A_L L, moment per squared speed", unit="N*s^2/m")

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The velocity of the vehicle counts in the apparent wind only."""
        return ("wind", "eta", "nu") if self.reference == "apparent" else ("wind", "eta")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Each component on the wind in both axes, and on its own coefficient."""
        loaded = between({_LOADED: "phi theta psi"})
        found: dict[str, Pattern] = {
            "wind": rows(_LOADED),
            "eta": loaded,
            "frontal_area": rows("X"),
            "surge_coefficient": rows("X"),
            "lateral_area": rows("Y N"),
            "sway_coefficient": rows("Y"),
            "length": rows("N"),
            "yaw_coefficient": rows("N"),
            "density": rows(_LOADED),
        }
        if self.reference == "apparent":
            found["nu"] = between({_LOADED: "u v"})
        return found
