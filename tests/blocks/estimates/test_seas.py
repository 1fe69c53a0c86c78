"""Seas by the wind, beside the spectra, and inertia of rigid bodies."""

from __future__ import annotations

import math

import numpy as np
import pytest

from blocks.environment import PiersonMoskowitzSea
from blocks.errors import ParameterError
from blocks.estimates import EstimateWarning, rigid_body_inertia, wind_of_sea, wind_sea


@pytest.mark.parametrize("speed", [5.0, 12.0, 25.0])
def test_a_sea_that_has_grown_up_is_that_of_pierson_and_moskowitz(speed: float) -> None:
    """H_s from the area under S = α g²/ω⁵ exp(-β (g/(U ω))⁴), T_p from where it is greatest."""
    omega = np.linspace(0.05, 40.0, 400_001) * 9.81 / speed
    spectrum = 0.0081 * 9.81**2 / omega**5 * np.exp(-0.74 * (9.81 / (speed * omega)) ** 4)
    height, period = wind_sea(speed)
    assert height == pytest.approx(4.0 * math.sqrt(np.trapezoid(spectrum, omega)), rel=1e-3)
    assert period == pytest.approx(2.0 * math.pi / omega[spectrum.argmax()], rel=1e-3)
    sea = PiersonMoskowitzSea(**(PiersonMoskowitzSea.examples[0] | {"wind_speed": speed}))
    assert (height, period) == pytest.approx((sea.significant_height, sea.peak_period), rel=1e-12)
    assert wind_of_sea(height) == pytest.approx(speed, rel=1e-12)
    assert wind_of_sea(0.0) == 0.0


def test_a_sea_over_a_fetch_is_lower_and_shorter_and_grows_with_it() -> None:
    """ω_p = 22 (g²/(U F))^(1/3) as Fossen has it, of 15 m/s over 100 km; H_s as the root of the fetch."""
    height, period = wind_sea(15.0, 100e3)
    assert 2.0 * math.pi / period == pytest.approx(22.0 * (9.81**2 / (15.0 * 100e3)) ** (1.0 / 3.0), rel=1e-3)
    grown = wind_sea(15.0)
    assert height < grown[0]
    assert period < grown[1]
    assert wind_sea(15.0, 25e3)[0] == pytest.approx(0.5 * height, rel=1e-12)
    with pytest.warns(EstimateWarning, match="dimensionless_fetch from 100 to 10000"):
        wind_sea(5.0, 1e6)
    for wrong in ((0.0,), (math.nan,), (10.0, -1.0)):
        with pytest.raises(ParameterError, match="must be a number above 0"):
            wind_sea(*wrong)
    with pytest.raises(ParameterError, match="significant_height must be a number ≥ 0"):
        wind_of_sea(-1.0)


def test_the_inertia_of_a_rigid_body_is_that_of_its_points() -> None:
    """Twelve points whose inertia about any origin is the sum of m r²."""
    random = np.random.default_rng(3)
    arms = np.diag([3.0, 2.0, 1.0])
    points = np.concatenate([arms, -arms]) + random.normal(size=3)
    mass, centre = 12.0, points.mean(axis=0)
    away = points - centre
    squares = (away**2).mean(axis=0)
    made = rigid_body_inertia(mass, np.sqrt(squares.sum() - squares).tolist(), centre.tolist())
    about = sum((mass / 6) * (p @ p * np.eye(3) - np.outer(p, p)) for p in points)
    assert made[3:, 3:] == pytest.approx(about, rel=1e-12, abs=1e-12)
    assert made == pytest.approx(made.T)
    velocity, rate = random.normal(size=3), random.normal(size=3)
    energy = sum(0.5 * (mass / 6) * float(np.sum((velocity + np.cross(rate, p)) ** 2)) for p in points)
    nu = np.concatenate([velocity, rate])
    assert 0.5 * nu @ made @ nu == pytest.approx(energy, rel=1e-12)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ((0.0, (1, 1, 1)), "mass must be a number above 0"),
        ((1.0, (1, 0, 1)), r"radii_of_gyration\[1\] must be a number above 0"),
        ((1.0, (1, 1)), "radii_of_gyration must be three finite numbers"),
        ((1.0, (1, 1, 1), (0, math.nan, 0)), "centre_of_gravity must be three finite numbers"),
        ((1.0, (9, 1, 1)), "are of no body"),
    ],
)
def test_what_is_no_rigid_body_is_refused(given: tuple[object, ...], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        rigid_body_inertia(*given)  # type: ignore[arg-type]
