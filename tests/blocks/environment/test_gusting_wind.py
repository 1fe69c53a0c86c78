"""GustingWind: energy, spectra against their published integrals, statistics of a run."""

import numpy as np
import pytest
from scipy.integrate import quad

from blocks import simulate
from blocks.environment import GustingWind, UniformWind
from blocks.errors import ParameterError


def density(spectrum, f, speed, drag=0.0026):
    """One-sided, m²/s²/Hz, independent of the kernel."""
    if spectrum == "davenport":
        x = 1200.0 * f / speed
        return 4.0 * drag * speed**2 * x**2 / (f * (1.0 + x**2) ** (4.0 / 3.0))
    if spectrum == "harris":
        x = 1800.0 * f / speed
        return 4.0 * drag * speed**2 * x / (f * (2.0 + x**2) ** (5.0 / 6.0))
    x = 172.0 * f * (speed / 10.0) ** -0.75
    return 320.0 * (speed / 10.0) ** 2 * (1.0 + x**0.468) ** (-5.0 / (3.0 * 0.468))


def gusts(block, end, step):
    """What the wind from the north is beyond its mean."""
    return -simulate(block, end, step=step).values("gusting_wind.wind[north]") - block.speed


@pytest.mark.parametrize("spectrum", ["davenport", "harris", "norsok"])
def test_the_energy_is_that_of_the_spectrum(spectrum):
    """Straight between 513 frequencies, the integral is right to 1e-4."""
    variance = quad(lambda u: density(spectrum, np.exp(u), 12.0) * np.exp(u), np.log(1.0 / 600.0), np.log(0.5))[0]
    for harmonics in (1, 7, 64):
        block = GustingWind(12.0, spectrum=spectrum, harmonics=harmonics)
        assert block.standard_deviation**2 == pytest.approx(variance, rel=1e-4)


@pytest.mark.parametrize(("spectrum", "published"), [("davenport", 6.0), ("harris", 6.677)])
def test_the_whole_spectrum_has_the_published_variance(spectrum, published):
    """σ² = 6 κ V² and 6.677 κ V² over all frequencies; of Harris's a part stays beyond any that are chosen."""
    block = GustingWind(12.0, spectrum=spectrum, lower_frequency=1e-7, upper_frequency=100.0)
    assert block.standard_deviation**2 == pytest.approx(published * 0.0026 * 144.0, rel=2e-3)


def test_a_long_run_has_the_deviation_and_the_mean():
    """Of 12 harmonics, the slowest of which has 30 periods: σ² is right to the beats of neighbours, about 1/30."""
    block = GustingWind(12.0, spectrum="davenport", harmonics=12, lower_frequency=0.002, seed=3)
    found = gusts(block, 15_000, 0.5)
    assert found.mean() == pytest.approx(0.0, abs=0.05 * block.standard_deviation)
    assert found.std() == pytest.approx(block.standard_deviation, rel=0.05)


def test_gusts_are_spread_over_the_spectrum_as_its_energy_is():
    """Each of n bands of equal energy has one harmonic: the parts below are within 1/n of the integral."""
    n, step, end = 16, 0.5, 16_384
    block = GustingWind(10.0, spectrum="harris", harmonics=n, seed=5)
    found = gusts(block, end - step, step)
    power = np.abs(np.fft.rfft(found * np.hanning(len(found)))) ** 2
    f = np.fft.rfftfreq(len(found), step)
    for limit in (0.005, 0.02, 0.1):
        part = quad(lambda u: density("harris", np.exp(u), 10.0) * np.exp(u), np.log(1.0 / 600.0), np.log(limit))[0]
        assert power[f < limit].sum() / power.sum() == pytest.approx(part / block.standard_deviation**2, abs=1.2 / n)


def test_it_takes_the_place_of_a_uniform_wind():
    still = GustingWind(0.0, 1.0)
    assert not still.evaluate(t=5.0).outputs["wind"].any()
    assert still.standard_deviation == 0.0
    calm = GustingWind(8.0, "270 deg", drag_coefficient=1e-12, spectrum="harris")
    assert calm.evaluate(t=5.0).outputs["wind"] == pytest.approx(
        UniformWind(8.0, "270 deg").evaluate().outputs["wind"], abs=1e-4
    )
    assert GustingWind.wind.signal == UniformWind.wind.signal


def test_seeds_give_other_gusts_and_names_do_not():
    first, second = (GustingWind(8.0, seed=seed).evaluate(t=3.0).outputs["wind"][0] for seed in (1, 2))
    assert first != second
    named = GustingWind(8.0, seed=1)
    named.name = "other"
    assert named.evaluate(t=3.0).outputs["wind"][0] == first


def test_frequencies_must_be_in_order():
    with pytest.raises(ParameterError) as told:
        GustingWind(8.0, lower_frequency=0.1, upper_frequency=0.05)
    assert str(told.value) == "GustingWind.upper_frequency must be above lower_frequency, 0.1 Hz, not 0.05"
