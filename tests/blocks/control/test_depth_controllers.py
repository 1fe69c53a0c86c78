"""Depth by a heave force, and depth by pitch."""

import numpy as np
import pytest
from control_loops import closed_loop, has_poles, poles

from blocks import Diagram, simulate
from blocks.basic import Constant, Sine, Step
from blocks.control import ComposeWrench, DepthController, DivePlaneController
from blocks.dynamics import Vessel6DOF
from blocks.errors import ParameterError

ROV = {
    "rigid_body_inertia": np.diag([40.0, 40.0, 40.0, 3.0, 4.0, 5.0]),
    "added_mass": np.diag([10.0, 30.0, 50.0, 1.0, 2.0, 3.0]),
    "linear_damping": np.diag([20.0, 40.0, 60.0, 5.0, 6.0, 7.0]),
}
AUV = {
    "rigid_body_inertia": np.diag([30.0, 30.0, 30.0, 0.2, 3.5, 3.5]),
    "added_mass": np.diag([1.0, 35.0, 35.0, 0.1, 4.9, 4.9]),
    "linear_damping": np.diag([10.0, 100.0, 100.0, 1.0, 20.0, 20.0]),
    "weight": 300.0,
    "buoyancy": 302.0,
    "centre_of_gravity": [0.0, 0.0, 0.02],
}
"""Slender, 0.7 % lighter than water."""


def test_the_law_of_depth_in_random_states() -> None:
    random = np.random.default_rng(3)
    for _ in range(5):
        kp, ki, m, d, q, kt, kd = random.uniform(0.5, 3.0, 7)
        limit = random.uniform(1.0, 10.0)
        depth, rate, acceleration, integral = random.uniform(-2.0, 2.0, 4)
        eta, nu = random.uniform(-1.5, 1.5, (2, 6))
        controller = DepthController(
            kp, ki, kd, inertia=m, damping=d, quadratic_damping=q, tracking_gain=kt, lower=-limit, upper=limit
        )
        got = controller.evaluate(
            states={"integral": integral}, depth=depth, eta=eta, nu=nu, rate=rate, acceleration=acceleration
        )
        (phi, theta), (u, v, w) = eta[3:5], nu[:3]
        sinking = np.cos(theta) * (np.sin(phi) * v + np.cos(phi) * w) - np.sin(theta) * u
        e = depth - eta[2]
        total = m * acceleration + (d + q * abs(rate)) * rate + kp * e + kd * (rate - sinking) + integral
        z = np.clip(total, -limit, limit)
        assert got.outputs == {"force": pytest.approx(z), "error": pytest.approx(e)}
        assert got.derivatives["integral"] == pytest.approx(ki * e + kt * (z - total))


def test_poles_of_heave_are_where_they_were_asked_for() -> None:
    controller = DepthController.by_pole_placement(Vessel6DOF(**ROV), 1.2, 0.8, integral_pole=0.2)
    found = poles(closed_loop(Vessel6DOF(**ROV), controller, "Z", depth=0.0))
    assert has_poles(found, [*np.roots([1.0, 2 * 0.8 * 1.2, 1.2**2]), -0.2], 1e-3)


def test_a_buoyant_vehicle_comes_to_its_depth() -> None:
    rov = ROV | {"weight": 400.0, "buoyancy": 408.0}
    controller = DepthController.by_pole_placement(Vessel6DOF(**rov), 1.0, lower=-60.0, upper=60.0)
    run = simulate(closed_loop(Vessel6DOF(**rov), controller, "Z", depth=5.0), 150.0, step=0.05)
    assert run.values("vessel.eta")[-1, 2] == pytest.approx(5.0, abs=1e-5)
    assert run.values("controller.force")[-1] == pytest.approx(8.0, abs=1e-4)
    trimmed = controller.copy()
    trimmed.initial_integral = 8.0
    run = simulate(closed_loop(Vessel6DOF(**rov), trimmed, "Z", depth=0.0), 1.0, step=0.05)
    assert np.abs(run.values("vessel.eta")[:, 2]).max() < 1e-12


def test_a_depth_reference_with_its_derivatives_is_followed_without_error() -> None:
    a, w = 0.5, 0.6
    controller = DepthController.by_pole_placement(Vessel6DOF(**ROV), 1.0)
    vessel = Vessel6DOF(**ROV, initial_nu=[0.0, 0.0, a * w, 0.0, 0.0, 0.0])
    rates = {"rate": Sine(a * w, w, phase=np.pi / 2), "acceleration": Sine(-a * w * w, w)}
    run = simulate(closed_loop(vessel, controller, "Z", depth=Sine(a, w), **rates), 10.0, step=0.05)
    assert np.abs(run.values("controller.error")).max() < 1e-6


def test_the_law_of_diving_in_random_states() -> None:
    random = np.random.default_rng(4)
    for _ in range(8):
        kp, ki, pitch_kp, pitch_kd, k, kt = random.uniform(0.2, 3.0, 6)
        limit, most = random.uniform(0.5, 3.0), random.uniform(0.1, 1.0)
        depth, integral = random.uniform(-1.0, 1.0, 2)
        eta, nu = random.uniform(-1.0, 1.0, (2, 6))
        controller = DivePlaneController(
            kp, ki, pitch_kp, pitch_kd, stiffness=k, pitch_limit=most, tracking_gain=kt, lower=-limit, upper=limit
        )
        got = controller.evaluate(states={"integral": integral}, depth=depth, eta=eta, nu=nu)
        e = depth - eta[2]
        wanted = integral - kp * e
        pitch = np.clip(wanted, -most, most)
        v = pitch_kp * (pitch - eta[4]) - pitch_kd * nu[4] + k * pitch
        m = np.clip(v, -limit, limit)
        outputs = {"moment": pytest.approx(m), "pitch": pytest.approx(pitch), "error": pytest.approx(e)}
        assert got.outputs == outputs
        assert got.derivatives["integral"] == pytest.approx(-ki * e - kt * (wanted - pitch + (v - m) / pitch_kp))


def dive(controller: DivePlaneController, depth: float, end: float, auv: dict[str, object] = AUV) -> object:
    """Under way at 1.5 m/s."""
    nu = [1.5, 0.0, 0.0, 0.0, 0.0, 0.0]
    diagram = Diagram()
    vessel = diagram.add("vessel", Vessel6DOF(**auv, initial_nu=nu))
    diagram.add("controller", controller)
    wrench = diagram.add("wrench", ComposeWrench())
    diagram.add("thrust", Constant(15.0))
    diagram.add("depth", Step(time=1.0, after=depth))
    diagram.connect(vessel.eta, controller.eta)
    diagram.connect(vessel.nu, controller.nu)
    diagram.connect("depth.y", controller.depth)
    diagram.connect(controller.moment, wrench.M)
    diagram.connect("thrust.y", wrench.X)
    diagram.connect(wrench.force, vessel.force)
    return simulate(diagram, end, step=0.05)


def test_an_auv_dives_by_its_pitch_and_holds_the_depth_by_it() -> None:
    controller = DivePlaneController.by_pole_placement(Vessel6DOF(**AUV), 1.5, 2.5, pitch_limit="25 deg")
    run = dive(controller, 10.0, 200.0)
    z, theta = run.values("vessel.eta")[:, 2], run.values("vessel.eta")[:, 4]
    assert z[-1] == pytest.approx(10.0, abs=1e-6)
    assert run.values("controller.pitch").min() == pytest.approx(-np.radians(25.0))
    assert theta.min() > -np.radians(31.0)
    assert theta[-1] < -0.001  # bow down against its buoyancy
    assert z.max() < 10.9


def test_pitch_has_the_poles_that_were_asked_for() -> None:
    auv = Vessel6DOF(**AUV)
    w, z = 2.5, 0.7
    controller = DivePlaneController.by_pole_placement(auv, 1.5, w, z, depth_frequency=0.1)
    m, d, k = 3.5 + 4.9, 20.0, 300.0 * 0.02
    assert [m, d + controller.pitch_kd, k + controller.pitch_kp] == pytest.approx([m, 2 * z * w * m, w * w * m])
    assert controller.stiffness == pytest.approx(k)
    # with pitch as it is to be, ż = -U θ: s² + U k_p s + U k_i = (s + 0.1)²
    assert [1.5 * controller.kp, 1.5 * controller.ki] == pytest.approx([0.2, 0.01])


def test_a_long_dive_at_the_limit_of_pitch_winds_nothing_up() -> None:
    def overshoot(tracking_gain: float) -> float:
        controller = DivePlaneController.by_pole_placement(
            Vessel6DOF(**AUV), 1.5, 2.5, pitch_limit=0.2, tracking_gain=tracking_gain
        )
        return float(dive(controller, 15.0, 150.0).values("vessel.eta")[:, 2].max() - 15.0)

    assert overshoot(0.25) < 1.2
    assert overshoot(0.0) > 3.0


def test_a_moment_at_its_limit_winds_nothing_up_either() -> None:
    got = DivePlaneController(0.1, 0.05, 10.0, tracking_gain=2.0, lower=-1.0, upper=1.0).evaluate(
        depth=2.0, eta=[0.0, 0.0, 0.0, 0.0, 0.3, 0.0], nu=np.zeros(6)
    )
    assert got.outputs == {"moment": -1.0, "pitch": pytest.approx(-0.2), "error": 2.0}
    assert got.derivatives["integral"] == pytest.approx(-0.05 * 2.0 - 2.0 * (-5.0 + 1.0) / 10.0)


def test_bad_parameters_are_named() -> None:
    with pytest.raises(ParameterError, match=r"DepthController\.lower must not exceed upper: 2 is above 1"):
        DepthController(1.0, lower=2.0, upper=1.0)
    with pytest.raises(ParameterError, match=r"DivePlaneController\.lower must not exceed upper: 2 is above 1"):
        DivePlaneController(1.0, 0.0, 1.0, lower=2.0, upper=1.0)
    with pytest.raises(ParameterError, match=r"pitch_limit must be > 0 and < 1\.5708 rad, not 30; in degrees it is"):
        DivePlaneController(1.0, 0.0, 1.0, pitch_limit=30.0)
    with pytest.raises(ParameterError, match=r"DivePlaneController\.by_pole_placement: speed must be > 0 m/s, not 0"):
        DivePlaneController.by_pole_placement(Vessel6DOF(**AUV), 0.0, 1.0)
