"""Compile C that stands beside a benchmark, and load it."""

import ctypes
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from benchmarks.model import BenchmarkError


def c_compiler() -> list[str]:
    """The command in the environment variable ``CC``, or ``cc``. Raises BenchmarkError if there is no such thing."""
    compiler = os.environ.get("CC", "cc").split()
    if shutil.which(compiler[0]) is None:
        raise BenchmarkError(f"no C compiler {compiler[0]!r} on the path; install one, or name yours in CC")
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
