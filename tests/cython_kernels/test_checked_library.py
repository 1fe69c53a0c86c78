"""Kernels of a library that was built with checks: what they do wrong is a message, in every build of the engine."""

from __future__ import annotations

import ctypes
import os
import platform
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from blocks import Block, Diagram, Input, Output, Parameter, State, simulate
from blocks.basic import Constant, Integrator
from blocks.errors import SimulationError
from blocks.model.derived import Derived
from blocks.signal import Number, Signal
from cython_kernels import engine as native
from cython_kernels import libraries

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a compiler as cc, and signals")

Pair = Signal("Pair", (2,))


class Astray(Block, abstract=True):
    """A block whose kernel does wrong in the way that its parameter says."""

    kernel = "misusing.astray"
    sizes = ("n",)

    u = Input(Number)
    force = Output(Pair, feedthrough=True)
    spin = Output(Number, feedthrough=False)
    way = Parameter(0.0, shape=("n",))
    x = State(Number)
    half = Derived()
    more = Derived()


def load(path: str) -> None:
    """Let plans find the kernel."""
    library = ctypes.CDLL(path)
    library.keelblocks_library.restype = ctypes.c_void_p
    libraries.add(library.keelblocks_library())


def run(way: int, solver: str = "rk4") -> float:
    """Runs the block among others; the integral of its force."""
    diagram = Diagram()
    blocks = {"one": Constant(3.0), "bad": Astray(way=[way]), "sum": Integrator(initial_x=[0.0, 0.0])}
    for name, block in blocks.items():
        diagram.add(name, block)
    diagram.connect("one.y", "bad.u")
    diagram.connect("bad.force", "sum.u")
    return float(simulate(diagram, 0.2, step=0.1, solver=solver).values("sum.y")[-1, 1])


@pytest.fixture(scope="module")
def compiled(compile_c, tmp_path_factory) -> Callable[[int], Path]:
    """Compiles the library with checks, 1, or without, 0."""

    def compile_it(checked: int) -> Path:
        path = tmp_path_factory.mktemp("checked") / f"misusing{checked}.so"
        source = Path(__file__).with_name("misusing_library.c")
        options = ["-O1", f"-DCHECKED={checked}", f"-DABI={libraries.ABI}", "-fPIC", "-shared"]
        done = compile_c(source, path, *options)
        assert done.returncode == 0, done.stderr
        return path

    return compile_it


@pytest.fixture(scope="module", autouse=True)
def library(compiled) -> Path:
    path = compiled(1)
    load(str(path))
    return path


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_a_proper_kernel_is_let_be(solver) -> None:
    assert run(0, solver) == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("way", "message"),
    [
        (1, "outputs wrote outside of its output 'force', 1 behind its last element; compare its indices with the"),
        (2, "outputs wrote outside of its output 'force', 3 before its first element"),
        (3, "outputs wrote to its input 'u' (element 0), where it may only read: a kernel only reads there"),
        (4, "outputs wrote to its parameter 'way' (element 0), where it may only read"),
        (5, "outputs wrote to its derived constant 'more', where it may only read: setup may write there"),
        (6, "outputs made its output 'force' (element 1) of what it read outside of an array"),
        (7, "outputs left its output 'force' (element 0) unwritten"),
        (8, "outputs used its output 'spin', which is not wanted in this call (NULL); a block whose outputs differ"),
        (9, "outputs reached for an address that is none of its arrays"),
        (10, "outputs divided whole numbers by zero"),
        (11, "derivatives wrote outside of its derivatives dx (x), 1 behind its last element"),
        (12, "outputs did what C leaves undefined, and the compiler's checks stopped it"),
        (13, "derivatives wrote to its state 'x', where it may only read: start may write there"),
        (14, "outputs wrote to its size 'n', where it may only read"),
    ],
)
def test_what_a_kernel_does_wrong_is_told_by_its_names(way, message) -> None:
    if way == 10 and platform.machine() not in ("x86_64", "AMD64"):
        pytest.skip("this processor takes 7 / 0 for 0")
    for solver in ("rk4", "dopri5"):
        with pytest.raises(SimulationError) as problem:
            run(way, solver)
        told = str(problem.value)
        assert told.startswith(("bad stopped the run at t = 0 s: ", "bad stopped the run at t = 0.1 s: "))
        assert f" misusing.astray_{message}" in told


def test_an_error_elsewhere_ends_a_process_as_ever(library) -> None:
    """What catches signals hands on those that no guarded kernel raised."""
    module = Path(__file__).stem
    script = f"import ctypes, {module} as t; t.load({str(library)!r}); print(t.run(0), flush=True); ctypes.string_at(8)"
    path = os.pathsep.join([str(Path(__file__).parent), os.environ["PYTHONPATH"]])
    ran = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": path},
    )
    assert (ran.returncode, ran.stdout[:3]) == (-signal.SIGSEGV, "0.6"), ran.stderr


@pytest.mark.skipif(native.CHECKED_BUILD, reason="a checked build of the engine guards all kernels")
def test_a_library_without_checks_is_not_guarded(compiled, library) -> None:
    load(str(compiled(0)))
    try:
        assert run(5) == pytest.approx(0.6)  # which writes to a constant of its own
    finally:
        load(str(library))
