"""Pages for everybody: what axe finds, light and dark, at twice the size and on a telephone."""

from __future__ import annotations

from importlib.resources import files

import pytest
from pages import Tab, expect

pytestmark = pytest.mark.slow

SMALL = {"width": 390, "height": 844}
TWICE = {"width": 640, "height": 450}  # of 1280 by 900, at 200 %


@pytest.fixture(scope="session")
def axe() -> str:
    """The script of axe."""
    pytest.importorskip("axe_playwright_python", reason="axe is not installed: pip install axe-playwright-python")
    return files("axe_playwright_python").joinpath("axe.min.js").read_text(encoding="utf-8")


def violations(tab: Tab, axe: str) -> list[str]:
    """What axe finds: the rule, where, and why."""
    tab.page.evaluate(axe)
    found = tab.page.evaluate("axe.run(document, { resultTypes: ['violations'] }).then((all) => all.violations)")
    return [f"{one['id']}: {node['target']}: {node['failureSummary']}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(opened, axe, scheme):
    """As the page begins, and with all of it in use. Trusted Types forbid what axe does with text: not here."""
    tab = opened(color_scheme=scheme, bypass_csp=True)
    assert violations(tab, axe) == []
    tab.button("Keep this run").click()
    tab.give("plant.current.speed", "0.06")
    tab.give("autopilot.guidance.lookahead", "-1")
    tab.page.get_by_label("Add a parameter").fill("guidance.switching")
    tab.page.get_by_label("Add a parameter").press("Enter")
    tab.page.get_by_label("Add a parameter").fill("nothing")
    tab.page.get_by_label("Add a parameter").press("Enter")
    tab.page.get_by_text("Waypoints", exact=True).click()
    tab.button("Show the attitude in 3-D").click()
    tab.button("Open plant").click()
    tab.copied("Copy link")
    tab.over()
    assert violations(tab, axe) == []


@pytest.mark.parametrize("mission_name", ["survey", "otter"])
def test_other_missions(opened, axe, mission_name):
    assert violations(opened(mission_name, bypass_csp=True), axe) == []


@pytest.mark.parametrize(("size", "scale"), [(SMALL, 2), (TWICE, 2)], ids=["telephone", "twice"])
def test_nothing_is_beside_the_page(opened, size, scale):
    """No part is wider than the window, and each can be reached and used."""
    tab = opened(viewport=size, device_scale_factor=scale)
    tab.button("Keep this run").click()
    tab.give("plant.current.speed", "0.06")
    tab.over()
    tab.page.get_by_text("Waypoints", exact=True).click()
    tab.button("Show the attitude in 3-D").click()
    wide = "[document.documentElement.scrollWidth, document.documentElement.clientWidth]"
    has, may = tab.page.evaluate(wide)
    assert has <= may == size["width"]
    for part in (
        tab.button("Copy command"), tab.slider("plant.current.speed"), tab.map, tab.plot("Depth"), tab.plot("Power"),
        tab.button("Play"), tab.page.get_by_label("Events", exact=True), tab.button("Forget the run as given"),
        tab.page.locator("canvas.attitude"), tab.button("Open plant"), tab.page.locator("footer"),
    ):  # fmt: skip
        part.scroll_into_view_if_needed()
        expect(part).to_be_in_viewport()
        box = part.bounding_box()
        assert box is not None
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= size["width"] + 1
    tab.button("Whole run").click(trial=True)
    tab.button("Remove waypoint 4 of autopilot.guidance.waypoints").click(trial=True)
    tab.button("Show all of the plan view").click(trial=True)


def test_what_is_pressed_by_a_finger_is_large_enough(opened):
    """24 pixels at least (WCAG 2.2, 2.5.8), but for the boxes and the links within a drawing or a sentence."""
    tab = opened(viewport=SMALL)
    tab.page.get_by_text("Waypoints", exact=True).click()
    small = tab.page.evaluate(
        """() => [...document.querySelectorAll("button, select, input:not([type=checkbox])")]
          .filter((one) => one.checkVisibility())
          .map((one) => [one.ariaLabel ?? one.textContent, one.getBoundingClientRect()])
          .filter(([, box]) => box.height < 23.9 || box.width < 23.9)
          .map(([name, box]) => `${name}: ${box.width} by ${box.height}`)"""
    )
    assert small == []
