"""Whoever writes the names of another tool is told what they are here."""

from __future__ import annotations

import runpy
from pathlib import Path

import pytest

from blocks import elsewhere, simulate
from blocks.basic import Clock
from blocks.block import library
from blocks.checking import check_text
from blocks.errors import SimulationError
from blocks.plan.settings import SOLVERS

ROOT = Path(__file__).resolve().parents[2]
TEXT = """\
keelblocks: 1
name: helm
diagram:
  blocks:
    clock: {type: basic.Clock}
run: {solver: rk4, end: 1}
"""


def test_all_that_is_named_exists() -> None:
    blocks = {name for row in elsewhere.BLOCKS for name in row.ours}
    assert blocks <= library().keys() | {"fmu.FmuBlock"}
    assert {name for row in elsewhere.SOLVERS for name in row.ours} <= set(SOLVERS)


def test_solvers_of_other_tools_are_known() -> None:
    with pytest.raises(SimulationError) as caught:
        simulate(Clock(), end=1.0, solver="ode45")
    assert str(caught.value) == (
        "no solver 'ode45'; Simulink's ode45 is dopri5 here; the same pair of formulas, Dormand-Prince 5(4), with "
        "other tolerances by default"
    )
    (problem,) = check_text(TEXT.replace("rk4", "CVODE"), "helm.yaml").problems
    assert (problem.code, problem.line, problem.near) == ("unknown-solver", 6, ("BDF",))
    assert problem.hint.startswith("Modelica's cvode is BDF here")


@pytest.mark.parametrize(
    ("theirs", "hint"),
    [
        ("Transport Delay", "Simulink's Transport Delay is basic.Delay here; it counts samples"),
        ("basic.TransferFcn", "Simulink's Transfer Fcn is basic.TransferFunction here"),
        ("ILOSpsi", "MSS's ILOSpsi is guidance.IntegralLineOfSight here"),
        ("Goto", "Simulink's Goto has no counterpart here: wires"),
        ("Saturation", "did you mean 'basic.Saturation'?"),
        ("basic.PID", "did you mean 'control.PID'?"),
        ("basic.TransferFuncton", "did you mean 'basic.TransferFunction'"),
    ],
)
def test_blocks_of_other_tools_are_known(theirs: str, hint: str) -> None:
    problems = check_text(TEXT.replace("basic.Clock", theirs), "helm.yaml").problems
    (problem,) = (problem for problem in problems if problem.code == "unknown-type")
    assert problem.hint.startswith(hint)


def test_the_pages_have_these_facts() -> None:
    """`python docs/coming_from.py` writes them."""
    written = runpy.run_path(str(ROOT / "docs" / "coming_from.py"))
    assert [path.name for path, text in written["pages"]().items() if path.read_text(encoding="utf-8") != text] == []
