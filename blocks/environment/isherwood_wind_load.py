"""The load of the wind on a merchant ship, after Isherwood."""

from __future__ import annotations

from typing import ClassVar

from blocks.environment.wind_by_angle import WindLoadByAngle, check_superstructure
from blocks.errors import ParameterError
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.model.examples import variants


class IsherwoodWindLoad(WindLoadByAngle):
    """The load of the wind on a merchant ship, by Isherwood's regression over eight of its dimensions.

    C_X = -(A_0 + A_1 2 A_L/L² + A_2 2 A_F/B² + A_3 L/B + A_4 S/L + A_5 C/L + A_6 M)
    C_Y = -(B_0 + B_1 2 A_L/L² + B_2 2 A_F/B² + B_3 L/B + B_4 S/L + B_5 C/L + B_6 A_S/A_L)
    C_N = -(C_0 + C_1 2 A_L/L² + C_2 2 A_F/B² + C_3 L/B + C_4 S/L + C_5 C/L)

    A_i, B_i, C_i: tables at every 10° of γ, where the wind comes from as seen from the bow, positive to starboard, 0 to
    π; wind from port gives the mirror image; A_F, A_L: `frontal_area` and `lateral_area`, m²; L: `length` over all, m;
    B: `breadth`, m; S: `perimeter` of the lateral projection without the waterline and slender bodies such as masts,
    m; C: `centroid_from_bow`, of the lateral projection, m; A_S: `superstructure_area`, lateral, m²; M: `masts`,
    number of distinct groups of masts or king posts in the lateral projection, those against the bridge front left out.
    Signs and moments as of every `WindLoadByAngle`. Between the tables coefficients are smooth, as in a
    `TabulatedWindLoad`.

    **Roll** is not among Isherwood's measurements: K = s_H Y with the `centroid_height` s_H above the waterline, m,
    unless that is 0.

    Made from models of merchant ships in a wind tunnel. A ship for which a head wind pushes ahead, or a beam wind
    draws, is outside of what they say: `check` warns.

    Raises ParameterError if an area, the length or the breadth is not positive, the superstructure is greater than the
    lateral area, the perimeter shorter than the ship, or the centroid not along the ship.

    Source: Isherwood (1973), Wind resistance of merchant ships, RINA Transactions 115, 327-338; the tables as in MSS
    (isherwood72.m), checked number by number with a second copy. MSS has the wrong sign of sway and yaw for γ in
    (π, 2π).
    """

    examples = variants(
        {
            "frontal_area": 300.0,
            "lateral_area": 900.0,
            "length": 100.0,
            "breadth": 20.0,
            "superstructure_area": 100.0,
            "perimeter": 130.0,
            "centroid_from_bow": 48.0,
            "masts": 2,
            "centroid_height": 5.0,
            "midship": [-3.0, 0.2, -0.4],
        },
        {"reference": "true"},
    )

    kernel = "isherwood_wind_load"

    breadth = Parameter(unit="m", above=0.0, doc="B")
    perimeter = Parameter(unit="m", above=0.0, doc="S, of the lateral projection, without the waterline")
    centroid_from_bow = Parameter(unit="m", above=0.0, doc="C, from the bow to the centroid of A_L")
    superstructure_area = Parameter(unit="m^2", at_least=0.0, doc="A_S, of the lateral area that of the superstructure")
    masts = Parameter(0, integer=True, at_least=0, at_most=100, doc="M, groups of masts or king posts")
    centroid_height = Parameter(0.0, at_least=0.0, unit="m", doc="s_H, of A_L above the waterline; 0: no roll")

    turns = Derived("every 10°", shape=(19,), unit="rad")
    nodes = Derived("of each angle C_X, C_Y, C_K, C_N and their slopes", shape=(19, 8))

    loaded_by: ClassVar[dict[str, str]] = {
        "frontal_area": "X Y N K",
        "lateral_area": "X Y N K",
        "length": "X Y N K",
        "breadth": "X Y N K",
        "perimeter": "X Y N K",
        "centroid_from_bow": "X Y N K",
        "superstructure_area": "Y K",
        "masts": "X",
        "centroid_height": "K",
    }

    def validate(self) -> None:
        """Parts are no greater than the whole."""
        check_superstructure(self)
        if self.centroid_from_bow >= self.length:
            raise ParameterError(
                f"{self._called()}.centroid_from_bow must be < length, {self.length:g} m, not "
                f"{self.centroid_from_bow:g}: it is the distance of the lateral area's centroid from the bow"
            )
        if self.perimeter < self.length:
            raise ParameterError(
                f"{self._called()}.perimeter must be ≥ length, {self.length:g} m, not {self.perimeter:g} m: it is that "
                f"of the ship seen from the side, from bow to stern over all that stands on deck"
            )
