"""Dynamic positioning: its law, its poles at every heading, currents, references, limits."""

import numpy as np
import pytest
from control_loops import boat, closed_loop, has_poles, poles
from scipy.spatial.transform import Rotation

from blocks import Diagram, simulate
from blocks.basic import Constant, Integrator, Step, Sum
from blocks.control import DynamicPositioning
from blocks.dynamics import Vessel3DOF, Vessel6DOF
from blocks.errors import ParameterError

PLANAR = [0, 1, 5]


def at(x: float = 0.0, y: float = 0.0, psi: float = 0.0) -> np.ndarray:
    return np.array([x, y, 0.0, 0.0, 0.0, psi])


def skewed(**changes: object) -> Vessel3DOF:
    """Sway and yaw are coupled by the centre of gravity, surge is apart."""
    given = {"mass": 50.0, "yaw_inertia": 20.0, "centre_of_gravity": [0.3, 0.0]}
    given |= {"added_mass": np.diag([5.0, 60.0, 15.0]), "linear_damping": np.diag([20.0, 60.0, 25.0])}
    return Vessel3DOF(**given | changes)


def test_the_law_in_random_states_of_six_degrees_of_freedom() -> None:
    random = np.random.default_rng(6)
    for _ in range(5):
        kp, ki, kd, m, d = random.uniform(-1.0, 2.0, (5, 6, 6))
        kt, limit = random.uniform(0.5, 2.0, 6), random.uniform(2.0, 20.0, 6)
        dp = DynamicPositioning(kp, ki, kd, mass_matrix=m, damping=d, tracking_gain=kt, lower=-limit, upper=limit)
        pose, eta = random.uniform(-1.2, 1.2, (2, 6))
        nu, velocity, acceleration, z = random.uniform(-1.0, 1.0, (4, 6))
        got = dp.evaluate(
            states={"integral": z}, pose=pose, eta=eta, nu=nu, velocity=velocity, acceleration=acceleration
        )
        phi, theta, psi = eta[3:]
        r = Rotation.from_euler("ZYX", [psi, theta, phi]).as_matrix()
        to_body = np.array([
            [1.0, 0.0, -np.sin(theta)],
            [0.0, np.cos(phi), np.cos(theta) * np.sin(phi)],
            [0.0, -np.sin(phi), np.cos(theta) * np.cos(phi)],
        ])  # fmt: skip
        e = np.r_[r.T @ (pose - eta)[:3], to_body @ (pose - eta)[3:]]
        both = np.kron(np.eye(2), r)
        v = kp @ e + kd @ (velocity - nu) + both.T @ z + m @ acceleration + d @ velocity
        tau = np.clip(v, -limit, limit)
        assert got.outputs["force"] == pytest.approx(tau)
        assert got.outputs["error"] == pytest.approx(e)
        assert got.derivatives["integral"] == pytest.approx(both @ (ki @ e + kt * (tau - v)))


def test_the_law_in_random_states_of_three() -> None:
    random = np.random.default_rng(7)
    for _ in range(5):
        kp, ki, kd, m, d = random.uniform(-1.0, 2.0, (5, 3, 3))
        kt, limit = random.uniform(0.5, 2.0, 3), random.uniform(2.0, 20.0, 3)
        ki[1] = 0.0  # no memory in sway
        dp = DynamicPositioning(kp, ki, kd, mass_matrix=m, damping=d, tracking_gain=kt, lower=-limit, upper=limit)
        pose, eta = random.uniform(-4.0, 4.0, (2, 6))
        nu, velocity, acceleration, z = random.uniform(-1.0, 1.0, (4, 6))
        got = dp.evaluate(
            states={"integral": z}, pose=pose, eta=eta, nu=nu, velocity=velocity, acceleration=acceleration
        )
        c, s = np.cos(eta[5]), np.sin(eta[5])
        r = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        apart = (pose - eta)[PLANAR]
        apart[2] = np.angle(np.exp(1j * apart[2]))
        e = r.T @ apart
        v = kp @ e + kd @ (velocity - nu)[PLANAR] + r.T @ z[PLANAR] + m @ acceleration[PLANAR] + d @ velocity[PLANAR]
        tau = np.clip(v, -limit, limit)
        rate = ki @ e + kt * (tau - v) * [1, 0, 1]
        for name, wanted in (("force", tau), ("error", e)):
            assert got.outputs[name][PLANAR] == pytest.approx(wanted)
            assert not np.any(got.outputs[name][2:5])
        assert got.derivatives["integral"][PLANAR] == pytest.approx(r @ rate)
        assert not np.any(got.derivatives["integral"][2:5])


@pytest.mark.parametrize("psi", [0.0, 1.9])
def test_poles_are_where_they_were_asked_for_at_every_heading(psi: float) -> None:
    """Masses differ in surge and sway, and sway is coupled with yaw; still each motion has its own poles."""
    w, z = np.array([0.6, 0.8, 1.1]), np.array([1.0, 0.7, 0.8])
    dp = DynamicPositioning.by_pole_placement(skewed(), w, z)
    found = poles(closed_loop(skewed(initial_eta=at(psi=psi)), dp, None, pose=at(psi=psi)))
    wanted = [p for wi, zi in zip(w, z, strict=True) for p in (*np.roots([1.0, 2 * zi * wi, wi * wi]), -wi / 10)]
    assert has_poles(found, wanted, 2e-3)


def test_the_gains_of_the_book() -> None:
    """K_p = M ω², K_d = 2 M ζω - D, K_i = ω/10 K_p."""
    vessel = skewed()
    dp = DynamicPositioning.by_pole_placement(vessel, 0.8, 0.9, rule="fossen")
    m = vessel.mass_matrix
    assert dp.kp == pytest.approx(m * 0.8**2)
    assert dp.kd == pytest.approx(2 * 0.9 * 0.8 * m - vessel.linear_damping)
    assert dp.ki == pytest.approx(0.08 * dp.kp)


def test_poles_of_six_degrees_of_freedom() -> None:
    rov = Vessel6DOF(
        rigid_body_inertia=np.diag([40.0, 40.0, 40.0, 3.0, 4.0, 5.0]), added_mass=np.diag([9.0, 30, 50, 1, 2, 3]),
        linear_damping=np.diag([20.0, 40.0, 60.0, 4.0, 5.0, 6.0]), weight=400.0, buoyancy=400.0,
        centre_of_gravity=[0.0, 0.0, 0.02],
    )  # fmt: skip
    dp = DynamicPositioning.by_pole_placement(rov, [0.8, 0.9, 1.0, 2.0, 2.1, 1.2], degrees_of_freedom=6)
    found = poles(closed_loop(rov.copy(), dp, None, pose=np.zeros(6)))
    assert has_poles(found, [-0.8, -0.08, -0.9, -1.0, -2.0, -0.2, -2.1, -1.2], 2e-3)


def test_it_holds_against_a_current_and_goes_on_to_while_it_turns() -> None:
    """The load of a current is steady in north and east; with it in the integral a turn moves the vessel little."""
    dp = DynamicPositioning.by_pole_placement(boat(linear_damping=[40.0, 40.0, 25.0]), 0.8)
    vessel = boat(linear_damping=[40.0, 40.0, 25.0], initial_eta=at(4.0, -3.0, 0.5))
    diagram = closed_loop(vessel, dp, None, current=[0.3, -0.2, 0.0])
    diagram.add("north", Constant(at(1.0, 2.0)))
    heading = diagram.add("heading", Step(time=200.0, before=np.zeros(6), after=at(psi=1.5)))
    total = diagram.add("pose", Sum("++"))
    diagram.connect("north.y", total.in1)
    diagram.connect(heading.y, total.in2)
    diagram.connect(total.y, dp.pose)
    run = simulate(diagram, 400.0, step=0.1)
    eta, before, end = run.values("vessel.eta"), np.searchsorted(run.time, 199.95), len(run) - 1
    for k, psi in ((before, 0.0), (end, 1.5)):
        assert eta[k] == pytest.approx(at(1.0, 2.0, psi), abs=1e-6)
        c, s = np.cos(psi), np.sin(psi)
        load = 40.0 * np.array([0.3 * c - 0.2 * s, -0.3 * s - 0.2 * c])
        assert run.values("controller.force")[k][:2] == pytest.approx(-load, abs=1e-4)
    assert np.hypot(*(eta[before:, :2] - [1.0, 2.0]).T).max() < 0.1


def test_from_350_to_10_degrees_it_turns_by_20() -> None:
    dp = DynamicPositioning.by_pole_placement(boat(), 0.8)
    vessel = boat(initial_eta=at(psi=np.radians(350.0)))
    run = simulate(closed_loop(vessel, dp, None, pose=at(psi=np.radians(10.0))), 80.0, step=0.1)
    psi = np.degrees(run.values("vessel.eta")[:, 5])
    assert psi[-1] == pytest.approx(370.0, abs=0.1)
    assert psi.min() == 350.0
    assert psi.max() < 375.0


def test_a_reference_with_its_derivatives_is_followed_without_error() -> None:
    """Straight on with an acceleration of 0.05 m/s², from rest."""
    diagram = Diagram()
    vessel = diagram.add("vessel", boat())
    dp = diagram.add("controller", DynamicPositioning.by_pole_placement(vessel, 0.8))
    diagram.add("acceleration", Constant([0.05, 0.0, 0.0, 0.0, 0.0, 0.0]))
    for name, before in (("velocity", "acceleration"), ("pose", "velocity")):
        diagram.add(name, Integrator())
        diagram.connect(f"{before}.y", f"{name}.u")
    for name in ("pose", "velocity", "acceleration"):
        diagram.connect(f"{name}.y", dp.input_port(name))
    diagram.connect(vessel.eta, dp.eta)
    diagram.connect(vessel.nu, dp.nu)
    diagram.connect(dp.force, vessel.force)
    run = simulate(diagram, 10.0, step=0.1)
    assert run.values("vessel.eta")[-1, 0] == pytest.approx(2.5)
    assert np.abs(run.values("controller.error")).max() < 1e-9


def test_anti_windup_takes_overshoot_away() -> None:
    def overshoot(**how: object) -> float:
        dp = DynamicPositioning.by_pole_placement(
            boat(), 0.8, integral_pole=0.3, lower=[-12.0, -12.0, -8.0], upper=[12.0, 12.0, 8.0], **how
        )
        run = simulate(closed_loop(boat(), dp, None, pose=at(8.0, 5.0)), 100.0, step=0.1)
        assert np.abs(run.values("controller.force")).max() == 12.0
        return float((run.values("vessel.eta")[:, :2] - [8.0, 5.0]).max())

    assert overshoot() < 0.3
    assert overshoot(tracking_gain=0.0) > 1.5


def test_gains_of_a_wrong_shape_are_named() -> None:
    for kp, given in ((2.0, r"the single number 2"), (np.eye(4), "4×4"), ([1.0, 2.0, 3.0], ".*3")):
        with pytest.raises(ParameterError, match=r"DynamicPositioning\.kp must be .*" + given):
            DynamicPositioning(kp)
    with pytest.raises(
        ParameterError, match=r"DynamicPositioning\.ki must be a matrix, as kp is, not the single number"
    ):
        DynamicPositioning(np.eye(3), 0.1)
    with pytest.raises(
        ParameterError, match=r"DynamicPositioning\.lower\[1\] must not exceed upper\[1\]: 2 is above 1"
    ):
        DynamicPositioning(np.eye(3), lower=[0.0, 2.0, 0.0], upper=1.0)
    with pytest.raises(ParameterError, match=r"degrees_of_freedom must be 3 or 6, not 4"):
        DynamicPositioning.by_pole_placement(boat(), 1.0, degrees_of_freedom=4)
    with pytest.raises(ParameterError, match=r"natural_frequency must be a number or 3 of them, not 2"):
        DynamicPositioning.by_pole_placement(boat(), [1.0, 2.0])
