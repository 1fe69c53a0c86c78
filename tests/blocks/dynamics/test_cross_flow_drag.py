"""Cross-flow drag: against its integrals, as a block and inside of vessels, and what is refused."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.integrate import quad

from blocks import Diagram, simulate
from blocks.dynamics import CrossFlowDrag, Vessel3DOF, Vessel6DOF
from blocks.errors import ParameterError

Floats = NDArray[np.float64]

HULL = {"length": 80.0, "middle": 3.0, "sway_coefficient": 0.9, "heave_coefficient": 1.4}
MOTIONS = [
    (0.5, 0.01, 0.2, -0.004),  # to one side all along
    (0.5, 0.05, -0.2, 0.03),  # it turns about a point within the hull
    (0.0, -0.02, 0.0, -0.01),  # on the spot
    (-0.6, 0.0, 0.3, 0.0),  # straight across
]


def load(block: CrossFlowDrag, v: float, r: float, w: float = 0.0, q: float = 0.0) -> Floats:
    return np.asarray(block.evaluate(nu_r=[3.0, v, w, 0.1, q, r]).outputs["disturbance"])


def integral(density: float, width: Callable[[float], float], speed: float, rate: float, edges: Floats) -> Floats:
    """½ρ ∫ C_D width |s| s (1, x) dx, by adaptive quadrature between the edges and where s changes sign."""
    found = np.zeros(2)
    turn = -speed / rate if rate else np.inf
    cuts = np.unique([*edges, *([turn] if edges[0] < turn < edges[-1] else [])])
    for low, high in pairwise(cuts):
        middle = width(0.5 * (low + high))
        for k in (0, 1):
            value, _ = quad(lambda x, k=k: abs(speed + rate * x) * (speed + rate * x) * x**k, low, high)
            found[k] += 0.5 * density * middle * value
    return found


@pytest.mark.parametrize(("v", "r", "w", "q"), MOTIONS)
@pytest.mark.parametrize("strips", [1, 5])
def test_it_is_the_integral_over_every_strip_exactly(strips: int, v: float, r: float, w: float, q: float) -> None:
    """By SciPy's quadrature: also where the velocity changes sign within a strip."""
    draught, breadth = 4.0 + np.sin(np.arange(strips)), 12.0 + np.cos(np.arange(strips))
    edges = 3.0 + 80.0 * (np.arange(strips + 1) / strips - 0.5)
    block = CrossFlowDrag(draught=draught, breadth=breadth, **HULL)

    def at(table: Floats, x: float) -> float:
        return float(table[min(int((x - edges[0]) / (80.0 / strips)), strips - 1)])

    sway, yaw = integral(1025.0, lambda x: 0.9 * at(draught, x), v, r, edges)
    heave, pitch = integral(1025.0, lambda x: 1.4 * at(breadth, x), w, -q, edges)
    expected = [0.0, -sway, -heave, 0.0, pitch, -yaw]
    np.testing.assert_allclose(load(block, v, r, w, q), expected, rtol=1e-12, atol=1e-9)


def test_closed_forms_of_a_hull_of_one_section() -> None:
    """Straight across ½ρ C T L v², on the spot ½ρ C T L⁴ r²/32: Faltinsen (1990), ch. 6."""
    block = CrossFlowDrag(length=80.0, draught=4.0, sway_coefficient=0.9, density=1000.0)
    assert load(block, 0.5, 0.0)[1] == pytest.approx(-500.0 * 0.9 * 4.0 * 80.0 * 0.25, rel=1e-14)
    assert load(block, 0.0, 0.02)[5] == pytest.approx(-500.0 * 0.9 * 4.0 * 80.0**4 / 32.0 * 4e-4, rel=1e-14)
    one = load(block, 0.3, 0.015)
    many = load(CrossFlowDrag(length=80.0, draught=[4.0] * 7, sway_coefficient=0.9, density=1000.0), 0.3, 0.015)
    np.testing.assert_allclose(many, one, rtol=1e-13)


def test_a_published_sum_is_as_much_too_high_as_it_is_said() -> None:
    """21 strips of a twentieth of the length, as one toolbox has them: 5 % in sway and 15 % and more in yaw."""
    block = CrossFlowDrag(length=20.0, draught=1.0, sway_coefficient=1.0, density=2.0)
    x = np.linspace(-10.0, 10.0, 21)
    across, turning = np.sum(np.ones(21)), np.sum(np.abs(x) * x * x)
    assert across / -load(block, 1.0, 0.0)[1] == pytest.approx(1.05)
    assert 1.15 < turning / -load(block, 0.0, 1.0)[5] < 1.25


def test_strips_of_a_tapered_hull_converge_with_their_square() -> None:
    """Draught 1 - x² on (-1, 1), which turns about a point half-way aft."""
    v, r = 0.5, 1.0
    exact = [quad(lambda x, k=k: (1.0 - x * x) * abs(v + r * x) * (v + r * x) * x**k, -1.0, 1.0, points=[-0.5])[0]
             for k in (0, 1)]  # fmt: skip
    errors = []
    for n in (4, 8, 16, 32):
        x = (np.arange(n) + 0.5) * 2.0 / n - 1.0
        block = CrossFlowDrag(length=2.0, draught=1.0 - x**2, sway_coefficient=1.0, density=2.0)
        found = load(block, v, r)
        errors.append([abs(-found[1] - exact[0]), abs(-found[5] - exact[1])])
    orders = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.all(orders[-1] > 1.9), orders


def test_it_takes_energy_out_and_mirrors() -> None:
    rng = np.random.default_rng(5)
    block = CrossFlowDrag(draught=[2.0, 5.0, 3.0], breadth=12.0, **HULL)
    for _ in range(50):
        nu = rng.normal(size=6)
        found = np.asarray(block.evaluate(nu_r=nu).outputs["disturbance"])
        assert found @ nu < 0.0
        mirrored = np.asarray(block.evaluate(nu_r=-nu).outputs["disturbance"])
        np.testing.assert_allclose(mirrored, -found, rtol=1e-13)


BODY = {
    "rigid_body_inertia": np.diag([9e5, 9e5, 9e5, 2e7, 3e8, 3e8]),
    "added_mass": np.diag([5e4, 6e5, 9e5, 1e7, 2e8, 2e8]),
    "initial_nu": [2.0, 0.6, 0.1, 0.0, 0.01, -0.03],
}
STRIPS = {"length": 40.0, "draught": [2.0, 3.0, 1.5], "sway_coefficient": 0.9, "middle": -1.0, "density": 1000.0}
FLAT = {"breadth": [6.0, 8.0, 5.0], "heave_coefficient": 1.3}


def inside(**values: object) -> dict[str, object]:
    return {f"cross_flow_{name}": value for name, value in values.items()}


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_a_vessel_has_it_inside_as_beside(attitude: str) -> None:
    """The same motion from the block, wired, and from the vessel's own strips; in a current."""
    given = {"force": [3e4, 0, 0, 0, 0, 1e5], "current": [0.3, -0.4, 0.0]}
    own = Vessel6DOF(**BODY, attitude=attitude, **inside(**STRIPS, **FLAT))
    alone = simulate(own, "60 s", step="0.05 s", inputs=given)
    diagram = Diagram("beside")
    vessel = diagram.add("vessel", Vessel6DOF(**BODY, attitude=attitude))
    drag = diagram.add("drag", CrossFlowDrag(**STRIPS, **FLAT))
    diagram.connect(vessel.nu_r, drag.nu_r)
    diagram.connect(drag.disturbance, vessel.disturbance)
    diagram.inputs(force=vessel.force, current=vessel.current)
    beside = simulate(diagram, "60 s", step="0.05 s", inputs=given)
    moved = alone.values("vessel_6dof.eta")
    assert np.abs(moved[-1, :2]).max() > 20.0
    np.testing.assert_allclose(moved, beside.values("vessel.eta"), rtol=1e-11, atol=1e-10)


def test_the_planar_vessel_has_that_of_the_one_in_six_degrees_of_freedom() -> None:
    nu = [1.0, 0.5, 0.0, 0.0, 0.0, -0.04]
    planar = Vessel3DOF(mass=9e5, yaw_inertia=3e8, surge_in_turn=[300.0, -200.0, 5e4], **inside(**STRIPS))
    force = np.asarray(planar.evaluate(states={"nu": nu}).outputs["damping_force"])
    full = np.asarray(Vessel6DOF(**BODY, **inside(**STRIPS)).evaluate(states={"nu": nu}).outputs["damping_force"])
    np.testing.assert_allclose(force[[1, 5]], full[[1, 5]], rtol=1e-14)
    assert force[0] == pytest.approx(300.0 * 0.25 + 200.0 * 0.5 * 0.04 + 5e4 * 0.04**2, rel=1e-13)
    np.testing.assert_allclose(
        force, -load(CrossFlowDrag(**STRIPS), 0.5, -0.04) + [force[0], 0, 0, 0, 0, 0], rtol=1e-14
    )


def test_resistance_in_a_turn_is_that_of_a_ship_ahead() -> None:
    """It does not change sign with the side, and goes with the squares."""
    planar = Vessel3DOF(mass=9e5, yaw_inertia=3e8, surge_in_turn=[300.0, 200.0, 5e4])

    def surge(v: float, r: float) -> float:
        return float(planar.evaluate(states={"nu": [2.0, v, 0, 0, 0, r]}).outputs["damping_force"][0])

    assert surge(0.5, -0.04) == surge(-0.5, 0.04)
    assert surge(1.0, -0.08) == pytest.approx(4.0 * surge(0.5, -0.04))
    assert surge(0.0, 0.0) == 0.0


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"cross_flow_length": 2.0, "cross_flow_draught": -1.0}, "cross_flow_draught must be ≥ 0 m, not -1"),
        (
            {"cross_flow_length": 2.0, "cross_flow_draught": [1.0, 2.0], "cross_flow_sway_coefficient": [1.0] * 3},
            "cross_flow_draught has 2 entries, cross_flow_sway_coefficient has 3",
        ),
        (
            {"cross_flow_length": 2.0, "cross_flow_draught": [[1.0, 2.0]], "cross_flow_sway_coefficient": 1.0},
            "must be a number in m, or a list with one for each strip from aft to fore, not an array of 1×2",
        ),
    ],
)
def test_what_cannot_be_strips_is_refused(wrong: dict[str, object], told: str) -> None:
    with pytest.raises(ParameterError, match=told):
        Vessel3DOF(mass=20.0, yaw_inertia=5.0, **wrong)


@pytest.mark.parametrize(
    ("half", "told"),
    [
        ({"cross_flow_draught": 2.0}, "cross_flow_draught is given and cross_flow_length is not"),
        ({"cross_flow_length": 2.0}, "cross_flow_length is 2 m and no drag follows from it"),
        ({"cross_flow_length": 2.0, "cross_flow_draught": 1.0}, "no drag follows"),
    ],
)
def test_half_of_what_it_takes_is_told(half: dict[str, object], told: str) -> None:
    (problem,) = Vessel3DOF(mass=20.0, yaw_inertia=5.0, **half).improbable()
    assert told in problem.message
    assert not list(Vessel3DOF(mass=20.0, yaw_inertia=5.0, **inside(**STRIPS)).improbable())
