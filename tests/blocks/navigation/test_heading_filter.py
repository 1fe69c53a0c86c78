"""The heading filter against a Kalman filter in NumPy, SciPy's Riccati equation and chi-square bounds."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.linalg import solve_discrete_are
from scipy.stats import chi2

from blocks import Diagram, simulate
from blocks.basic import TimeSeries
from blocks.errors import ParameterError
from blocks.navigation import HeadingFilter

PERIOD = 0.2
COMPASS, GYRO, ACCELERATION, WALK = 0.05, 0.01, 0.03, 0.001
NOISES = {
    "compass_noise": COMPASS,
    "gyro_noise_density": GYRO,
    "yaw_acceleration_density": ACCELERATION,
    "gyro_bias_walk": WALK,
    "period": PERIOD,
}
F = np.array([[1.0, PERIOD, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])
H = np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 1.0]])
R = np.diag([COMPASS**2, GYRO**2 / PERIOD])
Q = np.diag([0.0, 0.0, WALK**2 * PERIOD])
Q[:2, :2] = ACCELERATION**2 * np.array([[PERIOD**3 / 3, PERIOD**2 / 2], [PERIOD**2 / 2, PERIOD]])


def wrapped(angle):
    return (angle + np.pi) % (2.0 * np.pi) - np.pi


def filtered(block, compass, gyro, valid=None):
    """Estimates (ψ, r, b) and covariances of each sample."""
    times = PERIOD * np.arange(len(compass))
    diagram = Diagram()
    diagram.add("filter", block)
    given = {"compass": compass, "gyro": gyro, "compass_valid": valid}
    for name, series in given.items():
        if series is not None:
            source = diagram.add(name, TimeSeries(times, series, interpolation="hold"))
            diagram.connect(source.y, block.input_port(name))
    run = simulate(diagram, times[-1], step=PERIOD, record="filter.*")
    estimates = np.column_stack([run.values(f"filter.{name}") for name in ("heading", "yaw_rate", "gyro_bias")])
    return estimates, run.values("filter.covariance")


def kalman(x, p, compass, gyro, valid):
    """The textbook's: predicted and corrected with one matrix for both measurements."""
    found = []
    for z, used in zip(zip(compass, gyro, strict=True), valid, strict=True):
        rows = [0, 1] if used else [1]
        h, r = H[rows], R[np.ix_(rows, rows)]
        residual = np.array([wrapped(z[0] - x[0]), z[1] - x[1] - x[2]])[rows]
        gain = p @ h.T @ np.linalg.inv(h @ p @ h.T + r)
        x, p = x + gain @ residual, (np.eye(3) - gain @ h) @ p
        found.append((np.array([wrapped(x[0]), *x[1:]]), p))
        x, p = F @ x, F @ p @ F.T + Q
    return found


def turning(seed, count=200, start=(2.9, 0.2, 0.0)):
    """A vessel that turns as the filter takes it to, through ±180°: truth and measurements."""
    random = np.random.default_rng(seed)
    x, states, measured = np.array(start), [], []
    root = np.linalg.cholesky(Q)
    for _ in range(count):
        states.append(x)
        measured.append(H @ x + np.sqrt(np.diag(R)) * random.normal(size=2))
        x = F @ x + root @ random.normal(size=3)
    compass, gyro = np.array(measured).T
    return np.array(states), wrapped(compass), gyro


def test_it_is_the_kalman_filter_sample_by_sample():
    _, compass, gyro = turning(1)
    valid = (np.arange(200) % 7 != 3).astype(float)
    x, sigma = [0.3, 0.1, -0.02], [0.5, 0.2, 0.05]
    block = HeadingFilter(**NOISES, initial_estimate=x, initial_standard_deviation=sigma)
    estimates, covariances = filtered(block, compass, gyro, valid)
    for k, (state, spread) in enumerate(kalman(np.array(x), np.diag(sigma) ** 2, compass, gyro, valid)):
        assert np.abs(wrapped(estimates[k, 0] - state[0])) < 1e-12
        np.testing.assert_allclose(estimates[k, 1:], state[1:], atol=1e-12)
        np.testing.assert_allclose(covariances[k], spread, atol=1e-12)
        np.testing.assert_array_equal(covariances[k], covariances[k].T)
        assert np.linalg.eigvalsh(covariances[k]).min() > 0.0


def test_a_steady_gain_is_that_of_the_riccati_equation():
    """One residual of one each shows the columns of the gain."""
    before = solve_discrete_are(F.T, H.T, Q, R)
    gain = before @ H.T @ np.linalg.inv(H @ before @ H.T + R)
    after = (np.eye(3) - gain @ H) @ before
    block = HeadingFilter(**NOISES, gain="steady")
    for k, given in enumerate(({"compass": 1.0, "gyro": 0.0}, {"compass": 0.0, "gyro": 1.0})):
        found = block.evaluate(**given).outputs
        shown = [found[name] for name in ("heading", "yaw_rate", "gyro_bias")]
        np.testing.assert_allclose(shown, gain[:, k], rtol=1e-9, atol=1e-12)
        np.testing.assert_allclose(found["covariance"], after, rtol=1e-9, atol=1e-14)


@pytest.mark.parametrize(
    ("compass", "gyro", "walk"), [(0.01, 1e-4, 1e-7), (0.3, 1e-2, 1e-3), (0.001, 1e-5, 1e-9), (1.0, 1e-6, 1e-6)]
)
def test_a_steady_gain_is_found_for_instruments_of_all_grades(compass, gyro, walk):
    """The covariance before a sample stays what it is when a sample is taken and a period goes by."""
    block = HeadingFilter(
        compass_noise=compass, gyro_noise_density=gyro, gyro_bias_walk=walk, gain="steady", period=0.1
    )
    after = block.evaluate(compass=0.0, gyro=0.0).outputs["covariance"]
    f, q = np.eye(3), np.diag([0.0, 0.0, walk**2 * 0.1])
    f[0, 1] = 0.1
    q[:2, :2] = 0.05**2 * np.array([[1e-3 / 3, 1e-2 / 2], [1e-2 / 2, 0.1]])
    before = f @ after @ f.T + q
    s = H @ before @ H.T + np.diag([compass**2, gyro**2 / 0.1])
    again = before - before @ H.T @ np.linalg.solve(s, H @ before)
    scale = np.sqrt(np.outer(np.diag(after), np.diag(after)))
    np.testing.assert_array_less(np.abs(again - after) / scale, 1e-6)
    assert np.linalg.eigvalsh(after / scale).min() > 0.0


def test_the_varying_gain_settles_at_the_steady_one():
    truth, compass, gyro = turning(2, 1500)
    varying, covariances = filtered(HeadingFilter(**NOISES), compass, gyro)
    steady, (settled, *_) = filtered(HeadingFilter(**NOISES, gain="steady"), compass, gyro)
    np.testing.assert_allclose(covariances[-1], settled, rtol=1e-6, atol=1e-15)
    np.testing.assert_allclose(varying[-1, 1:], steady[-1, 1:], atol=1e-6)
    error = wrapped(varying[100:, 0] - truth[100:, 0])
    assert np.sqrt(np.mean(error**2)) == pytest.approx(np.sqrt(settled[0, 0]), rel=0.15)
    assert np.sqrt(np.mean(error**2)) < 0.6 * COMPASS


def test_it_is_as_good_as_it_says():
    """Errors squared by their covariance (NEES), of runs that begin anywhere within P: chi-square of 3 n in n runs.

    Bar-Shalom et al. (2001), sec. 5.4.2. Within the 99.9 % bounds at the last sample, and on the average of all.
    """
    runs, sigma = 30, np.array([0.4, 0.1, 0.02])
    nees = []
    for seed in range(runs):
        truth, compass, gyro = turning(100 + seed, 60, [3.0, 0.1, 0.01])
        first = truth[0] + sigma * np.random.default_rng(seed).normal(size=3)
        block = HeadingFilter(**NOISES, initial_estimate=first, initial_standard_deviation=sigma)
        estimates, covariances = filtered(block, compass, gyro)
        error = estimates - truth
        error[:, 0] = wrapped(error[:, 0])
        nees.append([e @ np.linalg.solve(p, e) for e, p in zip(error, covariances, strict=True)])
    for k in (0, 20, 59):
        assert chi2.ppf(0.0005, 3 * runs) < np.sum(nees, axis=0)[k] < chi2.ppf(0.9995, 3 * runs)
    assert np.mean(nees) == pytest.approx(3.0, rel=0.12)


def test_the_bias_of_a_gyro_is_found_on_a_steady_heading():
    count = 3000
    random = np.random.default_rng(4)
    compass = wrapped(np.pi + COMPASS * random.normal(size=count))
    gyro = 0.03 + GYRO / PERIOD**0.5 * random.normal(size=count)
    block = HeadingFilter(**NOISES | {"gyro_bias_walk": 1e-6, "yaw_acceleration_density": 1e-3})
    estimates, covariances = filtered(block, compass, gyro)
    assert abs(estimates[-1, 2] - 0.03) < 4.0 * np.sqrt(covariances[-1, 2, 2]) < 2e-3
    assert np.abs(wrapped(estimates[-200:, 0] - np.pi)).max() < 4.0 * np.sqrt(covariances[-1, 0, 0]) < COMPASS


@pytest.mark.parametrize(
    ("more", "message"),
    [
        ({"compass_noise": 0.0}, r"HeadingFilter.compass_noise must be > 0 rad, not 0"),
        ({"gain": "constant"}, r"gain must be one of 'time_varying', 'steady', not 'constant'"),
        (
            {"gain": "steady", "gyro_bias_walk": 0.0},
            r"HeadingFilter.gyro_bias_walk must be > 0 with gain='steady', not 0: the gain would settle",
        ),
    ],
)
def test_it_says_what_is_wrong(more, message):
    with pytest.raises(ParameterError, match=message):
        HeadingFilter(**NOISES | more)
