"""Motions in waves: from tables, and of a box-shaped ship in closed form."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import ArrayLike, NDArray

from blocks import Diagram, simulate
from blocks.basic import Constant, Ramp
from blocks.environment import BoxShipMotion, JonswapSea, MotionRAO, RegularWave, WaveForceRAO, WaveLoad
from blocks.errors import ParameterError

Array = NDArray[np.float64]

G = 9.81
SHIP = {"length": 82.8, "breadth": 19.2, "draught": 6.0, "block_coefficient": 0.65, "roll_period": 11.0}
HALF = np.linspace(0.0, np.pi, 9)
MIRROR = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])


def waves_of(*rows: tuple[float, float, float, float]) -> Array:
    """Components in deep water: ω, direction, amplitude, phase."""
    omega, mu, a, eps = np.array(rows, dtype=float).T
    k = omega**2 / G
    return np.array([omega, k * np.cos(mu), k * np.sin(mu), k, a, eps, 0.0 * k])


def motion(
    block: Any, waves: ArrayLike, eta: ArrayLike = (0,) * 6, nu: ArrayLike = 0.0, t: float = 0.0
) -> dict[str, Array]:
    found: dict[str, Array] = block.evaluate(t, waves=waves, eta=eta, nu=np.broadcast_to(nu, 6)).outputs
    return found


@pytest.fixture(scope="module")
def uneven() -> MotionRAO:
    """A table all around of a hull that has no symmetry."""
    random = np.random.default_rng(8)
    return MotionRAO(
        frequencies=[0.4, 0.9, 1.0, 2.2],
        headings=[-2.9, -2.1, -1.0, 0.2, 0.9, 1.9, 2.6],
        amplitude=random.uniform(0.0, 1.0, (6, 4, 7)),
        phase=random.uniform(-9.0, 9.0, (6, 4, 7)),
    )


@pytest.fixture(scope="module")
def box() -> BoxShipMotion:
    return BoxShipMotion(**SHIP)


# --- the box-shaped ship ---------------------------------------------------------------------------------------------


def jensen(omega: float, beta: float, speed: float) -> tuple[float, float]:
    """Amplitudes of heave and pitch as printed: Jensen, Mansour and Olsen (2004), with B reduced by C_B."""
    length, breadth, draught = SHIP["length"], SHIP["breadth"] * SHIP["block_coefficient"], SHIP["draught"]
    k = omega**2 / G
    effective = abs(k * np.cos(beta))
    froude = speed / np.sqrt(G * length)
    alpha = abs(1.0 - froude * np.sqrt(k * length) * np.cos(beta))
    a = 2.0 * np.sin(k * breadth * alpha**2 / 2.0) * np.exp(-k * draught * alpha**2)
    f = np.sqrt((1.0 - k * draught) ** 2 + (a**2 / (k * breadth * alpha**3)) ** 2)
    smith = np.exp(-effective * draught)
    x = effective * length / 2.0
    heave = smith * f * 2.0 / (effective * length) * np.sin(x)
    pitch = smith * f * 24.0 / ((effective * length) ** 2 * length) * (np.sin(x) - x * np.cos(x))
    eta = 1.0 / np.sqrt((1.0 - 2.0 * k * draught * alpha**2) ** 2 + (a**2 / (k * breadth * alpha**2)) ** 2)
    return abs(eta * heave), abs(eta * pitch)


@pytest.mark.parametrize("speed", [0.0, 5.0, 8.0])
def test_heave_and_pitch_have_the_printed_amplitudes(box: BoxShipMotion, speed: float) -> None:
    omegas, betas = np.linspace(0.25, 1.5, 11), np.radians([0.0, 40.0, 85.0, 120.0, 180.0])
    table = MotionRAO.from_motion(box, omegas, betas, speed=speed)
    expected = np.array([[jensen(omega, beta, speed) for beta in betas] for omega in omegas])
    assert table.amplitude[2] == pytest.approx(expected[:, :, 0], rel=1e-9, abs=1e-12)
    assert table.amplitude[4] == pytest.approx(expected[:, :, 1], rel=1e-9, abs=1e-12)
    assert not table.amplitude[[0, 1, 5]].any()


def test_in_long_waves_the_ship_lies_on_the_surface(box: BoxShipMotion) -> None:
    """Heave is the elevation, pitch and roll are the slopes along and across, at any place and time."""
    a, omega, mu, psi = 0.7, 0.04, 1.1, 0.4
    k = omega**2 / G
    for x, y, t in ((0.0, 0.0, 0.0), (200.0, -900.0, 31.0)):
        phase = k * (x * np.cos(mu) + y * np.sin(mu)) - omega * t + 0.3
        got = motion(box, waves_of((omega, mu, a, 0.3)), [x, y, 0, 0, 0, psi], 0.0, t)["eta_w"]
        beta = mu - psi
        along, across = -k * a * np.sin(phase) * np.cos(beta), -k * a * np.sin(phase) * np.sin(beta)
        assert got[2] == pytest.approx(-a * np.cos(phase), abs=2e-3 * a)
        assert got[4] == pytest.approx(along, abs=5e-3 * k * a)  # bow up where the surface rises ahead
        assert got[3] == pytest.approx(-across, abs=2e-2 * k * a)  # starboard up where it rises to starboard


def test_roll_is_resonant_at_its_period_and_grows_with_the_wave(box: BoxShipMotion) -> None:
    """At the natural frequency in beam sea, |φ| = slope/(2 ζ) times what the breadth averages out; MSS leaves a out."""
    omega = 2.0 * np.pi / SHIP["roll_period"]
    k = omega**2 / G
    s = 0.5 * k * SHIP["breadth"]
    mean = 3.0 * (np.sin(s) - s * np.cos(s)) / s**3
    one = MotionRAO.from_motion(box, [omega, 1.0], [0.0, np.pi / 2, np.pi]).amplitude[3]
    assert one[0] == pytest.approx([0.0, k * mean / (2.0 * 0.1), 0.0], rel=1e-9, abs=1e-12)
    for a in (0.5, 3.0):
        roll = motion(box, waves_of((omega, np.pi / 2, a, 0.0)))["eta_w"][3]
        assert abs(roll) == pytest.approx(a * one[0, 1], rel=1e-9)  # at the crest, a quarter behind the slope


def test_three_waves_of_one_frequency_of_encounter_move_the_ship_differently(box: BoxShipMotion) -> None:
    """In following seas |ω - ω² U/g| has three ω. Each comes with its own wave, and one of them is overtaken."""
    speed, wanted = 8.0, 0.25
    three = [
        (1.0 - np.sqrt(1.0 - 4.0 * speed * wanted / G)) * G / (2.0 * speed),
        (1.0 + np.sqrt(1.0 - 4.0 * speed * wanted / G)) * G / (2.0 * speed),
        (1.0 + np.sqrt(1.0 + 4.0 * speed * wanted / G)) * G / (2.0 * speed),
    ]
    heaves = []
    for omega, rate in zip(three, (wanted, wanted, -wanted), strict=True):
        for t in np.linspace(0.0, 20.0, 5):
            out = motion(box, waves_of((omega, 0.0, 1.0, 0.4)), [speed * t, 0, 0, 0, 0, 0], [speed, 0, 0, 0, 0, 0], t)
            acceleration = -(rate**2) * out["eta_w"]
            assert out["acceleration_w"] == pytest.approx(acceleration, rel=1e-6, abs=1e-12)
        heaves.append(jensen(omega, 0.0, speed)[0])
    assert len({round(h, 3) for h in heaves}) == 3


# --- velocities, accelerations and totals ----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["uneven", "box"])
def test_velocities_are_those_along_the_way(name: str, request: pytest.FixtureRequest) -> None:
    """Central differences of the motion of a vessel that goes on straight: of the second order, so 1e-6 for 1 ms."""
    block = request.getfixturevalue(name)
    waves = JonswapSea(2.0, 7.0, frequencies=9, directions=3, upper_limit=2.0).evaluate().outputs["waves"]
    psi, u, v, t, h = 0.7, 6.0, 0.8, 12.0, 1e-3
    way = np.array([u * np.cos(psi) - v * np.sin(psi), u * np.sin(psi) + v * np.cos(psi), 0, 0, 0, 0])
    before, here, after = (
        motion(block, waves, np.array([3.0, -8.0, 0, 0, 0, psi]) + way * (t + d), [u, v, 0, 0, 0, 0], t + d)
        for d in (-h, 0.0, h)
    )
    for of, rate in (("eta_w", "nu_w"), ("nu_w", "acceleration_w")):
        difference = (after[of] - before[of]) / (2.0 * h)
        assert here[rate] == pytest.approx(difference, abs=1e-5 * np.abs(difference).max())


def test_totals_are_the_slow_motion_and_that_in_the_waves(uneven: MotionRAO) -> None:
    waves, psi = waves_of((0.9, 0.4, 0.5, 0.3), (1.3, -2.0, 0.2, 1.0)), 0.8
    eta, nu = np.array([5.0, 3.0, 0.2, 0.01, 0.02, psi]), np.array([3.0, 0.2, 0.1, 0.01, 0.02, 0.03])
    out = motion(uneven, waves, eta, nu, 2.0)
    c, s = np.cos(psi), np.sin(psi)
    turned = np.array([[c, -s], [s, c]]) @ out["eta_w"][:2]
    assert out["eta_total"] == pytest.approx(eta + np.array([*turned, *out["eta_w"][2:]]), rel=1e-12)
    assert out["nu_total"] == pytest.approx(nu + out["nu_w"], rel=1e-12)


# --- tables ----------------------------------------------------------------------------------------------------------


def test_a_dense_table_of_the_box_is_the_box(box: BoxShipMotion) -> None:
    """From either side, at its speed."""
    sea = JonswapSea(2.0, 8.0, frequencies=15, directions=3, direction=2.0, upper_limit=1.9).evaluate().outputs["waves"]
    speed = 4.0
    table = MotionRAO.from_motion(box, np.linspace(0.4, 1.6, 97), np.linspace(0.0, np.pi, 73), speed=speed)
    for psi, t in ((0.3, 4.0), (-1.0, 9.0), (2.8, 31.0)):
        eta, nu = [30.0, 10.0, 0, 0, 0, psi], [speed, 0, 0, 0, 0, 0]
        expected, got = (motion(block, sea, eta, nu, t) for block in (box, table))
        for name in ("eta_w", "nu_w", "acceleration_w"):
            assert got[name] == pytest.approx(expected[name], abs=0.02 * np.abs(expected[name]).max())


def test_between_the_nodes_real_and_imaginary_parts_are_straight(uneven: MotionRAO) -> None:
    """And across the end of the turn, where the heading jumps."""
    response = uneven.amplitude * np.exp(1j * uneven.phase)
    gap = 2.0 * np.pi + uneven.headings[0] - uneven.headings[-1]
    for part in (0.0, 0.3, 1.0):
        along = (1.0 - part) * response[:, :, -1] + part * response[:, :, 0]
        h = 0.25 * along[:, 2] + 0.75 * along[:, 3]
        waves = waves_of((1.9, uneven.headings[-1] + part * gap + 0.5, 2.0, 0.8))
        got = motion(uneven, waves, [0, 0, 0, 0, 0, 0.5])["eta_w"]
        assert got == pytest.approx(2.0 * np.abs(h) * np.cos(0.8 + np.angle(h)), rel=1e-11)


def test_beyond_the_table(uneven: MotionRAO) -> None:
    """Short waves move nothing; long ones as the surface goes: translations held, rotations with the slope."""
    assert not motion(uneven, waves_of((2.2001, 0.7, 0.2, 0.4)))["eta_w"].any()
    edge, long = (motion(uneven, waves_of((omega, 0.7, 0.2, 0.4)))["eta_w"] for omega in (0.4, 0.1))
    assert long[:3] == pytest.approx(edge[:3], rel=1e-12)
    assert long[3:] == pytest.approx(edge[3:] / 16.0, rel=1e-12)


def test_sides_that_are_alike_mirror(box: BoxShipMotion) -> None:
    table = MotionRAO.from_motion(box, np.linspace(0.3, 1.5, 7), HALF)
    for block in (box, table):
        for mu in (0.4, 1.3, 2.9):
            one, other = (motion(block, waves_of((0.8, m, 0.4, 0.9)))["eta_w"] for m in (mu, -mu))
            assert other == pytest.approx(MIRROR * one, rel=1e-9)


@pytest.mark.parametrize("components", [1, 7, 8, 9, 21])
def test_any_number_of_components_is_the_sum_of_its_waves(uneven: MotionRAO, components: int) -> None:
    random = np.random.default_rng(components)
    waves = waves_of(*random.uniform([0.2, -4.0, 0.0, 0.0], [2.4, 4.0, 1.0, 6.0], (components, 4)))
    eta, nu, t = [3.0, 2.0, 0.1, 0.1, 0.1, 1.0], [2.0, 0.3, 0, 0, 0, 0], 12.3
    whole = motion(uneven, waves, eta, nu, t)
    for name in ("eta_w", "nu_w", "acceleration_w"):
        parts = np.array([motion(uneven, waves[:, [i]], eta, nu, t)[name] for i in range(components)])
        assert whole[name] == pytest.approx(parts.sum(axis=0), abs=1e-12 * np.abs(parts).sum())


def test_a_table_from_a_file_is_the_table(box: BoxShipMotion, tmp_path: Path) -> None:
    table = MotionRAO.from_motion(box, [0.4, 0.8], [0.0, np.pi / 2, np.pi], speed=3.0)
    lines = ["dof,omega_rad_per_s,heading_deg,amplitude,phase_deg"]
    for d, dof in enumerate(("surge", "sway", "heave", "roll", "pitch", "yaw")):
        for i, omega in enumerate(table.frequencies):
            for j, beta in enumerate(np.degrees(table.headings)):
                size = table.amplitude[d, i, j] * (180.0 / np.pi if d > 2 else 1.0)
                lines.append(f"{dof},{omega:.17g},{beta:.17g},{size:.17g},{-np.degrees(table.phase[d, i, j]):.17g}")
    path = tmp_path / "rao.csv"
    path.write_text("\n".join(lines))
    read = MotionRAO.from_file(path, phases="lead", angles="deg")
    for name in ("frequencies", "headings", "amplitude", "phase"):
        assert read.values[name] == pytest.approx(table.values[name], abs=1e-12)
    with pytest.raises(ParameterError, match=r"angles must be one of 'rad', 'deg', not 'grad'"):
        MotionRAO.from_file(path, angles="grad")
    path.write_text("\n".join([lines[0] + ",drift", *(line + ",1.0" for line in lines[1:])]))
    with pytest.raises(ParameterError, match=r"has drift, which loads have and motions do not"):
        MotionRAO.from_file(path)


def test_motion_is_added_to_a_slow_model() -> None:
    """A vessel that goes on at 5 m/s in a head sea meets it at ω + ω² U/g."""
    diagram = Diagram()
    omega, speed = 0.7, 5.0
    diagram.add("sea", RegularWave(0.5, 2.0 * np.pi / omega, "180 deg"))
    diagram.add("way", Ramp(slope=[speed, 0, 0, 0, 0, 0]))
    diagram.add("speed", Constant([speed, 0, 0, 0, 0, 0]))
    diagram.add("ship", BoxShipMotion(**SHIP))
    diagram.connect("sea.waves", "ship.waves")
    diagram.connect("way.y", "ship.eta")
    diagram.connect("speed.y", "ship.nu")
    run = simulate(diagram, "200 s", step=0.05)
    heave = run.values("ship.eta_total")[:, 2]
    spectrum = np.abs(np.fft.rfft(heave * np.hanning(len(heave))))
    peak = 2.0 * np.pi * np.fft.rfftfreq(len(heave), 0.05)[np.argmax(spectrum)]
    assert peak == pytest.approx(omega + omega**2 * speed / G, abs=0.02)
    assert heave.max() == pytest.approx(0.5 * jensen(omega, np.pi, speed)[0], rel=2e-3)


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"frequencies": [1.0, 0.5]}, r"frequencies must increase .* \[0\] is 1 and \[1\] is 0\.5"),
        ({"frequencies": [0.0, 0.5]}, r"frequencies\[0\] must be > 0 rad/s, not 0"),
        ({"amplitude": 3.0}, r"amplitude must be an array of 6×m×k, not the single number 3"),
        ({"headings": np.linspace(0.0, 2.0, 9)}, r"headings do not close: between 114\.592 and 360 deg is a gap of"),
        ({"headings": np.linspace(0.0, 320.0, 9)}, r"plain numbers are in radians, degrees are given as '90 deg'"),
        (
            {"headings": HALF},
            r"amplitude\[1\], of sway, is 1 at a heading of 0 deg, where waves move a hull whose sides",
        ),
        (
            {"headings": np.linspace(0.0, 2.0 * np.pi, 9), "phase": np.linspace(0, 1, 9) * np.ones((6, 2, 1))},
            r"headings do not close: 0 and 360 deg are the same heading, but amplitude and phase \[0, 0\] differ",
        ),
    ],
)
def test_tables_that_are_no_tables_are_refused(changes: dict[str, Any], message: str) -> None:
    table = {"frequencies": [0.5, 1.0], "headings": np.linspace(-3.0, 3.0, 9), "amplitude": np.ones((6, 2, 9))}
    with pytest.raises(ParameterError, match=message):
        MotionRAO(**(table | changes))


def test_loads_in_place_of_motions_are_told() -> None:
    table = {"frequencies": [0.5, 1.0], "headings": np.linspace(-3.0, 3.0, 9), "amplitude": np.ones((6, 2, 9))}
    assert not list(MotionRAO(**table).improbable())
    (told,) = MotionRAO(**(table | {"amplitude": 1e5 * np.ones((6, 2, 9))})).improbable()
    assert "a motion of 1e+05 m per metre" in told.message
    assert "WaveForceRAO" in str(told.hint)


@pytest.mark.parametrize("block", [MotionRAO, WaveForceRAO])
def test_phases_that_may_be_degrees_are_told(block: type[MotionRAO | WaveForceRAO]) -> None:
    table = {"frequencies": [0.5, 1.0], "headings": np.linspace(-3.0, 3.0, 9), "amplitude": np.ones((6, 2, 9))}
    assert not list(block(**table, phase=np.full((6, 2, 9), -2.0 * np.pi)).improbable())
    (told,) = block(**table, phase=np.full((6, 2, 9), -170.0)).improbable()
    assert told.message.endswith("phase goes to 170 rad, 27.1 turns")
    assert "'90 deg' in a scenario, np.radians(…) in Python" in str(told.hint)


def test_what_does_not_move_in_waves_cannot_be_tabulated() -> None:
    load = WaveLoad(length=2.4, breadth=0.9, areas=[0.15, 0.5, 1.8])
    with pytest.raises(ParameterError, match=r"WaveLoad.* is no motion in waves: it has no port 'eta_w'"):
        MotionRAO.from_motion(load, [0.5, 1.0], HALF)
    with pytest.raises(ParameterError, match=r"from_motion wants a motion in waves, such as a BoxShipMotion, not 3"):
        MotionRAO.from_motion(3, [0.5, 1.0], HALF)  # type: ignore[arg-type]
    with pytest.raises(ParameterError, match=r"BoxShipMotion\.draught must be > 0 m, not 0"):
        BoxShipMotion(**(SHIP | {"draught": 0.0}))


def test_rotations_in_degrees_are_told() -> None:
    """In waves that are long beside the ship pitch is the slope of the wave, 1, and in degrees 57."""
    box = BoxShipMotion(length=82.8, breadth=19.2, draught=6.0, roll_period=11.0)
    table = MotionRAO.from_motion(box, [0.2, 0.5, 0.8], HALF)
    assert not list(table.improbable())
    amplitude = np.array(table.amplitude)
    amplitude[3:] *= 180.0 / np.pi
    table.amplitude = amplitude
    (told,) = table.improbable()
    assert "times the slope of the wave" in told.message
    assert 'angles="deg" of a file' in str(told.hint)
