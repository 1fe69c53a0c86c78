"""Hydrodynamic derivatives of second order, and linear damping that fades with speed."""

from typing import Any

import jsonschema
import numpy as np
import pytest

from blocks.dynamics import ComplexVessel6DOF, Vessel6DOF, derivatives_of_coriolis
from blocks.errors import ParameterError
from blocks.scenario.schema import schema

BODY: dict[str, Any] = {"rigid_body_inertia": np.diag([20.0, 20.0, 20.0, 3.0, 4.0, 5.0])}


def moving(vessel: Any, nu: Any) -> dict[str, Any]:
    """The outputs at a velocity, upright in still water."""
    states = {"nu": np.asarray(nu, dtype=float), "eta": np.zeros(6)}
    return dict(vessel.evaluate(states=states, force=np.zeros(6)).outputs)


def test_each_derivative_is_the_force_per_product_of_its_velocities() -> None:
    given = {"X_vr": 3.0, "Y_uv": -9.0, "Z_ww": 0.5, "K_pq": -0.2, "M_uw": 2.5, "N_vu": -1.5}
    vessel = ComplexVessel6DOF(**BODY, derivatives=given)
    u, v, w, p, q, r = nu = np.array([1.3, -0.4, 0.3, 0.2, -0.5, 0.7])
    expected = np.array([3.0 * v * r, -9.0 * u * v, 0.5 * w * w, -0.2 * p * q, 2.5 * u * w, -1.5 * u * v])
    np.testing.assert_allclose(-moving(vessel, nu)["damping_force"], expected, rtol=1e-14)
    for sign in (np.array([1, -1, 1, -1, 1, -1]), np.array([-1, 1, -1, 1, -1, 1])):  # a product turns with either
        turned = moving(vessel, sign * nu)["damping_force"]
        assert turned[1] == pytest.approx(-sign[0] * sign[1] * expected[1], rel=1e-14)


def test_derivatives_of_the_coriolis_forces_of_added_mass_take_its_place() -> None:
    rng = np.random.default_rng(4)
    half = rng.normal(size=(6, 6))
    added = half @ half.T + 6.0 * np.eye(6)
    potential = derivatives_of_coriolis(added)
    assert potential["N_uv"] == pytest.approx(added[0, 0] - added[1, 1], rel=1e-14)  # the Munk moment
    turned_off = {name: -value for name, value in potential.items()}
    with_both = ComplexVessel6DOF(**BODY, added_mass=added, derivatives=turned_off)
    for nu in rng.normal(size=(5, 6)):
        found = moving(with_both, nu)
        rigid = moving(Vessel6DOF(**BODY), nu)["coriolis_force"]
        np.testing.assert_allclose(found["coriolis_force"] + found["damping_force"], rigid, atol=1e-13)


def test_linear_damping_fades_with_the_speed_through_the_water() -> None:
    linear = np.diag([10.0, 20.0, 30.0, 4.0, 5.0, 6.0])
    fading = np.array([3.0, 2.0, 0.0, 0.0, 1.0, 0.5])
    vessel = ComplexVessel6DOF(**BODY, linear_damping=linear, linear_fading=fading)
    nu = np.array([0.6, -0.3, 0.2, 0.4, -0.2, 0.1])
    current = [0.2, 0.1, -0.1]
    outputs = vessel.evaluate(states={"nu": nu, "eta": np.zeros(6)}, force=np.zeros(6), current=current).outputs
    through = nu - np.array([*current, 0.0, 0.0, 0.0])
    speed = np.sqrt(np.sum(through[:3] ** 2))
    np.testing.assert_allclose(
        outputs["damping_force"], np.diag(linear) * np.exp(-fading * speed) * through, rtol=1e-13
    )


@pytest.mark.parametrize(
    ("given", "told"),
    [
        ({"Y_uvv": 1.0}, r"derivatives has no derivative 'Y_uvv': one of X, Y, Z, K, M, N, and two of u, v"),
        ({"Y_vdot": 1.0}, r"has no derivative 'Y_vdot'"),
        ({"Y_uv": 1.0, "Y_vu": 2.0}, r"derivatives has Y_uv twice: Y_vu is the same product"),
        ({"Y_uv": "3 m"}, r"derivatives\.Y_uv: '3 m' is in m"),
        (np.zeros((6, 6)), r"or an array of 6×21, not an array of 6×6"),
        ({"N_uw": float("nan")}, r"derivatives\.N_uw must be finite"),
    ],
)
def test_what_is_no_derivative_is_told(given: Any, told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        ComplexVessel6DOF(**BODY, derivatives=given)


def test_a_derivative_may_come_in_any_unit() -> None:
    vessel = ComplexVessel6DOF(**BODY, derivatives={"N_uv": "2 t"})
    assert vessel.derivatives[5, 1] == 2000.0


def test_editors_know_the_form_of_derivatives() -> None:
    form = schema({"dynamics.ComplexVessel6DOF": ComplexVessel6DOF})["$defs"]["parameters.dynamics.ComplexVessel6DOF"]
    validator = jsonschema.Draft202012Validator(form["properties"]["derivatives"])
    assert validator.is_valid({"Y_uv": -9.0, "N_ur": "3 kg*m"})
    assert validator.is_valid(np.zeros((6, 21)).tolist())
    assert not validator.is_valid({"Y_uvv": -9.0})
