"""Compiled libraries: opened when a plan asks for their kernels, and refused with what to do."""

from __future__ import annotations

import importlib
import json
import pickle
import re
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from handmade_library import DECLARATION, build_library, compile_library, write_library

from blocks import Diagram, RunStopped, library, simulate
from blocks.basic import Constant
from blocks.errors import DeclarationError, LibraryError
from blocks.libraries.loading import load_library
from blocks.libraries.manifest import Built, Manifest
from blocks.libraries.opening import open_library
from blocks.model.family import family_by_birth
from blocks.plan import make_plan
from blocks.swarm import Swarm
from cython_kernels.plain_c import platforms

HERE = platforms.local()


def drag_of(package: Path) -> Any:
    """The block of a library."""
    load_library(package.name, package.parent)
    return importlib.import_module(package.name).Drag


def refusal(drag: Any) -> str:
    """What is said when a plan asks for the kernel."""
    with pytest.raises(LibraryError) as caught:
        drag().evaluate(u=1.0)
    return str(caught.value)


def change(package: Path, **changes: Any) -> None:
    """Write other things into library.json."""
    manifest = Manifest.read(package / "__keelblocks__")
    assert manifest is not None
    (package / "__keelblocks__" / "library.json").write_text(Manifest(**vars(manifest) | changes).to_json())


def test_two_libraries_with_equal_names_of_blocks_and_kernels_run_together(tmp_path: Path) -> None:
    one, two = (drag_of(write_library(tmp_path, name, factor)) for name, factor in (("one", 2.0), ("two", 3.0)))
    assert {"one.Drag": one, "two.Drag": two}.items() <= library().items()
    diagram = Diagram("both")
    diagram.add("speed", Constant(5.0))
    diagram.add("a", one(k=2.0))
    diagram.add("b", two(k=2.0))
    diagram.connect("speed.y", "a.u", "b.u")
    plan = make_plan(diagram, step=0.5)
    assert [*plan.digests] == ["one", "two"]
    assert b"\0one.drag\0" in plan.stored
    result = simulate(diagram, 1.0, step=0.5)
    assert (result["a.force"].values[-1], result["b.force"].values[-1]) == (20.0, 30.0)
    assert result.attributes["libraries"] == ", ".join(f"{name} {open_library(name).digest}" for name in ("one", "two"))
    assert pickle.loads(pickle.dumps(plan)).checksum == plan.checksum

    swarm = Swarm(diagram, 3, parameters={"a.k": [1.0, 2.0, 3.0]}).run(1.0, step=0.5)
    np.testing.assert_array_equal(swarm.values("a.force")[:, -1], [10.0, 20.0, 30.0])
    assert swarm.attributes["libraries"] == result.attributes["libraries"]

    diagram["speed"].set(value=200.0)
    with pytest.raises(RunStopped, match=r"a stopped the run at t = 0 s: u: faster than it can be"):
        simulate(diagram, 1.0, step=0.5)


def test_a_kernel_comes_from_the_library_of_the_class_that_names_it(tmp_path: Path) -> None:
    package = write_library(tmp_path, "one", 2.0)
    further = "\nfrom blocks.basic import Gain\n\nclass Twice(Gain):\n    pass\n\nclass Still(Drag):\n    pass\n"
    (package / "drag.py").write_text(DECLARATION.format(name="one", factor=2.0) + further)
    (package / "__init__.py").write_text("from .drag import Drag, Still, Twice\n")
    build_library(package, 2.0)
    drag_of(package)
    known = library()
    assert {"one.Twice", "one.Still"} <= known.keys()
    assert (family_by_birth(known["one.Twice"]), family_by_birth(known["one.Drag"])) == ("basic", "one")
    assert known["one.Twice"](2.0).evaluate(u=3.0).outputs["y"] == 6.0
    assert known["one.Still"]().evaluate(u=3.0).outputs["force"] == 6.0


def test_what_cannot_be_opened_says_what_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    package = write_library(tmp_path, "one")
    built, drag = package / "__keelblocks__", drag_of(package)
    do = "keelblocks build one"
    (built / "library.json").rename(built / "away.json")
    assert refusal(drag) == f"the kernels of one are not built: {do}"
    (built / "away.json").rename(built / "library.json")

    (package / "drag.pxd").write_text("# force = 7 k u\n")
    assert refusal(drag) == f"drag.pxd of one changed since its kernels were built: {do}"
    build_library(package, abi=2)
    assert refusal(drag) == f"one was built for ABI 2, this Keelblocks has 1: {do}"
    change(package, abi=1)  # library.json alone
    assert refusal(drag) == f"one was built for ABI 2, this Keelblocks has 1: {do}"

    build_library(package)
    change(package, platforms={"sparc-solaris": Built("sparc-solaris.so", "")})
    assert refusal(drag) == f"the kernels of one are built for sparc-solaris, and this is {HERE.name}: {do}"
    build_library(package)
    file = built / f"{HERE.name}{HERE.suffix}"
    compile_library(file, "other", digest="0")
    assert refusal(drag) == f"{file} is damaged (it is of another build, or of another library): {do}"
    file.unlink()
    file.write_bytes(b"\x7fELF" + bytes(100))
    assert re.fullmatch(re.escape(f"{file} is damaged (") + r".+" + re.escape(f"): {do}"), refusal(drag))
    said = (built / "library.json").read_text()
    (built / "library.json").write_text(said.replace('"file"', '"path"'))
    assert refusal(drag) == f"{built / 'library.json'} is damaged: {do}"
    own = json.loads(said)["version"]
    (built / "library.json").write_text(said.replace('"file"', '"path"').replace(f'"{own}"', '"9.1"'))
    assert refusal(drag) == f"one was built by Keelblocks 9.1, and this is {version('keelblocks')}: {do}"
    (built / "library.json").write_text("{")
    assert refusal(drag) == f"{built / 'library.json'} is damaged: {do}"

    build_library(package)
    assert drag(k=2.0).evaluate(u=3.0).outputs["force"] == 6.0


def test_a_kernel_that_the_library_lacks(tmp_path: Path) -> None:
    package = write_library(tmp_path, "one", declaration=DECLARATION.replace('kernel = "drag"', 'kernel = "drog"'))
    assert refusal(drag_of(package)) == "the library one has no kernel 'drog'; did you mean 'drag'?"


def test_a_library_that_is_built_anew_is_used_by_the_plans_after_that(tmp_path: Path) -> None:
    package = write_library(tmp_path, "one", 2.0)
    drag = drag_of(package)
    before = make_plan(drag())
    engine = before.engine()
    (package / "drag.pxd").write_text("# force = 5 k u\n")
    build_library(package, 5.0)
    assert drag().evaluate(u=1.0).outputs["force"] == 5.0
    after = make_plan(drag())
    assert (after.stored == before.stored, after.checksum == before.checksum) == (True, False)
    engine.values[before.inputs["u"].first] = 1.0
    engine.start(0.0)
    assert engine.values[next(iter(before.outputs.values())).first] == 2.0  # what was open goes on as it was


def test_other_declarations_need_another_process(tmp_path: Path) -> None:
    package = write_library(tmp_path, "one", 2.0)
    drag = drag_of(package)
    drag().evaluate(u=1.0)
    (package / "drag.py").write_text((package / "drag.py").read_text().replace("k = P", "c = P"))
    build_library(package, 2.0)
    assert refusal(drag) == (
        "drag.py of one changed after this process had imported it, so its blocks are no longer those that were built: "
        "begin a new process (in a notebook, restart the kernel)"
    )


def test_names_of_families_are_taken(tmp_path: Path) -> None:
    package = write_library(tmp_path, "power")
    with pytest.raises(LibraryError, match=r"power\.drag: a library cannot be called 'power': blocks of K"):
        load_library(package.name, tmp_path)
    assert "power.Drag" not in library()


def test_a_kernel_outside_of_a_library_says_where_kernels_stand() -> None:
    class Alone(Constant, abstract=True):
        kernel = "alone"

    with pytest.raises(DeclarationError, match=r"there is no kernel 'alone'; a kernel of your own stands in a l"):
        Alone(1.0).evaluate()
