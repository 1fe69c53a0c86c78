"""Metrics of one phase of a mission."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import simulate
from blocks.guidance import MissionPlan
from blocks.metrics import MetricError, measure

PHASES = [{"hold": "2 s"}, {"go to": {"place": [50, 0], "name": "way out", "at most": "5 s"}}, {"hold": "3 s"}]


def test_a_metric_may_be_of_one_phase_by_name_or_number() -> None:
    plan = MissionPlan(PHASES, cruise_speed=1.0, speed_taper=False)
    run = simulate(plan, 20.0, inputs={"eta": [1, 2, 0, 0, 0, 0]}, step=0.5)
    for phase, length in (("hold", 1.5), ("way out", 4.5), ("2", 4.5), ("hold 2", 2.5)):
        assert measure(run, f"duration(phase={phase})").value == pytest.approx(length)  # from first to last sample
    assert measure(run, "final(mission_plan.depth, phase=hold)").value == 0.0
    assert np.isclose(measure(run, "rms(mission_plan.speed, phase=way out)").value, 1.0)


@pytest.mark.parametrize(
    ("phase", "message"),
    [("way in", "no phase 'way in'; did you mean 'way out'"), ("7", "no phase '7'"), ("survey", "valid: hold, hold 2")],
)
def test_a_phase_that_is_none_is_told(phase: str, message: str) -> None:
    run = simulate(MissionPlan(PHASES, cruise_speed=1.0), 3.0, inputs={"eta": np.zeros(6)}, step=0.5)
    with pytest.raises(MetricError, match=message):
        measure(run, f"duration(phase={phase})")


def test_a_phase_that_was_not_reached_is_told() -> None:
    run = simulate(MissionPlan(PHASES, cruise_speed=1.0), 3.0, inputs={"eta": np.zeros(6)}, step=0.5)
    with pytest.raises(MetricError, match="the mission was not in the phase hold 2"):
        measure(run, "duration(phase=hold 2)")
