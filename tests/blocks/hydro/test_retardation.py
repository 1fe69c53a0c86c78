"""Retardation functions and A_∞ against radiation whose transforms are known in closed form."""

import numpy as np
import pytest

from blocks.hydro.errors import HydroError
from blocks.hydro.retardation import infinite_added_mass, retardation_functions

RESONANCE, DECAY = 1.5, 0.9
"""Ω, δ of B(ω) = 2 δ a ω²/((Ω² - ω²)² + (2 δ ω)²), A(ω) = A_∞ + a (Ω² - ω²)/(the same), with ω_d² = Ω² - δ² and
K(t) = a d/dt e^{-δt} sin(ω_d t)/ω_d."""


def resonant(omega: np.ndarray, amount: float) -> tuple[np.ndarray, np.ndarray]:
    """A - A_∞ and B of one resonance, in heave, and a tenth of it in sway."""
    below = (RESONANCE**2 - omega**2) ** 2 + (2.0 * DECAY * omega) ** 2
    a, b = np.zeros((len(omega), 6, 6)), np.zeros((len(omega), 6, 6))
    for k, share in ((2, 1.0), (1, 0.1)):
        a[:, k, k] = share * amount * (RESONANCE**2 - omega**2) / below
        b[:, k, k] = share * amount * 2.0 * DECAY * omega**2 / below
    return a, b


def test_retardation_of_a_resonance_with_its_tail() -> None:
    omega = np.linspace(0.05, 10.0, 400)
    _, damping = resonant(omega, 30.0)
    times = np.linspace(0.0, 6.0, 25)
    swing = np.sqrt(RESONANCE**2 - DECAY**2)
    exact = 30.0 * np.exp(-DECAY * times) * (np.cos(swing * times) - DECAY / swing * np.sin(swing * times))
    found = retardation_functions(omega, damping, times)
    # what is left at t = 0 is the tail beyond 400 rad/s, some 2/π · 54/400, and elsewhere chords between frequencies
    np.testing.assert_allclose(found[0, 2, 2], exact[0], atol=0.2)
    np.testing.assert_allclose(found[1:, 2, 2], exact[1:], atol=0.01)
    np.testing.assert_allclose(found[:, 1, 1], 0.1 * found[:, 2, 2], atol=1e-12)


def test_ogilvies_relation_finds_the_added_mass_of_infinite_frequency() -> None:
    omega = np.linspace(0.05, 10.0, 400)
    added, damping = resonant(omega, 30.0)
    infinite, spread = infinite_added_mass(omega, added + 7.0, damping)
    assert infinite[2, 2] == pytest.approx(7.0, abs=2e-3)  # of A(0) - A_∞ = 13
    assert infinite[0, 0] == pytest.approx(7.0, abs=1e-12)
    assert spread[2, 2] < 1e-3


@pytest.mark.parametrize(
    ("omega", "message"),
    [
        (np.linspace(0.1, 1.0, 5), "at 8 frequencies or more, as n×6×6, not 5×6×6 at 5"),
        (np.linspace(0.0, 1.0, 9), "increasing frequencies above 0 rad/s, without inf"),
        (np.r_[np.linspace(0.1, 1.0, 8), np.inf], "increasing frequencies above 0 rad/s, without inf"),
    ],
)
def test_frequencies_that_will_not_do(omega: np.ndarray, message: str) -> None:
    with pytest.raises(HydroError, match=message):
        retardation_functions(omega, np.ones((len(omega), 6, 6)), [0.0])
