"""Dives against depths whose figures are known beforehand."""

from __future__ import annotations

import numpy as np
import pytest

from blocks.report.dives import Dive, dives

TIME = np.arange(0.0, 100.5, 0.5)


def test_what_is_left_of_a_dive_at_the_edge_of_the_tolerance_does_not_count() -> None:
    """z = 5 - 5 exp(-t/10) comes within 0.1 m at t = 10 ln 50 = 39.1 s, and nearer to 5 m ever after."""
    dive = Dive.of(TIME, 5.0 - 5.0 * np.exp(-TIME / 10.0), 5.0, 0.1)
    assert dive.wanted == 5.0
    assert dive.duration == pytest.approx(10.0 * np.log(50.0), abs=0.5)
    assert dive.largest_error == pytest.approx(5.0 * np.exp(-10.0))


def test_an_overshoot_counts() -> None:
    """z = 5 - 5 exp(-t/10) cos(t/5) overshoots by most where tan(t/5) = -1/2."""
    t = 5.0 * (np.pi - np.arctan(0.5))
    dive = Dive.of(TIME, 5.0 - 5.0 * np.exp(-TIME / 10.0) * np.cos(TIME / 5.0), 5.0, 0.3)
    assert dive.duration == 7.5  # cos(t/5) = 0 at 7.85 s
    assert dive.largest_error == pytest.approx(-5.0 * np.exp(-t / 10.0) * np.cos(t / 5.0), rel=1e-3)


def test_a_depth_that_is_left_later_counts() -> None:
    depth = np.where(TIME < 80.0, np.minimum(TIME, 5.0), 7.0)
    assert Dive.of(TIME, depth, 5.0, 0.1) == Dive(5.0, 0.0, 5.0, 2.0)


def test_a_depth_that_swings_within_the_tolerance() -> None:
    dive = Dive.of(TIME, 5.0 + 0.05 * np.sin(TIME), 5.0, 0.1)
    assert dive.duration == 0.0
    assert dive.largest_error == pytest.approx(0.05, rel=1e-2)


def test_a_depth_that_is_never_reached() -> None:
    assert Dive.of(TIME, np.minimum(0.1 * TIME, 4.8), 5.0, 0.1) == Dive(5.0, 0.0, None, None)


def test_a_dive_for_each_depth_that_is_wanted_for_a_while() -> None:
    wanted = np.interp(TIME, [0.0, 39.5, 40.0, 60.0, 99.5], [0.0, 0.0, 5.0, 3.0, 3.0]).round(6)
    found = list(dives(TIME, wanted, wanted, 0.1))
    assert [(dive.wanted, dive.begin, dive.duration) for dive in found] == [(0.0, 0.0, 0.0), (3.0, 60.0, 0.0)]


def test_an_ascent_is_a_dive() -> None:
    [dive] = dives(TIME, np.maximum(5.0 - TIME, 2.0), np.full(len(TIME), 2.0), 0.1)
    assert (dive.duration, dive.largest_error) == (3.0, 0.0)
