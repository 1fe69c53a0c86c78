"""Opens plans that were compiled: functions that go on with an engine's plan, in the place of the engine's own."""

from __future__ import annotations

import ctypes
import functools
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blocks.compiled.building import built
from blocks.compiled.structure import Structure
from blocks.errors import SimulationError
from blocks.plan import Plan
from cython_kernels import engine as native


@dataclass(frozen=True)
class Compiled:
    """A plan's code, for as long as this lives. go_on: the address of what goes on with an engine of that plan."""

    go_on: int
    library: Any


def compiled(plan: Plan) -> Compiled:
    """The code of a plan, compiled now if it never was on this machine.

    Raises SimulationError if it cannot be: there is no compiler, or the plan has blocks written in Python or a solver
    of SciPy.
    """
    if plan.python_blocks:
        name = plan.flat.leaves[min(plan.python_blocks)].name
        raise SimulationError(
            f"a plan cannot be compiled with '{name}', which is written in Python: leave `compiled` out, or write "
            "it as a formula or a kernel",
            block=name,
        )
    return _opened(built(Structure(plan.stored)))


@functools.lru_cache(maxsize=256)
def _opened(path: Path) -> Compiled:
    library = ctypes.CDLL(str(path))
    library.keelblocks_layout.restype = ctypes.c_ulonglong
    if library.keelblocks_layout() != native.LAYOUT:
        raise SimulationError(f"{path} was compiled for another build of Keelblocks: delete it")
    library.keelblocks_choose_path(native.SIMD.index(native.ASKED_SIMD))
    address = ctypes.cast(library.keelblocks_go_on, ctypes.c_void_p).value
    assert address is not None
    return Compiled(address, library)
