"""The range of a slider where none was asked for: it has the value, and is within what the block allows."""

from __future__ import annotations

import math

import numpy as np
import pytest
from page_parts import in_node


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    """The range about a value that a page takes for a parameter."""
    call = in_node(
        tmp_path_factory.mktemp("range"),
        "controls/range.ts",
        "({ sliderOf }) => (all) => all.map(({ vary, now, ...parameter }) =>\n"
        "  sliderOf({ parameters: [parameter] }, { parameter: 0, element: 0, ...vary }, now))",
    )

    def ranges(*given: dict) -> list[tuple[float, float]]:
        filled = [{"kind": "number", "units": [["m", 1.0]], "vary": {}} | one for one in given]
        return [(one["low"], one["high"]) for one in call(filled)]

    return ranges


def test_from_nothing_to_twice_as_much(usual):
    assert usual({"now": 3.0}, {"now": -3.0}, {"now": 0.0}) == [(0.0, 6.0), (-6.0, 0.0), (-1.0, 1.0)]


def test_angles_go_half_a_turn_each_way(usual):
    degrees = {"units": [["deg", 180.0 / math.pi]], "now": 0.3}
    assert usual(degrees, degrees | {"most": 0.5}) == [(-math.pi, math.pi), (0.0, 0.5)]


def test_whole_numbers_have_whole_ends(usual):
    assert usual({"kind": "integer", "now": 3}, {"kind": "integer", "now": 0, "least": 0}) == [(0, 6), (0, 1)]


def test_what_was_asked_for_holds_and_the_values_of_members_are_there(usual):
    assert usual({"now": 3.0, "vary": {"low": 2.5, "high": 2.75}}, {"now": 3.0, "vary": {"among": [-1.0, 4.0]}}) == [
        (2.5, 2.75), (-1.0, 6.0)
    ]  # fmt: skip


def test_a_range_has_its_value_within_the_limits(usual):
    random = np.random.default_rng(7)
    cases = []
    for _ in range(300):
        low, now, high = np.sort(random.normal(scale=10.0 ** random.uniform(-3, 3), size=3))
        under, over = random.choice(["above", "least", ""]), random.choice(["below", "most", ""])
        cases.append({"now": now} | ({under: low} if under else {}) | ({over: high} if over else {}))
    for case, (low, high) in zip(cases, usual(*cases), strict=True):
        assert low < high, case
        assert case.get("least", -math.inf) <= low, case
        assert high <= case.get("most", math.inf), case
        assert case.get("above", -math.inf) < low, case
        assert high < case.get("below", math.inf), case
        assert low <= case["now"] <= high, case
