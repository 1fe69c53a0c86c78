"""The module as it is built and shipped: what it has, what is left out of it, and words where there is none."""

from __future__ import annotations

import gzip
import re
import shutil
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from simulators import Doubler
from subjects import mission
from webassembly import skip_without_webassembly

from blocks.basic import Gain
from blocks.errors import ExportError
from blocks.plan import make_plan
from cython_kernels import engine as native
from cython_kernels.plain_c.engine_parts import EngineC
from fmu import runtime
from fmu.runtime.webassembly import format as wasm
from fmu.runtime.webassembly import module
from fmu.runtime.webassembly.engine import Engine, Host
from fmu.runtime.webassembly.kernels import kernels, with_kernels, with_table
from fmu.runtime.webassembly.module import engine_module, module_for

PAGE = Path(__file__).parents[3] / "docs" / "webassembly.md"


@pytest.fixture
def shipped() -> bytes:
    """The file that a release has."""
    skip_without_webassembly()
    return module.MODULE.read_bytes()


def exported(content: bytes) -> set[str]:
    (section,) = (part for part in wasm.sections(content) if part.kind == wasm.EXPORTS)
    return {*wasm.exports(section.content)}


def test_it_imports_nothing_and_has_the_functions_of_the_documentation(shipped):
    assert wasm.IMPORTS not in {part.kind for part in wasm.sections(shipped)}
    table = PAGE.read_text(encoding="utf-8").partition("## Functions")[2]
    rows = re.findall(r"^\| (`\w+\(.*?) \|", table, re.M)
    assert exported(shipped) == {"memory", *(name for row in rows for name in re.findall(r"`(\w+)\(", row))}


def test_it_has_every_kernel_and_nothing_of_the_machine_that_built_it(shipped):
    assert kernels(shipped) == EngineC(runtime.ENGINE_C.read_text(encoding="utf-8")).kernels
    assert wasm.CUSTOM not in {part.kind for part in wasm.sections(engine_module())}
    assert str(Path.home()).encode() not in shipped
    assert "wasm32" not in runtime.platforms(), "it is no platform of FMI"
    with pytest.raises(ExportError, match=r"there is no platform 'wasm32'"):
        runtime.folder("wasm32", "3.0")


def test_what_a_plan_does_not_need_is_left_out(shipped):
    plan = make_plan(mission(), step=0.01)
    content = module_for(plan)
    assert len(gzip.compress(content)) < 0.5 * len(gzip.compress(engine_module()))
    some, all_of_them = Engine(plan.stored, host=Host(content)), Engine(plan.stored)
    for engine in (some, all_of_them):
        assert (engine.start(0.0), engine.advance(3.0)) == (0, 0)
    assert np.array_equal(some.values, all_of_them.values)
    with pytest.raises(native.EngineError, match=r"unknown kernel \(block number 0\)"):
        Engine(make_plan(Gain(2.0)).stored, host=some.host)
    assert with_kernels(shipped, kernels(shipped)) == engine_module()


def test_words_where_there_is_no_module(monkeypatch, tmp_path):
    monkeypatch.setattr(module, "MODULE", tmp_path / "engine.wasm")
    with pytest.raises(ExportError, match=r"not built for WebAssembly here: build it with `make platforms`, or, fr"):
        engine_module()


def test_words_about_what_does_not_run_in_it(shipped):
    with pytest.raises(ExportError, match=r"the engine in WebAssembly here has no kernel 'warp_drive'"):
        engine_module(["gain", "warp_drive"])
    with pytest.raises(ExportError, match=r"the solver LSODA is SciPy's .* choose euler, heun, rk4, dopri5$"):
        module_for(make_plan(mission(), solver="LSODA"))


def test_words_about_blocks_in_python():
    with pytest.raises(ExportError, match=r"blocks written in Python, and FMUs, do not run in WebAssembly: '\w+'$"):
        module_for(make_plan(Doubler(), input_shapes={"u": ()}))


def test_words_without_wasmtime(monkeypatch):
    monkeypatch.setitem(sys.modules, "wasmtime", None)
    with pytest.raises(ExportError, match="needs wasmtime: pip install wasmtime"):
        Host(b"")


def test_the_page_of_the_documentation_runs_in_node(shipped, tmp_path):
    """And its two runs end where those of this process end, and where the page says."""
    node = shutil.which("node")
    if node is None:
        pytest.skip("there is no node on this machine")
    text = PAGE.read_text(encoding="utf-8")
    diagram = mission()
    plan = make_plan(diagram, step=0.01, end=160.0)
    (tmp_path / "plan.bin").write_bytes(plan.stored)
    (tmp_path / "engine.wasm").write_bytes(module_for(plan))
    (tmp_path / "run.mjs").write_text(re.search(r"```js\n(.*?)```", text, re.S)[1], encoding="utf-8")
    places = [plan.outputs["plant.vessel.eta"].first, plan.parameters["plant.current.speed"].first]
    command = [node, "run.mjs", *map(str, places)]
    printed = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert f"```text\n{printed}```" in text
    for line, speed in zip(printed.splitlines(), (diagram["plant"]["current"].speed, 0.01), strict=True):
        engine = plan.engine()
        engine.values[places[1]] = speed
        engine.start(0.0)
        engine.advance(160.0)
        north, east = engine.values[places[0] : places[0] + 2].tolist()
        assert line == f"0 1601 {north} {east}"


# --- the binary format -----------------------------------------------------------------------------------------------


def test_numbers_are_written_as_they_are_read():
    for value in (0, 1, 127, 128, 300, 16_383, 16_384, 2**32 - 1):
        stored = wasm.as_number(value)
        assert wasm.number(b"\xff" + stored + b"\x05", 1) == (value, 1 + len(stored))
    assert wasm.as_number(300) == b"\xac\x02"  # by hand: 300 = 2 · 128 + 44


def linked(names: dict[str, int], *more: wasm.Section) -> bytes:
    """A module with three functions that say 1, 2, 3, and these names for them."""

    def sized(text: str) -> bytes:
        return wasm.as_number(len(text)) + text.encode()

    listed = wasm.as_number(len(names)) + b"".join(wasm.as_number(n) + sized(name) for name, n in names.items())
    functions = [bytes([0, 0x41, n, 0x0B]) for n in (1, 2, 3)]
    exports = wasm.exports_of({"f": b"\0\0", "_initialize": b"\0\1"})
    return wasm.module_of([
        *more, exports, wasm.code_of(functions), wasm.custom("name", b"\1" + wasm.as_number(len(listed)) + listed),
    ])  # fmt: skip


def test_functions_that_only_kernels_need_are_emptied():
    table = {"gain": ("find_gain", {"gain", "shared", "inlined"}), "sum": ("find_sum", {"shared"})}
    names = {"find_gain": 0, "find_sum": 1, "shared": 2}
    made = with_table(linked(names), table)
    assert kernels(made) == ["gain", "sum"]
    assert exported(made) == {"f"}

    def bodies(chosen) -> list[bytes]:
        (code,) = (part for part in wasm.sections(with_kernels(made, chosen)) if part.kind == wasm.CODE)
        return wasm.bodies(code.content)

    assert bodies(None) == bodies(["gain", "sum"]) == [bytes([0, 0x41, n, 0x0B]) for n in (1, 2, 3)]
    assert bodies(["sum"]) == [b"\x00\x41\x00\x0b", b"\x00\x41\x02\x0b", b"\x00\x41\x03\x0b"]
    assert bodies([]) == [b"\x00\x41\x00\x0b", b"\x00\x41\x00\x0b", b"\x00\x00\x0b"]
    with pytest.raises(ValueError, match="has no function find_sum"):
        with_table(linked({"find_gain": 0}), table)
    with pytest.raises(ValueError, match="imports something"):
        with_table(linked(names, wasm.Section(wasm.IMPORTS, b"\0")), table)


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x7fELF", "no WebAssembly module of version 1"),
        (wasm.module_of([])[:-1], "no WebAssembly module of version 1"),
        (linked({})[:-1], "is truncated"),
        (wasm.module_of([]), "has no section 'keelblocks.kernels'"),
    ],
)
def test_what_is_no_module_of_the_engine(content, message):
    with pytest.raises(ValueError, match=message):
        kernels(content)
