"""Signal dictionaries of SSP files: a bus that is read and written anywhere."""

from __future__ import annotations

import pytest
from handwritten_ssp import UNITS, U, Y, component, connect, real, system, write_ssp

import fmu
from blocks import simulate
from blocks.errors import FmuError

SSB = (
    '<ssb:SignalDictionary version="1.0" xmlns:ssb="http://ssp-standard.org/SSP1/SystemStructureSignalDictionary" '
    'xmlns:ssc="http://ssp-standard.org/SSP1/SystemStructureCommon">'
    '<ssb:DictionaryEntry name="range"><ssc:Real unit="km"/></ssb:DictionaryEntry>'
    '<ssb:DictionaryEntry name="wind"><ssc:Float64/><ssc:Dimension size="3"/></ssb:DictionaryEntry>'
    f"<ssb:Units>{UNITS}</ssb:Units></ssb:SignalDictionary>"
)
DEFINED = f'<ssd:SignalDictionary name="bus">{SSB}</ssd:SignalDictionary>'
RAW, OFFSET = ' suppressUnitConversion="true"', '<ssc:LinearTransformation offset="1"/>'
WIND = ("wind", "inout", '<ssc:Float64/><ssc:Dimension size="3"/>')


def reference(*connectors, name="bus", dictionary="bus"):
    listed = "".join(f'<ssd:Connector name="{n}" kind="{kind}">{t}</ssd:Connector>' for n, kind, t in connectors)
    return (
        f'<ssd:SignalDictionaryReference name="{name}" dictionary="{dictionary}"><ssd:Connectors>{listed}'
        "</ssd:Connectors></ssd:SignalDictionaryReference>"
    )


@pytest.fixture
def read(tmp_path):
    def read(text, files=None):
        return fmu.read_ssp(write_ssp(tmp_path / "hand.ssp", text, files), communication_step=0.5)

    return read


RANGE = real("range", "inout", "km")


@pytest.mark.parametrize("source", ["", "resources/bus.ssb"])
def test_what_is_written_is_read(read, source):
    """In the unit of the entry, with what each connection does."""
    defined = f'<ssd:SignalDictionary name="bus" source="{source}"/>' if source else DEFINED
    text = system(
        reference(RANGE) + component("g", "gain", U, Y),
        connect("bus.range", "near", extra=RAW) + connect("m", "bus.range", OFFSET) + connect("g.u", "bus.range"),
        [real("m", "input", "m"), real("near", "output", "m")], dictionaries=defined,
    )  # fmt: skip
    diagram = read(text, {"resources/bus.ssb": SSB})
    assert next(iter(diagram.components)) == "g"
    run = simulate(diagram, 0.5, step=0.5, inputs={"m": 3000.0}, record=["near", "g.y"])
    assert run.values("near")[-1] == pytest.approx(4.0)  # 3 km + 1 km, as a number of km
    assert run.values("g.y")[-1] == pytest.approx(8000.0)


def test_signals_reach_other_levels(read):
    """Up from one system and down into another one, twice; names that are taken give way."""
    writer = system(
        system(component("i", "integral", U, Y) + reference(RANGE), connect("i.y", "bus.range"), name="deep"),
        "", [real("bus_range", "input")], name="writer",
    )  # fmt: skip
    reader = system(
        component("a", "gain", U, Y) + component("b", "gain", U, Y) + reference(RANGE, name="b2"),
        connect("b2.range", "a.u") + connect("b2.range", "b.u"), name="reader",
    )  # fmt: skip
    text = system(writer + reader + reference(RANGE), connect("bus.range", "top"), [real("top", "output")],
                  dictionaries=DEFINED)  # fmt: skip
    diagram = read(text)
    wires = [f"{a} -> {', '.join(map(str, b))}" for a, b in diagram.connections()]
    assert wires == ["writer.bus_range -> reader.bus_range"]
    assert list(diagram["reader"].input_ports) == ["bus_range"]
    diagram["writer.deep.i"].set(initial_x=2.0)
    run = simulate(diagram, 0.5, step=0.5, record=["top", "reader.a.y", "reader.b.y"])
    assert [run.values(name)[-1] for name in ("top", "reader.a.y", "reader.b.y")] == [2.0, 4.0, 4.0]


def test_an_inner_dictionary_of_the_same_name_is_another_one(read):
    inner = system(
        component("g", "gain", U, Y) + reference(RANGE), connect("bus.range", "g.u"), name="inner", dictionaries=DEFINED
    )
    text = system(inner + reference(RANGE), connect("x", "bus.range"), [real("x", "input")], dictionaries=DEFINED)
    assert not read(text)["inner"].input_ports


def test_one_dictionary_feeds_another_one(read):
    third = reference(real("range", "output"), name="third", dictionary="bus2")
    other = reference(real("range", "input"), name="other", dictionary="bus2")
    text = system(
        component("i", "integral", U, Y) + reference(RANGE) + other + third,
        connect("x", "bus.range", OFFSET) + connect("bus.range", "other.range", OFFSET)
        + connect("third.range", "y", OFFSET), [real("x", "input", "km"), real("y", "output", "km")],
        dictionaries=DEFINED + DEFINED.replace('"bus"', '"bus2"'),
    )  # fmt: skip
    run = simulate(read(text), 0.5, step=0.5, inputs={"x": 2000.0}, record=["y"])
    assert run.values("y")[-1] == pytest.approx(5000.0)


def test_arrays_whole_and_by_elements(read):
    triple = component("t", "triple", *[real(f"u[{i}]", "input") for i in (1, 2, 3)], real("y[1]", "output"))
    vector = ("v", "input", '<ssc:Float64/><ssc:Dimension size="3"/>')
    single = system(
        triple + reference(WIND),
        connect("v", "bus.wind") + connect("bus.wind", "t.u[2]", extra=' startIndices="3"'), [vector],
        dictionaries=DEFINED,
    )  # fmt: skip
    run = simulate(read(single), 0.5, step=0.5, inputs={"v": [5.0, 6.0, 7.0]}, record=["t.y"])
    assert run.values("t.y")[-1].tolist() == [0.0, 14.0, 0.0]
    pieces = system(
        triple + reference(WIND),
        connect("a", "bus.wind", extra=' endIndices="2"') + connect("bus.wind", "w"),
        [real("a", "input"), ("w", "output", vector[2])], dictionaries=DEFINED,
    )  # fmt: skip
    run = simulate(read(pieces), 0.5, step=0.5, inputs={"a": 5.0}, record=["w"])
    assert run.values("w")[-1].tolist() == [0.0, 5.0, 0.0]


def test_what_nobody_writes_keeps_its_start(read):
    text = system(component("g", "gain", U, Y) + reference(RANGE), connect("bus.range", "g.u"), dictionaries=DEFINED)
    assert simulate(read(text), 0.5, step=0.5).values("g.y")[-1] == 0.0


@pytest.mark.parametrize(
    ("parts", "connections", "words"),
    [
        (reference(RANGE, dictionary="buss"), "", "'bus' refers to the signal dictionary 'buss', which is not there; "
         "did you mean 'bus'"),
        (reference(real("rang", "inout")), "", "'bus.rang' shows no entry of the signal dictionary 'bus'; did you mean "
         "'range'"),
        (reference(RANGE), connect("a.y", "bus.range") + connect("x", "bus.range"),
         "entry 'range' of the signal dictionary 'bus' is written by x and by a.y"),
        (reference(RANGE), connect("bus.range", "a.k"),
         "connects the inout of an element and the parameter of an element"),
        (reference(RANGE) + reference(real("range", "input"), name="b2"), connect("bus.range", "b2.range")
         + connect("bus.range", "a.u"), "entry 'range' of the signal dictionary 'bus' is written by itself"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_dictionaries_is_said(read, parts, connections, words):
    a = component("a", "integral", U, Y, real("k", "parameter"))
    with pytest.raises(FmuError) as caught:
        read(system(a + parts, connections, [real("x", "input")], dictionaries=DEFINED))
    assert "hand.ssp" in str(caught.value)
    assert words in str(caught.value)


@pytest.mark.parametrize(
    ("dictionary", "words"),
    [
        ('<ssd:SignalDictionary name="bus"/>', "signal dictionary 'bus' of system 'root' has neither a source nor any"),
        ('<ssd:SignalDictionary name="bus" source="resources/no.ssb"/>', "'resources/no.ssb', which is not there"),
        ('<ssd:SignalDictionary name="bus" type="text/csv"/>', "is of type 'text/csv'"),
        (
            '<ssd:SignalDictionary name="bus"><a/></ssd:SignalDictionary>',
            "holds 'a' where a SignalDictionary is wanted",
        ),
        (DEFINED.replace('size="3"', 'size="x"'), "entry 'wind' has a dimension of 'x'"),
        (
            DEFINED.replace('size="3"', 'size="100000000"'),
            "entry 'wind' has the size 100000000; up to 1,000,000 elements",
        ),
    ],
)
def test_dictionaries_that_are_none_are_refused(read, dictionary, words):
    with pytest.raises(FmuError) as caught:
        read(system(component("g", "gain", U, Y), dictionaries=dictionary))
    assert words in str(caught.value)
