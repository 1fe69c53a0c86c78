"""The engine's module of WebAssembly, as it was built: with all kernels, with some, with those of a plan."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

from blocks.errors import ExportError
from blocks.plan import Plan
from blocks.plan.kernel import kernel_name
from cython_kernels import engine as native
from cython_kernels.plain_c.platforms import WEBASSEMBLY
from fmu.runtime import BINARIES, check_kernels
from fmu.runtime.compiled_libraries import libraries_of
from fmu.runtime.webassembly.kernels import kernels as kernels_of
from fmu.runtime.webassembly.kernels import with_kernels
from fmu.runtime.webassembly.with_libraries import module_with

MODULE = BINARIES / WEBASSEMBLY.name / "engine.wasm"


def is_built() -> bool:
    """Whether there is a module here: releases have one, and a build for WebAssembly makes it."""
    return MODULE.is_file()


def engine_module(kernels: Iterable[str] | None = None) -> bytes:
    """The engine in WebAssembly, which imports nothing; docs/webassembly.md has its functions.

    kernels: those that it is to have, by their names; None: all, for any plan. Opening a plan that needs another gives
    the status -5. Raises ExportError if there is no module here, or no such kernel in it.
    """
    if not is_built():
        raise ExportError(
            "the engine was not built for WebAssembly here: build it with `make platforms`, or, from the source folder "
            f"with ziglang, `KEELBLOCKS_PLATFORMS={WEBASSEMBLY.name} pip install .`; releases of Keelblocks have it"
        )
    return _module(MODULE, MODULE.stat().st_mtime_ns, None if kernels is None else frozenset(kernels))


def module_for(plan: Plan) -> bytes:
    """The engine in WebAssembly with what a plan needs. Other plans with the same kernels run, too.

    With kernels of compiled libraries zig compiles a module of its own, which takes seconds the first time.
    Raises ExportError as `engine_module` does, and if the plan has blocks or a solver that run in Python only, or
    kernels of a library that cannot be compiled here.
    """
    if plan.python_blocks:
        names = ", ".join(f"'{plan.flat.leaves[number].name}'" for number in plan.python_blocks)
        raise ExportError(f"blocks written in Python, and FMUs, do not run in WebAssembly: {names}")
    if plan.settings.solver not in native.SOLVERS:
        raise ExportError(
            f"the solver {plan.settings.solver} is SciPy's and does not run in WebAssembly; choose "
            f"{', '.join(native.SOLVERS)}"
        )
    kernels = {kernel_name(leaf.block) for leaf in plan.flat.leaves}
    if plan.digests:
        return module_with(libraries_of(plan), {kernel for kernel in kernels if "." not in kernel})
    return engine_module(kernels)


@functools.lru_cache(maxsize=8)
def _module(path: Path, _time: int, chosen: frozenset[str] | None) -> bytes:
    content = path.read_bytes()
    if chosen is not None:
        check_kernels("the engine in WebAssembly", chosen, kernels_of(content))
    return with_kernels(content, chosen)
