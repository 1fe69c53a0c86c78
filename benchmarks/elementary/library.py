"""The functions as C, taken from the sources as they are now, compiled beside loops over the C library's."""

from __future__ import annotations

import ctypes
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path

import numpy as np

from benchmarks.compiling import c_compiler, run_compiler
from benchmarks.elementary.functions import FUNCTIONS
from benchmarks.elementary.points import Array
from benchmarks.model import BenchmarkError
from cython_kernels.plain_c.compilers import ENGINE_FLAGS
from cython_kernels.plain_c.standalone import DIRECTIVES, StandaloneError, extract

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
FLAGS = ("-std=gnu99", *ENGINE_FLAGS, "-falign-functions=64", "-falign-loops=32", "-Wno-unused-function")
"""Those of the build; functions and loops aligned."""
BOTH = "sine_cosine"
"""Measured beside the others, though it is two of them."""


@cache
def load() -> ctypes.CDLL:
    """Own and library functions with loops over them.

    Raises:
        BenchmarkError: there is no compiler, or the functions cannot be had as C.
    """
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        (folder / "functions.c").write_text(_extracted(folder), encoding="utf-8")
        rows = [f'    {{"{name}", {_pair(name)}}},' for name in FUNCTIONS]
        (folder / "table.h").write_text("\n".join(rows) + "\n", encoding="utf-8")
        target = str(folder / "elementary.so")
        command = [*c_compiler(), *FLAGS, "-fPIC", "-shared", f"-I{folder}", str(HERE / "loops.c"), "-o", target, "-lm"]
        run_compiler(command)
        library = ctypes.CDLL(target)
    numbers = np.ctypeslib.ndpointer(float, flags="C_CONTIGUOUS")
    library.values.argtypes = (ctypes.c_int, ctypes.c_int, numbers, numbers, numbers, ctypes.c_long)
    library.values.restype = None
    library.seconds.argtypes = (ctypes.c_int, ctypes.c_int, ctypes.c_int, numbers, numbers, ctypes.c_long, ctypes.c_int)
    library.seconds.restype = ctypes.c_double
    return library


def columns(points: Array) -> tuple[Array, Array]:
    """First and second arguments; the first twice of a function of one."""
    both = points if points.ndim == 2 else np.column_stack([points, points])
    return np.ascontiguousarray(both[:, 0]), np.ascontiguousarray(both[:, 1])


def values(name: str, points: Array, *, own: bool = True) -> Array:
    """The values of a function at points."""
    first, second = columns(points)
    found = np.empty(len(first))
    load().values(list(FUNCTIONS).index(name), own, first, second, found, len(first))
    return found


def timer(name: str, points: Array) -> Callable[[bool, bool, int], float]:
    """Seconds for so many rounds over the points: (own or the library's, each waits for the last, rounds)."""
    first, second = columns(points)
    index = len(FUNCTIONS) if name == BOTH else list(FUNCTIONS).index(name)
    library = load()

    def seconds(own: bool, chained: bool, rounds: int) -> float:
        return float(library.seconds(index, own, chained, first, second, len(first), rounds))

    return seconds


def _pair(name: str) -> str:
    if FUNCTIONS[name].arguments == 2:
        return f"0, 0, own_{name}, {name}"
    return f"own_{name}, {name}, 0, 0"


def _extracted(folder: Path) -> str:
    package = "cython_kernels.mathematics"
    imports = [f"from {package}.elementary.{f.module} cimport {f.name} as own_{f.name}" for f in FUNCTIONS.values()]
    calls = [f"    total += own_{f.name}(x{', y' * (f.arguments - 1)})" for f in FUNCTIONS.values()]
    text = [
        *imports,
        f"from {package}.trigonometry cimport {BOTH}",
        "cdef double own(double x, double y) noexcept nogil:",
        "    cdef double total = 0.0",
        *calls,
        f"    {BOTH}(x, &total, &y)",
        "    return total",
    ]
    (folder / "asked.pyx").write_text("\n".join(text) + "\n", encoding="utf-8")
    directives = ",".join(f"{name}={value}" for name, value in DIRECTIVES.items())
    command = [sys.executable, "-m", "cython", "-X", directives, f"-I{ROOT}", "asked.pyx"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise BenchmarkError(f"Cython refused the functions: {(done.stderr.strip() or done.stdout.strip())[-600:]}")
    try:
        c = extract((folder / "asked.c").read_text(encoding="utf-8"), below="own")
    except StandaloneError as problem:
        raise BenchmarkError(f"the functions cannot be had as C: {problem}") from None
    names = "".join(f"#define own_{name} kb_{name}\n" for name in FUNCTIONS)
    return c + names
