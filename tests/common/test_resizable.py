"""Sizes that may change while a plan runs; that kernels go by the number of rows is a trial of every block."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Diagram
from blocks.basic import LookupTable1D, LookupTable2D, StateSpace, Sum, TimeSeries, TransferFunction
from blocks.errors import ParameterError
from blocks.guidance import LineOfSight
from blocks.plan import make_plan

RESIZABLE = {
    "environment.TabulatedSea": {"m": ["table_frequencies", "densities"]},
    "basic.LookupTable1D": {"m": ["breakpoints", "table"]},
    "basic.LookupTable2D": {"m": ["rows", "table"]},
    "basic.TimeSeries": {"m": ["times", "data"]},
    "environment.Surfacing": {"n": ["centres", "volumes", "radii"]},
    "environment.CurrentField": {"nt": ["times", "north", "east"]},
    "environment.EvolvingSea": {"m": ["times", "significant_height", "peak_period", "direction"]},
    "environment.ShearedCurrent": {"m": ["depths", "speeds", "directions"]},
    "environment.WindField": {"nt": ["times", "north", "east"]},
    "dynamics.NomotoVessel": {"k": ["speeds", "gains", "time_constants", "cubics"]},
    "guidance.AdaptiveLineOfSight": {"n": ["waypoints"]},
    "guidance.CurvedPath": {"n": ["waypoints"]},
    "guidance.DubinsPath": {"n": ["waypoints", "headings"]},
    "guidance.IntegralLineOfSight": {"n": ["waypoints"]},
    "control.GainScheduledPID": {"m": ["kp", "ki", "kd", "breakpoints"]},
    "guidance.LineOfSight": {"n": ["waypoints"]},
    "guidance.LineOfSight3D": {"n": ["waypoints"]},
    "guidance.MinimumSnapTrajectory": {"n": ["waypoints", "times"]},
    "thrust.Tether": {"m": ["profile_depths", "profile_factors"]},
    "thrust.MeasuredAllocation": {"m": ["commands", "thrusts", "speeds"]},
    "thrust.MeasuredThruster": {"m": ["commands", "thrusts", "speeds", "powers"]},
    "power.Battery": {"m": ["charge", "open_circuit_voltage"]},
    "power.ElectricDrive": {"m": ["load_points", "efficiency"]},
    "power.ShaftPowerTable": {"m": ["speeds", "torques"]},
}


def test_sizes_that_may_change_are_known(sample):
    assert sample().resizable_sizes() == RESIZABLE.get(sample.name, {})


def test_rows_are_filled_up_with_the_last_one():
    plan = make_plan(LineOfSight(waypoints=[[0, 0, 0], [1, 2, 3]], acceptance_radius=1, cruise_speed=1),
                     capacities={"n": 4})  # fmt: skip
    given = plan.engine().values[plan.parameters["line_of_sight.waypoints"].slice]
    np.testing.assert_array_equal(given.reshape(4, 3), [[0, 0, 0], [1, 2, 3], [1, 2, 3], [1, 2, 3]])


def test_the_plan_says_where_sizes_stand():
    """The engine reads them from the section `numbers` of the stored plan."""
    diagram = Diagram()
    diagram.add("table", LookupTable1D([0.0, 1.0, 2.0], [1.0, 2.0, 3.0]))
    diagram.add("map", LookupTable2D([0.0, 1.0], [0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]]))
    diagram.inputs(u=["table.u", "map.u1", "map.u2"])
    plan = diagram.plan(capacities={"table.m": 5})
    places = {"table.n": 1, "table.m": 3, "map.n": 1, "map.m": 2, "map.k": 2}
    assert list(plan.numbers) == list(places)
    assert sorted(plan.numbers.values()) == list(range(5))
    numbers = np.array(list(places.values()), dtype="<i4")
    assert numbers[list(plan.numbers.values())].tobytes() in plan.stored


def test_sizes_that_decide_more_than_a_length_stay():
    assert TransferFunction([1.0], [1.0, 1.0]).resizable_sizes() == {}  # the order, and the feedthrough
    assert StateSpace([[0.0]], [[1.0]], [[1.0]]).resizable_sizes() == {}
    assert Sum("+-").resizable_sizes() == {}  # one input each
    assert TimeSeries([0.0, 1.0], [[1.0, 2.0], [3.0, 4.0]]).resizable_sizes() == {"m": ["times", "data"]}


@pytest.mark.parametrize(
    ("capacities", "message"),
    [
        ({"guidance.m": 9}, r"no size 'guidance.m' that can grow; did you mean 'guidance.n'\?"),
        ({"tables.k": 9}, r"no size 'tables.k' that can grow; valid: guidance.n"),
        ({"guidance.n": 1}, r"the capacity of guidance.n must be a whole number of at least 2, as many as "
                            r"guidance.waypoints has now, not 1"),
        ({"guidance.n": 2.5}, r"must be a whole number of at least 2, .* not 2.5"),
        ({"guidance.n": True}, r"must be a whole number of at least 2, .* not True"),
        ({"guidance.n": 10**9}, r"the capacity of guidance.n must be at most 100000, not 1000000000"),
        ({"guidance.n": "many"}, r"must be a whole number of at least 2, .* not 'many'"),
    ],
)  # fmt: skip
def test_room_that_cannot_be_is_refused(capacities, message):
    diagram = Diagram()
    diagram.add("guidance", LineOfSight(waypoints=[[0, 0, 0], [1, 2, 3]], acceptance_radius=1, cruise_speed=1))
    diagram.inputs(eta="guidance.eta", nu="guidance.nu")
    with pytest.raises(ParameterError, match=message):
        diagram.plan(capacities=capacities)


def test_room_is_refused_where_nothing_can_grow():
    with pytest.raises(ParameterError, match=r"no size 'n' that can grow; there is none here"):
        make_plan(Sum("+-"), capacities={"n": 5})
