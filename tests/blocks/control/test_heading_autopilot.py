"""The heading autopilot: its law, its poles, tracking, loads, limits and angles."""

import numpy as np
import pytest
from control_loops import boat, closed_loop, has_poles, poles
from scipy import signal

from blocks import simulate
from blocks.basic import Sine, Step
from blocks.control import HeadingAutopilot
from blocks.dynamics import NomotoVessel, Vessel3DOF
from blocks.errors import ParameterError


def yaw(psi: float) -> np.ndarray:
    return np.array([0.0, 0.0, 0.0, 0.0, 0.0, psi])


def test_the_law_in_random_states() -> None:
    random = np.random.default_rng(1)
    for _ in range(5):
        kp, ki, m, d, q, kt, kd = random.uniform(0.5, 3.0, 7)
        limit = random.uniform(1.0, 10.0)
        autopilot = HeadingAutopilot(
            kp, ki, kd, inertia=m, damping=d, quadratic_damping=q, tracking_gain=kt, lower=-limit, upper=limit
        )
        heading, rate, acceleration, integral = random.uniform(-4.0, 4.0, 4)
        eta, nu = random.uniform(-4.0, 4.0, (2, 6))
        got = autopilot.evaluate(
            states={"integral": integral}, heading=heading, eta=eta, nu=nu, rate=rate, acceleration=acceleration
        )
        e = np.angle(np.exp(1j * (heading - eta[5])))
        v = m * acceleration + (d + q * abs(rate)) * rate + kp * e + kd * (rate - nu[5]) + integral
        n = np.clip(v, -limit, limit)
        assert got.outputs == {"moment": pytest.approx(n), "error": pytest.approx(e)}
        assert got.derivatives["integral"] == pytest.approx(ki * e + kt * (n - v))


def test_without_an_integral_gain_a_limit_leaves_nothing_behind() -> None:
    got = HeadingAutopilot(5.0, upper=1.0).evaluate(heading=1.0, eta=yaw(0.0), nu=yaw(0.0))
    assert got.outputs["moment"] == 1.0
    assert got.derivatives["integral"] == 0.0


@pytest.mark.parametrize(("w", "z", "a"), [(1.5, 1.0, None), (1.2, 0.5, 0.3), (2.0, 0.7, 0.0)])
def test_poles_are_where_they_were_asked_for(w: float, z: float, a: float | None) -> None:
    autopilot = HeadingAutopilot.by_pole_placement(boat(), w, z, integral_pole=a)
    found = poles(closed_loop(boat(), autopilot, "N", heading=0.0))
    third = w / 10.0 if a is None else a
    assert has_poles(found, [*np.roots([1.0, 2 * z * w, w * w]), -third], 1e-3)


def test_a_step_is_answered_as_a_second_order_system_does() -> None:
    """ζ = 0.4 overshoots by exp(-πζ/√(1-ζ²)) = 25.4 %."""
    w, z, size = 1.0, 0.4, 0.2
    autopilot = HeadingAutopilot.by_pole_placement(boat(), w, z, integral_pole=0.0)
    run = simulate(closed_loop(boat(), autopilot, "N", heading=size), 20.0, step=0.02)
    psi = run.values("vessel.eta")[:, 5]
    _, wanted = signal.step(([w * w], [1.0, 2 * z * w, w * w]), T=run.time)
    assert psi == pytest.approx(size * wanted, abs=1e-6)
    assert psi.max() / size - 1.0 == pytest.approx(np.exp(-np.pi * z / np.sqrt(1 - z * z)), rel=1e-3)


def test_a_reference_with_its_derivatives_is_followed_without_error() -> None:
    """Yaw with linear and quadratic damping; the model ahead has both."""
    vessel = {"mass": 50.0, "yaw_inertia": 20.0, "linear_damping": np.diag([10.0, 90.0, 30.0])}
    vessel |= {"nonlinear_damping": [0, 0, 0, 0, 0, 0, 0, 0, 0, 70.0]}
    w, a = 0.5, 0.8
    autopilot = HeadingAutopilot.by_pole_placement(Vessel3DOF(**vessel), 2.0)
    diagram = closed_loop(
        Vessel3DOF(**vessel, initial_nu=yaw(a * w)), autopilot, "N",
        heading=Sine(a, w), rate=Sine(a * w, w, phase=np.pi / 2), acceleration=Sine(-a * w * w, w),
    )  # fmt: skip
    run = simulate(diagram, 10.0, step=0.02)
    assert np.abs(run.values("controller.error")).max() < 1e-7
    assert np.ptp(run.values("vessel.eta")[:, 5]) == pytest.approx(2 * a, rel=1e-3)


def test_a_steady_load_leaves_no_error() -> None:
    autopilot = HeadingAutopilot.by_pole_placement(boat(), 1.5)
    diagram = closed_loop(boat(), autopilot, "N", heading=0.3, disturbance=yaw(12.0))
    run = simulate(diagram, 120.0, step=0.05)
    assert abs(run.values("controller.error")[-1]) < 1e-6
    assert run.values("controller.moment")[-1] == pytest.approx(-12.0, abs=1e-4)


def test_from_350_to_10_degrees_it_turns_by_20() -> None:
    start = np.radians(350.0)
    autopilot = HeadingAutopilot.by_pole_placement(boat(), 1.0)
    run = simulate(closed_loop(boat(initial_eta=yaw(start)), autopilot, "N", heading=np.radians(10.0)), 60.0, step=0.05)
    psi = np.degrees(run.values("vessel.eta")[:, 5])
    assert psi[-1] == pytest.approx(370.0, abs=0.2)
    assert psi.min() == 350.0
    assert psi.max() < 380.0


def test_anti_windup_takes_overshoot_away() -> None:
    """A turn by 150° with a tenth of the moment that the law would take."""

    def settled(tracking_gain: float) -> tuple[float, float]:
        autopilot = HeadingAutopilot.by_pole_placement(
            boat(), 1.5, integral_pole=0.5, lower=-15.0, upper=15.0, tracking_gain=tracking_gain
        )
        run = simulate(closed_loop(boat(), autopilot, "N", heading=Step(time=1.0, after=2.6)), 80.0, step=0.05)
        psi = run.values("vessel.eta")[:, 5]
        away = np.flatnonzero(np.abs(psi - 2.6) > 0.05)
        return float(psi.max() - 2.6), float(run.time[away[-1]])

    with_it, without = settled(0.8), settled(0.0)
    assert with_it[0] < 0.05 < 0.3 < without[0]
    assert with_it[1] < 0.7 * without[1]


def test_nomoto_gains_are_those_of_the_book() -> None:
    """Fossen: K_p = ω² T/K, K_d = (2ζωT - 1)/K, K_i = ω³ T/(10 K), for a rudder angle."""
    gain, time_constant, w, z = 0.185, 107.0, 0.05, 0.9
    autopilot = HeadingAutopilot.from_nomoto(gain, time_constant, w, z, rule="fossen", upper=0.6)
    assert autopilot.kp == pytest.approx(w**2 * time_constant / gain)
    assert autopilot.kd == pytest.approx((2 * z * w * time_constant - 1) / gain)
    assert autopilot.ki == pytest.approx(w**3 * time_constant / (10 * gain))
    assert (autopilot.inertia, autopilot.damping) == pytest.approx((time_constant / gain, 1 / gain))


def test_an_unstable_ship_is_made_stable() -> None:
    ship = {
        "gain": -0.02,
        "time_constant": -40.0,
        "rudder_moment": 1e6,
        "surge_gain": 1e-5,
        "surge_time_constant": 50.0,
    }
    autopilot = HeadingAutopilot.from_nomoto(-0.02, -40.0, 0.1, rudder_moment=1e6)
    found = poles(closed_loop(NomotoVessel(**ship), autopilot, "N", heading=0.0))
    assert has_poles(found, [-0.1, -0.1, -0.01], 2e-3)


def test_limits_in_the_wrong_order_are_named() -> None:
    with pytest.raises(ParameterError, match=r"HeadingAutopilot\.lower must not exceed upper: 2 is above 1"):
        HeadingAutopilot(1.0, lower=2.0, upper=1.0)
