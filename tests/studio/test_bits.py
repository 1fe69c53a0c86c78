"""A page computes what `keelblocks run` does, and what an FMU does, to the last bit."""

from __future__ import annotations

import shlex

import fmpy
import numpy as np
import pytest
from pages import expect

import fmu


@pytest.mark.parametrize("name", ["los", pytest.param("survey", marks=pytest.mark.slow), "otter", "phases"])
def test_every_recorded_number_at_every_time(opened, mission, name):
    result = mission(name).run()
    rows = opened(name).rows()
    assert len(rows.times) > 500
    assert rows.differing(result) == []


@pytest.mark.slow
def test_the_numbers_of_an_fmu(opened, mission, tmp_path):
    scenario = mission("los")
    fmu.export(scenario.diagram, tmp_path / "los.fmu", step=0.01, solver="rk4")
    columns = {f"eta[{i + 1}]": ("plant.vessel.eta", i) for i in range(6)}
    columns |= {f"nu[{i + 1}]": ("plant.vessel.nu", i) for i in range(6)}
    columns |= {f"speed[{i + 1}]": ("plant.thrusters.speed", i) for i in range(5)}
    columns |= {"energy": ("plant.meter.energy", 0), "heading": ("autopilot.guidance.heading", 0)}
    every = 0.05
    from_fmu = fmpy.simulate_fmu(
        tmp_path / "los.fmu", start_time=0.0, stop_time=160.0, step_size=every, output_interval=every,
        output=list(columns),
    )  # fmt: skip
    rows = opened("los").rows()
    for name, (path, element) in columns.items():
        assert np.array_equal(from_fmu[name], rows.of(path)[:, element]), name


@pytest.mark.parametrize(
    ("name", "path", "share"),
    [
        ("los", "plant.current.speed", 0.83),
        pytest.param("los", "plant.current.direction", 0.31, marks=pytest.mark.slow),
        pytest.param("otter", "guidance.lookahead", 0.77, marks=pytest.mark.slow),
        pytest.param("otter", "current.speed", 0.12, marks=pytest.mark.slow),
        pytest.param("phases", "mission.cruise_speed", 0.4, marks=pytest.mark.slow),
    ],
)
def test_a_slider_does_what_set_does(opened, mission, name, path, share):
    """The command that a page copies says the value that the slider has, in all its digits."""
    tab = opened(name)
    before = tab.rows()
    box = tab.slider(path).bounding_box()
    tab.slider(path).click(position={"x": share * box["width"], "y": box["height"] / 2})
    rows = tab.rows()
    setting = shlex.split(tab.copied("Copy command"))[-1]
    assert setting.startswith(f"{path}=")
    scenario = mission(name)
    scenario.set(path, float(setting.partition("=")[2]))
    assert rows.differing(scenario.run()) == []
    assert rows.table.tobytes() != before.table.tobytes()


@pytest.mark.slow
def test_moved_and_added_waypoints(opened, mission):
    tab = opened("los")
    tab.page.get_by_text("Waypoints", exact=True).click()
    tab.page.get_by_label("Waypoint 3, north, m").fill("2.5")
    tab.page.get_by_label("Waypoint 3, north, m").press("Enter")
    tab.button("Add a waypoint").click()
    expect(tab.page.locator(".waypoints tbody tr")).to_have_count(5)
    values = [float(field.input_value()) for field in tab.page.locator(".waypoints tbody input").all()]
    scenario = mission("los")
    scenario.set("autopilot.guidance.waypoints", np.reshape(values, (-1, 3)).tolist())
    assert tab.rows().differing(scenario.run()) == []


def test_set_back_is_as_it_was(opened, mission):
    """Nothing of a run stays in the engine for the next one."""
    tab = opened("otter")
    for value in ("3", "20", "0.6"):
        tab.give("guidance.lookahead", value)
    tab.give("current.speed", "0.9")
    tab.button("Reset all").click()
    assert tab.rows().differing(mission("otter").run()) == []
