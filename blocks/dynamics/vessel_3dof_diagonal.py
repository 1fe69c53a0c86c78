"""The vessel in the horizontal plane with diagonal matrices."""

from __future__ import annotations

from blocks.block import Sizes
from blocks.dynamics.planar import PlanarVessel
from blocks.model.declare import Parameter
from blocks.model.dependence import Sources, between, rows
from blocks.model.derived import Derived


class DiagonalVessel3DOF(PlanarVessel):
    """A vessel in the horizontal plane with M = diag(m_11, m_22, m_33) and D = diag(d_11, d_22, d_33).

    m_11 u̇ = X + m_22 v_r r - d_11 u_r + m_11 r v_c
    m_22 v̇ = Y - m_11 u_r r - d_22 v_r - m_22 r u_c
    m_33 ṙ = N + (m_11 - m_22) u_r v_r - d_33 r
    ẋ = u cos ψ - v sin ψ,  ẏ = u sin ψ + v cos ψ,  ψ̇ = r

    (u, v, r): of `nu`, over ground, m/s and rad/s; (x, y, ψ): of `eta`, m and rad; (X, Y, N): sum of `force` and
    `disturbance`, N and N·m; m: `inertia`, mass and added mass together, kg, kg, kg·m²; d: `linear_damping`, N·s/m,
    N·s/m, N·m·s; (u_c, v_c): the steady `current` in body axes, (u_r, v_r) = (u - u_c, v - v_c). Without a current
    these are the usual equations. f_c and f_d of the outputs are the terms in r and those in d with the sign turned.
    Ports and states have six elements as those of all vessels; depth stays what it is, roll and pitch are zero, and
    forces in heave, roll and pitch are taken up.

    This is the case y_g = x_g = Y_ṙ = N_v̇ = 0 of `Vessel3DOF`, which has the derivation.

    Raises ParameterError if a mass is not positive.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 6.5 and 10.3.
    """

    examples = ({"inertia": [20.0, 30.0, 5.0]},)

    kernel = "vessel_3dof_diagonal"

    inertia = Parameter(
        shape=(3,), unit=("kg", "kg", "kg*m^2"), above=0.0, labels=("m11", "m22", "m33"), doc="m, added mass included"
    )
    linear_damping = Parameter(
        0.0,
        shape=(3,),
        unit=("N*s/m", "N*s/m", "N*m*s"),
        labels=("d11", "d22", "d33"),
        usually_at_least=0.0,
        doc="d, positive",
    )
    inverse_inertia = Derived("1/m", shape=(3,), unit=("1/kg", "1/kg", "1/(kg*m^2)"))

    decoupled = True

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Each force depends on few velocities."""
        if output == "damping_force":
            return {
                "nu": between({"X": "u", "Y": "v", "N": "r"}),
                "current": between({"X Y": "north east"}),
                "eta": between({"X Y": "psi"}),
                "linear_damping": rows("X Y N"),
            }
        if output == "coriolis_force":
            return {
                "nu": between({"X": "v r", "Y": "u r", "N": "u v"}),
                "current": between({"X Y N": "north east"}),
                "eta": between({"X Y N": "psi"}),
                "inertia": rows("X Y N"),
            }
        return super().output_sources(output, sizes)
