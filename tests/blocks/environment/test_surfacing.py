"""A hull that comes to the surface: Archimedes, the potential, and a vehicle that floats up."""

from typing import Any

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import Vessel6DOF
from blocks.environment import Surfacing
from blocks.errors import ParameterError

HULL: dict[str, Any] = {"centres": [[x, 0.0, 0.0] for x in (-0.6, 0.0, 0.6)], "volumes": 0.01, "radii": 0.15}


def test_a_sphere_loses_the_cap_that_is_out() -> None:
    """π h² (3 r - h)/3 of a sphere whose volume is its own."""
    r = 0.3
    ball = Surfacing(centres=[[0, 0, 0]], volumes=4.0 / 3.0 * np.pi * r**3, radii=r, density=1000.0)
    for depth in (-0.5, -0.3, -0.1, 0.0, 0.2, 0.3, 4.0):
        h = np.clip(r - depth, 0.0, 2.0 * r)
        found = ball.evaluate(eta=[7.0, 3.0, depth, 0, 0, 1.0]).outputs
        assert found["disturbance"][2] == pytest.approx(9810.0 * np.pi * h**2 * (3.0 * r - h) / 3.0, abs=1e-9)
    assert ball.evaluate(eta=[0, 0, 1.0, 0, 0, 0], elevation=-1.0).outputs["emerged"] == pytest.approx(0.5)


def test_the_load_has_a_potential() -> None:
    """Its derivatives by depth, roll and pitch are symmetric: work over any closed path is 0."""
    hull = Surfacing(centres=[[0.5, 0.1, 0.05], [-0.4, -0.2, 0.0]], volumes=[0.02, 0.03], radii=[0.2, 0.3])

    def load(q: Any) -> Any:
        z, phi, theta = q
        force = hull.evaluate(eta=[0, 0, z, phi, theta, 0]).outputs["disturbance"]
        down = np.array([-np.sin(theta), np.cos(theta) * np.sin(phi), np.cos(theta) * np.cos(phi)]) @ force[:3]
        return np.array([down, force[3], np.cos(phi) * force[4] - np.sin(phi) * force[5]])

    q, step = np.array([0.05, 0.2, -0.1]), 1e-5
    stiffness = np.array([(load(q + d) - load(q - d)) / (2.0 * step) for d in step * np.eye(3)])
    assert stiffness == pytest.approx(stiffness.T, abs=1e-5 * np.abs(stiffness).max())


def test_a_vehicle_floats_up_to_where_its_weight_says() -> None:
    """Started under water with 5 % of spare buoyancy, it comes to rest with 5 % of its volume out, level."""
    displaced = 0.03 * 1025.0 * 9.81
    vehicle = Vessel6DOF(
        rigid_body_inertia=np.diag([30.0, 30.0, 30.0, 0.4, 6.0, 6.0]), linear_damping=np.diag([20.0] * 6),
        weight=0.95 * displaced, buoyancy=displaced, centre_of_gravity=[0.0, 0.0, 0.02],
        initial_eta=[0, 0, 3.0, 0.0, 0.3, 0.0],
    )  # fmt: skip
    diagram = Diagram("auv")
    vessel, hull = diagram.add("vessel", vehicle), diagram.add("hull", Surfacing(**HULL))
    diagram.connect(vessel.eta, hull.eta)
    diagram.connect(hull.disturbance, vessel.disturbance)
    diagram.connect(diagram.add("nothing", Constant(np.zeros(6))).y, vessel.force)
    run = simulate(diagram, 120.0, step=0.02, every=10)
    assert run.values("hull.emerged")[[0, -1]].ravel() == pytest.approx([0.0, 0.05], abs=1e-4)
    assert run.values("vessel.eta")[-1, 3:5] == pytest.approx([0.0, 0.0], abs=1e-4)


def test_centres_are_rows() -> None:
    with pytest.raises(ParameterError, match=r"centres must be an array of n×3, a row per part of the hull"):
        Surfacing(centres=1.0, volumes=0.1, radii=0.2)
