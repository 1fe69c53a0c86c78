"""Building the runtime: which compiler is taken, what the C is worth to strict compilers, and equal bytes."""

from __future__ import annotations

import importlib.util
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from cython_kernels.plain_c import compilers
from cython_kernels.plain_c.compilers import ZIG, BuildError, compiler, named_platforms, own_compiler, requirements, zig
from cython_kernels.plain_c.engine_parts import LIBRARIES, EngineC
from cython_kernels.plain_c.platforms import PLATFORMS, WEBASSEMBLY, Platform, local
from fmu import runtime
from fmu.runtime.build import runtimes
from fmu.runtime.build.linking import Toolchain
from fmu.runtime.build.runtimes import build_runtimes, compile_runtimes, fmi_headers
from fmu.runtime.c_files import SOURCES, TRANSLATION_UNIT
from fmu.runtime.stored import file_name, read

LINUX, ARM_LINUX, WINDOWS = PLATFORMS[:3]
OTHER_HEADERS = {"x86_64-windows", "x86_64-darwin"}
"""One platform for each C library that names things otherwise than this machine's: these are looked at at once."""
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


@needs_zig
@pytest.mark.parametrize("platform", [p for p in PLATFORMS if p.name.startswith("x86_64")], ids=lambda p: p.name)
def test_zig_compiles_for_the_oldest_processors(platform, zig_cache, tmp_path):
    """By what the compiler says of its target: no instructions that came after the oldest Mac with this processor."""
    Path(tmp_path, "empty.c").touch()
    command = [*zig(platform), "-dM", "-E", "empty.c"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
    assert not done.returncode, done.stderr
    assert "__SSE2__" in done.stdout
    assert not re.findall(r"__(?:SSE4|AVX|FMA|BMI|LZCNT|POPCNT|MOVBE)\w*", done.stdout)


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
    assert named_platforms() == [*PLATFORMS, WEBASSEMBLY]
    assert requirements() == [ZIG]
    monkeypatch.setenv("KEELBLOCKS_PLATFORMS", "win64, darwin64 x86_64-windows")
    assert [p.name for p in named_platforms()] == ["x86_64-windows", "x86_64-darwin", "aarch64-darwin"]
    monkeypatch.setenv("KEELBLOCKS_PLATFORMS", "wasm32")
    assert named_platforms() == [WEBASSEMBLY]
    assert requirements() == [ZIG]
    monkeypatch.setenv("KEELBLOCKS_PLATFORMS", "win64,amiga")
    with pytest.raises(
        BuildError, match=r"^\$KEELBLOCKS_PLATFORMS: there is no platform 'amiga'; valid: all, x86.*, wasm32$"
    ):
        named_platforms()


def test_the_project_asks_for_the_zig_that_the_build_asks_for():
    project = Path(__file__).resolve().parents[3] / "pyproject.toml"
    assert f'platforms = ["{ZIG}"]' in project.read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def small_engine() -> EngineC:
    """The engine with a few kernels, in three sections: the others would only take longer."""
    return EngineC(EngineC(runtime.ENGINE_C.read_text(encoding="utf-8")).only(["gain", "sum", "pid", "wind_load"]))


def test_a_folder_holds_the_runtimes_asked_for_and_nothing_old(monkeypatch, tmp_path):
    made = []

    def compile_nothing(engine, folder, platform, command):
        made.append(platform.name)
        folder.mkdir(parents=True, exist_ok=True)
        for version in "23":
            (folder / file_name(version)).write_text(" ".join([*command, version]))

    monkeypatch.setattr(runtimes, "compile_runtimes", compile_nothing)
    monkeypatch.setattr(
        "fmu.runtime.build.runtimes.compiler", lambda platform, named: ["zig" if platform in named else "cc"]
    )
    monkeypatch.setattr(runtimes, "own_compiler", lambda: ["cc"])
    monkeypatch.setattr(runtimes, "local", lambda: LINUX)
    destination = tmp_path / "binaries"
    (destination / "x86_64-linux").mkdir(parents=True)
    for name in ("keelblocks.so", "python_stub.so"):
        (destination / "x86_64-linux" / name).write_text("old")

    def built(*named):
        build_runtimes(runtime.ENGINE_C, destination, tmp_path / "cache", named)
        assert all(path.with_name("fmi3.runtime").is_file() for path in destination.glob("*/fmi2.runtime"))
        return {path.parent.name: path.read_text() for path in destination.glob("*/fmi2.runtime")}

    assert built() == {"x86_64-linux": "cc 2"}
    assert not (destination / "x86_64-linux" / "keelblocks.so").exists()
    assert (destination / "x86_64-linux" / "python_stub.so").exists()
    assert built(LINUX, WINDOWS) == {"x86_64-linux": "zig 2", "x86_64-windows": "zig 2"}
    assert built(WINDOWS) == {"x86_64-linux": "cc 2", "x86_64-windows": "zig 2"}
    assert built() == {"x86_64-linux": "cc 2"}
    assert made == ["x86_64-linux", "x86_64-linux", "x86_64-windows"]  # nothing twice


def test_a_compiler_that_refuses(small_engine, tmp_path):
    command = [sys.executable, "-c", "raise SystemExit(3)"]
    with pytest.raises(BuildError, match=r"compiling the FMU runtime for x86_64-linux failed, see above: .*SystemExit"):
        compile_runtimes(small_engine, tmp_path, LINUX, command)
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []


def test_what_was_compiled_is_not_compiled_again(tmp_path):
    compiler = tmp_path / "compiler.py"
    compiler.write_text("import sys; open('../log', 'a').write(sys.argv[2] + ' '); open('made.o', 'w')\n")
    toolchain = Toolchain([sys.executable, str(compiler)], "x86_64-linux", tmp_path / "objects")

    def compiled(**units):
        (tmp_path / "log").write_text("")
        made = toolchain.compile({name: {f"{name}.c": text, "common.h": "int n;"} for name, text in units.items()})
        assert {*made.values()} == {*toolchain.objects.iterdir()}
        return sorted((tmp_path / "log").read_text().split())

    assert compiled(sea="int s;", sail="int t;") == ["sail.c", "sea.c"]
    assert compiled(sea="int s;", sail="int u;") == ["sail.c"]
    assert compiled(sail="int u;") == []
    assert compiled(sea="int s;", sail="int u;") == ["sea.c"]


def test_a_library_whose_sections_are_not_found_has_every_kernel(small_engine, monkeypatch, tmp_path):
    """Whatever the linker does, there is a runtime: it is larger then."""
    monkeypatch.setattr(
        Toolchain, "_run", lambda self, arguments, folder: Path(folder, _made(arguments)).write_text("x")
    )
    compile_runtimes(small_engine, tmp_path, LINUX, ["cc"])
    for version in "23":
        found = read((tmp_path / file_name(version)).read_bytes())
        assert found.kernels == {"gain", "sum", "pid", "wind_load", LIBRARIES}
        assert found.library([]) == found.library(found.kernels)


def _made(arguments) -> str:
    """The file that a compiler with these arguments makes."""
    return arguments[arguments.index("-o") + 1]


def strict(command, folder):
    """What a compiler says to the runtime with every warning an error; the headers of FMI are not ours."""
    includes = [f"-I{runtime.ENGINE_C.parent}", f"-I{SOURCES}", "-isystem", str(fmi_headers())]
    compiling = [*command, *STRICT, *includes, "-c", str(TRANSLATION_UNIT), "-o", "runtime.o"]
    done = subprocess.run(compiling, cwd=folder, capture_output=True, text=True)
    assert (folder / "runtime.o").exists() or done.returncode
    return done.returncode, done.stderr


@pytest.mark.slow
@needs_compiler
def test_the_runtime_is_clean_c99(tmp_path):
    """Optimised, whereby a compiler sees more than in the quick look at it below."""
    assert strict([*own_compiler(), "-O1"], tmp_path) == (0, "")


@needs_compiler
def test_its_sections_are_clean_c99(small_engine, tmp_path):
    for name in small_engine.sections():
        (tmp_path / "section.c").write_text(small_engine.section(name), encoding="utf-8")
        command = [*own_compiler(), *STRICT, f"-I{SOURCES}", "-c", "section.c"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (0, "")


@needs_zig
@pytest.mark.parametrize(
    "platform",
    [pytest.param(p, id=p.name, marks=() if p.name in OTHER_HEADERS else pytest.mark.slow) for p in PLATFORMS],
)
def test_the_runtime_is_clean_c99_on_every_platform(platform, zig_cache, tmp_path):
    assert strict(zig(platform), tmp_path) == (0, "")


@needs_compiler
@pytest.mark.skipif(sys.platform != "linux" or shutil.which("nm") is None, reason="reads an ELF file with nm")
def test_the_runtime_has_no_warnings_and_no_variables(tmp_path):
    assert strict([*own_compiler(), "-O0"], tmp_path) == (0, "")
    listed = subprocess.run(["nm", "runtime.o"], capture_output=True, text=True, check=True, cwd=tmp_path).stdout
    assert re.search(r" T fmi2DoStep$", listed, re.M)
    assert re.findall(r" [bBdDcC] (\w+)$", listed, re.M) == []


@pytest.fixture
def twice(small_engine, monkeypatch, tmp_path):
    """Builds the runtime for FMI 2 in two folders; not optimised, which takes long and makes no difference here."""
    monkeypatch.setattr(runtimes, "FLAGS", [flag for flag in runtimes.FLAGS if flag != "-O3"])
    monkeypatch.setattr(runtimes, "VERSIONS", ["2"])

    def compiled(platform, command):
        folders = tmp_path / "first", tmp_path / "a longer name" / "second"
        for folder in folders:
            compile_runtimes(small_engine, folder, platform, command)
        return [(folder / file_name("2")).read_bytes() for folder in folders]

    return compiled


@needs_compiler
def test_equal_sources_give_equal_bytes(twice):
    first, second = twice(local(), own_compiler())
    assert first == second
    names = [section.name for section in read(first).sections]
    assert names[1:] == ["basic_math", "control_pid", "environment_wind_load", LIBRARIES, "end"]


@pytest.mark.slow
@needs_zig
def test_equal_sources_give_equal_bytes_with_zig(twice, zig_cache):
    first, second = twice(ARM_LINUX, zig(ARM_LINUX))
    assert first == second


@needs_zig
@pytest.mark.parametrize("platform", PLATFORMS, ids=lambda p: p.name)
def test_no_processor_is_asked_for_but_the_oldest(platform, zig_cache, tmp_path):
    (tmp_path / "empty.c").write_text("")
    command = [*zig(platform), "-dM", "-E", "empty.c"]
    defined = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True).stdout
    assert re.search(r"#define __(x86_64|aarch64|arm64)__ 1\n", defined)
    assert re.findall(r"__(?:AVX\w*|FMA|SSE4_2|ARM_FEATURE_SVE)__", defined) == []
