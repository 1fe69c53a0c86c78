"""What wind loads over the angle of attack share: the air past the ship, areas, and where moments act."""

from __future__ import annotations

from collections.abc import Iterator
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Pattern, Sources, between, rows
from blocks.model.improbable import doubtful
from blocks.problems import Problem
from blocks.signal import BodyVelocity, Pose, Velocity, Wrench
from cython_kernels import elementary

_MOVED = {"X": "X M N", "Y": "Y K N", "K": "K", "N": "N"}
"""Where each load arrives when it is moved from midship to the body origin."""


class WindLoadByAngle(Block, abstract=True):
    """The base of wind loads by coefficients over the angle of attack, roll included.

    X = ½ ρ V² C_X A_F,  Y = ½ ρ V² C_Y A_L,  K = ½ ρ V² C_K A_L²/L,  N = ½ ρ V² C_N A_L L
    V cos γ = u - u_w,  V sin γ = v - v_w,  (u_w, v_w, ·) = Rᵀ `wind`

    ρ: `density` of the air, kg/m³; V: speed of the wind past the ship, m/s; γ: where it comes from as seen from the
    bow, positive to starboard, rad; A_F, A_L: `frontal_area` and `lateral_area`, m²; L: `length` over all, m; C_X, C_Y,
    C_K, C_N: of γ; R: attitude of `eta`; (u, v): of `nu`, m/s. These loads act about midship at the waterline, which
    `midship` places in body axes; `disturbance` has them about the body origin, forward, starboard, down, N and N·m.

    **Signs** are those of body axes: a head wind gives C_X < 0, wind from starboard C_Y < 0 and, where it heels the
    ship away, C_K < 0. Sources that count γ to port, or print C_Y > 0 for a wind that pushes the ship away, mean the
    same ship: C_Y, C_K and C_N change their signs together.

    **Apparent or true wind.** `reference="apparent"` is the wind that the moving ship feels. "true" leaves `nu` out.

    Definition: of this library; the form is that of Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion
    Control, 2nd ed., sec. 10.1 (there γ_rw = -γ).
    """

    loads: ClassVar[str] = "X Y K N"

    wind = Input(Velocity, "velocity of the air, where it blows to")
    eta = Input(Pose, "η; the attitude counts")
    nu = Input(
        BodyVelocity,
        "ν, velocity over ground; not used with the true wind",
        default=0.0,
        wanted=lambda block: block.reference == "apparent",
    )
    disturbance = Output(Wrench, "load on the ship about the body origin", nominal=1e4)

    reference = Parameter(
        "apparent", choices=("apparent", "true"), structural=True, doc="the wind past the ship, or over ground"
    )
    frontal_area = Parameter(unit="m^2", above=0.0, doc="A_F, above the water, seen from ahead")
    lateral_area = Parameter(unit="m^2", above=0.0, doc="A_L, above the water, seen from the side")
    length = Parameter(unit="m", above=0.0, doc="L, over all")
    midship = Parameter(
        (0.0, 0.0, 0.0), shape=(3,), unit="m", labels=("x", "y", "z"), doc="midship at the waterline, in body axes"
    )
    density = Parameter(1.225, unit="kg/m^3", above=0.0, doc="density of the air ρ; 1.225 at 15 °C and sea level")

    loaded_by: ClassVar[dict[str, str]] = {}
    """Which of X, Y, K and N a parameter of the subclass counts for."""

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The velocity of the ship counts in the apparent wind only."""
        return ("wind", "eta", "nu") if self.reference == "apparent" else ("wind", "eta")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Every load depends on both components of the wind."""
        arrives = " ".join(dict.fromkeys(" ".join(_MOVED[load] for load in self.loads.split()).split()))
        loaded = between({arrives: "phi theta psi"})
        found: dict[str, Pattern] = {"wind": rows(arrives), "eta": loaded, "density": rows(arrives)}
        found["midship"] = rows("K M N")
        for name, loads in self.loaded_by.items():
            found[name] = rows(" ".join(dict.fromkeys(" ".join(_MOVED[load] for load in loads.split()).split())))
        if self.reference == "apparent":
            found["nu"] = between({arrives: "u v"})
        return found

    def coefficients(self, angles: ArrayLike) -> NDArray[np.float64]:
        """C_X, C_Y, C_K and C_N, 4×n, at n `angles` γ, rad, as the kernel has them."""
        from blocks.plan import make_plan

        gamma = np.atleast_1d(np.asarray(angles, dtype=np.float64))
        plan = make_plan(type(self)(**(self.values | {"midship": (0.0, 0.0, 0.0), "reference": "true"})))
        engine = plan.engine()
        engine.initialise(0.0)
        (out,) = plan.outputs.values()
        found = np.empty((4, len(gamma)))
        north, east = -elementary.cos(gamma), -elementary.sin(gamma)
        for j in range(len(gamma)):
            engine.values[plan.inputs["wind"].slice] = [north[j], east[j], 0.0]
            engine.look(0.0)
            found[:, j] = engine.values[out.slice][[0, 1, 3, 5]]
        front, side, length = self.frontal_area, self.lateral_area, self.length
        scale = np.array([front, side, side * side / length, side * length])
        scaled: NDArray[np.float64] = found / (0.5 * self.density * scale[:, None])
        return scaled

    def improbable(self) -> Iterator[Problem]:
        """A wind that draws the ship towards where it comes from, in head, beam or following wind; areas exchanged."""
        yield from super().improbable()
        if self.frontal_area > self.lateral_area:
            yield doubtful(
                self,
                "frontal_area",
                f" is {self.frontal_area:g} m^2, more than the lateral_area, {self.lateral_area:g} m^2",
                "frontal is what is seen from ahead, lateral what is seen from the side",
            )
        surge, sway, _, _ = self.coefficients([0.0, 0.5 * np.pi, np.pi, -0.5 * np.pi])
        for value, sign, name, where in (
            (surge[0], -1.0, "C_X", "ahead"),
            (surge[2], 1.0, "C_X", "astern"),
            (sway[1], -1.0, "C_Y", "starboard"),
            (sway[3], 1.0, "C_Y", "port"),
        ):
            if value * sign < 0.0:
                yield Problem(
                    "warning",
                    "improbable-value",
                    f"{self.path}: in a wind from {where} {name} is {value:.3g}, which draws the ship towards the wind",
                    hint=self.remedy,
                    block=self.path,
                )

    remedy: ClassVar[str] = "check areas and lengths; the ship may be outside of what the regression was made from"


def check_centroid(ship: Block) -> None:
    """Raise ParameterError if the centroid of the lateral area, `centroid_forward` of midship, is off the ship."""
    forward, length = (float(np.asarray(ship.values[name])) for name in ("centroid_forward", "length"))
    if abs(forward) >= 0.5 * length:
        raise ParameterError(
            f"{ship._called()}.centroid_forward must be within ±length/2, {0.5 * length:g} m, not {forward:g} m: it is "
            f"where the centroid of the lateral area is, forward of midship"
        )


def check_superstructure(ship: Block) -> None:
    """Raise ParameterError if the `superstructure_area` is greater than the `lateral_area` that it is part of."""
    part, whole = (float(np.asarray(ship.values[name])) for name in ("superstructure_area", "lateral_area"))
    if part > whole:
        raise ParameterError(
            f"{ship._called()}.superstructure_area is part of the lateral_area: {part:g} must not exceed {whole:g} m^2"
        )
