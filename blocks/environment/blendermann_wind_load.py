"""The load of the wind on a ship by type, after Blendermann."""

from __future__ import annotations

from typing import ClassVar

from blocks.environment.wind_by_angle import WindLoadByAngle, check_centroid
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.model.examples import variants

SHIP_TYPES = (
    "car-carrier",
    "cargo-loaded",
    "cargo-containers-on-deck",
    "container-ship-loaded",
    "destroyer",
    "diving-support",
    "drilling",
    "ferry",
    "fishing",
    "lng-tanker",
    "offshore-supply",
    "passenger-liner",
    "research",
    "speed-boat",
    "tanker-loaded",
    "tanker-in-ballast",
    "tender",
)
"""In the order of Blendermann's table, which the kernel has."""


class BlendermannWindLoad(WindLoadByAngle):
    """The load of the wind on a ship whose type is known, after Blendermann, roll included.

    C_X = -(C_l/D) cos γ,  C_Y = -(C_t/D) sin γ,  D = 1 - (δ/2) (1 - C_l A_F/(C_t A_L)) sin² 2γ
    C_K = κ (s_H/H) C_Y,  C_N = (s_L/L - 0.18 (|γ| - π/2)) C_Y,  H = A_L/L

    γ: where the wind comes from as seen from the bow, positive to starboard, rad; C_t: resistance across, C_l: along,
    based on A_F, from ahead for |γ| < π/2 and from astern beyond; δ: cross-force parameter; κ: rolling-moment factor;
    A_F, A_L: `frontal_area` and `lateral_area`, m²; L: `length` over all, m; s_H: `centroid_height` of A_L above the
    waterline, m; s_L: `centroid_forward` of midship, m. C_t, C_l, δ and κ are those of the `ship_type`, or, where that
    is "given", `drag_across`, `drag_ahead`, `drag_astern`, `cross_force` and `rolling`. Signs and moments as of every
    `WindLoadByAngle`.

    The yaw moment is that of wind from starboard, mirrored: the printed (γ - π/2) taken beyond π or below 0 would not
    be antisymmetric.

    Raises ParameterError if an area or the length is not positive, another number out of range, or the centroid not
    along the ship.

    Source: Blendermann (1994), Parameter identification of wind loads on ships, J. Wind Engineering and Industrial
    Aerodynamics 51, 339-351; the table of types as in Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion
    Control, 2nd ed., sec. 10.1.2, there γ_rw = -γ. Of the drilling vessel, whose C_l is printed as a range, the middle.
    """

    examples = variants(
        {
            "ship_type": "research",
            "frontal_area": 160.7,
            "lateral_area": 434.8,
            "length": 55.0,
            "centroid_height": 5.1,
            "centroid_forward": 1.48,
            "midship": [1.0, 0.2, -0.5],
        },
        {"ship_type": "given", "reference": "true", "midship": (0.0, 0.0, 0.0)},
    )

    kernel = "blendermann_wind_load"

    ship_type = Parameter(choices=(*SHIP_TYPES, "given"), doc="of C_t, C_l, δ and κ, or given as numbers")
    centroid_height = Parameter(at_least=0.0, unit="m", doc="s_H, of A_L above the waterline; 0: no roll")
    centroid_forward = Parameter(0.0, unit="m", doc="s_L, of A_L before midship")
    drag_across = Parameter(0.85, above=0.0, doc="C_t, where the type is given")
    drag_ahead = Parameter(0.6, at_least=0.0, doc="C_l of wind from ahead, based on A_F, where the type is given")
    drag_astern = Parameter(0.6, at_least=0.0, doc="C_l of wind from astern, based on A_F, where the type is given")
    cross_force = Parameter(0.5, at_least=0.0, below=1.0, doc="δ, where the type is given")
    rolling = Parameter(1.2, at_least=0.0, doc="κ, where the type is given")

    ship = Derived("C_t, C_l from ahead and from astern, δ, κ", shape=(5,))

    loaded_by: ClassVar[dict[str, str]] = {
        "frontal_area": "X Y K N",
        "lateral_area": "X Y K N",
        "length": "N",
        "centroid_height": "K",
        "centroid_forward": "N",
        "ship_type": "X Y K N",
        "drag_across": "X Y K N",
        "drag_ahead": "X Y K N",
        "drag_astern": "X Y K N",
        "cross_force": "X Y K N",
        "rolling": "K",
    }
    remedy: ClassVar[str] = "check areas and the type of the ship"

    def validate(self) -> None:
        """The centroid is along the ship."""
        check_centroid(self)
