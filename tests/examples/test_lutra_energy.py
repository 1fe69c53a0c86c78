"""The energy study of Lutra Prop: published times and energies, and what identification finds again."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "lutra_energy.py"


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The names of the example, run once, and the folder that it wrote into."""
    folder = tmp_path_factory.mktemp("lutra")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return runpy.run_path(str(EXAMPLE)) | {"folder": folder}


def energy(study: Any, number: int) -> float:
    return float(study["runs"][number].values("meter.energy")[-1])


@pytest.mark.parametrize(("number", "tolerance"), [(1, 0.02), (2, 0.02), (4, 0.05), (5, 0.07)])
def test_energies_are_the_published_ones(study: Any, number: int, tolerance: float) -> None:
    printed = {1: 607.87, 2: 461.81, 4: 825.49, 5: 460.47}
    assert energy(study, number) == pytest.approx(printed[number], rel=tolerance)


def test_times_are_the_published_ones(study: Any) -> None:
    assert study["runs"][1].time[-1] == pytest.approx(21.0, rel=0.02)
    assert study["runs"][2].time[-1] == pytest.approx(16.5, rel=0.02)
    assert study["runs"][4].time[-1] == pytest.approx(29.0, rel=0.05)
    assert study["runs"][5].time[-1] == pytest.approx(30.5, rel=0.07)


def test_energies_come_in_the_published_order(study: Any) -> None:
    six, five, two, one, four = (energy(study, number) for number in (6, 5, 2, 1, 4))
    assert six < five < two < one < four


def test_every_run_arrives(study: Any) -> None:
    for number, run in study["runs"].items():
        goal = 0.0 if study["SCENARIOS"][number].back else 30.0
        north, east = run.values("vessel.eta")[-1, :2]
        assert run.status == "stopped"
        assert np.hypot(north, east - goal) == pytest.approx(2.0, abs=0.02)


def test_the_print_of_scenario_3_is_beyond_what_the_thrusters_can_give(study: Any) -> None:
    """22 N at the 1.35 m/s that they drive the hull through the water, at most."""
    ceiling = 22.0 * 22.0 / study["HULL"].linear_damping[0]
    assert ceiling == pytest.approx(29.7, abs=0.05)
    known = study["SCENARIOS"][3]
    assert known.energy / known.time > 1.04 * ceiling
    for run in study["runs"].values():
        assert run.values("power.power").max() <= ceiling * 1.005


def test_the_print_of_scenario_7_is_more_speed_than_1_m_s_over_ground_takes(study: Any) -> None:
    known, run = study["SCENARIOS"][7], study["runs"][7]
    wanted = np.sqrt(known.energy / known.time / study["HULL"].linear_damping[0])
    assert wanted == pytest.approx(1.28, abs=0.005)
    assert np.linalg.norm(run.values("vessel.nu_r")[-500:, :2], axis=1).max() < 1.26


def test_power_terms_of_a_run_are_all_of_the_power(study: Any) -> None:
    run = study["runs"][6]
    total = sum(run.values(f"power.{term}_power") for term in ("inertia", "coriolis", "damping", "disturbance"))
    np.testing.assert_allclose(total, run.values("power.power"), atol=1e-12)
    assert np.abs(run.values("power.disturbance_power")).max() > 0.0


def test_a_current_that_carries_the_boat_drives_its_thrusters_first(study: Any) -> None:
    """From ν_r = -0.4 m/s to 0 at a time constant of m11/d11 towards 1.35 m/s."""
    run = study["runs"][2]
    power = run.values("power.power")
    assert power[0] == pytest.approx(-22.0 * 0.4)
    begins = run.time[np.flatnonzero(power > 0.0)[0]]
    assert begins == pytest.approx(9.75 / 16.296 * np.log(1.75 / 1.35), abs=0.01)
    assert begins < 0.17


def test_identification_finds_the_damping_again(study: Any) -> None:
    assert study["damping"] == pytest.approx(study["HULL"].linear_damping, rel=1e-3)


def test_power_in_still_water_goes_with_the_square_of_the_speed(study: Any) -> None:
    """Linear damping: P = d11 u²."""
    assert study["speeds"][[0, -1]] == pytest.approx([0.2, 1.5])
    np.testing.assert_allclose(study["powers"], 16.296 * study["speeds"] ** 2, rtol=1e-4)


def test_the_table_and_the_figures_are_there(study: Any) -> None:
    lines = study["table"](study["runs"]).splitlines()
    assert [int(line[:2]) for line in lines if line[:2].strip()] == [1, 2, 3, 4, 5, 6, 7]
    assert sum("the print is" in line for line in lines) == 2
    for name in ("lutra_energy.png", "lutra_power.png"):
        assert (study["folder"] / name).read_bytes().startswith(b"\x89PNG")


def test_the_page_shows_what_comes_out(study: Any) -> None:
    page = EXAMPLE.parents[1].joinpath("docs", "lutra_prop.md").read_text(encoding="utf-8")
    for number, run in study["runs"].items():
        known = study["SCENARIOS"][number]
        cells = f"{run.time[-1]:.1f} s | {known.time:.1f} s | {energy(study, number):.0f} J | {known.energy:.2f} J |"
        (row,) = (line for line in page.splitlines() if line.startswith(f"| {number} |"))
        assert row.endswith(cells)
