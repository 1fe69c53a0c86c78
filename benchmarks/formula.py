"""Formulas against the same equations compiled: hand-written C kernels with the same view, in the same plan.

A call is that of the function that computes; a step is one of RK4 of a plan with the formula, its input and where its
output goes, in which only the function is another one. First both are called with the same numbers and have to agree.
The C of the engine is extracted and compiled with the flags of the build.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.compiling import c_compiler, run_compiler
from benchmarks.model import BenchmarkError
from benchmarks.report import arguments, show, spread
from blocks import Diagram
from blocks.basic import Formula, Integrator, Sine
from blocks.plan import Plan, make_plan
from cython_kernels.plain_c.standalone import StandaloneError, generate
from fmu.runtime.build.runtimes import ENGINE_FLAGS

SOURCE = Path(__file__).with_suffix(".c")
ROUNDS = 40
CALLS = 8_000
STEPS = 1_000
TRIES = 5
"""Measurements per round, of which the best counts: each is shorter than the turns that a system gives to others."""
TARGET = "≤ 5"


def drag() -> tuple[Diagram, str]:
    """Quadratic and linear drag on a speed that follows a force."""
    diagram = Diagram()
    wave = diagram.add("wave", Sine(amplitude=1.0, frequency=0.3))
    formula = diagram.add(
        "drag",
        Formula({"force": "k*u*abs(u) + d*u"}, inputs={"u": "m/s"}, parameters={"k": "3 N*s^2/m^2", "d": "10 N*s/m"}),
    )
    integral = diagram.add("integral", Integrator())
    diagram.connect(wave.y, formula.u)
    diagram.connect(formula.force, integral.u)
    return diagram, "drag"


def vessel() -> tuple[Diagram, str]:
    """Three degrees of freedom: sums and products only."""
    formula = Formula(
        {"nu": "[u, v, r]"},
        inputs={"tau": "[3]"},
        parameters={"m": [700.0, 900.0, 1000.0], "d": [100.0, 200.0, 50.0], "q": [30.0, 40.0, 20.0]},
        states={
            "u": "(tau[0] + m[1]*v*r - d[0]*u - q[0]*abs(u)*u)/m[0]",
            "v": "(tau[1] - m[0]*u*r - d[1]*v - q[1]*abs(v)*v)/m[1]",
            "r": "(tau[2] - (m[1] - m[0])*u*v - d[2]*r - q[2]*abs(r)*r)/m[2]",
        },
    )
    return _fed(formula, "vessel", tau=(100.0, 10.0, 20.0)), "vessel"


def kinematics() -> tuple[Diagram, str]:
    """Position and heading from velocities: a sine and a cosine."""
    formula = Formula(
        {"eta": "[x, y, psi]"},
        inputs={"nu": "[3]", "current": "[2]"},
        states={
            "x": "nu[0]*cos(psi) - nu[1]*sin(psi) + current[0]",
            "y": "nu[0]*sin(psi) + nu[1]*cos(psi) + current[1]",
            "psi": "nu[2]",
        },
    )
    return _fed(formula, "kinematics", nu=(1.5, 0.1, 0.02), current=(0.2, -0.1)), "kinematics"


def _fed(formula: Formula, name: str, **inputs: tuple[float, ...]) -> Diagram:
    """The formula with waves on its inputs."""
    diagram = Diagram()
    block = diagram.add(name, formula)
    for port, amplitude in inputs.items():
        wave = diagram.add(f"wave_{port}", Sine(amplitude=list(amplitude), frequency=0.3))
        diagram.connect(wave.y, getattr(block, port))
    return diagram


CASES: tuple[tuple[str, Callable[[], tuple[Diagram, str]]], ...] = (
    ("drag", drag), ("3-DOF, arithmetic", vessel), ("kinematics, sine and cosine", kinematics),
)  # fmt: skip


@dataclass
class Pair:
    """A formula and the kernel by hand, in one plan."""

    library: ctypes.CDLL
    handle: int
    plan: Plan

    def check(self, name: str) -> None:
        """Raises BenchmarkError unless both give the same bits."""
        count = self.plan.regions.g
        values = np.ctypeslib.as_array(self.library.case_values(self.handle), (count,))
        self.library.case_call(self.handle, 1)
        theirs = values.copy()
        self.library.case_call(self.handle, 0)
        if theirs.tobytes() != values.tobytes():
            raise BenchmarkError(f"{name}: formula and kernel by hand do not agree")

    def call(self, by_hand: bool) -> float:
        """Nanoseconds of a call."""
        return float(min(self.library.time_call(self.handle, int(by_hand), CALLS) for _ in range(TRIES)))

    def step(self, by_hand: bool) -> float:
        """Nanoseconds of a step of the plan."""
        self.library.case_choose(self.handle, int(by_hand))
        return float(min(self.library.time_steps(self.handle, STEPS) for _ in range(TRIES)))


@contextmanager
def opened(library: ctypes.CDLL, number: int, diagram: Diagram, name: str) -> Iterator[Pair]:
    """Formula and kernel for as long as a `with` lasts."""
    plan = make_plan(diagram, solver="rk4", step=0.02)
    block = next(leaf.number for leaf in plan.flat.leaves if leaf.name == name)
    handle = library.case_open(plan.stored, len(plan.stored), number, block)
    if not handle:
        raise BenchmarkError(f"{name}: the engine refuses its plan")
    try:
        yield Pair(library, handle, plan)
    finally:
        library.case_close(handle)


def load() -> ctypes.CDLL:
    """The engine with the kernels by hand. Raises BenchmarkError."""
    with tempfile.TemporaryDirectory() as scratch:
        try:
            generate(Path(scratch))
        except (StandaloneError, subprocess.CalledProcessError) as problem:
            raise BenchmarkError(f"the kernels cannot be had as C: {problem}") from None
        target = Path(scratch, "formula.so")
        shutil.copy(SOURCE, scratch)
        flags = ("-std=c99", *ENGINE_FLAGS, "-falign-functions=64", "-fPIC", "-shared", "-w")
        run_compiler([*c_compiler(), *flags, str(Path(scratch, SOURCE.name)), "-o", str(target), "-lm"])
        library = ctypes.CDLL(str(target))
    case, integer, many = ctypes.c_void_p, ctypes.c_int, ctypes.c_long
    numbers = ctypes.POINTER(ctypes.c_double)
    for name, result, given in (
        ("case_open", case, (ctypes.c_char_p, ctypes.c_size_t, integer, integer)),
        ("case_close", None, (case,)),
        ("case_values", numbers, (case,)),
        ("case_choose", None, (case, integer)),
        ("case_call", None, (case, integer)),
        ("time_call", ctypes.c_double, (case, integer, many)),
        ("time_steps", ctypes.c_double, (case, many)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, given
    return library


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """Time both by turns. Raises BenchmarkError."""
    library = load()
    figures: dict[str, dict[str, Any]] = {}
    for number, (title, made) in enumerate(CASES):
        with opened(library, number, *made()) as pair:
            pair.check(title)
            for what, timed in (("call", pair.call), ("step", pair.step)):
                ours, theirs = [], []
                for _ in range(rounds):
                    ours.append(timed(False))
                    theirs.append(timed(True))
                ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
                figures[f"{title}: {what}, formula"] = spread(ours, "ns")
                figures[f"{title}: {what}, by hand"] = spread(theirs, "ns")
                figures[f"{title}: {what}, ratio"] = spread(ratios, "×") | {"target": TARGET}
    return figures


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    try:
        figures = measure(options.rounds or ROUNDS)
    except BenchmarkError as problem:
        print(problem, file=sys.stderr)
        return 2
    show("Formulas and the same equations compiled", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
