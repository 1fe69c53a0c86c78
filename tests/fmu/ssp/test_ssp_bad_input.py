"""SSP files that are not in order are refused in one line that names the file, the place and the reason."""

from __future__ import annotations

import warnings
import zipfile

import pytest
from handwritten_ssp import HEAD, U, Y, component, connect, inline, number, parts, real, system, write_ssp
from systems import oscillator

import fmu
from blocks import simulate
from blocks.basic import FirstOrderLag
from blocks.errors import FmuError, FmuWarning, ParameterError, SimulationError
from fmu.ssp.write.xml import NAMESPACES


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


GAIN = component("g", "gain", U, Y)
BIG = ("in", "input", '<ssc:Real/><ssc:Dimension {}="{}"/>')


def sized(attribute, size):
    """A connector of the system with a dimension."""
    return (BIG[0], BIG[1], BIG[2].format(attribute, size))


@pytest.mark.parametrize("size", ["100000000", "1" + "0" * 18, "-1", "9" * 5000])
def test_sizes_that_cannot_be_handled_are_refused(write, size):
    words = "it must be a whole number" if len(size) in (2, 5000) else "up to 1,000,000 elements can be handled"
    refused(write(system(GAIN, connectors=(sized("size", size),))), "connector 'in' of 'root' has", words)
    given = inline(("n", f'<ssv:Integer value="{size}"/>'))
    n = ("n", "structuralParameter", "<ssc:Integer/>")
    text = system(GAIN, connectors=(sized("sizeConnector", "n"), n), bindings=given)
    refused(write(text), "connector 'in' of system 'root' has", words)


@pytest.mark.parametrize(
    ("inside", "words"),
    [
        (
            '<ssc:LinearTransformation factor="nan"/>',
            "the factor of its transformation must be a finite number, not 'nan'",
        ),
        ('<ssc:LinearTransformation offset="1e999"/>', "the offset of its transformation must be a finite number"),
        (
            f'<ssc:IntegerMappingTransformation><ssc:MapEntry source="{"9" * 400}" target="1"/>'
            "</ssc:IntegerMappingTransformation>",
            "is no integer of at most 64 bits",
        ),
        (
            '<ssc:EnumerationMappingTransformation><ssc:MapEntry source="a" target="b"/>'
            "</ssc:EnumerationMappingTransformation>",
            "has an EnumerationMappingTransformation, but its source is no enumeration",
        ),
    ],
)
def test_transformations_that_are_none_are_refused(write, inside, words):
    text = system(GAIN + component("h", "gain", U, Y), connections=connect("g.y", "h.u", inside))
    refused(write(text), "the connection from g.y to h.u", words)


def test_a_dimension_of_a_parameter_that_is_none_is_refused(write):
    values = inline(("gain", number(1))).replace("</ssv:Parameter>", '<ssc:Dimension size="abc"/></ssv:Parameter>')
    refused(write(system(component("g", "gain", U, Y, bindings=values))), "parameter 'gain'", "a dimension of 'abc'")


def test_a_parameter_without_a_value_is_refused(write):
    values = inline(("gain[1]", '<ssv:Real value=""/>'))
    refused(write(system(component("g", "gain", U, Y, bindings=values))), "has no value")


def test_a_connection_to_a_parameter_that_the_fmu_lacks_is_refused(write):
    text = system(
        component("g", "gain", U, Y, real("gian", "parameter")), connectors=(real("k", "parameter"),),
        connections=connect("k", "g.gian"), bindings=inline(("k", number(3))),
    )  # fmt: skip
    refused(write(text), "the connection from k to g.gian", "the FMU of 'g' has no such parameter; valid: gain[1]")


@pytest.mark.parametrize(("first", "last"), [("9", "9"), ("0", "0"), ("-5", "1"), ("2", "1"), ("x", "1"), ("1", None)])
def test_noted_outputs_of_elements_that_there_are_not_are_refused(tmp_path, first, last):
    path = fmu.export_ssp(oscillator(), tmp_path, boundary=False)
    with zipfile.ZipFile(path) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    text = content["SystemStructure.ssd"].decode()
    assert "<keelblocks:Output " in text
    ends = f'first="{first}"' + (f' last="{last}"' if last else "")
    content["SystemStructure.ssd"] = text.replace("<keelblocks:Output ", f"<keelblocks:Output {ends} ", 1).encode()
    with zipfile.ZipFile(path, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    refused(path)


def test_systems_too_deep_within_each_other_are_refused(write):
    text = GAIN
    for i in range(40):
        text = f'<ssd:System name="s{i}"><ssd:Elements>{text}</ssd:Elements></ssd:System>'
    refused(write(text), "system '")


@pytest.mark.parametrize("change", [("guid", "no_guid"), ("<ModelVariables>", "<ModelVariables><Nonsense/>")])
def test_what_is_wrong_with_an_fmu_names_the_package_once_and_no_copy(write, tmp_path, change):
    """An error, and a warning."""
    copy = tmp_path / "changed.fmu"
    copy.write_bytes(parts()["resources/gain.fmu"])
    with zipfile.ZipFile(copy) as archive:
        content = {name: archive.read(name) for name in archive.namelist()}
    content["modelDescription.xml"] = content["modelDescription.xml"].replace(*(text.encode() for text in change))
    with zipfile.ZipFile(copy, "w") as archive:
        for name, data in content.items():
            archive.writestr(name, data)
    path = write(system(component("g", "changed", U, Y)), {"resources/changed.fmu": copy.read_bytes()})
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            fmu.read_ssp(path, communication_step=0.5)
            said = [str(warning.message) for warning in caught]
        except FmuError as problem:
            said = [str(problem)]
    assert said
    for text in said:
        assert "keelblocks-ssp-" not in text
        assert text.count("changed.fmu") == 1, text
        assert str(path) in text
        assert "component 'g'" in text
