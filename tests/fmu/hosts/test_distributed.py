"""FMUs in processes and on machines of their own, by Ecos' `proxyfmu`: the same numbers, in a network of their own."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_the_numbers_are_the_same_wherever_an_fmu_runs() -> None:
    paths = os.pathsep.join([os.environ["PYTHONPATH"], str(ROOT)])
    command = [sys.executable, "-m", "benchmarks.fmu.distributed", "--steps", "100"]
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": paths}, capture_output=True, text=True, timeout=150, check=False
    )
    if done.returncode == 2:
        pytest.skip(done.stderr.strip())
    assert done.returncode == 0, done.stderr
    assert "over TCP" in done.stdout
    assert "the same numbers to the last bit" in done.stderr
