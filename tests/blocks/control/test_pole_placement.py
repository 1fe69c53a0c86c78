"""What controllers read of vessels, the gains they make of it, and what they say when that cannot be."""

import numpy as np
import pytest
from control_loops import boat

from blocks.basic import Gain
from blocks.control import (
    DepthController,
    DivePlaneController,
    DynamicPositioning,
    GainScheduledPID,
    HeadingAutopilot,
    IntegralSlidingMode,
    SpeedController,
)
from blocks.control.operating_point import OperatingPoint
from blocks.control.pole_placement import RULES
from blocks.dynamics import KinematicVehicle, NomotoVessel, Vessel3DOF, Vessel6DOF
from blocks.errors import ParameterError

NOMOTO = {"gain": 0.2, "time_constant": 8.0, "rudder_moment": 30.0, "surge_gain": 0.01, "surge_time_constant": 5.0}

AUV = {
    "rigid_body_inertia": np.diag([30.0, 30.0, 30.0, 0.2, 3.5, 3.5]),
    "added_mass": np.diag([1.0, 35.0, 35.0, 0.1, 4.9, 4.9]),
    "linear_damping": np.diag([10.0, 100.0, 100.0, 1.0, 20.0, 20.0]),
}


@pytest.mark.parametrize("how", [{}, {"attitude": "quaternion"}, {"integrate_pose": False}])
def test_matrices_of_a_vessel_at_rest_are_its_own(how: dict[str, object]) -> None:
    vessel = Vessel6DOF.from_vehicle("otter", "dynamics", **how)
    mass, damping, stiffness = OperatingPoint(vessel, 0.0, "test").matrices(range(6))
    assert mass == pytest.approx(vessel.mass_matrix, rel=1e-9, abs=1e-9)
    assert damping == pytest.approx(vessel.linear_damping, rel=1e-8, abs=1e-7)
    assert stiffness == pytest.approx(vessel.stiffness, rel=1e-8, abs=1e-7)


def test_under_way_there_are_coriolis_forces_and_the_slope_of_the_damping() -> None:
    """Of C(ν) ν about (U, 0, 0) the slopes are [0, 0, 0; 0, 0, m11 U; 0, (m22 - m11) U, m23 U]."""
    u = 1.5
    vessel = Vessel3DOF(
        mass=50.0, yaw_inertia=20.0, centre_of_gravity=[0.2, 0.0], added_mass=np.diag([5.0, 60.0, 15.0]),
        linear_damping=np.diag([10.0, 90.0, 30.0]), nonlinear_damping=[4.0, 0.5, 0, 0, 0, 0, 0, 0, 0, 70.0],
    )  # fmt: skip
    mass, damping, stiffness = OperatingPoint(vessel, u, "test").matrices([0, 1, 5])
    m = vessel.mass_matrix
    wanted = np.diag([10.0 + 2 * 4.0 * u + 3 * 0.5 * u * u, 90.0, 30.0])
    wanted[1, 2] = m[0, 0] * u
    wanted[2, 1:] += (m[1, 1] - m[0, 0]) * u, m[1, 2] * u
    assert mass == pytest.approx(m)
    assert damping == pytest.approx(wanted, rel=1e-7)
    assert not np.any(stiffness)


def test_the_load_ahead_has_the_slope_and_the_value_of_the_damping() -> None:
    """X = 10 u + 4 |u| u + 0.5 u³ at 1.5 m/s; in yaw 30 r + 70 |r| r, which is met everywhere."""
    vessel = Vessel3DOF(
        mass=50.0, yaw_inertia=20.0, linear_damping=np.diag([10.0, 90.0, 30.0]),
        nonlinear_damping=[4.0, 0.5, 0, 0, 0, 0, 0, 0, 0, 70.0],
    )  # fmt: skip
    speed = SpeedController.by_pole_placement(vessel, 2.0, speed="1.5 m/s")
    d, q, u = speed.damping, speed.quadratic_damping, 1.5
    assert d + 2.0 * q * u == pytest.approx(10.0 + 8.0 * u + 1.5 * u**2)
    assert d * u + q * u**2 == pytest.approx(10.0 * u + 4.0 * u**2 + 0.5 * u**3)
    heading = HeadingAutopilot.by_pole_placement(vessel, 2.0)
    assert (heading.inertia, heading.damping, heading.quadratic_damping) == (20.0, 30.0, 70.0)


@pytest.mark.parametrize(
    ("vessel", "inertia", "damping"),
    [
        (boat(), 40.0, 25.0),
        (KinematicVehicle(mobility=[1, 1, 1, 0, 0, 0.5], response_time=2.0), 4.0, 2.0),
        (NomotoVessel(**NOMOTO), 8.0 * 30.0 / 0.2, 30.0 / 0.2),
        (NomotoVessel(**NOMOTO | {"gain": -0.2, "time_constant": -8.0}), 8.0 * 30.0 / 0.2, -30.0 / 0.2),
        # T_1 + T_2 - T_3, Nomoto's own reduction to the first order
        (
            NomotoVessel(**NOMOTO, order="second", second_time_constant=1.0, lead_time_constant=3.0),
            6.0 * 30.0 / 0.2,
            30.0 / 0.2,
        ),
    ],
)
def test_every_vessel_will_do(vessel: object, inertia: float, damping: float) -> None:
    w, z = 1.5, 0.8
    exact = HeadingAutopilot.by_pole_placement(vessel, w, z, integral_pole=0.4)
    characteristic = [inertia, damping + exact.kd, exact.kp, exact.ki]
    assert np.array(characteristic) == pytest.approx(inertia * np.polymul([1, 2 * z * w, w * w], [1, 0.4]))
    fossen = HeadingAutopilot.by_pole_placement(vessel, w, z, rule="fossen")
    assert fossen.kp == pytest.approx(inertia * w**2)
    assert fossen.kd == pytest.approx(2 * z * w * inertia - damping)
    assert fossen.ki == pytest.approx(w / 10 * fossen.kp)
    assert (fossen.inertia, fossen.damping) == pytest.approx((inertia, damping))


W, Z = 1.5, 0.8
INTEGRAL = [(a, rule) for a in (0.15, 0.4) for rule in RULES]


@pytest.mark.parametrize(("a", "rule"), INTEGRAL)
def test_the_tracking_gain_is_the_root_of_ki_over_the_damping_of_the_loop(a: float, rule: str) -> None:
    """K_t² = k_i/(d + k_d), 1/s², of each motion; of the boat m = 80, 120, 40 and d = 30, 60, 25."""
    how = {"integral_pole": a, "rule": rule}
    one = HeadingAutopilot.by_pole_placement(boat(), W, Z, **how)
    assert one.tracking_gain**2 == pytest.approx(one.ki / (25.0 + one.kd))
    scheduled = GainScheduledPID.by_pole_placement(boat(), "yaw", [W, 2.0 * W], Z, speeds=[0.0, 1.0], **how)
    assert scheduled.tracking_gain**2 == pytest.approx(max(scheduled.ki / (25.0 + scheduled.kd)))
    several = DynamicPositioning.by_pole_placement(boat(), [W, 1.0, 0.7], Z, **how)
    damping = np.array([30.0, 60.0, 25.0]) + np.diag(several.kd)
    assert several.tracking_gain**2 == pytest.approx(np.diag(several.ki) / damping)
    deep = DepthController.by_pole_placement(Vessel6DOF(**AUV), W, Z, **how)
    assert deep.tracking_gain**2 == pytest.approx(deep.ki / (100.0 + deep.kd))


def test_the_tracking_gain_of_laws_without_an_integral_pole() -> None:
    """PI: k_i/(d + k_p); of two poles at -w_z: half of w_z, k_i/k_p; of a sliding surface its bandwidth."""
    speed = SpeedController.by_pole_placement(boat(), W, Z)
    assert speed.tracking_gain == pytest.approx(speed.ki / (30.0 + speed.kp))
    plane = DivePlaneController.by_pole_placement(Vessel6DOF(**AUV), 1.5, 2.5, depth_frequency=0.4)
    assert plane.tracking_gain == pytest.approx(plane.ki / plane.kp) == pytest.approx(0.2)
    assert IntegralSlidingMode.by_pole_placement(boat(), W, 10.0).tracking_gain == W
    assert HeadingAutopilot.by_pole_placement(boat(), W, Z, integral_pole=0.0).tracking_gain == 1.0  # nothing to track
    none = DynamicPositioning.by_pole_placement(boat(), W, Z, integral_pole=[0.0, 0.1, 0.1]).tracking_gain
    assert none[0] == 1.0
    assert none[1] == pytest.approx(none[2])


def test_other_parameters_may_be_given_and_units_too() -> None:
    autopilot = HeadingAutopilot.by_pole_placement(boat(), "60 deg/s", upper="20 N*m", tracking_gain=3.0, damping=0.0)
    assert autopilot.kp == pytest.approx(40.0 * np.radians(60) ** 2 * 1.2)
    assert (autopilot.upper, autopilot.tracking_gain, autopilot.damping) == (20.0, 3.0, 0.0)


PLACE = r"HeadingAutopilot\.by_pole_placement: "


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (
            {"vessel": Gain(2.0)},
            PLACE
            + r"vessel must be a vessel of blocks\.dynamics, such as Vessel6DOF\.from_vehicle\(\"otter\"\), not Gain",
        ),
        ({"vessel": "otter"}, PLACE + r"vessel must be .*, not 'otter'"),
        ({"natural_frequency": 0.0}, PLACE + r"natural_frequency must be > 0 rad/s, not 0"),
        (
            {"natural_frequency": [1.0, 2.0]},
            PLACE + r"natural_frequency must be a number in rad/s, not an array of 2",
        ),
        (
            {"vessel": NomotoVessel(**NOMOTO | {"time_constant": -8.0})},
            PLACE
            + r"the mass of NomotoVessel in yaw, force over acceleration, must be > 0, not -1200: K and T need the "
            r"same sign",
        ),
        ({"damping_ratio": "2 m"}, PLACE + r"damping_ratio: '2 m' is in m"),
        ({"integral_pole": -1.0}, PLACE + r"integral_pole must be ≥ 0 rad/s, not -1"),
        ({"rule": "exakt"}, PLACE + r"rule must be one of 'exact', 'fossen', not 'exakt'; did you mean 'exact'\?"),
        ({"upper_limit": 3.0}, r"no parameter 'upper_limit' on HeadingAutopilot"),
        (
            {"natural_frequency": 0.2},
            PLACE + r"natural_frequency 0\.2 rad/s is too low for the yaw of DiagonalVessel3DOF, whose own damping is "
            r"more than these poles need: kd would be -8\.2\. Take 0\.313 rad/s or more, or a larger damping_ratio",
        ),
    ],
)
def test_what_cannot_be_designed_is_said(arguments: dict[str, object], message: str) -> None:
    given = {"vessel": boat(), "natural_frequency": 1.0} | arguments
    with pytest.raises(ParameterError, match=message):
        HeadingAutopilot.by_pole_placement(**given)


def test_the_frequency_that_is_named_is_enough() -> None:
    assert HeadingAutopilot.by_pole_placement(boat(), 0.313, integral_pole=0.0).kd >= 0.0


def test_motions_that_a_vessel_lacks_are_named() -> None:
    with pytest.raises(ParameterError, match=r"DepthController.*: DiagonalVessel3DOF does not move in heave: take a"):
        DepthController.by_pole_placement(boat(), 1.0)
    with pytest.raises(ParameterError, match=r"does not move in heave and roll and pitch"):
        DynamicPositioning.by_pole_placement(boat(), 1.0, degrees_of_freedom=6)
    with pytest.raises(ParameterError, match=r"natural_frequency must be a number or 3 of them, not 2"):
        DynamicPositioning.by_pole_placement(boat(), [1.0, 2.0], degrees_of_freedom=3.0)  # type: ignore[arg-type]


def test_stiffness_that_is_more_than_the_poles_need_is_named() -> None:
    otter = Vessel6DOF.from_vehicle("otter", "dynamics")
    with pytest.raises(ParameterError, match=r"too low for the heave of Vessel6DOF, whose own stiffness .*kp would be"):
        DepthController.by_pole_placement(otter, 6.0)
    with pytest.raises(ParameterError, match=r"for the heave of .* or more; each motion may have its own"):
        DynamicPositioning.by_pole_placement(otter, 6.0, degrees_of_freedom=6)
    with pytest.raises(
        ParameterError,
        match=r"too low for the surge of DiagonalVessel3DOF, .* Take rule=.first_order.*begin at 0\.188 rad/s",
    ):
        SpeedController.by_pole_placement(boat(), 0.1)
