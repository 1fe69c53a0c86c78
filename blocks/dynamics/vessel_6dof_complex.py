"""The vessel in six degrees of freedom with a damping matrix per velocity."""

from __future__ import annotations

import numpy as np

from blocks.dynamics.vessel_6dof import Vessel6DOF
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.model.examples import variants

_PER_SQUARE = {("N", 0): "N*s^2/m^2", ("N", 1): "N*s^2/m", ("N", 2): "N*s^2",
               ("N*m", 0): "N*s^2/m", ("N*m", 1): "N*s^2", ("N*m", 2): "N*m*s^2"}  # fmt: skip
"""Unit of a force or moment per product of two velocities, by how many of the two are angular."""

_UNITS = tuple(
    _PER_SQUARE["N" if row < 3 else "N*m", (i >= 3) + (column >= 3)]
    for i in range(6)
    for row in range(6)
    for column in range(6)
)


class ComplexVessel6DOF(Vessel6DOF):
    """A `Vessel6DOF` whose damping has a matrix of its own for each velocity.

    f_d = (D_l + Σᵢ |ν_rᵢ| D_i) ν_r + D_q (|ν_r| ∘ ν_r),  i = 1 … 6

    D_i: `damping_matrices`, 6×6×6, the first index is i; ν_r: `nu_r`, m/s and rad/s, 6; D_l: `linear_damping`, D_q:
    `quadratic_damping`, 6×6, both 0 in the model as published. So every force may hang on the product of any two
    velocities, as sway force does on |v| r. D_q alone is the case that column i of D_i is column i of D_q, and the rest
    0; it is added there before the run and costs nothing. Everything else is as in `Vessel6DOF`.

    Raises ParameterError if M is singular or not positive definite.

    Source: uwv_dynamic_model (Rock robotics), its model COMPLEX, after McFarland and Whitcomb (2013), Comparative
    experimental evaluation of a new adaptive identifier for underwater vehicles, IEEE ICRA. Fossen (2021), Handbook of
    Marine Craft Hydrodynamics and Motion Control, 2nd ed., for the rest.
    """

    kernels = ("vessel_6dof_complex_euler", "vessel_6dof_complex_quaternion", "vessel_6dof_complex_velocity")
    examples = variants(
        Vessel6DOF.examples[0]
        | {"damping_matrices": [(0.5 + 0.1 * i) * np.diag([8.0, 9.0, 10.0, 2.0, 3.0, 4.0]) for i in range(6)]},
        {"attitude": "quaternion", "stiffness": np.diag([3.0, 2.0, 50.0, 4.0, 5.0, 1.0])},
        {"integrate_pose": False},
    )

    model = "vessel_6dof_complex"
    damping_parameters = ("linear_damping", "quadratic_damping", "damping_matrices")

    damping_matrices = Parameter(0.0, shape=(6, 6, 6), unit=_UNITS, doc="D_1 … D_6, of |u|, |v|, |w|, |p|, |q|, |r|")
    damping_columns = Derived(
        "D_1 … D_6, each column by column, with column i of D_q added to column i of D_i", shape=(6, 6, 6), unit=_UNITS
    )
