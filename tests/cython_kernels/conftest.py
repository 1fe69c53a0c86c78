"""What the tests of the engine and its C share."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from webassembly import skip_without_webassembly

from blocks.basic import (
    DiscreteIntegrator,
    Gain,
    GaussianNoise,
    Integrator,
    LimitedIntegrator,
    Sine,
    Step,
    Sum,
    TransferFunction,
    UnitDelay,
)
from blocks.block import Block
from blocks.control import PID
from blocks.diagram import Diagram
from blocks.plan import Plan, make_plan
from cython_kernels import engine as native
from cython_kernels.plain_c.compilers import own_compiler
from cython_kernels.plain_c.engine_parts import EngineC
from cython_kernels.plain_c.standalone import DIRECTIVES
from fmu.runtime import ENGINE_C
from fmu.runtime.webassembly.engine import Engine


@pytest.fixture(params=["native", "webassembly"])
def either_engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Runs a test with the engine of this process, and once more with the one in WebAssembly."""
    if request.param == "webassembly":
        skip_without_webassembly()
        monkeypatch.setattr(native, "Engine", Engine)


def _mixed_diagram() -> Diagram:
    """A loop with continuous states, samples at two rates, modes, crossings and noise."""
    diagram = Diagram("mixed")
    for name, block in {
        "reference": Step(time=0.35, before=0.0, after=1.0),
        "disturbance": Sine([0.3], [7.0]),
        "noise": GaussianNoise(standard_deviation=0.01, seed=7, period=0.1),
        "measured": Sum("++"),
        "pid": PID(8.0, 3.0, 0.5, lower=-2.0, upper=2.0),
        "load": Sum("++"),
        "plant": TransferFunction([1.0], [0.4, 1.0]),
        "position": LimitedIntegrator(lower=-0.2, upper=0.9),
        "delayed": UnitDelay(period=0.05),
        "count": DiscreteIntegrator(period=0.1),
        "work": Integrator(),
        "scaled": Gain(2.5),
    }.items():
        diagram.add(name, block)
    for source, *sinks in (
        ("reference.y", "pid.reference"),
        ("position.y", "measured.in1", "delayed.u"),
        ("noise.y", "measured.in2"),
        ("measured.y", "pid.measurement"),
        ("pid.output", "load.in1", "work.u"),
        ("disturbance.y", "load.in2"),
        ("load.y", "plant.u"),
        ("plant.y", "position.u"),
        ("delayed.y", "count.u"),
        ("count.y", "scaled.u"),
    ):
        diagram.connect(source, *sinks)
    return diagram


@pytest.fixture(scope="session")
def mixed_plan() -> Callable[[str], Plan]:
    """Makes a plan of that loop for a solver."""

    def make(solver: str) -> Plan:
        return make_plan(_mixed_diagram(), solver=solver, step=0.01, end=3.0)

    return make


@pytest.fixture(scope="session")
def small_engine_c(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The standalone engine with the kernels of the mixed plan, and "constant": all of them take ten times longer."""
    blocks = _mixed_diagram().blocks().values()
    kernels = sorted({block.kernel for block in blocks if isinstance(block, Block)} | {"constant"})
    small = tmp_path_factory.mktemp("standalone") / "engine.c"
    small.write_text(EngineC(ENGINE_C.read_text(encoding="utf-8")).only(kernels), encoding="utf-8")
    return small


@pytest.fixture(scope="session")
def compile_c(small_engine_c: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Compiles C99 with every warning as an error; `engine.c` can be included, the small one by default."""

    def run(source: Path, output: Path, *flags: str, engine: Path = small_engine_c) -> subprocess.CompletedProcess[str]:
        strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", f"-I{engine.parent}"]
        command = [*own_compiler(), *strict, *flags, str(source), "-o", str(output), "-lm"]
        return subprocess.run(command, capture_output=True, text=True, check=False)

    return run


@pytest.fixture(scope="session")
def run_cython(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], str]:
    """The C that Cython writes for a module `refused.pyx` with this text."""

    def run(text: str) -> str:
        place = tmp_path_factory.mktemp("cython")
        (place / "refused.pyx").write_text(text, encoding="utf-8")
        directives = ",".join(f"{name}={value}" for name, value in DIRECTIVES.items())
        command = [sys.executable, "-m", "cython", "-X", directives, "refused.pyx"]
        subprocess.run(command, cwd=place, check=True)
        return (place / "refused.c").read_text(encoding="utf-8")

    return run
