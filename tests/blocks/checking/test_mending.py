"""Mends: those that are known are applied, to the text or the file, and nothing else in it changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from blocks.checking import check_file, check_text, fix_text
from blocks.errors import ScenarioError

TEXT = """\
keelblocks: 1
name: small
diagram:
  blocks:
    wanted: {type: basic.Constant}
    turn: {type: basic.Integrator}
  connections: {wanted.y: turn.u}
run: {end: 10}
"""
TURN = "    turn: {type: basic.Integrator}\n"


def fixed(old: str, new: str, text: str = TEXT) -> str:
    assert text.count(old) == 1
    found = fix_text(text.replace(old, new))
    assert found.checked.problems == ()
    return found.checked.text.partition("  blocks:\n")[2]


@pytest.mark.parametrize(
    ("wrong", "right"),
    [
        (
            "    turn: {type: basic.Integrator, initial_x: 2}\n",
            "    turn: {type: basic.Integrator, parameters: {initial_x: 2}}\n",
        ),
        (
            "    turn: {initial_x: 2, type: basic.Integrator, parameters: {}}\n",
            "    turn: {type: basic.Integrator, parameters: {initial_x: 2}}\n",
        ),
        (
            "    turn:\n      type: basic.Saturation  # both\n      upper: 2 deg  # new\n      lower: -1\n",
            "    turn:\n      type: basic.Saturation  # both\n      parameters: {upper: 2 deg, lower: -1}  # new\n",
        ),
        (
            "    turn:\n      type: basic.Saturation\n      parameters:\n        upper: 2   # m\n\n      lower: -1\n",
            "    turn:\n      type: basic.Saturation\n      parameters:\n        upper: 2   # m\n        lower: -1\n\n",
        ),
        ('    turn: {"type": "basic.Integratr"}\n', '    turn: {"type": "basic.Integrator"}\n'),
    ],
)
def test_parameters_beside_parameters_move_there_and_quotes_stay(wrong: str, right: str) -> None:
    assert right in fixed(TURN, wrong)


def test_a_number_where_text_is_wanted_gets_quotes() -> None:
    found = fix_text(TEXT.replace("name: small", "name: small\ntitle: 12  # of 20"))
    assert found.checked.text == TEXT.replace("name: small", 'name: small\ntitle: "12"  # of 20')


def test_a_file_keeps_its_line_ends_and_its_byte_order_mark(tmp_path: Path) -> None:
    file = tmp_path / "small.yaml"
    text = TEXT.replace("Constant", "Constnt")
    file.write_bytes(b"\xef\xbb\xbf" + text.replace("\n", "\r\n").encode())
    (problem,) = check_file(file).problems
    assert (problem.line, problem.column, problem.end_column) == (5, 20, 33)
    problem.fix()
    good = text.replace("Constnt", "Constant")
    assert file.read_bytes() == b"\xef\xbb\xbf" + good.replace("\n", "\r\n").encode()
    with pytest.raises(ScenarioError, match="the text has changed there since; check it again"):
        problem.fix()


def test_what_has_no_mend_says_so() -> None:
    (problem,) = check_text(TEXT.replace("turn.u", "[turn.u, turn.u]")).problems
    with pytest.raises(ScenarioError, match=r"already connected.*: there is no mend for it that is known"):
        problem.fix(TEXT)


def test_two_names_that_are_as_near_as_each_other_are_no_mend() -> None:
    """`sto` could be stop or step; a swap of two letters could be one only."""
    problems = check_text(TEXT.replace("run: {", "run: {stp: 1, ")).problems
    assert [problem.replacements for problem in problems if problem.code == "unknown-key"] == [None]
    problems = check_text(TEXT.replace("run: {", "run: {stpe: 1, ")).problems
    assert [problem.title for problem in problems if problem.code == "unknown-key"] == ["write 'step'"]
