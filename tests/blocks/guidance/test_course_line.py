"""CourseLine: geometry, and the closed form of the approach to the line."""

import numpy as np
import pytest

from blocks import simulate
from blocks.errors import ParameterError
from blocks.guidance import CourseLine


def pose(north: float, east: float, psi: float = 0.0) -> list[float]:
    return [north, east, 0.0, 0.0, 0.0, psi]


@pytest.mark.parametrize("course", np.radians([-170.0, -30.0, 0.0, 30.0, 90.0, 179.0]))
@pytest.mark.parametrize("error", [-20.0, 0.0, 3.0])
def test_cross_track_error_is_the_offset_to_starboard(course: float, error: float) -> None:
    along, starboard = np.array([np.cos(course), np.sin(course)]), np.array([-np.sin(course), np.cos(course)])
    north, east = np.array([5.0, -7.0]) + 40.0 * along + error * starboard
    got = CourseLine(course=course, lookahead=4.0, origin=(5.0, -7.0)).evaluate(eta=pose(north, east)).outputs
    assert got["cross_track_error"] == pytest.approx(error, abs=1e-12)
    assert got["heading"] == pytest.approx(course - np.arctan(error / 4.0), abs=1e-12)


def test_approach_follows_the_closed_form(mission, time_to_approach) -> None:
    diagram = mission(CourseLine(course=0.0, lookahead=4.0), initial_position=(0.0, 10.0, 0.0))
    run = simulate(diagram, 20.0, step=0.05)
    error = run.values("guidance.cross_track_error")
    for k in (40, 200, 400):
        assert time_to_approach(10.0, error[k], 1.0, 4.0) == pytest.approx(run.time[k], abs=1e-7)
    assert np.all(np.diff(error) < 0.0)


def test_lookahead_must_be_positive() -> None:
    with pytest.raises(ParameterError, match=r"CourseLine\.lookahead must be > 0 m, not 0"):
        CourseLine(lookahead=0.0)
