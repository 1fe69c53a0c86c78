"""The speed controller: its law, its poles, steps, references, over ground and through the water, limits."""

import numpy as np
import pytest
from control_loops import boat, closed_loop, has_poles, poles
from scipy import signal

from blocks import simulate
from blocks.basic import Ramp, Step
from blocks.control import SpeedController
from blocks.dynamics import Vessel3DOF
from blocks.errors import ParameterError


def test_the_law_in_random_states() -> None:
    random = np.random.default_rng(2)
    for _ in range(5):
        kp, ki, m, d, q, kt = random.uniform(0.5, 3.0, 6)
        limit = random.uniform(1.0, 10.0)
        speed, acceleration, integral = random.uniform(-2.0, 2.0, 3)
        nu = random.uniform(-2.0, 2.0, 6)
        controller = SpeedController(
            kp, ki, inertia=m, damping=d, quadratic_damping=q, tracking_gain=kt, lower=-limit, upper=limit
        )
        got = controller.evaluate(states={"integral": integral}, speed=speed, nu=nu, acceleration=acceleration)
        e = speed - nu[0]
        v = m * acceleration + (d + q * abs(speed)) * speed + kp * e + integral
        x = np.clip(v, -limit, limit)
        assert got.outputs == {"force": pytest.approx(x), "error": pytest.approx(e)}
        assert got.derivatives["integral"] == pytest.approx(ki * e + kt * (x - v))


@pytest.mark.parametrize(("w", "z"), [(0.5, 1.0), (1.0, 0.6)])
def test_poles_are_where_they_were_asked_for(w: float, z: float) -> None:
    controller = SpeedController.by_pole_placement(boat(), w, z)
    assert has_poles(poles(closed_loop(boat(), controller, "X", speed=0.0)), np.roots([1.0, 2 * z * w, w * w]), 1e-3)


def test_a_step_is_overshot_as_pi_control_does() -> None:
    """u/u_d = (2ζω s + ω²)/(s² + 2ζω s + ω²), for the damping ahead and k_p make 2ζω m: 1 + e^-2 at ζ = 1."""
    w = 0.5
    controller = SpeedController.by_pole_placement(boat(), w)
    run = simulate(closed_loop(boat(), controller, "X", speed=1.2), 20.0, step=0.05)
    u = run.values("vessel.nu")[:, 0]
    _, wanted = signal.step(([2 * w, w * w], [1.0, 2 * w, w * w]), T=run.time)
    assert u == pytest.approx(1.2 * wanted, abs=1e-6)
    assert u.max() / 1.2 - 1.0 == pytest.approx(np.exp(-2.0), abs=1e-3)


def test_a_ramp_with_its_acceleration_is_followed_without_error() -> None:
    vessel = Vessel3DOF(mass=50.0, yaw_inertia=20.0, linear_damping=np.diag([10.0, 90.0, 30.0]),
                        nonlinear_damping=[4.0, 0, 0, 0, 0, 0, 0, 0, 0, 0])  # fmt: skip
    controller = SpeedController.by_pole_placement(vessel, 1.0, speed=1.0)
    run = simulate(closed_loop(vessel.copy(), controller, "X", speed=Ramp(slope=0.3), acceleration=0.3), 5.0, step=0.05)
    assert np.abs(run.values("controller.error")).max() < 1e-9
    assert run.values("vessel.nu")[-1, 0] == pytest.approx(1.5)


@pytest.mark.parametrize(("through_water", "over_ground"), [(False, 1.0), (True, 1.4)])
def test_the_velocity_that_is_wired_is_the_one_that_is_held(through_water: bool, over_ground: float) -> None:
    controller = SpeedController.by_pole_placement(boat(), 0.5)
    diagram = closed_loop(boat(), controller, "X", speed=1.0, current=[0.4, 0.0, 0.0], through_water=through_water)
    run = simulate(diagram, 80.0, step=0.1)
    assert run.values("vessel.nu")[-1, 0] == pytest.approx(over_ground, abs=1e-6)
    assert run.values("controller.force")[-1] == pytest.approx(30.0 * (over_ground - 0.4), abs=1e-4)


def test_anti_windup_takes_overshoot_away() -> None:
    def overshoot(tracking_gain: float) -> float:
        controller = SpeedController.by_pole_placement(boat(), 1.0, upper=45.0, tracking_gain=tracking_gain)
        run = simulate(closed_loop(boat(), controller, "X", speed=Step(after=1.4)), 40.0, step=0.05)
        return float(run.values("vessel.nu")[:, 0].max() - 1.4)

    assert overshoot(0.5) < 0.03
    assert overshoot(0.0) > 0.08


def test_limits_in_the_wrong_order_are_named() -> None:
    with pytest.raises(ParameterError, match=r"SpeedController\.lower must not exceed upper: 2 is above 1"):
        SpeedController(1.0, lower=2.0, upper=1.0)
