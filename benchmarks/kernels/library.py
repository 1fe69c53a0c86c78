"""The kernels as C, and the plain C beside them, compiled by one compiler with one set of flags and loaded."""

from __future__ import annotations

import ctypes
import subprocess
import tempfile
from functools import cache
from pathlib import Path

from benchmarks.compiling import c_compiler, run_compiler
from benchmarks.model import BenchmarkError
from cython_kernels.plain_c.standalone import StandaloneError, generate
from fmu.runtime.c_files import ENGINE_FLAGS

HERE = Path(__file__).parent
PLAIN = HERE / "plain"
WARNINGS = ("-Wall", "-Wextra", "-Wno-unused-parameter", "-Wno-unused-function")
FLAGS = ("-std=c99", *ENGINE_FLAGS, "-falign-functions=64", "-falign-loops=32")
"""Those of the build, and functions and loops aligned: where a call takes a nanosecond, places decide else."""


@cache
def load() -> ctypes.CDLL:
    """Kernels, plain C and harness as one library.

    The kernels are extracted anew, so what is measured is what the sources say now. The compiler is that of the
    environment variable ``CC``, or ``cc``.

    Raises:
        BenchmarkError: there is no compiler, or it refused a file.
    """
    compiler = c_compiler()
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch)
        _extract(folder)
        objects = []
        for source in (HERE / "harness.c", *sorted(PLAIN.glob("*.c"))):
            objects.append(folder / f"{source.stem}.o")
            run_compiler(
                [
                    *compiler,
                    *WARNINGS,
                    *FLAGS,
                    "-fPIC",
                    f"-I{folder}",
                    f"-I{HERE}",
                    "-c",
                    str(source),
                    "-o",
                    str(objects[-1]),
                ]
            )
        target = folder / "kernels.so"
        run_compiler([*compiler, "-shared", *map(str, objects), "-o", str(target), "-lm"])
        library = ctypes.CDLL(str(target))
    _declare(library)
    return library


def plain(kernel: str) -> int | None:
    """The address of a kernel's plain counterpart; None if nobody has written it."""
    try:
        return ctypes.addressof(ctypes.c_char.in_dll(load(), f"plain_{kernel}"))
    except ValueError:
        return None


def _extract(folder: Path) -> None:
    try:
        generate(folder)
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
