"""Roll and pitch held upright, by the tilt between two verticals."""

import numpy as np
import pytest
from control_loops import closed_loop
from scipy.spatial.transform import Rotation

from blocks import Diagram, simulate
from blocks.basic import Constant
from blocks.control import AttitudeController, ComposeWrench, DepthController, HeadingAutopilot, SpeedController
from blocks.dynamics import Vessel6DOF
from blocks.errors import ParameterError


def down(roll: float, pitch: float, yaw: float) -> np.ndarray:
    return Rotation.from_euler("ZYX", [yaw, pitch, roll]).inv().apply([0.0, 0.0, 1.0])


def test_the_law_in_random_states() -> None:
    random = np.random.default_rng(5)
    for _ in range(8):
        kp, ki, kd, k, kt, integral, rates, limit = random.uniform(0.5, 3.0, (8, 2))
        eta, nu = random.uniform(-3.0, 3.0, (2, 6))
        wanted = random.uniform(-1.4, 1.4, 2)
        controller = AttitudeController(kp, ki, kd, stiffness=k, tracking_gain=kt, lower=-limit, upper=limit)
        got = controller.evaluate(
            states={"integral": integral}, eta=eta, nu=nu, roll=wanted[0], pitch=wanted[1],
            roll_rate=rates[0], pitch_rate=rates[1],
        )  # fmt: skip
        turn, length = Rotation.align_vectors([down(*eta[3:])], [down(*wanted, eta[5])])
        assert length == pytest.approx(0.0, abs=1e-7)
        error = turn.as_rotvec()[:2]
        righted = k * [np.cos(wanted[1]) * np.sin(wanted[0]), np.sin(wanted[1])]
        total = kp * error + kd * (rates - nu[3:5]) + integral + righted
        moments = np.clip(total, -limit, limit)
        assert got.outputs["error"] == pytest.approx(error)
        assert [got.outputs["K"], got.outputs["M"]] == pytest.approx(moments)
        assert got.derivatives["integral"] == pytest.approx(ki * error + kt * (moments - total))


def test_the_error_has_no_jump_where_euler_angles_have_one() -> None:
    controller = AttitudeController([1.0, 1.0])

    def error(*angles: float) -> np.ndarray:
        return np.asarray(controller.evaluate(eta=[0.0, 0.0, 0.0, *angles], nu=np.zeros(6)).outputs["error"])

    before, past = np.pi / 2 - 1e-6, (np.pi, np.pi / 2 - 1e-6)  # straight up, before and past it
    assert error(0.0, before, 0.3) == pytest.approx([0.0, -np.pi / 2], abs=2e-6)
    assert error(*past, 0.3) == pytest.approx([0.0, -np.pi / 2], abs=2e-6)
    assert error(np.pi, 0.0, 0.0) == pytest.approx([-np.pi, 0.0])
    assert error(3.5, 0.0, 0.0) == pytest.approx([2 * np.pi - 3.5, 0.0])  # the short way round


def test_gains_have_the_munk_moment_of_a_level_path_in_them() -> None:
    rov = Vessel6DOF.from_vehicle("bluerov2_heavy")
    at_rest, under_way = (AttitudeController.by_pole_placement(rov, 3.0, speed=u) for u in (0.0, 1.0))
    righting = 131.588 * 0.01
    assert under_way.stiffness == pytest.approx([righting, righting])
    assert under_way.kp - at_rest.kp == pytest.approx([0.0, 18.68 - 6.36])  # (Z_w - X_u) U^2
    assert at_rest.kp == pytest.approx(np.array([0.449, 0.365]) * (9.0 + 2 * 3.0 * 0.3) - righting)


def bluerov(attitude: AttitudeController | None) -> Diagram:
    """At 1 m/s, turning by 30 deg and diving by 1 m."""
    rov = Vessel6DOF.from_vehicle("bluerov2_heavy", initial_eta=[0.0, 0.0, 4.0, 0.0, 0.0, 0.0])
    diagram = closed_loop(rov, SpeedController(60.0, 30.0, damping=13.7, quadratic_damping=141.0), "X", speed=1.0)
    wrench = diagram["wrench"]
    assert isinstance(wrench, ComposeWrench)
    heading = HeadingAutopilot.by_pole_placement(rov, 2.0, upper=10.0, lower=-10.0)
    depth = DepthController.by_pole_placement(rov, 1.1, lower=-40.0, upper=40.0)
    for name, block in (("heading", heading), ("depth", depth), ("attitude", attitude)):
        if block is not None:
            diagram.add(name, block)
            diagram.connect(rov.eta, block.eta)
            diagram.connect(rov.nu, block.nu)
    diagram.connect(diagram.add("course", Constant(0.5)).y, heading.heading)
    diagram.connect(diagram.add("down", Constant(5.0)).y, depth.depth)
    diagram.connect(heading.moment, wrench.N)
    diagram.connect(depth.force, wrench.Z)
    if attitude is not None:
        diagram.connect(attitude.K, wrench.K)
        diagram.connect(attitude.M, wrench.M)
    return diagram


def test_the_bluerov_stays_level_at_a_metre_per_second() -> None:
    rov = Vessel6DOF.from_vehicle("bluerov2_heavy")
    attitude = AttitudeController.by_pole_placement(rov, 4.0, speed=1.0, lower=[-20.0, -20.0], upper=[20.0, 20.0])
    run = simulate(bluerov(attitude), 60.0, step=0.05)
    eta = run.values("vessel.eta")
    assert np.degrees(np.abs(eta[:, 3:5])).max() < 15.0
    assert eta[-1, 2:] == pytest.approx([5.0, 0.0, 0.0, 0.5], abs=1e-3)
    assert run.values("vessel.nu")[-1, 0] == pytest.approx(1.0, abs=1e-3)


def test_without_it_the_munk_moment_stands_it_on_end() -> None:
    with pytest.raises(Exception, match="pitch angle has reached"):
        simulate(bluerov(None), 60.0, step=0.05)


def test_a_vessel_that_is_damped_more_than_asked_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"too low for the pitch of .*own damping.*each motion may have its own"):
        AttitudeController.by_pole_placement(Vessel6DOF.from_vehicle("otter"), [9.0, 1.0], 2.0)


def test_a_vessel_that_does_not_roll_is_refused() -> None:
    from blocks.dynamics import Vessel3DOF

    with pytest.raises(ParameterError, match="does not move in roll"):
        AttitudeController.by_pole_placement(Vessel3DOF.from_vehicle("otter"), 3.0)
