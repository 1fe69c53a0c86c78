"""How the C of a plan is compiled on this machine: for the same numbers as the engine's, and with what else pays."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from pathlib import Path

from blocks.libraries.c_compiler import version_of
from cython_kernels import engine as native
from cython_kernels.plain_c.compilers import ENGINE_FLAGS

FLAGS = (
    "-std=c99", *ENGINE_FLAGS, "-DKEELBLOCKS_WIDE", "-I.", "-fopenmp-simd", "-fPIC", "-fvisibility=hidden", "-g0",
    "-fdata-sections", "-ffunction-sections", "-fno-strict-aliasing", "-w",
)  # fmt: skip
"""As the engine is compiled: one rounding per operation. What is a `View` here, a kernel sees as a struct of its names:
hence no aliasing by types."""
_INLINED = tuple(
    word
    for setting in (
        "max-inline-insns-auto=100", "inline-unit-growth=100", "large-function-growth=500",
        "max-inline-insns-single=1000",
    )
    for word in ("--param", setting)
)  # fmt: skip
"""For gcc: kernels within the lists that call them, so that views and sizes are known. A tenth of the time of Minerva's
mission, for half as much time again to compile; larger limits take longer and give 2 % more. None changes bits."""
_AVX = ("-mavx2", "-mno-fma")
"""The same operations in instructions with three operands. Never with FMA, which rounds once where the engine does
twice."""


def flags_for(command: Sequence[str], options: tuple[str, ...] = ()) -> tuple[str, ...]:
    """All flags for a compiler on this machine, but those that link. Raises CompilerError if it cannot be started.

    options: further ones, of plans for several members, where more inlining takes time and gives nothing.
    """
    inlined = _INLINED if not options and _is_gcc(command) else ()
    return (*FLAGS, *inlined, *(_AVX if _has_avx2() else ()), *options)


def _is_gcc(command: Sequence[str]) -> bool:
    return "ziglang" not in command and "Free Software Foundation" in version_of(tuple(command))


@functools.lru_cache(maxsize=1)
def _has_avx2() -> bool:
    """Whether this processor is known to have AVX2, and may use it: on Linux alone. On Windows gcc aligns no stack."""
    if native.SIMD[0] == native.ASKED_SIMD:
        return False
    try:
        told = Path("/proc/cpuinfo").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    line = next((line for line in told.splitlines() if line.startswith("flags")), "")
    return "avx2" in line.split()
