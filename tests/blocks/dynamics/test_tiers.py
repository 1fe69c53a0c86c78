"""The three tiers of Vessel6DOF: what each leaves out, and the damping with six matrices."""

from typing import Any

import numpy as np
import pytest

from blocks.dynamics import ComplexVessel6DOF, Vessel6DOF
from blocks.errors import ParameterError

NU = np.array([0.7, -0.3, 0.2, 0.15, -0.25, 0.4])
BODY: dict[str, Any] = {
    "rigid_body_inertia": np.diag([20.0, 20.0, 20.0, 3.0, 4.0, 5.0]),
    "added_mass": np.diag([5.0, 15.0, 20.0, 1.0, 2.0, 3.0]),
}
DAMPED: dict[str, Any] = {
    "linear_damping": np.diag([1.0, 2.0, 3.0, 4.0, 5.0, 6.0]),
    "quadratic_damping": np.random.default_rng(1).uniform(0.5, 2.0, (6, 6)),
}
MATRICES = np.random.default_rng(2).normal(size=(6, 6, 6))


def test_simple_and_intermediate_differ_by_the_coriolis_forces_alone() -> None:
    simple, intermediate = (
        make(**BODY, **DAMPED).evaluate(states={"nu": NU}).outputs
        for make in (Vessel6DOF.simple, Vessel6DOF.intermediate)
    )
    np.testing.assert_array_equal(simple["coriolis_force"], 0.0)
    assert np.linalg.norm(intermediate["coriolis_force"]) > 0.1
    np.testing.assert_array_equal(simple["damping_force"], intermediate["damping_force"])
    mass = BODY["rigid_body_inertia"] + BODY["added_mass"]
    np.testing.assert_allclose(
        mass @ (simple["acceleration"] - intermediate["acceleration"]), intermediate["coriolis_force"], rtol=1e-12
    )


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_complex_damping_is_a_sum_over_the_speeds_through_the_water(attitude: str) -> None:
    vessel = Vessel6DOF.complex(damping_matrices=MATRICES, attitude=attitude, initial_nu=NU, **BODY)
    current = np.array([0.3, -0.1, 0.2])
    found = vessel.evaluate(current=current).outputs
    nu_r = NU - np.r_[current, np.zeros(3)]
    expected = np.einsum("i,ijk,k->j", np.abs(nu_r), MATRICES, nu_r)
    np.testing.assert_allclose(found["damping_force"], expected, rtol=1e-13)
    balance = -found["coriolis_force"] - expected
    mass = BODY["rigid_body_inertia"] + BODY["added_mass"]
    np.testing.assert_allclose(mass @ found["acceleration"], balance, rtol=1e-12)
    assert NU @ vessel.evaluate().outputs["coriolis_force"] == pytest.approx(0.0, abs=1e-13)


def test_quadratic_damping_is_a_case_of_six_matrices() -> None:
    quadratic = DAMPED["quadratic_damping"]
    matrices = np.zeros((6, 6, 6))
    for i in range(6):
        matrices[i, :, i] = quadratic[:, i]
    as_matrices = ComplexVessel6DOF(damping_matrices=matrices, linear_damping=DAMPED["linear_damping"], **BODY)
    beside_them = ComplexVessel6DOF(**DAMPED, **BODY)
    expected = Vessel6DOF(**DAMPED, **BODY).evaluate(states={"nu": NU}).outputs["damping_force"]
    for vessel in (as_matrices, beside_them):
        found = vessel.evaluate(states={"nu": NU}).outputs["damping_force"]
        np.testing.assert_allclose(found, expected, rtol=1e-13)


def test_a_tier_decides_about_coriolis_forces_itself() -> None:
    with pytest.raises(ParameterError, match=r"Vessel6DOF.simple is the model without Coriolis forces: leave coriolis"):
        Vessel6DOF.simple(coriolis=True, **BODY)
    with pytest.raises(ParameterError, match=r"Vessel6DOF.complex is the model with Coriolis forces"):
        Vessel6DOF.complex(damping_matrices=MATRICES, coriolis=False, **BODY)
    with pytest.raises(ParameterError, match=r"damping_matrices must be an array of 6×6×6.*not an array of 6×6"):
        Vessel6DOF.complex(damping_matrices=np.eye(6), **BODY)
