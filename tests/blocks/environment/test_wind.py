"""UniformWind and WindLoad: conventions of direction, signs, and published coefficients."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.dynamics import Vessel3DOF
from blocks.environment import GustingWind, UniformCurrent, UniformWind, WindLoad
from blocks.errors import ParameterError

AREAS = {"frontal_area": 2.0, "lateral_area": 5.0, "length": 4.0}


@pytest.mark.parametrize(
    ("direction", "velocity"),
    [("0 deg", (-8.0, 0.0, 0.0)), ("90 deg", (0.0, -8.0, 0.0)), ("270 deg", (0.0, 8.0, 0.0))],
)
def test_direction_is_where_the_wind_comes_from(direction, velocity):
    assert UniformWind(8.0, direction).evaluate().outputs["wind"] == pytest.approx(velocity, abs=1e-14)


def test_speed_cannot_be_negative():
    with pytest.raises(ParameterError, match=r"UniformWind\.speed must be ≥ 0 m/s, not -3"):
        UniformWind(-3.0)


def load(wind=(0.0, 0.0, 0.0), attitude=(0.0, 0.0, 0.0), nu=(0.0, 0.0), **parameters) -> np.ndarray:
    block = WindLoad(**{**AREAS, "yaw_coefficient": 0.1, **parameters})
    eta = [3.0, -2.0, 1.0, *attitude]
    return block.evaluate(wind=wind, eta=eta, nu=[*nu, 0.4, 0.1, 0.2, 0.3]).outputs["disturbance"]


def test_head_wind_and_beam_wind_have_the_magnitude_of_the_formula():
    pressure = 0.5 * 1.225 * 10.0**2
    assert load((-10.0, 0.0, 0.0)) == pytest.approx([-pressure * 0.7 * 2.0, 0, 0, 0, 0, 0])
    from_starboard = load((0.0, -10.0, 0.0))
    assert from_starboard == pytest.approx([0, -pressure * 0.85 * 5.0, 0, 0, 0, 0], abs=1e-12)


@pytest.mark.parametrize("gamma", np.radians([20.0, 70.0, 130.0, 200.0, 310.0]))
@pytest.mark.parametrize("heading", [0.0, 1.1, -2.5])
def test_the_load_follows_the_angle_seen_from_the_bow(gamma, heading):
    speed = 7.0
    wind = UniformWind(speed, heading + gamma).evaluate().outputs["wind"]
    q = 0.5 * 1.225 * speed**2
    expected = [
        -q * 0.7 * np.cos(gamma) * 2.0, -q * 0.85 * np.sin(gamma) * 5.0, 0, 0, 0,
        -q * 0.1 * np.sin(2 * gamma) * 5.0 * 4.0,
    ]  # fmt: skip
    assert load(wind, (0.0, 0.0, heading)) == pytest.approx(expected, abs=1e-10)


def test_the_load_is_that_of_the_relative_wind():
    """The same seen from another inertial frame: vessel and air both 3 m/s faster over ground."""
    assert load((4.0, -5.0, 0.0), nu=(3.0, 1.0)) == pytest.approx(load((1.0, -6.0, 0.0)))


def test_still_air_brakes_a_vehicle_in_the_apparent_wind_only():
    assert load(nu=(2.0, 0.0))[0] == pytest.approx(-0.5 * 1.225 * 4.0 * 0.7 * 2.0)
    assert not load(nu=(2.0, 0.0), reference="true").any()


def test_the_true_wind_is_that_of_the_apparent_wind_at_rest():
    assert load((4.0, -5.0, 0.0), nu=(3.0, 1.0), reference="true") == pytest.approx(load((4.0, -5.0, 0.0)))
    block = WindLoad(**AREAS, reference="true")
    assert block.feedthrough("disturbance") == ("wind", "eta")


def test_roll_turns_a_beam_wind_out_of_the_lateral_axis():
    upright, rolled = load((0.0, 10.0, 0.0)), load((0.0, 10.0, 0.0), (0.5, 0.0, 0.0))
    assert rolled[1] == pytest.approx(upright[1] * np.cos(0.5) ** 2)


def test_the_thesis_of_lutra_prop_has_the_same_forces_with_its_own_angle():
    """Touzout (2021), eq. 5.7: 0.032 V² along; across, 0.105 V² is printed where its table 5.3 gives 0.118 V²."""
    block = WindLoad(
        frontal_area=0.08, lateral_area=0.18, surge_coefficient=0.68, sway_coefficient=1.11, density=1.184,
        reference="true",
    )  # fmt: skip
    still = {"eta": np.zeros(6)}
    assert block.evaluate(wind=[1.0, 0.0, 0.0], **still).outputs["disturbance"][0] == pytest.approx(0.032, rel=0.01)
    across = block.evaluate(wind=[0.0, 1.0, 0.0], **still).outputs["disturbance"][1]
    assert across == pytest.approx(0.5 * 1.184 * 0.18 * 1.11)


def test_a_positive_yaw_coefficient_lays_a_free_vessel_across_the_wind():
    diagram = Diagram()
    vessel = diagram.add(
        "vessel", Vessel3DOF.diagonal(m=(50, 60, 10), d=(400, 600, 80), initial_eta=[0, 0, 0, 0, 0, 0.2])
    )
    wind = diagram.add("wind", UniformWind(12.0, 0.0))
    block = diagram.add("load", WindLoad(**AREAS, yaw_coefficient=0.1))
    diagram.add("nothing", UniformWind())
    diagram.connect(wind.wind, block.wind)
    diagram.connect(vessel.eta, block.eta)
    diagram.connect(vessel.nu, block.nu)
    diagram.connect(block.disturbance, vessel.disturbance, vessel.force)
    heading = simulate(diagram, end=60, step=0.02).values("vessel.eta[psi]")
    assert abs(heading[-1]) == pytest.approx(np.pi / 2, abs=0.02)


def test_bad_parameters_are_named():
    with pytest.raises(ParameterError, match=r"WindLoad\.frontal_area is missing"):
        WindLoad(lateral_area=1.0)
    with pytest.raises(ParameterError, match=r"WindLoad\.lateral_area must be ≥ 0 m\^2, not -1"):
        WindLoad(frontal_area=1.0, lateral_area=-1.0)
    with pytest.raises(
        ParameterError, match=r"must be one of 'apparent', 'true', not 'aparent'; did you mean 'apparent'"
    ):
        WindLoad(**AREAS, reference="aparent")


@pytest.mark.parametrize("block", [UniformWind(120.0), GustingWind(120.0), UniformCurrent(30.0)])
def test_more_than_any_storm_is_told(block):
    (told,) = block.improbable()
    assert told.message.endswith(f"{block.speed:g} is not")
    assert f"write '{block.speed:g} kn'" in told.hint
    block.speed = f"{block.speed} km/h"
    assert not list(block.improbable())
