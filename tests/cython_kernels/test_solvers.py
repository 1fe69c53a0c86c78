"""Fixed-step solvers: each converges at its own order, and steps land where they must."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from blocks.basic import Constant, Function, Integrator, Product, Sine, Sum
from blocks.diagram import Diagram
from blocks.simulation import simulate

in_both = pytest.mark.usefixtures("either_engine")


def driven_tangent() -> Diagram:
    """dx/dt = cos(t) (1 + x²), x(0) = 0: nonlinear, with an input that depends on time. x = tan(sin t)."""
    diagram = Diagram()
    for name, block in {
        "state": Integrator(),
        "square": Function("square"),
        "one": Constant(1.0),
        "sum": Sum("++"),
        "cosine": Sine(1.0, 1.0, np.pi / 2),
        "rate": Product("**"),
    }.items():
        diagram.add(name, block)
    diagram.connect("state.y", "square.u")
    diagram.connect("square.y", "sum.in1")
    diagram.connect("one.y", "sum.in2")
    diagram.connect("sum.y", "rate.in1")
    diagram.connect("cosine.y", "rate.in2")
    diagram.connect("rate.y", "state.u")
    return diagram


def errors(solver: str, counts: list[int]) -> np.ndarray:
    exact = np.tan(np.sin(0.8))
    ends = [simulate(driven_tangent(), 0.8, solver=solver, step=0.8 / n).values("state.y")[-1] for n in counts]
    return np.abs(np.ravel(ends) - exact)


def order(counts: list[int], error: np.ndarray) -> float:
    return float(-np.polyfit(np.log(counts), np.log(error), 1)[0])


@pytest.mark.parametrize(("solver", "expected"), [("euler", 1), ("heun", 2), ("rk4", 4)])
def test_order_of_convergence(solver, expected):
    counts = [20, 40, 80, 160]
    assert order(counts, errors(solver, counts)) == pytest.approx(expected, abs=0.1)


@in_both
@pytest.mark.parametrize(
    ("solver", "weights"),
    [
        ("euler", lambda z: 1 + z),
        ("heun", lambda z: 1 + z + z**2 / 2),
        ("rk4", lambda z: 1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24),
    ],
)
def test_one_step_is_the_methods_stability_polynomial(solver, weights: Callable[[float], float]):
    """Of x' = λx one step makes R(λh) x: what the method is, to rounding."""
    from blocks.basic import FirstOrderLag

    diagram = Diagram()
    diagram.add("lag", FirstOrderLag(0.5, initial_x=3.0))
    diagram.add("zero", Constant(0.0))
    diagram.connect("zero.y", "lag.u")
    end = simulate(diagram, 0.1, solver=solver, step=0.1).values("lag.y")[-1]
    assert end == pytest.approx(3.0 * weights(-0.2), rel=1e-15)


@in_both
def test_evaluations_per_step():
    """One evaluation of all outputs at each step, besides the stages of the method."""
    for solver, stages in (("euler", 1), ("heun", 2), ("rk4", 4)):
        result = simulate(driven_tangent(), 1.0, solver=solver, step=0.1)
        assert result.attributes["steps"] == 10
        assert result.attributes["evaluations"] == 10 * stages + 1


@in_both
def test_an_end_between_steps_is_reached_exactly():
    result = simulate(driven_tangent(), 0.95, solver="rk4", step=0.1)
    assert result.time[-1] == 0.95
    assert len(result.time) == 11
    assert result.values("state.y")[-1] == pytest.approx(np.tan(np.sin(0.95)), abs=3e-6)


@in_both
def test_grid_does_not_drift():
    """Points of the grid are multiples of the step, not sums of it."""
    diagram = Diagram()
    diagram.add("one", Constant(1.0))
    diagram.add("time", Integrator())
    diagram.connect("one.y", "time.u")
    result = simulate(diagram, 1000.0, step=0.1, solver="euler")
    assert np.array_equal(result.time, np.arange(10001) * 0.1)
    result = simulate(diagram, 5.0, start=-2.0, step=0.1, solver="euler")
    assert np.array_equal(result.time, -2.0 + np.arange(71) * 0.1)


@pytest.mark.parametrize("states", range(1, 10))
def test_any_number_of_states(states):
    """States are integrated several at a time; none may be left out."""
    rates = np.arange(1.0, states + 1.0)
    diagram = Diagram()
    diagram.add("rates", Constant(rates))
    diagram.add("state", Integrator(initial_x=-rates))
    diagram.connect("rates.y", "state.u")
    for solver in ("euler", "heun", "rk4", "dopri5", "LSODA"):
        end = simulate(diagram, 2.0, solver=solver, step=0.5).values("state.y")[-1]
        np.testing.assert_allclose(end, rates, rtol=1e-12)
