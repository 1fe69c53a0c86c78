"""Vessel6DOF with a stiffness about an equilibrium, and with a pose that comes from outside."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import Vessel6DOF
from blocks.errors import WiringError
from blocks.run.result import Result

Sail = Callable[..., Result]
BODY: dict[str, Any] = {"rigid_body_inertia": np.diag([20.0, 20.0, 20.0, 3.0, 4.0, 5.0])}
SPRINGS = np.diag([3.0, 2.0, 50.0, 4.0, 5.0, 1.0])


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_a_floating_body_bobs_with_the_frequency_of_its_stiffness(sail: Sail, attitude: str) -> None:
    vessel = Vessel6DOF(
        **BODY,
        stiffness=np.diag([0, 0, 50.0, 0, 0, 0]),
        equilibrium=[0, 0, 0.4, 0, 0, 0],
        attitude=attitude,
        initial_eta=[900.0, -700.0, 0.5, 0, 0, 2.0],
    )
    run = sail(vessel, 5.0, step=0.01)
    expected = 0.4 + 0.1 * np.cos(np.sqrt(50.0 / 20.0) * run.time)
    np.testing.assert_allclose(run.values("vessel.eta")[:, 2], expected, atol=1e-8)
    np.testing.assert_allclose(run.values("vessel.eta")[:, [0, 1, 3, 4]], [[900.0, -700.0, 0, 0]] * len(run.time))


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_a_mooring_pulls_home_whatever_the_heading(attitude: str) -> None:
    psi, home = 2.5, np.array([1.0, -2.0, 0.3, 0.0, 0.0, 2.0])
    eta = home + np.array([0.4, 0.3, 0.1, 0.02, -0.01, psi - 2.0])
    springs = np.diag([3.0, 3.0, 50.0, 4.0, 5.0, 1.0])
    vessel = Vessel6DOF(**BODY, stiffness=springs, equilibrium=home, initial_eta=eta, attitude=attitude)
    found = vessel.evaluate().outputs["restoring_force"]
    c, s = np.cos(psi), np.sin(psi)
    in_ned = [c * found[0] - s * found[1], s * found[0] + c * found[1]]
    np.testing.assert_allclose(in_ned, [1.2, 0.9], rtol=1e-12)
    np.testing.assert_allclose(found[2:], [5.0, 0.08, -0.05, 0.5], rtol=1e-11)
    once_round = Vessel6DOF(**BODY, stiffness=springs, equilibrium=home, initial_eta=eta + 2.0 * np.pi * np.eye(6)[5])
    np.testing.assert_allclose(once_round.evaluate().outputs["restoring_force"], found, rtol=1e-11)


def test_stiffness_adds_to_weight_and_buoyancy() -> None:
    heavy: dict[str, Any] = {"weight": 200.0, "buoyancy": 196.0, "centre_of_gravity": [0.0, 0.0, 0.1]}
    states = {"eta": [1.0, 2.0, 0.3, 0.2, -0.1, 0.5]}
    parts = [
        Vessel6DOF(**BODY, **given).evaluate(states=states).outputs["restoring_force"]
        for given in ({"stiffness": SPRINGS}, heavy, {"stiffness": SPRINGS} | heavy)
    ]
    np.testing.assert_allclose(parts[0] + parts[1], parts[2], rtol=1e-13)


def test_with_a_given_pose_only_velocities_are_integrated() -> None:
    common: dict[str, Any] = BODY | {"weight": 200.0, "buoyancy": 196.0, "centre_of_gravity": [0.0, 0.0, 0.1]}
    eta, nu = np.array([1.0, 2.0, 3.0, 0.2, -0.3, 0.5]), np.array([0.5, -0.2, 0.1, 0.05, 0.1, -0.2])
    inputs: dict[str, Any] = {"force": [5.0, 4, 3, 2, 1, 0.5], "current": [0.3, 0.2, -0.1]}
    free = Vessel6DOF(**common, stiffness=SPRINGS).evaluate(states={"eta": eta, "nu": nu}, **inputs)
    held = Vessel6DOF(**common, stiffness=SPRINGS, integrate_pose=False).evaluate(states={"nu": nu}, pose=eta, **inputs)
    assert set(held.derivatives) == {"nu"}
    np.testing.assert_array_equal(held.derivatives["nu"], free.derivatives["nu"])
    for name, value in free.outputs.items():
        np.testing.assert_array_equal(held.outputs[name], value, err_msg=name)
    np.testing.assert_array_equal(
        Vessel6DOF(**common, integrate_pose=False, initial_nu=nu).evaluate().outputs["nu"], nu
    )


def test_a_given_pose_has_to_be_wired() -> None:
    diagram = Diagram()
    vessel = diagram.add("vessel", Vessel6DOF(**BODY, integrate_pose=False))
    diagram.connect(diagram.add("force", Constant(np.array([4.0, 0, 0, 0, 0, 0]))).y, vessel.force)
    with pytest.raises(WiringError, match="pose"):
        simulate(diagram, 1.0, step=0.1)
    diagram.connect(diagram.add("held", Constant(np.zeros(6))).y, vessel.pose)
    run = simulate(diagram, 1.0, step=0.1)
    assert run.values("vessel.nu")[-1, 0] == pytest.approx(4.0 / 20.0)
    np.testing.assert_array_equal(run.values("vessel.eta"), 0.0)
