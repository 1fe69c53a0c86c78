"""Settings: a run must be longer than the engine's resolution of time, or it would be over before it begins."""

from __future__ import annotations

import pytest

from blocks import simulate
from blocks.basic import Clock, ZeroOrderHold
from blocks.errors import SimulationError


@pytest.mark.parametrize(
    ("times", "message"),
    [
        ({"end": 160.0, "step": 1e12}, "end must be more than 1000 s after start (0 s), the resolution of time with "
         "a step of 1e+12 s, not 160"),
        ({"end": 1e-13}, "end must be more than 1e-11 s after start (0 s), the resolution of time with "
         "a step of 0.01 s, not 1e-13"),
        ({"start": 1e17, "end": 1e17 + 64.0, "step": 1.0}, "end must be more than 200 s after start (1e+17 s), the "
         "resolution of time with a step of 1 s, not 1e+17"),
    ],
)  # fmt: skip
def test_a_run_shorter_than_the_resolution_of_time(times: dict[str, float], message: str) -> None:
    with pytest.raises(SimulationError) as caught:
        simulate(Clock(), **times)
    assert str(caught.value) == message


@pytest.mark.parametrize("step", [1.0, 3.0, 1e6])
def test_a_step_as_long_as_the_run_or_longer(step: float) -> None:
    assert simulate(Clock(), 1.0, step=step).time.tolist() == [0.0, 1.0]


@pytest.mark.parametrize(
    ("period", "times", "message"),
    [
        (1e-300, {"step": 0.05}, "zero_order_hold.period must be more than 5e-11 s, the resolution of time at 1 s with "
         "a step of 0.05 s, not 1e-300 s"),
        (1e-6, {"start": 1e10 - 1.0, "end": 1e10, "step": 0.05}, "zero_order_hold.period must be more than 2e-05 s, "
         "the resolution of time at 1e+10 s with a step of 0.05 s, not 1e-06 s"),
    ],
)  # fmt: skip
def test_samples_that_cannot_be_told_apart(period: float, times: dict[str, float], message: str) -> None:
    with pytest.raises(SimulationError) as caught:
        simulate(ZeroOrderHold(period=period), **({"end": 1.0} | times), inputs={"u": 1.0})
    assert str(caught.value) == message
