"""Anchor plans in words: what is read, what is refused, and what is improbable."""

import re
from typing import Any

import pytest

from blocks.checking import check_text
from blocks.environment import Mooring, MooringDynamics
from blocks.errors import ParameterError

LINE: dict[str, Any] = {
    "anchor": [120, 90, 50], "fairlead": [20, 5, 0], "length": "160 m", "mass": "100 kg/m", "diameter": "12 cm",
    "stiffness": "400 MN", "friction": 0.5,
}  # fmt: skip
ENDS = {"anchor": [9, 9, 9], "fairlead": [0, 0, 0]}
BARE: dict[str, Any] = {"length": 9.0, "axial_stiffness": 1e8, "weight": 9.0}


def test_lines_in_words_are_the_parameters() -> None:
    words = Mooring(lines=[LINE, LINE | {"length": 170.0}], depth=50.0)
    assert words.lines.tolist() == [[120, 90, 50, 20, 5, 0]] * 2
    assert words.length.tolist() == [160, 170]
    assert words.axial_stiffness.tolist() == [4e8, 4e8]
    eta = [0.0] * 6
    by_weight = Mooring(lines=words.lines, length=words.length, axial_stiffness=4e8, depth=50.0, seabed_friction=0.5,
                        weight=9.81 * (100.0 - 1025.0 * 0.12**2 * 3.14159265358979 / 4.0))  # fmt: skip
    assert by_weight.evaluate(eta=eta).outputs["tension"] == pytest.approx(words.evaluate(eta=eta).outputs["tension"])


@pytest.mark.parametrize(
    ("block", "changes", "message"),
    [
        (Mooring, {"lines": [{"fairlead": [1, 0, 0]}]}, r"lines\[0\].anchor is missing: where it is held"),
        (Mooring, {"lines": [LINE | {"EA": 1e8}]}, r"unknown key 'EA'.*here that is 'stiffness'"),
        (Mooring, {"lines": [LINE | {"lenght": 2.0}]}, r"unknown key 'lenght'.*length"),
        (Mooring, {"lines": [LINE | {"anchor": [1, 2]}]}, r"lines\[0\].anchor must be an array of 3 in m"),
        (Mooring, {"lines": [ENDS, 3.0]} | BARE, r"lines\[1\] must be a line, such as"),
        (Mooring, {"lines": 3.0} | BARE, r"lines must be a list of lines.* not the single number 3"),
        (Mooring, {"lines": LINE}, r"must be a list of lines, such as .* not a single one"),
        (Mooring, {"lines": [LINE | {"length": "0 m"}]}, r"lines\[0\].length must be > 0 m, not 0"),
        (Mooring, {"depth": 40.0}, r"lines\[0\]: its anchor is 50 m down, below the floor at a depth of 40 m"),
        (Mooring, {"mass_per_length": 0.0}, r"lines\[0\] has no weight: give `weight` in water"),
        (MooringDynamics, {"diameter": 0.0}, r"lines\[0\] has no `diameter`, m, which lines with inertia"),
        (MooringDynamics, {"segments": 1}, r"segments must be ≥ 2 and ≤ 1000, not 1"),
    ],
)  # fmt: skip
def test_bad_plans_are_refused(block: type[Mooring], changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        block(**({"lines": [LINE], "depth": 50.0} | changes))


@pytest.mark.parametrize(
    ("changes", "code", "message"),
    [
        ({"depth": 60.0}, "anchor-above-seabed", "line 0 is 10 m above the floor"),
        ({}, "no-seabed", "depth is not given"),
        (
            {"depth": 50.0, "length": 120.0},
            "line-too-short",
            r"line 0 is 120 m long, and its ends are 140.* which stretches it by 17",
        ),
    ],
)
def test_improbable_plans_are_told(changes: dict[str, Any], code: str, message: str) -> None:
    (found,) = Mooring(**({"lines": [LINE]} | changes)).improbable()
    assert found.code == code
    assert re.search(message, found.message)


def test_lumped_masses_want_the_velocity_of_the_vessel() -> None:
    """Without it the last segment would be damped as if the vessel stood still."""
    text = """\
keelblocks: 1
name: moored
diagram:
  blocks:
    still: {type: basic.Constant, parameters: {value: [0, 0, 0, 0, 0, 0]}}
    mooring:
      type: environment.KIND
      parameters:
        {lines: [[100, 0, 50, 0, 0, 0]], length: 120, depth: 50, mass_per_length: 20, diameter: 0.05,
         axial_stiffness: 1e7}
  connections: {still.y: mooring.eta}
run: {end: 1, step: 0.001}
"""
    for kind, told in (("Mooring", []), ("MooringDynamics", ["open-input"])):
        assert [one.code for one in check_text(text.replace("KIND", kind)).problems] == told


def test_a_usual_plan_is_not_improbable() -> None:
    assert not list(Mooring(lines=[LINE], depth=50.0).improbable())
    tow = {"lines": [[-10.0, 0.0, -1.0, 10.0, 0.0, -1.0]], "length": 100.0, "weight": 20.0, "axial_stiffness": 1e7}
    assert not list(Mooring(**tow).improbable())
