"""The time of a page: played, stepped, taken from events and plots; and plots, which are zoomed, added and removed."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest
from pages import expect

from blocks.scenario import Scenario
from studio.share import page_of

pytestmark = pytest.mark.slow


def test_it_begins_at_the_end(opened):
    expect(opened().clock).to_have_text("60.0 s / 60.0 s")


def test_play_goes_from_the_start_and_stops_at_the_end(opened):
    tab = opened()
    tab.page.get_by_label("Speed", exact=True).select_option(label="100 ×")
    tab.button("Play").click()
    expect(tab.button("Pause")).to_be_visible()
    expect(tab.button("Play")).to_be_visible()
    expect(tab.clock).to_have_text("60.0 s / 60.0 s")


def test_pause_holds_the_time(opened):
    tab = opened()
    tab.page.get_by_label("Speed", exact=True).select_option(label="0.5 ×")
    tab.button("Play").click()
    expect(tab.clock).not_to_have_text("60.0 s / 60.0 s")
    tab.button("Pause").click()
    tab.settle()
    held = tab.seconds()
    tab.settle()
    assert tab.seconds() == held < 60.0


def test_a_faster_speed_goes_further(opened):
    """As far as frames come: from one to the next, the time goes on by the frame's time and the speed."""
    tab = opened()
    gone = {}
    for speed in ("1 ×", "20 ×"):
        tab.page.keyboard.press("Home")
        tab.page.get_by_label("Speed", exact=True).select_option(label=speed)
        gone[speed] = tab.page.evaluate(
            """async () => {
              const play = document.querySelector("button.play");
              const time = document.querySelector("input[aria-label=Time]");
              const frame = () => new Promise(requestAnimationFrame);
              play.click();
              await frame();
              await frame();
              const [from, began] = [Number(time.value), performance.now()];
              while (performance.now() - began < 150) await frame();
              play.click();
              return (Number(time.value) - from) / ((performance.now() - began) / 1000);
            }"""
        )
        tab.page.locator("h1").click()
    assert gone["1 ×"] < 3.0 < gone["20 ×"]


def test_events_are_jumped_to(opened):
    tab = opened()
    events = tab.page.get_by_label("Events", exact=True)
    reached = events.locator("option", has_text="waypoint 2 reached")
    expect(reached).to_have_count(1)
    when = reached.inner_text().split()[0]
    events.select_option(label=reached.inner_text())
    expect(tab.clock).to_have_text(f"{when} s / 60.0 s")


def test_a_hover_over_a_plot_moves_the_time_everywhere(opened):
    tab = opened()
    box = tab.chart("Heading")
    depth = tab.plot("Depth").locator(".legend")
    note = tab.page.locator(".map-panel .note")
    wires = tab.page.locator(".wire-value")
    before = [depth.inner_text(), note.inner_text(), wires.all_text_contents()]
    tab.page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 40)
    expect(tab.clock).to_have_text(re.compile(r"^1[345]\.\d s / 60\.0 s$"))
    expect(note).not_to_have_text(before[1])
    assert abs(tab.seconds() - 15.0) < 1.0
    expect(tab.plot("Heading").locator(".legend")).to_contain_text("actual")
    places = tab.page.locator(".time-line").evaluate_all("all => new Set(all.map((one) => one.style.transform)).size")
    assert places == 1
    tab.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 40)
    expect(tab.clock).to_have_text(re.compile(r"^(29|30|31)\.\d s / 60\.0 s$"))
    expect(wires.first).to_be_attached()
    assert wires.all_text_contents() != before[2]


def test_a_drag_zooms_all_plots_and_whole_run_shows_all(opened):
    tab = opened()
    box = tab.chart("Depth")
    line = tab.plot("Heading").locator(".time-line")
    tab.page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 30)
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + 0.75 * box["width"], box["y"] + 40, steps=5)
    tab.page.mouse.up()
    tab.page.keyboard.press("End")
    expect(line).to_be_hidden()  # the time is that of the end, beyond what is shown
    tab.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 40)
    expect(line).to_be_visible()
    assert abs(tab.seconds() - 30.0) < 1.5
    tab.page.mouse.move(box["x"] + 2, box["y"] + 40)
    expect(tab.clock).to_have_text(re.compile(r"^1[3456]\.\d s"))
    tab.button("Whole run").click()
    tab.settle()
    tab.page.mouse.move(box["x"] + 2, box["y"] + 40)
    expect(tab.clock).to_have_text(re.compile(r"^[01]\.\d s"))


def test_a_plot_is_added_and_removed(opened):
    tab = opened()
    plots = tab.page.locator("figure.plot")
    titles = plots.locator("b:first-of-type")
    count = plots.count()
    picker = tab.page.get_by_label("Add a plot")
    picker.select_option(label="plant.vessel.nu_r (m/s)")
    expect(plots).to_have_count(count + 1)
    expect(plots.last).to_contain_text("plant.vessel.nu_r")
    expect(plots.last.locator(".legend b")).to_have_count(3)
    picker.select_option(label="plant.vessel.nu_r (m/s)")  # once is enough
    expect(plots).to_have_count(count + 1)
    tab.button("Remove the plot of plant.vessel.nu_r").click()
    tab.button("Remove the plot of Power").click()
    expect(plots).to_have_count(count - 1)
    assert "Power" not in titles.all_text_contents()
    picker.select_option(label="Power (W)")
    expect(plots).to_have_count(count)


def test_a_click_on_the_track_goes_to_that_time(opened):
    tab = opened()
    box = tab.map.bounding_box()
    found = False
    for share in (0.3, 0.4, 0.5, 0.6, 0.7, 0.8):
        for across in (0.28, 0.3, 0.32, 0.34, 0.36):
            tab.page.mouse.click(box["x"] + across * box["width"], box["y"] + share * box["height"])
            found = found or tab.seconds() < 59.0
    assert found


def test_great_forces_are_in_kilonewtons(opened, folder):
    barge = Scenario.load(Path(__file__).parents[2] / "examples" / "moored_barge.yaml")
    barge.settings |= {"end": 20.0}
    path = folder / "barge.html"
    path.write_bytes(page_of(barge).encode())
    tension = opened(path).plot("mooring.tension")
    expect(tension.locator(".unit")).to_have_text(" kN")
    values = [float(one) for one in tension.locator(".legend b").all_text_contents()]
    last = barge.run(record=["mooring.tension"]).values("mooring.tension")[-1]
    np.testing.assert_allclose(values, last / 1e3, rtol=0.01)
