"""Foil and Rudder: signs, symmetry, and lift that does no work."""

from typing import Any

import numpy as np
import pytest

from blocks import simulate
from blocks.errors import ParameterError
from blocks.thrust import Foil, Rudder

FOIL: dict[str, Any] = {
    "position": [-1.5, 0.0, 0.3],
    "area": 0.2,
    "lift_coefficient": 1.2,
    "drag_coefficient": 0.7,
    "density": 1000.0,
}


def ahead(u: float) -> np.ndarray:
    return np.array([u, 0.0, 0.0, 0.0, 0.0, 0.0])


def at_foil(nu: np.ndarray) -> np.ndarray:
    return nu[:3] + np.cross(nu[3:], FOIL["position"])


def test_lift_and_drag_are_those_of_the_equations() -> None:
    found = Foil(**FOIL).evaluate(command=0.2, nu_r=ahead(2.0)).outputs
    pressure = 0.5 * 1000.0 * 0.2 * 4.0
    assert found["angle_of_attack"] == pytest.approx(0.2, rel=1e-14)
    assert found["lift"] == pytest.approx(pressure * 1.2 * np.sin(0.4), rel=1e-13)
    assert found["drag"] == pytest.approx(pressure * 0.7 * (1.0 - np.cos(0.4)), rel=1e-13)
    expected = np.array([-found["drag"], -found["lift"], 0.0])
    np.testing.assert_allclose(found["force"][:3], expected, rtol=1e-13, atol=1e-12)
    np.testing.assert_allclose(found["force"][3:], np.cross(FOIL["position"], expected), rtol=1e-12, atol=1e-12)


def test_positive_rudder_turns_a_vessel_to_starboard() -> None:
    force = Rudder(**FOIL).evaluate(command=0.1, nu_r=ahead(1.0)).outputs["force"]
    assert force[0] < 0.0  # it brakes
    assert force[1] < 0.0  # the stern goes to port
    assert force[5] > 0.0  # the bow to starboard


def test_positive_level_foil_behind_pushes_the_bow_down() -> None:
    force = Foil(**FOIL, cant=np.pi / 2).evaluate(command=0.1, nu_r=ahead(1.0)).outputs["force"]
    assert force[2] < 0.0
    assert force[4] < 0.0
    np.testing.assert_allclose(force[[1, 5]], 0.0, atol=1e-12)


def test_a_level_foil_is_an_upright_one_turned() -> None:
    upright = Foil(**FOIL | {"position": [-1.5, 0.0, 0.0]})
    level = Foil(**FOIL | {"position": [-1.5, 0.0, 0.0], "cant": np.pi / 2})
    one = upright.evaluate(command=0.3, nu_r=[1.0, 0.4, 0, 0, 0, 0.2]).outputs["force"]
    other = level.evaluate(command=0.3, nu_r=[1.0, 0, 0.4, 0, -0.2, 0]).outputs["force"]
    np.testing.assert_allclose(other[[0, 2, 4]], one[[0, 1, 5]] * [1, 1, -1], rtol=1e-12)


def test_port_and_starboard_are_mirror_images() -> None:
    foil, nu = Foil(**FOIL), np.array([1.0, 0.3, 0.1, 0.05, 0.02, 0.2])
    one = foil.evaluate(command=0.3, nu_r=nu).outputs["force"]
    other = foil.evaluate(command=-0.3, nu_r=nu * [1, -1, 1, -1, 1, -1]).outputs["force"]
    np.testing.assert_allclose(other, one * [1, -1, 1, -1, 1, -1], rtol=1e-13, atol=1e-12)


@pytest.mark.parametrize("seed", range(20))
def test_lift_does_no_work_and_drag_only_takes(seed: int) -> None:
    random = np.random.default_rng(seed)
    nu, cant = random.uniform(-2.0, 2.0, 6), random.uniform(-3.0, 3.0)
    found = Foil(**FOIL, cant=cant).evaluate(command=random.uniform(-1.5, 1.5), nu_r=nu).outputs
    v = at_foil(nu)
    speed = np.hypot(v[0], v @ [0.0, np.cos(cant), np.sin(cant)])
    assert found["force"] @ nu == pytest.approx(-found["drag"] * speed, rel=1e-11)
    assert found["drag"] >= 0.0


def test_a_drifting_foil_opposes_the_drift() -> None:
    for sway in (-0.5, 0.5):
        force = Foil(**FOIL).evaluate(command=0.0, nu_r=[1.0, sway, 0, 0, 0, 0]).outputs["force"]
        assert force[1] * sway < 0.0


def test_flow_straight_across_is_pure_drag() -> None:
    found = Foil(**FOIL).evaluate(command=0.0, nu_r=[0, 1.5, 0, 0, 0, 0]).outputs
    assert found["lift"] == pytest.approx(0.0, abs=1e-12)
    assert found["force"][1] == pytest.approx(-0.5 * 1000.0 * 0.2 * 1.5**2 * 2 * 0.7, rel=1e-13)


def test_equal_coefficients_give_a_force_normal_to_the_plate() -> None:
    foil = Foil(**FOIL | {"lift_coefficient": 0.9, "drag_coefficient": 0.9})
    force = foil.evaluate(command=0.5, nu_r=ahead(2.0)).outputs["force"]
    chord = np.array([np.cos(0.5), -np.sin(0.5)])
    assert force[:2] @ chord == pytest.approx(0.0, abs=1e-10)
    assert np.hypot(*force[:2]) == pytest.approx(2 * 0.9 * 400.0 * np.sin(0.5), rel=1e-13)


def test_still_water_gives_nothing() -> None:
    found = Foil(**FOIL).evaluate(command=0.3, nu_r=np.zeros(6)).outputs
    assert not np.any(found["force"])


def test_rudder_and_upright_foil_are_the_same_at_one_angle() -> None:
    nu = [1.0, 0.2, 0.3, 0.1, 0.2, 0.4]
    one = Rudder(**FOIL, angle_limit=0.4).evaluate(command=0.9, nu_r=nu).outputs
    other = Foil(**FOIL).evaluate(command=0.4, nu_r=nu).outputs
    assert one["angle"] == 0.4
    np.testing.assert_allclose(one["force"], other["force"], rtol=1e-14)


def test_the_steering_gear_takes_28_seconds_from_35_degrees_to_30_on_the_other_side() -> None:
    rudder = Rudder(
        **FOIL,
        angle_limit="35 deg",
        response="rate_limited",
        rate_limit=np.radians(65.0 / 28.0),
        time_constant=0.1,
        initial_angle="-35 deg",
    )
    run = simulate(rudder, 28.0, step=0.05, inputs={"command": 9.0, "nu_r": ahead(1.0)})
    assert np.degrees(run.values("rudder.angle")[-1]) == pytest.approx(30.0, abs=1e-9)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"area": 0.0}, r"area must be > 0 m\^2, not 0"),
        ({"position": 1.0}, r"position must be an array of 3 in m, not the single number 1"),
        ({"angle_limit": 0.5, "initial_angle": 0.7, "response": "first_order"},
         r"initial_angle must be within ±0.5 rad, the limit of the angle, not 0.7"),
    ],
)  # fmt: skip
def test_bad_parameters_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        Rudder(**(FOIL | changes))
