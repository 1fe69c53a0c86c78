"""Loops over waves by each of their paths: narrow and wide instructions have to give equal bits."""

from __future__ import annotations

import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from blocks import Block
from blocks.environment import (
    BretschneiderSea,
    GustingWind,
    MotionRAO,
    SeaSurface,
    WaveForceRAO,
    WaveGauges,
    WaveLoad,
)
from blocks.errors import SimulationError
from blocks.plan import make_plan
from cython_kernels import engine as native

HALF = np.linspace(0.0, np.pi, 7)
AROUND = np.linspace(0.0, 2.0 * np.pi, 13, endpoint=False)


def table(headings: np.ndarray) -> WaveForceRAO:
    """Random transfer functions and drift; in a table of one side what does not push to a side."""
    random = np.random.default_rng(1)
    shape = (6, 20, len(headings))
    amplitude, phase = random.uniform(0.0, 1.0, shape), random.uniform(-3.0, 3.0, shape)
    drift = random.uniform(-1.0, 1.0, (3, *shape[1:]))
    if headings is HALF:
        amplitude[1::2] = drift[1:] = 0.0
    return WaveForceRAO(
        frequencies=np.linspace(0.5, 2.5, 20), headings=headings, amplitude=amplitude, phase=phase, mean_drift=drift
    )


def motions(headings: np.ndarray) -> MotionRAO:
    """The same as motions."""
    given = table(headings).values
    return MotionRAO(**{name: given[name] for name in ("frequencies", "headings", "amplitude", "phase")})


def outputs(block: Block, waves: np.ndarray) -> np.ndarray:
    """All outputs of a block, among these waves if it takes any, at many times and places."""
    takes_waves = "waves" in block.input_ports
    plan = make_plan(block, input_shapes={"waves": waves.shape} if takes_waves else {})
    engine = plan.engine()
    engine.initialise(0.0)
    if takes_waves:
        engine.values[plan.inputs["waves"].slice] = waves.ravel()
    places = [place.slice for name, place in plan.inputs.items() if name != "waves"]
    random = np.random.default_rng(2)
    found = []
    for t in random.uniform(0.0, 1e4, 200):
        for place in places:
            engine.values[place] = random.uniform(-3.0, 3.0, place.stop - place.start)
        engine.look(t)
        found += [engine.values[place.slice].copy() for place in plan.outputs.values()]
    return np.concatenate(found)


PROCESSORS = Path("/proc/cpuinfo")
HAS_PATHS = platform.machine() == "x86_64" and sys.platform == "linux" and not native.CHECKED_BUILD


@pytest.mark.skipif(not HAS_PATHS, reason="wide paths are for x86_64, and not in a checked build")
def test_the_widest_path_is_what_the_processor_has() -> None:
    """By what the system says of it; the tests below are skipped where there is one path only."""
    has = set(re.findall(r"\w+", PROCESSORS.read_text().split("flags", 1)[1].splitlines()[0]))
    wanted = "avx512" if {"avx512f", "avx512dq", "avx512vl"} <= has else "avx2" if "avx2" in has else "baseline"
    try:
        assert native.use_simd(native.SIMD[-1]) == wanted
    finally:
        native.use_simd()


@pytest.fixture
def paths() -> Iterator[list[str]]:
    """What this machine has; afterwards again what is asked for."""
    found = [path for path in native.SIMD if native.use_simd(path) == path]
    if len(found) == 1:
        pytest.skip("this machine or this build has one path only")
    yield found
    native.use_simd()


@pytest.mark.parametrize(
    "block",
    [
        SeaSurface(),
        WaveGauges(np.linspace(-40.0, 40.0, 10).reshape(5, 2)),
        WaveLoad(length=3.0, breadth=1.0, areas=(0.5, 1.5, 3.0)),
        table(HALF),
        table(AROUND),
        motions(HALF),
        motions(AROUND),
        GustingWind(12.0, harmonics=45),
    ],
    ids=["surface", "gauges", "load", "half a table", "table", "half of motions", "motions", "gusts"],
)
def test_every_path_gives_the_same_bits(block: Block, paths: list[str]) -> None:
    for frequencies, depth in ((15, 1e9), (7, 8.0)):  # 45 and 21 waves: not whole eights
        sea = BretschneiderSea(2.0, 6.0, frequencies=frequencies, directions=3, depth=depth, seed=3)
        waves = np.asarray(sea.evaluate().outputs["waves"])
        found = []
        for path in paths:
            native.use_simd(path)
            found.append(outputs(block, waves))
        assert np.isfinite(found[0]).all()
        assert found[0].any()
        for other in found[1:]:
            assert np.count_nonzero(found[0].view(np.int64) != other.view(np.int64)) == 0


def test_the_environment_names_the_widest_path(paths: list[str]) -> None:
    """In a process of its own, since it is looked at once."""
    said = subprocess.run(
        [sys.executable, "-c", "from cython_kernels import engine; print(engine.use_simd())"],
        env=os.environ | {"KEELBLOCKS_SIMD": "baseline"}, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert said.stdout.strip() == "baseline"
    assert native.use_simd(native.SIMD[-1]) == paths[-1] != "baseline"


def test_a_path_that_there_is_not_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(native, "ASKED_SIMD", "avx3")
    message = (
        r"^the environment variable KEELBLOCKS_SIMD is 'avx3'; it names the widest instructions that loops over waves "
        r"may take, one of baseline, avx2, avx512; correct it, or unset it for the widest there are$"
    )
    with pytest.raises(SimulationError, match=message):
        make_plan(BretschneiderSea(2.0, 6.0))
