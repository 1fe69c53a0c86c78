"""Runs that are kept beside the present one: named by what was changed, up to six, and forgotten."""

from __future__ import annotations

import pytest
from pages import expect

pytestmark = pytest.mark.slow

SPEED = "plant.current.speed"


def test_a_kept_run_stands_beside_the_present_one(opened):
    tab = opened()
    error = tab.metric("cross-track error, RMS")
    given = error.first.inner_text()
    tab.button("Keep this run").click()
    expect(tab.button("Keep this run")).to_be_disabled()
    tab.give(SPEED, "0.06")
    expect(tab.names).to_have_text(["current.speed 0.06 m/s", "as given×"])
    tab.over()
    expect(error).to_have_count(2)
    expect(error.nth(1)).to_have_text(given)
    expect(error.nth(0)).not_to_have_text(given)


def test_a_kept_run_is_not_written_over_by_later_ones(opened):
    tab = opened()
    tab.button("Keep this run").click()
    kept = None
    for value in ("0.03", "0.05", "0.08", "0.01"):
        tab.give(SPEED, value)
        tab.over()
        expect(tab.metric("path length")).to_have_count(2)
        now = [tab.metric(label).nth(1).inner_text() for label in ("path length", "cross-track error, RMS")]
        kept = kept or now
        assert now == kept


def test_six_are_kept_and_one_is_forgotten(opened):
    tab = opened()
    names = []
    for i in range(1, 7):
        tab.give(SPEED, f"0.1{i}")
        tab.over()
        keep = tab.page.locator("button.keep")
        keep.click()
        names.append(f"current.speed 0.1{i} m/s×")
    tab.give(SPEED, "0.17")
    expect(tab.names).to_have_text(["current.speed 0.17 m/s", *names])
    expect(tab.page.locator("button.keep")).to_be_disabled()
    expect(tab.page.locator("button.keep")).to_have_text("6 runs are kept")
    colours = tab.page.locator("table.runs thead .mark").evaluate_all("all => all.map((one) => one.style.background)")
    assert len(set(colours)) == 7
    tab.button("Forget the run current.speed 0.13 m/s").click()
    expect(tab.names).to_have_text(["current.speed 0.17 m/s", *names[:2], *names[3:]])
    expect(tab.button("Keep this run")).to_be_enabled()
