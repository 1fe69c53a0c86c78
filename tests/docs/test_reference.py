"""The block reference has every block in full, and docstrings become the reStructuredText that is meant."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import pytest

from blocks import lab
from blocks.block import library
from blocks.model.describe import describe_block
from blocks.vehicles.vehicle import list_vehicles

DOCS = Path(__file__).resolve().parents[2] / "docs"


@pytest.fixture(scope="module")
def reference() -> dict[str, Any]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(DOCS))
        return runpy.run_path(str(DOCS / "reference.py"))


@pytest.fixture(scope="module")
def pages(reference: dict[str, Any]) -> dict[str, str]:
    made: dict[str, str] = reference["pages"]()
    return made


@pytest.fixture
def docstrings() -> dict[str, Any]:
    return runpy.run_path(str(DOCS / "docstrings.py"))


@pytest.fixture
def to_rst(docstrings: dict[str, Any]) -> Any:
    return docstrings["to_rst"]


@pytest.fixture
def mathml(docstrings: dict[str, Any]) -> Any:
    return docstrings["mathml"]


def test_every_block_is_there_with_its_ports_and_parameters(pages: dict[str, str]) -> None:
    own = {name: cls for name, cls in library().items() if cls.__module__.split(".")[0] == "blocks"}
    for name, cls in own.items():
        page = pages[f"{cls.family}.rst"]
        assert f"\n{name}\n{'-' * len(name)}\n" in page
        section = page.partition(f".. py:class:: {cls.__module__}.{cls.__name__}\n")[2].partition(".. py:class::")[0]
        described = describe_block(cls)
        for item in (*described["inputs"], *described["outputs"], *described["parameters"]):
            assert f"* - ``{item['name']}``" in section, f"{name}.{item['name']}"


def test_every_vehicle_is_there_with_its_sources(pages: dict[str, str]) -> None:
    for vehicle in list_vehicles():
        assert f"\n{vehicle}: " in pages["vehicles.rst"]
    assert "Mo (2015)" in pages["vehicles.rst"]


def test_everything_of_the_lab_is_there(pages: dict[str, str]) -> None:
    for name in lab.__all__:
        assert f":: blocks.lab.{name}\n" in pages["lab.rst"]


def test_pages_of_blocks_that_are_gone_are_removed(reference: dict[str, Any], tmp_path: Path) -> None:
    (tmp_path / "gone.rst").write_text("Gone\n====\n", encoding="utf-8")
    reference["write"](tmp_path)
    assert not (tmp_path / "gone.rst").exists()
    assert (tmp_path / "guidance.rst").exists()


def test_prose_is_joined_and_equations_keep_their_lines(to_rst: Any) -> None:
    wrapped = " ".join(["word"] * 23)  # 114 columns: there was no room for the next word
    assert to_rst(f"{wrapped}\nthe compass.") == [f"{wrapped} the compass.", ""]
    assert to_rst("one, two\nthree") == ["| one, two", "| three", ""]
    above, below = (line for line in to_rst("a = b\nc = d/e") if "<math" in line)
    assert "<mi>b</mi>" in above
    assert "<mfrac><mrow><mi>d</mi></mrow><mrow><mi>e</mi></mrow></mfrac>" in below
    (row,) = (line for line in to_rst("Drag: f = d u    linear") if "<tr>" in line)
    assert row.startswith("   <tr><td>Drag</td><td><math")
    assert row.endswith("</math></td><td>linear</td></tr>")
    assert to_rst("A gain: y = K u.")[0].startswith(r"A gain: \ :mathml:`<math")


def test_equations_say_the_same_typeset(mathml: Any) -> None:
    """What is above, below, over and under is what precedence and brackets of the text say."""
    assert "<msubsup><mi>H</mi><mrow><mi>s</mi></mrow><mrow><mn>2</mn></mrow></msubsup>" in mathml("H_s²")
    assert "<mfrac><mrow><mi>x</mi></mrow><mrow><mn>2</mn><mi>R</mi></mrow></mfrac>" in mathml("x/(2R) y")
    assert mathml("a/2 + b").count("<mfrac>") == 1
    assert "<mfrac>" not in mathml("e^{-T/τ}")
    assert "<mfrac><mrow><mrow><mi>sinh</mi>" in mathml("sinh kh/k")
    assert mathml("[a, b; c, d]").count("<mtd>") == 4
    assert '<mover accent="true"><mi>ν</mi><mo>˙</mo></mover>' in mathml("M ν̇ = τ")
    assert "<mtext>held</mtext>" in mathml("y = u held")
    for wrong in ("a = (b", "a = b)", "a_ = b", "a = b/(", "a = b # c", "x̊ = a"):
        with pytest.raises(ValueError, match=re.escape(wrong[0])):
            mathml(wrong)


def test_every_equation_of_a_block_can_be_typeset(docstrings: dict[str, Any]) -> None:
    """A line that is one and stays as text has a sign that docs/mathml.py does not know, or a bracket too few."""
    tried = []
    known = docstrings["typeset"].__globals__
    plain, known["typeset"] = docstrings["typeset"], lambda line: tried.append(line) or plain(line)
    for cls in library().values():
        if cls.__module__.split(".")[0] == "blocks":
            docstrings["to_rst"](cls.__doc__ or "")
    equations = [line for line in tried if known["is_equation"](line)]
    assert len(equations) > 200
    assert [line for line in equations if not plain(line)] == []


def test_what_is_no_markup_is_not_taken_for_any(to_rst: Any) -> None:
    assert to_rst("f |n| n, a*b, see_also")[0] == r"f \|n\| n, a\*b, see\_also"
    assert to_rst("`speed_limit` holds")[0] == r"``speed_limit``\  holds"
    assert to_rst("**Legs.** One")[0] == r"**Legs.**\  One"


def test_subscripts_are_those_of_single_letters(to_rst: Any) -> None:
    assert to_rst("K_T(J)")[0] == r"K\ :sub:`T`\ (J)"
    assert to_rst("z_{k+1} and v_a,i too")[0] == r"z\ :sub:`k+1`\  and v\ :sub:`a,i`\  too"
    assert ":sub:" not in to_rst("anti_windup, nu_r")[0]


def test_arguments_become_a_list(to_rst: Any) -> None:
    given = "step, solver: how it is integrated,\n    as for `simulate`\nname: of the model"
    assert to_rst(given) == [
        r"- ``step``, ``solver``: how it is integrated, as for \ ``simulate``",
        "- ``name``: of the model",
        "",
    ]
