"""Peaks by DNV's rule, Torsethaugen's spectrum in full, crossing seas, and a sea that grows and veers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.special import gamma as gamma_function

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.block import Block
from blocks.environment import CrossingSeas, EvolvingSea, JonswapSea, RegularWave, SeaSurface, TorsethaugenSea
from blocks.errors import ParameterError, WiringError
from blocks.plan import make_plan

Array = NDArray[np.float64]
G = 9.81


# --- JONSWAP's peak by DNV's rule ------------------------------------------------------------------------------------


@pytest.mark.parametrize(("period", "gamma"), [(4.0, 5.0), (7.2, 5.0), (8.4, np.exp(0.92)), (10.0, 1.0), (14.0, 1.0)])
def test_the_peak_follows_from_the_steepness(waves: Callable[[Block], Array], period: float, gamma: float) -> None:
    """DNV-RP-C205, 3.5.5.5, for H_s = 4 m: 5 up to T_p = 7.2 s, 1 from 10 s on; at 8.4 s exp(5.75 - 1.15 · 4.2)."""
    sea = JonswapSea(4.0, period, peak_enhancement="dnv")
    assert sea.gamma == pytest.approx(gamma, rel=1e-12)
    assert waves(sea) == pytest.approx(waves(JonswapSea(4.0, period, gamma)), rel=1e-12)


def test_a_given_peak_is_what_was_given() -> None:
    assert JonswapSea(4.0, 8.0, 2.5).gamma == 2.5
    assert JonswapSea(0.0, 8.0, peak_enhancement="dnv").gamma == 1.0


# --- Torsethaugen in full --------------------------------------------------------------------------------------------


def torsethaugen_1996(f: Array, height: float, period: float) -> Array:
    """Torsethaugen (1996) as in WAFO's torsethaugen.m with its parametric normalisation."""
    full, n = 6.6 * height ** (1 / 3), 0.5 * np.sqrt(height) + 3.2
    steep = 35.0 * (1.0 + 3.5 * np.exp(-height))
    m = second_m = 4.0

    def g0(m: float) -> float:
        return float(m * (n / m) ** ((n - 1.0) / m) / gamma_function((n - 1.0) / m))

    if period <= full:
        e = (full - period) / (full - 2.0 * np.sqrt(height))
        r = 0.3 * np.exp(-((e / 0.5) ** 2)) + 0.7
        gamma = steep * (2.0 * np.pi / G * r * height / period**2) ** 0.857
        second = full + 2.0
    else:
        e = (period - full) / (25.0 - full)
        r = 0.4 * np.exp(-((e / 0.3) ** 2)) + 0.6
        gamma = steep * (2.0 * np.pi / G * height / full**2) ** 0.857 * (1.0 + 6.0 * e)
        second_m = 4.0 * (1.0 - 0.7 * np.exp(-height / 3.0))
        h2 = np.sqrt(1.0 - r**2) * height
        s = 0.08 * (1.0 - np.exp(-height / 3.0))
        second = (16.0 * s * 0.4**n / (g0(second_m) * h2**2)) ** (-1.0 / (n - 1.0))

    def system(energy: float, tp: float, m: float, gamma: float) -> Array:
        x = f * tp
        f1 = 4.1 * (n - 2.0 * m**0.28 + 5.3) ** (-1.45 * m**0.1 + 0.96)
        f2 = (2.2 * m**-3.3 + 0.57) * n ** (-0.58 * m**0.37 + 0.53) - 1.04 * m**-1.9 + 0.94
        factor = (1.0 + f1 * np.log(gamma) ** f2) / gamma
        peak = gamma ** np.exp(-0.5 * ((x - 1.0) / np.where(x <= 1.0, 0.07, 0.09)) ** 2)
        found: Array = energy * tp * g0(m) * factor * x**-n * np.exp(-n / m * x**-m) * peak
        return found

    total = height**2 / 16.0
    return system(total * r**2, period, m, gamma) + system(total * (1.0 - r**2), second, second_m, 1.0)


@pytest.mark.parametrize(("height", "period"), [(3.0, 6.0), (2.0, 4.5), (2.0, 12.0), (4.0, 16.0), (6.0, 11.0)])
def test_torsethaugen_in_full(height: float, period: float) -> None:
    """Of the published form up to one factor: its normalisation in γ is good to some per cent."""
    sea = TorsethaugenSea(height, period, form="full", lower_limit=0.4, upper_limit=20.0)
    tables = sea.tables()
    expected = torsethaugen_1996(tables.frequencies, height, period)
    ratio = tables.densities[expected > 1e-9] / expected[expected > 1e-9]
    assert np.ptp(ratio) < 1e-9 * ratio.mean()
    assert 0.93 < ratio.mean() < 1.03


def test_the_full_form_differs_where_it_is_said_to() -> None:
    """Young steep seas have higher peaks, by 1 + 3.5 exp(-H_s); high seas have steeper tails, N > 4."""
    young, young_full = (TorsethaugenSea(1.0, 4.0, form=form).tables() for form in ("simplified", "full"))
    assert young_full.densities.max() > 1.2 * young.densities.max()
    high, high_full = (TorsethaugenSea(9.0, 13.0, form=form).tables() for form in ("simplified", "full"))
    assert high_full.densities[-1] < 0.8 * high.densities[-1]
    assert not np.isnan(TorsethaugenSea(0.0, 8.0, form="full").tables().densities).any()


# --- crossing seas ---------------------------------------------------------------------------------------------------

WIND_SEA = JonswapSea(1.5, 6.0, direction="200 deg", frequencies=9, directions=3, seed=1)
SWELL = JonswapSea(2.0, 13.0, 7.0, direction="80 deg", frequencies=7, directions=2, seed=2)


def crossed() -> Diagram:
    diagram = Diagram("seas")
    diagram.add("wind_sea", JonswapSea(**WIND_SEA.values))
    diagram.add("swell", JonswapSea(**SWELL.values))
    diagram.add("both", CrossingSeas())
    diagram.connect("wind_sea.waves", "both.first")
    diagram.connect("swell.waves", "both.second")
    return diagram


def test_energies_of_crossing_seas_add(waves: Callable[[Block], Array]) -> None:
    diagram = crossed()
    plan = make_plan(diagram)
    engine: Any = plan.engine()
    engine.initialise(0.0)
    engine.look(0.0)
    place = plan.outputs["both.waves"]
    both = engine.values[place.slice].reshape(place.shape)
    assert np.array_equal(both, np.hstack([waves(WIND_SEA), waves(SWELL)]))
    assert 4.0 * np.sqrt(0.5 * np.sum(both[4] ** 2)) == pytest.approx(np.hypot(1.5, 2.0), rel=1e-12)


def test_elevations_of_crossing_seas_add_and_three_seas_are_two_twice() -> None:
    diagram = crossed()
    diagram.add("third", RegularWave(0.3, 5.0))
    diagram.add("all", CrossingSeas())
    diagram.connect("both.waves", "all.first")
    diagram.connect("third.waves", "all.second")
    for name, source in (("a", "wind_sea"), ("b", "swell"), ("c", "third"), ("sum", "all")):
        diagram.add(name, SeaSurface())
        diagram.connect(f"{source}.waves", f"{name}.waves")
    run = simulate(diagram, 20.0, step=0.5)
    parts = sum(run.values(f"{name}.elevation") for name in "abc")
    assert run.values("sum.elevation") == pytest.approx(parts, abs=1e-12)


def test_crossing_seas_want_two_seas() -> None:
    diagram = Diagram()
    diagram.add("sea", JonswapSea(1.0, 6.0))
    diagram.add("both", CrossingSeas())
    diagram.connect("sea.waves", "both.first")
    with pytest.raises(WiringError, match=r"both\.second .* is not connected"):
        simulate(diagram, 1.0, step=0.5)


# --- a sea that grows and veers --------------------------------------------------------------------------------------

STORM: dict[str, Any] = {
    "times": ["0 h", "3 h", "6 h"],
    "significant_height": [1.0, 4.0, 3.0],
    "peak_period": [5.0, 9.0, 10.0],
    "direction": ["40 deg", "60 deg", "150 deg"],
}


def at(block: Block, t: float) -> Array:
    found: Array = block.evaluate(t).outputs["waves"]
    return found


def test_the_height_is_that_of_the_schedule_at_every_instant() -> None:
    sea = EvolvingSea(**STORM)
    for hours, height in ((-1.0, 1.0), (0.0, 1.0), (1.0, 2.0), (3.0, 4.0), (4.5, 3.5), (6.0, 3.0), (9.0, 3.0)):
        assert 4.0 * np.sqrt(0.5 * np.sum(at(sea, 3600.0 * hours)[4] ** 2)) == pytest.approx(height, rel=1e-12)


def test_components_stay_and_energy_moves() -> None:
    early, late = (at(EvolvingSea(**STORM, directions=36), t) for t in (0.0, 20_000.0))
    assert np.array_equal(np.delete(early, 4, axis=0), np.delete(late, 4, axis=0))
    for waves, direction in ((early, 40.0), (late, 60.0 + 90.0 * (20_000.0 / 3600.0 - 3.0) / 3.0)):
        energy = waves[4] ** 2
        mean = np.angle(np.sum(energy * (waves[1] + 1j * waves[2]) / waves[3]))
        assert np.degrees(mean) == pytest.approx(direction, abs=6.0)


@pytest.mark.parametrize("hours", [0.0, 1.0, 3.0, 5.0])
def test_its_spectrum_is_jonswaps_of_the_moment(realisations: Callable[[Block, Any], Array], hours: float) -> None:
    """Mean and zero-crossing period against the sea by itself with many bands: within 2 %, the width of a band."""
    t = 3600.0 * hours
    height, period = (
        np.interp(hours, [0.0, 3.0, 6.0], values) for values in (STORM["significant_height"], STORM["peak_period"])
    )
    sea = EvolvingSea(**STORM, frequencies=60, directions=5, seed=3)
    waves = at(sea, t)
    energy = waves[4] ** 2 / np.sum(waves[4] ** 2)
    exact = JonswapSea(height, period, frequencies=400, directions=1, bands="equal-area")
    assert 2.0 * np.pi / np.sum(energy * waves[0]) == pytest.approx(exact.mean_period, rel=0.02)
    assert 2.0 * np.pi / np.sqrt(np.sum(energy * waves[0] ** 2)) == pytest.approx(exact.zero_crossing_period, rel=0.03)
    assert 2.0 * np.pi / waves[0, np.argmax(energy.reshape(60, 5).sum(axis=1)) * 5] == pytest.approx(period, rel=0.07)


def test_dnv_sharpens_the_peak_while_the_sea_is_steep() -> None:
    broad, sharp = (at(EvolvingSea(**STORM, directions=4, peak_enhancement=p, peakedness=1.0), 8000.0)
                    for p in ("given", "dnv"))  # fmt: skip
    assert np.max(sharp[4]) > 1.15 * np.max(broad[4])


def test_over_seeds_the_elevation_has_the_deviation_of_the_moment() -> None:
    """400 realisations at three times, far from the origin: the standard deviation is within 4 %, its own is 3.5 %."""
    sea = EvolvingSea(**STORM)
    plan = make_plan(sea)
    engine: Any = plan.engine()
    engine.initialise(0.0)
    seed, (place,) = plan.parameters[f"{plan.flat.leaves[0].name}.seed"].first, plan.outputs.values()
    x, y = 5000.0, -9000.0
    times = np.array([3600.0, 10_000.0, 18_000.0])
    found = []
    for number in range(400):
        engine.values[seed] = number
        engine.parameters_changed()
        engine.refresh()
        for t in times:
            engine.look(t)
            w = engine.values[place.slice].reshape(place.shape)
            found.append(np.sum(w[4] * np.cos(w[1] * x + w[2] * y - w[0] * t + w[5])))
    deviation = np.array(found).reshape(400, 3).std(axis=0)
    heights = np.interp(times / 3600.0, [0.0, 3.0, 6.0], STORM["significant_height"])
    assert 4.0 * deviation == pytest.approx(heights, rel=0.1)


def test_the_surface_is_smooth_far_away_while_the_sea_veers() -> None:
    """With directions that turned, k·x would run off there: 10 km off, by a wave in some seconds."""
    diagram = Diagram()
    diagram.add("sea", EvolvingSea(**(STORM | {"times": [0.0, 60.0, 120.0]})))
    diagram.add("surface", SeaSurface())
    diagram.add("buoy", Constant([8000.0, 6000.0, 0.0]))
    diagram.connect("sea.waves", "surface.waves")
    diagram.connect("buoy.y", "surface.position")
    run = simulate(diagram, 120.0, step=0.1)
    elevation, down = run.values("surface.elevation"), run.values("surface.velocity")[:, 2]
    rate = np.gradient(elevation, 0.1)
    assert np.abs(rate + down)[5:-5].max() < 0.1 * np.abs(rate).max()  # ζ̇ = -v_down but for the growth of amplitudes


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"times": [0.0, 5.0, 5.0]}, r"times must increase .* \[1\] is 5 and \[2\] is 5"),
        ({"peak_period": [5.0, 0.0, 9.0]}, r"peak_period\[1\] must be > 0 s, not 0"),
        ({"significant_height": [1.0, 2.0]}, r"must have the same number"),
        ({"directions": 1}, r"directions must be 2 or more where the direction changes, here from 40 to 150 deg"),
        ({"times": 0.0}, r"times must be an array of at least 2 elements, not a single number"),
    ],
)
def test_schedules_that_are_none_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        EvolvingSea(**(STORM | changes))


def test_long_crests_may_grow_in_one_direction() -> None:
    sea = EvolvingSea(**(STORM | {"direction": "70 deg", "directions": 1}))
    waves = at(sea, 5000.0)
    assert np.degrees(np.arctan2(waves[2], waves[1])) == pytest.approx(70.0)


def test_the_long_way_round_is_improbable() -> None:
    (problem,) = EvolvingSea(**(STORM | {"direction": ["350 deg", "10 deg", "20 deg"]})).improbable()
    assert "direction goes from 350 to 10 deg, more than half a turn; the short way is to 370 deg" in str(problem.text)
