"""Plans compiled for several members at once: how many there are depends on the processor that runs them."""

from __future__ import annotations

import functools
import platform
import sys
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from blocks.compiled.lanes import lanes_source_of
from blocks.compiled.opening import address, kept_for, made, open_library
from blocks.compiled.possible import can_go_together, why_not
from blocks.compiled.structure import Structure
from blocks.errors import SimulationError
from blocks.plan import Plan
from blocks.plan.settings import FIXED_STEP
from cython_kernels import engine as native

_X86 = {
    "avx512": (8, ("-mavx512f", "-mavx512dq", "-mavx512vl", "-mno-fma")),
    "avx2": (4, ("-mavx2", "-mno-fma")),
    "baseline": (2, ("-msse4.2",) if native.HAS_SSE42 else ()),
}
"""How many members a vector holds, and the instructions for them: SSE4.2 has every processor of the last fifteen years,
and without it gcc 12 fails at some masks. Never FMA, which rounds once where the engine does twice."""


@dataclass(frozen=True)
class Lanes:
    """The code of a plan for `width` members at once, for as long as this lives: addresses for `Engines.go_in_lanes`.

    instructions: what the processor takes them by. seconds: how long it took to compile just now; 0: it was there.
    """

    width: int
    instructions: str
    fits: int
    go_together: int
    is_of: int
    library: Any
    seconds: float = 0.0


def lanes(plan: Plan) -> Lanes:
    """The code of a plan for several members at once, compiled now if it never was on this machine.

    Raises SimulationError where there can be none: blocks written in Python, an adaptive solver, no compiler.
    """
    if (problem := why_not(plan)) is not None:
        raise problem
    if not can_go_together(plan):
        raise SimulationError(
            f"members take steps of their own with {plan.settings.solver}: only {', '.join(FIXED_STEP)} go side by side"
        )
    return lanes_from(Structure(plan.stored))


def lanes_from(structure: Structure) -> Lanes:
    """The code of a stored plan for several members. Raises SimulationError if it cannot be compiled or opened."""
    opened, seconds = made(structure, _opened, lanes_source_of, _options())
    return replace(opened, seconds=seconds)


def kept(structure: Structure) -> Lanes | None:
    """The code of a stored plan for several members if it is there to be opened; None if not."""
    return kept_for(structure, _opened, _options())


def _options() -> tuple[str, ...]:
    _, (width, options) = instructions()
    return (*options, f"-DKL_WIDTH={width}", "-std=gnu11")


def instructions() -> tuple[str, tuple[int, tuple[str, ...]]]:
    """What this processor has, by name, with how many members that is for, and the compiler's options for it."""
    if platform.machine().lower() in ("x86_64", "amd64") and sys.platform != "win32":  # gcc aligns no stack there
        return native.WIDEST_SIMD, _X86[native.WIDEST_SIMD]
    return "baseline", (2, ())


@functools.lru_cache(maxsize=256)
def _opened(path: Path) -> Lanes:
    library = open_library(path)
    name, _ = instructions()
    fits, together = address(library.keelblocks_fits), address(library.keelblocks_go_together)
    return Lanes(library.keelblocks_width(), name, fits, together, address(library.keelblocks_is_of), library)
