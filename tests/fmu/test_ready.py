"""`keelblocks new`, `run` and `export`: the FMU of a vehicle's first scenario has the bits of its run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from fmpy import simulate_fmu

from blocks.cli.commands import cli
from blocks.scenario import Scenario
from blocks.vehicles import describe, list_vehicles


def follows_its_run(vehicle: str, folder: Path) -> None:
    file, exported = folder / "mission.yaml", folder / "mission.fmu"
    for command in (
        ["new", str(describe(vehicle).kind), "--vehicle", vehicle, "-o", str(file)],
        ["export", str(file), "--only", "mission", "-o", str(exported)],
    ):
        done = CliRunner().invoke(cli, command)
        assert done.exit_code == 0, done.output
    run = Scenario.load(file).run()
    found = simulate_fmu(
        str(exported),
        stop_time=float(run.time[-1]),
        output_interval=float(run.time[1]),
        fmi_type="CoSimulation",
    )
    assert found["finished"][-1] == 1.0
    assert np.allclose(found["time"], run.time)
    for name in ("cross_track_error", "waypoint", "finished"):
        assert np.array_equal(found[name], run.values(f"guidance.{name}")), name
    for port in ("eta", "nu"):
        elements = np.column_stack([found[f"{port}[{i}]"] for i in range(1, 7)])
        assert np.array_equal(elements, run.values(f"vessel.{port}")), port


def test_a_first_scenario_leaves_in_an_fmu(tmp_path: Path) -> None:
    follows_its_run("lutra_prop", tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("vehicle", list_vehicles())
def test_every_first_scenario_leaves_in_an_fmu(vehicle: str, tmp_path: Path) -> None:
    follows_its_run(vehicle, tmp_path)
