"""What one FMU cannot hold, or be: each message names the part and says what to do instead."""

from __future__ import annotations

import builtins
import zipfile

import fmpy
import foreign_fmus
import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from systems import wire

import fmu
from blocks import Diagram
from blocks.basic import Constant, Gain, Sine
from blocks.errors import ExportError, KeelblocksError, SimulationError
from cython_kernels.plain_c.platforms import PLATFORMS, local
from fmu import FmuBlock
from fmu.container.parts import check_parts

INSTEAD = "export a system, fmu.export_ssp or keelblocks export --format ssp"


def fed(path, port="opening", value=0.5, **given):
    """An FMU with an input that a constant feeds."""
    diagram = Diagram("plant")
    diagram.add("supply", Constant(value))
    diagram.add("pump", FmuBlock(path, 0.1, **given))
    wire(diagram, ("supply.y", f"pump.{port}"))
    diagram.outputs(supply="supply.y")
    return diagram


def refused(diagram, folder, **settings):
    with pytest.raises(KeelblocksError) as caught:
        fmu.export(diagram, folder / "plant.fmu", **settings)
    assert not (folder / "plant.fmu").exists()
    return str(caught.value)


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (
            {"fmi": "3.0"},
            f"with parts of 2.0 and 3.0, not of 3.0: leave out fmi (--fmi), or {INSTEAD}",
        ),
        ({"interfaces": "me"}, f"is for co-simulation, not for model exchange: interfaces=['cs'], or {INSTEAD}"),
        ({"sources": True}, "sources: FMUs inside an FMU are binaries; parts without FMUs have sources (--only)"),
        (
            {"stop": "volume"},
            "stop: an FMU with FMUs inside cannot ask to be terminated, so 'volume'",
        ),
        ({"communication_step": -1}, "communication_step must be > 0 s, not -1"),
        ({"communication_step": 1e-300}, "communication_step must be more than 1e-11 s, the resolution of time"),
        ({"parameters": "pump.inlet"}, "there is no parameter 'pump.inlet' to show: "),
        ({"platforms": "win46"}, "there is no platform 'win46'; did you mean 'win64'"),
    ],
)
def test_what_is_asked_for(settings, words, tank, tmp_path):
    assert words in refused(fed(tank), tmp_path, **settings)


def test_a_communication_step_is_of_fmus(tmp_path):
    words = refused(Gain(2.0), tmp_path, communication_step=0.1)
    assert "how often FMUs in a diagram exchange values, and there is none in it: leave it out" in words


def test_an_fmu_alone_is_the_file_that_is_wanted(tank, tmp_path):
    assert refused(FmuBlock(tank), tmp_path).endswith("tank.fmu is the file that is wanted")


def test_interfaces_versions_and_steps_of_parts(tank, tmp_path, monkeypatch):
    ball = foreign_fmus.build("ball", tmp_path)
    diagram = Diagram("plant")
    diagram.add("ball", FmuBlock(ball, 0.1))
    words = refused(diagram, tmp_path)
    assert words.startswith(f"ball ({ball}) offers model exchange only; a container would integrate it by Euler's")
    assert words.endswith(INSTEAD)
    fmu.export(Gain(0.5), tmp_path / "half.fmu")
    words = refused(fed(tmp_path / "half.fmu", "u", interface="me"), tmp_path)
    assert "half.fmu) is used by model exchange, and a container co-simulates: leave out interface='me'" in words
    words = refused(fed(tank, communication_offset=0.05), tmp_path)
    assert "has a communication_offset of 0.05 s; in a container all FMUs step from the start: set it to 0" in words
    block = FmuBlock(tank)
    monkeypatch.setattr(block.description.model, "fmiVersion", "1.0")
    with pytest.raises(ExportError, match=r"tank.fmu\) is of FMI 1\.0, and an FMU can hold parts of FMI 2\.0 and 3\.0"):
        check_parts({"old": block})


def test_ports_of_parts(tank, tmp_path):
    carrier, mixer = (foreign_fmus.build(name, tmp_path) for name in ("carrier", "mixer"))
    words = refused(fed(carrier, "mass", 3.0, ports=["mass"]), tmp_path)
    assert "pump.mass is a parameter of " in words
    assert "give it a value, parameters={…}, or export a system" in words
    words = refused(fed(mixer, "u", np.ones(3)), tmp_path)
    assert "pump.u is an array whose size is a structural parameter of " in words
    words = refused(fed(mixer, "gain", parameters={"n": 2}), tmp_path)
    assert "has structural parameters that are set" in words
    words = refused(fed(mixer, "gain", parameters={"A": np.ones((2, 3))}), tmp_path)
    assert words.startswith(f"pump.A has its size from a structural parameter of {mixer}, and a container cannot set")
    assert words.endswith(f"leave it as the FMU has it, or {INSTEAD}")
    for port, what in (("own", "local variable"), ("ballast", "calculated parameter"), ("share", "local variable")):
        diagram = fed(carrier, "u", ports=[port])
        diagram.outputs(seen=f"pump.{port}")
        words = refused(diagram, tmp_path)
        assert words.startswith(f"pump.{port} is a {what} of {carrier}, and a container reads outputs only: leave it")
        assert words.endswith(INSTEAD)
    words = refused(fed(tank, value=[0.1, 0.2]), tmp_path)
    assert words.startswith("cannot connect supply.y to pump.opening: ")


def test_an_fmu_that_is_there_once_per_process(tmp_path):
    flag = {"<CoSimulation ": '<CoSimulation canBeInstantiatedOnlyOncePerProcess="true" '}
    single = foreign_fmus.build("tank", tmp_path, name="single", replace=flag)
    diagram = Diagram("plant")
    for name in ("left", "right"):
        diagram.add(name, FmuBlock(single, 0.1))
    diagram.outputs(volume="left.volume")
    words = refused(diagram, tmp_path)
    assert "can be instantiated once per process, and left is of the same FMU: leave one out" in words
    alone = Diagram("plant")
    alone.add("left", FmuBlock(single, 0.1))
    alone.outputs(volume="left.volume")
    with zipfile.ZipFile(fmu.export(alone, tmp_path / "alone.fmu")) as archive:
        assert b'canBeInstantiatedOnlyOncePerProcess="true"' in archive.read("modelDescription.xml")


def test_platforms_are_those_of_all_parts(tank, tmp_path):
    other = next(p for p in PLATFORMS if p.fmi2 not in (local().fmi2, "aarch64-linux"))
    words = refused(fed(tank), tmp_path, platforms=[other.fmi2])
    assert words == f"pump ({tank}) has no binary for {other.fmi2}, only for {local().name}"
    content = foreign_fmus.files("tank")
    elsewhere = f"binaries/{other.fmi2}/tank{other.suffix}"
    both = foreign_fmus.write(tmp_path / "both.fmu", content | {elsewhere: b"code"})
    path = fmu.export(fed(both), tmp_path / "whole.fmu", platforms=None)
    with zipfile.ZipFile(path) as archive:
        folders = {name.split("/")[1] for name in archive.namelist() if name.startswith("binaries/")}
    assert local().fmi2 in folders
    assert folders <= {local().fmi2, other.fmi2}


def test_the_toolbox_is_an_extra(tank, tmp_path, monkeypatch):
    found = builtins.__import__

    def without(name, *rest):
        if name.startswith("fmu_manipulation_toolbox"):
            raise ImportError(name)
        return found(name, *rest)

    monkeypatch.setattr(builtins, "__import__", without)
    words = refused(fed(tank), tmp_path)
    assert "need fmu-manipulation-toolbox, which is not installed: pip install 'keelblocks[container]'" in words


def test_what_the_toolbox_cannot_set(tank, tmp_path):
    words = refused(fed(tank, parameters={"label": "two words"}), tmp_path)
    assert words.startswith(f"pump.label of {tank} is 'two words': a container sets texts without blanks only")


def test_a_step_that_is_no_time(tank, tmp_path):
    with pytest.raises(SimulationError, match="communication_step"):
        fmu.export(fed(tank), tmp_path / "plant.fmu", communication_step="soon")


def test_without_outputs_a_warning_says_what_is_shown(tank, tmp_path):
    diagram = Diagram("plant")
    diagram.add("pump", FmuBlock(tank, 0.1))
    diagram.add("sine", Sine(1.0, 1.0))
    with pytest.warns(fmu.ExportWarning, match="has no outputs: all that can be seen are local variables"):
        fmu.export(diagram, tmp_path / "plant.fmu")


def test_of_fmus_alone_something_has_to_be_seen(tank, tmp_path):
    diagram = Diagram("plant")
    diagram.add("pump", FmuBlock(tank, 0.1))
    words = refused(diagram, tmp_path, only_interface=True)
    assert words.startswith("diagram 'plant' has only FMUs, and nothing is fed to them or seen of them: declare out")
    assert "diagram.outputs(volume='pump.volume'), or show all by local_variables=True" in words
    diagram.inputs(opening="pump.opening")
    diagram.outputs(volume="pump.volume")
    words = refused(diagram, tmp_path, input_shapes={"opening": 4})
    assert words == "input_shapes: the input 'opening' cannot be an array of 4: what it feeds makes it a single number"


def test_what_is_no_number_is_said_by_names_that_are_known(tmp_path):
    diagram = Diagram("plant")
    diagram.add("pump", FmuBlock(foreign_fmus.build("trouble", tmp_path), 0.1, parameters={"kind": "nan"}))
    diagram.outputs(y="pump.y")
    path, said = fmu.export(diagram, tmp_path / "plant.fmu"), []
    with pytest.raises(FMICallException, match="fmi2DoStep"):
        fmpy.simulate_fmu(str(path), stop_time=1.0, output_interval=0.1, logger=lambda *words: said.append(words[-1]))
    assert b"keelblocks.fmu: fmi2SetReal: pump_y_given must be a finite number, not nan" in said
