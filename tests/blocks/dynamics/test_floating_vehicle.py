"""FloatingVehicle: SMARTY's matrices, and motions whose outcome is known."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from blocks.dynamics import FloatingVehicle
from blocks.errors import ParameterError
from blocks.run.result import Result

Sail = Callable[..., Result]

# ASVLite v1.1, example input: the vehicle, and the diagonals that it derives, to all printed digits
SMARTY: dict[str, Any] = {
    "length": 0.3,
    "breadth": 0.3,
    "draught": 0.1,
    "displacement": 0.007,
    "centre_of_gravity": [0.15, 0.0, -0.2],
    "radii_of_gyration": [0.08, 0.08, 0.106],
}
HULL: dict[str, Any] = {
    "length": 2.0,
    "breadth": 1.0,
    "draught": 0.25,
    "displacement": 0.39,
    "centre_of_gravity": [1.0, 0.0, 0.0],
    "radii_of_gyration": [0.3, 0.5, 0.5],
}


def test_smarty_has_the_published_matrices() -> None:
    smarty = FloatingVehicle(**SMARTY)
    for found, expected in (
        (smarty.mass_matrix, [14.4202981, 14.4202981, 14.4202981, 0.04592, 0.04592, 0.0806183]),
        (smarty.quadratic_damping, [15.375, 15.375, 68.8303315, 0.075, 0.075, 0.075]),
        (smarty.stiffness, [0, 0, 710.763739, 3.99804603, 3.99804603, 0]),
    ):
        np.testing.assert_allclose(found, np.diag(expected), rtol=1e-8)
    np.testing.assert_allclose(smarty.rigid_body_inertia + smarty.added_mass, smarty.mass_matrix, rtol=1e-15)


def test_matrices_of_a_slender_hull() -> None:
    vehicle, rho = FloatingVehicle(**HULL), 1025.0
    a, b = 1.0, 0.5
    added = rho * np.pi * 0.25 * np.array([b * b, a * a, a * b])
    np.testing.assert_allclose(np.diag(vehicle.added_mass), [*added, 0, 0, 0], rtol=1e-14)
    # C_D = 0.6 along the axis, breadth over length 0.5, and 1.6 across it, ratio 2
    drag = 0.5 * rho * np.array([0.6 * 1.0 * 0.25, 1.6 * 2.0 * 0.25, 1.9 * np.pi * a * b])
    np.testing.assert_allclose(np.diag(vehicle.quadratic_damping)[:3], drag, rtol=1e-14)
    heave = rho * 9.81 * np.pi * a * b
    np.testing.assert_allclose(np.diag(vehicle.stiffness), [0, 0, heave, heave * b**2 / 4, heave * a**2 / 4, 0])


@pytest.mark.parametrize(
    ("breadth", "coefficient"),
    [(0.1, 0.22), (0.25, 0.22), (0.375, 0.26), (0.75, 0.45), (1.5, 0.8), (3.0, 1.3), (9.0, 1.6)],
)
def test_drag_coefficient_of_an_ellipse(breadth: float, coefficient: float) -> None:
    # at the ends of the table, in the middle of its intervals, and beyond
    vehicle = FloatingVehicle(**HULL | {"breadth": breadth, "displacement": 0.01})
    assert vehicle.quadratic_damping[0, 0] == pytest.approx(0.5 * 1025.0 * coefficient * breadth * 0.25)


def test_the_stiffness_is_the_pressure_on_the_water_plane() -> None:
    # -rho g integral of the depth z + y phi - x theta over an ellipse whose centre is not under the centre of gravity
    vehicle = FloatingVehicle(**HULL | {"centre_of_gravity": [0.9, -0.05, 0.0]})
    z, phi, theta = 0.01, 0.02, -0.015
    nodes = (np.arange(800) + 0.5) / 400.0 - 1.0
    x, y = np.meshgrid(1.0 * nodes, 0.5 * nodes)
    inside = x**2 + (y / 0.5) ** 2 < 1.0
    x, y = x[inside] + 0.1, y[inside] + 0.05  # from the centre of gravity
    pressure = 1025.0 * 9.81 * (z + y * phi - x * theta) * (2.0 * 1.0 / 800**2)
    found = vehicle.evaluate(states={"eta": [5.0, -7.0, z, phi, theta, 2.0]}).outputs["restoring_force"]
    expected = [0, 0, pressure.sum(), (y * pressure).sum(), (-x * pressure).sum(), 0]
    np.testing.assert_allclose(found, expected, rtol=1e-3)


def test_weight_below_buoyancy_makes_it_stiffer() -> None:
    low = HULL | {"centre_of_gravity": [1.0, 0.0, 0.2]}
    plain, metacentric = (FloatingVehicle(**low, hydrostatics=h).stiffness for h in ("water_plane", "metacentric"))
    difference = 1025.0 * 0.39 * 9.81 * (0.2 - 0.125)
    np.testing.assert_allclose(metacentric - plain, np.diag([0, 0, 0, difference, difference, 0]), atol=1e-9)


def test_small_heave_oscillates_and_dies_out(sail: Sail) -> None:
    vehicle = FloatingVehicle(**HULL, initial_eta=[0, 0, 1e-6, 0, 0, 0])
    run = sail(vehicle, 3.0, step=0.005)
    mass, stiffness = vehicle.mass_matrix[2, 2], vehicle.stiffness[2, 2]
    expected = 1e-6 * np.cos(np.sqrt(stiffness / mass) * run.time)
    np.testing.assert_allclose(run.values("vessel.eta")[:, 2], expected, atol=1e-10)  # drag takes 1e-5 of it
    rough = sail(FloatingVehicle(**HULL, initial_eta=[0, 0, 0.1, 0, 0, 0]), 10.0, step=0.005)
    assert np.abs(rough.values("vessel.eta")[-200:, 2]).max() < 0.06


def test_it_keeps_its_heading_and_reaches_the_speed_of_its_drag(sail: Sail) -> None:
    run = sail(FloatingVehicle(**SMARTY), 60.0, step=0.01, inputs={"force": [1.0, 0, 0, 0, 0, 0]})
    assert run.values("vessel.nu")[-1, 0] == pytest.approx(np.sqrt(1.0 / 15.375), rel=1e-6)
    np.testing.assert_array_equal(run.values("vessel.eta")[:, 1:], 0.0)


def test_a_mass_for_a_displacement_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"displacement is 7.2 m³, more than .* = 0.009 m³: it is a volume"):
        FloatingVehicle(**SMARTY | {"displacement": 7.2})
    with pytest.raises(ParameterError, match=r"FloatingVehicle.draught must be > 0 m, not -0.1"):
        FloatingVehicle(**SMARTY | {"draught": -0.1})
