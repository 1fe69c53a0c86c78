"""The autopilot of the example: what linearization says, the nonlinear boat does."""

from __future__ import annotations

import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest

EXAMPLE = Path(__file__).parents[2] / "examples" / "autopilot_design.py"


@pytest.fixture(scope="module")
def example() -> Any:
    return runpy.run_path(str(EXAMPLE))


@pytest.fixture(scope="module")
def point(example: Any) -> Any:
    return example["cruise"]()


def test_the_trim_thrust_is_the_drag(example: Any, point: Any) -> None:
    assert point["force"][0] == pytest.approx(77.55443 * 1.5, rel=1e-9)


def test_the_hull_alone_is_not_stable(example: Any, point: Any) -> None:
    """The Munk moment: det of sway and yaw is negative at this speed."""
    assert example["linearize"](example["otter"](), point).eigenvalues.real.max() == pytest.approx(0.177, abs=0.001)


def test_a_faster_autopilot_has_the_margins(example: Any, point: Any) -> None:
    phases = []
    for frequency in (1.0, 2.0):
        opened = example["linearize"](example["loop"](frequency, point), opened="heading.moment")
        phases.append(np.degrees(example["margins"](opened).phase))
    assert phases == pytest.approx([19.6, 43.6], abs=0.5)


def test_a_small_turn_of_the_boat_is_that_of_the_linear_loop(example: Any, point: Any) -> None:
    """So small that damping, 10 |r| times the linear one, is linear: both agree to a part in a thousand of the turn."""
    made = example["loop"](2.0, point)
    closed = example["linearize"](made, inputs="course", outputs="vessel.eta[psi]")
    small = 1e-5
    run = example["simulate"](made, 8.0, step=0.02, inputs={"course": small})
    time, linear = example["step_response"](closed)
    turned = np.interp(time[time < 8.0], run.time, run.values("vessel.eta[psi]")) / small
    assert turned == pytest.approx(linear[time < 8.0], abs=2e-3)


def test_the_figure_is_drawn(example: Any, point: Any) -> None:
    found = dict.fromkeys("abc", example["design"](2.0, point))
    assert len(example["draw"](found).axes) == 5
