"""What is said to who makes a mistake with a vessel: what is wrong, where, and what to do."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blocks.basic import Constant
from blocks.diagram import Diagram
from blocks.dynamics import FloatingVehicle, Vessel, Vessel3DOF, Vessel6DOF
from blocks.errors import DeclarationError, KeelblocksError, ParameterError, WiringError
from blocks.simulation import simulate

EYE = np.eye(6)


def holed() -> Any:
    matrix = EYE.copy()
    matrix[2, 4] = np.nan
    return matrix


CASES: list[tuple[Callable[[], Any], str]] = [
    (
        lambda: Vessel6DOF(inertia=EYE),
        r"^no parameter 'inertia' on Vessel6DOF; valid: added_mass, .*",  # and not that another one is missing
    ),
    (lambda: Vessel6DOF(centre_of_gravty=[0, 0, 0]), r"'centre_of_gravty' on Vessel6DOF; did you mean 'centre_of_gra"),
    (
        lambda: FloatingVehicle(length=1.0, draft=0.2),
        r"no parameter 'draft' on FloatingVehicle; did you mean 'draught'",
    ),
    (
        lambda: Vessel6DOF(rigid_body_inertia=holed()),
        r"^Vessel6DOF.rigid_body_inertia must be finite, not array\(.{,80}: see its element \[2, 4\]$",
    ),
    (lambda: Vessel6DOF(rigid_body_inertia=1j * EYE), r"must be an array of 6×6, not array\(.{,80}$"),
    (
        lambda: Vessel6DOF(rigid_body_inertia=EYE, centre_of_gravity=[0.0, 0.1]),
        r"centre_of_gravity must be an array of 3 in m, not an array of 2; its elements are x, y, z$",
    ),
    (
        lambda: Vessel3DOF(mass=1.0, yaw_inertia=1.0, nonlinear_damping=[1.0]),
        r"must be an array of 10, not an array of 1; its elements are X_\|u\|u, X_uuu, Y_\|v\|v, ",
    ),
    (
        lambda: Vessel3DOF(mass=10.0, yaw_inertia=1.0, centre_of_gravity=[2.0, 0.0]),
        r"sway and yaw together .* Is yaw_inertia \(1 kg·m²\) about the body origin\? There it is .* = 40 kg·m² more",
    ),
    (
        lambda: Vessel3DOF.diagonal(m=(1.0, 2.0), d=(1.0, 2.0, 3.0)),
        r"inertia must be an array of 3, not .* m11, m22, m33$",
    ),
    (lambda: Vessel6DOF.simple(rigid_body_inertia=EYE, coriolis=True), r"simple is the model without Coriolis forces"),
]


@pytest.mark.parametrize(("make", "message"), CASES)
def test_a_wrong_parameter_is_named_with_what_is_wanted(make: Callable[[], Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        make()


def test_a_mass_matrix_is_judged_before_the_yaw_inertia_is_blamed() -> None:
    with pytest.raises(ParameterError) as caught:
        Vessel3DOF(mass=1.0, yaw_inertia=1.0, added_mass=np.diag([-2.0, 0.0, 0.0]))
    assert "the inertia of surge is -1" in str(caught.value)
    assert "body origin" not in str(caught.value)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"force": np.zeros(3)}, r"^Vessel6DOF.force has shape \(6,\), but a value of shape \(3,\) is given$"),
        ({"states": {"eta": [1.0, 2.0]}}, r"^Vessel6DOF.eta has shape \(6,\), but a value of shape \(2,\)"),
        ({"states": {"position": np.zeros(3)}}, r"^Vessel6DOF has no state 'position'; valid: eta, nu$"),
        ({"pose": np.zeros(6)}, r"^Vessel6DOF has no input 'pose'; valid: current, disturbance, force$"),
    ],
)
def test_what_does_not_fit_an_evaluation_is_named_with_the_block(given: dict[str, Any], message: str) -> None:
    with pytest.raises(WiringError, match=message):
        Vessel6DOF(rigid_body_inertia=EYE).evaluate(**given)


def test_what_all_vessels_share_cannot_be_run() -> None:
    diagram = Diagram()
    diagram.add("vessel", Vessel())
    diagram.connect(diagram.add("push", Constant(np.zeros(6))).y, "vessel.force")
    with pytest.raises(DeclarationError, match=r"Vessel has no kernel: .* take one of dynamics.ComplexVessel6DOF, "):
        simulate(diagram, 1.0, step=0.1)


def test_a_vessel_without_its_pose_is_not_run_and_one_with_it_takes_no_place_that_has_none() -> None:
    diagram = Diagram()
    vessel = diagram.add("vessel", Vessel6DOF(rigid_body_inertia=EYE))
    diagram.connect(diagram.add("push", Constant(np.zeros(6))).y, vessel.force)
    guided = diagram.replace("vessel", Vessel6DOF(rigid_body_inertia=EYE, integrate_pose=False))
    with pytest.raises(WiringError, match=r"vessel.pose \(Pose, m, ned\) is not connected; it needs a source"):
        simulate(diagram, 1.0, step=0.1)
    diagram.connect(diagram.add("path", Constant(np.zeros(6))).y, guided.pose)
    with pytest.raises(
        KeelblocksError, match=r"vessel: the new Vessel6DOF has no input 'pose', which is wired; valid: "
    ):
        diagram.replace("vessel", Vessel6DOF(rigid_body_inertia=EYE))
    assert diagram["vessel"] is guided
