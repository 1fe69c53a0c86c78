"""Tether: equilibrium, taut and slack limits, and drag in a current."""

from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from blocks.errors import ParameterError
from blocks.thrust import Tether

CABLE: dict[str, Any] = {"length": 50.0, "diameter": 0.02, "axial_stiffness": 2e5, "density": 1000.0}


def pulled(at: Any, nu: Any = (0.0,) * 6, *, angles: Any = (0.0, 0.0, 0.0), current: Any = 0.0, **changes: Any) -> Any:
    water = np.broadcast_to(np.asarray(current, dtype=float), 3)
    return Tether(**(CABLE | changes)).evaluate(eta=[*at, *angles], nu=nu, current=water).outputs


def test_a_taut_cable_without_load_is_a_spring() -> None:
    found = pulled([30.0, 0.0, 40.4])
    chord = np.hypot(30.0, 40.4)
    assert found["tension"] == pytest.approx(2e5 * (chord / 50.0 - 1.0), rel=1e-9)
    np.testing.assert_allclose(found["force"][:3], -found["tension"] * np.array([30, 0, 40.4]) / chord, rtol=1e-12)


def test_a_slack_cable_without_load_does_not_pull() -> None:
    assert not np.any(pulled([20.0, 0.0, 0.0])["force"])
    assert not np.any(pulled([0.0, 0.0, 0.0])["force"])


@pytest.mark.parametrize("sag", [0.02, 0.05, 0.1])
def test_a_hanging_cable_is_a_catenary(sag: float) -> None:
    """Between level ends: H = w a of the catenary of that length, and each end holds half the weight."""
    slack = 8.0 / 3.0 * sag**2
    chord = 50.0 / (1.0 + slack)
    found = pulled([chord, 0.0, 0.0], weight=2.0, axial_stiffness=1e12)
    scale = brentq(lambda a: 2.0 * a * np.sinh(chord / (2.0 * a)) - 50.0, chord / 10, chord * 100)
    assert found["tension"] == pytest.approx(2.0 * scale, rel=0.025)
    assert found["force"][2] == pytest.approx(50.0, rel=1e-12)
    assert found["force"][0] == pytest.approx(-found["tension"], rel=1e-12)


@pytest.mark.parametrize("seed", range(10))
def test_both_ends_hold_what_acts_on_the_cable(seed: int) -> None:
    """The sum of both pulls is drag and weight, found here by a sum over the parts of the cable."""
    random = np.random.default_rng(seed)
    place, nu, current = random.uniform(5.0, 30.0, 3), random.uniform(-1.0, 1.0, 6), random.uniform(-1.0, 1.0, 3)
    found = pulled(place, nu, current=current, weight=0.5, segments=400)
    along = place / np.linalg.norm(place)
    s = (np.arange(4000) + 0.5)[:, None] / 4000
    past = current - s * nu[:3]
    v_t = past @ along
    v_n = past - v_t[:, None] * along
    load = 0.5 * 1000.0 * 0.02 * 1.2 * np.linalg.norm(v_n, axis=1)[:, None] * v_n
    load = load + (0.5 * 1000.0 * np.pi * 0.02 * 0.01 * np.abs(v_t) * v_t)[:, None] * along + [0.0, 0.0, 0.5]
    expected = 50.0 * load.mean(axis=0)
    np.testing.assert_allclose(found["force"][:3] + found["top_force"], expected, rtol=1e-3, atol=1e-3)
    shared = 50.0 * (s * load).mean(axis=0) - found["tension"] * along
    np.testing.assert_allclose(found["force"][:3], shared, rtol=1e-3, atol=1e-3)
    cross = np.linalg.norm(expected - (expected @ along) * along)
    tension, chord = found["tension"], np.linalg.norm(place)
    assert 50.0 * (1.0 + tension / 2e5) == pytest.approx(chord * (1.0 + cross**2 / (24.0 * tension**2)), rel=1e-3)


def test_current_drags_the_vehicle_along_and_tension_rises_with_it() -> None:
    weak, strong = (pulled([0.0, 0.0, 49.0], current=[u, 0.0, 0.0]) for u in (0.5, 1.0))
    assert strong["force"][0] == pytest.approx(4.0 * weak["force"][0], rel=1e-12)
    assert strong["force"][0] == pytest.approx(0.5 * 0.5 * 1000 * 0.02 * 1.2 * 50.0, rel=1e-12)
    assert strong["tension"] > weak["tension"] > 0.0
    assert strong["force"][2] < 0.0  # up, towards the top


def test_a_current_near_the_surface_pulls_at_the_top() -> None:
    profile = {"profile_depths": [0.0, 10.0, 20.0], "profile_factors": [1.0, 1.0, 0.0], "segments": 200}
    found = pulled([0.0, 0.0, 49.0], current=[1.0, 0.0, 0.0], **profile)
    assert 0.0 < found["force"][0] < 0.3 * found["top_force"][0]


def test_moving_through_still_water_brakes() -> None:
    velocity = np.array([0.5, 0.2, 0.1, 0.0, 0.0, 0.0])
    moving = pulled([0.0, 0.0, 30.0], velocity)
    assert moving["force"][:2] @ velocity[:2] < 0.0


def test_nothing_depends_on_the_heading_but_the_axes() -> None:
    current = [0.6, 0.2, 0.0]
    ahead = pulled([10.0, 5.0, 45.0], current=current)["force"]
    turned = pulled([10.0, 5.0, 45.0], current=current, angles=[0, 0, np.pi / 2])["force"]
    np.testing.assert_allclose(turned[:3], [ahead[1], -ahead[0], ahead[2]], rtol=1e-12, atol=1e-12)


def test_a_pull_off_the_origin_turns_the_vehicle() -> None:
    found = pulled([0.0, 0.0, 50.2], position=[-0.5, 0.0, -0.2])
    np.testing.assert_allclose(found["force"][3:], np.cross([-0.5, 0.0, -0.2], found["force"][:3]), rtol=1e-12)
    assert found["force"][4] < 0.0  # pulled up astern: bow down


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"length": 0.0}, r"length must be > 0 m, not 0"),
        ({"segments": 0}, r"segments must be ≥ 1 and ≤ 1000, not 0"),
        ({"profile_depths": [0.0, 0.0]}, r"profile_depths must increase .* but \[0\] is 0 and \[1\] is 0"),
        ({"profile_factors": [1.0, 0.5, 0.1]}, r"profile_depths has 2 entries, profile_factors has 3"),
    ],
)
def test_bad_parameters_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Tether(**(CABLE | changes))
