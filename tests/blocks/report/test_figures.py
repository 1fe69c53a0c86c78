"""Figures: which files are written, and that they show what was recorded."""

from __future__ import annotations

import dataclasses
from pathlib import Path

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Circle

from blocks import simulate
from blocks.basic import Constant, FirstOrderLag
from blocks.errors import KeelblocksError
from blocks.report import Mission, plots, save_figures
from blocks.report.signals import drawn_unit, panels
from blocks.run.result import Result, ResultError
from blocks.scenario import Scenario

LOS = Path(__file__).parents[3] / "examples" / "minerva_los.yaml"
PLOTS = ["cross_track_error", "depth", "heading", "plan_view", "power", "roll_pitch", "speed", "thruster_speed"]


@pytest.fixture(scope="module")
def scenario() -> Scenario:
    return Scenario.load(LOS)


@pytest.fixture(scope="module")
def result(scenario: Scenario) -> Result:
    return scenario.run(step=0.02, every=10)


@pytest.fixture
def mission(scenario: Scenario, result: Result) -> Mission:
    found = Mission.of(result, scenario.diagram)
    assert found is not None
    return found


def test_files_of_a_mission(scenario: Scenario, result: Result, tmp_path: Path) -> None:
    before = dict(mpl.rcParams)
    title = r"A mission for $\frac{1$"  # and no formula
    files = save_figures(result, scenario.diagram, tmp_path / "deep" / "er", title=title, formats=("png", "svg"))
    assert sorted(files) == sorted((tmp_path / "deep" / "er").iterdir())
    assert sorted({path.stem for path in files}) == sorted([*PLOTS, "mission"])
    assert all(path.read_bytes().startswith(b"\x89PNG") for path in files if path.suffix == ".png")
    assert dict(mpl.rcParams) == before


def test_plan_view_is_north_up_in_equal_scale(mission: Mission) -> None:
    ax = Figure().add_subplot()
    plots.plan_view(ax, mission)
    lines = {str(line.get_label()): np.array(line.get_xydata()) for line in ax.get_lines()}
    shown = mission.eta[mission.underway]
    np.testing.assert_array_equal(lines["path"], shown[:, [1, 0]])
    np.testing.assert_array_equal(lines["waypoints"], mission.waypoints[:, [1, 0]])
    circles = [patch for patch in ax.patches if isinstance(patch, Circle)]
    assert [circle.get_radius() for circle in circles] == [0.1] * 4
    assert ax.get_aspect() == 1.0
    assert [text.get_text() for text in ax.texts][:4] == ["1", "2", "3", "4"]
    assert "current 0.02 m/s" in [text.get_text() for text in ax.texts]


def test_depth_is_down(mission: Mission) -> None:
    ax = Figure().add_subplot()
    plots.depth(ax, mission)
    low, high = ax.get_ylim()
    assert low > high


def test_heading_has_no_jumps_and_the_reference_is_beside_it(mission: Mission) -> None:
    mission.eta = mission.eta.copy()
    mission.eta[:, 5] = np.linspace(0.0, 4.0 * np.pi, len(mission.time))
    mission.eta[:, 5] = np.arctan2(np.sin(mission.eta[:, 5]), np.cos(mission.eta[:, 5]))
    ax = Figure().add_subplot()
    plots.heading(ax, mission)
    lines = {str(line.get_label()): np.asarray(line.get_ydata()) for line in ax.get_lines()}
    assert lines["actual"][-1] == pytest.approx(720.0)
    assert np.abs(np.diff(lines["actual"])).max() < 10.0
    assert np.abs(lines["wanted"] - lines["actual"]).max() <= 180.0


def test_every_thruster_has_a_lane_to_one_scale(mission: Mission) -> None:
    ax = Figure().add_subplot()
    assert plots.thruster_speed(ax, mission)
    rpm = 60.0 * mission.result.values("plant.thrusters.speed")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["1", "2", "3", "4", "5"]
    drawn = [np.asarray(line.get_ydata()) for line in ax.get_lines() if line.get_linewidth() == 1.1]
    assert [np.ptp(y) / np.ptp(x) for y, x in zip(drawn, rpm.T, strict=True)] == pytest.approx(
        [0.42 / abs(rpm).max()] * 5
    )
    assert all(abs(y - (4 - i)).max() < 0.5 for i, y in enumerate(drawn))


def test_thrusters_of_unknown_shaft_speed_show_their_thrust() -> None:
    tern = Scenario.load(LOS.parent / "tutorial" / "tern_survey.yaml")
    mission = Mission.of(tern.run(end=20), tern.diagram, tern.report)
    assert mission is not None
    assert [(lane.label, lane.unit) for lane in mission.lanes] == [("port", "N"), ("starboard", "N")]


def test_what_controllers_were_given_is_beside_what_guidance_wanted(mission: Mission) -> None:
    ax = Figure().add_subplot()
    plots.depth(ax, mission)
    lines = {str(line.get_label()): np.asarray(line.get_ydata()) for line in ax.get_lines()}
    np.testing.assert_array_equal(lines["depth filter"], mission.result.values("autopilot.depth_filter.y"))
    np.testing.assert_array_equal(lines["wanted"], mission.result.values("autopilot.guidance.depth"))
    assert {one.quantity for one in mission.references} == {"depth", "heading", "speed"}


def test_a_surface_craft_has_no_depth_and_no_roll(tmp_path: Path) -> None:
    otter = Scenario.load(LOS.with_name("otter_los.yaml"))
    mission = Mission.of(otter.run(end=100), otter.diagram, otter.report)
    assert mission is not None
    assert not plots.depth(Figure().add_subplot(), mission)
    assert not plots.roll_pitch(Figure().add_subplot(), mission)


def test_an_axis_spans_what_one_can_tell_apart(mission: Mission) -> None:
    mission.eta = mission.eta.copy()
    mission.eta[:, 2] = 5.0 + 1e-6 * np.sin(mission.time)
    mission.__dict__["references"] = []
    ax = Figure().add_subplot()
    mission.signal = lambda *_: None  # type: ignore[method-assign]
    plots.depth(ax, mission)
    assert np.ptp(ax.get_ylim()) == pytest.approx(0.1)


def test_what_was_not_recorded_is_left_out(scenario: Scenario, tmp_path: Path) -> None:
    part = scenario.run(step=0.02, every=10, record=["plant.vessel.eta", "autopilot.guidance.*"])
    files = save_figures(part, scenario.diagram, tmp_path)
    assert sorted(path.stem for path in files) == [
        "cross_track_error", "depth", "heading", "mission", "plan_view", "roll_pitch"
    ]  # fmt: skip


def test_plots_that_are_asked_for(scenario: Scenario, result: Result, tmp_path: Path) -> None:
    options = {"plots": ["plant.vessel.nu", "plant.vessel.eta[psi]"]}
    names = {path.stem for path in save_figures(result, scenario.diagram, tmp_path, options)}
    assert {"plant.vessel.nu_m_s", "plant.vessel.nu_rad_s", "plant.vessel.eta_psi"} <= names
    with pytest.raises(ResultError, match=r"'plant\.vessel\.nuu' was not recorded; did you mean 'plant\.vessel\.nu'"):
        save_figures(result, scenario.diagram, tmp_path, {"plots": ["plant.vessel.nuu"]})


def test_a_run_without_a_mission(scenario: Scenario, tmp_path: Path) -> None:
    part = scenario.run(step=0.02, every=10, record=["plant.vessel.*"])
    files = save_figures(part, scenario.diagram, tmp_path, title="Signals")
    assert [path.name for path in files] == ["signals.png"]


def test_panels_hold_what_changes_by_unit(scenario: Scenario, result: Result) -> None:
    found = {(panel.name, panel.unit): panel.labels for panel in panels(result, None)}
    assert found["plant.vessel.eta", "m"] == ("x", "y", "z")
    assert ("plant.current.current", "m/s") not in found
    assert [panel.labels for panel in panels(result, ["plant.current.current"])] == [("north", "east", "down")]
    ax = Figure().add_subplot()
    panels(result, ["plant.vessel.eta[psi]"])[0].draw(ax, result)
    assert ax.get_ylabel() == "psi, °"
    np.testing.assert_allclose(
        np.asarray(ax.get_lines()[0].get_ydata()), np.degrees(result.values("plant.vessel.eta[psi]"))
    )


def test_a_folder_that_cannot_be_written(scenario: Scenario, result: Result, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(KeelblocksError, match=r"cannot write .*file.mission\.png"):
        save_figures(result, scenario.diagram, tmp_path / "file")


def test_a_result_of_one_block_has_figures_too(tmp_path: Path) -> None:
    block = FirstOrderLag(time_constant=1.0)
    result = simulate(block, 3.0, inputs={"u": 1.0})
    assert [path.name for path in save_figures(result, block, tmp_path)] == ["signals.png"]


def test_a_title_that_is_no_text_is_refused(result: Result) -> None:
    for draw in (result.plot, result.mission):
        with pytest.raises(ResultError, match="title must be text, not 3"):
            draw(title=3)  # type: ignore[operator]


@pytest.mark.parametrize(("size", "unit", "factor"), [(100.0, "N", 1.0), (2e5, "kN", 1e-3), (3e8, "MN", 1e-6)])
def test_great_forces_have_a_prefix(size: float, unit: str, factor: float) -> None:
    """Long numbers ran into the name of the axis."""
    values = np.array([-size, np.nan, 0.0])
    assert drawn_unit("N", values) == (unit, factor)
    assert drawn_unit("m", values) == ("m", 1.0)
    result = simulate(Constant(size), 1.0, step=0.1)
    result.places["constant.y"] = dataclasses.replace(result.places["constant.y"], unit="N")
    ax = result.plot("constant.y").axes[0]
    assert ax.get_ylabel() == unit
    np.testing.assert_allclose(np.asarray(ax.get_lines()[0].get_ydata()), factor * size)
