"""What may be wrong with compilers and caches, and what is said then; the numbers of runs never suffer."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from handmade_library import write_library
from libraries import forgetting
from process_groups import alive_in
from same_bits import assert_compiled_is_same

from blocks import Diagram, Result, library, simulate
from blocks.basic import Sine
from blocks.compiled import building, opening, shelf
from blocks.compiled.source import source_of
from blocks.compiled.structure import Structure
from blocks.errors import SimulationError
from blocks.libraries import c_compiler, loading
from blocks.libraries import opening as libraries_opened
from blocks.libraries.loading import load_library
from blocks.plan import make_plan

RUN = "from blocks import simulate; from blocks.basic import Sine; "
RUN += "print(simulate(Sine(1.0, 2.0), 1.0, step=0.1, compiled=True).compiled)"


def run(compiled: Any = True) -> Result:
    return simulate(Sine(1.0, 2.0), 1.0, step=0.1, compiled=compiled)


def refused() -> str:
    with pytest.raises(SimulationError) as problem:
        run()
    assert "run it without `compiled`, with the same numbers" in str(problem.value)
    assert problem.value.problems[0].code == "no-compiler"
    assert run(False).status == "end"
    assert run("auto").status == "end"
    return str(problem.value)


def script(folder: Path, text: str) -> str:
    path = folder / "own-cc"
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return str(path)


def test_no_compiler(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "/nonexistent")
    assert "there is no C compiler '/nonexistent', which $CC names" in refused()
    monkeypatch.delenv("CC")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    assert "there is no C compiler here: pip install 'keelblocks[build]' brings zig" in refused()


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")
def test_a_compiler_that_fails(empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", script(tmp_path, "echo a word; echo 'plan.c:1:1: error: no such thing' >&2; exit 1"))
    assert "own-cc: plan.c:1:1: error: no such thing; name another compiler in $CC" in refused()
    monkeypatch.setenv("CC", script(tmp_path, "exit 3"))
    assert "own-cc: it ended with 3 and no word" in refused()
    monkeypatch.setenv("CC", script(tmp_path, "exit 0"))  # and leaves nothing
    assert "own-cc: No such file or directory" in refused()
    (tmp_path / "own-cc").write_bytes(b"\x7fELF no program")
    assert "own-cc: Exec format error" in refused()
    assert list(empty_cache.glob("*.so")) == []


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")
def test_a_compiler_for_another_machine(empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make = 'while [ $# -gt 0 ]; do [ "$1" = -o ] && echo nothing > "$2"; shift; done'
    monkeypatch.setenv("CC", script(tmp_path, make))
    assert "a plan was compiled and cannot be opened: " in refused()
    assert list(empty_cache.glob("*.so")) == []


def test_a_damaged_cache_is_mended(empty_cache: Path) -> None:
    """Files are replaced here and not changed in place: this process has them open."""
    assert run().compiled.startswith("compiled: in ")
    assert run().compiled == "compiled: kept from an earlier run"
    (kept,) = [path for path in empty_cache.iterdir() if path.suffix not in (".sha256", ".json")]
    content = kept.read_bytes()
    kept.unlink()
    kept.write_bytes(content[: len(content) // 2])
    assert run().compiled.startswith("compiled: in ")
    assert kept.read_bytes() == content
    kept.with_suffix(".sha256").unlink()
    assert run("auto").compiled.startswith("by the engine: ")
    assert shelf.find(kept.name) is None


def test_a_cache_that_cannot_be_written(empty_cache: Path) -> None:
    empty_cache.parents[1].mkdir(parents=True, exist_ok=True)
    empty_cache.parent.write_text("a file stands where the folder should")
    assert run().compiled.startswith("compiled: in ")
    assert run().compiled == "compiled: kept from an earlier run"  # by this process
    shelf._beside.clear()


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")
def test_a_compiler_that_does_not_end(empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It is ended with what it has started, which holds its pipe."""
    hangs = '[ "$1" = --version ] && exit 0; echo $$ > "$0.pid"; sleep 600 & sleep 600'
    monkeypatch.setenv("CC", script(tmp_path, hangs))
    monkeypatch.setattr(c_compiler, "LONGEST", 0.2)
    assert "own-cc: it was ended after 0.2 s, in which it had not finished" in refused()
    assert alive_in(int((tmp_path / "own-cc.pid").read_text())) == []


@pytest.mark.skipif(sys.platform == "win32", reason="scripts of a shell")
def test_a_compiler_that_is_killed(empty_cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", script(tmp_path, '[ "$1" = --version ] && exit 0; kill -9 $$'))
    assert "own-cc: it was ended by SIGKILL; name another compiler in $CC" in refused()


def test_a_library_that_can_be_kept_nowhere(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(prefix: str) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(shelf, "keep", lambda name, content: None)
    monkeypatch.setattr(shelf.tempfile, "TemporaryDirectory", full)
    monkeypatch.setattr(building, "_compiled", lambda text, command, options: b"a library")
    assert "nowhere can its library be kept: No space left on device" in refused()


def test_what_was_not_used_for_longest_goes(empty_cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shelf, "MOST", 3)
    for number in range(5):
        shelf.put(f"{number}.so", bytes([number]))
    assert len(list(empty_cache.glob("*.so"))) == 3
    assert shelf.find("4.so") is not None
    assert shelf.find("nothing.so") is None


@pytest.mark.slow
def test_processes_at_once(empty_cache: Path) -> None:
    code = f"import os; os.environ['XDG_CACHE_HOME'] = {str(empty_cache.parents[1])!r}; {RUN}"
    all_of_them = [subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True) for _ in range(6)]
    said = [process.communicate()[0] for process in all_of_them]
    assert [process.returncode for process in all_of_them] == [0] * 6
    assert all(text.startswith("compiled: ") for text in said)


# --- libraries of users ----------------------------------------------------------------------------------------------


@pytest.fixture
def _library(tmp_path: Path) -> Iterator[None]:
    library()
    beside, opened = dict(loading._beside), dict(libraries_opened._open)
    with forgetting():
        write_library(tmp_path, "one", 2.0)
        load_library("one", tmp_path)
        yield
    loading._beside.clear()
    loading._beside.update(beside)
    libraries_opened._open.clear()
    libraries_opened._open.update(opened)


@pytest.mark.usefixtures("_library")
def test_blocks_of_a_library_go_on_by_its_own_kernels() -> None:
    diagram = Diagram("drag")
    diagram.add("speed", Sine(2.0, 1.0))
    diagram.add("drag", library()["one.Drag"]())
    diagram.connect("speed.y", "drag.u")
    done = assert_compiled_is_same(diagram, 1.0, step=0.1)
    assert done.values("drag.force") == pytest.approx(2.0 * done.values("speed.y"))


def test_code_of_another_build_in_the_cache_is_compiled_anew(empty_cache: Path) -> None:
    """Whoever ran another build with the same C, a checked one say, left it there."""
    plan = Structure(make_plan(Sine(1.0, 2.0), step=0.1, end=1.0).stored)
    other = building.built(plan, lambda structure: source_of(structure).replace("sizeof(Plan) +", "1 + sizeof(Plan) +"))
    assert opening.kept(plan) is None
    assert run("auto").compiled.startswith("by the engine: ")
    assert run().compiled.startswith("compiled: in ")
    assert [path.name for path in empty_cache.glob("*.so")] == [other.path.name]
    assert run().compiled == "compiled: kept from an earlier run"


def test_code_of_another_build_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    run()
    opening._opened.cache_clear()
    monkeypatch.setattr("cython_kernels.engine.LAYOUT", 0)
    with pytest.raises(SimulationError, match="of another build than the engine in Python: build or install Keelb"):
        run()
