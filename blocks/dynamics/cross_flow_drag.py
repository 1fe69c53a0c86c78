"""Drag of a hull across the flow, by strips."""

from __future__ import annotations

from blocks.block import Block
from blocks.dynamics.cross_flow import STRIPS, strip_parameter
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import between, rows
from blocks.signal import BodyVelocity, Wrench


class CrossFlowDrag(Block):
    """The drag of a hull that moves across the flow, by strips along its length.

    Y = -½ρ ∫ C_y T |s| s dx,  N = -½ρ ∫ x C_y T |s| s dx,  s = v_r + x r
    Z = -½ρ ∫ C_z B |s| s dx,  M = ½ρ ∫ x C_z B |s| s dx,  s = w_r - x q

    s: velocity of a section across the flow, m/s, of `nu_r` = (u_r, v_r, w_r, p, q, r), m/s and rad/s, 6; x: from
    x_m - L/2 to x_m + L/2, with L: `length` and x_m: `middle`, m; T: `draught`, B: `breadth`, m; C_y:
    `sway_coefficient`, C_z: `heave_coefficient`; ρ: `density`, kg/m³; `disturbance`: (0, Y, Z, 0, M, N) about the body
    origin, N and N·m.

    T, B, C_y and C_z are one number each, or lists with a number for each strip: strips of equal length, from aft to
    fore. Over each strip the integral is exact, also where s changes sign within it, so a hull with the same section
    all along needs no more than one strip. It takes energy out of the motion, whatever that is. `estimates.cross_flow`
    estimates C_y of ship sections.

    It is for motion across: drift angles of some 30° and more, and turning at low speed. The lift of a hull at small
    angles is linear in v_r, and another matter (`linear_damping`). A vessel that has the same drag as
    `quadratic_damping` would be slowed down twice.

    Raises ParameterError if a length or the density is not positive, a number of a strip is negative, or lists differ
    in length.

    Source: Hoerner (1965), Fluid-Dynamic Drag, ch. 3; Faltinsen (1990), Sea Loads on Ships and Offshore Structures,
    ch. 6 (the cross-flow principle); Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed.,
    sec. 6.4. One published implementation sums 21 strips of a twentieth of the length, and is 5 to 20 % high.
    """

    examples = (
        {"length": 2.0, "draught": [0.1, 0.3, 0.2], "breadth": [0.4, 0.8, 0.5], "sway_coefficient": 0.9,
         "heave_coefficient": 1.2, "middle": 0.1},
        {"length": 2.0, "draught": 0.3, "breadth": 0.8, "sway_coefficient": 0.9, "heave_coefficient": 1.2},
    )  # fmt: skip

    kernel = "cross_flow_drag"
    sizes = (STRIPS,)

    nu_r = Input(BodyVelocity, "velocity through the water")
    disturbance = Output(
        Wrench,
        "drag across the flow, about the body origin",
        depends={"nu_r": between({"Y N": "v r", "Z M": "w q"})}
        | dict.fromkeys(("draught", "sway_coefficient"), rows("Y N"))
        | dict.fromkeys(("breadth", "heave_coefficient"), rows("Z M"))
        | dict.fromkeys(("length", "middle", "density"), rows("Y Z M N")),
    )
    length = Parameter(unit="m", above=0.0, doc="L, over which the strips lie")
    draught = strip_parameter("T, of the hull or of each strip from aft to fore", unit="m")
    sway_coefficient = strip_parameter("C_y, of T L in sway and yaw")
    breadth = strip_parameter("B, of the hull or of each strip from aft to fore", unit="m", default=0.0)
    heave_coefficient = strip_parameter("C_z, of B L in heave and pitch", default=0.0)
    middle = Parameter(0.0, unit="m", frame="body", doc="x_m, of the middle of the length")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")

    def known_sizes(self) -> dict[str, int]:
        """One strip where no list is given."""
        return {STRIPS: 1} | super().known_sizes()

    def resizable_sizes(self) -> dict[str, list[str]]:
        """None: strips are what a hull is divided into."""
        return {}
