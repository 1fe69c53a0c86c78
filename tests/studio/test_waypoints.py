"""Waypoints: dragged on the map, and in their table."""

from __future__ import annotations

import numpy as np
import pytest
from pages import Tab, expect

pytestmark = pytest.mark.slow

_GRABS = """(canvas) => {
  const box = canvas.getBoundingClientRect();
  const found = [];
  for (let y = 4; y < box.height; y += 7) {
    for (let x = 4; x < box.width; x += 7) {
      canvas.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x, clientY: box.top + y }));
      if (canvas.style.cursor === "grab") found.push([box.left + x, box.top + y]);
    }
  }
  return found;
}"""


def places(tab: Tab) -> list[tuple[float, float]]:
    """Where waypoints can be taken hold of on the screen, the northernmost first."""
    tab.map.scroll_into_view_if_needed()
    left = [np.array(point) for point in tab.map.evaluate(_GRABS)]
    found: list[tuple[float, float]] = []
    while left:
        near = [point for point in left if np.hypot(*(point - left[0])) < 32]
        left = [point for point in left if np.hypot(*(point - left[0])) >= 32]
        found.append(tuple(np.mean(near, axis=0).tolist()))
    return found


def table(tab: Tab) -> np.ndarray:
    """The waypoints of the table."""
    fields = tab.page.locator(".waypoints tbody input").all()
    return np.reshape([float(one.input_value()) for one in fields], (-1, 3))


@pytest.fixture
def tab(opened) -> Tab:
    """The page of the short mission with the table of waypoints open."""
    tab = opened()
    tab.page.get_by_text("Waypoints", exact=True).click()
    return tab


def test_a_waypoint_is_dragged_on_the_map(tab):
    before, run = table(tab), tab.rows()
    grabs = places(tab)
    assert len(grabs) == 4
    x, y = grabs[2]  # the third, in the east of the second
    tab.page.mouse.move(x, y)
    tab.page.mouse.down()
    tab.page.mouse.move(x - 60, y + 20, steps=6)
    expect(tab.names.first).to_contain_text("waypoints")  # while it is held
    tab.page.mouse.up()
    expect(tab.names).to_have_text(["guidance.waypoints 3 moved"])
    after = table(tab)
    assert np.array_equal(after[[0, 1, 3]], before[[0, 1, 3]])
    assert after[2, 0] < before[2, 0] - 0.2
    assert after[2, 1] < before[2, 1] - 0.6
    assert after[2, 2] == before[2, 2]
    assert tab.rows().table.tobytes() != run.table.tobytes()


def test_dragging_beside_waypoints_moves_the_view_only(tab):
    box, run = tab.map.bounding_box(), tab.rows()
    grabs = places(tab)
    tab.page.mouse.move(box["x"] + 0.5 * box["width"], box["y"] + 0.12 * box["height"])
    tab.page.mouse.down()
    tab.page.mouse.move(box["x"] + 0.5 * box["width"] + 30, box["y"] + 0.12 * box["height"] + 10, steps=4)
    tab.page.mouse.up()
    expect(tab.names).to_have_text(["as given"])
    assert tab.rows().table.tobytes() == run.table.tobytes()
    moved = places(tab)
    assert np.allclose(np.subtract(moved, grabs), [30, 10], atol=6)
    tab.button("Show all of the plan view").click()
    expect(tab.map).to_be_visible()
    tab.settle()
    assert np.allclose(places(tab), grabs, atol=6)


def test_a_double_click_on_a_leg_inserts_a_waypoint(tab):
    grabs = places(tab)
    (x, y), (to_x, to_y) = grabs[0], grabs[2]
    tab.page.mouse.dblclick((x + to_x) / 2, (y + to_y) / 2)
    expect(tab.names).to_have_text(["5 waypoints"])
    assert len(table(tab)) == 5


def test_the_table_edits_adds_and_removes(tab):
    north = tab.page.get_by_label("Waypoint 2, north, m")
    north.fill("3")
    north.press("Enter")
    expect(tab.names).to_have_text(["guidance.waypoints[2,1] 3 m"])
    tab.button("Add a waypoint").click()
    expect(tab.names).to_have_text(["5 waypoints"])
    assert len(table(tab)) == 5
    expect(tab.metric("waypoints reached").first).to_contain_text("of 4")
    for count in (4, 3, 2):
        tab.page.get_by_role("button", name="Remove waypoint 1 of").click()
        expect(tab.names).not_to_have_text(["as given"])
        expect(tab.metric("waypoints reached").first).to_contain_text(f"of {count - 1}")
    expect(tab.page.get_by_role("button", name="Remove waypoint 1 of")).to_be_disabled()
    tab.button("Reset all").click()
    expect(tab.names).to_have_text(["as given"])
    assert table(tab).tolist() == [[0, 0, 0], [2, 0, 0], [2, 4, 0], [6, 4, 2]]


def test_there_is_room_for_some_and_no_more(tab):
    add = tab.button("Add a waypoint")
    while add.is_visible():
        add.click()
    assert len(table(tab)) == 16
    expect(tab.page.locator(".waypoints")).to_contain_text("room for 0 more")
    expect(tab.names).to_have_text(["16 waypoints"])


def test_waypoints_that_coincide_are_refused(tab):
    run = tab.rows()
    north = tab.page.get_by_label("Waypoint 2, north, m")
    north.fill("0")
    north.press("Enter")
    expect(tab.page.locator(".trouble")).to_have_text("waypoints 1 and 2 coincide: move one of them")
    assert tab.rows().table.tobytes() == run.table.tobytes()
    expect(tab.names).to_have_text(["as given"])
    tab.give("plant.current.speed", "0.03")
    expect(tab.page.locator(".trouble")).to_have_text("")
    expect(north).to_have_value("2")


def test_one_number_of_a_waypoint_is_changed_and_none_is_added(opened):
    tab = opened("short")
    tab.page.get_by_label("Add a parameter").fill("autopilot.guidance.waypoints[6]")
    tab.page.get_by_label("Add a parameter").press("Enter")
    tab.give("autopilot.guidance.waypoints[6]", "2.5")
    tab.page.get_by_text("Waypoints", exact=True).click()
    expect(tab.page.locator(".waypoints tbody tr")).to_have_count(4)
    assert tab.page.get_by_label("Waypoint 3, north, m").input_value() == "2.5"


def test_a_cell_without_a_number_is_what_it_was(opened):
    tab = opened("short")
    tab.page.get_by_text("Waypoints", exact=True).click()
    cell = tab.page.get_by_label("Waypoint 3, north, m")
    before = cell.input_value()
    cell.fill("")
    cell.press("Enter")
    assert cell.input_value() == before
    assert "set=" not in tab.fragment()
