"""The mission in phases as an FMU: the bits of a run."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from fmpy import simulate_fmu

from blocks import simulate
from blocks.scenario import Scenario
from fmu import export

EXAMPLE = Path(__file__).parents[2] / "examples" / "minerva_mission.yaml"
OUTPUTS = {name: f"mission.{name}" for name in ("heading", "speed", "depth", "phase", "aborted", "finished")}


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_a_mission_leaves_in_an_fmu(fmi: str, tmp_path: Path) -> None:
    diagram = Scenario.load(EXAMPLE).diagram
    diagram["battery"].set(initial_state_of_charge=0.215)  # low enough to be given up in the survey
    diagram.outputs(**OUTPUTS)
    run = simulate(diagram, 120.0, step=0.02, solver="rk4", every=25)
    path = export(diagram, tmp_path / "mission.fmu", step=0.02, fmi=fmi)
    found = simulate_fmu(str(path), stop_time=120.0, output_interval=0.5, fmi_type="CoSimulation", output=[*OUTPUTS])
    assert run.values("mission.aborted")[-1] == 1.0
    for name, output in OUTPUTS.items():
        assert np.array_equal(found[name], run.values(output)), name
