"""The short examples run, and what they show is so. The Minerva missions have tests of their own."""

from __future__ import annotations

import runpy
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.study.file import StudyDocument

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def run_example(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Run an example in an empty folder; its names."""
    monkeypatch.chdir(tmp_path)
    return lambda name: runpy.run_path(str(EXAMPLES / f"{name}.py"))


def test_quickstart_arrives_with_either_vessel_and_writes_its_files(run_example: Any, tmp_path: Path) -> None:
    names = run_example("quickstart")
    goal = np.array(names["path"][-1])
    for result in (names["simple"], names["full"]):
        assert result.status == "stopped"
        assert np.linalg.norm(result.values("vessel.eta")[-1, :3] - goal) < 2.1
    assert names["simple"].time[-1] == pytest.approx(names["full"].time[-1], rel=0.05)
    assert (tmp_path / "rov.nc").stat().st_size > 0
    assert "resources/plan.bin" in zipfile.ZipFile(tmp_path / "rov.fmu").namelist()


def test_a_tether_holds_the_vehicle_where_pull_and_thrust_balance(run_example: Any) -> None:
    names = run_example("python_block")
    x = names["result"].values("vessel.eta[x]")
    stretch = 50.0 / 100.0  # thrust over stiffness
    assert x[-1] == pytest.approx(20.0 + stretch, abs=0.05)
    assert names["result"].values("tether.force[X]").max() == 0.0


def test_the_tether_is_slack_until_it_is_taut(run_example: Any) -> None:
    tether = run_example("python_block")["Tether"](length=10.0, stiffness=50.0)
    slack = tether.evaluate(eta=[6.0, 0.0, 8.0, 0.0, 0.0, 0.0])
    assert not slack.outputs["force"].any()
    taut = tether.evaluate(eta=[12.0, 0.0, 16.0, 0.0, 0.0, np.pi / 2])  # 20 m away, heading east
    assert taut.outputs["stretch"] == pytest.approx(10.0)
    assert taut.outputs["force"] == pytest.approx([0.0, 300.0, -400.0, 0.0, 0.0, 0.0])


def test_more_gain_turns_faster_and_overshoots(run_example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    names = run_example("pid_step")
    lines = capsys.readouterr().out.splitlines()
    overshoot = [float(line.split("overshoot")[1].split("%")[0]) for line in lines]
    assert len(overshoot) == 3
    assert overshoot == sorted(overshoot)
    assert overshoot[0] < 1.0 < 5.0 < overshoot[-1]
    assert names["response"].values("vessel.eta[psi]")[-1] == pytest.approx(names["STEP"], rel=0.01)


def test_a_sweep_in_threads_gives_what_single_runs_give(run_example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    names = run_example("sweep")
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == len(names["currents"])
    last = names["currents"][-1]
    arrival, energy = names["mission"](last)
    assert lines[-1] == f"current {last:4.2f} m/s: arrived after {arrival:5.1f} s, {energy / 3600:4.1f} W h"


def test_an_fmu_answers_to_its_input_and_its_parameter(run_example: Any, capsys: pytest.CaptureFixture[str]) -> None:
    names = run_example("fmu_in_fmpy")
    times, commands = [0.0, 10.0, 60.0], [[0.0] * 5, [0, 0, 0, 10, 10], [0, 0, 0, 10, 10]]
    here = simulate(names["plant"], end=60, step=0.02, inputs={"command": (times, commands)})
    assert names["run"]["nu[1]"][-1] == pytest.approx(here.values("vessel.nu[u]")[-1], rel=1e-3)
    light, dense = (float(line.split("u = ")[1].split()[0]) for line in capsys.readouterr().out.splitlines())
    assert light < dense  # less thrust from lighter water; the damping is a parameter of its own


def test_fidelity_is_swapped_in_place_and_each_rung_comes_nearer(run_example: Any, tmp_path: Path) -> None:
    names = run_example("swap_fidelity")
    results, away = names["results"], names["away"]
    assert list(results) == ["Kinematic", "Nomoto", "3 DOF", "6 DOF"]
    for result in results.values():
        assert result.status == "stopped"
        assert np.linalg.norm(result.values("vessel.eta")[-1, :2] - names["PATH"][-1][:2]) < 2.1
    assert away["Kinematic"] > away["Nomoto"] > away["3 DOF"] > away["6 DOF"] == 0.0
    assert [names["needs"](vessel) for vessel in names["RUNGS"].values()] == [3, 5, 8, 28]
    sway = {name: np.abs(result.values("vessel.nu_r[v]")[1000:]).max() for name, result in results.items()}
    assert sway["Kinematic"] < 1e-6
    assert sway["Nomoto"] < 1e-3 < 0.1 < min(sway["3 DOF"], sway["6 DOF"])
    assert (tmp_path / "swap_fidelity.png").stat().st_size > 10_000


def test_a_study_of_currents_makes_a_table_of_its_members() -> None:
    """A few seconds of each member: on the first leg, the more current across it the more the track is off."""
    document = StudyDocument.load(EXAMPLES / "studies" / "minerva_currents.yaml")
    study = document.study(end="15 s", step="40 ms")
    assert study.members.dimensions == {"current": 3, "direction": 6, "gains": 2}
    dataset = study.run().dataset
    across = dataset["cross_track_error"].sel(direction=np.pi / 3, gains="ours")
    assert np.all(np.diff(across) > 0.0)
    assert float(dataset["energy"].min()) > 0.0
    assert set(dataset["status"].values.ravel()) == {"end"}
