"""GaussMarkovCurrent against the closed form of its processes."""

import numpy as np
import pytest

from blocks import simulate
from blocks.environment import GaussMarkovCurrent
from blocks.errors import ParameterError

WANDERING = {"speed": 2.0, "direction": "30 deg", "vertical": -0.1, "period": 1.0}


def parts(current):
    """Speed, direction and vertical velocity."""
    north, east, down = current.T
    return np.hypot(north, east), np.arctan2(east, north), down


def test_mean_deviation_and_autocorrelation_are_those_of_the_closed_form():
    """N = 40 000 samples with τ = 5 T are n = N tanh(T/2τ) = 4000 independent ones: means lie within 4 σ/√n, variances
    and lagged products within 4 √(2/n) σ² (Bartlett 1946)."""
    given = WANDERING | {
        "speed_deviation": 0.2, "direction_deviation": 0.3, "vertical_deviation": 0.05,
        "speed_time": 5.0, "direction_time": 5.0, "vertical_time": 5.0,
    }  # fmt: skip
    run = simulate(GaussMarkovCurrent(**given), 40_000, step=1.0)
    found = parts(run.values("gauss_markov_current.current"))
    independent = 40_000 * np.tanh(0.1)
    for values, mean, sigma in zip(found, (2.0, np.pi / 6.0, -0.1), (0.2, 0.3, 0.05), strict=True):
        assert values.mean() == pytest.approx(mean, abs=4.0 * sigma / np.sqrt(independent))
        beside = values - mean
        for lag in (0, 2, 5, 10):
            product = np.mean(beside[: len(beside) - lag] * beside[lag:]) / sigma**2
            assert product == pytest.approx(np.exp(-lag / 5.0), abs=4.0 * np.sqrt(2.0 / independent)), lag
    assert abs(np.corrcoef(found)[np.triu_indices(3, 1)]).max() < 4.0 / np.sqrt(independent)


def test_the_step_is_exact_whatever_the_period():
    """x_{k+1} = e^{-T/τ} x_k where no noise comes: 10 τ from an excursion it is over, and σ does not depend on T."""
    sigma = []
    for period in (0.5, 8.0):
        block = GaussMarkovCurrent(2.0, speed_deviation=0.2, speed_time=2.0, period=period)
        run = simulate(block, 8000 * period, step=period)
        sigma.append(run.values("gauss_markov_current.current[north]").std())
    assert sigma == pytest.approx([0.2, 0.2], rel=4.0 / np.sqrt(2.0 * 8000 * np.tanh(0.125)))


def test_the_speed_stays_within_its_limits_and_leaves_them():
    block = GaussMarkovCurrent(
        0.3, speed_deviation=0.2, speed_time=3.0, lowest_speed=0.2, highest_speed=0.5, period=1.0
    )
    speed = simulate(block, 2000, step=1.0).values("gauss_markov_current.current[north]")
    assert speed.min() == pytest.approx(0.2, abs=1e-15)
    assert speed.max() == pytest.approx(0.5, abs=1e-15)
    for limit in (0.2, 0.5):
        assert np.diff(np.flatnonzero(np.abs(speed - limit) < 1e-12)).max() > 5  # it is away for a while
    assert 0.1 < np.mean((speed > 0.21) & (speed < 0.49)) < 0.9


def test_a_split_run_is_the_same_run_and_seeds_differ(tmp_path):
    def current(end, seed=1, **settings):
        block = GaussMarkovCurrent(0.5, speed_deviation=0.1, direction_deviation=0.2, period=0.5, seed=seed)
        return simulate(block, end, step=0.25, **settings).values("gauss_markov_current.current")

    whole = current(20.0)
    current(7.25, checkpoint=tmp_path / "run")
    assert np.array_equal(current(20.0, resume=tmp_path / "run"), whole)
    assert not np.isin(current(20.0, seed=2)[:, 0], whole[:, 0]).any()


def test_without_deviations_it_is_a_uniform_current():
    run = simulate(GaussMarkovCurrent(0.5, "90 deg", vertical=0.1, period=1.0), 3, step=1.0)
    assert run.values("gauss_markov_current.current") == pytest.approx(np.tile([0.0, 0.5, 0.1], (4, 1)), abs=1e-15)


def test_limits_that_do_not_hold_the_mean_are_told():
    with pytest.raises(ParameterError) as told:
        GaussMarkovCurrent(0.6, highest_speed=0.5, period=1.0)
    assert str(told.value) == (
        "GaussMarkovCurrent.speed must be within lowest_speed and highest_speed, 0 to 0.5 m/s, not 0.6"
    )
    with pytest.raises(ParameterError, match=r"lowest_speed must not exceed highest_speed: 0\.7 is above 0\.5"):
        GaussMarkovCurrent(0.6, lowest_speed=0.7, highest_speed=0.5, period=1.0)
