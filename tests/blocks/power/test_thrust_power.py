"""ThrustPower: the terms add up, and each is what physics says it is."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.dynamics import Vessel3DOF
from blocks.environment import UniformCurrent
from blocks.power import ThrustPower

TERMS = ("inertia", "coriolis", "damping", "restoring", "disturbance")
M, D = (10.0, 14.0, 2.0), (16.0, 20.0, 4.0)


def boat(force, current=(0.0, 0.0), disturbance=(0.0,) * 6, **start):
    diagram = Diagram()
    vessel = diagram.add("vessel", Vessel3DOF.diagonal(m=M, d=D, **start))
    power = diagram.add("power", ThrustPower())
    diagram.add("force", Constant(list(force)))
    diagram.add("wind", Constant(list(disturbance)))
    diagram.add("current", UniformCurrent(*current))
    diagram.connect("force.y", vessel.force, power.force)
    diagram.connect("wind.y", vessel.disturbance, power.disturbance)
    diagram.connect("current.current", vessel.current)
    diagram.connect(vessel.nu_r, power.nu_r)
    for name in ("coriolis_force", "damping_force", "restoring_force"):
        diagram.connect(f"vessel.{name}", f"power.{name}")
    return simulate(diagram, end=20, step=0.01)


def test_terms_add_up_to_the_power():
    run = boat((30, 4, 0, 0, 0, 2), current=(0.4, 1.0), disturbance=(-3, 2, 0, 0, 0, 1))
    total = sum(run.values(f"power.{term}_power") for term in TERMS)
    np.testing.assert_allclose(total, run.values("power.power"), atol=1e-12)


def test_inertia_is_the_rate_of_kinetic_energy_and_coriolis_nothing_in_still_water():
    run = boat((30, 4, 0, 0, 0, 2))
    nu = run.values("vessel.nu")[:, [0, 1, 5]]
    kinetic = 0.5 * (nu**2 @ np.array(M))
    work = np.concatenate([[0.0], np.cumsum(0.005 * (lambda p: p[1:] + p[:-1])(run.values("power.inertia_power")))])
    np.testing.assert_allclose(work, kinetic, rtol=1e-3, atol=1e-3)
    assert np.abs(run.values("power.coriolis_power")).max() < 1e-12
    np.testing.assert_allclose(run.values("power.damping_power"), nu**2 @ np.array(D), rtol=1e-12)


def test_at_steady_speed_all_power_goes_into_damping_and_wind():
    run = boat((32, 0, 0, 0, 0, 0), disturbance=(-8, 0, 0, 0, 0, 0))
    u = (32.0 - 8.0) / D[0]
    assert run.values("power.power")[-1] == pytest.approx(32.0 * u)
    assert run.values("power.damping_power")[-1] == pytest.approx(D[0] * u * u)
    assert run.values("power.disturbance_power")[-1] == pytest.approx(8.0 * u)
    assert run.values("power.inertia_power")[-1] == pytest.approx(0.0, abs=1e-9)


def test_thrust_against_the_motion_through_the_water_is_negative():
    power = ThrustPower()
    astern = power.evaluate(nu_r=[1.5, 0, 0, 0, 0, 0], force=[-20.0, 0, 0, 0, 0, 0]).outputs
    assert astern["power"] == -30.0
    reversing = power.evaluate(nu_r=[-1.5, 0, 0, 0, 0, 0], force=[-20.0, 0, 0, 0, 0, 0]).outputs
    assert reversing["power"] == 30.0


def test_a_current_from_astern_drives_the_thruster_while_the_boat_is_at_rest():
    run = boat((22, 0, 0, 0, 0, 0), current=(0.4, 0.0))
    assert run.values("power.power")[0] == pytest.approx(-22.0 * 0.4)
    assert run.values("power.power")[-1] == pytest.approx(22.0 * 22.0 / D[0])


def test_moments_count_with_angular_velocities():
    power = ThrustPower().evaluate(nu_r=[0, 0, 0, 0.1, 0.2, 0.3], force=[0, 0, 0, 1.0, 2.0, 3.0])
    assert power.outputs["power"] == pytest.approx(0.1 + 0.4 + 0.9)
