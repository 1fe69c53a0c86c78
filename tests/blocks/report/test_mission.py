"""Mission metrics against paths whose figures are known beforehand."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from blocks import Diagram
from blocks.dynamics import Vessel6DOF
from blocks.environment import UniformCurrent
from blocks.errors import KeelblocksError, ScenarioError
from blocks.guidance import DubinsPath, LineOfSight
from blocks.plan.place import Place
from blocks.power import EnergyMeter
from blocks.report import Mission, find_parts, plots, summarise
from blocks.run.result import Result
from blocks.thrust import PropellerThrusters

Recorded = Callable[..., Result]


@pytest.fixture
def diagram() -> Diagram:
    made = Diagram("boat")
    plant = made.add("plant", Diagram("plant"))
    plant.add("vessel", Vessel6DOF.from_vehicle("minerva"))
    plant.add("thrusters", PropellerThrusters.from_vehicle("minerva"))
    plant.add("current", UniformCurrent(0.3, "90 deg"))
    made.add("guidance", LineOfSight.from_vehicle("minerva", waypoints=[[0, 0, 0], [10, 0, 0], [10, 20, 5]]))
    return made


@pytest.fixture
def recorded() -> Recorded:
    """Makes a result from signals by name."""

    def make(time: ArrayLike, **signals: ArrayLike) -> Result:
        instants = np.asarray(time, dtype=float)
        places: dict[str, Place] = {}
        columns: dict[str, slice] = {}
        parts: list[np.ndarray] = []
        width = 0
        for name, values in signals.items():
            array = np.asarray(values, dtype=float).reshape(len(instants), -1)
            count = array.shape[1]
            dotted = name.replace("__", ".")
            places[dotted] = Place(dotted, width, () if np.ndim(values) == 1 else (count,), "1")
            columns[dotted] = slice(width, width + count)
            parts.append(array)
            width += count
        attributes = {"status": "end", "solver": "rk4", "step": 1.0, "start": 0.0, "end": instants[-1],
                      "wall_seconds": 0.5, "real_time_factor": 2.0 * instants[-1]}  # fmt: skip
        return Result(instants, places, columns, np.column_stack(parts), attributes)

    return make


@pytest.fixture
def arrives(recorded: Recorded) -> Result:
    """North by 10 m in 10 s, east by 20 m in 20 s with a dive on the way, then 10 s on the spot; 1 m to starboard."""
    t = np.arange(0.0, 40.5, 0.5)
    eta = np.zeros((len(t), 6))
    eta[:, 0] = np.clip(t, 0.0, 10.0)
    eta[:, 1] = np.clip(t - 10.0, 0.0, 20.0)
    eta[:, 2] = np.interp(t, [12.0, 17.0, 18.0, 20.0], [0.0, 5.0, 5.06, 5.0])
    return recorded(
        t,
        plant__vessel__eta=eta,
        guidance__cross_track_error=np.where(t <= 30.0, 1.0, 7.0),
        guidance__waypoint=np.where(t < 10.0, 2.0, 3.0),
        guidance__finished=(t >= 30.0).astype(float),
        guidance__depth=np.where(t < 10.0, 0.0, 5.0),
        plant__thrusters__power=np.full((len(t), 5), 20.0),
        plant__current__current=np.tile([0.0, 0.3, 0.0], (len(t), 1)),
    )


def test_figures_of_a_known_path(arrives: Result, diagram: Diagram) -> None:
    mission = Mission.of(arrives, diagram)
    assert mission is not None
    assert mission.reached == [0.0, 10.0, 30.0]
    assert mission.arrived
    assert mission.arrival_time == 30.0
    assert mission.path_length == pytest.approx(
        10.0 + 2.0 + 5.0 * np.sqrt(2.0) + np.hypot(1.0, 0.06) + np.hypot(2.0, 0.06) + 10.0
    )
    assert mission.planned.length == pytest.approx(10.0 + np.hypot(20.0, 5.0))
    assert mission.cross_track_rms == pytest.approx(1.0)
    assert mission.cross_track_max == 1.0
    assert mission.depth_error_after_dive == pytest.approx(0.06)
    assert mission.energy == pytest.approx(100.0 * 30.0)
    assert mission.current == pytest.approx([0.0, 0.3])
    assert mission.closest == pytest.approx([0.0, 0.0, 0.0])


def test_a_mission_that_does_not_arrive(arrives: Result, diagram: Diagram, recorded: Recorded) -> None:
    t = arrives.time[arrives.time < 25.0]
    cut = {name.replace(".", "__"): arrives.values(name)[: len(t)] for name in arrives}
    mission = Mission.of(recorded(t, **cut), diagram)
    assert mission is not None
    assert mission.reached == [0.0, 10.0, None]
    assert not mission.arrived
    assert mission.underway == slice(0, len(t))
    items = {item.key: item for item in summarise(recorded(t, **cut), diagram)}
    assert items["arrived"].text == "no"
    assert items["waypoints_reached"].text == "1 of 2"


def test_a_start_within_reach_of_a_waypoint(diagram: Diagram, recorded: Recorded) -> None:
    t = np.arange(4.0)
    result = recorded(
        t, plant__vessel__eta=np.zeros((4, 6)), guidance__cross_track_error=t, guidance__waypoint=np.full(4, 3.0),
        guidance__finished=np.zeros(4),
    )  # fmt: skip
    mission = Mission.of(result, diagram)
    assert mission is not None
    assert mission.reached == [0.0, 0.0, None]
    assert mission.cross_track_rms == pytest.approx(np.sqrt(np.trapezoid(t**2, t) / 3.0))
    assert mission.depth_error_after_dive is None
    assert mission.energy is None
    assert mission.current is None


def test_a_depth_that_is_left_again_counts(diagram: Diagram, recorded: Recorded) -> None:
    t = np.arange(6.0)
    eta = np.zeros((6, 6))
    eta[:, 2] = [0.0, 3.0, 4.95, 5.4, 4.8, 5.0]
    result = recorded(
        t, plant__vessel__eta=eta, guidance__cross_track_error=t, guidance__waypoint=np.full(6, 2.0),
        guidance__finished=np.zeros(6), guidance__depth=[0.0, 5.0, 5.0, 5.0, 5.0, 5.0],
    )  # fmt: skip
    strict = Mission.of(result, diagram)
    loose = Mission.of(result, diagram, {"depth_tolerance": "50 cm"})
    assert strict is not None
    assert loose is not None
    assert strict.depth_error_after_dive == pytest.approx(0.4)
    assert loose.depth_error_after_dive == pytest.approx(0.4)
    with pytest.raises(KeelblocksError, match=r"report\.depth_tolerance must be > 0 m, not -1"):
        Mission.of(result, diagram, {"depth_tolerance": -1.0})


def test_a_depth_that_is_not_reached_is_in_the_summary(diagram: Diagram, recorded: Recorded) -> None:
    t = np.arange(8.0)
    eta = np.zeros((8, 6))
    eta[:, 2] = [0.0, 0.0, 3.0, 5.0, 5.02, 6.0, 7.0, 7.8]
    result = recorded(
        t, plant__vessel__eta=eta, guidance__cross_track_error=t, guidance__waypoint=np.full(8, 2.0),
        guidance__finished=np.zeros(8), guidance__depth=[0.0, 0.0, 5.0, 5.0, 5.0, 8.0, 8.0, 8.0],
    )  # fmt: skip
    items = {item.key: item for item in summarise(result, diagram)}
    assert items["depths_reached"].text == "1 of 2, in up to 1 s"
    assert (items["dives"].value, items["depths_reached"].value, items["longest_dive"].value) == (2, 1, 1.0)
    assert items["depth_error_after_dive"].value == pytest.approx(0.02)


def test_without_a_dive_the_summary_speaks_of_none(diagram: Diagram, recorded: Recorded) -> None:
    t = np.arange(4.0)
    eta = np.zeros((4, 6))
    eta[:, 2] = [0.0, 0.02, 0.3, 0.0]
    result = recorded(
        t, plant__vessel__eta=eta, guidance__cross_track_error=t, guidance__waypoint=np.full(4, 2.0),
        guidance__finished=np.zeros(4), guidance__depth=np.zeros(4),
    )  # fmt: skip
    text = {item.label: item.text for item in summarise(result, diagram) if item.label}
    assert text["depth error, largest"] == "0.300 m"
    assert "depths reached" not in text
    assert "depth error after the dive" not in text


def test_a_loop_has_a_leg_that_closes_it(arrives: Result, diagram: Diagram) -> None:
    guidance = diagram["guidance"]
    assert isinstance(guidance, LineOfSight)
    guidance.at_end = "loop"
    mission = Mission.of(arrives, diagram)
    assert mission is not None
    assert mission.planned.length == pytest.approx(10.0 + np.hypot(20.0, 5.0) + np.sqrt(10.0**2 + 20.0**2 + 5.0**2))
    assert mission.planned.line[-1] == pytest.approx(mission.waypoints[0])
    assert "(one lap: " in next(item.text for item in summarise(arrives, diagram) if item.key == "path_length")


def test_a_curve_is_drawn_and_measured_as_it_is(arrives: Result, diagram: Diagram) -> None:
    """Half a circle of a radius of 5 m and 20 m straight ahead, not two legs."""
    poses = {"waypoints": [[0, 0], [0, 10], [-20, 10]], "headings": [0.0, np.pi, np.pi], "turning_radius": 5.0}
    diagram.replace("guidance", DubinsPath(**poses, cruise_speed=1.0, acceptance_radius=2.0))
    mission = Mission.of(arrives, diagram)
    assert mission is not None
    assert mission.planned.length == pytest.approx(5.0 * np.pi + 20.0, rel=1e-3)
    assert mission.planned.circles == pytest.approx(np.array([[-20.0, 10.0, 0.0]]))
    text = {item.key: item.text for item in summarise(arrives, diagram)}
    assert text["path_length"].endswith("m (planned: 35.71 m)")
    ax = Figure().add_subplot()
    plots.plan_view(ax, mission)
    planned = next(np.array(line.get_xydata()) for line in ax.get_lines() if line.get_label() == "planned")
    assert planned.max(axis=0) == pytest.approx([10.0, 5.0], abs=1e-2)


def test_a_mission_that_is_over_at_the_start(diagram: Diagram, recorded: Recorded) -> None:
    result = recorded(
        [0.0, 1.0], plant__vessel__eta=np.zeros((2, 6)), guidance__cross_track_error=[-0.5, 3.0],
        guidance__waypoint=[3.0, 3.0], guidance__finished=[1.0, 1.0],
    )  # fmt: skip
    mission = Mission.of(result, diagram)
    assert mission is not None
    assert mission.arrival_time == 0.0
    assert mission.cross_track_rms == 0.5  # and not 0/0
    assert mission.path_length == 0.0


def test_without_what_is_needed_there_is_no_mission(arrives: Result, diagram: Diagram, recorded: Recorded) -> None:
    assert Mission.of(recorded([0.0, 1.0], x=[1.0, 2.0]), diagram) is None
    alone = Diagram("alone")
    alone.add("vessel", Vessel6DOF.from_vehicle("minerva"))
    assert Mission.of(arrives, alone) is None
    assert summarise(arrives, alone)[0].key == "status"


def test_parts_are_found_by_their_ports(diagram: Diagram) -> None:
    parts = find_parts(diagram)
    assert (parts.guidance, parts.vessel, parts.thrusters, parts.meter) == (
        "guidance", "plant.vessel", "plant.thrusters", None,
    )  # fmt: skip
    diagram.add("meter", EnergyMeter())
    assert find_parts(diagram).meter == "meter"
    diagram.add("second", Vessel6DOF.from_vehicle("minerva"))
    assert find_parts(diagram).vessel is None
    assert find_parts(diagram, {"vessel": "second"}).vessel == "second"


def test_parts_that_are_not_there(diagram: Diagram) -> None:
    with pytest.raises(ScenarioError, match=r"no block 'plant\.vesel' to be its vessel; did you mean 'plant\.vessel'"):
        find_parts(diagram, {"vessel": "plant.vesel"})
    with pytest.raises(
        ScenarioError, match=r"'guidance' \(guidance\.LineOfSight\) cannot be its vessel; .*'plant\.vessel'|valid"
    ):
        find_parts(diagram, {"vessel": "guidance"})


def test_the_summary_for_people(arrives: Result, diagram: Diagram) -> None:
    text = {item.label: item.text for item in summarise(arrives, diagram) if item.label}
    assert text["arrived"] == "yes, after 30 s"
    assert text["waypoints reached"] == "2 of 2"
    assert text["cross-track error, RMS"] == "1.000 m"
    assert text["depth error after the dive"] == "0.060 m"
    assert text["depth error on arrival"] == "0.000 m"
    assert text["thruster energy"] == "3 kJ (0.833 W h)"
    assert text["real-time factor"] == "80"
    assert text["run"] == "complete"


def test_units_suit_the_size() -> None:
    from blocks.report.summary import duration, energy, way

    assert [duration(t) for t in (0.5, 119.99, 619.7, 20000.0)] == ["0.5 s", "120 s", "10 min 19.7 s", "5 h 33 min"]
    assert [energy(e) for e in (0.0, 12.0, 1.85e5, 7.2e6, 999.9e6, -5.79e11)] == [
        "0 J (0 W h)",
        "12 J (0.00333 W h)",
        "185 kJ (51.4 W h)",
        "7.2 MJ (2 kW h)",
        "1 GJ (278 kW h)",
        "-579 GJ (-161 MW h)",
    ]
    assert [way(length) for length in (0.0, 308.74, 50354.0)] == ["0 m", "308.7 m", "50.35 km"]
