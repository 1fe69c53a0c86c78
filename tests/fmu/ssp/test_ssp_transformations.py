"""What happens to values on connections: units, linear transformations, tables."""

from __future__ import annotations

import zipfile

import pytest
from foreign_fmus import build
from handwritten_ssp import U, Y, component, connect, real, system, write_ssp

import fmu
from blocks import simulate
from blocks.errors import FmuError
from fmu.foreign.units import Conversion
from fmu.ssp.changes import Linear, Table, joined
from fmu.ssp.interface import Element, Variable
from fmu.ssp.parts import Link
from fmu.ssp.read.transformation import End, Stage, Transformation, on_the_way

KELVIN, CELSIUS = End(Conversion("K")), End(Conversion("K", 1.0, 273.15))


def applied(change, value):
    for step in change:
        value = step(value)
    return value


def test_the_way_back_leads_back():
    """With the sign of the offset."""
    there = Linear(4.0, -3.0)
    assert there.inverse() == Linear(0.25, 0.75)
    assert there.inverse()(there(5.0)) == 5.0
    assert there.then(there.inverse()) == Linear()
    assert there.then(Linear(2.0, 1.0))(5.0) == 2.0 * (4.0 * 5.0 - 3.0) + 1.0


def test_offsets_of_units_are_taken_off_before_and_added_after():
    """A raw 20 (degC) is 20 K where units are not converted; a factor of 2 in degC doubles the number in degC."""
    raw = on_the_way((Stage(convert_units=False),), CELSIUS, KELVIN, "here")
    assert applied(raw, 293.15) == pytest.approx(20.0)
    back = on_the_way((Stage(convert_units=False),), KELVIN, CELSIUS, "here")
    assert applied(back, 20.0) == pytest.approx(293.15)
    double = Transformation(Linear(2.0))
    assert applied(on_the_way((Stage(double),), KELVIN, CELSIUS, "here"), 293.15) == pytest.approx(313.15)
    assert on_the_way((Stage(),), KELVIN, CELSIUS, "here") == ()


def test_units_of_an_output_and_an_input_make_one_factor_and_offset():
    """From °C to °F: 1.8 T + 32, with a change on the way or without."""
    fahrenheit = 5.0 / 9.0
    celsius = Element(Variable("warm", "output", "continuous", "Real", "degC", scale=1.0, offset=273.15), ())
    other = Element(
        Variable("u", "input", "continuous", "Real", "degF", scale=fahrenheit, offset=459.67 * fahrenheit), ()
    )
    assert Link(None, celsius, None, other).change == pytest.approx((1.8, 32.0))
    assert Link(None, other, None, celsius).change == pytest.approx((1.0 / 1.8, -32.0 / 1.8))
    doubled = Link(None, celsius, None, other, (Linear(2.0),)).change
    assert doubled == pytest.approx((3.6, 2.0 * 273.15 * 1.8 - 459.67))


def test_every_stage_is_in_its_own_unit():
    stages = (Stage(Transformation(Linear(1.0, 1.0)), into=Conversion("m", 1000.0)), Stage(Transformation(Linear(2.0))))
    change = on_the_way(stages, End(Conversion("m")), End(Conversion("m", 0.001)), "here")
    assert len(change) == 1
    assert applied(change, 3000.0) == pytest.approx(2 * (3.0 + 1.0) * 1000.0)


def test_steps_are_joined_where_they_can_be():
    table = Table(((1.0, 4.0),))
    assert joined(Linear(2.0), Linear(0.5), table, Linear()) == (table,)
    assert joined(Linear(2.0), table, Linear(2.0), Linear(1.0, 1.0)) == (Linear(2.0), table, Linear(2.0, 1.0))
    assert (table(1.0), table(2.0)) == (4.0, 2.0)


ENUMERATIONS = (
    '<ssd:Enumerations><ssc:Enumeration name="Speed"><ssc:Item name="slow" value="2"/><ssc:Item name="high" value="3"/>'
    "</ssc:Enumeration></ssd:Enumerations>"
)


def entries(kind, *pairs):
    listed = "".join(f'<ssc:MapEntry source="{a}" target="{b}"/>' for a, b in pairs)
    return f"<ssc:{kind}MappingTransformation>{listed}</ssc:{kind}MappingTransformation>"


@pytest.mark.parametrize(
    ("kind", "given", "pairs", "values"),
    [
        ("Integer", "<ssc:Integer/>", [(1, 7), (2, 5), (100, 0)], {0: 0, 1: 7, 2: 5, 3: 3, 100: 0, 101: 101, -5: -5}),
        ("Boolean", "<ssc:Boolean/>", [("true", "false"), ("false", "1")], {0: 1, 1: 0}),
        ("Boolean", "<ssc:Boolean/>", [("true", "false")], {0: 0, 1: 0}),
    ],
)
def test_tables_on_connections(tmp_path, kind, given, pairs, values):
    ends = [("in", "input", given), ("out", "output", given)]
    text = system(component("g", "gain", U, Y), connect("in", "out", entries(kind, *pairs)), ends)
    diagram = fmu.read_ssp(write_ssp(tmp_path / "hand.ssp", text), communication_step=0.5)
    for value, expected in values.items():
        run = simulate(diagram, 0.5, step=0.5, inputs={"in": value}, record=["out"])
        assert run.values("out")[-1] == expected


def test_names_of_enumerations_on_connections(tmp_path):
    """Between enumerations with other numbers: those of the structure, and those of the FMU (low 1, high 4)."""
    level = ("level", "input", '<ssc:Enumeration name="Level"/>')

    def read(*pairs):
        speed = ("speed", "input", '<ssc:Enumeration name="Speed"/>')
        text = system(
            component("m", "mixer", level), connect("speed", "m.level", entries("Enumeration", *pairs)), [speed]
        )
        path = write_ssp(tmp_path / "hand.ssp", text, {"resources/mixer.fmu": build("mixer", tmp_path).read_bytes()})
        return fmu.read_ssp(repack(path, tmp_path), communication_step=0.05)

    diagram = read(("slow", "low"))
    (table,) = [block for name, block in diagram.blocks().items() if name.endswith("_table")]
    assert [table.table[list(table.breakpoints).index(number)] for number in (2.0, 3.0)] == [1.0, 4.0]
    with pytest.raises(
        FmuError, match=r"maps 'slow' to 'lo', which is no item of the sink's enumeration; did you mean"
    ):
        read(("slow", "lo"))


def repack(path, folder):
    """The package with enumerations in its structure."""
    target = folder / "enumerations.ssp"
    with zipfile.ZipFile(path) as source, zipfile.ZipFile(target, "w") as archive:
        for name in source.namelist():
            content = source.read(name)
            if name.endswith(".ssd"):
                content = content.replace(b"<ssd:Units>", ENUMERATIONS.encode() + b"<ssd:Units>")
            archive.writestr(name, content)
    return target


def test_units_of_a_system_are_those_of_what_it_is_connected_to(tmp_path):
    """A connector without a unit: a number that is not converted is still that of the FMU, in degC."""
    silent = system(
        component("t", "tank", real("supply.temperature", "input")), connect("x", "t.supply.temperature"),
        [real("x", "input")], name="inner",
    )  # fmt: skip
    silent = silent.replace('Element="t.supply" endConnector="', 'Element="t" endConnector="supply.')
    raw = ' suppressUnitConversion="true"'
    text = system(silent, connect("warm", "inner.x", extra=raw), [real("warm", "input", "km")])
    files = {"resources/tank.fmu": build("tank", tmp_path).read_bytes()}
    diagram = fmu.read_ssp(write_ssp(tmp_path / "hand.ssp", text, files), communication_step=0.5)
    run = simulate(diagram, 0.5, step=0.5, inputs={"warm": 3000.0}, record=["inner_x_sum.y"])
    assert run.values("inner_x_sum.y")[-1] == pytest.approx(3.0 + 273.15)
