"""runner.c, compiled for a judge."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path

import cython_kernels
from benchmarks.same_bits.job import Job
from cython_kernels.plain_c.compilers import ENGINE_FLAGS, keep_zig_cache
from cython_kernels.plain_c.engine_parts import EngineC
from fmu.runtime import ENGINE_C

ZIG = "zig"
RUNNER = Path(__file__).with_name("runner.c")
ROOT = Path(__file__).resolve().parents[2]
_WIDE_PATHS = Path(cython_kernels.__file__).parent / "mathematics"
_FLAGS = ["-std=c99", *ENGINE_FLAGS]
_REACTOR = ["-mexec-model=reactor", "-Wl,--strip-all"]


class CompilerError(Exception):
    """A compiler refused: says what."""


def engine_for(jobs: Iterable[Job], engine_c: Path = ENGINE_C) -> str:
    """The engine as C with the kernels of these jobs, which is soon compiled."""
    engine = EngineC(engine_c.read_text(encoding="utf-8"))
    plans = [b"\0" + job.stored for job in jobs]
    return engine.only(
        [name for name in engine.kernels if any(b"\0" + name.encode() + b"\0" in plan for plan in plans)]
    )


def compile_runner(
    compiler: str, target: str, flags: Sequence[str], engine_c: Path, folder: Path, suffix: str = ""
) -> Path:
    """The runner as a program or a module, with the flags of the build and then these. Raises CompilerError."""
    command = [compiler]
    if compiler == ZIG:
        keep_zig_cache(ROOT / "build" / "zig")
        command = [sys.executable, "-m", "ziglang", "cc", "-target", target, "-fno-sanitize=undefined"]
    made = folder / f"runner{suffix}"
    includes = [f"-I{engine_c.parent}", f"-I{_WIDE_PATHS}"]
    command += [*_FLAGS, *flags, *includes, str(RUNNER), "-o", str(made), *(_REACTOR if suffix == ".wasm" else ["-lm"])]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise CompilerError(f"{' '.join(command)} failed:\n{done.stderr.strip()[-2000:]}")
    return made
