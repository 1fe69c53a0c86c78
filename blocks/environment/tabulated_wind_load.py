"""The load of the wind on a ship, from tables of coefficients over the angle of attack."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from blocks.basic.common import check_increasing
from blocks.environment.headings import DEGREE, check_headings, closes_itself, covers_half
from blocks.environment.wind_by_angle import WindLoadByAngle
from blocks.errors import ParameterError
from blocks.model.declare import Parameter
from blocks.model.derived import Derived


class TabulatedWindLoad(WindLoadByAngle):
    """The load of the wind on a ship, from tables of C_X, C_Y, C_K and C_N over the angle of attack.

    X = ½ ρ V² C_X A_F,  Y = ½ ρ V² C_Y A_L,  K = ½ ρ V² C_K A_L²/L,  N = ½ ρ V² C_N A_L L

    C_X, C_Y, C_K, C_N: `surge`, `sway`, `roll` and `yaw`, k, at k `angles` γ, rad, where the wind comes from as seen
    from the bow, positive to starboard; all else as of every `WindLoadByAngle`.

    **Angles** from 0 to π are the table of a ship whose sides are alike: wind from port gives the mirror image, with
    sway, roll and yaw reversed, and these are zero at both ends. Other angles close a turn.

    **Between** the angles coefficients are cubics through the points with the slopes of parabolas through each point
    and its neighbours, across the bow and the stern too, so that loads have no corners.

    Raises ParameterError if angles do not increase or leave a gap, tables differ in size, or the table of half a turn
    has a lateral load in wind from ahead or astern.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 10.1; de Boor
    (1978), A Practical Guide to Splines, ch. IV, for the slopes.
    """

    examples = (
        {
            "frontal_area": 2.0,
            "lateral_area": 5.0,
            "length": 4.0,
            "midship": [0.2, 0.1, -0.3],
            "angles": [0.0, 0.8, 1.6, 2.3, np.pi],
            "surge": [-0.7, -0.6, 0.05, 0.5, 0.6],
            "sway": [0.0, -0.6, -0.9, -0.7, 0.0],
            "roll": [0.0, -0.4, -0.5, -0.4, 0.0],
            "yaw": [0.0, -0.12, -0.01, 0.1, 0.0],
        },
        {
            "frontal_area": 2.0,
            "lateral_area": 5.0,
            "length": 4.0,
            "angles": [-2.4, -1.2, 0.1, 1.3, 2.6],
            "surge": [0.4, -0.2, -0.7, -0.1, 0.5],
            "sway": [0.6, 0.8, 0.02, -0.9, -0.5],
            "roll": 0.3,
            "yaw": [-0.1, 0.05, 0.03, -0.08, 0.06],
            "reference": "true",
        },
    )

    kernel = "tabulated_wind_load"
    sizes = ("k",)
    least_sizes: ClassVar[Mapping[str, int]] = {"k": 3}

    angles = Parameter(shape=("k",), unit="rad", doc="increasing angles γ that the wind comes from: 0 to π, or a turn")
    surge = Parameter(shape=("k",), doc="C_X, < 0 in a head wind")
    sway = Parameter(shape=("k",), doc="C_Y, < 0 in wind from starboard")
    roll = Parameter(0.0, shape=("k",), doc="C_K, < 0 in wind from starboard")
    yaw = Parameter(0.0, shape=("k",), doc="C_N, < 0 where wind from starboard turns the bow to port")

    intervals = Derived("of angles: k, or k - 1 where the last angle closes the table")
    turns = Derived("angles from the first one on, and a whole turn", shape=("k+1",), unit="rad")
    nodes = Derived(
        "of each angle, and the first one a turn later: C_X, C_Y, C_K, C_N and their slopes", shape=("k+1", 8)
    )

    loaded_by: ClassVar[dict[str, str]] = {
        "frontal_area": "X",
        "lateral_area": "Y K N",
        "length": "K N",
        "angles": "X Y K N",
        "surge": "X",
        "sway": "Y",
        "roll": "K",
        "yaw": "N",
    }
    remedy: ClassVar[str] = "tables that count angles to port have sway, roll and yaw of the other sign"

    def resizable_sizes(self) -> dict[str, list[str]]:
        """None: angles that close do not close with some of them left out."""
        return {}

    def validate(self) -> None:
        """Angles that close, and sides that are alike where only one is given."""
        check_increasing(self, "angles", at_least=3)
        check_headings(self, "angles")
        angles = np.asarray(self.angles)
        half = covers_half(angles)
        for name in ("surge", "sway", "roll", "yaw"):
            table = np.broadcast_to(np.asarray(self.values[name], dtype=np.float64), angles.shape)
            if half and name != "surge":
                for j in (0, -1):
                    if abs(table[j]) > max(0.01 * np.max(np.abs(table)), 1e-6):
                        raise ParameterError(
                            f"{self._called()}.{name}[{j % len(table)}] is {table[j]:g} at an angle of "
                            f"{angles[j] / DEGREE:g} deg, where wind pushes a ship whose sides are alike to neither "
                            f"side; it must be 0, or give angles all around"
                        )
            if closes_itself(angles) and abs(table[0] - table[-1]) > 1e-3 * np.max(np.abs(table)):
                raise ParameterError(
                    f"{self._called()}.angles do not close: {angles[0] / DEGREE:g} and {angles[-1] / DEGREE:g} deg "
                    f"are the same angle, but {name} is {table[0]:g} at one and {table[-1]:g} at the other"
                )
