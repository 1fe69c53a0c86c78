"""CurrentField and WindField: exact where the field is linear, SciPy's interpolation elsewhere, and what is outside."""

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from blocks import Diagram, Swarm, simulate
from blocks.basic import Mux, Ramp, Sine
from blocks.environment import CurrentField, WindField
from blocks.errors import KeelblocksError, ParameterError
from blocks.study import Study

X, Y = np.array([-10.0, -3.0, 4.0, 30.0]), np.array([-20.0, 5.0, 6.5])
TIMES, DEPTHS = np.array([10.0, 40.0, 100.0]), np.array([0.0, 2.0, 9.0, 11.0])
RANDOM = np.random.default_rng(4)
NORTH, EAST = RANDOM.normal(size=(2, 3, 4, 4, 3))
INSIDE = RANDOM.uniform([10.0, 0.0, -10.0, -20.0], [100.0, 11.0, 30.0, 6.5], (60, 4))


def at(block, t, x, y, z=0.0):
    (velocity,) = block.evaluate(t, eta=[x, y, z, 0.1, 0.2, 0.3]).outputs.values()
    return velocity


def linear(t, z, x, y):
    return 0.3 - 0.02 * x + 0.01 * y + 0.004 * t + 0.05 * z


def test_a_linear_field_is_met_exactly():
    t, z, x, y = np.meshgrid(TIMES, DEPTHS, X, Y, indexing="ij")
    block = CurrentField(x=X, y=Y, times=TIMES, depths=DEPTHS, north=linear(t, z, x, y), east=-2.0 * linear(t, z, x, y))
    for place in INSIDE:
        expected = linear(*place)
        assert at(block, place[0], *place[2:], place[1]) == pytest.approx([expected, -2.0 * expected, 0.0], abs=1e-14)
    wind = WindField(x=X, y=Y, times=TIMES, north=linear(t, 0.0 * z, x, y)[:, 0], east=0.0)
    for place in INSIDE[:20]:
        expected = linear(place[0], 0.0, *place[2:])
        assert at(wind, place[0], *place[2:], 7.0) == pytest.approx([expected, 0.0, 0.0], abs=1e-14)


def test_any_field_is_interpolated_as_by_scipy_and_nodes_are_met_to_the_bit():
    block = CurrentField(x=X, y=Y, times=TIMES, depths=DEPTHS, north=NORTH, east=EAST)
    oracle = RegularGridInterpolator((TIMES, DEPTHS, X, Y), np.stack([NORTH, EAST], axis=-1))
    for place in INSIDE:
        assert at(block, place[0], *place[2:], place[1])[:2] == pytest.approx(oracle(place)[0], abs=1e-14)
    for i, j, k, m in [(0, 0, 0, 0), (2, 3, 3, 2), (1, 2, 1, 1)]:
        assert at(block, TIMES[i], X[k], Y[m], DEPTHS[j])[0] == NORTH[i, j, k, m]


def test_before_after_above_and_below_it_is_held():
    block = CurrentField(x=X, y=Y, times=TIMES, depths=DEPTHS, north=NORTH, east=EAST)
    assert np.array_equal(at(block, -5.0, 1.0, 2.0, -1.0), at(block, 10.0, 1.0, 2.0, 0.0))
    assert np.array_equal(at(block, 500.0, 1.0, 2.0, 99.0), at(block, 100.0, 1.0, 2.0, 11.0))
    steady = CurrentField(x=X, y=Y, north=NORTH[:1, :1], east=EAST[:1, :1])
    assert np.array_equal(at(steady, 3.0, 1.0, 2.0, 5.0), at(steady, 77.0, 1.0, 2.0, 0.0))


def test_outside_the_grid_it_is_filled():
    block = WindField(x=X, y=Y, north=NORTH[:1, 0], east=EAST[:1, 0], outside="fill", fill=[1.5, -0.5])
    for x, y in [(30.1, 0.0), (-10.1, 0.0), (0.0, 6.6), (0.0, -20.1), (99.0, 99.0)]:
        assert np.array_equal(at(block, 0.0, x, y), [1.5, -0.5, 0.0])
    assert at(block, 0.0, 30.0, 6.5)[0] == NORTH[0, 0, -1, -1]


def sailing(block):
    """A point that goes north at 2 m/s through a field."""
    diagram = Diagram()
    way = diagram.add("way", Ramp(slope=2.0))
    rest = diagram.add("rest", Sine(amplitude=[0.0] * 5))
    eta = diagram.add("eta", Mux([1, 5]))
    diagram.add("field", block)
    diagram.connect(way.y, eta.port("in1"))
    diagram.connect(rest.y, eta.port("in2"))
    diagram.connect(eta.y, block.eta)
    return simulate(diagram, 60.0, step=1.0)


def test_the_run_that_leaves_the_grid_is_told_where_and_what_the_grid_spans():
    with pytest.raises(KeelblocksError) as told:
        sailing(CurrentField(x=X, y=Y, north=NORTH[:1, :1], east=EAST[:1, :1]))
    assert str(told.value).startswith(
        "field stopped the run at t = 16 s: eta is outside of the grid: it is at x = 32 m, y = 0 m, and the grid spans "
        "x = -10 to 30 m, y = -20 to 6.5 m; outside='fill' gives the velocity fill there"
    )


def test_members_that_leave_the_grid_are_told_where_and_stop_no_others():
    """In studies and swarms as in single runs; a study may have run in another process, far from the plan."""
    block = CurrentField(x=X, y=Y, north=NORTH[:1, :1], east=EAST[:1, :1])
    diagram = Diagram()
    diagram.add("field", block)
    diagram.inputs(eta=block.eta)
    places = [[1.0, 2.0, 0.0, 0.0, 0.0, 0.0], [2000.5, 2.0, 0.0, 0.0, 0.0, 0.0]]
    said = "eta is outside of the grid: it is at x = 2000.5 m, y = 2 m, and the grid spans x = -10 to 30 m"
    where = Study(diagram, {"eta": places}, {"north": "final(field.current[north])"}, end=1.0, step=1.0).run()
    assert where.table["status"].tolist() == ["end", "failed"]
    assert where.table["north"][0] == at(block, 0.0, 1.0, 2.0)[0]
    assert said in where.reasons[1]
    swarm = Swarm(diagram, 2, inputs={"eta": places}).run(1.0, step=1.0)
    assert list(swarm.messages) == [1]
    assert said in swarm.messages[1]


def test_the_run_that_leaves_the_times_is_told_which_there_are():
    times = {"times": [-5.0, 7.0], "time_outside": "error"}
    with pytest.raises(KeelblocksError) as told:
        sailing(CurrentField(x=X, y=Y, north=NORTH[:2, :1], east=EAST[:2, :1], **times))
    assert str(told.value).startswith(
        "field stopped the run at t = 8 s: the time is outside of those of the field: it has -5 to 7 s; "
        "time_outside='hold' holds what there is then"
    )


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"x": X[::-1]}, r"CurrentField\.x must increase .* \[0\] is 30 and \[1\] is 4"),
        (
            {"y": [1.0], "north": NORTH[..., :1], "east": EAST[..., :1]},
            r"CurrentField\.y must be an array of at least 2 elements, not 1",
        ),
        ({"times": [0.0, 1.0, 1.0]}, r"CurrentField\.times must increase"),
        ({"north": NORTH.swapaxes(2, 3)}, r"CurrentField\.(x|y|north|east) has \d entries, \w+ has \d"),
        ({"north": NORTH[0, 0]}, r"CurrentField\.north must be an array of nt×nz×nx×ny.*, not an array of 4×3"),
        ({"outside": "hold"}, r"outside must be one of 'error', 'fill', not 'hold'"),
    ],
)
def test_parameters_that_do_not_fit_are_told(wrong, told):
    given = {"x": X, "y": Y, "times": TIMES, "depths": DEPTHS, "north": NORTH, "east": EAST}
    with pytest.raises(ParameterError, match=told):
        CurrentField(**(given | wrong))
