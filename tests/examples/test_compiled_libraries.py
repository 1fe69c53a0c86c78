"""Libraries in examples/, built as their users would: a float that takes wave power, and a drag in three ways."""

from __future__ import annotations

import runpy
import shutil
from pathlib import Path

import numpy as np
import pytest
from cosimulation import Job, cosimulate
from libraries import needs_compiler

import fmu
from blocks import simulate
from blocks.libraries.building import build
from blocks.libraries.compiling import platforms_of
from blocks.libraries.package import find_library
from blocks.metrics import measure
from blocks.scenario import Scenario
from fmu.compare import compare_whole, run_in_process

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def built(name: str, folder: Path) -> Path:
    """A copy of an example whose library is built for this machine."""
    copy = shutil.copytree(EXAMPLES / name, folder / name, ignore=shutil.ignore_patterns("__keelblocks__"))
    build(find_library(str(copy)), platforms_of(()))
    return copy


@needs_compiler
def test_a_tuned_float_takes_the_power_of_a_wave_length_over_two_pi_also_as_an_fmu(tmp_path: Path) -> None:
    """Its own tests have the rest. What leaves in an FMU computes the same in FMPy, libcosim and Ecos."""
    folder = built("wave_energy", tmp_path)
    wave = Scenario.load(folder / "regular_wave.yaml")
    (power,) = measure(wave.run(every=1), ["mean(pto.power, after=60 s)"]).values()
    omega = 2.0 * np.pi / 4.4
    assert float(power) * 4.0 * omega / (1000.0 * 9.81**2 * 0.25**2) == pytest.approx(9.81 / omega**2, rel=1e-3)

    sea = Scenario.load(folder / "sea.yaml").diagram
    path = fmu.export(sea, tmp_path / "sea.fmu", name="sea", step=0.02, end=10.0)
    here = run_in_process(sea, 10.0, solver="rk4", step=0.02)
    assert max(one.relative for one in compare_whole(path, here, 0.02)) < 1e-12
    run = simulate(sea, 10.0, solver="rk4", step=0.02, every=5)
    job = Job({"sea": path}, step=0.1, steps=100, record=["sea.position", "sea.energy"])
    wanted = np.column_stack([run.values("float.position"), run.values("meter.energy")])[1:]
    for tool in ("libcosim", "ecos"):
        (rows,) = cosimulate(tool, [job], tmp_path)
        assert not isinstance(rows, str), rows
        np.testing.assert_allclose(rows, wanted, rtol=1e-9, err_msg=tool)


@needs_compiler
def test_a_drag_in_three_ways_has_the_same_bits_and_is_the_closed_form(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = built("three_ways", tmp_path)
    monkeypatch.syspath_prepend(str(folder))
    names = runpy.run_path(str(folder / "three_ways.py"))
    results = names["results"]
    assert list(results) == ["Formula", "in Python", "compiled"]
    for name, result in results.items():
        assert names["same"](result, results["compiled"]), name
    speed = results["compiled"]
    assert speed.values("speed.y") == pytest.approx(names["exact"](speed.time), rel=1e-9)
    assert [names["needs"](names["hull"](drag)) for drag, _ in names["WAYS"].values()] == [
        "nothing",
        "Python",
        "nothing",
    ]
