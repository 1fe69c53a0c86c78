"""The vessel in the horizontal plane."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.block import Sizes
from blocks.dynamics.cross_flow import STRIPS, incomplete_cross_flow, strip_parameter
from blocks.dynamics.inertia import PLANAR_MOTIONS, check_inertia
from blocks.dynamics.planar import PlanarVessel
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Parameter
from blocks.model.dependence import Sources, between, rows
from blocks.model.derived import Derived
from blocks.problems import Problem
from blocks.units import matrix

if TYPE_CHECKING:
    from blocks.dynamics.vessel_3dof_diagonal import DiagonalVessel3DOF

_WRENCH = ("N", "N", "N*m")
_INERTIA = matrix(_WRENCH, ("m/s^2", "m/s^2", "rad/s^2"))
_DAMPING = matrix(_WRENCH, ("m/s", "m/s", "rad/s"))

_NONLINEAR = {
    "X_|u|u": "N*s^2/m^2", "X_uuu": "N*s^3/m^3",
    "Y_|v|v": "N*s^2/m^2", "Y_|r|v": "N*s^2/m", "Y_|v|r": "N*s^2/m", "Y_|r|r": "N*s^2",
    "N_|v|v": "N*s^2/m", "N_|r|v": "N*s^2", "N_|v|r": "N*s^2", "N_|r|r": "N*m*s^2",
}  # fmt: skip
"""The coefficients of D_n and their units."""

_SURGE = {"X_vv": "N*s^2/m^2", "X_vr": "N*s^2/m", "X_rr": "N*s^2"}
"""Those of the resistance that sway and yaw bring, and their units."""

_CROSS_FLOW = tuple(f"cross_flow_{name}" for name in ("length", "middle", "draught", "sway_coefficient", "density"))


class Vessel3DOF(PlanarVessel):
    """A vessel in the horizontal plane, with full matrices.

    M ν̇ + f_c + f_d = τ + τ_d,  M = M_RB + M_A,  η̇ = R(ψ) ν
    M_RB = [m, 0, -m y_g; 0, m, m x_g; -m y_g, m x_g, I_z]
    f_c = C(ν_r) ν_r - M ν̇_c = C_RB(ν) ν + C_A(ν_r) ν_r - M_A ν̇_c
    C(ν) ν = (-r a_2, r a_1, u a_2 - v a_1),  a = M ν
    f_d = D ν_r + D_n(ν_r) ν_r + (X_vv v_r² + X_vr v_r r + X_rr r², 0, 0) + f_x
    D_n = [X_|u|u |u_r| + X_uuu u_r², 0, 0;
           0, Y_|v|v |v_r| + Y_|r|v |r|, Y_|v|r |v_r| + Y_|r|r |r|;
           0, N_|v|v |v_r| + N_|r|v |r|, N_|v|r |v_r| + N_|r|r |r|]
    R(ψ) = [cos ψ, -sin ψ, 0; sin ψ, cos ψ, 0; 0, 0, 1]

    ν = (u, v, r): of `nu`, m/s and rad/s; η = (x, y, ψ): of `eta`, m and rad; m: `mass`, kg; I_z: `yaw_inertia` about
    the body origin (I_zg + m (x_g² + y_g²) with I_zg about the centre of gravity), kg·m²; (x_g, y_g):
    `centre_of_gravity`, m; M_A: `added_mass`, 3×3, with Y_ṙ and N_v̇ off the diagonal; D: `linear_damping`, 3×3; the ten
    coefficients of D_n: `nonlinear_damping`, in this order, each the derivative of that name with its sign turned;
    X_vv, X_vr, X_rr: `surge_in_turn`, with signs turned likewise: resistance that sway and yaw bring to a vessel that
    goes ahead. X_vr is without what M brings, which is in f_c; ν_r = ν - ν_c, ν_c = (R(ψ)ᵀ v_c, 0), ν̇_c = (r v_c, -r
    u_c, 0) for a steady `current`. Ports and states have six elements as those of all vessels; depth stays what it is,
    roll and pitch are zero, and forces in heave, roll and pitch are taken up.

    **Cross-flow drag.** f_x is that of `CrossFlowDrag` with the sign turned, by the same strips: L:
    `cross_flow_length`, x_m: `cross_flow_middle`, m; T: `cross_flow_draught`, m, and C_y:
    `cross_flow_sway_coefficient`, each one number or one for each strip from aft to fore; ρ: `cross_flow_density`,
    kg/m³. Without a length there is none, and it costs nothing. Products of v and r in D_n come on top of it.

    J(ψ) = R(ψ) is a proper rotation, det = +1. The thesis on the Lutra Prop prints a reflection by a slip of sign, with
    which sway to starboard would carry a vessel to port (Touzout, 2021, eq. 4.6).

    Raises ParameterError if M is singular or not positive definite.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 6.4, 6.5 and 10.3;
    X_vv, X_vr, X_rr: Yasukawa and Yoshimura (2015), Introduction of MMG standard method for ship maneuvering
    predictions, Journal of Marine Science and Technology 20, 37-52, sec. 2.3 (hull forces); D_n:
    Skjetne, Smogeli and Fossen (2004), A nonlinear ship manoeuvering model: identification and adaptive control with
    experiments for a model ship, Modeling, Identification and Control 25(1), 3-27.
    """

    examples = (
        {"mass": 20.0, "yaw_inertia": 5.0},
        {"mass": 20.0, "yaw_inertia": 5.0, "surge_in_turn": [1.0, 2.0, 3.0], "cross_flow_length": 1.5,
         "cross_flow_draught": [0.1, 0.3], "cross_flow_sway_coefficient": 0.9, "cross_flow_middle": 0.1},
    )  # fmt: skip

    kernel = "vessel_3dof"
    sizes = (STRIPS,)
    faults = ("mass, yaw_inertia and added_mass make a singular matrix: every motion needs a positive inertia",)

    mass = Parameter(unit="kg", above=0.0, doc="m")
    yaw_inertia = Parameter(unit="kg*m^2", above=0.0, doc="I_z about the body origin")
    centre_of_gravity = Parameter(0.0, shape=(2,), unit="m", frame="body", labels=("x", "y"), doc="(x_g, y_g)")
    added_mass = Parameter(0.0, shape=(3, 3), unit=_INERTIA, doc="M_A, positive: -X_udot and so on")
    linear_damping = Parameter(
        0.0, shape=(3, 3), unit=_DAMPING, usually_at_least=0.0, doc="D, positive: -X_u and so on"
    )
    nonlinear_damping = Parameter(
        0.0,
        shape=(10,),
        unit=tuple(_NONLINEAR.values()),
        labels=tuple(_NONLINEAR),
        doc="coefficients of D_n, positive: -X_|u|u and so on",
    )
    surge_in_turn = Parameter(
        0.0,
        shape=(3,),
        unit=tuple(_SURGE.values()),
        labels=tuple(_SURGE),
        doc="resistance that sway and yaw bring, positive: -X_vv and so on",
    )
    cross_flow_length = Parameter(0.0, unit="m", at_least=0.0, doc="L of the strips; 0: no cross-flow drag")
    cross_flow_middle = Parameter(0.0, unit="m", frame="body", doc="x_m, of their middle")
    cross_flow_draught = strip_parameter("T, of the hull or of each strip from aft to fore", unit="m", default=0.0)
    cross_flow_sway_coefficient = strip_parameter("C_y, of T L", default=0.0)
    cross_flow_density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")

    mass_matrix = CalculatedParameter(
        shape=(3, 3),
        unit=_INERTIA,
        doc="M = M_RB + M_A",
        depends=("mass", "yaw_inertia", "centre_of_gravity", "added_mass"),
    )
    inverse_mass = Derived("M⁻¹", shape=(3, 3), unit=None)
    turning_brakes = Derived("1: with X_vv, X_vr or X_rr, 0: with none of them")

    def known_sizes(self) -> dict[str, int]:
        """One strip where no list is given."""
        return {STRIPS: 1} | super().known_sizes()

    def resizable_sizes(self) -> dict[str, list[str]]:
        """None: strips are what a hull is divided into."""
        return {}

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Forces in surge, sway and yaw depend on each other's velocities."""
        if output not in ("damping_force", "coriolis_force"):
            return super().output_sources(output, sizes)
        moving = {
            "nu": between({"X Y N": "u v r"}),
            "current": between({"X Y N": "north east"}),
            "eta": between({"X Y N": "psi"}),
        }
        damping, inertia = ("linear_damping", "nonlinear_damping"), ("mass", "centre_of_gravity", "added_mass")
        if output == "coriolis_force":
            return moving | dict.fromkeys(inertia, rows("X Y N"))
        found = moving | dict.fromkeys(damping, rows("X Y N")) | {"surge_in_turn": rows("X")}
        return found | dict.fromkeys(_CROSS_FLOW, rows("Y N"))

    def validate(self) -> None:
        """M has to be positive definite."""
        super().validate()
        m, (x_g, y_g) = self.mass, np.asarray(self.centre_of_gravity)
        rigid = np.array([[m, 0.0, -m * y_g], [0.0, m, m * x_g], [-m * y_g, m * x_g, self.yaw_inertia]])
        what = f"the mass matrix from {self._called()}.mass, yaw_inertia, centre_of_gravity and added_mass"
        try:
            check_inertia(rigid + np.asarray(self.added_mass), what, PLANAR_MOTIONS)
        except ParameterError as problem:
            least = m * (x_g * x_g + y_g * y_g)
            if self.yaw_inertia > least:
                raise
            raise ParameterError(
                f"{problem}. Is yaw_inertia ({self.yaw_inertia:g} kg·m²) about the body origin? There it is "
                f"mass × (x_g² + y_g²) = {least:g} kg·m² more than about the centre of gravity"
            ) from None

    def improbable(self) -> Iterator[Problem]:
        """Half of what cross-flow drag takes."""
        yield from super().improbable()
        yield from incomplete_cross_flow(self, (("draught", "sway_coefficient"),))

    @staticmethod
    def diagonal(m: ArrayLike, d: ArrayLike, **parameters: Any) -> DiagonalVessel3DOF:
        """The usual special case M = diag(m), D = diag(d), with a kernel of its own: a `DiagonalVessel3DOF`.

        m: m_11, m_22, m_33, kg, kg, kg·m²; d: d_11, d_22, d_33, N·s/m, N·s/m, N·m·s; further `parameters` as there.
        """
        from blocks.dynamics.vessel_3dof_diagonal import DiagonalVessel3DOF

        return DiagonalVessel3DOF(inertia=m, linear_damping=d, **parameters)
