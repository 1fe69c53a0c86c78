"""Recordings of manoeuvres: what is checked of them, and where rudders are put over."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.basic import Step
from blocks.lab import Execute, ManoeuvreError, Trial
from blocks.run.result import ResultError

TIME = np.arange(6.0)
ORDER = np.array([0.0, 0.0, 0.3, 0.3, -0.3, -0.3])


def trial(**changes: Any) -> Trial:
    given = {"time": TIME, "position": np.zeros((6, 2)), "heading": np.zeros(6), "order": ORDER} | changes
    return Trial(**given)


def test_headings_that_wrap_go_on() -> None:
    heading = np.arange(6.0) * 1.5
    wrapped = (heading + np.pi) % (2.0 * np.pi) - np.pi
    assert trial(heading=wrapped).heading == pytest.approx(heading)


def test_executes_are_where_the_order_goes_to_another_side() -> None:
    assert trial().executes == (Execute(2, 1.0), Execute(4, -1.0))
    assert trial(order=-ORDER[2:].repeat([1, 2, 1, 2])).executes == (Execute(0, -1.0), Execute(3, 1.0))


def test_a_trimmed_rudder_is_amidships() -> None:
    assert trial(order=ORDER + 0.02).executes == (Execute(2, 1.0), Execute(4, -1.0))


def test_down_is_left_out_and_the_rudder_is_by_default_the_order() -> None:
    made = trial(position=np.arange(18.0).reshape(6, 3))
    assert made.position.tolist() == [[3.0 * k, 3.0 * k + 1.0] for k in range(6)]
    assert made.rudder is not None
    assert made.rudder.tolist() == ORDER.tolist()


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"time": [0, 1, 2, 2, 3, 4]}, r"time goes from 2 s to 2 s between samples 2 and 3: it has to increase"),
        ({"time": TIME[:3]}, r"at least 4 samples, and there are 3"),
        ({"time": np.zeros((6, 2))}, r"time must be one number per sample, not an array of 6×2"),
        ({"heading": np.zeros(5)}, r"time has 6 samples, and heading is an array of 5"),
        ({"heading": np.zeros((6, 2))}, r"heading must be one number per sample, not an array of 6×2"),
        ({"position": np.zeros(6)}, r"position must be north and east, an array of 6×2, not of 6"),
        ({"position": np.full((6, 2), np.nan)}, r"position is not finite at 0 s: leave such samples out"),
        ({"heading": ["north"] * 6}, r"heading must be an array of numbers"),
        ({"heading": np.zeros(6) * 1j}, r"heading must be an array of numbers"),
        ({"position": [[0, 0], [0]]}, r"position must be an array of numbers"),
        ({"order": np.degrees(ORDER)}, r"order goes to 17\.1887 rad, and angles are in rad, those of heading"),
        ({"order": np.zeros(6)}, r"the rudder is never put over: its order is 0 from 0 s to 5 s\. Is it the right"),
    ],
)  # fmt: skip
def test_what_is_not_in_order_is_told(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ManoeuvreError, match=message):
        trial(**changes)


def test_a_signal_that_was_not_recorded_is_named() -> None:
    run = simulate(Step(time=1.0), 2.0, step=0.5)
    with pytest.raises(ResultError, match=r"vessel\.eta"):
        Trial.of_run(run, order="step.y")
    with pytest.raises(ManoeuvreError, match=r"pose must be a vessel's eta, n×6, and 'step\.y' is an array of 5"):
        Trial.of_run(run, order="step.y", pose="step.y")
