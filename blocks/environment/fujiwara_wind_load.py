"""The load of the wind on a ship by physical components, after Fujiwara, Ueno and Ikeda."""

from __future__ import annotations

from typing import ClassVar

from blocks.environment.wind_by_angle import WindLoadByAngle, check_centroid, check_superstructure
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.model.examples import variants


class FujiwaraWindLoad(WindLoadByAngle):
    """The load of the wind on a ship by components, after Fujiwara, Ueno and Ikeda: flow along, across, and lift.

    C_X = -(C_LF cos γ + C_XLI (sin γ - ½ sin γ cos² γ) sin γ cos γ + C_ALF sin γ cos³ γ)
    C_Y = -(C_CF sin² γ + C_YLI (cos γ + ½ sin² γ cos γ) sin γ cos γ)
    C_N = (c C/L - 0.149 (γ - π/2)) C_Y,  K = H_C Y
    C_CF = 0.404 + 0.368 A_F/(B H_BR) + 0.902 H_BR/L

    γ < π/2: C_LF = 0.922 - 0.507 A_L/(L B) - 1.162 C/L,  C_XLI = -0.458 - 3.245 A_L/(L H_BR) + 2.313 A_F/(B H_BR),
    C_ALF = 0.585 + 0.906 A_OD/A_L - 3.239 B/L,  C_YLI = π A_L/L² + 0.116 + 3.345 A_F/(L B)

    γ ≥ π/2: C_LF = -0.018 + 5.091 B/L - 10.367 H_C/L + 3.011 A_OD/L² + 0.341 A_F/B²,
    C_XLI = 1.901 - 12.727 A_L/(L H_BR) - 24.407 A_F/A_L + 40.310 B/L + 5.481 A_F/(B H_BR),
    C_ALF = 0.314 + 1.117 A_OD/A_L,  C_YLI = π A_L/L² + 0.446 + 2.192 A_F/L²

    γ: where the wind comes from as seen from the bow, to starboard, 0 to π; wind from port gives the mirror image;
    A_F, A_L: `frontal_area` and `lateral_area`, m²; A_OD: `superstructure_area`, lateral, of what stands on deck, m²;
    L: `length` over all, m; B: `breadth`, m; C: `centroid_forward` of A_L, before midship, m; H_C: `centroid_height`
    of A_L above the waterline, m; H_BR: `bridge_height`, top of the superstructure above the waterline, m; c:
    `yaw_lever`. Signs and moments as of every `WindLoadByAngle`.

    **What copies disagree on.** The paper itself was not at hand. The coefficients of surge are those of ITTC, which
    two copies have alike; two others, for sway and yaw, print 0.992 for 0.922 and 0.341 for 5.481. Of the yaw moment
    one has c = 0.927 and the other 0.297; the first is taken, since in a beam wind Isherwood's measurements have about
    0.65, Blendermann's 1, and a force at the centroid 1. The regression of heel is left out: its one copy does not say
    what length it refers to; K is that of the force Y at the centroid of the area.

    Raises ParameterError if an area, the length, the breadth or the height of the bridge is not positive, the
    superstructure is greater than the lateral area, or the centroid is not along the ship.

    Source: Fujiwara, Ueno and Ikeda (2005), A new estimation method of wind forces and moments acting on ships on the
    basis of physical component models, J. JASNAOE 2; surge as in ITTC, Recommended procedures 7.5-04-01-01.2, sec. 4.3.
    """

    examples = variants(
        {
            "frontal_area": 300.0,
            "lateral_area": 900.0,
            "length": 100.0,
            "breadth": 20.0,
            "superstructure_area": 350.0,
            "bridge_height": 18.0,
            "centroid_height": 5.0,
            "centroid_forward": 2.0,
            "midship": [-3.0, 0.2, -0.4],
        },
        {"reference": "true"},
    )

    kernel = "fujiwara_wind_load"

    breadth = Parameter(unit="m", above=0.0, doc="B")
    superstructure_area = Parameter(unit="m^2", at_least=0.0, doc="A_OD, lateral, of what stands on deck")
    bridge_height = Parameter(unit="m", above=0.0, doc="H_BR, top of the superstructure above the waterline")
    centroid_height = Parameter(unit="m", at_least=0.0, doc="H_C, of A_L above the waterline")
    centroid_forward = Parameter(0.0, unit="m", doc="C, of A_L before midship")
    yaw_lever = Parameter(0.927, doc="c, of the centroid in the yaw moment; 0.927 or 0.297, as copies have it")

    cross = Derived("C_CF")
    fore = Derived("C_LF, C_XLI, C_ALF and C_YLI of wind from before the beam", shape=(4,))
    aft = Derived("the same of wind from abaft it", shape=(4,))

    loaded_by: ClassVar[dict[str, str]] = {
        "frontal_area": "X Y K N",
        "lateral_area": "X Y K N",
        "length": "X Y K N",
        "breadth": "X Y K N",
        "superstructure_area": "X",
        "bridge_height": "X Y K N",
        "centroid_height": "X K",
        "centroid_forward": "X N",
        "yaw_lever": "N",
    }

    def validate(self) -> None:
        """Parts are no greater than the whole."""
        check_superstructure(self)
        check_centroid(self)
