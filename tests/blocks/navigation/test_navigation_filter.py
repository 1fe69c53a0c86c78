"""The navigation filter against an extended Kalman filter in NumPy, chi-square bounds, and a vessel in a current."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.stats import chi2

from blocks import Diagram, simulate
from blocks.basic import Constant, Pulse, Sine, TimeSeries
from blocks.dynamics import KinematicVehicle
from blocks.environment import UniformCurrent
from blocks.errors import ParameterError
from blocks.navigation import NavigationFilter
from blocks.sensors import Compass, DepthGauge, DopplerLog, Gnss, Imu

T = 0.25
ARM = [1.5, -0.8, -2.0]
NOISES: dict[str, float] = {
    "gnss_noise": 1.2,
    "compass_noise": 0.04,
    "gyro_noise_density": 0.01,
    "gyro_bias_walk": 2e-4,
    "log_noise": 0.06,
    "current_walk": 0.003,
}


def wrapped(angle):
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


def turn(psi):
    return np.array([[np.cos(psi), -np.sin(psi)], [np.sin(psi), np.cos(psi)]])


def predicted(x, velocity, gyro):
    """x = north, east, ψ, b, current: one period on."""
    middle = x[2] + 0.5 * T * (gyro - x[3])
    return np.array([*x[:2] + T * (turn(middle) @ velocity + x[4:]), x[2] + T * (gyro - x[3]), *x[3:]])


def derivative(f, x):
    """∂f/∂x by complex steps, which are exact."""
    return np.array([f(x + 1e-30j * e).imag / 1e-30 for e in np.eye(len(x))]).T


def extended_kalman(x, p, data):
    """With matrices for whole measurements, Jacobians by complex steps, and Q by where the noises come in."""
    sigma = NOISES
    found, last, before = [], 0.0, None
    for compass, compass_valid, position, gnss_valid, fix, gyro, velocity in zip(*data, strict=True):
        if before is not None:  # the yaw rate of the last period is the mean of its ends
            x = x + 0.5 * T * (gyro - before) * np.eye(6)[2]
        before = gyro
        if compass_valid:
            h = np.eye(6)[2:3]
            gain = p @ h.T / (p[2, 2] + sigma["compass_noise"] ** 2)
            x, p = x + gain[:, 0] * wrapped(compass - x[2]), (np.eye(6) - gain @ h) @ p
        if gnss_valid and fix > last:
            antenna = lambda s: s[:2] + turn(s[2]) @ ARM[:2]  # noqa: E731
            h = derivative(antenna, x)
            gain = p @ h.T @ np.linalg.inv(h @ p @ h.T + sigma["gnss_noise"] ** 2 * np.eye(2))
            x, p = x + gain @ (position[:2] - antenna(x)), (np.eye(6) - gain @ h) @ p
        last = max(last, fix)
        found.append((x, p))
        f = derivative(lambda s, v=velocity, g=gyro: predicted(s, v[:2], g), x)
        by_log = derivative(lambda v, s=x, g=gyro: predicted(s, v, g), velocity[:2])
        by_gyro = derivative(lambda g, s=x, v=velocity: predicted(s, v[:2], g[0]), np.array([gyro]))
        q = sigma["log_noise"] ** 2 * by_log @ by_log.T + sigma["gyro_noise_density"] ** 2 / T * by_gyro @ by_gyro.T
        q += T * np.diag([0, 0, 0, sigma["gyro_bias_walk"] ** 2, *[sigma["current_walk"] ** 2] * 2])
        x, p = predicted(x, velocity[:2], gyro), f @ p @ f.T + q
    return found


def estimates(run):
    """x of each sample."""
    eta, bias, current = (run.values(f"filter.{name}") for name in ("eta", "gyro_bias", "current"))
    return np.column_stack([eta[:, [0, 1, 5]], bias, current[:, :2]])


def test_it_is_the_extended_kalman_filter_sample_by_sample():
    """With every kind of gap: no fix, the same fix again, no compass."""
    random = np.random.default_rng(7)
    count = 120
    k = np.arange(count)
    psi = 2.0 + 0.12 * k * T * 3.0
    data = {
        "compass": wrapped(psi + 0.04 * random.normal(size=count)),
        "compass_valid": (k % 5 != 2).astype(float),
        "position": random.normal(size=(count, 3)) * 2.0 + [5.0, -3.0, 0.0],
        "gnss_valid": ((k < 40) | (k > 70)).astype(float),
        "gnss_fix": 1.0 + k // 2,
        "gyro": 0.36 + 0.1 * random.normal(size=count),
        "velocity": [1.0, 0.1, 0.05] + 0.06 * random.normal(size=(count, 3)),
    }
    first, sigma = np.array([1.0, 2.0, 1.8, 0.01, 0.1, -0.2]), np.array([5.0, 6.0, 0.5, 0.02, 0.3, 0.4])
    block = NavigationFilter(
        **NOISES, lever_arm=ARM, period=T, initial_estimate=first, initial_standard_deviation=sigma
    )
    diagram = Diagram()
    diagram.add("filter", block)
    for name, series in data.items():
        source = diagram.add(name, TimeSeries(T * k, series, interpolation="hold"))
        diagram.connect(source.y, block.input_port(name))
    run = simulate(diagram, T * (count - 1), step=T)
    found, covariances = estimates(run), run.values("filter.covariance")
    for i, (x, p) in enumerate(extended_kalman(first, np.diag(sigma**2), data.values())):
        error = found[i] - x
        error[2] = wrapped(error[2])
        assert np.abs(error).max() < 1e-12
        np.testing.assert_allclose(covariances[i], p, atol=1e-12)
    spread = np.linalg.eigvalsh(covariances)
    assert spread.min() > 0.0
    np.testing.assert_array_equal(covariances, covariances.transpose(0, 2, 1))
    north_east = np.stack([turn(-x[2]) @ x[4:] for x in found])
    np.testing.assert_allclose(run.values("filter.nu")[:, :2], data["velocity"][:, :2] + north_east, atol=1e-13)
    np.testing.assert_allclose(run.values("filter.nu")[:, 5], data["gyro"] - found[:, 3], atol=1e-15)


def at_sea(seed: int = 0, turning: float = 0.05, gnss_period: float = T, **more: Any) -> Diagram:
    """A vessel that goes round in a current, with instruments and a filter that knows how good they are."""
    diagram = Diagram("at_sea")
    vessel = diagram.add(
        "vessel",
        KinematicVehicle(
            mobility=np.ones(6), initial_nu=[1.4, 0.3, 0.0, 0.0, 0.0, turning], initial_eta=[0, 0, 2.0, 0, 0, 2.5]
        ),
    )
    compass = diagram.add("compass", Compass(noise=NOISES["compass_noise"], seed=seed, period=T))
    imu = Imu(gyro_noise_density=NOISES["gyro_noise_density"], gyro_bias=[0.0, 0.0, 0.02], seed=seed, period=T)
    diagram.add("imu", imu)
    log = diagram.add("log", DopplerLog(noise=NOISES["log_noise"], seed=seed, period=T))
    gnss = Gnss("52 deg", "4 deg", lever_arm=ARM, horizontal_noise=NOISES["gnss_noise"], seed=seed, period=gnss_period)
    diagram.add("gnss", gnss)
    gauge = diagram.add("gauge", DepthGauge(period=T))
    settings = NOISES | {"gyro_bias_walk": 0.0, "current_walk": 0.0, "lever_arm": ARM, "period": T}
    ekf = diagram.add("filter", NavigationFilter(**settings | more))
    current = diagram.add("current", UniformCurrent(0.4, "120 deg"))
    diagram.connect(diagram.add("push", Constant([1.2, 0.1, 0, 0, 0, turning])).y, vessel.force)
    diagram.connect(current.current, vessel.current)
    diagram.connect(vessel.eta, compass.eta, imu.eta, gnss.eta, gauge.eta)
    diagram.connect(vessel.nu, imu.nu, gnss.nu)
    diagram.connect(vessel.acceleration, imu.acceleration)
    diagram.connect(vessel.nu_r, log.nu_r)
    diagram.connect(gnss.position, ekf.position)
    diagram.connect(gnss.valid, ekf.gnss_valid)
    diagram.connect(gnss.fix, ekf.gnss_fix)
    diagram.connect(compass.heading, ekf.compass)
    diagram.connect(imu.angular_rate["r"], ekf.gyro)
    diagram.connect(log.velocity, ekf.velocity)
    diagram.connect(gauge.depth, ekf.depth)
    return diagram


def errors(run):
    """Estimate less truth."""
    eta = run.values("vessel.eta")
    c = 0.4 * np.array([np.cos(np.radians(120.0)), np.sin(np.radians(120.0))])
    truth = np.column_stack([eta[:, [0, 1, 5]], np.full(len(eta), 0.02), np.tile(c, (len(eta), 1))])
    error = estimates(run) - truth
    error[:, 2] = wrapped(error[:, 2])
    return error


def test_it_is_as_good_as_it_says():
    """NEES of real instruments, of runs that begin anywhere within P: chi-square of 6 n in n runs.

    Bar-Shalom et al. (2001), sec. 5.4.2. Half the density of the gyro, or 0.7 of the noise of the receiver, gives 8.
    """
    runs, sigma = 40, np.array([5.0, 5.0, 0.3, 0.03, 0.3, 0.3])
    truth = np.array([0.0, 0.0, 2.5, 0.02, 0.4 * np.cos(np.radians(120.0)), 0.4 * np.sin(np.radians(120.0))])
    nees = []
    for seed in range(runs):
        first = truth + sigma * np.random.default_rng(seed).normal(size=6)
        diagram = at_sea(seed, initial_estimate=first, initial_standard_deviation=sigma)
        run = simulate(diagram, 25.0, step=T, record=["filter.*", "vessel.eta"])
        nees.append(
            [e @ np.linalg.solve(p, e) for e, p in zip(errors(run), run.values("filter.covariance"), strict=True)]
        )
    for k in (0, 60, 100):
        assert chi2.ppf(0.0005, 6 * runs) < np.sum(nees, axis=0)[k] < chi2.ppf(0.9995, 6 * runs)
    assert np.mean(nees) == pytest.approx(6.0, rel=0.15)


def test_it_finds_position_heading_current_and_bias_from_nothing():
    run = simulate(at_sea(3, gnss_period=4.0 * T), 600.0, step=T, record=["filter.*", "vessel.*", "gnss.position"])
    error, spread = errors(run), run.values("filter.covariance")
    sigma = np.sqrt(np.array([np.diag(p) for p in spread]))
    assert np.all(np.abs(error[-1]) < 4.0 * sigma[-1])
    assert np.abs(error[-1, 4:]).max() < 0.03
    assert abs(error[-1, 3]) < 2e-3
    late = slice(-400, None)
    assert np.sqrt(np.mean(error[late, :2] ** 2)) < 0.5 * NOISES["gnss_noise"]
    assert np.sqrt(np.mean(error[late, 2] ** 2)) < 0.5 * NOISES["compass_noise"]
    np.testing.assert_array_equal(run.values("filter.eta")[:, 2], run.values("vessel.eta")[:, 2])
    velocity = run.values("filter.nu")[late] - run.values("vessel.nu")[late]
    assert np.abs(velocity[:, :2].mean(axis=0)).max() < 0.03
    assert np.abs(run.values("filter.eta")[:, 5]).max() <= np.pi < run.values("vessel.eta")[-1, 5]


def test_an_outage_is_bridged_with_the_current_that_was_found():
    diagram = at_sea(5, turning=0.0, current_walk=0.003)
    sky = diagram.add("sky", TimeSeries([0.0, 200.0, 260.0], [1.0, 0.0, 1.0], interpolation="hold"))
    diagram.connect(sky.y, diagram["gnss"].available)
    run = simulate(diagram, 300.0, step=T, record=["filter.*", "vessel.eta", "gnss.valid"])
    error = np.hypot(*errors(run)[:, :2].T)
    sigma = np.sqrt(run.values("filter.covariance")[:, 0, 0])
    gone, back = int(200.0 / T), int(260.0 / T)
    assert np.all(np.diff(sigma[gone : back - 1]) > 0.0)
    assert error[gone:back].max() < 4.0 * sigma[back - 1] < 10.0  # the current alone takes the vessel 24 m
    assert sigma[back] ** -2 == pytest.approx(sigma[back - 1] ** -2 + NOISES["gnss_noise"] ** -2, rel=0.02)
    assert error[-50:].max() < 1.5


def test_a_slow_compass_counts_once_a_sample_with_a_pulse():
    """Between its samples the heading becomes less certain; without the pulse one sample would count four times."""
    diagram = at_sea(6, gnss_period=1000.0)
    diagram["compass"].set(period=4.0 * T)
    seen = diagram.add("seen", Pulse(period=4.0 * T, width=0.2))
    diagram.connect(seen.y, diagram["filter"].compass_valid)
    run = simulate(diagram, 60.0, step=T, record=["filter.*", "vessel.eta"])
    sigma = np.sqrt(run.values("filter.covariance")[:, 2, 2])
    better = np.flatnonzero(np.diff(sigma[40:]) < 0.0) + 41
    assert better.tolist() == list(range(44, len(sigma), 4))
    assert np.sqrt(np.mean((errors(run)[:, 2] / sigma) ** 2)) < 1.6


def test_measurements_that_are_not_valid_do_not_count():
    block = NavigationFilter(**NOISES, period=T, initial_estimate=[1, 2, 3, 0, 0.1, 0.2])
    given = {"compass": -2.0, "gyro": 0.1, "velocity": [1.0, 0.0, 0.0], "position": [50.0, 60.0, 0.0]}
    blind = block.evaluate(**given, gnss_valid=0.0, compass_valid=0.0).outputs
    assert blind["eta"].tolist() == [1.0, 2.0, 0.0, 0.0, 0.0, 3.0]
    assert np.diag(blind["covariance"]).tolist() == pytest.approx([1e6, 1e6, np.pi**2, 1e-4, 0.25, 0.25])
    seen = block.evaluate(**given).outputs
    assert seen["eta"] == pytest.approx([50.0, 60.0, 0.0, 0.0, 0.0, -2.0], abs=1e-3)
    used = block.evaluate(**given, gnss_fix=3.0, states={"last_fix": 3.0}).outputs
    assert used["eta"][:2].tolist() == [1.0, 2.0]
    before_the_first = block.evaluate(**given, gnss_fix=0.0).outputs  # a receiver shows its origin then
    assert before_the_first["eta"][:2].tolist() == [1.0, 2.0]


def test_a_heading_by_the_gyro_alone_is_of_second_order_in_the_period():
    """r = 0.3 sin 0.8 t for half a turn of the sine: by the trapezoidal rule ψ is T²/12 Δṙ off, not T/2 Δr = 0.04."""
    diagram = Diagram()
    ekf = diagram.add("filter", NavigationFilter(**NOISES, period=T, initial_estimate=[0, 0, 3.0, 0, 0, 0]))
    for name, source in {
        "position": Constant([0.0, 0.0, 0.0]),
        "gnss_valid": Constant(0.0),
        "compass": Constant(0.0),
        "compass_valid": Constant(0.0),
        "gyro": Sine(0.3, 0.8),
        "velocity": Constant([0.0, 0.0, 0.0]),
    }.items():
        diagram.connect(diagram.add(name, source).y, ekf.input_port(name))
    run = simulate(diagram, 4.0, step=T, record=["filter.eta"])
    psi = np.unwrap(run.values("filter.eta")[:, 5])
    exact = 3.0 + 0.375 * (1.0 - np.cos(0.8 * run.time))
    by_trapezoids = exact + T**2 / 12.0 * 0.24 * (np.cos(0.8 * run.time) - 1.0)
    assert psi[0] == 3.0
    assert psi == pytest.approx(by_trapezoids, abs=1e-4)
    assert np.abs(psi - exact).max() < 0.004


def test_it_says_what_is_wrong():
    with pytest.raises(ParameterError, match=r"NavigationFilter.gnss_noise must be > 0 m, not 0"):
        NavigationFilter(**NOISES | {"gnss_noise": 0.0}, period=T)
    with pytest.raises(ParameterError, match=r"NavigationFilter.log_noise is missing: a number in m/s is wanted"):
        NavigationFilter(gnss_noise=1.0, compass_noise=0.1, gyro_noise_density=0.1, period=T)
