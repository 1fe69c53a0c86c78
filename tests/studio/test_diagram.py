"""The diagram of a page: nested ones are opened, wires carry values; and the attitude, which is loaded late."""

from __future__ import annotations

import re

import pytest
from pages import expect

pytestmark = pytest.mark.slow


def test_a_nested_diagram_is_opened_and_left(opened):
    tab = opened()
    drawing, trail = tab.page.locator(".drawing"), tab.page.get_by_role("navigation", name="Where in the diagram")
    expect(drawing).not_to_contain_text("guidance.LineOfSight")
    tab.button("Open plant").click()
    expect(drawing).to_contain_text("vessel")
    expect(tab.button("Open plant")).to_have_count(0)
    expect(trail.get_by_role("button")).to_have_count(2)
    expect(trail.get_by_role("button").last).to_have_attribute("aria-current", "location")
    trail.get_by_role("button").first.click()
    expect(tab.button("Open plant")).to_be_visible()
    tab.button("Open autopilot").press("Enter")
    expect(drawing).to_contain_text("guidance")
    expect(trail.get_by_role("button").last).to_be_focused()


def test_wires_say_what_they_carry_at_the_cursor(opened):
    tab = opened()
    values = tab.page.locator(".wire-value")
    energy = values.filter(has_text=re.compile(r"J$"))
    expect(energy).to_have_count(1)
    at_the_end = energy.text_content()
    tab.page.keyboard.press("Home")
    expect(tab.page.locator(".wire-value", has_text=re.compile(r"energy\s+0 J"))).to_have_count(1)
    tab.page.keyboard.press("End")
    expect(energy).to_have_text(at_the_end)
    expect(energy.locator("title")).to_have_text(re.compile(r"^plant\.energy\s"))


def test_values_can_be_switched_off(opened):
    tab = opened()
    values = tab.page.locator(".wire-value")
    some = re.compile(".+")
    count = values.filter(has_text=some).count()
    assert count > 4
    tab.page.get_by_label("values on wires").uncheck()
    expect(values.filter(has_text=re.compile(r"\d"))).to_have_count(0)
    tab.page.get_by_label("values on wires").check()
    expect(values.filter(has_text=some)).to_have_count(count)


def test_the_attitude_is_loaded_when_it_is_wanted(opened):
    tab = opened()
    canvas = tab.page.locator("canvas.attitude")
    expect(canvas).to_be_hidden()
    assert tab.page.evaluate("typeof globalThis.keelblocksAttitude") == "undefined"
    tab.button("Show the attitude in 3-D").click()
    expect(canvas).to_be_visible()
    expect(canvas).to_be_focused()
    assert tab.page.evaluate("typeof globalThis.keelblocksAttitude") == "function"
    tab.settle()
    first = canvas.evaluate("one => one.toDataURL()")
    canvas.press("ArrowLeft")
    tab.settle()
    turned = canvas.evaluate("one => one.toDataURL()")
    assert turned != first
    tab.page.locator("h1").click()
    tab.page.keyboard.press("Home")
    tab.settle()
    assert canvas.evaluate("one => one.toDataURL()") != turned
    assert tab.clock.inner_text().startswith("0.0 s")
