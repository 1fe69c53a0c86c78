"""The densities of the seas against their published formulas, and tables of one's own."""

from itertools import pairwise

import numpy as np
import pytest
from scipy.integrate import quad

from blocks.environment import BretschneiderSea, JonswapSea, PiersonMoskowitzSea, TabulatedSea, TorsethaugenSea

G = 9.81
CUT = np.exp(-1.25 / 5.946**4) - np.exp(-1.25 / 0.652**4)  # what is left of Pierson and Moskowitz's between the limits


def bretschneider(f, height, period):
    """DNV-RP-C205 (2010), 3.5.5.1, over f."""
    x = f * period
    return 5.0 / 16.0 * height**2 * period * x**-5 * np.exp(-1.25 * x**-4)


def jonswap(f, height, period, gamma):
    """DNV-RP-C205 (2010), 3.5.5.2 with its normalising factor, which is good to a per cent or so."""
    x = f * period
    width = np.where(x <= 1.0, 0.07, 0.09)
    peak = gamma ** np.exp(-0.5 * ((x - 1.0) / width) ** 2)
    return (1.0 - 0.287 * np.log(gamma)) * bretschneider(f, height, period) * peak


def torsethaugen(f, height, period):
    """DNV-RP-C205 (2010), 3.5.5.6 and appendix A: the simplified form."""
    full = 6.6 * height ** (1 / 3)
    if period <= full:
        e = (full - period) / (full - 2.0 * np.sqrt(height))
        r = 0.7 + 0.3 * np.exp(-((2.0 * e) ** 2))
        gamma = 35.0 * (2.0 * np.pi / G * r * height / period**2) ** 0.857
        second = full + 2.0
    else:
        e = (period - full) / (25.0 - full)
        r = 0.6 + 0.4 * np.exp(-((e / 0.3) ** 2))
        gamma = 35.0 * (2.0 * np.pi / G * height / full**2) ** 0.857 * (1.0 + 6.0 * e)
        second = 6.6 * (np.sqrt(1.0 - r**2) * height) ** (1 / 3)

    def system(share, tp, gamma):
        x = f * tp
        factor = (1.0 + 1.1 * np.log(gamma) ** 1.19) / gamma
        peak = gamma ** np.exp(-0.5 * ((x - 1.0) / np.where(x < 1.0, 0.07, 0.09)) ** 2)
        return share * height**2 * tp / 16.0 * 3.26 * factor * x**-4 * np.exp(-(x**-4)) * peak

    return system(r**2, period, gamma) + system(1.0 - r**2, second, 1.0)


def test_pierson_moskowitz():
    """In the terms of the wind, without any height in between."""
    speed = 9.0
    tables = PiersonMoskowitzSea(speed).tables()
    f = tables.frequencies
    expected = 8.1e-3 * G**2 / (2.0 * np.pi) ** 4 * f**-5 * np.exp(-0.74 * (G / (2.0 * np.pi * speed * f)) ** 4)
    # What lies beyond the limits is given to the rest; 512 straight pieces.
    assert tables.densities * CUT == pytest.approx(expected, rel=1e-4)
    assert f[np.argmax(tables.densities)] == pytest.approx(0.877 * G / (2.0 * np.pi * speed), rel=5e-3)


def test_bretschneider():
    tables = BretschneiderSea(2.0, 8.0).tables()
    expected = bretschneider(tables.frequencies, 2.0, 8.0)
    assert tables.densities * CUT == pytest.approx(expected, rel=1e-4)


def test_jonswap_without_a_higher_peak_is_bretschneider(waves):
    assert np.array_equal(waves(JonswapSea(2.0, 8.0, 1.0)), waves(BretschneiderSea(2.0, 8.0)))


@pytest.mark.parametrize("gamma", [1.5, 3.3, 5.0])
def test_jonswap(gamma):
    tables = JonswapSea(2.0, 8.0, gamma, lower_limit=0.4, upper_limit=30.0).tables()
    expected = jonswap(tables.frequencies, 2.0, 8.0, gamma)
    ratio = tables.densities[expected > 1e-9] / expected[expected > 1e-9]
    assert np.ptp(ratio) < 1e-9 * ratio.mean()
    assert ratio.mean() == pytest.approx(1.0, abs=0.015)


@pytest.mark.parametrize(("height", "period"), [(3.0, 6.0), (2.0, 4.5), (2.0, 12.0), (4.0, 16.0), (6.0, 11.0)])
def test_torsethaugen(height, period):
    """Of the published form up to one factor: its normalisation in gamma is up to 3 % too great, by quadrature."""
    tables = TorsethaugenSea(height, period, lower_limit=0.4, upper_limit=20.0).tables()
    expected = torsethaugen(tables.frequencies, height, period)
    ratio = tables.densities[expected > 1e-9] / expected[expected > 1e-9]
    assert np.ptp(ratio) < 1e-9 * ratio.mean()
    assert 0.97 < ratio.mean() < 1.005


def test_torsethaugen_keeps_both_peaks():
    """A short wind sea on a long swell: the limits are those of either peak."""
    wind = TorsethaugenSea(2.0, 4.5).tables()
    swell_peak = 1.0 / (6.6 * 2.0 ** (1 / 3) + 2.0)
    assert wind.frequencies[0] == pytest.approx(0.652 * swell_peak, rel=1e-12)
    assert wind.frequencies[-1] == pytest.approx(5.946 / 4.5, rel=1e-12)
    inner = wind.densities[1:-1]
    peaks = wind.frequencies[1:-1][(inner > wind.densities[:-2]) & (inner > wind.densities[2:])]
    assert peaks == pytest.approx([swell_peak, 1.0 / 4.5], rel=0.02)


def test_a_swell_at_the_limit_of_wind_sea_has_one_peak():
    """Where the secondary system is next to nothing its period is too, and has no say in the limits."""
    period = 6.6 * 2.0 ** (1 / 3) * 1.0001
    assert TorsethaugenSea(2.0, period).tables().frequencies[-1] == pytest.approx(5.946 / period, rel=1e-9)


@pytest.mark.parametrize("bands", ["equal-area", "equal-step"])
def test_a_table_of_a_formula_gives_the_sea_of_the_formula(waves, bands):
    chosen = {"frequencies": 15, "directions": 3, "bands": bands, "seed": 4}
    formula = JonswapSea(2.0, 8.0, **chosen)
    f = np.geomspace(0.652 / 8.0, 5.946 / 8.0, 800)
    f[-1] = 5.946 / 8.0
    table = TabulatedSea(f, jonswap(f, 2.0, 8.0, 3.3), **chosen)
    assert table.peak_period == pytest.approx(8.0, rel=5e-3)
    one, other = waves(formula), waves(table)
    assert other[0] == pytest.approx(one[0], rel=2e-3)
    assert other[4] / table.significant_height == pytest.approx(one[4] / 2.0, rel=2e-3)
    assert np.array_equal(other[5], one[5])


def test_a_table_is_straight_between_its_points(waves):
    """A triangle and nothing on both sides: energies of bands and the median by hand."""
    sea = TabulatedSea(
        [0.05, 0.1, 0.2, 0.3, 0.35], [0.0, 0.0, 4.0, 0.0, 0.0],
        frequencies=6, directions=1, bands="equal-step", placement="middle",
    )  # fmt: skip
    found = waves(sea)
    energy = 0.5 * found[4] ** 2
    assert energy == pytest.approx([0.0, 0.05, 0.15, 0.15, 0.05, 0.0], abs=1e-12)
    assert found[0] == pytest.approx(2.0 * np.pi * np.arange(0.075, 0.35, 0.05), rel=1e-12)
    sea.set(frequencies=1, bands="equal-area")
    (middle,) = waves(sea)[0]
    assert middle == pytest.approx(2.0 * np.pi * 0.2, rel=1e-12)
    assert sea.significant_height == pytest.approx(4.0 * np.sqrt(0.4))
    assert sea.peak_period == pytest.approx(5.0)


@pytest.mark.parametrize(("first", "period"), [(0.1, 10.0), (0.0, 10.0)])
def test_the_peak_of_a_table_may_be_its_first_point(first, period):
    """Where that is at 0 Hz, the peak period is that of halfway to the next point."""
    assert TabulatedSea([first, 0.2, 0.3], [3.0, 2.0, 0.0]).peak_period == pytest.approx(period)


@pytest.mark.parametrize("gamma", [1.0, 3.3, 20.0])
def test_half_a_thousand_points_are_enough(gamma):
    """Energies of bands by straight pieces against adaptive quadrature."""
    sea = JonswapSea(2.0, 8.0, gamma, frequencies=12, directions=1, bands="equal-step", placement="middle")
    energy = 0.5 * sea.evaluate().outputs["waves"][4] ** 2
    edges = np.linspace(0.652, 5.946, 13) / 8.0
    exact = [
        quad(lambda f: float(jonswap(np.array(f), 2.0, 8.0, gamma)), a, b, points=[0.125] if a < 0.125 < b else None)[0]
        for a, b in pairwise(edges)
    ]
    assert energy / energy.sum() == pytest.approx(np.array(exact) / np.sum(exact), abs=2e-4)
