"""C for controllers gives the numbers of `simulate`, to the last bit: every block, every fixed step, every example."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import numpy as np
import pytest
from busy import busy
from flat_c import FLAGS, assert_same, compiler, run_c
from same_bits import together

from blocks import Scenario, simulate
from blocks.report import add_outputs
from blocks.trials.samples import Sample
from fmu.flat_c.export import export_c

SANITIZERS = ("-O0", "-fsanitize=undefined,address", "-fno-sanitize-recover=all")
EXAMPLES = Path(__file__).parents[3] / "examples"


@pytest.mark.slow
@pytest.mark.parametrize("group", range(6))
def test_every_block(all_samples: list[Sample], group: int, tmp_path: Path) -> None:
    """And none does what C leaves undefined, where there is a clang with sanitizers to say so."""
    whole = together(all_samples[group::6])
    export_c(whole, tmp_path, step=0.05)
    table, status, said = run_c(tmp_path, "together", 21)
    assert (status, said) == (0, "")
    run = simulate(whole, 1.0, step=0.05, solver="rk4")
    assert_same(table, run, list(run))
    if _sanitizes(tmp_path):
        table, *_ = run_c(tmp_path, "together", 21, cc="clang", flags=SANITIZERS)
        assert_same(table, run, list(run))


def _sanitizes(folder: Path) -> bool:
    (folder / "empty.c").write_text("int main(void) { return 0; }\n")
    command = ["clang", *SANITIZERS, "empty.c", "-o", "empty"]
    return bool(shutil.which("clang")) and subprocess.run(command, cwd=folder, check=False).returncode == 0


@pytest.mark.parametrize("solver", ["rk4", *(pytest.param(name, marks=pytest.mark.slow) for name in ("euler", "heun"))])
@pytest.mark.parametrize("cc", ["gcc", pytest.param("clang", marks=pytest.mark.slow)])
def test_samples_modes_events_and_noise(solver: str, cc: str, tmp_path: Path) -> None:
    export_c(busy(), tmp_path, step=0.01, solver=solver, name="busy")
    table, status, said = run_c(tmp_path, "busy", 301, [1.0], cc)
    assert (status, said) == (0, "")
    run = simulate(busy(), 3.0, step=0.01, solver=solver, inputs={"u": 1.0})
    assert_same(table, run, [name for name in run if name != "u"])


@pytest.mark.slow
@pytest.mark.parametrize("flags", [(), ("-DKEELBLOCKS_SOFT",)], ids=["square roots by the processor", "and by itself"])
def test_mission(flags: tuple[str, ...], tmp_path: Path) -> None:
    scenario = Scenario.load(EXAMPLES / "minerva_mission.yaml")
    add_outputs(scenario.diagram, scenario.report)
    export_c(scenario.diagram, tmp_path, step=0.02, stop="mission.finished")
    table, status, _ = run_c(tmp_path, "minerva_mission", 3001, flags=flags)
    names = list(scenario.diagram.output_ports)
    assert status == 0
    assert_same(table, simulate(scenario.diagram, 60.0, step=0.02, solver="rk4", record=names), names)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["minerva_los", "minerva_survey", "otter_los", "towing", "tutorial/tern_survey"])
def test_examples(name: str, tmp_path: Path) -> None:
    scenario = Scenario.load(EXAMPLES / f"{name}.yaml")
    add_outputs(scenario.diagram, scenario.report)
    step = scenario.plan().settings.step
    export_c(scenario.diagram, tmp_path, step=step, solver="heun", name="model")
    table, status, _ = run_c(tmp_path, "model", 1001)
    names = list(scenario.diagram.output_ports)
    assert status == 0
    assert_same(table, simulate(scenario.diagram, 1000 * step, step=step, solver="heun", record=names), names)


def test_it_needs_no_mathematics_library(busy_c: Path) -> None:
    command = [compiler("gcc"), *FLAGS, "-Os", "-c", "busy.c"]
    subprocess.run(command, cwd=busy_c, check=True)
    told = subprocess.run(["nm", "-u", "busy.o"], cwd=busy_c, capture_output=True, text=True, check=True).stdout
    assert {line.split()[-1] for line in told.splitlines()} <= {"memcpy", "memset", "memcmp", "_GLOBAL_OFFSET_TABLE_"}


def test_own_square_root_is_correctly_rounded(tmp_path: Path) -> None:
    from fmu.flat_c.arithmetic import with_own_arithmetic

    _, own = with_own_arithmetic("sqrt(floor(ceil(round(fabs(")
    program = f"""#include <string.h>\n#include <stdio.h>\n#define KEELBLOCKS_SOFT\n{own}
    int main(void) {{ double x[4]; while (fread(x, 8, 1, stdin) == 1) {{
        double y[4] = {{own_sqrt(x[0]), own_floor(x[0]), own_ceil(x[0]), own_round(x[0])}};
        fwrite(y, 8, 4, stdout); }} return 0; }}"""
    (tmp_path / "own.c").write_text(program)
    subprocess.run([compiler("gcc"), "-std=c99", "-O1", "own.c", "-o", "own"], cwd=tmp_path, check=True)
    random = np.random.default_rng(19)
    bits = random.integers(0, 0x7FF0 << 48, 200_000, dtype=np.uint64)
    edges = [0.0, 5e-324, 2.2e-308, 1.0, 2.0, 4.0, 0.49999999999999994, 2.0**52 - 0.5, 1.7976931348623157e308, 0.5]
    near = random.uniform(0.0, 10.0, 100_000)
    x = np.concatenate([bits.view(float), np.array(edges), near])
    ran = subprocess.run([tmp_path / "own"], input=x.tobytes(), capture_output=True, check=True)
    root, floor, ceiling, rounded = np.frombuffer(ran.stdout).reshape(-1, 4).T
    assert root.tobytes() == np.sqrt(x).tobytes()
    assert floor.tobytes() == np.floor(x).tobytes()
    assert ceiling.tobytes() == np.ceil(x).tobytes()
    away = np.where(x - np.floor(x) >= 0.5, np.floor(x) + 1.0, np.floor(x))
    assert rounded.tobytes() == away.tobytes()
