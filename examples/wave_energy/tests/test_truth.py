"""The coefficients are the published ones, and the float takes what theory says that it takes."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from wave_energy import HeaveExcitation
from wave_energy.hemisphere import coefficients
from wave_energy.hydrodynamics import read_hydrodynamics
from wave_energy.radiation import fit_radiation
from wave_energy.theory import LinearFloat

from blocks.environment import RegularWave
from blocks.errors import ParameterError
from blocks.metrics import measure
from blocks.run.result import Result
from blocks.scenario import Scenario

HERE = Path(__file__).resolve().parents[1]
TABLE = read_hydrodynamics(HERE / "hemisphere.csv")
FLOAT = LinearFloat(TABLE, 261800.0, 770475.6)

# Hulme (1982), table 1: Ka, added mass over 2/3 π ρ a³, damping over that and ω.
HULME = """
0.05 0.8764 0.1036  0.1 0.8627 0.1816  0.2 0.7938 0.2793  0.3 0.7157 0.3254  0.4 0.6452 0.3410  0.5 0.5861 0.3391
0.6 0.5381 0.3271  0.7 0.4999 0.3098  0.8 0.4698 0.2899  0.9 0.4464 0.2691  1.0 0.4284 0.2484  1.2 0.4047 0.2096
1.4 0.3924 0.1756  1.6 0.3871 0.1469  1.8 0.3864 0.1229  2.0 0.3884 0.1031  2.5 0.3988 0.0674  3.0 0.4111 0.0452
4.0 0.4322 0.0219  5.0 0.4471 0.0116  6.0 0.4574 0.0066  7.0 0.4647 0.0040  8.0 0.4700 0.0026  9.0 0.4740 0.0017
10.0 0.4771 0.0012
"""


@pytest.mark.parametrize(("number", "added", "damping"), np.reshape([float(x) for x in HULME.split()], (-1, 3)))
def test_the_hemisphere_has_the_published_coefficients(number: float, added: float, damping: float) -> None:
    found = coefficients(number)
    assert found[:2] == pytest.approx((added, damping), abs=5e-5)


def test_long_waves_lift_the_float_by_its_water_plane() -> None:
    assert coefficients(1e-4)[2] == pytest.approx(1.0, abs=2e-4)


def test_force_and_damping_are_tied_by_haskinds_relation() -> None:
    """|X|² = 2 ρ g³ B/ω³, of which the solver of either knows nothing."""
    force = np.sqrt(2.0 * 1000.0 * 9.81**3 * TABLE.damping / TABLE.omega**3)
    assert TABLE.force == pytest.approx(force, rel=2e-4)


def test_the_states_give_the_radiation_of_the_table() -> None:
    """Order 5 to an eighth of a per cent of the greatest, 8 to a hundredth of that."""
    wanted = TABLE.damping + 1j * TABLE.omega * (TABLE.added_mass - TABLE.infinite_added_mass)
    for order, off in ((5, 1.3e-3), (8, 1.3e-5)):
        found = fit_radiation(TABLE, order).response(TABLE.omega)
        assert np.abs(found - wanted).max() < off * np.abs(wanted).max()
    with pytest.raises(ParameterError, match="must be 2 to 10, not 1"):
        fit_radiation(TABLE, 1)


@pytest.mark.parametrize("period", [3.0, 5.0, 11.0])
def test_the_force_follows_the_wave_at_the_float(period: float) -> None:
    """F = Re X a e^(iθ) where the float is moored; longer waves than the table's have its first X, shorter none."""
    block = HeaveExcitation.from_file(HERE / "hemisphere.csv", place=[12.0, -5.0])
    omega, t = 2.0 * np.pi / period, 1.7
    waves = RegularWave(0.3, period, direction=0.6, phase=0.4).evaluate().outputs["waves"]
    phase = omega**2 / 9.81 * (12.0 * np.cos(0.6) - 5.0 * np.sin(0.6)) - omega * t + 0.4
    wanted = (0.3 * TABLE.at(omega)[2] * np.exp(1j * phase)).real
    assert block.evaluate(t=t, waves=waves).outputs["force"] == pytest.approx(wanted, rel=1e-9)
    long, short = (RegularWave(1.0, one).evaluate().outputs["waves"] for one in (600.0, 1.0))
    assert block.evaluate(t=0.0, waves=short).outputs["force"] == 0.0
    assert block.evaluate(t=0.0, waves=long).outputs["force"] == pytest.approx(TABLE.force[0], rel=1e-3)


def run(period: float, damping: float, spring: float) -> Result:
    """Twenty waves after sixty seconds."""
    scenario = Scenario.load(HERE / "regular_wave.yaml")
    scenario.diagram["sea"].set(period=period)
    scenario.diagram["pto"].set(damping=damping, stiffness=spring)
    return scenario.run(end=60.0 + 20.0 * period, every=1)


def capture_width(result: Result, period: float) -> float:
    """Mean power over that of the wave per metre."""
    (power,) = measure(result, ["mean(pto.power, after=60 s)"]).values()
    return float(power) / FLOAT.wave_power(2.0 * np.pi / period, 0.25)


@pytest.mark.parametrize("period", [3.5, 4.4, 6.0, 8.0])
def test_a_tuned_float_takes_a_wave_length_over_two_pi(period: float) -> None:
    omega = 2.0 * np.pi / period
    found = capture_width(run(period, *FLOAT.tuned(omega)), period)
    assert found == pytest.approx(FLOAT.greatest_capture_width(omega), rel=2e-3)
    assert found < FLOAT.capture_width(omega, *FLOAT.tuned(omega)) * 1.001


@pytest.mark.parametrize(("period", "damping"), [(3.5, 4e4), (4.4, 2e5), (6.0, 1e5), (8.0, 6e5)])
def test_off_resonance_it_moves_and_takes_what_linear_theory_says(period: float, damping: float) -> None:
    omega = 2.0 * np.pi / period
    result = run(period, damping, 0.0)
    stroke = result.values("float.position")[result.time > 60.0].max()
    assert stroke == pytest.approx(FLOAT.amplitude(omega, 0.25, damping), rel=2e-3)
    assert capture_width(result, period) == pytest.approx(FLOAT.capture_width(omega, damping), rel=4e-3)


def test_all_energy_of_the_sea_is_in_the_machinery_the_waves_made_and_the_motion() -> None:
    """∫ F_e w dt = ∫ P dt + ∫ F_r w dt + ½ (m + A_∞) w² + ½ k z²."""
    scenario = Scenario.load(HERE / "regular_wave.yaml")
    result = scenario.run(end=60.0, every=1)
    w, z = result.values("float.velocity"), result.values("float.position")
    buoy = scenario.diagram["float"]
    brought = np.trapezoid(result.values("excitation.force") * w, result.time)
    radiated = np.trapezoid(result.values("float.radiation") * w, result.time)
    kept = 0.5 * (buoy.mass + buoy.added_mass) * w[-1] ** 2 + 0.5 * buoy.stiffness * z[-1] ** 2
    assert brought == pytest.approx(result.values("meter.energy")[-1] + radiated + kept, rel=1e-5)
    assert radiated > 0.0


def test_limits_of_force_and_stroke_hold_in_a_sea() -> None:
    result = Scenario.load(HERE / "sea.yaml").run(end=120.0, every=1)
    force, z = result.values("pto.force"), result.values("float.position")
    assert np.abs(force).max() == 150e3
    beyond = np.abs(z) > 1.2
    assert beyond.any()
    assert np.abs(z).max() < 1.4
    stops = result.values("stops.force")
    assert not stops[~beyond].any()
    assert np.all(stops * z <= 0.0)


def test_a_table_that_is_wrong_is_refused(tmp_path: Path) -> None:
    good = (HERE / "hemisphere.csv").read_text(encoding="utf-8")
    for text, message in (
        (good.replace("damping_N_s_per_m", "damping"), "has no column damping_N_s_per_m"),
        (good.replace("\ninf,", "\n9,"), "one row of the frequency inf"),
        (good.replace("\n0.25212854,", "\nx,"), "row 2 must have 5 numbers"),
    ):
        (tmp_path / "float.csv").write_text(text, encoding="utf-8")
        with pytest.raises(ParameterError, match=message):
            read_hydrodynamics(tmp_path / "float.csv")
    with pytest.raises(ParameterError, match="cannot be read: No such file"):
        read_hydrodynamics(tmp_path / "none.csv")
