"""Instructions per member and step, by the engine and in lanes of four, as callgrind counts them: no noise of a clock.

Valgrind runs this program once for each, with AVX2, the widest that it knows. It takes two to three minutes.
"""

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

import numpy as np

from benchmarks import lanes, sea
from benchmarks.model import BenchmarkError
from benchmarks.report import show
from blocks.errors import KeelblocksError
from blocks.live.learning import ScenarioVectorEnv
from blocks.live.learning.registration import task_file

COUNTED = {"engine": "__pyx_f_14cython_kernels_4core_6engine_go_on", "lanes": "keelblocks_go_together"}
"""What goes on, by the engine and side by side: instructions within it count, and within what it calls."""
_LOOPS, _SEAS, _STEPS = 20.0, 10.0, 20
"""Seconds, and steps of an environment: a step takes as many instructions in a long run."""


def closed_loop(compiled: bool) -> int:
    """The benchmark model; how many steps members took."""
    lanes.closed_loop(_LOOPS)(compiled)
    return lanes.MEMBERS * round(_LOOPS / 0.02)


def smarty(compiled: bool) -> int:
    """SMARTY among 75 waves."""
    lanes.smarty(_SEAS)(compiled)
    return 16 * round(_SEAS / sea.STEP)


def learners(compiled: bool) -> int:
    """The Otter that learns to follow a path."""
    env = ScenarioVectorEnv(task_file("OtterPathFollowing"), num_envs=lanes.MEMBERS, threads=1, compiled=compiled)
    env.reset(seed=1)
    numbers = np.random.default_rng(1)
    for _ in range(_STEPS):
        env.step(numbers.uniform(-1.0, 1.0, env.action_space.shape or ()).astype(np.float32))
    return lanes.MEMBERS * _STEPS * round(env.setup.interval / env.fleet.plan.settings.step)


MODELS: dict[str, Callable[[bool], int]] = {
    "benchmark model": closed_loop, "SMARTY among 75 waves": smarty, "learners": learners,
}  # fmt: skip


def count(model: str, way: str) -> float:
    """Instructions per member and step."""
    with tempfile.TemporaryDirectory() as scratch:
        counts = Path(scratch, "counts")
        told = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={counts}", "--collect-atstart=no",
             f"--toggle-collect={COUNTED[way]}", sys.executable, "-m", __spec__.name, "--go", model, way],
            capture_output=True, text=True, check=True,
        ).stdout  # fmt: skip
        found = re.search(r"^(?:summary|totals): (\d+)", counts.read_text(encoding="utf-8"), re.M)
    if found is None or found[1] == "0":
        raise BenchmarkError(f"{COUNTED[way]} was not seen: builds for every platform have no names; run `make build`")
    return int(found[1]) / int(told.split()[-1])


def main() -> int:
    """Count and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--go", nargs=2, metavar=("MODEL", "WAY"), help=argparse.SUPPRESS)  # what Valgrind runs
    options = parser.parse_args()
    if options.go:
        model, way = options.go
        print(MODELS[model](way == "lanes"))
        return 0
    if shutil.which("valgrind") is None:
        print("not run: there is no valgrind here (apt-get install valgrind)", file=sys.stderr)
        return 2
    try:
        figures = {f"{m}: {way}": {"value": count(m, way), "unit": ""} for m in MODELS for way in COUNTED}
    except (BenchmarkError, KeelblocksError) as problem:
        print(problem, file=sys.stderr)
        return 2
    show("instructions per member and step of RK4", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
