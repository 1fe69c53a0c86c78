"""`libraries:` in scenario files: imported before types are looked up, written where a diagram needs them."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path

import pytest
from handmade_library import write_library

from blocks import Diagram, library
from blocks.checking import check_file
from blocks.errors import LibraryError, ScenarioError
from blocks.libraries.loading import load_library
from blocks.scenario import Scenario
from blocks.scenario.schema import schema

SCENARIO = """# two drags
keelblocks: 1
name: both
libraries: [one, two]
diagram:
  blocks:
    speed: {type: basic.Constant, parameters: {value: 5}}
    a: {type: one.Drag}
    b: {type: two.Drag, parameters: {k: 2}}
  connections: {speed.y: [a.u, b.u]}
run: {end: 1, step: 0.5}
"""
HELM = """
from blocks import Output, PythonBlock

class Helm(PythonBlock):
    '''One.'''
    y = Output()

    def outputs(self, t, states, inputs):
        return {"y": 1.0}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A scenario with two libraries beside it: a package, and the folder of a project that holds one."""
    write_library(tmp_path, "one", 2.0)
    write_library(tmp_path / "two", "two", 3.0)
    path = tmp_path / "both.yaml"
    path.write_text(SCENARIO)
    return path


def test_libraries_beside_a_scenario_are_there(file: Path) -> None:
    scenario = Scenario.load(file)
    result = scenario.run()
    assert [result[name].values[-1] for name in ("a.force", "b.force")] == [10.0, 30.0]
    assert {"one.Drag", "two.Drag"} <= library().keys()
    made = schema({"two.Drag": library()["two.Drag"]})["$defs"]
    assert "two.Drag" in made["BlockEntry"]["properties"]["type"]["enum"]
    assert made["parameters.two.Drag"]["description"] == "Drag of two: force = 3.0 k u."
    assert Scenario.load(file).run().attributes["plan"] == result.attributes["plan"]  # read a second time


def test_a_scenario_is_written_with_the_libraries_of_its_blocks(file: Path, tmp_path: Path) -> None:
    scenario = Scenario.load(file)
    assert scenario.save(file).read_text() == SCENARIO
    (tmp_path / "deeper").mkdir()
    moved = scenario.save(tmp_path / "deeper" / "moved.yaml")
    assert moved.read_text() == SCENARIO.replace("[one, two]", "[../one, ../two]")
    assert Scenario.load(moved) == scenario

    diagram = Diagram("made")
    diagram.add("a", library()["two.Drag"]())
    new = Scenario(diagram).save(tmp_path / "made.yaml")
    assert "\nlibraries: [two/two]\n" in new.read_text()
    assert Scenario.load(new).diagram["a"].type_name() == "two.Drag"

    scenario.libraries = []  # what blocks need stays
    assert "libraries: [one, two/two]" in scenario.save(file).read_text()
    scenario.edit.put(("libraries",), ["two", "one"])
    assert "\nlibraries: [two, one]\n" in scenario.save(file).read_text().replace(f"{tmp_path}/", "")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("[one, two]", "[one, two, on]", "4: libraries: there is no library 'on': neither a folder on in {folder}, nor "
         "a module that Python finds; did you mean 'one'?"),
        ("[one, two]", "[one, two, ../else/one]", "4: libraries: there is no library at {folder}/../else/one: a folder "
         "with one/__init__.py is wanted"),
        ("[one, two]", "[one, two, this]", "4: libraries: this ({this}) is no library of blocks, and is not imported"),
        ("[one, two]", "[one, two, '*']", "4: libraries: '*' is not the name of a library: a module, or a folder with "
         "one, is wanted"),
        ("libraries", "librarys", "4: unknown key 'librarys' in the file; did you mean 'libraries'?"),
        ("one.Drag", "one.Drug", "8: no block type 'one.Drug'; did you mean 'one.Drag' or 'two.Drag'?"),
        ("one.Drag", "one.Keel", "8: no block type 'one.Keel'; valid: one.Drag"),
        ("one.Drag", "six.Keel", "8: no block type 'six.Keel'; `keelblocks list` shows those that there are; blocks of "
         "a library or module come with libraries: [six] in the file, or with keelblocks --import six"),
    ],
)  # fmt: skip
def test_what_is_wrong_has_its_line_and_what_to_do(file: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(ScenarioError) as caught:
        Scenario.from_text(SCENARIO.replace(old, new), str(file))
    this = importlib.util.find_spec("this")
    assert str(caught.value) == f"{file}:{said.format(folder=file.parent, this=this and this.origin)}"
    assert "this" not in sys.modules


def test_a_library_that_cannot_be_imported_leaves_nothing(file: Path) -> None:
    source = file.parent / "one" / "__init__.py"
    source.write_text("from .drag import Drag\n1 / 0\n")
    with pytest.raises(ScenarioError, match=r"the library one cannot be imported: ZeroDivisionError: .* line 2\)"):
        Scenario.load(file)
    assert "one.Drag" not in library()
    source.write_text("from .drag import Drag\n")
    Scenario.load(file).run()


def test_a_module_of_blocks_in_python_is_a_library_too(tmp_path: Path) -> None:
    (tmp_path / "mended.py").write_text(HELM)
    (tmp_path / "s.yaml").write_text(
        "keelblocks: 1\nname: s\nlibraries: mended\ndiagram: {blocks: {h: {type: Helm}}}\nrun: {end: 1}\n"
    )
    assert Scenario.load(tmp_path / "s.yaml").run()["h.y"].values[-1] == 1.0


def test_where_only_installed_libraries_are_wanted_none_beside_a_file_is_run(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("KEELBLOCKS_LIBRARIES", "installed")
    with pytest.raises(ScenarioError, match=r"the library one in .* is not installed, and no other is imported while"):
        Scenario.load(file)
    assert "one" not in sys.modules


def test_a_library_that_is_not_built_is_told_at_the_line_of_its_block(file: Path) -> None:
    (file.parent / "one" / "__keelblocks__" / "library.json").unlink()
    said = [str(problem) for problem in check_file(file).problems]
    assert said == [f"{file}:8: the kernels of one are not built: keelblocks build one"]


def test_a_package_with_other_cython_keeps_the_plain_names_of_its_blocks(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "__init__.py").write_text(HELM)
    (tmp_path / "plain" / "fast.pxd").write_text("cdef double twice(double x)\n")
    load_library("plain", tmp_path)
    assert library()["Helm"].library == ""


def test_of_two_libraries_of_one_name_the_second_is_refused(file: Path, tmp_path: Path) -> None:
    Scenario.load(file)
    other = write_library(tmp_path / "elsewhere", "one", 7.0)
    with pytest.raises(LibraryError, match="cannot be used together with the one of that name that is loaded already"):
        load_library("one", other.parent)
