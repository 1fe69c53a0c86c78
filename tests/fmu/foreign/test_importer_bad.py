"""FMUs that cannot be used: each with a message that names the file and the reason, never a crash."""

from __future__ import annotations

import re
from pathlib import Path
from random import Random

import fmpy
import pytest
from foreign_fmus import binary, binary_path, build, description, write

from blocks import Diagram, RunStopped, simulate
from blocks.errors import FmuError, KeelblocksError
from blocks.plan import make_plan
from fmu import FmuBlock


def changed(folder: Path, old: str, new: str, model: str = "tank") -> Path:
    return build(model, folder, name="bad", replace={old: new})


BOMB = '<!ENTITY a0 "zeros">' + "".join(f'<!ENTITY a{i + 1} "&a{i};&a{i};">' for i in range(29))
"""Entities that expand to gigabytes."""


@pytest.mark.parametrize(
    ("xml", "said"),
    [
        ("", "is broken: no element found"),
        ("<fmiModelDescription", "is broken: unclosed token"),
        ('<?xml version="1.0" encoding="klingon"?><a/>', "is broken: unknown encoding"),
        ("<a/>", "describes no FMU: the root element is <a>"),
        ('<fmiModelDescription fmiVersion="1.5"/>', "is of FMI 1.5; FMI 1.0, 2.0 and 3.0 can be used"),
        ('<fmiModelDescription fmiVersion="1.0"/>', "The attribute 'modelName' is required but missing"),
        ('<fmiModelDescription fmiVersion="2.0"/>', "The attribute 'modelName' is required but missing"),
        (
            f'<!DOCTYPE x [{BOMB}]><fmiModelDescription fmiVersion="2.0" modelName="&a29;"/>',
            "has a document type declaration",
        ),
        ('<!DOCTYPE x SYSTEM "file:///etc/passwd"><fmiModelDescription fmiVersion="2.0"/>', "has a document type"),
        ("\0\1\2", "is broken: not well-formed"),
    ],
)
def test_broken_descriptions(tmp_path: Path, xml: str, said: str) -> None:
    path = write(tmp_path / "bad.fmu", {"modelDescription.xml": xml.encode()})
    with pytest.raises(FmuError, match=re.escape(said)) as caught:
        FmuBlock(path)
    assert str(path) in str(caught.value)


def test_no_description(tmp_path: Path) -> None:
    path = write(tmp_path / "bad.fmu", {"resources/a.txt": b"a"})
    with pytest.raises(FmuError, match=r"bad.fmu: there is no modelDescription.xml in it, so it is no FMU"):
        FmuBlock(path)


@pytest.mark.filterwarnings("ignore::fmu.FmuWarning")
def test_no_interface(tmp_path: Path) -> None:
    text = description("ball")
    own = text[text.index("  <ModelExchange") : text.index("  <UnitDefinitions")]
    with pytest.raises(
        FmuError, match=r"bad.fmu: its .* offers no interface, neither Co-Simulation nor Model Exchange"
    ):
        FmuBlock(changed(tmp_path, own, "", "ball"))
    with pytest.raises(FmuError, match=r"bad.fmu offers Scheduled Execution only"):
        FmuBlock(changed(tmp_path, "<ModelExchange", "<ScheduledExecution", "pendulum"))


@pytest.mark.filterwarnings("ignore::fmu.FmuWarning")
@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('valueReference="3"', 'valueReference="x"', "cannot be used: .*valueReference"),
        ('index="4" dependencies="2 3"', 'index="400" dependencies="2 3"', "cannot be used: .*IndexError"),
        ('declaredType="Mode"', 'declaredType="Mood"', 'cannot be used: .*declaredType="Mood"'),
        (
            'causality="parameter" variability="tunable"',
            'causality="parameter" variability="discrete"',
            "illegal combination",
        ),
    ],
)
def test_descriptions_that_make_no_sense(tmp_path: Path, old: str, new: str, said: str) -> None:
    with pytest.raises(FmuError, match=said) as caught:
        FmuBlock(changed(tmp_path, old, new))
    assert "bad.fmu: its modelDescription.xml" in str(caught.value)


@pytest.mark.filterwarnings("ignore::fmu.FmuWarning")
@pytest.mark.parametrize("model", ["tank", "mixer", "pendulum", "winch_fmi1"])
def test_nonsense_in_any_attribute_is_a_message_or_does_no_harm(tmp_path: Path, model: str) -> None:
    text, random = description(model), Random(model)
    refused = 0
    for number in range(60):
        attribute = random.choice(list(re.finditer(r'\w+="([^"]*)"', text)))
        nonsense = random.choice(["", "-1", "x", "1e999", "9" * 20, "input", "Integer", "2 3 4"])
        changed_text = text[: attribute.start(1)] + nonsense + text[attribute.end(1) :]
        files = {"modelDescription.xml": changed_text.encode(), binary_path(model): b""}
        path = write(tmp_path / f"{number}.fmu", files)
        try:
            make_plan(FmuBlock(path, 0.05))
        except KeelblocksError:
            refused += 1
    assert 10 < refused < 55


def test_no_binary_for_this_platform(tmp_path: Path) -> None:
    files = {"modelDescription.xml": description("tank").encode()}
    path = write(tmp_path / "bad.fmu", files)
    with pytest.raises(
        FmuError,
        match=rf"bad.fmu has no binary for this platform \({fmpy.platform}\): it has none at all; it has to be",
    ):
        FmuBlock(path)
    others = {"binaries/win32/tank.dll": b"", "binaries/amiga/tank.library": b"", "sources/tank.c": b""}
    path = write(tmp_path / "other.fmu", files | others)
    with pytest.raises(
        FmuError, match=r"it has binaries for amiga, win32; it brings its source code: fmpy compile .*other.fmu"
    ):
        FmuBlock(path)
    assert list(FmuBlock.of(path).declared_outputs), "but it can be looked at"
    path = write(tmp_path / "named.fmu", files | {binary_path("tank").replace("tank", "tnak"): b""})
    with pytest.raises(FmuError, match=r"there is no binaries/.*/tank\..* in it; did you mean 'tnak\."):
        FmuBlock(path)


def stopped(path: Path, **options: object) -> str:
    with pytest.raises(RunStopped) as caught:
        simulate(FmuBlock(path, **options), 1.0, step=0.1)
    assert len(caught.value.result) == 0
    return str(caught.value)


def test_a_binary_that_is_none(tmp_path: Path) -> None:
    files = {"modelDescription.xml": description("tank").encode()}
    for content in (b"", b"\x7fELF", b"MZ" * 1000, binary("tank")[:2000]):
        path = write(tmp_path / f"bad{len(content)}.fmu", files | {binary_path("tank"): content})
        assert f"{path}: its binary cannot be loaded: " in stopped(path)


def test_a_binary_of_another_kind(tmp_path: Path) -> None:
    """Any other library: a binary without FMI's functions."""
    if fmpy.platform == fmpy.platform_tuple:
        pytest.skip("one name for both versions")
    files = {"modelDescription.xml": description("tank").encode(), binary_path("tank"): binary("mixer")}
    assert "its binary lacks a function that FMI wants" in stopped(write(tmp_path / "bad.fmu", files))


@pytest.mark.parametrize("isolate", [False, True])
def test_a_guid_that_is_not_the_binary_s(tmp_path: Path, isolate: bool) -> None:
    message = stopped(changed(tmp_path, 'guid="{tank}"', 'guid="{barrel}"'), isolate=isolate)
    assert re.search(r"heated_tank stopped the run at t = 0 s: .*bad.fmu cannot be instantiated; it says: error: "
                     r"the GUID is {tank}, and {barrel} was given", message)  # fmt: skip
    message = stopped(changed(tmp_path, 'Token="{mixer}"', 'Token="{}"', "mixer"))
    assert "bad.fmu cannot be instantiated; it says: error: the instantiation token is another one" in message


def test_a_function_that_fails_while_it_is_initialized(tmp_path: Path) -> None:
    """An array that is longer in the description than in the binary."""
    path = changed(tmp_path, '<Dimension start="2"/><Dimension', '<Dimension start="3"/><Dimension', "mixer")
    block = FmuBlock(path, parameters={"A": [[1.0] * 3] * 3})
    with pytest.raises(
        RunStopped, match=r"bad.fmu: setting A to \[1.0, 1.0, .*\] failed with an error \(fmi3SetFloat64\)"
    ):
        simulate(block, 1.0, step=0.1)
    with pytest.raises(RunStopped, match=r"bad.fmu: setting A"):
        simulate(FmuBlock(path, parameters={"A": [[1.0] * 3] * 3}, isolate=True), 1.0, step=0.1)


def test_sizes_that_cannot_be(tmp_path: Path) -> None:
    with pytest.raises(FmuError, match=r"bad.fmu: its variable y has the size 99999999999; up to 1,000,000 elements"):
        FmuBlock(
            changed(tmp_path, '<Dimension start="2"/></Float64>', '<Dimension start="99999999999"/></Float64>', "mixer")
        )
    with pytest.raises(FmuError, match=r"bad.fmu: its variable u has the size 10000000; up to"):
        FmuBlock(changed(tmp_path, "Mixes", "Mixes", "mixer"), parameters={"n": 10_000_000})


def test_the_working_directory_stays_where_it_is(tmp_path: Path) -> None:
    here = Path.cwd()
    files = {"modelDescription.xml": description("tank").encode(), binary_path("tank"): b"none"}
    stopped(write(tmp_path / "bad.fmu", files))
    simulate(FmuBlock(build("tank", tmp_path)), 0.2, step=0.1)
    assert Path.cwd() == here


def test_variables_that_no_port_can_carry(tmp_path: Path) -> None:
    def text(name: str, causality: str, content: str) -> str:
        what = f'name="{name}" valueReference="0" causality="{causality}" variability="discrete"'
        return f"<ScalarVariable {what}>{content}</ScalarVariable>"

    texts = text("title", "output", "<String/>") + text("name", "input", '<String start="x"/>')
    unknown = '<Unknown index="17" dependencies=""/>'
    path = build("tank", tmp_path, replace={
        "</ModelVariables>": f"{texts}</ModelVariables>", "</Outputs>": f"{unknown}</Outputs>",
        "</InitialUnknowns>": f"{unknown}</InitialUnknowns>",
    })  # fmt: skip
    block = FmuBlock(path, parameters={"name": "y"})
    assert block.face.left_out == ["String output title"]
    assert "Without a port, because ports carry numbers: String output title." in (type(block).__doc__ or "")
    assert block.fmu_name == "y", "a text that goes in is a parameter"
    assert Diagram().add("tank", block).name == "tank", "which does not take the block's own name"
