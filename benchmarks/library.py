"""Kernels of a compiled library against the engine's own: copies of Vessel3DOF and PID, in the same diagrams.

The sources of both are copied into a package outside, which is built as `keelblocks build` does, by the machine's own
compiler and by zig; then both run by turns in one process. They have to agree to the last bit.
"""

from __future__ import annotations

import importlib
import re
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np

import blocks
from benchmarks.model import BenchmarkError
from benchmarks.report import arguments, show, spread
from blocks import Diagram, Simulator
from blocks.basic import Constant, Sine
from blocks.block import Block
from blocks.control import PID
from blocks.dynamics import Vessel3DOF
from blocks.libraries.building import build
from blocks.libraries.compiling import platforms_of
from blocks.libraries.package import find_library

MODULES = ("dynamics.vessel_3dof", "control.pid")
ROUNDS = 40
STEP = 0.02
STEPS = 20_000
TARGET = "≤ 1.05"


def write_copies(folder: Path, name: str) -> Path:
    """A package with copies of the declarations and the kernels. They lose their families, and nothing else."""
    sources = Path(blocks.__file__).parent
    package = folder / name
    package.mkdir()
    (package / "__init__.py").write_text(
        "".join(f"import {name}.{module.partition('.')[2]}\n" for module in MODULES), encoding="utf-8"
    )
    for module in MODULES:
        path, own = Path(*module.split(".")), module.partition(".")[2]
        declaration = (sources / path).with_suffix(".py").read_text(encoding="utf-8")
        kernel = (sources.parent / "cython_kernels" / path).with_suffix(".pxd").read_text(encoding="utf-8")
        seen = re.sub(rf"cython_kernels\.views\.{re.escape(module)}\b", f"{name}.views.{own}", kernel)
        (package / f"{own}.py").write_text(declaration, encoding="utf-8")
        (package / f"{own}.pxd").write_text(seen, encoding="utf-8")
    return package


def vessel(made_by: type[Block]) -> Diagram:
    """The Otter under a constant force, in a current."""
    otter = Vessel3DOF.from_vehicle("otter")
    diagram = Diagram()
    block = diagram.add("block", made_by(**otter.values))
    force = diagram.add("force", Constant([100.0, 0.0, 0.0, 0.0, 0.0, 20.0]))
    diagram.connect(force.y, block.force)
    return diagram


def pid(made_by: type[Block]) -> Diagram:
    """Three quantities with all terms and limits, one of them at its limit now and then."""
    diagram = Diagram()
    block = diagram.add("block", made_by(kp=[2.0, 3.0, 4.0], ki=0.5, kd=0.3, lower=-2.0, upper=2.0))
    wave = diagram.add("wave", Sine(amplitude=[1.0, 0.5, 0.3], frequency=0.3))
    still = diagram.add("still", Constant([0.0, 0.1, 0.2]))
    diagram.connect(wave.y, block.reference)
    diagram.connect(still.y, block.measurement)
    return diagram


CASES: tuple[tuple[type[Block], Callable[[type[Block]], Diagram], str], ...] = (
    (Vessel3DOF, vessel, "block.nu"), (PID, pid, "block.output"),
)  # fmt: skip


def seconds(simulator: Simulator) -> float:
    """CPU time of some thousand steps."""
    began = time.thread_time()
    simulator.advance(STEPS * STEP)
    return time.thread_time() - began


def measure(own: Diagram, copy: Diagram, output: str, rounds: int) -> tuple[list[float], list[float]]:
    """The library's time over the engine's, and that of a step in ns, once for each round."""
    ratios, steps = [], []
    settings: dict[str, Any] = {"solver": "rk4", "step": STEP, "record": [], "outputs": [output]}
    with Simulator(own, **settings) as ours, Simulator(copy, **settings) as theirs:
        ours.start()
        theirs.start()
        for _ in range(rounds):
            first = seconds(ours)
            second = seconds(theirs)
            ratios.append(second / first)
            steps.append(1e9 * second / STEPS)
        if not np.array_equal(ours[output], theirs[output]):
            raise BenchmarkError(f"{output} of library and engine do not have the same bits")
    return ratios, steps


def copies(folder: Path, name: str, *, by_zig: bool) -> ModuleType:
    """The package, built and imported."""
    library = find_library(str(write_copies(folder, name)))
    build(library, platforms_of(()), named=by_zig)
    return importlib.import_module(name)


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    figures = {}
    with tempfile.TemporaryDirectory() as folder:
        for compiler, by_zig in (("", False), (", by zig", True)):
            package = copies(Path(folder), "copies_by_zig" if by_zig else "copies", by_zig=by_zig)
            for (own, diagram, output), module in zip(CASES, MODULES, strict=True):
                copy = getattr(getattr(package, module.partition(".")[2]), own.__name__)
                ratios, steps = measure(diagram(own), diagram(copy), output, options.rounds or ROUNDS)
                target = {} if by_zig else {"target": TARGET}
                figures[f"copy of {own.__name__}{compiler}, library over engine"] = spread(ratios, "times") | target
                figures[f"copy of {own.__name__}{compiler}, a step"] = spread(steps, "ns")
    show("Kernels of a library", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
