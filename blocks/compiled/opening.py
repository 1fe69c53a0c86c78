"""Opens plans that were compiled: functions that go on with an engine's plan, in the place of the engine's own."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar

from blocks.compiled import building
from blocks.compiled.possible import why_not
from blocks.compiled.source import source_of
from blocks.compiled.structure import Structure
from blocks.errors import SimulationError
from blocks.plan import Plan
from cython_kernels import engine as native


class OtherBuildError(OSError):
    """A library is for another build of the engine."""


Code = TypeVar("Code")
Writer = Callable[[Structure], str]
Options = tuple[str, ...]
_NOT_OPENED = (OSError, AttributeError)
"""What is no library of this system, or not of a plan, or for another build."""


@dataclass(frozen=True)
class Compiled:
    """A plan's code, for as long as this lives. go_on: the address of what goes on with an engine of that plan;
    is_of: of what tells whether a plan is one of those.

    seconds: how long it took to compile just now; 0 where it was there.
    """

    go_on: int
    is_of: int
    library: Any
    seconds: float = 0.0


def compiled(plan: Plan) -> Compiled:
    """The code of a plan, compiled now if it never was on this machine.

    Raises SimulationError if it cannot be: there is no compiler, or the plan has blocks written in Python or a solver
    of SciPy.
    """
    if (problem := why_not(plan)) is not None:
        raise problem
    return compiled_from(Structure(plan.stored))


def compiled_from(structure: Structure) -> Compiled:
    """The code of a stored plan. Raises SimulationError if it cannot be compiled or opened here."""
    opened, seconds = made(structure, _opened)
    return replace(opened, seconds=seconds)


def made(
    structure: Structure, opens: Callable[[Path], Code], write: Writer = source_of, options: Options = ()
) -> tuple[Code, float]:
    """What `opens` gives of the library of a plan, and how long that took to compile, s; 0 where it was there.

    Raises SimulationError if it cannot be compiled or opened here.
    """
    why: Exception | None = None
    for _ in range(2):  # once more where it was there: out of a cache that was copied, or of another build
        found = building.built(structure, write, options)
        try:
            return opens(found.path), found.seconds
        except _NOT_OPENED as problem:
            why = problem
            building.forget(structure, options)
        if found.seconds:
            break
    if isinstance(why, OtherBuildError):
        raise SimulationError(
            "a plan was compiled, but the C of the engine here is of another build than the engine in Python: build or "
            "install Keelblocks anew, or run it without `compiled`, with the same numbers"
        )
    raise SimulationError(
        f"a plan was compiled and cannot be opened: {why}; does the compiler that $CC names compile for this machine, "
        "and may programs run from that folder? Or run it without `compiled`, with the same numbers",
        code="no-compiler",
    )


def kept(structure: Structure) -> Compiled | None:
    """The code of a stored plan if it is there to be opened; None if not. Nothing is compiled."""
    return kept_for(structure, _opened)


def kept_for(structure: Structure, opens: Callable[[Path], Code], options: Options = ()) -> Code | None:
    """What `opens` gives of the library of a plan that is there; None if there is none that it opens."""
    try:
        path = building.found(structure, options)
        return None if path is None else opens(path)
    except (*_NOT_OPENED, SimulationError):
        return None


@functools.lru_cache(maxsize=256)
def _opened(path: Path) -> Compiled:
    library = open_library(path)
    return Compiled(address(library.keelblocks_go_on), address(library.keelblocks_is_of), library)


def open_library(path: Path) -> ctypes.CDLL:
    """A library of a plan. Raises OSError if it is none, OtherBuildError if it is for another build of the engine."""
    library = ctypes.CDLL(str(path))
    library.keelblocks_layout.restype = ctypes.c_ulonglong
    if library.keelblocks_layout() != native.LAYOUT:
        _close(library)  # or what is compiled in its place would not be opened: it has the same name
        raise OtherBuildError(f"{path} is for another build of Keelblocks")
    library.keelblocks_choose_path(native.SIMD.index(native.ASKED_SIMD))
    return library


def _close(library: ctypes.CDLL) -> None:
    import _ctypes

    close = getattr(_ctypes, "dlclose", None) or _ctypes.FreeLibrary  # type: ignore[attr-defined]
    close(library._handle)


def address(function: Any) -> int:
    """Where a function of a library stands."""
    found = ctypes.cast(function, ctypes.c_void_p).value
    assert found is not None
    return found
