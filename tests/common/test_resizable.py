"""Sizes that may change while a plan runs: kernels go by the number of rows, not by the room that there is for more.

What stands in the rows beyond must have no influence, so it is made no number.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blocks import Block, Diagram
from blocks.basic import LookupTable1D, LookupTable2D, StateSpace, Sum, TimeSeries, TransferFunction
from blocks.errors import ParameterError
from blocks.guidance import LineOfSight
from blocks.plan import Plan, make_plan

MORE = 4

RESIZABLE = {
    "environment.TabulatedSea": {"m": ["table_frequencies", "densities"]},
    "basic.LookupTable1D": {"m": ["breakpoints", "table"]},
    "basic.LookupTable2D": {"m": ["rows", "table"]},
    "basic.TimeSeries": {"m": ["times", "data"]},
    "environment.CurrentField": {"nt": ["times", "north", "east"]},
    "environment.ShearedCurrent": {"m": ["depths", "speeds", "directions"]},
    "environment.WindField": {"nt": ["times", "north", "east"]},
    "guidance.AdaptiveLineOfSight": {"n": ["waypoints"]},
    "guidance.CurvedPath": {"n": ["waypoints"]},
    "guidance.DubinsPath": {"n": ["waypoints", "headings"]},
    "guidance.IntegralLineOfSight": {"n": ["waypoints"]},
    "control.GainScheduledPID": {"m": ["kp", "ki", "kd", "breakpoints"]},
    "guidance.LineOfSight": {"n": ["waypoints"]},
    "guidance.LineOfSight3D": {"n": ["waypoints"]},
    "guidance.MinimumSnapTrajectory": {"n": ["waypoints", "times"]},
    "thrust.Tether": {"m": ["profile_depths", "profile_factors"]},
    "thrust.MeasuredThruster": {"m": ["commands", "thrusts", "speeds", "powers"]},
    "power.Battery": {"m": ["charge", "open_circuit_voltage"]},
    "power.ElectricDrive": {"m": ["load_points", "efficiency"]},
    "power.ShaftPowerTable": {"m": ["speeds", "torques"]},
}


def shortened(block: Block, size: str, rows: int) -> Block:
    """The same block with the first rows only of the parameters of this length."""
    values = dict(block.values)
    for name in block.resizable_sizes()[size]:
        if np.ndim(values[name]):  # a single number stands for every row
            values[name] = np.asarray(values[name])[:rows]
    return type(block)(**values)


def bits(plan: Plan, engine: Any) -> list[bytes]:
    """Outputs, states, derivatives and crossing functions over a run, with constant inputs."""
    for k, place in enumerate(plan.inputs.values()):
        engine.values[place.slice] = 0.4 + 0.3 * k
    found = []
    assert engine.start(0.0) == 0
    for t in (0.0, 0.3, 0.9, 2.4):
        assert engine.advance(t) == 0
        assert engine.look(t) == 0
        found += [engine.values[place.slice].tobytes() for place in (plan.outputs | plan.states).values()]
        found += [engine.values[plan.regions.dx : plan.regions.g].tobytes(), engine.crossings.tobytes()]
    return found


def test_kernels_go_by_the_number_of_rows(sample):
    block = sample()
    assert block.resizable_sizes() == RESIZABLE.get(sample.name, {})
    for size, names in block.resizable_sizes().items():
        rows = block.known_sizes()[size]
        for fewer in range(type(block).least_sizes.get(size, 1), rows + 1):
            short = shortened(block, size, fewer)
            tight, roomy = make_plan(short), make_plan(short, capacities={size: rows + MORE})
            engine = roomy.engine()
            for name in names:
                place = roomy.parameters[f"{roomy.flat.leaves[0].name}.{name}"]
                assert place.shape[0] == rows + MORE
                engine.values[place.slice].reshape(place.shape)[fewer:] = np.nan
            engine.parameters_changed()
            assert bits(tight, tight.engine()) == bits(roomy, engine), f"{fewer} rows with room for {rows + MORE}"


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
