"""Building the runtime: which compiler is taken, what the C is worth to strict compilers, and equal bytes."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from fmu import runtime
from fmu.runtime import compilers
from fmu.runtime.build import SOURCES, TRANSLATION_UNIT, build_runtimes, compile_runtime, fmi_headers
from fmu.runtime.compilers import ZIG, BuildError, compiler, named_platforms, own_compiler, requirements, zig
from fmu.runtime.deflated import NAME as DEFLATED
from fmu.runtime.deflated import deflated_ahead
from fmu.runtime.platform_table import PLATFORMS, Platform, local

LINUX, ARM_LINUX, WINDOWS = PLATFORMS[:3]
STRICT = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror"]
HAS_ZIG = importlib.util.find_spec("ziglang") is not None
needs_zig = pytest.mark.skipif(not HAS_ZIG, reason="needs ziglang: pip install 'keelblocks[platforms]'")
needs_compiler = pytest.mark.skipif(not own_compiler(), reason="needs a C compiler")


@pytest.fixture(autouse=True)
def _clean_environment(monkeypatch):
    monkeypatch.delenv("CC", raising=False)
    monkeypatch.delenv("KEELBLOCKS_PLATFORMS", raising=False)


@pytest.fixture(scope="module")
def zig_cache(tmp_path_factory):
    """A folder for what zig makes, for all tests here."""
    with pytest.MonkeyPatch.context() as patch:
        folder = tmp_path_factory.mktemp("zig")
        patch.setenv("ZIG_GLOBAL_CACHE_DIR", str(folder))
        patch.setenv("ZIG_LOCAL_CACHE_DIR", str(folder))
        yield folder


@pytest.fixture
def machine(monkeypatch):
    """Makes this look like a machine with these programs, with ziglang or without."""

    def pretend(*programs: str, ziglang: bool) -> None:
        monkeypatch.setattr(shutil, "which", lambda name: f"/usr/bin/{name}" if name in programs else None)
        monkeypatch.setattr(importlib.util, "find_spec", lambda name: object() if ziglang else None)
        monkeypatch.setattr(compilers, "local", lambda: LINUX)

    return pretend


def test_the_own_compiler_builds_for_this_machine_and_zig_for_others(machine, monkeypatch):
    machine("gcc", "clang", ziglang=True)
    assert compiler(LINUX, []) == ["gcc"]
    assert compiler(WINDOWS, [WINDOWS]) == zig(WINDOWS)
    assert compiler(LINUX, [LINUX]) == zig(LINUX)
    assert zig(LINUX)[:5] == [sys.executable, "-m", "ziglang", "cc", "-target"]
    assert zig(LINUX)[5] == "x86_64-linux-gnu.2.17"
    monkeypatch.setenv("CC", "ccache gcc-14")
    assert compiler(LINUX, []) == ["ccache", "gcc-14"]


def test_zig_stands_in_where_there_is_no_compiler(machine):
    machine(ziglang=True)
    assert compiler(LINUX, []) == zig(LINUX)
    assert requirements() == [ZIG]
    machine("cc", ziglang=False)
    assert requirements() == []


def test_words_about_a_machine_without_compiler(machine):
    machine(ziglang=False)
    with pytest.raises(BuildError) as refused:
        compiler(LINUX, [])
    assert str(refused.value) == (
        "there is no C compiler on this machine: none of cc, gcc and clang, and $CC is not set; install one, "
        f"or pip install '{ZIG}' into the environment that builds"
    )
    with pytest.raises(BuildError, match=r"and \$CC is not set; install one$"):
        compiler(Platform("riscv64-linux", "riscv64-linux", ".so"), [])


def test_words_about_a_platform_without_zig(machine):
    machine("cc", ziglang=False)
    with pytest.raises(BuildError, match=r"building for x86_64-windows needs zig, from PyPI: pip install 'ziglang"):
        compiler(WINDOWS, [WINDOWS])


def test_platforms_are_named_in_the_environment(monkeypatch):
    assert named_platforms() == []
    monkeypatch.setenv("KEELBLOCKS_PLATFORMS", "all")
    assert named_platforms() == list(PLATFORMS)
    assert requirements() == [ZIG]
    monkeypatch.setenv("KEELBLOCKS_PLATFORMS", "win64, darwin64 x86_64-windows")
    assert [p.name for p in named_platforms()] == ["x86_64-windows", "x86_64-darwin", "aarch64-darwin"]
    monkeypatch.setenv("KEELBLOCKS_PLATFORMS", "win64,amiga")
    with pytest.raises(BuildError, match=r"^\$KEELBLOCKS_PLATFORMS: there is no platform 'amiga'; valid: all, x86"):
        named_platforms()


def test_the_project_asks_for_the_zig_that_the_build_asks_for():
    project = Path(__file__).resolve().parents[2] / "pyproject.toml"
    assert f'platforms = ["{ZIG}"]' in project.read_text(encoding="utf-8")


def test_a_folder_holds_the_runtimes_asked_for_and_no_old_ones(monkeypatch, tmp_path):
    made = []

    def compile_nothing(engine_c, library, platform, command):
        made.append(platform.name)
        library.parent.mkdir(parents=True, exist_ok=True)
        library.write_text(" ".join(command))

    monkeypatch.setattr("fmu.runtime.build.compile_runtime", compile_nothing)
    monkeypatch.setattr("fmu.runtime.build.compiler", lambda platform, named: ["zig" if platform in named else "cc"])
    monkeypatch.setattr("fmu.runtime.build.own_compiler", lambda: ["cc"])
    monkeypatch.setattr("fmu.runtime.build.local", lambda: LINUX)
    destination = tmp_path / "binaries"

    def build(*named):
        build_runtimes(runtime.ENGINE_C, destination, tmp_path / "cache", named)
        found = {p: p.read_text() for p in destination.glob("*/keelblocks.*")}
        assert all(p.with_name(DEFLATED).read_bytes() == deflated_ahead(text.encode()) for p, text in found.items())
        return {p.parent.name: text for p, text in found.items()}

    assert build() == {"x86_64-linux": "cc"}
    assert build(LINUX, WINDOWS) == {"x86_64-linux": "zig", "x86_64-windows": "zig"}
    assert build(WINDOWS) == {"x86_64-linux": "cc", "x86_64-windows": "zig"}
    assert build() == {"x86_64-linux": "cc"}
    assert made == ["x86_64-linux", "x86_64-linux", "x86_64-windows"]  # nothing twice


def test_a_compiler_that_refuses(tmp_path):
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    with pytest.raises(BuildError, match=r"compiling the FMU runtime for x86_64-linux failed, see above: .*SystemExit"):
        compile_runtime(runtime.ENGINE_C, tmp_path / "x.so", LINUX, command)
    assert list(tmp_path.iterdir()) == []


def strict(command, folder):
    """What a compiler says to the runtime with every warning an error; the headers of FMI are not ours."""
    includes = [f"-I{runtime.ENGINE_C.parent}", f"-I{SOURCES}", "-isystem", str(fmi_headers())]
    compiling = [*command, *STRICT, *includes, "-c", str(TRANSLATION_UNIT), "-o", "runtime.o"]
    done = subprocess.run(compiling, cwd=folder, capture_output=True, text=True)
    assert (folder / "runtime.o").exists() or done.returncode
    return done.returncode, done.stderr


@needs_compiler
def test_the_runtime_is_clean_c99(tmp_path):
    assert strict([*own_compiler(), "-O1"], tmp_path) == (0, "")


@needs_zig
@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda p: p.name)
def test_the_runtime_is_clean_c99_on_every_platform(platform, zig_cache, tmp_path):
    assert strict(zig(platform), tmp_path) == (0, "")


@needs_compiler
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("nm") is None, reason="reads an ELF file with nm")
def test_the_runtime_has_no_variables(tmp_path):
    includes = [f"-I{runtime.ENGINE_C.parent}", f"-I{SOURCES}", f"-I{fmi_headers()}"]
    command = [*own_compiler(), "-std=c99", "-O0", "-c", *includes, str(TRANSLATION_UNIT), "-o", "runtime.o"]
    subprocess.run(command, check=True, cwd=tmp_path)
    listed = subprocess.run(["nm", "runtime.o"], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert re.search(r" T fmi2DoStep$", listed, re.M)
    assert re.findall(r" [bBdDcC] (\w+)$", listed, re.M) == []


def twice(platform, command, tmp_path):
    """The runtime, built from two folders into two others."""
    contents = []
    for folder in (tmp_path / "first", tmp_path / "a longer name" / "second"):
        folder.mkdir(parents=True)
        engine_c = Path(shutil.copy(runtime.ENGINE_C, folder))
        library = folder / "built" / f"keelblocks{platform.suffix}"
        compile_runtime(engine_c, library, platform, command)
        contents.append(library.read_bytes())
    return contents


@needs_compiler
def test_equal_sources_give_equal_bytes(tmp_path):
    first, second = twice(local(), own_compiler(), tmp_path)
    assert first == second


@needs_zig
def test_equal_sources_give_equal_bytes_with_zig(tmp_path, zig_cache):
    first, second = twice(ARM_LINUX, zig(ARM_LINUX), tmp_path)
    assert first == second
