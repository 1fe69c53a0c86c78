"""Guidance to a target that moves, and to a station."""

import numpy as np
import pytest

from blocks import Diagram, Input, Output, PythonBlock, State, simulate
from blocks.basic import Constant, Integrator
from blocks.errors import ParameterError
from blocks.guidance import StationKeeping, TargetTracking
from blocks.signal import Angle, Pose, Speed


@pytest.mark.parametrize("law", ["constant_bearing", "pure_pursuit"])
def test_both_laws_against_their_equations(law) -> None:
    random = np.random.default_rng(3)
    for _ in range(50):
        eta, target, velocity, offset = (random.normal(0.0, 8.0, n) for n in (6, 3, 3, 3))
        block = TargetTracking(approach_speed=2.0, approach_distance=5.0, law=law, offset=offset)
        found = block.evaluate(eta=eta, target=target, target_velocity=velocity).outputs
        away = eta[:2] - (target + offset)[:2]
        wanted = -2.0 * away / np.sqrt(away @ away + 25.0) + (velocity[:2] if law == "constant_bearing" else 0.0)
        assert found["heading"] == pytest.approx(np.arctan2(wanted[1], wanted[0]), abs=1e-12)
        assert found["speed"] == pytest.approx(np.hypot(*wanted), abs=1e-12)
        assert found["depth"] == pytest.approx(target[2] + offset[2])
        assert found["distance"] == pytest.approx(np.hypot(*away))


def test_at_a_target_at_rest_the_own_heading_is_kept() -> None:
    """Where rounding alone would say which course is wanted."""
    block = TargetTracking(approach_speed=1.0, approach_distance=5.0)
    for east, wanted in ((1e-4, -np.pi / 2), (1e-9, 0.7), (0.0, 0.7)):
        found = block.evaluate(eta=[0, east, 0, 0, 0, 0.7 + 2.0 * np.pi], target=[0, 0, 0]).outputs
        assert found["heading"] == pytest.approx(wanted)
        assert found["speed"] == pytest.approx(east / 5.0)


def pursuit(law: str) -> float:
    """How far behind a target at 1 m/s a pursuer that does as it is told comes to be, m."""
    chase = Diagram("chase")
    chase.add("velocity", Constant([0.6, 0.8, 0.0]))
    chase.add("target", Integrator(initial_x=[8.0, -6.0, 0.0]))
    chase.add("guidance", TargetTracking(approach_speed=1.5, approach_distance=4.0, law=law))
    chase.add("pursuer", Obedient())
    chase.connect("velocity.y", "target.u", "guidance.target_velocity")
    chase.connect("target.y", "guidance.target")
    chase.connect("guidance.heading", "pursuer.heading")
    chase.connect("guidance.speed", "pursuer.speed")
    chase.connect("pursuer.eta", "guidance.eta")
    return float(simulate(chase, 200.0, step=0.5, record="guidance.distance").values("guidance.distance")[-1])


class Obedient(PythonBlock):
    """Goes as it is told."""

    uses_time = False

    heading = Input(Angle, "course")
    speed = Input(Speed, "over ground")
    eta = Output(Pose, "where it is", feedthrough=False)
    place = State(Pose, "where it is")

    def outputs(self, t, states, inputs):
        return {"eta": states["place"]}

    def derivatives(self, t, states, inputs):
        psi, speed = inputs["heading"], inputs["speed"]
        return {"place": np.array([speed * np.cos(psi), speed * np.sin(psi), 0.0, 0.0, 0.0, 0.0])}


def test_a_target_is_met_or_followed() -> None:
    """Pure pursuit stays where U d/√(d² + Δ²) is the speed of the target, 1 m/s."""
    assert pursuit("constant_bearing") < 1e-3
    assert pursuit("pure_pursuit") == pytest.approx(4.0 / np.sqrt(1.5**2 - 1.0), rel=1e-4)


def test_a_vessel_drifts_between_two_circles() -> None:
    block = StationKeeping(station=[30.0, 0.0, 2.0], radius=3.0, outer_radius=8.0, approach_speed=1.0)
    far = block.evaluate(eta=[0, 0, 0, 0, 0, 0.5])
    assert far.outputs["heading"] == pytest.approx(0.0)
    assert (far.outputs["speed"], far.outputs["depth"], far.outputs["distance"]) == (1.0, 2.0, 30.0)
    near = block.evaluate(eta=[28.0, 0, 0, 0, 0, 0.5])
    assert near.updated == {"holding": 1.0, "kept_heading": 0.5}
    assert near.outputs["speed"] == pytest.approx(0.2)
    between = block.evaluate(eta=[25.0, 0, 0, 0, 0, 1.5], states={"holding": 1.0, "kept_heading": 0.5})
    assert between.updated["holding"] == 1.0
    assert (between.outputs["heading"], between.outputs["speed"], between.outputs["holding"]) == (0.5, 0.0, 1.0)
    beyond = block.evaluate(eta=[21.9, 0, 0, 0, 0, 1.5], states={"holding": 1.0, "kept_heading": 0.5})
    assert beyond.updated["holding"] == 0.0


def test_the_outer_circle_has_to_be_beyond_the_inner_one() -> None:
    with pytest.raises(ParameterError, match=r"outer_radius must be beyond radius, which is 3 m, not 3 m"):
        StationKeeping(radius=3.0, outer_radius=3.0, approach_speed=1.0)
