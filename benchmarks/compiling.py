"""Compile C that stands beside a benchmark, and load it."""

import ctypes
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.model import BenchmarkError
from cython_kernels.plain_c.compilers import own_compiler


def c_compiler() -> list[str]:
    """The command of this machine's C compiler, as the build finds it. Raises BenchmarkError if there is none."""
    compiler = own_compiler()
    if not compiler or shutil.which(compiler[0]) is None:
        wanted = compiler[0] if compiler else "cc, gcc or clang"
        raise BenchmarkError(f"no C compiler {wanted} on the path; install one, or name yours in CC")
    return compiler


def run_compiler(command: Sequence[str]) -> None:
    """Compile or link. Raises BenchmarkError, with what the compiler says, if it refuses."""
    build = subprocess.run(command, capture_output=True, text=True, check=False)
    if build.returncode != 0:
        raise BenchmarkError(f"{' '.join(command)} failed:\n{build.stderr}")


def compiled(source: Path, flags: Sequence[str]) -> ctypes.CDLL:
    """One file of C as a library. Raises BenchmarkError."""
    with tempfile.TemporaryDirectory() as folder:
        library = Path(folder, source.with_suffix(".so").name)
        run_compiler([*c_compiler(), *flags, "-shared", "-fPIC", str(source), "-o", str(library), "-lm"])
        return ctypes.CDLL(str(library))
