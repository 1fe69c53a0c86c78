"""What a page hands out: a link that shows the same again, the command, and the changed scenario."""

from __future__ import annotations

import re
import shlex
from urllib.parse import quote

import pytest
from pages import Tab, expect

from blocks.scenario import Scenario

pytestmark = pytest.mark.slow

SPEED = "plant.current.speed"


def shown(tab: Tab) -> dict[str, object]:
    """All that a link is to bring back."""
    tab.settle()
    return {
        "names": tab.names.all_text_contents(),
        "colours": tab.page.locator(".runs .mark").evaluate_all("all => all.map((one) => one.style.background)"),
        "summary": tab.page.locator("table.runs tbody td").all_text_contents(),
        "clock": tab.clock.inner_text(),
        "plots": tab.page.locator("figure.plot").evaluate_all("all => all.map((one) => one.dataset.key)"),
        "lines": tab.page.locator(".time-line").evaluate_all(
            "all => all.map((one) => [one.hidden, one.style.transform])"
        ),
        "values": [tab.number(name).input_value() for name in (SPEED, "autopilot.guidance.sideslip_speed")],
        "diagram": tab.page.get_by_role("navigation").all_text_contents(),
        "wires": tab.page.locator(".wire-value").all_text_contents(),
        "waypoints": tab.page.locator(".waypoints tbody input").evaluate_all("all => all.map((one) => one.value)"),
        "run": tab.rows().table.tobytes(),
    }


def at_rest(tab: Tab) -> dict[str, object]:
    """What is shown once it changes no more; while runs go on, their summary is drawn every 250 ms."""
    found = shown(tab)
    for _ in range(20):
        tab.page.wait_for_timeout(400)
        before, found = found, shown(tab)
        if found == before:
            return found
    raise AssertionError("the page does not come to rest")


def test_a_link_shows_the_same_again(opened):
    tab = opened()
    tab.button("Keep this run").click()
    tab.give(SPEED, "0.06")
    tab.over()
    tab.page.locator("button.keep").click()
    tab.page.get_by_label("Add a parameter").fill("sideslip_speed")
    tab.page.get_by_label("Add a parameter").press("Enter")
    tab.give("autopilot.guidance.sideslip_speed", "0.3")
    tab.page.get_by_text("Waypoints", exact=True).click()
    tab.button("Add a waypoint").click()
    tab.over()
    tab.button("Remove the plot of Power").click()
    tab.page.get_by_label("Add a plot").select_option(label="plant.vessel.nu_r (m/s)")
    tab.button("Open plant").click()
    box = tab.chart("Depth")
    tab.page.mouse.move(box["x"] + 0.2 * box["width"], box["y"] + 30)
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + 0.8 * box["width"], box["y"] + 40, steps=3)
    tab.page.mouse.up()
    tab.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 40)
    tab.page.mouse.move(5, 5)
    expect(tab.clock).not_to_contain_text("60.0 s / 60.0 s")
    expected = at_rest(tab)
    link = tab.copied("Copy link")
    again = opened(fragment=link.partition("#")[2])
    expect(again.names).to_have_count(3)
    expect(again.clock).to_have_text(str(expected["clock"]))  # the last that a link brings back
    again.page.get_by_text("Waypoints", exact=True).click()
    found = at_rest(again)
    assert {name: (found[name], expected[name]) for name in found if found[name] != expected[name]} == {}
    assert again.copied("Copy link") == link


def test_the_address_is_what_the_link_says(opened):
    tab = opened()
    assert tab.fragment() == ""
    tab.give(SPEED, "0.05")
    expect(tab.page).to_have_url(re.compile("#set=plant.current.speed%3A0.05$"))
    assert tab.copied("Copy link") == tab.page.url
    tab.button("Reset all").click()
    expect(tab.page).to_have_url(re.compile("^[^#]*$"))


def test_another_address_in_the_same_tab_is_followed(opened):
    tab = opened()
    tab.page.evaluate("location.hash = 'set=plant.current.speed:0.07'")
    expect(tab.names).to_have_text(["current.speed 0.07 m/s"])
    expect(tab.page).to_have_title("current.speed 0.07 m/s – ROV Minerva follows four waypoints by line of sight")


@pytest.mark.parametrize(
    "fragment",
    [
        "set=no.such.parameter:3&set=plant.current.speed:-1&set=plant.current.speed:1e999&set=plant.current.speed:1,2"
        "&set=plant.current.speed:&set=__proto__:1&set=constructor:2&set=autopilot.guidance.switching:7"
        "&set=plant.current.speed:<img src=x onerror=alert(1)>",
        "&".join(
            f"set=autopilot.guidance.waypoints:{','.join(rows)}"
            for rows in (["0", "0", "0"], ["1"] * 51, ["0"] * 6, ["0", "0", "0", "1"], ["nan"] * 6)
        ),
        "run=<script>alert(1)</script>&t=NaN&zoom=9:1&open=nowhere&plot=nothing[x]&slider=a:0&member=99",
        "t=-1e300&zoom=1e308:1.1e308&open=__proto__&plot=plant.vessel.eta[999]&plot=plant.vessel.eta[x]+no.such",
        "open=" + "x" * 30000,
        "%E0%A4%A" + "&&==##??" * 500,
    ],
    ids=["values", "waypoints", "views", "limits", "length", "letters"],
)
def test_nothing_is_gained_by_a_strange_link(opened, fragment):
    """The run is as given, and whatever is said of the link is text."""
    tab = opened(fragment=quote(fragment, safe="=&:,%#?<>+[]"))
    expect(tab.names).to_have_text(["as given"])
    expect(tab.metric("run").first).to_have_text("complete")
    expect(tab.button("Open plant")).to_be_visible()
    expect(tab.plot("Depth")).to_be_visible()
    expect(tab.page.locator("main img, main script")).to_have_count(0)


def test_a_link_that_is_not_understood_says_so(opened):
    tab = opened(fragment="set=plant.current.speed:-1&set=plant.current.direction:0.5")
    expect(tab.page.locator(".actions .said")).to_have_text("of this link was not understood: plant.current.speed:-1")
    expect(tab.names).to_have_text(["current.direction 28.65 deg"])


def test_the_command_runs_the_same(opened, mission):
    tab = opened()
    assert tab.copied("Copy command") == "keelblocks run minerva_los.yaml"
    tab.give(SPEED, "0.05")
    tab.page.get_by_text("Waypoints", exact=True).click()
    tab.page.get_by_label("Waypoint 3, east, m").fill("3.5")
    tab.page.get_by_label("Waypoint 3, east, m").press("Enter")
    command = shlex.split(tab.copied("Copy command"))
    assert command[:3] == ["keelblocks", "run", "minerva_los.yaml"]
    assert command[3:] == [
        "--set", "plant.current.speed=0.05",
        "--set", "autopilot.guidance.waypoints=[[0, 0, 0], [2, 0, 0], [2, 3.5, 0], [6, 4, 2]]",
    ]  # fmt: skip


def test_the_copied_scenario_runs_to_the_same_bits(opened):
    tab = opened()
    tab.give(SPEED, "0.05")
    tab.page.get_by_text("Waypoints", exact=True).click()
    tab.button("Add a waypoint").click()
    text = tab.copied("Copy YAML")
    assert tab.rows().differing(Scenario.from_text(text).run()) == []


def test_where_nothing_can_be_copied_the_text_is_shown(opened):
    tab = opened()
    tab.page.evaluate("() => { navigator.clipboard.writeText = async () => { throw new Error('no'); }; }")
    tab.button("Copy command").click()
    field = tab.page.get_by_label("Text to copy")
    expect(field).to_be_focused()
    expect(field).to_have_value("keelblocks run minerva_los.yaml")


def test_that_all_plots_were_taken_away_is_in_the_link(opened):
    tab = opened("short")
    for _ in range(tab.page.locator("figure.plot").count()):
        tab.page.get_by_role("button", name="Remove the plot").first.click()
    expect(tab.page.locator("figure.plot")).to_have_count(0)
    other = opened("short", tab.copied("Copy link").partition("#")[2])
    expect(other.page.locator("figure.plot")).to_have_count(0)
