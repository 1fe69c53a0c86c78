"""SSP files that are not in order are refused in one line that names the file, the place and the reason."""

from __future__ import annotations

import warnings
import zipfile

import pytest
from handwritten_ssp import HEAD, U, Y, component, connect, inline, number, real, system, write_ssp
from systems import oscillator

import fmu
from blocks import simulate
from blocks.basic import FirstOrderLag
from blocks.errors import FmuError, FmuWarning, ParameterError, SimulationError
from fmu.ssp_write.xml import NAMESPACES


@pytest.fixture
def write(tmp_path):
    """Writes an SSP from the text of its system."""
    return lambda text, files=None: write_ssp(tmp_path / "hand.ssp", text, files)


def refused(path, *words):
    with pytest.raises(FmuError) as caught:
        fmu.read_ssp(path, communication_step=0.5)
    message = str(caught.value)
    assert str(path) in message
    for word in words:
        assert word in message, message
    assert "\n" not in message


def test_what_is_no_ssp_is_refused(tmp_path):
    refused(tmp_path / "none.ssp", "there is no such file")
    (tmp_path / "text.ssp").write_text("SSP")
    refused(tmp_path / "text.ssp", "it is not a zip file, which an SSP has to be")
    with zipfile.ZipFile(tmp_path / "empty.ssp", "w") as archive:
        archive.writestr("notes.txt", "nothing")
    refused(tmp_path / "empty.ssp", "there is no SystemStructure.ssd in it, which every SSP has")
    (tmp_path / "folder").mkdir()
    refused(tmp_path / "folder", "there is no SystemStructure.ssd")


def test_a_truncated_file_is_refused(tmp_path):
    content = fmu.export_ssp(oscillator(), tmp_path).read_bytes()
    for size in (10, len(content) // 2, len(content) - 30):
        (tmp_path / "cut.ssp").write_bytes(content[:size])
        refused(tmp_path / "cut.ssp", "zip")


def test_a_damaged_member_is_refused(tmp_path):
    content = bytearray(fmu.export_ssp(oscillator(), tmp_path).read_bytes())
    at = content.index(b"SystemStructure.ssd") + 200
    content[at : at + 50] = bytes(50)
    (tmp_path / "damaged.ssp").write_bytes(content)
    refused(tmp_path / "damaged.ssp", "SystemStructure.ssd is damaged")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<ssd", ("SystemStructure.ssd is not well-formed XML",)),
        (b"<other/>", ("is not a SystemStructureDescription", "'other'")),
        (b'<!DOCTYPE a [<!ENTITY b "c">]><a/>', ("declares a document type or entities",)),
        ('<!DOCTYPE a [<!ENTITY b "c">]><a/>'.encode("utf-16"), ("declares a document type or entities",)),
        (b'<?xml version="1.0" encoding="klingon"?><a/>', ("is not well-formed XML", "klingon")),
        (b'<?xml version="1.0" encoding="big5"?><a/>', ("is not well-formed XML: multi-byte encodings",)),
        (b"<a>" * 5000 + b"</a>" * 5000, ("elements more than 200 deep within each other",)),
        ((HEAD + "</ssd:SystemStructureDescription>").encode(), ("has no System",)),
        ((HEAD.replace('"1.0"', '"3.1"') + "</ssd:SystemStructureDescription>").encode(), ("version '3.1'",)),
    ],
)
def test_a_structure_that_is_none_is_refused(tmp_path, content, words):
    with zipfile.ZipFile(tmp_path / "bad.ssp", "w") as archive:
        archive.writestr("SystemStructure.ssd", content)
    refused(tmp_path / "bad.ssp", *words)


def test_nothing_leads_out_of_the_package(write, tmp_path):
    with zipfile.ZipFile(tmp_path / "slip.ssp", "w") as archive:
        archive.writestr("../evil.txt", "boo")
    refused(tmp_path / "slip.ssp", "it has a file '../evil.txt', which is outside of the package")
    for source in ("../../secret.fmu", "/etc/passwd", "..%2F..%2Fsecret.fmu", "C:\\secret.fmu"):
        text = system(component("g", "gain", U, Y)).replace("resources/gain.fmu", source)
        refused(write(text), "component 'g' of system 'root' refers to", source)
    refused(
        write(system(component("g", "gain", U, Y)).replace("resources/gain.fmu", "https://x.org/a.fmu")),
        "only files inside",
    )


def test_zeros_without_end_are_refused(write, tmp_path):
    text = system(component("z", "zeros", U, Y))
    path = write(text)
    with zipfile.ZipFile(path, "a", zipfile.ZIP_DEFLATED) as archive, archive.open("resources/zeros.fmu", "w") as file:
        for _ in range(64):
            file.write(bytes(1 << 20))
    refused(path, "resources/zeros.fmu", "67,108,864 bytes")


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (component("g", "gain", U, Y).replace("<ssd:Component", '<ssd:Component type="application/x-exe"'),
         ("component 'g' of system 'root' is of type 'application/x-exe'; only FMUs",)),
        (component("g", "gain", U, Y).replace("resources/gain.fmu", "."), ("component 'g'", "'.', which is no file")),
        (component("g", "missing", U, Y), ("component 'g'", "'resources/missing.fmu', which is not there")),
        (component("g", "gain", U, Y).replace('source="resources/gain.fmu"', ""), ("component 'g'", "has no source")),
        (component("g", "gain", U, Y) * 2, ("two elements called 'g'",)),
        ('<ssd:Wheel name="w"/>', ("'w' in system 'root' is a Wheel, which SSP does not have",)),
        (component("g", "gain", U, Y).replace("<ssd:Component", '<ssd:Component implementation="ScheduledExecution"'),
         ("component 'g' of system 'root' wants its FMU to be used as 'ScheduledExecution'",)),
        (component("g", "gain", ("u", "input", '<ssc:Real/><ssc:Dimension size="two"/>')),
         ("connector 'u' of 'g' has a dimension of 'two'",)),
    ],
)  # fmt: skip
def test_unknown_components_are_refused(write, text, words):
    refused(write(system(text)), *words)


@pytest.mark.parametrize(
    ("connections", "words"),
    [
        (connect("a.y", "gg.u"), ("connection from a.y to gg.u in system 'root'", "no element 'gg'; did you mean 'g'")),
        (connect("a.y", "g.uu"), ("no connector 'uu' on 'g'; did you mean 'u'",)),
        (
            connect("a.u", "g.u"),
            (
                "connection from a.u to g.u in system 'root' connects the input of an element and the "
                "input of an element, which SSP does not allow",
            ),
        ),
        (
            connect("a.y", "g.gain[1]"),
            ("connects the output of an element and the parameter of an element, which SSP does not allow",),
        ),
        (connect("a.y", "g.label"), ("uses g.label, which is of type String; wires of a diagram carry numbers only",)),
        (connect("a.y", "g.u", extra=' endIndices="2"'), ("uses g.u[2], but 'u' has a single element",)),
        (connect("a.y", "g.u", extra=' endIndices="x"'), ("has the indices 'x'",)),
        (connect("a.y", "g.u", extra=' suppressUnitConversion="maybe"'), ("'maybe' is neither true nor false",)),
        (connect("a.y", "g.u", '<ssc:LinearTransformation factor="much"/>'), ("from a.y to g.u", "'much'")),
        (connect("a.y", "g.u") + connect("g.y", "g.u"), ("g.u has another source already",)),
        (connect("a.y", "g.ghost"), ("uses g.ghost, but the FMU of 'g' has no such input",)),
    ],
)
def test_dangling_connections_are_refused(write, connections, words):
    label, gain = ("label", "input", "<ssc:String/>"), real("gain[1]", "parameter")
    both = component("a", "integral", U, Y) + component("g", "gain", U, Y, real("ghost", "input"), label, gain)
    refused(write(system(both, connections)), *words)


@pytest.mark.parametrize(
    ("binding", "words"),
    [
        ('<ssd:ParameterBinding source="resources/none.ssv"/>', ("binding of 'g'", "none.ssv', which is not there")),
        (inline(("gain[1]", number(1.0))).replace('m="1"', 'm="one"'), ("a unit in", "'one'")),
        (inline(("gain[1]", number(1.0))).replace('factor="1000"', 'factor="0"'), ("'km' has a factor of 0",)),
        (inline(("gain[1]", '<ssv:Real value="many"/>')), ("'g' (resources/gain.fmu)", "g.gain cannot be 'many'")),
        (inline(("gain[1]", "")), ("parameter 'gain[1]'", "has no value")),
        (inline(("gain[1]", number(1.0))).replace("Binding>", 'Binding type="text/csv">', 1), ("'text/csv'",)),
    ],
)  # fmt: skip
def test_bad_bindings_are_refused(write, binding, words):
    refused(write(system(component("g", "gain", U, Y, bindings=binding))), *words)


def test_a_value_out_of_range_names_the_component(write):
    bad = inline(("time_constant[1]", number(-1.0)))
    refused(
        write(system(component("g", "lag", U, Y, bindings=bad))), "component 'g'", "time_constant must be ≥ 0 s, not -1"
    )


def test_an_fmu_that_is_none_names_the_component(write):
    text = system(component("g", "gain", U, Y).replace("gain.fmu", "text.fmu"))
    refused(write(text, {"resources/text.fmu": b"no zip"}), "component 'g' (resources/text.fmu)", "is no FMU")


def test_settings_that_a_block_does_not_have_are_refused(write):
    with pytest.raises((FmuError, ParameterError), match="isolat"):
        fmu.read_ssp(write(system(component("g", "gain", U, Y))), communication_step=0.5, isolat=True)


@pytest.mark.parametrize("step", ["nan", "-1", "inf"])
def test_a_communication_step_that_is_none_is_left_out_and_told(write, step):
    text = system(component("g", "gain", U, Y)).replace(
        "</ssd:System>",
        '</ssd:System><ssd:DefaultExperiment><ssd:Annotations><ssc:Annotation type="org.openmodelica">'
        f'<oms:FixedStepMaster xmlns:oms="{NAMESPACES["oms"]}" stepSize="{step}"/>'
        "</ssc:Annotation></ssd:Annotations></ssd:DefaultExperiment>",
    )
    with pytest.warns(FmuWarning, match=f"stepSize is {step}; it is left out, as it must be > 0 s"):
        assert fmu.read_ssp(write(text))["g"].values["communication_step"] > 0.0


def test_a_communication_step_of_which_no_run_has_an_end(write):
    diagram = fmu.read_ssp(write(system(component("g", "gain", U, Y))), communication_step=1e-300)
    with pytest.raises(SimulationError, match=r"g\.communication_step must be more than 1e-11 s, .* not 1e-300 s"):
        simulate(diagram, 1.0, step=0.01)


def test_a_warning_points_at_who_reads(write):
    path = write(system(component("g", "gain", U, Y)))
    with zipfile.ZipFile(path, "a") as archive, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        archive.writestr("resources/gain.fmu", archive.read("resources/gain.fmu"))
    with pytest.warns(FmuWarning, match="more than once") as said:
        fmu.read_ssp(path)
    assert [warning.filename for warning in said] == [__file__]


def test_a_parameter_that_is_given_twice_is_refused(tmp_path):
    file = fmu.export(FirstOrderLag(1.0), tmp_path / "lag.fmu", step=0.01)
    with pytest.raises(ParameterError, match=r"'time_constant' of .*lag\.fmu is given twice"):
        fmu.FmuBlock(file, 0.05, time_constant=1.0, parameters={"time_constant": 2.0})
