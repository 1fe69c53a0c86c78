"""The sine and cosine of the kernels, seen through the velocity of a vessel that only surges: (cos ψ, sin ψ)."""

import numpy as np
import pytest

from blocks.dynamics import Vessel3DOF


def sine_cosine(angles):
    vessel = Vessel3DOF.diagonal(m=(1.0, 1.0, 1.0), d=(1.0, 1.0, 1.0))
    moving = np.array([1.0, 0.0, 0.0, 0.0, 0.0, 0.0])
    rates = [
        vessel.evaluate(states={"eta": [0, 0, 0, 0, 0, psi], "nu": moving}).derivatives["eta"][:2] for psi in angles
    ]
    cosine, sine = np.array(rates).T
    return sine, cosine


@pytest.mark.parametrize("largest", [1.0, 10.0, 1e3, 9.9e4, 1e7])
def test_error_stays_below_two_units_in_the_last_place(largest):
    # np.longdouble has at least 11 more bits on the platforms that the suite runs on
    if np.finfo(np.longdouble).nmant <= np.finfo(float).nmant:
        pytest.skip("no wider float to compare with on this platform")
    angles = np.random.default_rng(1).uniform(-largest, largest, 300)
    for got, exact in zip(sine_cosine(angles), (np.sin, np.cos), strict=True):
        true = exact(angles.astype(np.longdouble))
        error = np.abs(got - true) / np.spacing(np.abs(true).astype(float))
        assert float(error.max()) < 2.0


def test_near_multiples_of_a_quarter_turn():
    angles = np.array([k * np.pi / 2 * (1 + d) for k in range(-9, 10) for d in (0.0, 1e-15, -1e-9)])
    sine, cosine = sine_cosine(angles)
    np.testing.assert_allclose(sine, np.sin(angles), rtol=1e-15, atol=1e-20)
    np.testing.assert_allclose(cosine, np.cos(angles), rtol=1e-15, atol=1e-20)
