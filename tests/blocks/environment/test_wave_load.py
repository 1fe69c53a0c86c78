"""WaveLoad against the pressures of its docstring, written out point by point, and against what vessels feel."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

import fmu
from blocks import Diagram, simulate
from blocks.basic import Ramp
from blocks.environment import JonswapSea, RegularWave, UniformWind, WaveLoad
from blocks.errors import ParameterError, WiringError

Array = NDArray[np.float64]

G, RHO = 9.81, 1025.0
LENGTH, BREADTH, AREAS = 2.4, 0.9, (0.15, 0.5, 1.8)
HULL: dict[str, Any] = {"length": LENGTH, "breadth": BREADTH, "areas": AREAS}
HEAD, FOLLOWING, TO_STARBOARD = np.pi, 0.0, 0.5 * np.pi


def load(waves: ArrayLike, eta: ArrayLike = (0, 0, 0, 0, 0, 0), t: float = 0.0, **changes: Any) -> Array:
    found: Array = WaveLoad(**(HULL | changes)).evaluate(t, waves=waves, eta=eta).outputs["disturbance"]
    return found


def wave(
    direction: float = 0.0, phase: float = 0.0, amplitude: float = 0.1, period: float = 3.0, **water: Any
) -> Array:
    found: Array = RegularWave(amplitude, period, direction, phase, **water).evaluate().outputs["waves"]
    return found


def sea(components: int, depth: float = 1e300) -> Array:
    found: Array = (
        JonswapSea(0.6, 3.0, directions=1, frequencies=components, seed=5, depth=depth).evaluate().outputs["waves"]
    )
    return found


def rotation(phi: float, theta: float, psi: float) -> Array:
    about_x = [[1, 0, 0], [0, math.cos(phi), -math.sin(phi)], [0, math.sin(phi), math.cos(phi)]]
    about_y = [[math.cos(theta), 0, math.sin(theta)], [0, 1, 0], [-math.sin(theta), 0, math.cos(theta)]]
    about_z = [[math.cos(psi), -math.sin(psi), 0], [math.sin(psi), math.cos(psi), 0], [0, 0, 1]]
    return np.array(about_z) @ np.array(about_y) @ np.array(about_x)


def by_points(waves: Array, eta: Array, t: float, centre: Array, pressure_depth: float, corners: bool) -> Array:
    """The equations of the docstring, in NumPy, with the pressure of each component at each point."""
    turn = rotation(*eta[3:])
    middle = eta[:3] + turn @ centre
    depth = max(middle[2] + pressure_depth, 0.0)
    k, bottom = waves[3], waves[6]
    decay = (np.exp(-k * depth) + bottom * np.exp(k * depth)) / (1.0 + bottom)

    def pressure(forward: float, starboard: float) -> float:
        north, east, _ = middle + turn @ [forward, starboard, 0.0]
        theta = waves[1] * north + waves[2] * east - waves[0] * t + waves[5]
        return RHO * G * math.fsum(waves[4] * decay * np.cos(theta))

    ahead, aside = LENGTH / 4.0, BREADTH / 4.0
    along = pressure(ahead, 0.0) - pressure(-ahead, 0.0)
    across = pressure(0.0, aside) - pressure(0.0, -aside)
    a_x, a_y, a_z = AREAS
    yaw = along * (a_y / 2.0) * ahead
    if corners:
        fore = pressure(ahead, aside) - pressure(ahead, -aside)
        aft = pressure(-ahead, aside) - pressure(-ahead, -aside)
        yaw = -(fore - aft) * (a_y / 2.0) * ahead
    force = np.array([-along * a_x, -across * a_y, -pressure(0.0, 0.0) * a_z])
    moment = np.array([-across * (a_z / 2.0) * aside, along * (a_z / 2.0) * ahead, yaw])
    return np.concatenate([force, moment + np.cross(centre, force)])


@pytest.mark.parametrize("yaw_moment", ["published", "corners"])
@pytest.mark.parametrize("depth", [1e300, 1.2])
@pytest.mark.parametrize("components", [1, 11])
def test_it_is_what_pressures_at_the_points_give(components: int, depth: float, yaw_moment: str) -> None:
    waves = sea(components, depth)
    assert np.all(waves[6] > 0.0) == (depth == 1.2)  # the bottom is felt
    random = np.random.default_rng(components)
    for _ in range(6):
        eta = np.concatenate(
            [random.uniform(-30, 30, 2), random.uniform(-0.2, 0.4, 1), random.uniform(-0.4, 0.4, 2), [4.0]]
        )
        eta[5] = random.uniform(-np.pi, np.pi)
        centre, below, t = random.uniform(-0.3, 0.3, 3), random.uniform(0.0, 0.3), random.uniform(0.0, 50.0)
        got = load(waves, eta, t, centre=centre, pressure_depth=below, yaw_moment=yaw_moment)
        expected = by_points(waves, eta, t, centre, below, yaw_moment == "corners")
        assert got == pytest.approx(expected, rel=1e-11, abs=1e-11 * np.abs(expected).max())


def test_above_the_still_water_the_pressure_is_that_at_it() -> None:
    above, at, below = (load(wave(0.4, 0.8), [0, 0, z, 0, 0, 0]) for z in (-0.5, 0.0, 0.5))
    np.testing.assert_array_equal(above, at)
    assert np.all(np.abs(below) < np.abs(at))


def test_the_bottom_makes_waves_shorter_and_pressures_last_deeper() -> None:
    """In very shallow water the pressure hardly falls off with depth; in deep water by e^-kz."""
    below = {"pressure_depth": 0.4}
    deep, shallow = (wave(amplitude=0.05, depth=h) for h in (1e300, 0.5))
    k = deep[3, 0]
    assert shallow[3, 0] > 1.3 * k
    assert load(deep, **below)[2] / load(deep)[2] == pytest.approx(np.exp(-0.4 * k), rel=1e-12)
    kh, kz = shallow[3, 0] * 0.5, shallow[3, 0] * 0.4
    assert load(shallow, **below)[2] / load(shallow)[2] == pytest.approx(np.cosh(kh - kz) / np.cosh(kh), rel=1e-12)


# --- signs -----------------------------------------------------------------------------------------------------------


def test_a_crest_at_the_centre_lifts_and_does_nothing_else() -> None:
    for direction in (0.0, 0.7, HEAD):
        x, y, z, k, m, n = load(wave(direction))
        assert z == pytest.approx(-RHO * G * 0.1 * AREAS[2])
        assert [x, y, k, m, n] == pytest.approx([0] * 5, abs=1e-12)


@pytest.mark.parametrize("direction", [HEAD, FOLLOWING])
def test_a_crest_at_the_bow_pushes_astern_and_raises_the_bow(direction: float) -> None:
    k = wave()[3, 0]
    phase = 0.5 * np.pi * (1.0 if direction == HEAD else -1.0)  # the crest is a quarter of a wave ahead
    x, y, z, roll, m, n = load(wave(direction, phase))
    along = 2.0 * RHO * G * 0.1 * np.sin(k * LENGTH / 4.0)
    assert x == pytest.approx(-along * AREAS[0])
    assert m == pytest.approx(along * AREAS[2] / 2.0 * LENGTH / 4.0)
    assert n == pytest.approx(along * AREAS[1] / 2.0 * LENGTH / 4.0)
    assert [y, z, roll] == pytest.approx([0.0] * 3, abs=1e-9)


def test_a_crest_to_starboard_pushes_to_port_and_heels_to_port() -> None:
    k = wave()[3, 0]
    x, y, z, roll, m, n = load(wave(TO_STARBOARD, -0.5 * np.pi))
    across = 2.0 * RHO * G * 0.1 * np.sin(k * BREADTH / 4.0)
    assert y == pytest.approx(-across * AREAS[1])
    assert roll == pytest.approx(-across * AREAS[2] / 2.0 * BREADTH / 4.0)
    assert [x, z, m, n] == pytest.approx([0.0] * 4, abs=1e-9)


def test_the_load_goes_with_the_vessel() -> None:
    """The same wave seen from the same side is the same load, whatever the heading."""
    expected = load(wave(0.9, 0.3))
    for psi in (-2.5, 0.4, 3.0):
        assert load(wave(0.9 + psi, 0.3), [0, 0, 0, 0, 0, psi]) == pytest.approx(expected, rel=1e-11)


def test_from_the_other_side_it_is_the_mirror_image() -> None:
    mirror = np.array([1, -1, 1, -1, 1, -1])
    one, other = (load(wave(d, 0.3), yaw_moment="corners") for d in (0.9, -0.9))
    assert other == pytest.approx(mirror * one, rel=1e-12)


def test_yaw_by_the_corners_is_zero_in_head_and_in_beam_sea() -> None:
    for direction in (FOLLOWING, TO_STARBOARD, HEAD, -TO_STARBOARD):
        assert load(wave(direction, 0.8), yaw_moment="corners")[5] == pytest.approx(0.0, abs=1e-9)
    oblique = load(wave(0.25 * np.pi), yaw_moment="corners")[5]
    assert abs(oblique) > 1.0


def test_pressures_act_about_the_body_origin() -> None:
    """Lifted at a centre ahead of the origin, the bow goes up: M = -x Z."""
    phase = -wave()[3, 0] * 0.5  # the crest is over the centre
    *_, z, _k, m, _n = load(wave(FOLLOWING, phase), centre=[0.5, 0.0, 0.0])
    assert z == pytest.approx(-RHO * G * 0.1 * AREAS[2])
    assert m == pytest.approx(-0.5 * z, rel=1e-9)


# --- sums, lanes and time --------------------------------------------------------------------------------------------


def test_a_sea_is_the_sum_of_its_waves() -> None:
    waves = sea(37)
    eta, t = [12.0, -7.0, 0.1, 0.1, -0.1, 0.6], 31.7
    single = [load(waves[:, [i]], eta, t) for i in range(37)]
    for got, parts in zip(load(waves, eta, t), np.array(single).T, strict=True):
        assert abs(got - math.fsum(parts)) < 1e-13 * math.fsum(abs(parts))


@pytest.mark.parametrize("components", [*range(1, 10), 15, 17])
def test_any_number_of_components_does(components: int) -> None:
    """Waves are taken eight at a time, the last eight again where fewer are left: each counts once.

    The order in which they are added up is another then, hence some units in the last place.
    """
    waves = sea(17)[:, :components]
    filled = np.concatenate([waves, np.zeros((7, -components % 8))], axis=1)
    at = [3, 2, 0.1, 0.1, 0, 1], 4.0
    np.testing.assert_allclose(load(waves, *at), load(filled, *at), rtol=1e-13)


@pytest.mark.parametrize(("direction", "sign"), [(HEAD, 1.0), (FOLLOWING, -1.0), (TO_STARBOARD, 0.0)])
def test_the_way_of_the_vessel_gives_the_frequency_of_encounter(direction: float, sign: float) -> None:
    """ω_e = ω - k U cos β: heave is one cosine of it."""
    speed, component = 1.5, wave(direction)
    omega, k = component[0, 0], component[3, 0]
    diagram = Diagram()
    diagram.add("sea", RegularWave(0.1, 3.0, direction))
    diagram.add("way", Ramp(slope=[speed, 0, 0, 0, 0, 0]))
    diagram.add("load", WaveLoad(**HULL))
    diagram.connect("sea.waves", "load.waves")
    diagram.connect("way.y", "load.eta")
    run = simulate(diagram, 20.0, step=0.1)
    met = (omega + sign * k * speed) * run.time
    assert run.values("load.disturbance")[:, 2] == pytest.approx(-RHO * G * 0.1 * AREAS[2] * np.cos(met), abs=1e-8)


def test_an_fmu_computes_the_same_bits(tmp_path: Path) -> None:
    """There the loop over waves is plain C; here it is compiled for the vector unit of this machine."""
    diagram = Diagram("swell")
    diagram.add("sea", JonswapSea(0.6, 3.0, frequencies=7, directions=3, seed=2, depth=4.0))
    diagram.add("way", Ramp(slope=[1.5, 0.4, 0.001, 0.01, -0.01, 0.05]))
    diagram.add("load", WaveLoad(**HULL, yaw_moment="corners", centre=[0.1, 0.05, 0.1]))
    diagram.connect("sea.waves", "load.waves")
    diagram.connect("way.y", "load.eta")
    diagram.outputs(tau="load.disturbance")
    run = simulate(diagram, 10.0, step=0.1)
    again = fmu.FmuBlock(fmu.export(diagram, tmp_path / "swell.fmu", step=0.1))
    there = simulate(again, 10.0, step=0.1)
    np.testing.assert_array_equal(there.values(next(iter(there))), run.values("load.disturbance"))


# --- bad input -------------------------------------------------------------------------------------------------------


def test_what_cannot_be_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"WaveLoad\.length must be > 0 m, not 0"):
        WaveLoad(**(HULL | {"length": 0.0}))
    with pytest.raises(ParameterError, match=r"WaveLoad\.areas\[1\] must be ≥ 0 m\^2, not -1"):
        WaveLoad(**(HULL | {"areas": [1, -1, 1]}))
    with pytest.raises(ParameterError, match=r"WaveLoad\.yaw_moment must be one of .*; did you mean 'corners'\?"):
        WaveLoad(**HULL, yaw_moment="corner")
    diagram = Diagram()
    diagram.add("load", WaveLoad(**HULL))
    diagram.add("wind", UniformWind(8.0))
    with pytest.raises(WiringError, match=r"cannot connect wind\.wind .* to load\.waves"):
        diagram.connect("wind.wind", "load.waves")
