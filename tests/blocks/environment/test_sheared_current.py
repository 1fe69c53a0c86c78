"""Currents over the depth: a table and a power law."""

import numpy as np
import pytest

from blocks.environment import PowerLawCurrent, ShearedCurrent
from blocks.errors import ParameterError


def at(block, depth):
    return block.evaluate(eta=[3.0, -2.0, depth, 0.1, 0.2, 0.3]).outputs["current"]


def test_a_table_is_straight_between_its_depths_and_level_beyond():
    depths, speeds, directions = [0.0, 10.0, 40.0], [1.0, 0.4, 0.1], [0.2, 0.8, 1.4]
    block = ShearedCurrent(depths, speeds, directions)
    for depth in (-3.0, 0.0, 4.0, 10.0, 31.0, 40.0, 99.0):
        speed, direction = np.interp(depth, depths, speeds), np.interp(depth, depths, directions)
        assert at(block, depth) == pytest.approx([speed * np.cos(direction), speed * np.sin(direction), 0.0])


def test_directions_turn_the_shorter_way():
    block = ShearedCurrent([0.0, 10.0, 20.0], 1.0, np.radians([350.0, 10.0, 340.0]))
    assert at(block, 5.0) == pytest.approx([1.0, 0.0, 0.0])
    assert at(block, 15.0) == pytest.approx([np.cos(np.radians(5.0)), -np.sin(np.radians(5.0)), 0.0])


def test_the_power_law_of_tides():
    block = PowerLawCurrent(1.2, "90 deg", 20.0)
    for depth in (0.0, 5.0, 19.0):
        assert at(block, depth)[1] == pytest.approx(1.2 * (1.0 - depth / 20.0) ** (1.0 / 7.0))
    assert at(block, -1.0)[1] == 1.2
    assert not at(block, 20.5).any()
    depths = (np.arange(20_000) + 0.5) / 1000.0
    mean = np.mean(1.2 * (1.0 - depths / 20.0) ** (1.0 / 7.0))
    assert mean == pytest.approx(1.2 * 7.0 / 8.0, rel=1e-4)  # of the law; by the block at some depths
    assert np.mean([at(block, z)[1] for z in depths[::1000]]) == pytest.approx(mean, rel=0.02)


def test_depths_must_increase():
    with pytest.raises(ParameterError, match=r"depths must increase .* \[1\] is 5 and \[2\] is 4"):
        ShearedCurrent([0.0, 5.0, 4.0], 1.0)
    with pytest.raises(ParameterError, match=r"depths has 3 entries, speeds has 2: they must have the same number"):
        ShearedCurrent([0.0, 5.0, 9.0], [1.0, 0.5])
