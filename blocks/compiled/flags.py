"""How the C of a plan is compiled on this machine: for the same numbers as the engine's, and with what else pays."""

from __future__ import annotations

import functools
from pathlib import Path

from cython_kernels import engine as native
from cython_kernels.plain_c.compilers import ENGINE_FLAGS

FLAGS = (
    "-std=c99", *ENGINE_FLAGS, "-DKEELBLOCKS_WIDE", "-I.", "-fopenmp-simd", "-fPIC", "-fvisibility=hidden", "-g0",
    "-fdata-sections", "-ffunction-sections", "-fno-strict-aliasing", "-w",
    "-DKB_OF_FORMULAS=__attribute__((noinline))",
)  # fmt: skip
"""As the engine is compiled: one rounding per operation. What is a `View` here, a kernel sees as a struct of its names:
hence no aliasing by types."""
_AVX = ("-mavx2", "-mno-fma")
"""The same operations in instructions with three operands. Never with FMA, which rounds once where the engine does
twice."""


def flags() -> tuple[str, ...]:
    """All flags for this machine, but those that link, and those of plans for several members."""
    return (*FLAGS, *(_AVX if _has_avx2() else ()))


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
