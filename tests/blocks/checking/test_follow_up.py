"""What follows from a fault is not told, and what is independent of it is."""

from __future__ import annotations

import pytest

from blocks.checking import check_text, fix_text

TEXT = """\
keelblocks: 1
name: helm
diagram:
  blocks:
    boat: {type: dynamics.DiagonalVessel3DOF, parameters: {inertia: [1, 1, 1]}}
    heading: {type: control.PID, parameters: {kp: 1, angle: true}}
    wrench: {type: control.ComposeWrench}
    a: {type: basic.Sum}
    b: {type: basic.Sum}
    one: {type: basic.Constant, parameters: {value: 1}}
  connections:
    boat.eta[psi]: heading.measurement
    one.y: [heading.reference, a.in1, b.in1, a.in2, b.in2]
    heading.output: wrench.N
    wrench.force: boat.force
run: {end: 10}
"""


@pytest.mark.parametrize(
    ("old", "new", "codes"),
    [
        ("wrench.force: boat.force", "wrench.force: boat.current", ["unit-mismatch"]),  # and boat.force is not loose
        ("wrench.force: boat.force", "wrench.force: boat.fx", ["unknown-port"]),
        ("a.in1, b.in1, a.in2, b.in2]", "a.in1, b.in1]\n    a.y: a.in2\n    b.y: b.in2", ["algebraic-loop"] * 2),
        ("type: control.ComposeWrench", "tipe: control.ComposeWrench", ["unknown-key"]),
        ("kp: 1, angle: true", "kp: 1, angel: true, filter_coefficient: 1 kg", ["unknown-parameter", "wrong-unit"]),
        ("    wrench:", "    wren ch:", ["bad-name", "unknown-block", "unknown-block"]),
    ],
)
def test_only_what_is_wrong_by_itself_is_told(old: str, new: str, codes: list[str]) -> None:
    assert TEXT.count(old) == 1
    assert sorted(problem.code for problem in check_text(TEXT.replace(old, new)).problems) == codes


def test_a_mend_after_which_no_less_is_wrong_is_not_taken() -> None:
    """`derivative: none` is nearest, and leaves a gain without effect."""
    text = TEXT.replace("kp: 1, angle: true", "kp: 1, kd: 2, angle: true, derivative: nne")
    fixed = fix_text(text)
    assert fixed.mended == ()
    assert fixed.checked.text == text
    assert [problem.title for problem in fixed.checked.problems] == ["write 'none'"]


def test_a_number_that_fills_a_vector_has_its_unit_in_every_element() -> None:
    text = TEXT.replace("wrench.force: boat.force", "angle.y: boat.force")
    text = text.replace("    one:", "    angle: {type: basic.Constant, parameters: {value: 2 deg}}\n    one:")
    assert [problem.code for problem in check_text(text).problems] == ["unit-lost"]
