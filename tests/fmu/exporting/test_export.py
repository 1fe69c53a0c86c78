"""Exporting: what is in the file, equal bytes for equal models, and words about what cannot be exported."""

from __future__ import annotations

import os
import subprocess
import sys
from zipfile import ZipFile

import fmpy
import pytest

import fmu
from blocks import Diagram
from blocks.basic import Constant, Gain
from blocks.errors import ExportError, SimulationError, WiringError
from cython_kernels.plain_c.platforms import local
from fmu import runtime


def listed(folder):
    """Names in a folder."""
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize(
    ("fmi", "icon"),
    [
        ("2.0", ["model.png"]),
        ("3.0", [f"terminalsAndIcons/{name}" for name in ("terminalsAndIcons.xml", "icon.png", "icon.svg")]),
    ],
)
def test_an_fmu_holds_all_that_it_needs(models, tmp_path, fmi, icon):
    path = fmu.export(models.guided_vessel(), tmp_path / "m.fmu", fmi=fmi)
    with ZipFile(path) as archive:
        names = archive.namelist()
        assert all(info.date_time == (1980, 1, 1, 0, 0, 0) for info in archive.infolist())
        assert archive.testzip() is None
    assert names == [
        *runtime.libraries(None, fmi, "guided_vessel"), "modelDescription.xml", "resources/plan.bin",
        "resources/variables.bin", "documentation/index.html", "documentation/licenses/license.txt", *icon,
    ]  # fmt: skip


def test_a_platform_has_a_name_in_either_version(models, tmp_path):
    here = local()
    for fmi in ("2.0", "3.0"):
        one, two = (
            fmu.export(models.mixed(), tmp_path / f"{name}.fmu", fmi=fmi, platforms=[name])
            for name in (here.fmi2, here.name)
        )
        assert one.read_bytes() == two.read_bytes()


def test_equal_models_give_equal_bytes(models, tmp_path):
    for fmi in ("2.0", "3.0"):
        first = fmu.export(models.guided_vessel(), tmp_path / "a.fmu", step=0.02, fmi=fmi)
        second = fmu.export(models.guided_vessel(), tmp_path / "b.fmu", step=0.02, fmi=fmi)
        assert first.read_bytes() == second.read_bytes()
        again = fmu.export(models.guided_vessel().copy(), tmp_path / "c.fmu", step=0.02, fmi=fmi)
        assert again.read_bytes() == first.read_bytes()


def test_another_process_gives_equal_bytes(models, tmp_path):
    """No order in it hangs on how Python hashes text, which differs from process to process."""
    script = (
        "import fmu; from blocks.control import PID; from blocks.dynamics import Vessel3DOF; "
        "[fmu.export(b, f'{type(b).__name__}{v[0]}.fmu', fmi=v) for v in ('2.0', '3.0') "
        "for b in (PID(1.0, 0.1), Vessel3DOF(mass=23.8, yaw_inertia=1.76))]"
    )
    for seed in ("1", "2"):
        folder = tmp_path / seed
        folder.mkdir()
        environment = os.environ | {"PYTHONHASHSEED": seed}
        subprocess.run([sys.executable, "-c", script], cwd=folder, env=environment, check=True)
    for one in (tmp_path / "1").iterdir():
        assert one.read_bytes() == (tmp_path / "2" / one.name).read_bytes()


def test_every_difference_gives_another_guid(models, tmp_path):
    def guid(component, **settings):
        return fmpy.read_model_description(fmu.export(component, tmp_path / "m.fmu", **settings)).guid

    other = models.guided_vessel()
    other["plant.vessel"].inertia = (9.75, 10.364, 1.159)
    renamed = models.guided_vessel()
    renamed.outputs(also="plant.eta")
    guids = [
        guid(models.guided_vessel()), guid(other), guid(renamed), guid(models.guided_vessel(), step=0.005),
        guid(models.guided_vessel(), solver="heun"), guid(models.guided_vessel(), name="other"),
        guid(models.guided_vessel(), end=10.0), guid(models.guided_vessel(), fmi="3.0"),
        guid(models.guided_vessel(), interfaces=["cs"]), guid(models.guided_vessel(), author="A. Sailor"),
    ]  # fmt: skip
    assert len(set(guids)) == len(guids)


def test_the_model_is_called_after_the_diagram_the_part_or_the_block(models, tmp_path):
    def names(component, **settings):
        described = fmpy.read_model_description(fmu.export(component, tmp_path / "m.fmu", **settings))
        return described.modelName, described.coSimulation.modelIdentifier

    assert names(models.guided_vessel()) == ("guided_vessel", "guided_vessel")
    assert names(models.guided_vessel()["plant"]) == ("plant", "plant")
    assert names(Gain(2.0)) == ("Gain", "Gain")
    assert names(Gain(2.0), name="2nd søk") == ("2nd søk", "model_2nd_s_k")


def test_a_folder_gets_a_file_called_after_the_model(models, tmp_path):
    assert fmu.export(models.mixed(), tmp_path) == tmp_path / "mixed.fmu"
    assert fmu.export(models.mixed(), tmp_path / "new" / "folder" / "x.fmu").is_file()


def test_export_replaces_a_file_and_leaves_nothing_beside_it(models, tmp_path):
    path = tmp_path / "m.fmu"
    path.write_text("old")
    fmu.export(models.mixed(), path)
    assert listed(tmp_path) == ["m.fmu"]
    assert path.read_bytes()[:2] == b"PK"


def test_a_path_that_cannot_be_written_keeps_what_was_there(models, tmp_path):
    (tmp_path / "file").write_text("")
    with pytest.raises(ExportError, match=r"cannot write '.*file/m\.fmu': "):
        fmu.export(models.mixed(), tmp_path / "file" / "m.fmu")
    (tmp_path / "folder.fmu").mkdir()
    (tmp_path / "folder.fmu" / "mixed.fmu").mkdir()
    with pytest.raises(ExportError, match=r"the name of an FMU must end in \.fmu, not 'm\.zip'"):
        fmu.export(models.mixed(), tmp_path / "m.zip")
    assert listed(tmp_path) == ["file", "folder.fmu"]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"platforms": ["amiga"]}, "there is no platform 'amiga'; valid: aarch64-darwin, "),
        ({"platforms": []}, "an FMU without platforms has nothing to run: name one, or add the C files by sour"),
        ({"platforms": "amiga"}, "there is no platform 'amiga'; valid: aarch64-darwin, "),
        ({"fmi": "2"}, "there is no export for the FMI version '2'; valid: 2.0, 3.0"),
        ({"fmi": 3.0}, "the FMI version is a text such as '3.0', not 3.0"),
        ({"interfaces": ["mee"]}, "there is no export for the interface 'mee'"),
        ({"interfaces": []}, "name at least one interface: cs, me"),
        ({"interfaces": None}, "interfaces are names, one text or a list of them, not None"),
        ({"layered_standards": None}, "layered_standards are names, one text or a list of them, not None"),
        ({"platforms": 5}, "platforms are names, one text or a list of them, not 5"),
        ({"platforms": [5]}, "platforms are names, one text or a list of them, not [5]"),
        ({"input_shapes": {"pusj": 3}}, "input_shapes: there is no input 'pusj'; did you mean 'push'"),
        ({"input_shapes": {"push": 0}}, "the shape of 'push' must be whole numbers from 1, such as (3,), not 0"),
        ({"solver": "LSODA"}, "solver LSODA is SciPy's and needs Python; an FMU has euler, heun, rk4, dopri5"),
    ],
)
def test_choices_that_do_not_exist(models, tmp_path, settings, message):
    with pytest.raises(ExportError) as refused:
        fmu.export(models.mixed(), tmp_path / "m.fmu", **settings)
    assert message in str(refused.value)


def test_one_name_stands_for_itself(models, tmp_path):
    one, two = (
        fmu.export(models.mixed(), tmp_path / f"{len(interfaces)}.fmu", interfaces=interfaces, platforms=platforms)
        for interfaces, platforms in (("cs", local().name), (["cs"], [local().name]))
    )
    assert one.read_bytes() == two.read_bytes()


@pytest.mark.parametrize(
    ("component", "message"),
    [
        ("minerva.yaml", "an FMU is made of a diagram or a block, not of 'minerva.yaml'"),
        (Gain, "that is a class, make one of it first, Gain(…)"),
    ],
)
def test_what_no_fmu_can_be_made_of(tmp_path, component, message):
    with pytest.raises(ExportError) as refused:
        fmu.export(component, tmp_path / "m.fmu")
    assert message in str(refused.value)


def test_a_long_name_makes_a_binary_that_can_be_unpacked(tmp_path):
    path = fmu.export(Constant(1.0), tmp_path / "m.fmu", name="n" * 300)
    assert fmpy.read_model_description(path).modelName == "n" * 300
    with ZipFile(path) as archive:
        assert max(len(part) for name in archive.namelist() for part in name.split("/")) <= 128


def test_a_shape_that_an_input_cannot_have(models, tmp_path):
    plant = models.guided_vessel()["plant"]
    with pytest.raises(ExportError, match="the input 'force' cannot be an array of 3: what it feeds makes it an array"):
        fmu.export(plant, tmp_path / "m.fmu", input_shapes={"force": 3})
    with pytest.raises(WiringError, match=r"cannot connect input 'push' to load\.in3: shapes 2 and 1 differ"):
        fmu.export(models.mixed(), tmp_path / "m.fmu", input_shapes={"push": (2,)})


def test_settings_are_checked_as_for_a_run(models, tmp_path):
    with pytest.raises(SimulationError, match="step must be > 0 s, not 0"):
        fmu.export(models.mixed(), tmp_path / "m.fmu", step=0.0)
    with pytest.raises(SimulationError, match="no solver 'rk5'; did you mean 'rk4'"):
        fmu.export(models.mixed(), tmp_path / "m.fmu", solver="rk5")


def test_a_diagram_that_cannot_run_is_not_exported(tmp_path):
    diagram = Diagram("open")
    diagram.add("gain", Gain())
    with pytest.raises(WiringError, match=r"gain\.u .* is not connected"):
        fmu.export(diagram, tmp_path / "m.fmu")
    assert listed(tmp_path) == []


def test_an_input_and_an_output_of_one_name_are_refused(tmp_path):
    diagram = Diagram("twice")
    diagram.add("gain", Gain())
    diagram.inputs(speed="gain.u")
    diagram.outputs(speed="gain.y")
    with pytest.raises(ExportError, match="the input and the output 'speed' have the same name"):
        fmu.export(diagram, tmp_path / "m.fmu")


def test_a_runtime_that_was_not_built(monkeypatch, tmp_path):
    monkeypatch.setattr(runtime, "BINARIES", tmp_path / "none")
    with pytest.raises(ExportError, match="no FMU runtime here, because none was built: build it with `make build`"):
        fmu.export(Constant(1.0), tmp_path / "m.fmu")
