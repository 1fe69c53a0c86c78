"""Minerva's autopilot on a Cortex-M4 that QEMU imitates: the numbers of the run here, to the last bit."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import numpy as np
import pytest

from benchmarks.flat_c import cortex_m4, mission

pytestmark = pytest.mark.skipif(
    bool(cortex_m4.missing()), reason=f"there is no compiler for the Cortex-M4, or no QEMU: {cortex_m4.missing()}"
)


@pytest.mark.slow
def test_mission_with_the_autopilot_on_the_board(tmp_path: Path) -> None:
    folder = mission.write(tmp_path)
    program, sizes = cortex_m4.build(folder, mission.NAME)
    assert sizes.code < 30_000  # the first trial, with a whole runtime of FMI, took 53 000
    with cortex_m4.Board(program, sum(mission.OUTPUTS.values())) as board:
        there = mission.sail(mission.on(board), 20.0)
    here = mission.sail(mission.here(), 20.0)
    assert np.isfinite(here).all()
    assert np.ptp(here[:, 18:23]) > 1.0  # the propellers have work
    assert there.tobytes() == here.tobytes()


@pytest.mark.slow
def test_nothing_is_called_but_the_compilers_own(tmp_path: Path) -> None:
    folder = mission.write(tmp_path)
    cortex_m4.build(folder, mission.NAME)
    told = subprocess.run(["arm-none-eabi-nm", "-u", "model.o"], cwd=folder, capture_output=True, text=True, check=True)
    names = {line.split()[-1] for line in told.stdout.splitlines()}
    assert names
    assert {name for name in names if not name.startswith("__aeabi_")} <= {"memcpy", "memset", "memcmp"}


@pytest.mark.slow
def test_no_step_takes_more_operations_than_are_told(tmp_path: Path) -> None:
    folder = mission.write(tmp_path)
    program, _ = cortex_m4.build(folder, mission.NAME, counted=True)
    table = (folder / "README.md").read_text()
    told = [
        int(re.search(rf"^\| {what} \| (\d+) \| (\d+) \| (\d+) \|$", table, re.M)[1])
        for what in ("additions", "multiplications", "divisions", "comparisons")
    ]
    with cortex_m4.Board(program, sum(mission.OUTPUTS.values()), counted=True) as board:
        counts = []

        def autopilot(seen):
            said = mission.on(board)(seen)
            counts.append(board.counts)
            return said

        mission.sail(autopilot, 20.0)
    greatest = np.max(counts, axis=0)
    print(greatest, told)
    assert (greatest[:3] <= told[:3]).all()
    assert greatest[1] > 0.05 * told[1]  # nor are they told out of all proportion
