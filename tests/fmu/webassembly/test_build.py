"""Building the module: when, of what, and that what is old goes."""

from __future__ import annotations

import importlib.util
import subprocess

import pytest

from cython_kernels.plain_c.compilers import BuildError, zig
from cython_kernels.plain_c.engine_parts import EngineC, finder
from cython_kernels.plain_c.platforms import PLATFORMS, WEBASSEMBLY
from fmu import runtime
from fmu.runtime.build import runtimes, webassembly
from fmu.runtime.build.runtimes import build_runtimes
from fmu.runtime.build.webassembly import DOOR, build_webassembly
from fmu.runtime.c_files import WIDE_PATHS


@pytest.fixture(scope="module")
def engine() -> EngineC:
    """A few kernels, two of which share a function that no other has."""
    text = runtime.ENGINE_C.read_text(encoding="utf-8")
    return EngineC(EngineC(text).only(["gain", "line_of_sight", "line_of_sight_pi"]))


def test_each_kernel_is_behind_its_finder_and_owns_what_only_kernels_need(engine):
    text = engine.with_finders()
    for kernel in engine.kernels:
        assert text.count(f"int {finder(kernel)}(char const *s, KernelEntry *k) {{") == 1
        assert (
            f'"{kernel}"' in text.partition(f"{finder(kernel)}(char const *s, KernelEntry *k) {{")[2].partition("}")[0]
        )
    owned = engine.owned()
    assert owned["gain"].isdisjoint(owned["line_of_sight"])
    assert owned["line_of_sight"] & owned["line_of_sight_pi"]
    assert not any({"plan_advance", "evaluate", "find_kernel"} & functions for functions in owned.values())


def test_it_is_built_where_it_is_named_and_goes_where_it_is_not(monkeypatch, tmp_path):
    made = []

    def compile_nothing(engine, module, command):
        made.append(command)
        module.parent.mkdir(parents=True, exist_ok=True)
        module.write_text("module")

    def compile_no_runtime(engine, folder, platform, command):
        folder.mkdir(parents=True, exist_ok=True)
        for version in "23":
            (folder / f"fmi{version}.runtime").write_text("runtime")

    monkeypatch.setattr(webassembly, "compile_webassembly", compile_nothing)
    monkeypatch.setattr(runtimes, "compile_runtimes", compile_no_runtime)
    for part in (webassembly, runtimes):
        monkeypatch.setattr(part, "compiler", lambda platform, named: ["cc"])

    def built(*named):
        arguments = runtime.ENGINE_C, tmp_path / "binaries", tmp_path / "cache", named
        build_runtimes(*arguments)
        build_webassembly(*arguments)
        return {path.parent.name for path in (tmp_path / "binaries").glob("*/*")}

    here = built()
    assert "wasm32" not in here
    assert built(WEBASSEMBLY) == built(WEBASSEMBLY) == here | {"wasm32"}
    assert built(*PLATFORMS) == here | {platform.name for platform in PLATFORMS}
    assert made == [["cc"]], "and not again while nothing has changed"


def test_words_about_a_linker_that_leaves_no_names(engine, monkeypatch, tmp_path):
    monkeypatch.setattr(webassembly.Toolchain, "compile", lambda self, units: {})
    monkeypatch.setattr(webassembly.Toolchain, "link", lambda self, *arguments: b"\0asm\1\0\0\0")
    with pytest.raises(
        BuildError, match="building for WebAssembly failed: the WebAssembly module has no section 'name'"
    ):
        webassembly.compile_webassembly(engine, tmp_path / "engine.wasm", ["cc"])


@pytest.mark.skipif(
    importlib.util.find_spec("ziglang") is None, reason="needs ziglang: pip install 'keelblocks[platforms]'"
)
def test_the_front_door_is_clean_c99(engine, tmp_path):
    for path in (DOOR, WIDE_PATHS):
        (tmp_path / path.name).write_text(path.read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "engine.c").write_text(engine.with_finders(), encoding="utf-8")
    strict = [*webassembly.FLAGS, "-O0", "-pedantic", "-Wall", "-Wextra", "-Werror", "-c", DOOR.name, "-o", "door.o"]
    done = subprocess.run([*zig(WEBASSEMBLY), *strict], cwd=tmp_path, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")
