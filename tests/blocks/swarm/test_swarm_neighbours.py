"""Vehicles that see each other go in lockstep: what each sees is what the others were when the step began."""

from __future__ import annotations

import numpy as np

from blocks import Diagram, Swarm
from blocks.basic import Constant, Delay, FirstOrderLag, Gain, Integrator, MatrixGain, Mux, Step, Sum

COUNT = 7


def follower() -> Diagram:
    """dx/dt = leader - x."""
    diagram = Diagram("follower")
    error = diagram.add("error", Sum("+-"))
    place = diagram.add("place", Integrator())
    diagram.connect(error.y, place.u)
    diagram.connect(place.y, error.input_port("in2"))
    diagram.inputs(leader=error.input_port("in1"))
    return diagram


def test_a_chain_of_followers_is_the_coupled_system():
    """x_i' = x_{i-1} - x_i by Euler's method: what neighbours did in the step before is what Euler's method takes."""
    start = np.arange(COUNT, dtype=float)
    swarm = Swarm(
        follower(),
        COUNT,
        parameters={"place.initial_x": start},
        inputs={"leader": 10.0},
        neighbours={"leader": ("place.y", np.arange(-1, COUNT - 1))},
    )
    h, steps = 0.05, 60
    runs = [swarm.run(h * steps, solver="euler", step=h, threads=n).values("place.y") for n in (1, 2, 5)]
    x = start.copy()
    for k in range(steps + 1):
        np.testing.assert_allclose(runs[0][:, k], x, rtol=1e-13)
        x += h * (np.concatenate([[10.0], x[:-1]]) - x)
    np.testing.assert_array_equal(runs[0], runs[1])
    np.testing.assert_array_equal(runs[0], runs[2])


def test_several_neighbours_stand_one_after_the_other():
    """Each goes to the weighted mean of two others: x_i' = a x_j + b x_k - x_i."""
    diagram = Diagram("mean")
    mean = diagram.add("mean", MatrixGain([[0.25, 0.75]]))
    lag = diagram.add("lag", FirstOrderLag(1.0))
    diagram.connect(mean.y, lag.u)
    diagram.inputs(seen=mean.input_port("u"))
    whose = np.array([[1, 2], [0, 2], [0, 1]])
    start = np.array([0.0, 1.0, 5.0])
    swarm = Swarm(diagram, 3, parameters={"lag.initial_x": start}, neighbours={"seen": ("lag.y", whose)})
    result = swarm.run(2.0, solver="euler", step=0.1).values("lag.y")
    x = start.copy()
    for k in range(21):
        np.testing.assert_allclose(result[:, k], x, rtol=1e-13)
        x += 0.1 * (x[whose] @ [0.25, 0.75] - x)


def test_what_is_sent_is_that_of_one_instant():
    """An output that holds what came in, as a Mux does, is not passed on twice in one exchange."""
    diagram = Diagram("relay")
    clock = diagram.add("clock", Integrator())
    diagram.connect(diagram.add("rate", Constant(1.0)).y, clock.u)
    both = diagram.add("both", Mux([1, 1]))
    diagram.connect(clock.y, both.input_port("in1"))
    diagram.inputs(heard=both.input_port("in2"))
    for whose, given in (([-1, 0, 1], [7.0, 8.0, 9.0]), ([1, 2, -1], [9.0, 8.0, 7.0])):
        swarm = Swarm(diagram, 3, inputs={"heard": given}, neighbours={"heard": ("both.y[1]", whose)})
        heard = swarm.run(0.3, solver="euler", step=0.1).values("both.y")[:, :, 1]
        first, second, last = heard if whose[0] == -1 else heard[::-1]
        np.testing.assert_array_equal(first, 7.0)
        np.testing.assert_array_equal(second, 7.0)
        assert last[0] == 8.0  # what the second had before the exchange
        np.testing.assert_array_equal(last[-2:], 7.0)


def test_a_vehicle_that_divides_a_step_stays_in_lockstep():
    """The first jumps within the second step; the other, which is told where the first is, within the fifth."""
    diagram = Diagram("sprint")
    place, heard = diagram.add("place", Integrator()), diagram.add("heard", Gain())
    diagram.connect(diagram.add("push", Step()).y, place.u)
    diagram.inputs(other=heard.input_port("u"))
    swarm = Swarm(
        diagram, 2, parameters={"push.time": [0.13, 0.42]}, inputs={"other": 0.0},
        neighbours={"other": ("place.y", [-1, 0])},
    )  # fmt: skip
    run = swarm.run(1.0, step=0.1)
    first, second = run.values("place.y")
    np.testing.assert_allclose(first, np.maximum(0.0, 0.1 * np.arange(11) - 0.13), atol=1e-12)
    np.testing.assert_allclose(second, np.maximum(0.0, 0.1 * np.arange(11) - 0.42), atol=1e-12)
    np.testing.assert_array_equal(run.values("heard.y")[1], first)


def test_an_input_of_any_size_is_as_wide_as_what_neighbours_send():
    diagram = Diagram("any")
    twice = diagram.add("twice", Gain(2.0))
    diagram.inputs(seen=twice.input_port("u"))
    diagram.add("own", Constant([1.0, 2.0, 3.0]))
    own = np.arange(6.0).reshape(2, 3)
    result = Swarm(diagram, 2, parameters={"own.value": own}, neighbours={"seen": ("own.y", [[1, 0], [0, 0]])}).run(0.1)
    np.testing.assert_array_equal(result.values("twice.y")[:, -1], 2.0 * own[[[1, 0], [0, 0]]].reshape(2, 6))


def test_sampled_blocks_go_in_lockstep():
    """A controller with a period of three steps sees its leader at its hits."""
    diagram = Diagram("sampled")
    held = diagram.add("held", Delay(1, period=0.03))
    lag = diagram.add("lag", FirstOrderLag(1.0))
    diagram.connect(held.y, lag.u)
    diagram.inputs(leader=held.input_port("u"))
    swarm = Swarm(
        diagram, 3, parameters={"lag.initial_x": [3.0, 1.0, 0.0]}, neighbours={"leader": ("lag.y", [2, 0, 1])}
    )
    runs = [swarm.run(0.3, solver="euler", step=0.01, threads=n) for n in (1, 2)]
    x, kept, out = np.array([3.0, 1.0, 0.0]), np.zeros(3), np.zeros(3)
    for k in range(30):
        if k % 3 == 0:
            out, kept = kept, x[[2, 0, 1]]
        np.testing.assert_allclose(runs[0].values("lag.y")[:, k], x, rtol=1e-12)
        x = x + 0.01 * (out - x)
    np.testing.assert_array_equal(runs[0].values("lag.y"), runs[1].values("lag.y"))
