"""WaveForceRAO: tables against the load that they were made from, what symmetry says, and the statistics of drift."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

import fmu
from blocks import Diagram, simulate
from blocks.basic import Constant, Ramp
from blocks.environment import JonswapSea, RegularWave, UniformCurrent, WaveForceRAO, WaveLoad
from blocks.errors import ParameterError
from blocks.plan import make_plan

Array = NDArray[np.float64]

G, RHO = 9.81, 1025.0
LOAD = WaveLoad(length=2.4, breadth=0.9, areas=[0.15, 0.5, 1.8], yaw_moment="corners")
FREQUENCIES = np.linspace(0.5, 6.0, 12)
HALF, TURN = np.linspace(0.0, np.pi, 9), np.linspace(-np.pi, np.pi, 16, endpoint=False) + 0.2
MIRROR = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])


@pytest.fixture(scope="module")
def half() -> WaveForceRAO:
    return WaveForceRAO.from_load(LOAD, FREQUENCIES, HALF)


@pytest.fixture(scope="module")
def uneven() -> WaveForceRAO:
    """A table all around of a hull that has no symmetry, with drift of both signs."""
    random = np.random.default_rng(8)
    shape = (6, 4, 7)
    return WaveForceRAO(
        frequencies=[0.4, 0.9, 1.0, 2.2],
        headings=[-2.9, -2.1, -1.0, 0.2, 0.9, 1.9, 2.6],
        amplitude=random.uniform(0.0, 5.0, shape),
        phase=random.uniform(-9.0, 9.0, shape),
        mean_drift=random.normal(0.0, 3.0, (3, 4, 7)),
    )


def waves_of(*rows: tuple[float, float, float, float]) -> Array:
    """Components in deep water: ω, direction, amplitude, phase."""
    omega, mu, a, eps = np.array(rows, dtype=float).T
    k = omega**2 / G
    return np.array([omega, k * np.cos(mu), k * np.sin(mu), k, a, eps, 0.0 * k])


def answer(block: Any, waves: ArrayLike, eta: ArrayLike = (0, 0, 0, 0, 0, 0), t: float = 0.0) -> Array:
    found: Array = block.evaluate(t, waves=waves, eta=eta).outputs["disturbance"]
    return found


def drift(block: Any, waves: ArrayLike, eta: ArrayLike = (0, 0, 0, 0, 0, 0), t: float = 0.0) -> Array:
    found: Array = block.evaluate(t, waves=waves, eta=eta).outputs["drift"]
    return found


# --- first order -----------------------------------------------------------------------------------------------------


def test_at_the_nodes_it_is_the_load_that_the_table_was_made_from(half: WaveForceRAO) -> None:
    """At any place, heading and time, from either side."""
    random = np.random.default_rng(2)
    for _ in range(40):
        psi, side = random.uniform(-np.pi, np.pi), random.choice([-1.0, 1.0])
        mu = psi + side * random.choice(HALF)
        waves = waves_of((random.choice(FREQUENCIES), mu, 0.3, random.uniform(0.0, 6.0)))
        eta, t = [*random.uniform(-40, 40, 2), 0, 0, 0, psi], random.uniform(0, 60)
        expected = answer(LOAD, waves, eta, t)
        assert answer(half, waves, eta, t) == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())


def test_a_sea_gives_what_the_load_gives_as_nodes_grow_dense() -> None:
    """Linear interpolation: half the distance, a quarter of the error."""
    sea = JonswapSea(0.5, 4.0, frequencies=9, directions=3, direction=2.0, spreading=3.0, upper_limit=3.5).evaluate()
    waves, eta = sea.outputs["waves"], [5.0, 3.0, 0.0, 0.0, 0.0, 0.6]
    expected = np.array([answer(LOAD, waves, eta, t) for t in (1.0, 2.3, 7.7)])
    errors = []
    for count in (9, 17, 33):
        table = WaveForceRAO.from_load(LOAD, np.linspace(0.9, 6.0, count), np.linspace(0.0, np.pi, count))
        got = np.array([answer(table, waves, eta, t) for t in (1.0, 2.3, 7.7)])
        errors.append(np.abs(got - expected).max(axis=0) / np.abs(expected).max(axis=0))
    assert errors[0][2] < 1e-12  # heave of this load is the same for all waves
    others = np.array(errors)[:, [0, 1, 3, 4, 5]]
    assert np.all(others[2] < 0.01)
    assert np.all(others[2] < 0.2 * others[0])


def test_between_the_nodes_real_and_imaginary_parts_are_straight(uneven: WaveForceRAO) -> None:
    """And across the end of the turn, where the heading jumps."""
    response = uneven.amplitude * np.exp(1j * uneven.phase)
    gap = 2.0 * np.pi + uneven.headings[0] - uneven.headings[-1]
    for part in (0.0, 0.3, 1.0):
        along = (1.0 - part) * response[:, :, -1] + part * response[:, :, 0]
        h = 0.25 * along[:, 2] + 0.75 * along[:, 3]
        waves = waves_of((1.9, uneven.headings[-1] + part * gap + 0.5, 2.0, 0.8))
        first_order = answer(uneven, waves, [0, 0, 0, 0, 0, 0.5]) - drift(uneven, waves, [0, 0, 0, 0, 0, 0.5])
        assert first_order == pytest.approx(2.0 * np.abs(h) * np.cos(0.8 + np.angle(h)), rel=1e-11)


def test_loads_are_periodic_in_the_heading_and_do_not_jump(uneven: WaveForceRAO) -> None:
    waves = waves_of((0.7, 0.4, 1.0, 0.3), (1.3, -2.0, 0.5, 1.0))
    for psi in (-3.0, -0.7, 1.1, 2.9):
        here, later = (answer(uneven, waves, [0, 0, 0, 0, 0, psi + turn]) for turn in (0.0, 4.0 * np.pi))
        assert later == pytest.approx(here, rel=1e-12)
    around = np.array([answer(uneven, waves, [0, 0, 0, 0, 0, psi]) for psi in np.linspace(-4.0, 4.0, 801)])
    assert np.abs(np.diff(around, axis=0)).max() < 0.03 * np.ptp(around)


def test_a_phase_is_a_lag_behind_the_crest_at_the_origin() -> None:
    amplitude = np.zeros((6, 2, 9))
    amplitude[2] = 7.0
    table = WaveForceRAO(frequencies=[0.5, 2.0], headings=HALF, amplitude=amplitude, phase=0.5 * np.pi)
    diagram = Diagram()
    diagram.add("sea", RegularWave(0.1, 4.0, 1.0))
    diagram.add("rest", Constant(np.zeros(6)))
    diagram.add("load", table)
    diagram.connect("sea.waves", "load.waves")
    diagram.connect("rest.y", "load.eta")
    run = simulate(diagram, 3.9, step=0.1)
    heave = run.values("load.disturbance")[:, 2]
    assert run.time[np.argmax(heave)] == pytest.approx(1.0)  # a quarter of a period after the crest
    assert heave.max() == pytest.approx(0.7)


def test_symmetric_hulls_are_not_pushed_aside_in_head_and_following_sea(half: WaveForceRAO) -> None:
    for mu in (0.0, np.pi, -np.pi, 3.0 * np.pi):
        loads = answer(half, waves_of((1.7, mu, 0.4, 0.9)))
        assert loads[[1, 3, 5]] == pytest.approx([0.0] * 3, abs=1e-9)
        assert abs(loads[0]) > 1.0
    for mu in (0.4, 1.3, 2.9):
        one, other = (answer(half, waves_of((1.7, m, 0.4, 0.9))) for m in (mu, -mu))
        assert other == pytest.approx(MIRROR * one, rel=1e-12)


def test_in_very_long_waves_heave_is_the_weight_of_water_over_the_water_plane(half: WaveForceRAO) -> None:
    """Below the table it is held, and there the load is that of a slow tide."""
    for omega in (0.5, 0.05):
        loads = answer(half, waves_of((omega, 0.7, 0.2, 0.0)))
        assert loads[2] == pytest.approx(-RHO * G * 0.2 * 1.8, rel=1e-9)
        assert np.all(np.abs(loads[[0, 1, 3, 4, 5]]) < 0.05 * abs(loads[2]))


def test_beyond_the_table_short_waves_have_no_first_order_load(uneven: WaveForceRAO) -> None:
    inside, outside, far = (waves_of((omega, 0.7, 0.2, 0.4)) for omega in (2.2, 2.2001, 9.0))
    assert np.abs(answer(uneven, inside) - drift(uneven, inside)).min() > 0.0
    for waves in (outside, far):
        assert not (answer(uneven, waves) - drift(uneven, waves)).any()


def test_a_table_that_ends_where_it_began_is_the_one_that_closes_itself() -> None:
    around = np.linspace(0.0, 2.0 * np.pi, 13)
    open_, closed = (WaveForceRAO.from_load(LOAD, FREQUENCIES, headings) for headings in (around[:-1], around))
    waves = waves_of(*[(2.0, mu, 0.1, 0.3) for mu in np.linspace(-3.0, 6.0, 11)])
    expected = answer(open_, waves)
    assert answer(closed, waves) == pytest.approx(expected, rel=1e-9, abs=1e-9 * np.abs(expected).max())


# --- slow drift ------------------------------------------------------------------------------------------------------


def pushed(**changes: Any) -> WaveForceRAO:
    """A table with drift alone: away from the waves, by the cosine and sine of the heading, more in short waves."""
    strength = np.array([0.0, 1.0, 4.0, 9.0])[:, None]
    away = strength * np.array([np.cos(TURN), np.sin(TURN), 0.3 * np.sin(2.0 * TURN)])[:, None, :]
    values = {
        "frequencies": [0.5, 1.0, 1.5, 2.0], "headings": TURN, "amplitude": np.zeros((6, 4, 16)), "mean_drift": away
    } | changes  # fmt: skip
    return WaveForceRAO(**values)


def test_one_wave_drifts_steadily_with_the_coefficient(uneven: WaveForceRAO) -> None:
    for i, omega in enumerate(uneven.frequencies):
        for j, beta in enumerate(uneven.headings):
            for t in (0.0, 1.3):
                slow = drift(uneven, waves_of((omega, beta, 0.5, 0.3)), t=t)
                assert slow[[0, 1, 5]] == pytest.approx(0.25 * uneven.mean_drift[:, i, j], rel=1e-9, abs=1e-12)
                assert not slow[[2, 3, 4]].any()


def test_two_waves_drift_with_their_difference_alone() -> None:
    table = pushed()
    waves = waves_of((1.0, TURN[8], 0.3, 0.0), (1.5, TURN[8], 0.2, 0.4))
    one, two = (0.3**2 * table.mean_drift[:, 1, 8], 0.2**2 * table.mean_drift[:, 2, 8])
    for t in np.linspace(0.0, 20.0, 9):
        pair = np.sqrt(one * two) * np.sign(one)
        expected = one + two + 2.0 * pair * np.cos(0.5 * t - 0.4)
        assert drift(table, waves, t=t)[[0, 1, 5]] == pytest.approx(expected, rel=1e-12)


def test_waves_that_push_opposite_ways_do_not_beat() -> None:
    """√(D_i D_j) of opposite signs is not real: Newman's pairs are left out, and the means remain."""
    table = pushed()
    waves = waves_of((1.0, TURN[8], 0.3, 0.0), (1.5, TURN[0], 0.2, 0.4))
    means = 0.3**2 * table.mean_drift[0, 1, 8] + 0.2**2 * table.mean_drift[0, 2, 0]
    for t in (0.0, 3.0, 8.0):
        assert drift(table, waves, t=t)[0] == pytest.approx(means, rel=1e-12)


def test_in_a_sea_it_pushes_away_from_the_waves_and_on_average_by_the_sum_of_the_means() -> None:
    sea = JonswapSea(0.6, 4.5, directions=1, frequencies=9, direction=TURN[11] + 0.8, upper_limit=1.4, lower_limit=0.8)
    waves = sea.evaluate().outputs["waves"]
    table = pushed()
    plan = make_plan(table, input_shapes={"waves": waves.shape})
    engine = plan.engine()
    engine.initialise(0.0)
    engine.values[plan.inputs["waves"].slice] = waves.ravel()
    engine.values[plan.inputs["eta"].slice] = [0, 0, 0, 0, 0, 0.8]
    place = plan.outputs["wave_force_rao.drift"].slice
    record = []
    times = np.arange(0.0, 40_000.0, 0.7)
    for t in times:
        engine.look(t)
        record.append(engine.values[place].copy())
    record = np.array(record)
    roots = np.sqrt(np.abs(table.mean_drift[:, :, 11])) * np.sign(table.mean_drift[:, :, 11])
    s = np.array([np.interp(waves[0], table.frequencies, root) for root in roots])
    mean = np.sum(waves[4] ** 2 * s * np.abs(s), axis=1)
    assert record[:, [0, 1, 5]].mean(axis=0) == pytest.approx(mean, rel=0.02)
    assert np.all(record[:, [0, 1, 5]] * np.sign(mean) >= 0.0)
    # nothing at the frequencies of the waves or at twice those: all of it is slower than the width of the spectrum
    spectrum = np.abs(np.fft.rfft((record[:, 0] - record[:, 0].mean()) * np.hanning(len(times)))) ** 2
    omega = 2.0 * np.pi * np.fft.rfftfreq(len(times), 0.7)
    fast = omega > np.ptp(waves[0]) + 0.01
    assert spectrum[fast].sum() < 1e-6 * spectrum.sum()


def test_drift_is_part_of_the_disturbance_and_zero_without_coefficients(half: WaveForceRAO) -> None:
    waves = waves_of((1.0, 0.6, 0.3, 0.2), (1.4, 0.9, 0.2, 1.0))
    assert not drift(half, waves).any()
    values = half.values | {"mean_drift": 20.0 * np.sin(HALF) * np.ones((3, 12, 1))}
    slow = WaveForceRAO(**values)
    assert drift(slow, waves)[[0, 1, 5]].min() > 0.1
    assert answer(slow, waves) == pytest.approx(answer(half, waves) + drift(slow, waves), rel=1e-12)
    mirrored = waves_of((1.0, -0.6, 0.3, 0.2), (1.4, -0.9, 0.2, 1.0))
    assert drift(slow, mirrored) == pytest.approx(MIRROR * drift(slow, waves), rel=1e-12)


def test_very_short_waves_go_on_drifting_and_very_long_ones_do_not() -> None:
    table = pushed()
    assert not drift(table, waves_of((0.4999, TURN[8], 1.0, 0.0))).any()
    short = drift(table, waves_of((7.0, TURN[8], 1.0, 0.0)))
    assert short[[0, 1, 5]] == pytest.approx(table.mean_drift[:, 3, 8])


# --- swapping and sums -----------------------------------------------------------------------------------------------


def test_it_takes_the_place_of_a_wave_load(half: WaveForceRAO) -> None:
    diagram = Diagram()
    diagram.add("sea", RegularWave(0.1, 2.0 * np.pi / FREQUENCIES[4], HALF[3]))
    diagram.add("rest", Constant(np.zeros(6)))
    diagram.add("load", WaveLoad(**LOAD.values))
    diagram.connect("sea.waves", "load.waves")
    diagram.connect("rest.y", "load.eta")
    before = simulate(diagram, 5.0, step=0.1).values("load.disturbance")
    diagram.replace("load", WaveForceRAO(**half.values))
    after = simulate(diagram, 5.0, step=0.1).values("load.disturbance")
    assert after == pytest.approx(before, rel=1e-9, abs=1e-9 * np.abs(before).max())


@pytest.mark.parametrize("components", [1, 7, 8, 9, 21])
def test_any_number_of_components_is_the_sum_of_its_waves(uneven: WaveForceRAO, components: int) -> None:
    still = WaveForceRAO(**(uneven.values | {"mean_drift": 0.0}))
    random = np.random.default_rng(components)
    waves = waves_of(*random.uniform([0.2, -4.0, 0.0, 0.0], [2.4, 4.0, 1.0, 6.0], (components, 4)))
    eta, t = [3.0, 2.0, 0.1, 0.1, 0.1, 1.0], 12.3
    parts = np.array([answer(still, waves[:, [i]], eta, t) for i in range(components)]).T
    for got, part in zip(answer(still, waves, eta, t), parts, strict=True):
        assert abs(got - math.fsum(part)) <= 1e-13 * math.fsum(abs(part))


def test_an_fmu_computes_the_same_bits(uneven: WaveForceRAO, tmp_path: Path) -> None:
    """There the loops over waves are plain C; here they are compiled for the vector unit of this machine."""
    diagram = Diagram("swell")
    diagram.add("sea", JonswapSea(0.6, 6.0, frequencies=7, directions=3, seed=2))
    diagram.add("way", Ramp(slope=[1.5, 0.4, 0.001, 0.01, -0.01, 0.4]))
    diagram.add("load", WaveForceRAO(**uneven.values))
    diagram.connect("sea.waves", "load.waves")
    diagram.connect("way.y", "load.eta")
    diagram.outputs(tau="load.disturbance")
    here = simulate(diagram, 10.0, step=0.1).values("load.disturbance")
    there = simulate(fmu.FmuBlock(fmu.export(diagram, tmp_path / "swell.fmu", step=0.1)), 10.0, step=0.1)
    np.testing.assert_array_equal(there.values(next(iter(there))), here)


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"frequencies": [1.0, 0.5, 1.5, 2.0]}, r"frequencies must increase .* \[0\] is 1 and \[1\] is 0\.5"),
        ({"frequencies": [0.5, 1.0, 1.5]}, r"(frequencies|amplitude).* they must have the same number"),
        ({"amplitude": 3.0}, r"amplitude must be an array of 6×m×k, not the single number 3"),
        ({"amplitude": -np.ones((6, 4, 16))}, r"amplitude\[0, 0, 0\] must be ≥ 0, not -1"),
        (
            {"headings": np.linspace(0.0, 2.0, 16)},
            r"headings do not close: between 114\.592 and 360 deg is a gap of 245",
        ),
        ({"headings": np.linspace(0.0, 7.0, 16)}, r"headings must stay within one turn, not go from 0 to 401"),
        (
            {"headings": np.arange(0.0, 320.0, 20.0)},
            r"not go from 0 to 17188\.7 deg; plain numbers are in radians, degrees are given as '90 deg'",
        ),
        (
            {"headings": np.radians([*range(0, 150, 10), 330])},
            r"headings leave a gap of 190 deg, across which nothing can be said; gaps must be narrower than half",
        ),
        ({"mean_drift": 2.0}, r"mean_drift must be an array of 3×m×k or 0, not the single number 2"),
        (
            {"headings": np.linspace(0.0, 2.0 * np.pi, 16)},
            r"headings do not close: 0 and 360 deg are the same heading, but mean_drift \[0, 3\] differ",
        ),
        (
            {"headings": np.linspace(0.0, np.pi, 16)},
            r"mean_drift\[1\], of sway, is .* at a heading of 0 deg, where waves push a hull whose sides are alike to",
        ),
    ],
)
def test_tables_that_are_no_tables_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        pushed(**changes)


def test_what_is_no_load_of_waves_cannot_be_tabulated() -> None:
    with pytest.raises(ParameterError, match=r"UniformCurrent.* is no load of waves: it has no port 'waves'"):
        WaveForceRAO.from_load(UniformCurrent(0.3), FREQUENCIES, HALF)
    for given, shown in ((3, "3"), (WaveLoad, "<class '.*WaveLoad'>")):
        with pytest.raises(ParameterError, match=rf"from_load wants a load of waves, such as a WaveLoad, not {shown}"):
            WaveForceRAO.from_load(given, FREQUENCIES, HALF)
    with pytest.raises(ParameterError, match=r"from_load: frequencies\[0\] must be > 0 rad/s, not 0"):
        WaveForceRAO.from_load(LOAD, [0.0, 1.0], HALF)
    with pytest.raises(ParameterError, match=r"from_load: headings: '90 m' is in m, but rad is wanted"):
        WaveForceRAO.from_load(LOAD, [0.5, 1.0], ["0 deg", "90 m", "180 deg"])
    with pytest.raises(ParameterError, match=r"amplitude\[5\], of yaw, is .* at a heading of 0 deg"):
        WaveForceRAO.from_load(WaveLoad.from_vehicle("smarty"), [0.5, 1.0], HALF[::4])  # its published yaw moment


def test_units_in_text_are_read_when_a_load_is_tabulated() -> None:
    table = WaveForceRAO.from_load(LOAD, ["0.5 rad/s", "1 rad/s"], ["0 deg", "60 deg", "180 deg"], depth="5 m")
    assert table.headings == pytest.approx(np.radians([0.0, 60.0, 180.0]))
