"""Exporting diagrams with blocks written in Python: what is said before, and what is in the file."""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from zipfile import ZipFile

import fmpy
import pytest
from click.testing import CliRunner
from python_models import Moody, TurnCounter, moody, tethered, turning

import fmu
from blocks.cli.commands import cli
from blocks.errors import ExportError
from fmu.python import wrappers


def export(component, path, **settings):
    """Export, with the warning that it needs Python."""
    with pytest.warns(fmu.PythonNeeded):
        return fmu.export(component, path, **settings)


def test_what_it_needs_is_said_before_anything_is_written(tmp_path):
    path = tmp_path / "m.fmu"
    with pytest.warns(fmu.PythonNeeded) as said:  # a warning that is an error leaves nothing behind
        fmu.export(tethered(), path)
    text = str(said[0].message)
    assert text.startswith("the FMU needs Python ≥ 3.10 with keelblocks ")
    assert f"numpy {version('numpy')}, because the blocks tether, tally are written in Python: pip install " in text
    assert said[0].filename == __file__
    path.unlink()
    with pytest.raises(fmu.PythonNeeded):
        fmu.export(tethered(), path)
    assert list(tmp_path.iterdir()) == []


def test_requirements_name_blocks_packages_and_modules():
    needed = fmu.requirements(tethered())
    assert needed.needs_python
    assert needed.blocks == ("tether", "tally")
    assert needed.python == "3.10"
    assert needed.packages == (("keelblocks", version("keelblocks")), ("numpy", version("numpy")))
    assert needed.modules == ("python_models",)
    assert fmu.requirements(TurnCounter()).blocks == ("TurnCounter",)
    native = tethered()["vessel"]
    assert not fmu.requirements(native).needs_python


def test_the_files(tmp_path):
    path = export(tethered(), tmp_path)
    with ZipFile(path) as archive:
        names = archive.namelist()
        home = archive.read("resources/slavemodule.txt").decode()
        page = archive.read("documentation/index.html").decode()
        licence = archive.read("documentation/licenses/PythonFMU.txt").decode()
        pins = archive.read("resources/requirements.txt").decode().split()
    assert names == [
        "modelDescription.xml", "documentation/index.html", "documentation/licenses/PythonFMU.txt",
        "resources/plan.bin", "resources/model.json", "resources/requirements.txt", "resources/slavemodule.txt",
        f"resources/{home}.py", f"resources/{home}_blocks/__init__.py", f"resources/{home}_blocks/python_models.py",
        "binaries/linux64/tethered.so", "binaries/linux64/tethered_wrapper.so", "binaries/win64/tethered.dll",
    ]  # fmt: skip
    assert pins == [f"keelblocks=={version('keelblocks')}", f"numpy=={version('numpy')}"]
    assert "<h2>What it needs</h2><p>This FMU needs Python ≥ 3.10 with keelblocks " in page
    assert f"<pre>pip install keelblocks=={version('keelblocks')} numpy=={version('numpy')}</pre>" in page
    assert "KEELBLOCKS_PYTHON" in page
    assert "Permission is hereby granted" in licence


def test_the_description_is_ours_and_its_capabilities_are_true(tmp_path):
    path = export(tethered(), tmp_path)
    described = fmpy.read_model_description(path)  # validates against the schema
    assert fmpy.validation.validate_fmu(str(path)) == []
    kind = described.coSimulation
    assert (kind.needsExecutionTool, kind.canGetAndSetFMUstate, kind.canSerializeFMUstate) == (True, True, True)
    assert (kind.canInterpolateInputs, kind.providesDirectionalDerivative) == (False, False)
    assert described.modelExchange is None
    variables = {v.name: v for v in described.modelVariables}
    stretch, stiffness, law = variables["stretch"], variables["tether.stiffness"], variables["tether.law"]
    assert (stretch.unit, stretch.causality, stretch.initial) == ("m", "output", "calculated")
    assert (stiffness.unit, stiffness.start, stiffness.min, stiffness.variability) == ("N/m", "40.0", "0.0", "tunable")
    assert (law.type, law.declaredType.name.removeprefix("Keelblocks.")) == ("Enumeration", "Tether.law")
    assert [item.name for item in law.declaredType.items] == ["linear", "quadratic"]
    dependencies = {unknown.variable.name: unknown.dependencies for unknown in described.outputs}
    assert dependencies["count"] == []
    initial = {u.variable.name: {v.name for v in u.dependencies} for u in described.initialUnknowns}
    assert {"tether.length", "tether.stiffness"} <= initial["stretch"]


def test_equal_models_give_equal_bytes_and_others_other_names(tmp_path):
    first = export(turning(), tmp_path / "a.fmu").read_bytes()
    assert export(turning().copy(), tmp_path / "b.fmu").read_bytes() == first
    homes = set()
    for number, diagram in enumerate((turning(), turning(gain=2.0), moody())):
        with ZipFile(export(diagram, tmp_path / f"{number}.fmu")) as archive:
            homes.add(archive.read("resources/slavemodule.txt"))
    assert len(homes) == 3


def test_a_block_alone(tmp_path, tool):
    path = export(TurnCounter(most=3.0), tmp_path, step=0.1)
    assert path.name == "TurnCounter.fmu"
    one = tool(path).begin()
    assert one.get("turns", "most") == [0.0, 3.0]


def test_platforms(tmp_path):
    with ZipFile(export(turning(), tmp_path / "m.fmu", platforms=["win64"])) as archive:
        assert [n for n in archive.namelist() if n.startswith("binaries/")] == ["binaries/win64/turning.dll"]
    with pytest.raises(
        ExportError, match=r"pythonfmu \S+ runs blocks written in Python on linux64, win64, not on 'arm'"
    ):
        fmu.export(turning(), tmp_path / "n.fmu", platforms=["arm"])


def test_a_stub_that_was_not_built(tmp_path, monkeypatch):
    monkeypatch.setattr(wrappers.runtime, "BINARIES", tmp_path)
    with pytest.raises(
        ExportError, match=r"the stub that finds Python on Linux was not built: build it with: make build"
    ):
        fmu.export(turning(), tmp_path / "m.fmu")


def test_a_wrapper_that_is_not_installed(tmp_path, monkeypatch):
    monkeypatch.setitem(wrappers.WRAPPERS, "2.0", wrappers.Wrapper("pythonfmu_that_is_not_there", {}))
    with pytest.raises(
        ExportError, match="leave through pythonfmu_that_is_not_there, which is not installed: pip install"
    ):
        fmu.export(turning(), tmp_path / "m.fmu")


def test_a_block_of_this_process_cannot_be_in_an_fmu(tmp_path, monkeypatch):
    monkeypatch.setattr(Moody, "__module__", "fmu.foreign.importer")
    with pytest.raises(ExportError, match="block block: a Moody runs in the process of Keelblocks only"):
        fmu.export(moody(), tmp_path / "m.fmu")


def test_a_target_without_a_package_says_what_to_install(tmp_path, tool):
    path = export(turning(), tmp_path / "m.fmu")
    one = tool(path)
    table = one.folder / "resources" / "model.json"
    content = json.loads(table.read_text())
    content["requires"]["pins"].append("no-such-package==1.2")
    content["requires"]["imports"].append("no_such_package")
    table.write_text(json.dumps(content))
    with pytest.raises(fmpy.fmi1.FMICallException):
        one.instantiate()
    here = f"{sys.version_info.major}.{sys.version_info.minor} at {sys.prefix}"
    assert f"the Python of this process ({here}) lacks no-such-package==1.2: pip install no-such" in one.messages[-1]
    assert "This FMU needs Python" in one.messages[-1]


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda r: (r / "plan.bin").unlink(), "plan.bin': No such file or directory"),
        (lambda r: (r / "plan.bin").write_bytes(b"KEELPLAN"), "cannot use plan.bin: "),
        (lambda r: (r / "model.json").write_text("{"), "model.json': the file is damaged"),
        (lambda r: (r / "model.json").write_text('{"format": 0}'), "was written by another version of Keelblocks"),
        (lambda r: (r / "slavemodule.txt").unlink(), "slavemodule.txt': No such file or directory"),
        (lambda r: (r / "slavemodule.txt").write_text("something else"), "its first bytes are wrong"),
        (
            lambda r: next(r.glob("*_blocks/python_models.py")).write_text("1/0"),
            "block counter cannot be made here: Zero",
        ),
    ],
)
def test_resources_that_are_damaged(tmp_path, tool, damage, message):
    one = tool(export(turning(gain=float(len(message))), tmp_path / "m.fmu"))  # no module of another test
    damage(one.folder / "resources")
    with pytest.raises(fmpy.fmi1.FMICallException):
        one.instantiate()
    assert message in one.messages[-1]


def test_resource_locations_in_every_form(tmp_path, tool):
    one = tool(export(turning(), tmp_path / "m.fmu"))
    folder = one.folder / "with space, ü and 100%"
    folder.mkdir()
    (one.folder / "resources").rename(folder / "resources")
    uri = (folder / "resources").as_uri()
    for location in (uri, uri + "/", uri.replace("file:///", "file:/"), str(folder / "resources")):
        one.instantiate(location=location).initialize()
        assert one.get("turns") == [0.0]
        one.slave.fmi2FreeInstance(one.slave.component)
        one.slave.component = None
    with pytest.raises(fmpy.fmi1.FMICallException):
        one.instantiate(location="http://somewhere/resources")
    assert "is not a file: URI" in one.messages[-1]


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere PythonFMU's wrapper is loaded without the stub")
def test_a_folder_whose_name_the_wrapper_would_decode_once_more_is_refused(tmp_path, tool):
    one = tool(export(turning(), tmp_path / "m.fmu"))
    folder = one.folder / "a%20b"
    folder.mkdir()
    (one.folder / "resources").rename(folder / "resources")
    with pytest.raises(fmpy.fmi1.FMICallException):
        one.instantiate(location=(folder / "resources").as_uri())
    assert "because of the per cent sign in that name: unpack the FMU elsewhere" in one.messages[-1]


def test_a_guid_of_another_fmu(tmp_path, tool):
    path = export(turning(), tmp_path / "m.fmu")
    with pytest.raises(fmpy.fmi1.FMICallException):
        tool(path, guid="{wrong}").instantiate()
    other = tool(path, guid="{wrong}")
    with pytest.raises(fmpy.fmi1.FMICallException):
        other.instantiate()
    assert "the GUID {wrong} is not that of this FMU's resources" in other.messages[-1]


OWN_BLOCK = '''\
from blocks import Input, Output, PythonBlock
from blocks.signal import Number


class Doubled(PythonBlock):
    """y = 2 u."""

    u = Input(Number, "u")
    y = Output(Number, "y")

    def outputs(self, t, states, inputs):
        """Twice u."""
        return {"y": 2 * inputs["u"]}
'''
SCENARIO = """\
keelblocks: 1
name: twice
diagram:
  blocks:
    one: {type: basic.Constant, parameters: {value: 1.0}}
    twice: {type: Doubled}
  connections: {one.y: twice.u}
  outputs: {y: twice.y}
"""


@pytest.mark.parametrize("quiet", [False, True])
def test_the_command_line_says_what_the_target_needs(tmp_path, monkeypatch, quiet):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "my_craft_blocks.py").write_text(OWN_BLOCK)
    (tmp_path / "mission.yaml").write_text(SCENARIO)
    arguments = ["--import", "my_craft_blocks", "export", "mission.yaml", *(["-q"] if quiet else [])]
    result = CliRunner().invoke(cli, arguments)
    assert result.exit_code == 0, result.output
    said = "Note: the FMU needs Python ≥ 3.10 with keelblocks "
    assert result.stderr.startswith(said) is not quiet
    assert ("because the block twice is written in Python: pip install keelblocks==" in result.stderr) is not quiet
    assert (tmp_path / "fmus" / "twice" / "twice.fmu").is_file()
