"""UniformCurrent: the convention of its direction."""

import numpy as np
import pytest

from blocks.environment import UniformCurrent
from blocks.errors import ParameterError


@pytest.mark.parametrize(
    ("direction", "velocity"),
    [("0 deg", (0.2, 0.0, 0.0)), ("90 deg", (0.0, 0.2, 0.0)), ("-90 deg", (0.0, -0.2, 0.0)), (np.pi, (-0.2, 0.0, 0.0))],
)
def test_direction_is_where_the_water_goes_to(direction: object, velocity: tuple[float, ...]) -> None:
    assert UniformCurrent(0.2, direction).evaluate().outputs["current"] == pytest.approx(velocity, abs=1e-16)


def test_speed_is_horizontal_and_vertical_positive_down() -> None:
    current = UniformCurrent("1 knot", "25 deg", vertical=-0.1).evaluate().outputs["current"]
    assert np.hypot(current[0], current[1]) == pytest.approx(1852.0 / 3600.0)
    assert np.degrees(np.arctan2(current[1], current[0])) == pytest.approx(25.0)
    assert current[2] == -0.1


def test_still_water_by_default() -> None:
    assert not np.any(UniformCurrent().evaluate().outputs["current"])


def test_speed_cannot_be_negative() -> None:
    with pytest.raises(ParameterError, match=r"UniformCurrent\.speed must be ≥ 0 m/s, not -0\.2"):
        UniformCurrent(-0.2)
