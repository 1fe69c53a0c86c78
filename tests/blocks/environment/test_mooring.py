"""Mooring lines as catenaries: limits with a solution by hand, equilibrium along the line, energy, plans of lines."""

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import brentq

from blocks.environment import Mooring

INEXTENSIBLE = 1e13


def line(x: float, z: float, length: float, *, anchor_above: float | None = None, **changes: Any) -> dict[str, Any]:
    """Outputs of one line whose fairlead is x north of its anchor and z above it, over a floor if one is given."""
    floor = {} if anchor_above is None else {"depth": 100.0 + anchor_above}
    given = {"lines": [[0.0, 0.0, 100.0, 0.0, 0.0, 0.0]], "length": length, "weight": 50.0, "axial_stiffness": 1e6}
    found = Mooring(**(given | floor | changes)).evaluate(eta=[x, 0.0, 100.0 - z, 0.0, 0.0, 0.0]).outputs
    return {name: value.item() if value.size == 1 else value for name, value in found.items()}


def test_a_free_line_of_no_stretch_is_the_catenary() -> None:
    """Between level ends: L = 2 a sinh(X/2a), H = w a."""
    for x in (1.0, 30.0, 45.0, 49.9):
        a = brentq(lambda a, x=x: 2.0 * a * np.sinh(x / (2.0 * a)) - 50.0, x / 1000.0, 1e5)
        found = line(x, 0.0, 50.0, axial_stiffness=INEXTENSIBLE)
        assert -found["disturbance"][0] == pytest.approx(50.0 * a, rel=1e-6)
        assert found["disturbance"][2] == pytest.approx(0.5 * 50.0 * 50.0, rel=1e-12)


def test_a_line_on_the_floor_of_no_stretch_is_the_catenary() -> None:
    """From its touchdown on: s² = Z² + 2 a Z, X = L - s + a arcosh(1 + Z/a), T = H + w Z."""
    for a in (0.5, 10.0, 60.0, 200.0):
        z, length = 20.0, 120.0
        hanging = np.sqrt(z**2 + 2.0 * z * a)
        found = line(length - hanging + a * np.arccosh(1.0 + z / a), z, length, anchor_above=0.0,
                     axial_stiffness=INEXTENSIBLE)  # fmt: skip
        assert found["anchor_tension"] == pytest.approx(50.0 * a, rel=1e-6)
        assert found["tension"] == pytest.approx(50.0 * (a + z), rel=1e-6)
        assert found["suspended"] == pytest.approx(hanging, rel=1e-6)
        assert np.cos(found["angle"]) == pytest.approx(a / (a + z), rel=1e-6)


def test_a_line_without_weight_is_a_spring() -> None:
    for x, z in ((30.0, 42.0), (51.0, 0.0), (0.0, 55.0)):
        found = line(x, z, 50.0, weight=0.0)
        assert found["tension"] == pytest.approx(1e6 * (np.hypot(x, z) / 50.0 - 1.0), rel=1e-6)
    assert line(20.0, 10.0, 50.0, weight=0.0)["tension"] < 1e-6


def test_a_line_that_hangs_straight_down_is_stretched_by_its_weight() -> None:
    """Z = L + (V_a L + w L²/2)/EA if taut; slack, both legs hang, or the rest lies on the floor."""
    z = 50.5
    low = 1e6 * (z / 50.0 - 1.0) - 0.5 * 50.0 * 50.0
    taut = line(0.0, z, 50.0)
    assert [taut["anchor_tension"], taut["tension"]] == pytest.approx([low, low + 2500.0], rel=1e-9)
    slack = line(0.0, 20.0, 50.0, axial_stiffness=INEXTENSIBLE)
    assert [slack["anchor_tension"], slack["tension"]] == pytest.approx([15.0 * 50.0, 35.0 * 50.0], rel=1e-6)
    lying = line(0.0, 20.0, 50.0, axial_stiffness=INEXTENSIBLE, anchor_above=0.0)
    assert [lying["anchor_tension"], lying["tension"], lying["suspended"]] == pytest.approx(
        [0.0, 1000.0, 20.0], abs=1e-6
    )
    heap = line(25.0, 20.0, 50.0, axial_stiffness=INEXTENSIBLE, anchor_above=0.0)
    assert heap["tension"] == pytest.approx(1000.0)
    assert heap["angle"] == pytest.approx(np.pi / 2)


def span(found: dict[str, Any], length: float, weight: float, stiffness: float, friction: float) -> NDArray[np.float64]:
    """X and Z of a line under the pulls that the block says, by summing its parts from the fairlead on."""
    parts = 200_000
    s = (np.arange(parts) + 0.5) * length / parts  # from the fairlead
    pull, low = found["disturbance"], found["anchor_disturbance"]
    vertical = pull[2] - weight * s
    lying = length - found["suspended"]
    if lying > 0.0:
        up = pull[2] / weight
        vertical = np.where(s < up, vertical, np.minimum(0.0, -weight * (s - up - lying)))
    along = np.maximum(-pull[0] - friction * weight * np.maximum(s - (length - lying), 0.0), 0.0)
    tension = np.hypot(along, vertical)
    assert [low[0], -low[2]] == pytest.approx([along[-1], vertical[-1]], rel=1e-3, abs=1e-3 * abs(weight) * length)
    both = np.array([along, vertical]) * np.where(
        tension > 0.0, 1.0 / np.maximum(tension, 1e-300) + 1.0 / stiffness, 0.0
    )
    both[0, tension == 0.0] = 1.0
    sums: NDArray[np.float64] = both.sum(axis=1) * length / parts
    return sums


@pytest.mark.parametrize("kind", ["free", "floor", "friction", "hung", "floats"])
def test_the_line_is_in_equilibrium_all_along(kind: str) -> None:
    """The pulls of the block, followed along the line, lead from the fairlead to the anchor."""
    random = np.random.default_rng(3)
    lying = 0
    for _ in range(40):
        length, weight = 10.0 ** random.uniform(1, 3), 10.0 ** random.uniform(0, 3)
        stiffness = weight * length * 10.0 ** random.uniform(0.3, 5)
        above = length * random.uniform(0.005, 0.1) if kind == "hung" else None if kind in ("free", "floats") else 0.0
        friction = 0.7 if kind == "friction" else 0.0
        z = length * random.uniform(0.05, 0.8)
        x = np.sqrt((length * random.uniform(0.85, 1.01)) ** 2 - z**2)
        sign = -1.0 if kind == "floats" else 1.0
        found = line(x, z, length, anchor_above=above, weight=sign * weight, axial_stiffness=stiffness,
                     seabed_friction=friction)  # fmt: skip
        reached = span(found, length, sign * weight, stiffness, friction)
        assert reached == pytest.approx([x, z], abs=2e-6 * length), (kind, length, weight, stiffness, x, z)
        lying += found["suspended"] < length
    assert (lying > 5) == (kind in ("floor", "friction", "hung"))


def test_moving_the_fairlead_round_a_circle_takes_no_work() -> None:
    """Elastic lines on a smooth floor have a potential: the integral of F·dr over a closed path is 0."""
    mooring = Mooring(
        lines=[[0.0, 0.0, 50.0, 0.0, 0.0, 0.0]], length=120.0, weight=500.0, axial_stiffness=2e7, depth=50.0
    )
    angles = 2.0 * np.pi * np.arange(400) / 400
    ring = np.array([100.0 + 12.0 * np.cos(angles), 3.0 * np.sin(angles), 6.0 * np.sin(angles)]).T
    forces = np.array([mooring.evaluate(eta=[*r, 0, 0, 0]).outputs["disturbance"][:3] for r in ring])
    steps = np.roll(ring, -1, axis=0) - np.roll(ring, 1, axis=0)
    work = 0.5 * np.sum(forces * steps, axis=1)
    assert abs(work.sum()) < 1e-6 * np.abs(work).sum()


def test_tension_rises_without_a_jump_from_slack_to_taut() -> None:
    """Over heap, touchdown, anchor uplift and a taut line; on the way each of them is passed."""
    x = np.linspace(60.0, 123.0, 600)
    found = [line(float(one), 30.0, 120.0, anchor_above=0.0, weight=500.0, axial_stiffness=5e6) for one in x]
    tension = np.array([one["tension"] for one in found])
    assert np.all(np.diff(tension) >= -1e-9 * tension[1:])
    steps = np.diff(np.log(tension))
    assert steps.max() < 0.3
    assert found[0]["disturbance"][0] == 0.0
    assert found[-1]["suspended"] == 120.0


FOUR = [
    [ahead * 120.0, side * 90.0, 50.0, ahead * 20.0, side * 6.0, 0.0] for ahead in (1.0, -1.0) for side in (1.0, -1.0)
]


def moored(eta: Any, **changes: Any) -> dict[str, Any]:
    given = {"lines": FOUR, "length": 150.0, "weight": 700.0, "axial_stiffness": 4e8, "depth": 50.0}
    return dict(Mooring(**(given | changes)).evaluate(eta=eta).outputs)


def test_a_symmetric_plan_holds_the_vessel_and_pulls_it_back() -> None:
    rest = moored(np.zeros(6))
    down = rest["disturbance"][2]
    assert down > 0.0
    assert np.abs(np.delete(rest["disturbance"], 2)).max() < 1e-9 * down
    assert rest["tension"] == pytest.approx(np.full(4, rest["tension"][0]))
    for axis in (0, 1, 5):
        eta = np.zeros(6)
        eta[axis] = 2.0 if axis < 2 else 0.1
        there, back = (moored(sign * eta)["disturbance"] for sign in (1.0, -1.0))
        assert there[axis] < 0.0
        assert there[axis] == pytest.approx(-back[axis], rel=1e-9)


def test_turning_everything_turns_the_load() -> None:
    turn = 0.7
    rotation = np.array([[np.cos(turn), -np.sin(turn), 0], [np.sin(turn), np.cos(turn), 0], [0, 0, 1.0]])
    turned = [[*rotation @ one[:3], *one[3:]] for one in FOUR]
    offset = np.array([3.0, 1.0, 0.5])
    straight = moored([*offset, 0.02, -0.01, 0.0])["disturbance"]
    other = moored([*rotation @ offset, 0.02, -0.01, turn], lines=turned)["disturbance"]
    np.testing.assert_allclose(other, straight, rtol=1e-9, atol=1e-6 * np.abs(straight).max())


def test_a_line_between_two_vessels_pulls_both_and_all_it_holds_is_its_weight() -> None:
    tow = Mooring(lines=[[-15.0, 1.0, -1.0, 20.0, 0.0, -2.0]], length=100.0, weight=30.0, axial_stiffness=2e7)
    tug, barge = [200.0, 40.0, 0.0, 0.05, 0.02, 0.3], [75.0, 10.0, 0.0, -0.02, 0.01, 0.1]
    found = tow.evaluate(eta=barge, anchor_eta=tug).outputs
    other = Mooring(lines=[[20.0, 0.0, -2.0, -15.0, 1.0, -1.0]], length=100.0, weight=30.0, axial_stiffness=2e7)
    mirrored = other.evaluate(eta=tug, anchor_eta=barge).outputs
    np.testing.assert_allclose(found["disturbance"], mirrored["anchor_disturbance"], rtol=1e-9)
    np.testing.assert_allclose(found["anchor_disturbance"], mirrored["disturbance"], rtol=1e-9)
    free = Mooring(lines=[[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]], length=100.0, weight=30.0, axial_stiffness=2e7)
    pulls = free.evaluate(eta=[60.0, 0.0, 5.0, 0, 0, 0], anchor_eta=np.zeros(6)).outputs
    both = pulls["disturbance"] + pulls["anchor_disturbance"]
    assert both[:3] == pytest.approx([0.0, 0.0, 3000.0], abs=1e-6)
