"""Parameters of SSP files: bindings, mappings, and connectors through which values come."""

from __future__ import annotations

import io
import zipfile

import numpy as np
import pytest
from foreign_fmus import build
from handwritten_ssp import U, Y, component, connect, inline, number, real, system, values, write_ssp

import fmu
from blocks import simulate
from blocks.errors import FmuError, FmuWarning
from fmu.ssp.read.legality import ALLOWED, allowed

GAIN, MASS, BALLAST = real("gain[1]", "parameter"), real("mass", "parameter"), real("ballast", "calculatedParameter")
LINEAR = '<ssc:LinearTransformation factor="2" offset="1"/>'
RAW = ' suppressUnitConversion="true"'


@pytest.fixture(scope="module")
def foreign(tmp_path_factory) -> dict[str, bytes]:
    folder = tmp_path_factory.mktemp("foreign")
    return {f"resources/{name}.fmu": build(name, folder).read_bytes() for name in ("carrier", "mixer")}


@pytest.fixture
def read(tmp_path, foreign):
    """Reads an SSP from the text of its system."""

    def read(text, files=None):
        return fmu.read_ssp(write_ssp(tmp_path / "hand.ssp", text, foreign | (files or {})), communication_step=0.1)

    return read


def refused(read, text, *words):
    with pytest.raises(FmuError) as caught:
        read(text)
    for word in ("hand.ssp", *words):
        assert word in str(caught.value)


def typed(name, kind, what):
    return name, kind, what


def mapping(entries):
    return (
        f"<ssd:ParameterMapping><ssm:ParameterMapping version='1.0'>{entries}</ssm:ParameterMapping>"
        f"</ssd:ParameterMapping>"
    )


# --- parameter connectors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("value", "inside", "extra", "mass"),
    [
        (None, LINEAR, "", 2.0),  # without a value, what the component has
        (number(3.0), "", "", 3000.0),  # in the unit of the connector, t
        (number(3.0), LINEAR, "", 6001.0),  # after the conversion, in kg
        (number(3.0), LINEAR, RAW, 7.0),
        (number(3000.0, "kg"), "", RAW, 3.0),  # 3 t, and that number
    ],
)
@pytest.mark.parametrize("turned", [False, True])
def test_a_parameter_of_the_system_comes_to_components(read, value, inside, extra, mass, turned):
    ends = ("c.mass", "m") if turned else ("m", "c.mass")
    diagram = read(
        system(
            component("c", "carrier", MASS), connect(*ends, inside, extra), [real("m", "parameter", "t")],
            inline(("m", value)) if value else "",
        )
    )  # fmt: skip
    assert diagram["c"].mass == pytest.approx(mass, rel=1e-12)
    assert not diagram.input_ports
    assert simulate(diagram, 0.1, step=0.1, record=["c.y"]).values("c.y")[-1] == 0.0


def test_it_comes_through_nested_systems_and_the_connection_wins(read):
    inner = system(
        component("c", "carrier", MASS, bindings=inline(("mass", number(9.0)))), connect("p", "c.mass", LINEAR),
        [real("p", "parameter", "t")], inline(("p", number(8.0))), name="inner",
    )  # fmt: skip
    both = connect("m", "inner.p", LINEAR)
    outer = inline(("m", number(1500.0)), ("inner.c.mass", number(7.0)))
    assert read(system(inner, both, [real("m", "parameter", "kg")], outer))["inner.c"].mass == pytest.approx(
        2 * (2 * 1.5 + 1) * 1000 + 1
    )
    assert read(system(inner, both, [real("m", "parameter", "kg")]))["inner.c"].mass == pytest.approx(16001.0)
    by_name = inline(("inner.p", number(6.0)))
    assert read(system(inner, "", (), by_name))["inner.c"].mass == pytest.approx(12001.0)


def test_a_parameter_comes_to_inputs_and_outputs(read):
    text = system(
        component("c", "carrier", U, Y), connect("p", "c.u") + connect("p", "shown", LINEAR),
        [real("p", "parameter"), real("shown", "output")], inline(("p", number(4.0))),
    )  # fmt: skip
    run = simulate(read(text), 0.1, step=0.1, record=["c.y", "shown"])
    assert run.values("c.y").tolist() == [8.0, 8.0]
    assert run.values("shown").tolist() == [9.0, 9.0]


def test_what_an_fmu_calculates_comes_to_parameters_of_another(read):
    """Across systems, with what is done on the way; what the other one had before gives way."""
    one = system(
        component("c", "carrier", BALLAST, bindings=inline(("mass", number(3.0)))), connect("c.ballast", "out"),
        [real("out", "calculatedParameter", "t")], name="one",
    )  # fmt: skip
    two = system(
        component("c", "carrier", MASS, U, Y, bindings=inline(("mass", number(5.0)), ("u", number(1.0)))),
        connect("in", "c.mass", LINEAR), [real("in", "parameter")], name="two",
    )  # fmt: skip
    diagram = read(system(one + two, connect("one.out", "two.in")))
    run = simulate(diagram, 0.2, step=0.1, record=["two.c.y"])
    np.testing.assert_allclose(run.values("two.c.y"), 2 * 30.0 + 1)


def test_constants_and_local_variables_are_sources(read):
    share, own = real("share", "constant"), real("own", "local")
    text = system(
        component("a", "carrier", share, own) + component("b", "carrier", MASS, U, Y)
        + component("c", "mixer", typed("n", "structuralParameter", "<ssc:UInt32/>")),
        connect("a.share", "b.mass", LINEAR) + connect("a.own", "b.u") + connect("a.share", "seen"),
        [real("seen", "constant")],
    )  # fmt: skip
    diagram = read(text)
    assert diagram["b"].mass == 21.0  # known before any run
    run = simulate(diagram, 0.2, step=0.1, record=["b.y", "seen"])
    assert run.values("b.y") == pytest.approx([0.0, 2.1, 4.2])
    assert run.values("seen").tolist() == [10.0] * 3


def test_structural_parameters_decide_sizes(read):
    text = system(
        component("c", "mixer", typed("n", "structuralParameter", "<ssc:UInt32/>")), connect("n", "c.n"),
        [typed("n", "structuralParameter", "<ssc:UInt32/>")], inline(("n", '<ssv:UInt32 value="2"/>')),
    )  # fmt: skip
    assert read(text)["c"].input_ports["u"].signal.shape == (2,)


def test_arrays_come_whole_and_by_their_elements(read):
    size = '<ssc:Dimension size="2"/><ssc:Dimension size="3"/>'
    matrix = typed("A", "parameter", f"<ssc:Float64/>{size}")
    given = inline(("A", f'<ssv:Float64 value="1 2 3 4 5 6"/>{size}'), ("x", number(9.0)))
    text = system(
        component("whole", "mixer", matrix) + component("part", "mixer", matrix),
        connect("A", "whole.A", '<ssc:LinearTransformation factor="10"/>')
        + connect("A", "part.A", extra=' startIndices="1 3" endIndices="2 1"')
        + connect("x", "part.A", extra=' endIndices="1 1"'),
        [matrix, real("x", "parameter")], given,
    )  # fmt: skip
    diagram = read(text)
    assert diagram["whole"].A.tolist() == [[10.0, 20.0, 30.0], [40.0, 50.0, 60.0]]
    assert diagram["part"].A.tolist() == [[9.0, 2.0, 3.0], [3.0, 5.0, 6.0]]


def test_elements_of_an_array_go_on_by_themselves(read):
    """Each is given alone, and of the array that they make each goes elsewhere."""
    size = '<ssc:Dimension size="2"/><ssc:Dimension size="3"/>'
    matrix = typed("A", "parameter", f"<ssc:Float64/>{size}")
    inner = system(
        component("part", "mixer", matrix),
        connect("A", "part.A", extra=' startIndices="1 1" endIndices="2 3"')
        + connect("A", "part.A", extra=' startIndices="1 2" endIndices="1 3"'),
        [matrix], name="inner",
    )  # fmt: skip
    text = system(
        inner,
        connect("x", "inner.A", extra=' endIndices="1 1"') + connect("y", "inner.A", extra=' endIndices="1 2"'),
        [real("x", "parameter"), real("y", "parameter")], inline(("x", number(7.0)), ("y", number(8.0))),
    )  # fmt: skip
    plain = read(system(component("part", "mixer", matrix)))["part"].A.copy()
    plain[1, 2], plain[0, 2] = 7.0, 8.0
    assert read(text)["inner.part"].A.tolist() == plain.tolist()


def test_sizes_that_are_not_said_follow(read):
    """From the parameter that has them, or from what a connector is connected to."""
    for dimension in ("<ssc:Dimension/>", '<ssc:Dimension sizeConnector="n"/>', '<ssc:Dimension size="3"/>'):
        vector = typed("u", "input", f"<ssc:Float64/>{dimension}")
        text = system(component("c", "mixer", vector), connect("u", "c.u", LINEAR), [vector])
        assert read(text).input_ports["u"].signal.shape == (3,)
    alone = system(component("c", "mixer"), "", [typed("v", "input", "<ssc:Float64/><ssc:Dimension/>")])
    refused(read, alone, "the size of connector 'v' of system 'root' is not said, and does not follow")


def test_the_interface_is_the_one_that_is_asked_for(read):
    text = component("c", "carrier", U).replace("<ssd:Component", '<ssd:Component implementation="ModelExchange"')
    refused(read, system(text), "component 'c' (resources/carrier.fmu)", "does not offer Model Exchange")
    assert read(system(text.replace("ModelExchange", "CoSimulation")))["c"].interface == "cs"


def test_connectors_of_no_certain_kind_are_what_the_fmu_says(read):
    """Whichever end the file names first."""
    both = component("a", "gain", *(real(n, "unspecified") for n in "uy")) + component("b", "integral", U, Y)
    for first, second in (("a.y", "b.u"), ("b.u", "a.y")):
        (wire,) = read(system(both, connect(first, second))).connections()
        assert f"{wire[0]} -> {wire[1][0]}" == "a.y -> b.u"


def test_what_the_table_forbids_is_said(read):
    elements = component("a", "carrier", Y, BALLAST) + component("b", "carrier", MASS)
    refused(read, system(elements, connect("a.y", "b.mass")),
            "connects the output of an element and the parameter of an element, which SSP does not allow")  # fmt: skip
    refused(read, system(elements, connect("in", "b.mass"), [real("in", "input")]),
            "connects the input of the system and the parameter of an element, which SSP does not allow",
            ": a value of the input of the system may go to the inout or input of an element and to the local or output"
            )  # fmt: skip
    elements += component("c", "mixer", typed("n", "structuralParameter", "<ssc:UInt32/>"))
    refused(read, system(elements, connect("a.ballast", "c.n")), "the calculatedParameter of an element and the "
            "structuralParameter of an element, which SSP does not allow")  # fmt: skip


# --- bindings and mappings --------------------------------------------------------------------------------------------


def test_inputs_keep_what_is_bound_where_nothing_feeds_them(read):
    text = system(component("c", "carrier", U, Y, bindings=inline(("u", number(4.0)))))
    assert simulate(read(text), 0.1, step=0.1).values("c.y")[-1] == 8.0
    text = system(
        component("c", "carrier", U, Y), connect("a", "c.u"), [real("a", "input")], inline(("a", number(5.0)))
    )
    assert simulate(read(text), 0.1, step=0.1).values("c.y")[-1] == 10.0
    assert simulate(read(text), 0.1, step=0.1, inputs={"a": 1.0}).values("c.y")[-1] == 2.0


@pytest.mark.parametrize(
    ("unit", "declared", "mass", "said"),
    [
        ("t", True, 3000.0, "it is taken from the structure"),
        ("lb", False, 3 * 0.45359237, "it is taken as Keelblocks' unit of that name"),
        ("stone_", False, 3.0, "the number is taken to be in the unit of the variable"),
    ],
)
def test_a_unit_that_a_set_does_not_declare_is_said(read, unit, declared, mass, said):
    bound = inline(("mass", number(3.0, unit)))
    if declared:
        bound = bound.replace('name="t"', 'name="tonne"')
    with pytest.warns(
        FmuWarning, match=rf"hand.ssp': parameter 'mass' in SystemStructure.ssd is in '{unit}', .*{said}"
    ):
        diagram = read(system(component("c", "carrier", MASS, bindings=bound)))
    assert diagram["c"].mass == pytest.approx(mass)


def test_mappings_and_sets_lie_in_files_and_in_fmus(read, foreign):
    entries = "<ssm:MappingEntry source='m' target='mass'><ssc:LinearTransformation offset='1'/></ssm:MappingEntry>"
    map_file = (
        "<ssm:ParameterMapping version='1.0' xmlns:ssm='http://ssp-standard.org/SSP1/SystemStructureParameterMapping' "
        f"xmlns:ssc='http://ssp-standard.org/SSP1/SystemStructureCommon'>{entries}</ssm:ParameterMapping>"
    )
    content = io.BytesIO(foreign["resources/carrier.fmu"])
    with zipfile.ZipFile(content, "a") as archive:
        archive.writestr("extra/own.ssv", values(("m", number(5.0))))
        archive.writestr("extra/own.ssm", map_file)
    files = {"resources/p.ssv": values(("m", number(4.0))), "resources/p.ssm": map_file,
             "resources/own.fmu": content.getvalue()}  # fmt: skip
    beside = (
        '<ssd:ParameterBinding source="resources/p.ssv"><ssd:ParameterMapping source="resources/p.ssm"/>'
        "</ssd:ParameterBinding>"
    )
    inside = beside.replace("resources/p.ss", "extra/own.ss").replace('"><', '" sourceBase="component"><')
    inside = inside.replace('.ssm"/>', '.ssm" sourceBase="component"/>')
    for bound, mass in ((beside, 5.0), (inside, 6.0)):
        assert read(system(component("c", "own", MASS, bindings=bound)), files)["c"].mass == mass
    refused(lambda text: read(text, files), system(component("c", "own"), bindings=inside),
            "a parameter binding of 'root' refers to 'extra/own.ssv' with the base 'component'")  # fmt: skip
    refused(
        read, system(component("c", "carrier", bindings=inside)), "(resources/carrier.fmu)", "no extra/own.ssv in it"
    )


@pytest.mark.parametrize(
    ("name", "value", "transformation", "expected"),
    [
        ("gear", '<ssv:Enumeration value="fast"/>', "Enumeration fast high", "high"),
        ("gear", '<ssv:Enumeration value="high"/>', "Enumeration fast low", "high"),
        ("gear", '<ssv:Integer value="7"/>', "Integer 7 4", "high"),
        ("gear", '<ssv:Enumeration value="low"/>', "Integer 1 4", "high"),
        ("mass", '<ssv:Integer value="7"/>', "Integer 8 1", 7.0),
        ("limit", '<ssv:UInt8 value="7"/>', "Integer 7 9", 9.0),
        ("enabled", '<ssv:Boolean value="1"/>', "Boolean true false", False),
        ("enabled", '<ssv:Boolean value="false"/>', "Boolean 0 1", True),
        ("label", '<ssv:String value="x y"/>', "", "x y"),
        ("label", '<ssv:String><ssv:Value value="north"/></ssv:String>', "", "north"),
        ("mass", '<ssv:Float32 value="1.5"/>', "", 1.5),
    ],
)
def test_values_of_all_types_and_tables(read, name, value, transformation, expected):
    change = ""
    if transformation:
        kind, source, target = transformation.split()
        entry = f'<ssc:MapEntry source="{source}" target="{target}"/>'
        change = f"<ssc:{kind}MappingTransformation>{entry}</ssc:{kind}MappingTransformation>"
    entries = f"<ssm:MappingEntry source='x' target='{name}'>{change}</ssm:MappingEntry>"
    model = "carrier" if name in ("gear", "mass") else "mixer"
    block = read(system(component("c", model, bindings=inline(("x", value), mapping=mapping(entries)))))["c"]
    assert block.values[block.parameter_name(name)] == expected


@pytest.mark.parametrize(
    ("value", "change", "words"),
    [
        ('<ssv:Enumeration value="middle"/>', "", "c.gear cannot be 'middle' (SystemStructure.ssd): it is one of low,"),
        ('<ssv:Integer value="3"/>', "", "c.gear cannot be '3'"),
        ('<ssv:Integer value="3"/>', '<ssc:IntegerMappingTransformation><ssc:MapEntry source="a" target="2"/>'
         "</ssc:IntegerMappingTransformation>", "the mapping from 'x' to 'gear': 'a' in its table is no integer"),
        ('<ssv:Integer value="3"/>', '<ssc:BooleanMappingTransformation><ssc:MapEntry source="a" target="2"/>'
         "</ssc:BooleanMappingTransformation>", "the mapping from 'x' to 'gear': 'a' is neither true nor false"),
    ],
)  # fmt: skip
def test_bad_values_and_tables_are_said(read, value, change, words):
    entries = f"<ssm:MappingEntry source='x' target='gear'>{change}</ssm:MappingEntry>"
    refused(read, system(component("c", "carrier", bindings=inline(("x", value), mapping=mapping(entries)))), words)


def test_the_table_is_that_of_the_standard():
    """SSP 2.0, 5.3.2: so many rows, and some of each group."""
    assert len(ALLOWED) == 42
    for source, sink, expected in (
        (("system", "parameter"), ("element", "structuralParameter"), False),
        (("system", "structuralParameter"), ("element", "structuralParameter"), True),
        (("element", "constant"), ("element", "structuralParameter"), True),
        (("element", "inout"), ("element", "inout"), False),
        (("system", "input"), ("system", "calculatedParameter"), False),
        (("element", "local"), ("system", "output"), True),
    ):
        assert allowed(source, sink) is expected
