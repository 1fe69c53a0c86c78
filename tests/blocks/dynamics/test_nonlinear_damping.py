"""Vessel3DOF with nonlinear damping: CyberShip II, and what its forces must be."""

from collections.abc import Callable

import numpy as np
import pytest

from blocks.dynamics import Vessel3DOF
from blocks.run.result import Result

Sail = Callable[..., Result]
PLANE = [0, 1, 5]

# Skjetne, Smogeli and Fossen (2004), Modeling, Identification and Control 25(1), tables 1 to 3, with signs turned
LINEAR = np.array([[0.72253, 0.0, 0.0], [0.0, 0.88965, 7.250], [0.0, -0.03130, 1.900]])
NONLINEAR = [1.32742, 5.86643, 36.47287, 0.805, 0.845, 3.450, -3.95645, -0.130, -0.080, 0.750]


def cybership(**changes: object) -> Vessel3DOF:
    return Vessel3DOF(
        mass=23.8,
        yaw_inertia=1.760,
        centre_of_gravity=(0.046, 0.0),
        added_mass=np.diag([2.0, 10.0, 1.0]),
        linear_damping=LINEAR,
        nonlinear_damping=NONLINEAR,
        **changes,
    )


@pytest.mark.parametrize("nu", [(0.3, 0.1, 0.2), (-0.3, -0.1, 0.2), (0.2, 0.15, -0.3)])
def test_damping_force_is_the_sum_of_its_terms(nu: tuple[float, float, float]) -> None:
    u, v, r = nu
    found = cybership().evaluate(states={"nu": [u, v, 0, 0, 0, r]}).outputs["damping_force"]
    surge = 0.72253 * u + 1.32742 * abs(u) * u + 5.86643 * u**3
    sway = (0.88965 + 36.47287 * abs(v) + 0.805 * abs(r)) * v + (7.250 + 0.845 * abs(v) + 3.450 * abs(r)) * r
    yaw = (-0.03130 - 3.95645 * abs(v) - 0.130 * abs(r)) * v + (1.900 - 0.080 * abs(v) + 0.750 * abs(r)) * r
    np.testing.assert_allclose(found[PLANE], [surge, sway, yaw], rtol=1e-13)


def test_port_and_starboard_are_alike() -> None:
    mirror = np.array([1.0, -1.0, 0.0, 0.0, 0.0, -1.0])
    nu = np.array([0.3, 0.12, 0.0, 0.0, 0.0, -0.25])
    one, other = (cybership().evaluate(states={"nu": m}).outputs["damping_force"] for m in (nu, mirror * nu))
    np.testing.assert_allclose(other, mirror * one, rtol=1e-14)


def test_it_depends_on_the_velocity_through_the_water() -> None:
    drifting = cybership().evaluate(states={"nu": [0.4, -0.2, 0, 0, 0, 0]}, current=[0.4, -0.2, 0.0])
    np.testing.assert_allclose(drifting.outputs["damping_force"], 0.0, atol=1e-16)


def test_speed_settles_where_thrust_and_drag_balance(sail: Sail) -> None:
    run = sail(cybership(), 120.0, step=0.05, inputs={"force": [2.0, 0, 0, 0, 0, 0]})
    u = run.values("vessel.nu")[-1, 0]
    assert 0.72253 * u + 1.32742 * u**2 + 5.86643 * u**3 == pytest.approx(2.0, rel=1e-9)
