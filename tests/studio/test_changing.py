"""What a person may change in a page: sliders, fields, and parameters that are added; the run follows."""

from __future__ import annotations

import re

import pytest
from pages import expect

pytestmark = pytest.mark.slow

SPEED = "plant.current.speed"
LOOKAHEAD = "autopilot.guidance.lookahead"


def test_dragging_a_slider_changes_the_run(opened):
    tab = opened()
    error = tab.metric("cross-track error, RMS").first
    before = error.inner_text()
    box = tab.slider(SPEED).bounding_box()
    middle = box["y"] + box["height"] / 2
    tab.page.mouse.move(box["x"] + box["width"] / 2, middle)
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + 0.9 * box["width"], middle, steps=8)
    expect(tab.names.first).to_contain_text("current.speed")  # while it is held
    tab.page.mouse.up()
    tab.over()
    expect(error).not_to_have_text(before)
    assert float(tab.number(SPEED).input_value()) > 0.03
    expect(tab.row_of(SPEED)).to_have_class(re.compile("changed"))


def test_a_field_is_in_the_unit_beside_it(opened):
    tab = opened()
    expect(tab.row_of("plant.current.direction").locator(".unit")).to_have_text("deg")
    tab.give("plant.current.direction", "45")
    expect(tab.names.first).to_have_text("current.direction 45 deg")
    expect(tab.slider("plant.current.direction")).to_have_attribute("aria-valuetext", "45 deg")
    assert "--set plant.current.direction=0.785398163397448" in tab.copied("Copy command")


def test_what_cannot_be_is_refused_and_changes_nothing(opened):
    tab = opened()
    before, begun = tab.rows(), tab.page.evaluate("keelblocks.begun")
    for text, why in (("-1", "must be > 0 m"), ("0", "must be > 0 m"), ("", "a number is wanted")):
        tab.give(LOOKAHEAD, text)
        expect(tab.row_of(LOOKAHEAD).locator(".problem")).to_have_text(why)
        expect(tab.number(LOOKAHEAD)).to_have_attribute("aria-invalid", "true")
    assert tab.rows().table.tobytes() == before.table.tobytes()
    assert tab.page.evaluate("keelblocks.begun") == begun
    expect(tab.names).to_have_text(["as given"])
    tab.give(LOOKAHEAD, "1.5")
    expect(tab.row_of(LOOKAHEAD).locator(".problem")).to_have_text("")
    expect(tab.number(LOOKAHEAD)).to_have_attribute("aria-invalid", "false")
    expect(tab.names).to_have_text(["guidance.lookahead 1.5 m"])


def test_what_is_refused_is_gone_after_reset(opened):
    tab = opened()
    tab.give(LOOKAHEAD, "-1")
    expect(tab.row_of(LOOKAHEAD).locator(".problem")).to_have_text("must be > 0 m")
    tab.button("Reset all").click()
    expect(tab.row_of(LOOKAHEAD).locator(".problem")).to_have_text("")
    expect(tab.number(LOOKAHEAD)).to_have_value("0.8")
    expect(tab.number(LOOKAHEAD)).to_have_attribute("aria-invalid", "false")


def test_one_is_set_back_and_all_are(opened):
    tab = opened()
    before = tab.rows()
    back = tab.button(f"Set {SPEED} back")
    expect(back).to_be_hidden()
    tab.give(SPEED, "0.05")
    tab.give(LOOKAHEAD, "1.2")
    expect(tab.names).to_have_text(["current.speed 0.05 m/s; guidance.lookahead 1.2 m"])
    back.click()
    expect(tab.names).to_have_text(["guidance.lookahead 1.2 m"])
    tab.button("Reset all").click()
    expect(tab.names).to_have_text(["as given"])
    expect(tab.number(LOOKAHEAD)).to_have_value("0.8")
    assert tab.rows().table.tobytes() == before.table.tobytes()


def test_a_parameter_is_added_by_its_name(opened):
    tab = opened()
    adder, said = tab.page.get_by_label("Add a parameter"), tab.page.locator(".controls-panel .said")
    adder.fill("sideslip_speed")
    adder.press("Enter")
    added = tab.slider("autopilot.guidance.sideslip_speed")
    expect(added).to_be_focused()
    expect(adder).to_have_value("")
    before = tab.rows()
    tab.give("autopilot.guidance.sideslip_speed", "0.3")
    expect(tab.names).to_have_text(["guidance.sideslip_speed 0.3 m/s"])
    assert tab.rows().table.tobytes() != before.table.tobytes()
    adder.fill("no such thing")
    adder.press("Enter")
    expect(said).to_have_text("no parameter is called 'no such thing'")
    adder.fill("kp")
    adder.press("Enter")
    expect(said).to_have_text(re.compile(r"^\d+ parameters are called so: choose one of the list$"))
    expect(tab.page.locator(".slider")).to_have_count(6)


def test_elements_choices_and_switches_are_added_as_what_they_are(opened):
    tab = opened()
    names = tab.page.locator("datalist option").evaluate_all("all => all.map((one) => one.value)")
    assert len(names) == len(set(names)) > 100
    adder = tab.page.get_by_label("Add a parameter")
    for name, value, said in (
        ("plant.vessel.initial_eta[psi]", "20", "vessel.initial_eta[psi] 20 deg"),
        ("plant.vessel.coriolis", "false", "vessel.coriolis false"),
        ("autopilot.guidance.switching", "along_track", "guidance.switching along_track"),
    ):
        before = tab.rows()
        adder.fill(name)
        adder.press("Enter")
        field = tab.number(name)
        if field.evaluate("one => one.tagName") == "SELECT":
            expect(tab.slider(name)).to_have_count(0)
            field.select_option(label=value)
        else:
            tab.give(name, value)
        expect(tab.names).to_have_text([said])
        assert tab.rows().table.tobytes() != before.table.tobytes(), name
        tab.button(f"Set {name} back").click()
        expect(tab.names).to_have_text(["as given"])


def test_the_latest_value_wins(opened):
    """Of 200 changes in a moment the last one is shown, and but a few were run to their end."""
    tab = opened("survey")
    ended = tab.page.evaluate("keelblocks.ended")
    tab.slider(SPEED).evaluate(
        """async (range) => {
          for (let i = 1; i <= 200; i++) {
            range.value = String(0.001 * i + 0.1);
            range.dispatchEvent(new Event("input"));
            if (i % 20 === 0) await new Promise((done) => setTimeout(done));
          }
        }"""
    )
    rows = tab.rows()
    expect(tab.names).to_have_text(["current.speed 0.3 m/s"])
    speed = rows.of("plant.current.current")
    assert abs(float((speed[-1] ** 2).sum()) - 0.09) < 1e-12
    assert 1 <= tab.page.evaluate("keelblocks.ended") - ended <= 3


def test_a_run_that_fails_says_why(opened):
    tab = opened()
    tab.page.get_by_label("Add a parameter").fill("plant.vessel.initial_nu[u]")
    tab.page.get_by_label("Add a parameter").press("Enter")
    tab.give("plant.vessel.initial_nu[u]", "1e200")
    alert = tab.page.locator(".trouble")
    expect(alert).to_contain_text("not a finite number at t =")
    expect(tab.metric("run").first).to_have_text("failed")
    tab.button("Reset all").click()
    expect(alert).to_have_text("")
    expect(tab.metric("run").first).to_have_text("complete")
