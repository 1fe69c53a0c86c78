"""The block reference has every block in full, and docstrings become the reStructuredText that is meant."""

from __future__ import annotations

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


@pytest.fixture(scope="module")
def to_rst() -> Any:
    return runpy.run_path(str(DOCS / "docstrings.py"))["to_rst"]


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
    assert to_rst("a = b\nc = d") == ["| a = b", "| c = d", ""]
    assert to_rst("x:  a    b\ny:  c    d")[:2] == [".. code-block:: text", "   :class: aligned"]


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
