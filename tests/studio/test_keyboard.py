"""Everything in a page by keys alone."""

from __future__ import annotations

import re

import pytest
from pages import expect

pytestmark = pytest.mark.slow

_FOCUSED = """() => {
  const one = document.activeElement;
  return one === document.body ? "" : [...document.querySelectorAll("*")].indexOf(one) + one.tagName;
}"""
_REACHABLE = """() => [...document.querySelectorAll("button, input, select, summary, [tabindex='0']")]
  .filter((one) => one.checkVisibility() && !one.disabled)
  .map((one) => [...document.querySelectorAll("*")].indexOf(one) + one.tagName)"""


def test_tab_reaches_all_that_can_be_used_and_comes_back(opened):
    tab = opened()
    wanted = tab.page.evaluate(_REACHABLE)
    assert len(wanted) > 30
    seen = []
    for _ in range(len(wanted) + 5):
        tab.page.keyboard.press("Tab")
        seen.append(tab.page.evaluate(_FOCUSED))
    assert [one for one in wanted if one not in seen] == []
    order = [one for one in dict.fromkeys(seen) if one in wanted]
    assert order == wanted  # in the order of the page


def test_what_has_the_focus_shows_it(opened):
    tab = opened()
    for _ in range(12):
        tab.page.keyboard.press("Tab")
        assert tab.page.evaluate("getComputedStyle(document.activeElement).outlineStyle") != "none"


def test_a_mission_is_changed_kept_and_looked_at_by_keys(opened):
    tab = opened()
    keys = tab.page.keyboard
    tab.page.get_by_role("button", name="Copy link").focus()
    tab.slider("plant.current.speed").focus()
    keys.press("ArrowRight")
    expect(tab.names.first).to_contain_text("current.speed 0.0202 m/s")
    keys.press("End")
    expect(tab.names).to_have_text(["current.speed 0.04 m/s"])
    tab.over()
    tab.button("Keep this run").press("Enter")
    tab.button("Reset all").press(" ")
    expect(tab.names).to_have_text(["as given", "current.speed 0.04 m/s×"])
    tab.button("Forget the run current.speed 0.04 m/s").press("Enter")
    expect(tab.names).to_have_text(["as given"])
    tab.page.locator(".waypoints summary").press("Enter")
    tab.page.get_by_label("Waypoint 2, north, m").press("ArrowUp")
    tab.page.get_by_label("Waypoint 2, north, m").press("Enter")
    expect(tab.names).to_have_text(["guidance.waypoints[2,1] 3 m"])
    tab.button("Open plant").press(" ")
    expect(tab.page.locator(".drawing")).to_contain_text("vessel")
    keys.press("Shift+Tab")
    keys.press("Enter")
    expect(tab.button("Open plant")).to_be_visible()
    tab.page.get_by_label("values on wires").press(" ")
    expect(tab.page.locator(".wire-value").filter(has_text=re.compile(r"\d"))).to_have_count(0)


def test_keys_of_the_page(opened):
    tab = opened()
    keys = tab.page.keyboard
    keys.press("Home")
    expect(tab.clock).to_have_text("0.0 s / 60.0 s")
    keys.press(".")
    keys.press(".")
    expect(tab.clock).to_have_text("0.2 s / 60.0 s")
    keys.press(",")
    expect(tab.clock).to_have_text("0.1 s / 60.0 s")
    keys.press("End")
    expect(tab.clock).to_have_text("60.0 s / 60.0 s")
    keys.press("k")
    expect(tab.button("Keep this run")).to_be_disabled()
    keys.press(" ")
    expect(tab.button("Pause")).to_be_visible()
    keys.press(" ")
    expect(tab.button("Play")).to_be_visible()
    assert tab.seconds() < 60.0


def test_keys_go_from_event_to_event(opened):
    tab = opened("survey")
    options = tab.page.get_by_label("Events", exact=True).locator("option").all_text_contents()[1:]
    starts = sorted(
        {text.split("  ")[0] for text in options if ":" not in text}, key=lambda text: float(text.split()[0])
    )
    assert len(starts) > 8
    tab.page.keyboard.press("Home")
    for start in starts[:6]:
        tab.page.keyboard.press("]")
        expect(tab.clock).to_have_text(f"{start} / 10:46.5 min")
    tab.page.keyboard.press("[")
    expect(tab.clock).to_have_text(f"{starts[4]} / 10:46.5 min")


def test_keys_that_a_person_types_are_not_taken(opened):
    tab = opened()
    adder = tab.page.get_by_label("Add a parameter")
    adder.press_sequentially("k .,[]")
    expect(adder).to_have_value("k .,[]")
    expect(tab.button("Keep this run")).to_be_enabled()
    expect(tab.clock).to_have_text("60.0 s / 60.0 s")
    tab.button("Copy command").press(" ")
    expect(tab.button("Play")).to_be_visible()


def test_arrows_on_the_timeline_and_the_map(opened):
    tab = opened()
    time = tab.page.get_by_label("Time", exact=True)
    time.press("ArrowLeft")
    expect(tab.clock).to_have_text("59.9 s / 60.0 s")
    time.press("Shift+ArrowLeft")
    expect(tab.clock).to_have_text("58.9 s / 60.0 s")
    time.press("PageUp")
    expect(tab.clock).to_have_text("60.0 s / 60.0 s")
    time.press("Home")
    expect(tab.clock).to_have_text("0.0 s / 60.0 s")
    pictures = []
    for key in ("", "ArrowUp", "ArrowLeft", "+", "-", "0"):
        if key:
            tab.map.press(key)
        tab.settle()
        pictures.append(tab.map.evaluate("one => one.toDataURL()"))
    assert len(set(pictures)) == 4  # minus undoes plus
    assert pictures[0] == pictures[-1] != pictures[1]
    expect(tab.clock).to_have_text("0.0 s / 60.0 s")
