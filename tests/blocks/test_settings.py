"""Settings: a run must be longer than the engine's resolution of time, or it would be over before it begins."""

from __future__ import annotations

import pytest

from blocks import simulate
from blocks.basic import Clock
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
