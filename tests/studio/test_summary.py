"""The summary that a page computes says what that of `keelblocks run` says."""

from __future__ import annotations

import pytest

from blocks.report import summarise

NOT_IN_A_PAGE = ("computing time", "real-time factor")


LONG = [pytest.param(name, marks=pytest.mark.slow) for name in ("los", "survey", "short")]


@pytest.mark.parametrize("name", ["otter", "phases", "at_once", "nowhere", *LONG])
def test_the_same_words(opened, mission, name):
    scenario = mission(name)
    expected = {
        item.label: item.text
        for item in summarise(scenario.run(), scenario.diagram, scenario.report)
        if item.label and item.label not in NOT_IN_A_PAGE
    }
    lines = opened(name).page.locator("table.runs tbody tr")
    shown = {line.locator("th").inner_text(): line.locator("td").first.inner_text() for line in lines.all()}
    assert shown == expected
