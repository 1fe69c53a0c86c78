"""Building a library: what is there afterwards, what is built again and what is not, and the same bytes anywhere."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from libraries import NAME, forgetting, needs_compiler

from blocks.errors import LibraryError
from blocks.libraries import building
from blocks.libraries.bits import note_on_bits
from blocks.libraries.building import build
from blocks.libraries.compiling import commands_for, platforms_of
from blocks.libraries.manifest import ABI, Manifest, changed_sources
from blocks.libraries.package import Library, find_library
from blocks.scenario import Scenario
from cython_kernels import libraries as register
from cython_kernels.plain_c.platforms import PLATFORMS, Platform, local
from fmu.runtime import platforms as platforms_with_runtime

HERE = local().name


@pytest.fixture(autouse=True)
def _forget() -> Iterator[None]:
    """Each test imports the library as it is there."""
    with forgetting():
        yield


def copied(library: Library, folder: Path) -> Library:
    """The same library elsewhere, with all that is built."""
    shutil.copytree(library.root, folder / library.name)
    return find_library(str(folder / library.name))


def module_at(path: Path) -> ModuleType:
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def must_not(*_: object, **__: object) -> None:
    pytest.fail("this is not to be done again")


def test_a_new_library_is_built_and_does_what_its_tests_say(built_library: Library) -> None:
    said = Manifest.read(built_library.built)
    assert said is not None
    assert said.kernels == {
        f"{NAME}.drag": {"functions": ["outputs"], "counts": {"inputs": 1, "outputs": 1, "parameters": 2, "sizes": 0}}
    }
    assert (said.name, said.abi, list(said.sources)) == (NAME, register.ABI, ["drag.pxd", "drag.py"])
    assert said.platforms[HERE].digest == said.digest
    assert "#include <Python.h>" not in (built_library.built / "library.c").read_text(encoding="utf-8")
    sys.path.insert(0, str(built_library.root))
    tests = module_at(built_library.root / "tests" / "test_drag.py")
    tests.test_a_hull_under_thrust_comes_to_a_steady_speed()
    tests.test_the_drag_is_against_the_motion(-2.0)
    assert Scenario.load(built_library.root / "drag.yaml").diagram["drag"].type_name() == f"{NAME}.Drag"


def test_the_abi_is_that_of_the_engine() -> None:
    assert ABI == register.ABI


def test_what_is_as_it_was_is_left_alone(
    built_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library = copied(built_library, tmp_path)
    times = {path: path.stat().st_mtime_ns for path in library.built.iterdir()}
    monkeypatch.setattr(building, "translated", must_not)
    assert build(library, platforms_of(())).made == ()
    assert {path: path.stat().st_mtime_ns for path in library.built.iterdir()} == times

    # another way to compile needs no Cython
    assert build(library, platforms_of(()), checked=True).made == (HERE,)
    assert build(library, platforms_of(()), checked=True).made == ()
    assert build(library, platforms_of(())).made == (HERE,)
    assert (library.built / f"{HERE}{local().suffix}").read_bytes() == (
        built_library.built / f"{HERE}{local().suffix}"
    ).read_bytes()


@needs_compiler
@pytest.mark.parametrize("damage", ["gone", "another file", "no manifest", "another ABI"])
def test_what_a_run_refuses_a_build_makes_anew(built_library: Library, tmp_path: Path, damage: str) -> None:
    library = copied(built_library, tmp_path)
    said, file = library.built / "library.json", library.built / f"{HERE}{local().suffix}"
    before = {path: path.read_bytes() for path in (said, file)}
    if damage == "gone":
        file.unlink()
    elif damage == "another file":
        file.write_bytes(b"junk")
    elif damage == "no manifest":
        said.write_text("{", encoding="utf-8")
    else:
        said.write_text(said.read_text(encoding="utf-8").replace(f'"abi": {ABI}', '"abi": 99'), encoding="utf-8")
    build(library, platforms_of(()))
    assert {path: path.read_bytes() for path in (said, file)} == before


@needs_compiler
def test_a_change_is_built_in_and_words_alone_compile_nothing(built_library: Library, tmp_path: Path) -> None:
    library = copied(built_library, tmp_path)
    declaration, kernel = library.folder / "drag.py", library.folder / "drag.pxd"
    declaration.write_text(declaration.read_text(encoding="utf-8").replace("drag k", "drag, k"), encoding="utf-8")
    before = Manifest.read(library.built)
    assert before is not None
    assert changed_sources(library.folder, before) == ["drag.py"]
    assert build(library, platforms_of(())).made == ()

    text = kernel.read_text(encoding="utf-8")
    kernel.write_text(text.replace("fabs(u)) * u", "fabs(u)) * u * 1.5"), encoding="utf-8")
    with forgetting():
        done = build(library, platforms_of(()))
    assert done.made == (HERE,)
    assert done.manifest.digest != before.digest
    assert changed_sources(library.folder, done.manifest) == []
    # the library for another platform is kept, and is known to be older
    path = library.built / "library.json"
    said = json.loads(path.read_text(encoding="utf-8"))
    said["platforms"]["s390x-linux"] = {"file": "s390x-linux.so", "digest": before.digest}
    path.write_text(json.dumps(said), encoding="utf-8")
    assert build(library, platforms_of(())).old == ["s390x-linux"]


def test_the_same_bytes_come_of_any_folder_by_the_command_line(built_library: Library, tmp_path: Path) -> None:
    folder = tmp_path / "far" / "away"
    folder.mkdir(parents=True)
    shutil.copytree(built_library.root, folder / NAME, ignore=shutil.ignore_patterns("__keelblocks__"))
    command = [sys.executable, "-m", "blocks.cli", "build", NAME]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{NAME}: built for {HERE} (")
    for name in ("library.c", "library.json", f"{HERE}{local().suffix}"):
        built = folder / NAME / NAME / "__keelblocks__" / name
        assert built.read_bytes() == (built_library.built / name).read_bytes(), name


def test_a_wheel_is_packed_of_what_is_built_only(
    built_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("setuptools")
    library = copied(built_library, tmp_path)
    backend = module_at(library.root / "build_backend.py")
    backend.refuse_stale()
    file = library.built / f"{HERE}{local().suffix}"
    content = file.read_bytes()
    file.write_bytes(b"junk")
    with pytest.raises(SystemExit, match=f"for {HERE} is gone or damaged: keelblocks build {NAME} --platform {HERE}"):
        backend.refuse_stale()
    file.write_bytes(content)
    path = library.built / "library.json"
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f'"digest": "{json.loads(text)["digest"]}"', '"digest": "other"', 1), encoding="utf-8")
    with pytest.raises(SystemExit, match=f"for {HERE} is older than its sources: keelblocks build {NAME} --platform"):
        backend.refuse_stale()
    (library.folder / "drag.pxd").write_text("# changed\n", encoding="utf-8")
    with pytest.raises(SystemExit, match=f"{NAME}/drag.pxd has changed since the library was built"):
        backend.refuse_stale()
    path.unlink()
    with pytest.raises(SystemExit, match=f"not built yet: keelblocks build {NAME}"):
        backend.refuse_stale()


def test_functions_of_other_bits_elsewhere_are_told(tmp_path: Path) -> None:
    library = Library("lib", tmp_path)
    library.built.mkdir()
    said = (
        "Note: lib may give other bits on other platforms, by what it calls of the C library: hypot, pow (by **, say); "
        "cimport pow from cython_kernels.mathematics.elementary.power"
    )
    exact = "/* sin(x) */ y = kb_sin(x) + b->tan(x) + sqrt(x) + fabs(x)"
    for text, note in ((exact, ""), (f"{exact} + powf(x, hypot(x, x)) + pow (x, 2)", said)):
        (library.built / "library.c").write_text(text, encoding="utf-8")
        assert note_on_bits(library) == note


def test_compilers_that_are_missing_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "nowhere/cc -m64")
    with pytest.raises(LibraryError, match=r"there is no C compiler 'nowhere/cc', which \$CC names"):
        commands_for(local(), named=False)
    monkeypatch.setattr("blocks.libraries.compiling.own_compiler", list)
    monkeypatch.setattr("blocks.libraries.compiling.importlib.util.find_spec", lambda name: None)
    other = next(platform for platform in PLATFORMS if platform != local())
    for platform, lacks in ((local(), "there is no C compiler here"), (other, f"building for {other.name} needs zig")):
        with pytest.raises(LibraryError, match=f"{lacks}: pip install 'keelblocks\\[build\\]'"):
            commands_for(platform, named=False)
    monkeypatch.setattr("blocks.libraries.translating.importlib.util.find_spec", lambda name: None)
    with pytest.raises(LibraryError, match=r"needs Cython: pip install 'keelblocks\[build\]'"):
        building.check_cython()


@needs_compiler
def test_what_cannot_be_written_is_told(built_library: Library, tmp_path: Path) -> None:
    library = copied(built_library, tmp_path)
    shutil.rmtree(library.built)
    library.built.write_text("no folder", encoding="utf-8")
    with pytest.raises(LibraryError, match=r"^cannot write .*__keelblocks__.*: Not a directory$"):
        build(library, platforms_of(()))


def test_two_builds_at_once_keep_both_platforms(
    built_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    library, (one, other) = copied(built_library, tmp_path), [p for p in PLATFORMS if p != local()][:2]

    def compiled(library: Library, platform: Platform, *_: object, checked: bool) -> bytes:
        if platform == one:  # the other build begins and ends meanwhile
            build(library, [other], named=True)
        return platform.name.encode()

    monkeypatch.setattr(building, "compiled", compiled)
    monkeypatch.setattr(building, "commands_for", lambda platform, named: [["cc"]])
    monkeypatch.setattr(building, "compiler_digest", lambda command: "of a compiler")
    build(library, [one], named=True)
    said = Manifest.read(library.built)
    assert said is not None
    assert {*said.platforms} == {HERE, one.name, other.name}


def test_what_is_built_by_a_failure_stays(
    built_library: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def compiled(library: Library, platform: Platform, *_: object, checked: bool) -> bytes:
        if platform == PLATFORMS[2]:
            raise LibraryError("the C compiler is out of memory")
        return platform.name.encode()

    monkeypatch.setattr(building, "compiled", compiled)
    monkeypatch.setattr(building, "commands_for", lambda platform, named: [["cc"]])
    monkeypatch.setattr(building, "compiler_digest", lambda command: "of a compiler")
    library, told = copied(built_library, tmp_path), []
    with pytest.raises(LibraryError, match="out of memory"):
        build(library, PLATFORMS, named=True, told=told.append)
    assert told == [f"{NAME}: building for {PLATFORMS[i].name} ({i + 1} of {len(PLATFORMS)}) …" for i in range(3)]
    said = Manifest.read(library.built)
    assert said is not None
    assert {*said.platforms} == {HERE, *(platform.name for platform in PLATFORMS[:2])}
    assert (library.built / "aarch64-linux.so").read_bytes() == b"aarch64-linux"


def test_platforms_have_names() -> None:
    assert platforms_of(()) == [local()]
    assert platforms_of(("all", "win64")) == list(PLATFORMS)
    with pytest.raises(LibraryError, match="there is no platform 'win65'; did you mean 'win64'"):
        platforms_of(("win65",))


@pytest.mark.slow
@pytest.mark.skipif(len(platforms_with_runtime()) < 2, reason="takes long: with a build of `make platforms` only")
def test_zig_builds_for_every_platform(built_library: Library, tmp_path: Path) -> None:
    library = copied(built_library, tmp_path)
    done = build(library, platforms_of(("all",)), named=True)
    assert done.made == tuple(platform.name for platform in PLATFORMS)
    magic = {".so": b"\x7fELF", ".dll": b"MZ", ".dylib": b"\xcf\xfa\xed\xfe"}
    for platform in PLATFORMS:
        content = (library.built / f"{platform.name}{platform.suffix}").read_bytes()
        assert content.startswith(magic[platform.suffix])
        assert b"keelblocks_library" in content
        assert str(tmp_path).encode() not in content
