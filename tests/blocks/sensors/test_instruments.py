"""What all instruments have in common: random errors, delay, and runs in pieces. And the simple ones."""

from __future__ import annotations

import numpy as np
import pytest
from instruments import STEADY, watched
from scipy.spatial.transform import Rotation

from blocks import Diagram, simulate
from blocks.basic import Sine
from blocks.errors import ParameterError, WiringError
from blocks.sensors import Compass, DepthGauge, DopplerLog, Gnss, Imu

ARM = [0.6, -0.4, 0.9]
TURNED = Rotation.from_euler("ZYX", [0.7, -0.1, 0.2])


def samples(diagram, count, period, *names, **settings):
    """Values of the first samples, a column for each output."""
    run = simulate(diagram, (count - 1) * period, step=period, record=names, **settings)
    return np.column_stack([run.values(name) for name in names])


# --- what they say without errors ------------------------------------------------------------------------------------


def test_without_errors_a_compass_shows_the_heading_wrapped():
    for psi, shown in ((0.7, 0.7), (4.0, 4.0 - 2.0 * np.pi), (-3.5, -3.5 + 2.0 * np.pi)):
        found = Compass(period=0.1).evaluate(eta=[0, 0, 0, 0.3, 0.2, psi]).outputs["heading"]
        assert found == pytest.approx(shown, abs=1e-15)


def test_the_deviation_goes_by_the_heading_that_the_compass_shows():
    """δ = A + B sin c + C cos c + D sin 2c + E cos 2c, east positive, is what makes the true heading of the shown c."""
    a, b, c, d, e = np.radians([2.6, 12.0, 8.0, 4.5, -1.5])
    compass = Compass(deviation=[a, b, c, d, e], bias="1 deg", period=0.1)
    for psi in np.linspace(-3.1, 3.1, 25):
        shown = compass.evaluate(eta=[0, 0, 0, 0, 0, psi]).outputs["heading"] - np.radians(1.0)
        deviation = a + b * np.sin(shown) + c * np.cos(shown) + d * np.sin(2 * shown) + e * np.cos(2 * shown)
        assert np.exp(1j * (shown + deviation)) == pytest.approx(np.exp(1j * psi), abs=1e-14)


def test_a_depth_gauge_is_where_its_lever_arm_says():
    found = DepthGauge(lever_arm=ARM, period=0.1).evaluate(eta=STEADY["eta"]).outputs["depth"]
    assert found == pytest.approx(1.0 + TURNED.apply(ARM)[2], abs=1e-14)
    salty = DepthGauge(lever_arm=ARM, scale=1.025, bias=0.2, period=0.1).evaluate(eta=STEADY["eta"])
    assert salty.outputs["depth"] == pytest.approx(1.025 * found + 0.2, abs=1e-14)


def test_a_log_measures_its_own_point_through_the_water_or_over_ground():
    nu = np.array(STEADY["nu"])
    expected = nu[:3] + np.cross(nu[3:], ARM)
    water = DopplerLog(lever_arm=ARM, period=0.1).evaluate(nu_r=nu).outputs["velocity"]
    ground = DopplerLog(track="ground", lever_arm=ARM, scale=0.99, bias=[0.1, 0.2, 0.3], period=0.1)
    np.testing.assert_allclose(water, expected, atol=1e-15)
    np.testing.assert_allclose(
        ground.evaluate(nu=nu).outputs["velocity"], 0.99 * expected + [0.1, 0.2, 0.3], atol=1e-15
    )


# --- random errors ---------------------------------------------------------------------------------------------------

COUNT = 20_000
FOUR_SIGMA = 4.0 / np.sqrt(COUNT)


def noisy(seed=3):
    """Instruments with white noise, of one seed."""
    return watched(
        compass=Compass(noise=0.02, seed=seed, period=0.1),
        other=Compass(noise=0.02, seed=seed, period=0.1),
        gauge=DepthGauge(noise=0.3, seed=seed, period=0.1),
        log=DopplerLog(noise=0.05, seed=seed, period=0.1),
        gnss=Gnss(0.9, 0.1, horizontal_noise=1.5, vertical_noise=2.5, seed=seed, period=0.1),
        imu=Imu(accelerometer_noise_density=0.02, gyro_noise_density=0.003, seed=seed, period=0.1),
    )


NAMES = ("compass.heading", "other.heading", "gauge.depth", "log.velocity", "gnss.position", "imu.specific_force",
         "imu.angular_rate")  # fmt: skip


def test_noises_have_their_standard_deviation_and_are_independent_though_the_seed_is_one():
    """Of a density N a sample has N/√T. 105 pairs of channels, at no lag and the next: within 4.5 deviations."""
    found = samples(noisy(), COUNT, 0.1, *NAMES)
    sigma = [0.02, 0.02, 0.3, *[0.05] * 3, 1.5, 1.5, 2.5, *[0.02 / 0.1**0.5] * 3, *[0.003 / 0.1**0.5] * 3]
    np.testing.assert_allclose(found.std(axis=0), sigma, rtol=0.02)
    z = (found - found.mean(axis=0)) / found.std(axis=0)
    for lag in (0, 1):
        correlation = z[lag:].T @ z[: COUNT - lag] / COUNT
        if lag == 0:
            np.fill_diagonal(correlation, 0.0)
        assert np.abs(correlation).max() < 1.125 * FOUR_SIGMA
    truth = [0.7, 0.7, 1.0, *STEADY["nu"][:3], *STEADY["eta"][:3]]
    np.testing.assert_allclose(found.mean(axis=0)[:9], truth, atol=FOUR_SIGMA * 2.5)


def test_another_seed_is_another_realisation_and_the_same_is_the_same():
    one, again, other = (samples(noisy(seed), 50, 0.1, *NAMES) for seed in (3, 3, 4))
    np.testing.assert_array_equal(one, again)
    assert np.all(one != other)


def test_drift_is_a_gauss_markov_process():
    """Variance σ², correlation exp(-k T/τ): with T = τ/2, 20 000 samples know the variance to 2 %."""
    gnss = Gnss(0.9, 0.1, horizontal_drift=2.0, vertical_drift=3.0, drift_time=0.2, period=0.1)
    imu = Imu(accelerometer_drift=0.1, gyro_drift=0.01, accelerometer_drift_time=0.2, gyro_drift_time=0.1, period=0.1)
    found = samples(watched(gnss=gnss, imu=imu), COUNT, 0.1, "gnss.position", "imu.specific_force", "imu.angular_rate")
    found -= found.mean(axis=0)
    np.testing.assert_allclose(found.std(axis=0), [2.0, 2.0, 3.0, *[0.1] * 3, *[0.01] * 3], rtol=0.05)
    ratio = [0.5] * 6 + [1.0] * 3
    for lag in (1, 3):
        correlation = np.mean(found[lag:] * found[:-lag], axis=0) / np.var(found, axis=0)
        np.testing.assert_allclose(correlation, np.exp(-lag * np.array(ratio)), atol=0.04)
    mixed = np.corrcoef(found.T) - np.eye(9)
    assert np.abs(mixed).max() < 3.0 * FOUR_SIGMA  # fewer of correlated samples are independent


def test_a_drift_starts_anywhere_within_its_distribution():
    plan = watched(gnss=Gnss(0.9, 0.1, horizontal_drift=2.0, drift_time=1e6, period=0.1)).plan(step=0.1)
    engine, place = plan.engine(), plan.states["gnss.drift"].slice
    found = []
    for k in range(2000):
        engine.start(0.1 * k)
        found.append(engine.values[place].copy())
    assert np.std(found, axis=0) == pytest.approx([2.0, 2.0, 0.0], rel=0.06)


def test_a_run_in_pieces_has_the_numbers_of_one_in_one_go(tmp_path):
    diagram = watched(
        gnss=Gnss(0.9, 0.1, horizontal_noise=1.0, horizontal_drift=2.0, delay=3, period=0.25),
        imu=Imu(gyro_noise_density=0.01, gyro_drift=0.1, gyro_drift_time=2.0, period=0.1),
        log=DopplerLog(noise=0.1, delay=2, period=0.2),
    )
    whole = simulate(diagram, 5.0, step=0.05)
    simulate(diagram, 1.3, step=0.05, checkpoint=tmp_path / "run")
    parts = simulate(diagram, 5.0, step=0.05, resume=tmp_path / "run")
    for name in whole:
        np.testing.assert_array_equal(parts.values(name), whole.values(name), err_msg=name)


# --- delay -----------------------------------------------------------------------------------------------------------


def moving(**instruments):
    """Instruments on a vehicle that moves in every way."""
    diagram = Diagram()
    for name, block in instruments.items():
        diagram.add(name, block)
    for k, port in enumerate(STEADY):
        sinks = [b.input_port(port) for b in instruments.values() if port in b.input_ports]
        if sinks:
            source = Sine(np.full(6, 0.5), 1.1 + 0.3 * np.arange(6) + k, offset=0.2)
            diagram.connect(diagram.add(f"true_{port}", source).y, *sinks)
    return diagram


def test_what_is_late_is_what_was_shown_so_many_samples_before():
    made = {
        "compass": (Compass, {"noise": 0.1, "initial": 0.4}),
        "gauge": (DepthGauge, {"noise": 0.1, "initial": 3.0}),
        "log": (DopplerLog, {"noise": 0.1, "initial": [1.0, 2.0, 3.0]}),
        "imu": (Imu, {"gyro_noise_density": 0.1, "gyro_drift": 0.2}),
        "gnss": (Gnss, {"horizontal_noise": 0.1, "origin_latitude": 0.5, "origin_longitude": 0.1}),
    }
    prompt, late = (
        simulate(
            moving(**{name: cls(**more, delay=delay, period=0.1) for name, (cls, more) in made.items()}), 2.0, step=0.1
        )
        for delay in (0, 3)
    )
    for name in prompt:
        if not name.startswith("true"):
            np.testing.assert_array_equal(late.values(name)[3:], prompt.values(name)[:-3], err_msg=name)
    assert set(late.values("compass.heading")[:3]) == {0.4}
    assert set(late.values("gauge.depth")[:3]) == {3.0}
    assert late.values("log.velocity")[:3].tolist() == [[1.0, 2.0, 3.0]] * 3
    assert late.values("imu.specific_force")[:3].tolist() == [[0.0, 0.0, -9.81]] * 3
    assert late.values("gnss.valid")[:4].tolist() == [0, 0, 0, 1]


def test_an_instrument_that_is_late_breaks_an_algebraic_loop():
    assert Imu(period=0.1).feedthrough("specific_force") == ("eta", "nu", "acceleration")
    assert Imu(period=0.1, delay=1).feedthrough("specific_force") == ()


# --- messages --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Compass(period=0.1, noise=-0.1), r"Compass.noise must be ≥ 0 rad, not -0\.1"),
        (lambda: Compass(period=0.1, delay=1.5), r"Compass.delay must be a whole number, not 1\.5"),
        (lambda: Compass(noise=0.1), "Compass.period is missing"),
        (
            lambda: Compass(period=0.1, deviation=[1.0, 3.0, 0.5, 0.0, 0.1]),
            r"Compass.deviation changes too fast .* must be below 1 rad, not 3\.7; deviations are in rad, 5° are",
        ),
        (lambda: DopplerLog(period=0.1, track="bottom"), "track must be one of 'water', 'ground', not 'bottom'"),
        (lambda: Gnss(52.0, 4.4, period=1.0), r"origin_latitude must be .* rad, not 52; in degrees it is '52 deg'"),
        (lambda: Imu(period=0.1, gyro_drift_time=0.0), r"Imu.gyro_drift_time must be > 0 s, not 0"),
        (lambda: Imu(period=0.1, gyro_noise_density="1 deg/s"), r"gyro_noise_density: '1 deg/s' is in deg/s"),
    ],
)
def test_instruments_say_what_is_wrong(make, message):
    with pytest.raises(ParameterError, match=message):
        make()


def test_the_input_of_the_other_track_is_not_there():
    with pytest.raises(
        WiringError, match=r"nu exists with track='ground' only, and track is 'water': its input is nu_r"
    ):
        DopplerLog(period=0.1).input_port("nu")


def test_densities_are_read_in_the_units_of_data_sheets():
    imu = Imu(period=0.1, gyro_noise_density="0.005 deg/s/Hz**0.5", accelerometer_noise_density="1e-3 m/s^2/Hz**0.5")
    assert imu.gyro_noise_density == pytest.approx(np.radians(0.3) / 60.0)  # 0.3 °/√h
    assert imu.accelerometer_noise_density == pytest.approx(1e-3)
    for text in ("0.005 °/s/√Hz", "0.005 (deg/s)/sqrt(Hz)", "0.3 deg/√h"):
        found = Imu(period=0.1, gyro_noise_density=text).gyro_noise_density
        assert found == pytest.approx(imu.gyro_noise_density), text
