"""The CUDA C++ on the processor: the same text, a thread after the other, against `simulate` to the last bit."""

from __future__ import annotations

import ctypes
import json
import re
import sys
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from busy import busy

from benchmarks.gpu.comparison import LAUNCHES, differing, sail
from benchmarks.gpu.counting import operations
from benchmarks.gpu.otters import NAME, by_swarm, otters
from benchmarks.gpu.processor import FLAGS, OnProcessor
from benchmarks.model import BenchmarkError
from blocks import Diagram, simulate
from blocks.basic import Compare, Gain, Integrator
from blocks.dynamics import Vessel3DOF
from blocks.trials.circumstances import driven
from blocks.trials.samples import Sample
from fmu.cuda.export import export_cuda
from fmu.cuda.rows import STATUS


def on_processor(
    what: Any, folder: Path, members: int, flags: tuple[str, ...] = ("-O1", *FLAGS[1:]), **how: Any
) -> tuple[OnProcessor, dict[str, Any]]:
    """A model as it is exported, on the processor, and its rows."""
    export_cuda(what, folder, name="model", **how)
    rows = json.loads((folder / "model.json").read_text())
    try:
        made = OnProcessor((folder / "model.cu").read_text(), "model", rows["rows"], members, folder, flags)
    except BenchmarkError as problem:
        if "there is no C++ compiler" in str(problem):
            pytest.skip(str(problem))
        raise
    made.set_defaults()
    return made, rows


def test_members_with_inputs_and_parameters_of_their_own(tmp_path: Path) -> None:
    members, steps = 35, 200  # the last block has threads without a member
    fleet, rows = on_processor(busy(), tmp_path, members, step=0.01)
    gains, inputs = np.linspace(1.0, 4.0, members), np.linspace(-1.0, 1.0, members)
    fleet.set_row(rows["parameters"]["gain_gain"]["row"], gains)
    fleet.set_row(rows["inputs"]["u"]["row"], inputs)
    fleet.start()
    names = [*busy().output_ports]
    seen = []
    for launched in (1, 99, 100):
        fleet.step(launched)
        seen.append([fleet.row(rows["time"]), *(fleet.row(rows["outputs"][name]["row"]) for name in names)])
    assert not fleet.status().any()
    for member in (0, 1, 17, 31, 32, 34):
        run = simulate(
            busy(float(gains[member])), 0.01 * steps, step=0.01, solver="rk4", inputs={"u": float(inputs[member])}
        )
        for at, instant in enumerate((0, 99, 199)):
            wanted = [run.time[instant], *(run.values(name)[instant] for name in names)]
            assert np.array(seen)[at, :, member].tobytes() == np.array(wanted, dtype=float).tobytes()


def test_otters_and_that_a_difference_is_seen(tmp_path: Path) -> None:
    made = otters()
    try:
        fleet = OnProcessor(made.source, NAME, made.rows.count, 12, tmp_path)
    except BenchmarkError as problem:
        pytest.skip(str(problem))
    sample = np.array([0, 5, 11])
    _, seen = sail(made, fleet, 10, sample)
    wanted = by_swarm(sample, 12, 10, LAUNCHES)
    assert differing(made, seen, wanted) == {}
    seen[4, 1, 2] = np.nextafter(seen[4, 1, 2], np.inf)
    (said,) = differing(made, seen, wanted)
    assert said.startswith("eta: 1 of 198, from instant 4 on, by up to ")


def tank() -> Diagram:
    diagram = Diagram("tank")
    diagram.add("gain", Gain(2.0))
    diagram.add("level", Integrator(initial_x=1.0))
    diagram.add("full", Compare(">="))
    diagram.connect(diagram["gain"].y, diagram["level"].u)
    diagram.connect(diagram["level"].y, diagram["full"].u1)
    diagram.inputs(flow=diagram["gain"].u, brim=diagram["full"].u2)
    diagram.outputs(level=diagram["level"].y, full=diagram["full"].y)
    return diagram


def test_parameters_between_steps_and_time_that_stands(tmp_path: Path) -> None:
    fleet, rows = on_processor(tank(), tmp_path, 3, step=0.5, solver="euler", stop="full")
    fleet.set_row(rows["inputs"]["flow"]["row"], np.array([1.0, 1.0, 0.0]))
    fleet.set_row(rows["inputs"]["brim"]["row"], np.array([3.0, 9.0, 9.0]))
    fleet.start()
    fleet.step(4)
    assert fleet.status().tolist() == [STATUS["stopped"], 0, 0]
    assert fleet.row(rows["time"]).tolist() == [1.0, 1.5, 1.5]
    assert fleet.row(rows["outputs"]["level"]["row"]).tolist() == [3.0, 4.0, 1.0]
    fleet.set_row(rows["parameters"]["gain_gain"]["row"], np.array([4.0, 4.0, 4.0]))
    fleet.set_row(rows["inputs"]["brim"]["row"], np.array([9.0, 9.0, 9.0]))
    fleet.parameters_changed()
    fleet.step(2)
    assert fleet.status().tolist() == [0, 0, 0]
    assert fleet.row(rows["time"]).tolist() == [1.5, 2.5, 2.5]
    assert fleet.row(rows["outputs"]["level"]["row"]).tolist() == [5.0, 7.0, 1.0]


def test_the_example_of_the_readme(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """With arrays of NumPy and the kernels on the processor in the place of CuPy."""
    fleet, _ = on_processor(tank(), tmp_path, 1, step=0.5, solver="euler")
    (example,) = re.findall(r"```python\n(.*?)```", (tmp_path / "README.md").read_text(), re.S)
    cupy = types.ModuleType("cupy")
    handed: list[tuple[str, ...]] = []

    class RawModule:
        def __init__(self, code: str, options: tuple[str, ...]) -> None:
            assert code == (tmp_path / "model.cu").read_text()
            handed.append(options)

        def get_function(self, name: str) -> Callable[..., None]:
            launch = getattr(fleet.code, f"launch_{name.removeprefix('model_all_')}")

            def launched(blocks: tuple[int, ...], threads: tuple[int, ...], arguments: tuple[Any, ...]) -> None:
                assert blocks[0] * threads[0] >= 1000
                launch(*(
                    ctypes.c_void_p(a.ctypes.data) if isinstance(a, np.ndarray) else ctypes.c_longlong(int(a))
                    for a in arguments
                ))  # fmt: skip

            return launched

    vars(cupy).update(empty=np.empty, linspace=np.linspace, RawModule=RawModule)
    monkeypatch.setitem(sys.modules, "cupy", cupy)
    monkeypatch.chdir(tmp_path)
    exec(example.replace("1_000_000", "1_000"))
    assert handed == [("--fmad=false",)]
    first, last = (1.0 + 99 * 0.5 * 2.0 * flow for flow in (0.1, 1.0))
    shown = capsys.readouterr().out.strip("[]\n").split()
    assert (float(shown[0]), float(shown[-1])) == pytest.approx((first, last))


def test_a_member_that_cannot_go_on_leaves_the_others_alone(tmp_path: Path) -> None:
    fleet, rows = on_processor(Vessel3DOF.from_vehicle("otter"), tmp_path, 3, step=0.1)
    places = {name: found["row"] for name, found in rows["parameters"].items()}
    for row in (places["mass"], places["yaw_inertia"], *range(places["added_mass"], places["added_mass"] + 9)):
        fleet.set_row(row, fleet.row(row) * np.array([1.0, 0.0, 1.0]))
    force = rows["inputs"]["force"]["row"]
    fleet.set_row(force, np.array([1.0, 1.0, np.inf]))
    fleet.start()
    fleet.step(5)
    assert fleet.status().tolist() == [0, STATUS["fault"], STATUS["not_finite"]]
    block, fault = fleet.faults()
    assert (block.tolist(), fault.tolist()) == ([-1, 0, block[2]], [0, 1, 0])
    before = fleet.row(rows["time"])
    fleet.step(5)
    assert (fleet.row(rows["time"]) - before).tolist() == pytest.approx([0.5, 0.0, 0.0])


def test_what_is_compiled_with_contraction_says_so(tmp_path: Path) -> None:
    cpuinfo = Path("/proc/cpuinfo")
    if not cpuinfo.exists() or " fma " not in cpuinfo.read_text():
        pytest.skip("this processor makes two roundings of a product and a sum, whatever the compiler is told")
    flags = ("-O2", "-mfma", "-ffp-contract=fast", "-fno-strict-aliasing")
    fleet, _ = on_processor(tank(), tmp_path, 2, flags, step=0.5)
    fleet.start()
    assert fleet.status().tolist() == [STATUS["contracted"]] * 2
    fleet.step(1)
    assert fleet.status().tolist() == [STATUS["contracted"]] * 2


def test_operations_are_counted(tmp_path: Path) -> None:
    export_cuda(tank(), tmp_path, step=0.5, solver="euler", name="model")
    rows = json.loads((tmp_path / "model.json").read_text())
    source = (tmp_path / "model.cu").read_text()
    try:
        given = [(rows["inputs"]["flow"]["row"], np.ones(2))]
        found = operations(source, "model", rows["rows"], 2, 10, given, tmp_path)
    except BenchmarkError as problem:
        pytest.skip(str(problem))
    assert found["divisions"] == found["square roots"] == 0.0
    assert found["multiplications"] >= 2.0  # by the gain, and by the step
    assert found["comparisons"] >= 1.0


@pytest.mark.slow
@pytest.mark.parametrize("group", range(6))
def test_every_block(all_samples: list[Sample], group: int, tmp_path: Path) -> None:
    whole = Diagram("together")
    for number, sample in enumerate(all_samples[group::6]):
        whole.add(f"d{number}", driven(sample))
    fleet, rows = on_processor(whole, tmp_path, 2, step=0.05)
    fleet.start()
    run = simulate(whole, 1.0, step=0.05, solver="rk4")
    wrong = []
    for instant, steps in ((0, 1), (20, 20)):
        fleet.step(steps)
        assert not fleet.status().any()
        for name in run:
            found = rows["outputs"][name.replace(".", "_")]
            values = np.ravel(np.asarray(run.values(name)[instant], dtype=float))
            for i, wanted in enumerate(values):
                if fleet.row(found["row"] + i).tobytes() != np.array([wanted, wanted]).tobytes():
                    wrong.append((name, instant, i))
    assert not wrong
