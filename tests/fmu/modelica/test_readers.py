"""Readers of Modelica that we did not write take the packages: pymoca flattens, rumoca checks, `modelica` parses.

None of them knows external objects, so `class Plan extends ExternalObject` is taken out for two of them: pymoca 0.12
has no class of that name, rumoca 0.10 no values of that type. rumoca has no calls with several results in a `when`
either: it stops at that, after all names and types were found.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from pymoca import ast, parser, tree

from fmu.modelica.export import export_modelica

MODELS = ("System", "Plant", "Autopilot")


@pytest.fixture(scope="module")
def text(exported: Callable[..., Path]) -> str:
    """The package of the mission as one file."""
    return exported(file="MinervaLos.mo").read_text(encoding="utf-8")


def without_objects(text: str) -> str:
    """The same with whole numbers in the place of external objects."""
    text = re.sub(r"class Plan .*?end Plan;", "", text, flags=re.S)
    text = re.sub(r"Internal\.\w+\.Plan plan = .*?\);", "parameter Integer plan = 1;", text, flags=re.S)
    return text.replace("input Plan keelblocksPlan", "input Integer keelblocksPlan")


@pytest.mark.parametrize("model", MODELS)
def test_pymoca_flattens(text: str, model: str) -> None:
    found = parser.parse(text.replace("extends ExternalObject;", ""))
    assert found is not None
    name = f"MinervaLos.{model}"
    flat = tree.flatten(found, ast.ComponentRef.from_string(name)).classes[name]
    assert len(flat.symbols) > 40
    assert len(flat.equations) > 10


def _rumoca(text: str, model: str) -> str:
    rumoca = pytest.importorskip("rumoca")
    try:
        return str(rumoca.Session().loads(without_objects(text), model=model).summary())
    except rumoca.RumocaError as problem:
        return str(problem)


def test_rumoca_makes_a_system_of_equations(text: str) -> None:
    assert "4 states" in _rumoca(text, "MinervaLos.Plant")
    for model in ("System", "Autopilot"):
        assert "multi-output event calls" in _rumoca(text, f"MinervaLos.{model}")


@pytest.mark.parametrize(
    ("right", "wrong", "said"),
    [
        ("vessel_nu = Internal", "vessel_nuu = Internal", "unresolved component reference: 'vessel_nuu'"),
        ("Internal.Plant.rates(", "Internal.Plant.ratess(", "unresolved component reference"),
        ("Advance_speed.axial", "Advance_speed.axials", "unresolved component reference"),
        ("Internal.Plant.rates(plan,", "Internal.Plant.rates(plan, plan,", "positional argument"),
        ("RealInput command[5]", "RealInput command[4]", "axis 1 requires extent 5 but the call site proves 4"),
    ],
)
def test_rumoca_is_a_judge(text: str, right: str, wrong: str, said: str) -> None:
    assert right in text
    assert said in _rumoca(text.replace(right, wrong), "MinervaLos.Plant")


@pytest.mark.slow
def test_every_block_of_the_library(tmp_path: Path) -> None:
    """All parse; those that a tool integrates are systems of equations for rumoca."""
    rumoca = pytest.importorskip("rumoca")
    path = export_modelica({}, tmp_path / "All.mo", library=True)
    text = path.read_text(encoding="utf-8")
    assert parser.parse(text) is not None
    plain = without_objects(text)
    families = re.findall(r"^  package (\w+) \"Blocks\"\n(.*?)^  end \1;", plain, re.S | re.M)
    models = [f"All.{name}.{model}" for name, body in families for model in re.findall(r"^    model (\w+)", body, re.M)]
    assert len(models) > 100
    said = {model: _rumoca(plain, model) for model in models}
    fits = re.compile(r"multi-output event calls|^[\w.]+ — \d+ states?")
    assert {model: text for model, text in said.items() if not fits.search(text)} == {}
    assert [d for d in rumoca.validate_source(text) if d.level == "error"] == []


def test_modelica_of_pypi_parses(text: str) -> None:
    lang = pytest.importorskip("modelica.lang", reason="modelica of PyPI needs Python 3.12")
    assert lang.parse(text).classes
