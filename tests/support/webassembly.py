"""The engine in WebAssembly, for tests; where it is not built, or there is no wasmtime, they are skipped."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import TypeVar

import pytest

from cython_kernels import engine as native
from fmu.runtime.webassembly.engine import Engine
from fmu.runtime.webassembly.module import is_built

Found = TypeVar("Found")


def skip_without_webassembly() -> None:
    """Skip a test that cannot run here."""
    if not is_built():
        pytest.skip("the engine is not built for WebAssembly here: `make platforms` does that")
    if importlib.util.find_spec("wasmtime") is None:
        pytest.skip("wasmtime is not installed: pip install wasmtime")


def in_webassembly(run: Callable[[], Found], engine: Callable[..., object] = Engine) -> Found:
    """What a function gives when plans run in WebAssembly."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(native, "Engine", engine)
        return run()
