"""Irregular seas: no energy is lost, directions and phases are those that are said, and nothing repeats unsaid."""

import itertools

import numpy as np
import pytest
from scipy.stats import kstest

from blocks import Diagram
from blocks.environment import (
    BretschneiderSea,
    JonswapSea,
    PiersonMoskowitzSea,
    RegularWave,
    TabulatedSea,
    TorsethaugenSea,
)
from blocks.errors import ParameterError

OMEGA, NORTH, EAST, K, A, PHASE, BOTTOM = range(7)
COUNTS = [1, 2, 7, 15, 16, 20, 25, 33, 50, 60, 75]
WAYS = list(itertools.product(("equal-area", "equal-step"), ("drawn", "middle")))
ALPHA, BETA, G = 8.10e-3, 0.74, 9.81


def energies(waves):
    return 0.5 * waves[A] ** 2


def angles(waves):
    return np.arctan2(waves[EAST], waves[NORTH])


# --- energy ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "height"),
    [
        (lambda **c: PiersonMoskowitzSea(12.0, **c), 2.0 * np.sqrt(ALPHA / BETA) * 12.0**2 / G),
        (lambda **c: BretschneiderSea(2.5, 9.0, **c), 2.5),
        (lambda **c: JonswapSea(0.4, 3.0, 7.0, **c), 0.4),
        (lambda **c: TorsethaugenSea(3.0, 6.0, **c), 3.0),
        (lambda **c: TorsethaugenSea(3.0, 14.0, **c), 3.0),
        (lambda **c: TabulatedSea([0.1, 0.2, 0.5], [0.0, 3.0, 0.0], **c), 4.0 * np.sqrt(0.6)),
    ],
    ids=["pierson_moskowitz", "bretschneider", "jonswap", "wind_sea", "swell", "table"],
)
@pytest.mark.parametrize(("bands", "placement"), WAYS)
def test_no_energy_is_lost_however_few_components_there_are(waves, make, height, bands, placement):
    """To rounding; half a per cent was asked for."""
    for count, directions in [(count, 1) for count in COUNTS] + [(5, 3), (15, 5), (1, 9)]:
        sea = make(frequencies=count, directions=directions, bands=bands, placement=placement)
        found = waves(sea)
        assert found.shape == (7, count * directions)
        assert 4.0 * np.sqrt(energies(found).sum()) == pytest.approx(height, rel=1e-12)
        assert sea.significant_height == pytest.approx(height, rel=1e-12)


def test_narrow_limits_give_their_energy_to_what_is_left(waves):
    found = waves(BretschneiderSea(2.0, 8.0, lower_limit=0.9, upper_limit=1.1))
    assert 4.0 * np.sqrt(energies(found).sum()) == pytest.approx(2.0, rel=1e-12)
    assert np.all(np.abs(found[OMEGA] * 8.0 / (2.0 * np.pi) - 1.0) <= 0.1)


def test_equal_area_bands_have_equal_energy(waves):
    found = waves(JonswapSea(2.0, 8.0, frequencies=11, directions=5))
    assert energies(found) == pytest.approx(np.full(55, 0.25 / 55), rel=1e-12)


def test_equal_step_bands_have_the_energy_of_the_spectrum(waves):
    """Of Pierson and Moskowitz's, in closed form: m_0 exp(-B f^-4) lies below f."""
    sea = PiersonMoskowitzSea(10.0, frequencies=20, directions=1, bands="equal-step", placement="middle")
    b = BETA * (G / (2.0 * np.pi * 10.0)) ** 4
    peak = (0.8 * b) ** 0.25
    assert sea.peak_period == pytest.approx(1.0 / peak, rel=1e-12)
    edges = np.linspace(0.652 * peak, 5.946 * peak, 21)
    below = np.exp(-b / edges**4)
    found = waves(sea)
    # 512 straight pieces for the spectrum
    assert energies(found) / energies(found).sum() == pytest.approx(np.diff(below) / (below[-1] - below[0]), rel=2e-4)
    assert found[OMEGA] == pytest.approx(np.pi * (edges[:-1] + edges[1:]), rel=1e-12)


def test_medians_halve_the_energy_of_their_bands(waves):
    found = waves(PiersonMoskowitzSea(10.0, frequencies=8, directions=1, placement="middle"))
    b = BETA * (G / (2.0 * np.pi * 10.0)) ** 4
    low, high = np.exp(-1.25 / 0.652**4), np.exp(-1.25 / 5.946**4)
    below = (np.exp(-b / (found[OMEGA] / (2.0 * np.pi)) ** 4) - low) / (high - low)
    assert below == pytest.approx((np.arange(8) + 0.5) / 8, abs=1e-5)


@pytest.mark.parametrize("bands", ["equal-area", "equal-step"])
def test_moments_of_few_components_are_right_on_the_average_of_seeds(realisations, bands):
    """Each component is drawn by the energy in its band, so that no moment has a bias."""
    sea = BretschneiderSea(2.0, 8.0, frequencies=15, directions=1, bands=bands)
    f = realisations(sea, range(600))[:, OMEGA] / (2.0 * np.pi)
    share = energies(sea.evaluate().outputs["waves"]) / 0.25
    tables = sea.tables()
    for power in (-1, 1, 2, 3):
        x = tables.frequencies
        expected = np.trapezoid(tables.densities * x**power, x) / 0.25
        moments = (f**power * share).sum(axis=1)
        assert abs(moments.mean() - expected) < 4.0 * moments.std() / np.sqrt(600) + 2e-4 * expected


def test_periods_of_many_components_are_those_of_the_spectrum():
    """Bretschneider's: T_1 = 0.7718 T_p and T_z = 0.7104 T_p, of which the tail beyond the limits takes a part."""
    many = {"frequencies": 4000, "directions": 1, "bands": "equal-step", "placement": "middle", "upper_limit": 60.0}
    sea = BretschneiderSea(2.0, 8.0, **many)
    assert sea.mean_period == pytest.approx(0.77177 * 8.0, rel=2e-3)
    assert sea.zero_crossing_period == pytest.approx(0.71037 * 8.0, rel=2e-3)
    assert sea.steepness == pytest.approx(2.0 * np.pi * 2.0 / (G * 64.0))


@pytest.mark.parametrize(("kind", "ratio"), [("peak", 1.0), ("mean", 0.77177), ("zero-crossing", 0.71037)])
def test_the_period_is_the_one_that_is_named(kind, ratio):
    assert BretschneiderSea(2.0, 8.0, period_kind=kind).peak_period == pytest.approx(8.0 / ratio, rel=1e-5)


# --- phases ----------------------------------------------------------------------------------------------------------


def test_phases_are_uniform_and_independent(realisations):
    """A seed set anew for every component would give all of them one phase."""
    phases = realisations(JonswapSea(2.0, 8.0), range(40))[:, PHASE]
    assert phases.shape == (40, 75)
    assert len(np.unique(phases)) == phases.size
    assert kstest(phases.ravel() / (2.0 * np.pi), "uniform").pvalue > 0.01
    pairs = np.exp(1j * (phases[:, 1:] - phases[:, :-1]))
    assert abs(pairs.mean()) < 3.0 / np.sqrt(pairs.size)


def test_seeds_are_realisations(waves):
    one, same, other = (waves(JonswapSea(2.0, 8.0, seed=seed)) for seed in (5, 5, 6))
    assert np.array_equal(one, same)
    assert not np.any(one[PHASE] == other[PHASE])
    assert not np.any(one[OMEGA] == other[OMEGA])


def test_phases_follow_from_the_seed_and_the_numbers_of_the_bands_alone(waves):
    few, many = (JonswapSea(2.0, 8.0, frequencies=n, seed=3) for n in (5, 40))
    diagram = Diagram()
    diagram.add("north_sea", few)
    assert np.array_equal(waves(few)[PHASE], waves(many)[PHASE, :15])
    assert np.array_equal(waves(few), waves(few.copy()))


# --- directions ------------------------------------------------------------------------------------------------------


def test_long_crests_all_go_to_the_direction(waves):
    found = waves(JonswapSea(2.0, 8.0, directions=1, direction="90 deg"))
    assert found[EAST] == pytest.approx(found[K])
    assert np.abs(found[NORTH]).max() < 1e-15


@pytest.mark.parametrize("count", [2, 3, 8, 9])
@pytest.mark.parametrize("bands", ["equal-area", "equal-step"])
def test_directions_lie_symmetrically_about_the_mean(waves, count, bands):
    """A grid that is off by a band would not."""
    sea = JonswapSea(2.0, 8.0, directions=count, direction=0.4, bands=bands, placement="middle")
    found = waves(sea)
    off = angles(found)[:count] - 0.4
    assert off == pytest.approx(-off[::-1], abs=1e-12)
    assert np.all(np.diff(off) > 0.0)
    mean = (energies(found) * found[[NORTH, EAST]] / found[K]).sum(axis=1)
    assert np.arctan2(mean[1], mean[0]) == pytest.approx(0.4, abs=1e-12)


@pytest.mark.parametrize(("exponent", "variance"), [(1.0, np.pi**2 / 12.0 - 0.5), (0.0, np.pi**2 / 12.0)])
@pytest.mark.parametrize("bands", ["equal-area", "equal-step"])
def test_the_spread_is_that_of_the_function(waves, exponent, variance, bands):
    """Second moments of (2/pi) cos^2 and of 1/pi over the half circle."""
    sea = JonswapSea(2.0, 8.0, frequencies=1, directions=300, spreading=exponent, bands=bands, placement="middle")
    found = waves(sea)
    assert (energies(found) * angles(found) ** 2).sum() / 0.25 == pytest.approx(variance, rel=1e-3)


def test_drawn_directions_stay_in_their_bands(realisations):
    found = realisations(JonswapSea(2.0, 8.0, frequencies=20, directions=4), range(50))
    off = np.arctan2(found[:, EAST], found[:, NORTH]).reshape(-1, 4)
    below = 0.5 + (off + np.sin(off) * np.cos(off)) / np.pi  # the integral of (2/pi) cos^2
    band = np.floor(4.0 * below)
    assert np.array_equal(band, np.broadcast_to(np.arange(4.0), band.shape))
    assert abs(off.mean()) < 4.0 * off.std() / np.sqrt(off.size)


@pytest.mark.parametrize("exponent", [2.5, 40.0, 1000.0])
def test_a_greater_exponent_is_a_narrower_sea(waves, exponent):
    """cos^2s has the variance 1/(2s) where it is narrow."""
    tables = JonswapSea(2.0, 8.0, spreading=exponent).tables()
    expected = np.cos(tables.directions) ** (2.0 * exponent)
    assert tables.spreading / tables.spreading.max() == pytest.approx(expected, abs=1e-12)
    assert np.trapezoid(tables.spreading, tables.directions) == pytest.approx(1.0, rel=1e-12)
    if exponent > 10.0:
        variance = np.trapezoid(tables.spreading * tables.directions**2, tables.directions)
        assert variance == pytest.approx(0.5 / exponent, rel=0.02)


# --- repetition ------------------------------------------------------------------------------------------------------


def correlation(waves, lags):
    """Of the envelope with itself, some time later: 1 if it begins anew."""
    share = energies(waves) / energies(waves).sum()
    return np.abs(np.exp(1j * np.outer(lags, waves[OMEGA])) @ share)


def test_bands_of_equal_step_repeat_when_they_say(waves):
    sea = JonswapSea(2.0, 8.0, bands="equal-step", placement="middle", directions=1)
    period = 25.0 / ((5.946 - 0.652) / 8.0)
    assert sea.repetition_period == pytest.approx(period, rel=1e-12)
    assert correlation(waves(sea), [period, 7.0 * period]) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("bands", ["equal-area", "equal-step"])
def test_drawn_frequencies_do_not_repeat(waves, bands):
    """Within an hour."""
    sea = JonswapSea(2.0, 8.0, bands=bands)
    assert sea.repetition_period == 1e300
    found = waves(sea)
    assert len(np.unique(found[OMEGA])) == 75
    assert correlation(found, np.arange(60.0, 3600.0, 0.5)).max() < 0.75


def test_a_single_wave_repeats_after_its_period(waves):
    sea = JonswapSea(2.0, 8.0, frequencies=1, directions=1)
    assert sea.repetition_period == pytest.approx(2.0 * np.pi / waves(sea)[OMEGA, 0])


# --- dispersion ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("depth", [1e-3, 0.3, 2.0, 10.0, 60.0, 1000.0])
def test_wave_numbers_fulfil_the_dispersion(waves, depth):
    for period in (0.3, 1.0, 4.0, 9.0, 25.0, 600.0):
        ((omega, k, bottom),) = waves(RegularWave(0.1, period, depth=depth))[[OMEGA, K, BOTTOM]].T
        assert omega == pytest.approx(2.0 * np.pi / period, rel=1e-15)
        assert omega**2 == pytest.approx(G * k * np.tanh(k * depth), rel=1e-14)
        assert bottom == pytest.approx(np.exp(-2.0 * k * depth), rel=1e-12, abs=1e-17)


def test_deep_and_shallow_limits(waves):
    deep = waves(RegularWave(0.1, 5.0))[:, 0]
    assert deep[K] == pytest.approx((2.0 * np.pi / 5.0) ** 2 / G, rel=1e-15)
    assert deep[BOTTOM] == 0.0
    shallow = waves(RegularWave(0.1, 600.0, depth=2.0))[:, 0]
    assert shallow[OMEGA] / shallow[K] == pytest.approx(np.sqrt(G * 2.0), rel=1e-4)


def test_a_sea_obeys_it_too(waves):
    found = waves(JonswapSea(2.0, 8.0, depth=7.0))
    assert found[OMEGA] ** 2 == pytest.approx(G * found[K] * np.tanh(found[K] * 7.0), rel=1e-14)
    assert np.hypot(found[NORTH], found[EAST]) == pytest.approx(found[K], rel=1e-14)


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: JonswapSea(-1.0, 8.0), r"JonswapSea\.significant_height must be ≥ 0 m, not -1"),
        (lambda: JonswapSea(1.0, 0.0), r"JonswapSea\.peak_period must be > 0 s, not 0"),
        (lambda: JonswapSea(1.0, 8.0, 0.5), r"JonswapSea\.peakedness must be ≥ 1 and ≤ 100, not 0.5"),
        (lambda: JonswapSea(1.0, 8.0, frequencies=0), r"JonswapSea\.frequencies must be ≥ 1 and ≤ 10000, not 0"),
        (lambda: JonswapSea(1.0, 8.0, directions=0), r"JonswapSea\.directions must be ≥ 1 and ≤ 1000, not 0"),
        (
            lambda: TabulatedSea([0.1, 0.2], [1.0, 1.0], frequencies=10_000, directions=200),
            r"TabulatedSea\.frequencies times directions must be ≤ 1000000, not 10000 · 200 = 2000000",
        ),
        (lambda: JonswapSea(1.0, 8.0, frequencies=2.5), r"JonswapSea\.frequencies must be a whole number, not 2.5"),
        (lambda: JonswapSea(1.0, 8.0, seed=-1), r"JonswapSea\.seed must be ≥ 0 and ≤ 4294967295, not -1"),
        (lambda: JonswapSea(1.0, 8.0, lower_limit=1.5), r"JonswapSea\.lower_limit must be ≥ 0.05 and < 1, not 1.5"),
        (
            lambda: JonswapSea(1.0, 8.0, bands="equal-energy"),
            r"bands must be one of .* did you mean 'equal-step' or 'equal-area'",
        ),
        (lambda: JonswapSea(1.0, 8.0, spreading=-1.0), r"JonswapSea\.spreading must be ≥ 0 and ≤ 1000, not -1"),
        (lambda: JonswapSea(1.0, 8.0, depth=0.0), r"JonswapSea\.depth must be > 0 m, not 0"),
        (lambda: PiersonMoskowitzSea(0.0), r"PiersonMoskowitzSea\.wind_speed must be > 0 m/s, not 0"),
        (lambda: BretschneiderSea(1.0, "0.2 Hz"), r"BretschneiderSea\.period: '0.2 Hz' is in Hz, but s is wanted"),
        (lambda: RegularWave(-0.1, 5.0), r"RegularWave\.amplitude must be ≥ 0 m, not -0.1"),
        (
            lambda: TabulatedSea([0.1, 0.3, 0.2], [0.0, 1.0, 0.0]),
            r"TabulatedSea\.table_frequencies must increase from element to element, but \[1\] is 0.3 and \[2\] is 0.2",
        ),
        (lambda: TabulatedSea([0.1], [1.0]), r"table_frequencies must be an array of at least 2 elements, not 1"),
        (lambda: TabulatedSea([0.1, 0.2], [1.0, -1.0]), r"TabulatedSea\.densities\[1\] must be ≥ 0 m\^2/Hz, not -1"),
        (lambda: TabulatedSea([0.1, 0.2], [0.0, 0.0]), r"TabulatedSea\.densities must not all be 0"),
        (lambda: TabulatedSea([0.1, 0.2, 0.3], [0.0, 1.0]), r"table_frequencies has 3 entries, densities has 2"),
    ],
)
def test_what_cannot_be_is_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_no_height_is_no_waves(waves):
    for sea in (JonswapSea(0.0, 8.0), TorsethaugenSea(0.0, 8.0), BretschneiderSea(0.0, 8.0)):
        found = waves(sea)
        assert np.all(found[A] == 0.0)
        assert np.all(np.isfinite(found))
        assert np.all(found[OMEGA] > 0.0)


def test_a_sea_that_would_break_is_told() -> None:
    """S_p = 2π H_s/(g T_p²): 0.24 of 6 m and 4 s; and what the Norwegian shelf has not."""
    (found,) = JonswapSea(6.0, 4.0).improbable()
    assert "steepness 2π H_s/(g T_p²) of 0.24, and waves break before that" in found.message
    assert not list(JonswapSea(4.0, 6.5).improbable())
    assert [one.parameter for one in TorsethaugenSea(14.0, 25.0).improbable()] == ["significant_height", "peak_period"]
