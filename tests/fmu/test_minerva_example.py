"""examples/minerva_fmu.py: the mission as FMUs agrees with the run, as the example itself checks."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "minerva_fmu.py"


def test_the_mission_as_fmus_agrees_with_the_run(tmp_path):
    environment = os.environ | {"COLUMNS": "120", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, str(EXAMPLE), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, encoding="utf-8", env=environment, timeout=120)
    assert (done.returncode, done.stderr) == (0, "")
    assert "minerva_los.fmu in FMPy, 160 s: difference from the run" in done.stdout
    assert "plant.fmu + autopilot.fmu: RMS difference from the run" in done.stdout
    assert sorted(path.name for path in tmp_path.iterdir()) == ["autopilot.fmu", "minerva_los.fmu", "plant.fmu"]
