"""Kernels of compiled libraries in WebAssembly: a module of their own, with the numbers of the engine."""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from c_host import MISSING
from handmade_library import imported
from webassembly import in_webassembly

from blocks import Diagram, simulate
from blocks.basic import FirstOrderLag, Sine
from blocks.errors import ExportError
from fmu.runtime.webassembly import with_libraries
from fmu.runtime.webassembly.engine import Engine, Host
from fmu.runtime.webassembly.module import module_for

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")
LACKING = [name for name in ("ziglang", "wasmtime") if importlib.util.find_spec(name) is None]


@pytest.fixture
def wasm_drag(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """A library with a drag of 2 k u, and an empty cache."""
    monkeypatch.setattr("blocks.files.cache.cache_folder", lambda: tmp_path / "cache")
    monkeypatch.setattr(with_libraries, "FLAGS", ["-O1" if flag == "-O3" else flag for flag in with_libraries.FLAGS])
    with imported(tmp_path, wasm_drag=2.0) as modules:
        yield modules["wasm_drag"]


def towed(drag: ModuleType) -> Diagram:
    """A speed that swings, its drag, and something of the engine's own behind it."""
    diagram = Diagram("towed")
    diagram.add("speed", Sine([2.0], [3.0]))
    diagram.add("drag", drag.Drag(k=0.7))
    diagram.add("lag", FirstOrderLag(0.5))
    diagram.connect("speed.y", "drag.u")
    diagram.connect("drag.force", "lag.u")
    return diagram


@pytest.mark.slow  # it compiles the engine
@pytest.mark.skipif(bool(LACKING), reason=f"needs {' and '.join(LACKING)}: pip install {' '.join(LACKING)}")
def test_a_module_with_a_library_has_the_numbers_of_the_engine(wasm_drag, monkeypatch, tmp_path):
    plan = towed(wasm_drag).plan(step=0.05)
    module = module_for(plan)
    assert len(module) < 150_000  # without the kernels that it does not need
    (kept,) = Path(tmp_path, "cache", "webassembly").iterdir()
    assert kept.read_bytes() == module
    monkeypatch.setattr(with_libraries.subprocess, "run", None)  # it is not compiled again
    assert module_for(plan) == module
    here, there = (
        run(lambda: simulate(towed(wasm_drag), 2.0, step=0.05))
        for run in (lambda make: make(), lambda make: in_webassembly(make, opened(module)))
    )
    for name in ("drag.force", "lag.y"):
        assert here.values(name).tobytes() == there.values(name).tobytes()
    assert np.ptp(here.values("lag.y")) > 1.0


def opened(module: bytes):
    """The engine in a module."""
    host = Host(module)
    return lambda stored, memory=None: Engine(stored, host=host)


def test_what_cannot_be_compiled_is_refused_by_name(wasm_drag, monkeypatch, tmp_path):
    plan = towed(wasm_drag).plan(step=0.05)
    find_spec = importlib.util.find_spec
    with monkeypatch.context() as patch:
        patch.setattr(importlib.util, "find_spec", lambda name: None if name == "ziglang" else find_spec(name))
        with pytest.raises(ExportError, match=r"kernels of wasm_drag need a module .* pip install 'ziglang>="):
            module_for(plan)
    if LACKING:
        return
    Path(tmp_path, "wasm_drag", "__keelblocks__", "library.c").write_text("int wrong(void) { return it; }\n")
    words = (
        r"wasm_drag cannot be compiled for WebAssembly \(wasm_drag_library\.c:2:\d+: error: use of undeclared "
        r"identifier 'it'\): mend its kernels and build it again"
    )
    with pytest.raises(ExportError, match=words):
        module_for(plan)
