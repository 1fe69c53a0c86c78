"""The kernels as C, and the plain C beside them, compiled by one compiler with one set of flags and loaded."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from benchmarks.compiling import c_compiler, run_compiler
from benchmarks.model import BenchmarkError
from cython_kernels.plain_c.compilers import ENGINE_FLAGS
from cython_kernels.plain_c.standalone import StandaloneError, generate

HERE = Path(__file__).parent
PLAIN = HERE / "plain"
WARNINGS = ("-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-function")
FLAGS = ("-std=c99", *ENGINE_FLAGS, "-falign-functions=64", "-falign-loops=32")
"""Those of the build, and functions and loops aligned: where a call takes a nanosecond, places decide else."""


@cache
def load(flags: tuple[str, ...] = FLAGS, engine: Path | None = None) -> ctypes.CDLL:
    """Kernels, plain C and harness as one library.

    `engine` is an `engine.c` that is there already; without one the kernels are extracted anew, so what is measured is
    what the sources say now. The compiler is that of the environment variable ``CC``, or ``cc``.

    Raises:
        BenchmarkError: there is no compiler, or it refused a file.
    """
    command = [*c_compiler(), *WARNINGS, *flags, "-fPIC", f"-I{HERE}"]
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        command.append(f"-I{_extracted(folder).parent if engine is None else engine.parent}")
        objects = []
        for source in (HERE / "harness.c", *sorted(PLAIN.glob("*.c"))):
            objects.append(str(folder / f"{source.stem}.o"))
            run_compiler([*command, "-c", str(source), "-o", objects[-1]])
        target = str(folder / "kernels.so")
        run_compiler([*c_compiler(), "-shared", *objects, "-o", target, "-lm"])
        library = ctypes.CDLL(target)
    _declare(library)
    return library


def plain(library: ctypes.CDLL, kernel: str) -> int | None:
    """The address of a kernel's plain counterpart; None if there is none."""
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(library, f"plain_{kernel}"))
    except ValueError:
        return None


def _extracted(folder: Path) -> Path:
    try:
        return generate(folder)
    except (StandaloneError, subprocess.CalledProcessError) as problem:
        raise BenchmarkError(f"the kernels cannot be had as C: {problem}") from None


def _declare(library: ctypes.CDLL) -> None:
    case, integer, number = ctypes.c_void_p, ctypes.c_int, ctypes.c_double
    numbers, integers = ctypes.POINTER(number), ctypes.POINTER(integer)
    for name, result, arguments in (
        ("case_open", case, (ctypes.c_char_p, ctypes.c_size_t, integers, integer, integer, ctypes.c_void_p, integers)),
        ("case_close", None, (case,)),
        ("case_values", numbers, (case,)),
        ("case_results", numbers, (case,)),
        ("case_start", integer, (case, number)),
        ("kernel_has", integer, (case, integer)),
        ("plain_has", integer, (case, integer)),
        ("case_call", integer, (case, integer, number)),
        ("time_kernel", number, (case, integer, number, ctypes.c_long)),
        ("time_plain", number, (case, integer, number, ctypes.c_long)),
    ):
        function = getattr(library, name)
        function.restype, function.argtypes = result, arguments
