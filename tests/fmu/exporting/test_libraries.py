"""Compiled libraries in FMUs: what is carried, that it computes what the engine does, and what is refused."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from zipfile import ZipFile

import fmpy
import numpy as np
import pytest
from c_host import COMPILER, MISSING
from cosimulation import OPTIONS, TAKEN, Job, cosimulate
from fmpy.fmi1 import FMICallException
from handmade_library import compile_library, imported
from python_models import TurnCounter

import fmu
from blocks import Diagram, simulate
from blocks.basic import FirstOrderLag, Sine
from blocks.errors import ExportError
from blocks.libraries.manifest import Built, Manifest
from blocks.model.package import BUILT
from cython_kernels.plain_c.engine_parts import LIBRARIES
from cython_kernels.plain_c.platforms import local
from fmu import runtime
from fmu.notices import ExportWarning
from fmu.runtime.build.runtimes import fmi_headers
from fmu.runtime.compiled_libraries import CompiledLibrary, libraries_of

pytestmark = pytest.mark.skipif(MISSING, reason="needs a C compiler")
STEP = 0.05
HERE = local()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SimpleNamespace]:
    """Two libraries with equal names of blocks and kernels: drag of 2 k u and of 5 k u."""
    folder = tmp_path_factory.mktemp("libraries")
    with imported(folder, hull_drag=2.0, keel_drag=5.0) as modules:
        Path(folder, "hull_drag", "LICENSE").write_text("Free to sail.\n", encoding="utf-8")
        yield SimpleNamespace(**modules, packages={name: folder / name for name in modules})


def towed(built: SimpleNamespace) -> Diagram:
    """A speed that swings, its drag by both libraries, and something of the engine's own behind it."""
    diagram = Diagram("hull_drag")  # called as one of the libraries is
    diagram.add("speed", Sine([2.0], [3.0]))
    diagram.add("hull", built.hull_drag.Drag(k=0.7))
    diagram.add("keel", built.keel_drag.Drag(k=0.3))
    diagram.add("lag", FirstOrderLag(0.5))
    diagram.connect("speed.y", "hull.u", "keel.u")
    diagram.connect("keel.force", "lag.u")
    diagram.outputs(hull="hull.force", keel="keel.force", lag="lag.y")
    return diagram


@pytest.fixture(scope="module")
def truth(built: SimpleNamespace) -> np.ndarray:
    """What the engine computes."""
    run = simulate(towed(built), 1.0, step=STEP)
    return np.hstack([run.values(name).reshape(len(run.time), -1) for name in ("hull.force", "keel.force", "lag.y")])


@pytest.fixture(scope="module")
def exported(built: SimpleNamespace, tmp_path_factory: pytest.TempPathFactory) -> Callable[..., Path]:
    """The FMU of `towed` in a version, for this machine."""
    folder, known = tmp_path_factory.mktemp("fmus"), {}

    def get(fmi: str) -> Path:
        if fmi not in known:
            path = folder / f"towed{fmi[0]}.fmu"
            known[fmi] = fmu.export(towed(built), path, step=STEP, fmi=fmi, platforms=[HERE.name], **OPTIONS[fmi])
        return known[fmi]

    return get


def rows_of(path: Path) -> np.ndarray:
    """What FMPy computes."""
    found = fmpy.simulate_fmu(str(path), stop_time=1.0, output_interval=STEP, fmi_type="CoSimulation")
    return np.array([[row[name] for name in ("hull", "keel", "lag")] for row in found])


@pytest.mark.parametrize("fmi", ["2.0", "3.0"])
def test_an_fmu_carries_its_libraries_and_computes_what_the_engine_does(exported, truth, fmi):
    path = exported(fmi)
    with ZipFile(path) as archive:
        names = [name for name in archive.namelist() if name.startswith("binaries/")]
        notes = archive.read("documentation/licenses/hull_drag.txt").decode()
        page = archive.read("documentation/index.html").decode()
    folder = f"binaries/{HERE.folder(fmi)}"
    files = ("hull_drag", "hull_drag.kernels", "keel_drag.kernels")
    assert names == [f"{folder}/{file}{HERE.suffix}" for file in files]
    assert "compiled code of hull_drag (" in notes
    assert notes.endswith("Free to sail.\n")
    assert "With compiled blocks of hull_drag (" in page
    np.testing.assert_array_equal(rows_of(path), truth)


@pytest.mark.slow
def test_compiled_for_the_model_libraries_are_linked_in(built, truth, tmp_path):
    path = fmu.export(towed(built), tmp_path / "towed.fmu", step=STEP, compiled=True)
    names = [name for name in ZipFile(path).namelist() if name.startswith("binaries/")]
    assert names == [f"binaries/{HERE.folder('2.0')}/hull_drag{HERE.suffix}"]
    np.testing.assert_array_equal(rows_of(path), truth)


def test_other_tools_open_them_too(exported, truth, tmp_path):
    for tool, fmi in TAKEN:
        job = Job({"m": exported(fmi)}, STEP, 20, ["m.hull", "m.keel", "m.lag"])
        (found,) = cosimulate(tool, [job], tmp_path)
        assert not isinstance(found, str), found
        np.testing.assert_array_equal(found, truth[1:])


def with_library(path: Path, folder: Path, change: Callable[[Path], None]) -> Path:
    """An FMU in which the file of a library was changed."""
    changed = folder / "changed.fmu"
    with ZipFile(path) as old, ZipFile(changed, "w") as new:
        for name in old.namelist():
            content = old.read(name)
            if name.endswith(f"hull_drag.kernels{HERE.suffix}"):
                file = folder / "library"
                file.write_bytes(content)
                change(file)
                if not file.exists():
                    continue
                content = file.read_bytes()
            new.writestr(name, content)
    return changed


REFUSED = {
    "gone": (Path.unlink, r"hull_drag\.kernels\.so: cannot open shared object file: No such file or directory\. "),
    "no library": (lambda file: file.write_text("nothing"), r"hull_drag\.kernels\.so: file too short\. "),
    "other ABI": (
        lambda file: compile_library(file, "hull_drag", abi=7),
        r"hull_drag\.kernels\.so was built for ABI 7, this FMU has 1\. ",
    ),
    "of nobody": (
        lambda file: compile_library(file, "hull_drag", magic="OTHERS"),
        r"hull_drag\.kernels\.so is no library of Keelblocks\. ",
    ),
    "without the kernel": (
        lambda file: compile_library(file, "hull_drag", kernel="lift"),
        r"hull_drag\.kernels\.so has no kernel hull_drag\.drag\. ",
    ),
}


@pytest.mark.skipif(sys.platform != "linux", reason="words of the loader of Linux")
@pytest.mark.parametrize("case", REFUSED)
def test_a_library_that_cannot_be_used_is_told_with_what_to_do(exported, tool, tmp_path, case):
    change, words = REFUSED[case]
    opened = tool(with_library(exported("2.0"), tmp_path, change))
    with pytest.raises(FMICallException):
        opened.instantiate()
    (message,) = opened.messages
    assert message.startswith(f"cannot use '{opened.folder}/resources/plan.bin': it needs the library hull_drag. /")
    assert message.endswith(f"Build that (keelblocks build hull_drag --platform {HERE.name}), and export the FMU anew")
    assert re.search(words, message)


def test_fmus_with_different_builds_of_a_library_do_not_mix(built, exported, tool, tmp_path):
    """Neither in one process at one time, nor where a tool keeps binaries or resources elsewhere."""
    other = with_library(exported("2.0"), tmp_path, lambda file: compile_library(file, "hull_drag", 20.0))
    first, second = (tool(path).begin() for path in (exported("2.0"), other))
    for one in (first, second):
        one.step(0.0, STEP)
    assert second.get("hull") == [10.0 * value for value in first.get("hull")]
    again = first.instantiate().initialize()
    again.step(0.0, STEP)
    assert second.get("hull") == [10.0 * value for value in again.get("hull")]


def test_it_is_found_where_a_tool_keeps_binaries_or_resources_elsewhere(exported, tool, tmp_path):
    opened = tool(exported("2.0"))
    place = tmp_path / "with blanks, å and 船"
    shutil.copytree(opened.folder / "resources", place / "resources")
    opened.instantiate(location=(place / "resources").as_uri()).initialize()
    shutil.copytree(opened.folder, place / "whole")
    shutil.rmtree(opened.folder / "binaries")  # the runtime stays loaded
    opened.instantiate(location=(place / "whole" / "resources").as_uri()).initialize()


def test_an_fmu_without_libraries_has_nothing_to_open_any():
    without, having = (runtime.binary(HERE.name, kernels=kernels) for kernels in (["gain"], ["gain", LIBRARIES]))
    assert b"keelblocks build" in having
    assert b"keelblocks build" not in without
    assert b"keelblocks_library" not in without


def test_platforms_are_those_of_every_library(built, monkeypatch, tmp_path):
    package = built.packages["hull_drag"]
    monkeypatch.setattr(runtime, "platforms", lambda: [HERE.name, "x86_64-windows", "aarch64-linux"])
    with pytest.raises(ExportError) as refused:
        fmu.export(towed(built), tmp_path / "m.fmu", platforms=["win64"])
    assert str(refused.value) == (
        f"the library hull_drag, as it is now, was not built for x86_64-windows, only for {HERE.name}: "
        "keelblocks build hull_drag --platform x86_64-windows"
    )
    with pytest.raises(ExportError, match=r"not built for .*windows.*, .*-darwin, .* --platform all$"):
        fmu.export(towed(built), tmp_path / "m.fmu", platforms="all")
    with pytest.warns(ExportWarning) as warned:
        path = fmu.export(towed(built), tmp_path / "m.fmu")
    assert str(warned[0].message) == (
        f"the FMU is for {HERE.name} only: hull_drag was not built for x86_64-windows, aarch64-linux (keelblocks build "
        "hull_drag --platform all); keel_drag was not built for x86_64-windows, aarch64-linux (keelblocks build "
        "keel_drag --platform all)"
    )
    assert {name.split("/")[1] for name in ZipFile(path).namelist() if name.startswith("binaries/")} == {HERE.fmi2}
    monkeypatch.setattr(runtime, "platforms", lambda: ["x86_64-windows"])
    with pytest.raises(ExportError, match="there is no platform that this FMU could be for: hull_drag was not built"):
        fmu.export(towed(built), tmp_path / "m.fmu")
    (carried,) = libraries_of(towed(built).plan(step=STEP))[:1]
    old = {HERE.name: Built("x.so", "of older sources")}
    stale = CompiledLibrary("hull_drag", package, type(carried.built)(**{**vars(carried.built), "platforms": old}))
    assert stale.platforms == []
    with pytest.raises(ExportError, match=r"__keelblocks__.x\.so of the library hull_drag cannot be read \(No such"):
        stale.binary(HERE)


def test_libraries_and_blocks_in_python_are_not_in_one_fmu(built, tmp_path):
    diagram = towed(built)
    diagram.add("counter", TurnCounter())
    diagram.inputs(rate="counter.rate")
    words = "blocks written in Python and those of the compiled library hull_drag cannot be in one FMU: export a system"
    with pytest.raises(ExportError, match=words):
        fmu.export(diagram, tmp_path / "m.fmu")


def test_sources_have_the_c_of_libraries_which_is_linked_in(built, truth, tmp_path):
    path = fmu.export(towed(built), tmp_path / "s.fmu", step=STEP, platforms=[], sources=True)
    (configuration,) = fmpy.read_model_description(path).buildConfigurations
    files = configuration.sourceFileSets[0].sourceFiles
    assert files == ["fmu.c", "hull_drag_library.c", "keel_drag_library.c"]
    with ZipFile(path) as archive:
        archive.extractall(tmp_path / "s")
    binary = tmp_path / "s" / "binaries" / HERE.fmi2 / f"hull_drag{HERE.suffix}"
    binary.parent.mkdir(parents=True)
    strict = ["-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "-fPIC", "-shared", "-O0", "-ffp-contract=off"]
    subprocess.run(
        [*COMPILER, *strict, "-DFMI2_OVERRIDE_FUNCTION_PREFIX", f"-I{fmi_headers()}", *files, "-o", str(binary), "-lm"],
        cwd=tmp_path / "s" / "sources", check=True,
    )  # fmt: skip
    np.testing.assert_array_equal(rows_of(tmp_path / "s"), truth)


def test_a_library_that_was_built_with_checks_stays_out(tmp_path: Path) -> None:
    there = Manifest("hull_drag", "0", "0", platforms={HERE.name: Built("hull.so", "0", checked=True)})
    told = (
        f"hull_drag was built with --checked for {HERE.name}, and an FMU has nothing that guards its calls: keelblocks"
    )
    with pytest.raises(ExportError, match=re.escape(told)):
        CompiledLibrary("hull_drag", tmp_path, there).binary(HERE)


def test_a_file_that_is_not_what_was_built_stays_out(tmp_path: Path) -> None:
    there = Manifest("hull_drag", "0", "0", platforms={HERE.name: Built("hull.so", "0", content="0")})
    (tmp_path / BUILT).mkdir()
    (tmp_path / BUILT / "hull.so").write_bytes(b"junk")
    with pytest.raises(
        ExportError, match=r"hull\.so of the library hull_drag is not the file that was built: keelblocks"
    ):
        CompiledLibrary("hull_drag", tmp_path, there).binary(HERE)
