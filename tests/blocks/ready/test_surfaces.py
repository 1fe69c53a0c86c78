"""Angles of control surfaces for the moments that controllers want."""

import numpy as np
import pytest

from blocks.ready.surfaces import angles_per_moment, greatest_moments
from blocks.thrust import ControlSurfaces


@pytest.mark.parametrize("vehicle", ["npsauv", "torpedo"])
def test_the_least_angles_make_what_is_wanted_and_no_roll(vehicle: str) -> None:
    block = ControlSurfaces.from_vehicle(vehicle, response="instant")
    effect, limits = np.asarray(block.effect), np.broadcast_to(np.asarray(block.angle_limit), (4,))
    matrix = angles_per_moment(effect, 1.5)
    greatest = greatest_moments(matrix, limits)
    for axis, row in (("M", 4), ("N", 5)):
        wanted = np.zeros(6)
        wanted[row] = greatest[axis][1]
        angles = matrix @ wanted
        assert np.abs(angles / limits).max() == pytest.approx(0.7, rel=1e-12)
        made = block.evaluate(command=angles, nu_r=[1.5, 0, 0, 0, 0, 0]).outputs["force"]
        np.testing.assert_allclose(made[3:], wanted[3:], atol=1e-9 * greatest[axis][1])
