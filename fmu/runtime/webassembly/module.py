"""The engine's module of WebAssembly, as it was built, for some kernels or all."""

from __future__ import annotations

import functools
from collections.abc import Iterable
from pathlib import Path

from blocks.errors import ExportError
from fmu.runtime import BINARIES, check_kernels
from fmu.runtime.platform_table import WEBASSEMBLY
from fmu.runtime.webassembly.kernels import kernels as kernels_of
from fmu.runtime.webassembly.kernels import with_kernels

MODULE = BINARIES / WEBASSEMBLY.name / "engine.wasm"


def is_built() -> bool:
    """Whether there is a module here: releases have one, and a build for WebAssembly makes it."""
    return MODULE.is_file()


def engine_module(kernels: Iterable[str] | None = None) -> bytes:
    """The engine in WebAssembly, which imports nothing and opens any plan; docs/webassembly.md has its functions.

    kernels: those that it is to have, by the names of `blocks.plan.kernel.kernel_name`; None: all. Opening a plan that
    needs another gives the status -5. Raises ExportError if there is no module here, or no such kernel in it.
    """
    if not is_built():
        raise ExportError(
            "the engine was not built for WebAssembly here: build it with `make platforms`, alone with "
            f"KEELBLOCKS_PLATFORMS={WEBASSEMBLY.name} and ziglang, or install a release of Keelblocks"
        )
    chosen = None if kernels is None else frozenset(kernels)
    return _module(MODULE, MODULE.stat().st_mtime_ns, chosen)


@functools.lru_cache(maxsize=8)
def _module(path: Path, _time: int, chosen: frozenset[str] | None) -> bytes:
    content = path.read_bytes()
    if chosen is not None:
        check_kernels("the engine in WebAssembly", chosen, kernels_of(content))
    return with_kernels(content, chosen)
