"""Packages and structure descriptions as components of others."""

from __future__ import annotations

import itertools
import zipfile

import numpy as np
import pytest
from handwritten_ssp import HEAD, UNITS, U, Y, component, connect, inline, number, parts, real, system, write_ssp

import fmu
from blocks import simulate
from blocks.errors import FmuError, FmuWarning

PACKAGE, DEFINITION = "application/x-ssp-package", "application/x-ssp-definition"
IN, OUT = real("in", "input", "m"), real("out", "output", "m")
INNER = system(
    component("g", "gain", U, Y), connect("in", "g.u") + connect("g.y", "out"), [IN, OUT],
    inline(("g.gain[1]", number(3.0))), name="inner",
)  # fmt: skip


def referring(name, source, kind, bindings=""):
    listed = "".join(f'<ssd:Connector name="{n}" kind="{k}">{t}</ssd:Connector>' for n, k, t in (IN, OUT))
    bound = f"<ssd:ParameterBindings>{bindings}</ssd:ParameterBindings>" if bindings else ""
    return (
        f'<ssd:Component name="{name}" source="{source}" type="{kind}"><ssd:Connectors>{listed}</ssd:Connectors>{bound}'
        "</ssd:Component>"
    )


def document(text):
    return f"{HEAD}{text}<ssd:Units>{UNITS}</ssd:Units></ssd:SystemStructureDescription>"


def around(*components, extra=""):
    """A system that leads its input through components."""
    names = [text.split('name="')[1].split('"')[0] for text in components]
    wires = "".join(connect(f"{a}.out", f"{b}.in") for a, b in itertools.pairwise(names))
    return system("".join(components) + extra, connect("in", f"{names[0]}.in") + connect(f"{names[-1]}.out", "out")
                  + wires, [IN, OUT])  # fmt: skip


def out_of(diagram, value=1.0):
    return simulate(diagram, 0.5, step=0.5, inputs={"in": value}, record=["out"]).values("out")[-1]


@pytest.fixture
def sub(tmp_path):
    """A package in which the gain is another one, and a variant of it."""
    content = parts()["resources/gain.fmu"]
    path = write_ssp(
        tmp_path / "sub.ssp", INNER.replace("gain.fmu", "own.fmu"),
        {"resources/own.fmu": content, "Other.ssd": document(INNER.replace('value="3.0"', 'value="5.0"'))},
    )  # fmt: skip
    return path.read_bytes()


def test_packages_definitions_and_systems_of_the_same_file(tmp_path, sub):
    files = {"resources/sub.ssp": sub, "resources/inner.ssd": document(INNER)}
    bound = inline(("g.gain[1]", number(7.0)), ("nobody", number(1.0)))
    embedded = INNER.replace('name="inner"', 'id="embedded" name="e"').replace('value="3.0"', 'value="2.0"')
    text = around(
        referring("a", "resources/sub.ssp", PACKAGE), referring("b", "resources/sub.ssp#Other.ssd", PACKAGE),
        referring("c", "resources/sub.ssp", PACKAGE, bound), referring("d", "resources/inner.ssd", DEFINITION),
        referring("f", "#embedded", DEFINITION), extra=embedded,
    )  # fmt: skip
    path = write_ssp(tmp_path / "outer.ssp", text, files)
    diagram = fmu.read_ssp(path, communication_step=0.5, folder=tmp_path / "fmus")
    assert [diagram[f"{name}.g"].gain for name in "abcdfe"] == [3.0, 5.0, 7.0, 3.0, 2.0, 2.0]
    assert out_of(diagram) == 3.0 * 5.0 * 7.0 * 3.0 * 2.0
    assert (tmp_path / "fmus/resources/sub.ssp/resources/own.fmu").is_file()
    folder = tmp_path / "folder"
    with zipfile.ZipFile(path) as archive:
        archive.extractall(folder)
    assert out_of(fmu.read_ssp(folder, communication_step=0.5)) == 630.0


def test_a_package_within_a_package_has_its_own_files_and_units(tmp_path, sub):
    """Also what is bound to it from outside, through two packages."""
    middle = around(referring("a", "resources/sub.ssp", PACKAGE, inline(("g.gain[1]", number(9.0)))))
    middle = write_ssp(tmp_path / "middle.ssp", middle, {"resources/sub.ssp": sub}).read_bytes()
    text = system(
        referring("m", "resources/middle.ssp", PACKAGE), connect("in", "m.in") + connect("m.out", "out"),
        [real("in", "input", "km"), OUT], inline(("m.a.g.gain[1]", number(4.0))),
    )  # fmt: skip
    diagram = fmu.read_ssp(write_ssp(tmp_path / "outer.ssp", text, {"resources/middle.ssp": middle}),
                           communication_step=0.5)  # fmt: skip
    assert diagram["m.a.g"].gain == 4.0
    assert out_of(diagram, 1000.0) == 4000.0


@pytest.mark.parametrize(
    ("source", "kind", "words"),
    [
        ("resources/none.ssp", PACKAGE, "component 'a' of system 'root' refers to 'resources/none.ssp', which is not"),
        ("resources/gain.fmu", PACKAGE, "resources/gain.fmu': there is no SystemStructure.ssd in it"),
        ("resources/text.ssp", PACKAGE, "outer.ssp/resources/text.ssp': it is not a zip file"),
        ("resources/sub.ssp#No.ssd", PACKAGE, "resources/sub.ssp': there is no No.ssd in it"),
        ("../sub.ssp", PACKAGE, "'../sub.ssp', which is outside of the package"),
        ("#nobody", DEFINITION, "refers to '#nobody', which is not the id of any system"),
        ("#root", DEFINITION, "refers to '#root', in which it lies itself"),
        ("resources/self.ssd", DEFINITION, "refers to 'resources/self.ssd', in which it lies itself"),
        ("resources/many0.ssd", DEFINITION, "its systems have more than 10,000 elements"),
        ("resources/deep0.ssd", DEFINITION, "systems of more than 20 files lie within each other"),
    ],
)
def test_what_cannot_be_opened_is_said(tmp_path, sub, source, kind, words):
    files = {"resources/sub.ssp": sub, "resources/text.ssp": b"no zip"}
    files["resources/self.ssd"] = document(around(referring("a", "resources/self.ssd", DEFINITION)))
    for i in range(30):
        files[f"resources/many{i}.ssd"] = document(
            system("".join(referring(f"a{k}", f"resources/many{i + 1}.ssd", DEFINITION) for k in range(20)))
            if i < 6 else system("")
        )  # fmt: skip
        files[f"resources/deep{i}.ssd"] = document(around(referring("a", f"resources/deep{i + 1}.ssd", DEFINITION)))
    text = around(referring("a", source, kind)).replace('name="root"', 'id="root" name="root"')
    with pytest.raises(FmuError) as caught:
        fmu.read_ssp(write_ssp(tmp_path / "outer.ssp", text, files), communication_step=0.5)
    assert words in str(caught.value)
    assert "outer.ssp" in str(caught.value)


def test_a_file_that_is_there_twice_is_said(tmp_path):
    path = write_ssp(tmp_path / "hand.ssp", system(component("g", "gain", U, Y)))
    other = document(system(component("h", "gain", U, Y)))
    with pytest.warns(UserWarning, match="Duplicate name"), zipfile.ZipFile(path, "a") as archive:
        archive.writestr("SystemStructure.ssd", other)
    with pytest.warns(FmuWarning, match=r"hand.ssp': it has a file SystemStructure.ssd more than once; the last one"):
        diagram = fmu.read_ssp(path, communication_step=0.5)
    assert list(diagram.components) == ["h"]
    assert np.isfinite(simulate(diagram, 0.5, step=0.5).values("h.y")).all()
