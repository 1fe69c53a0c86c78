"""Integral sliding mode: its law, its poles, and what a load below its bound can do."""

import numpy as np
import pytest
from control_loops import boat, closed_loop, has_poles, poles

from blocks import Block, Diagram, simulate
from blocks.basic import Sine
from blocks.control import ComposeWrench, HeadingAutopilot, IntegralSlidingMode
from blocks.dynamics import Vessel3DOF
from blocks.errors import ParameterError


def yaw(value: float) -> np.ndarray:
    return np.array([0.0, 0.0, 0.0, 0.0, 0.0, value])


@pytest.mark.parametrize("boundary", ["tanh", "saturation"])
def test_the_law_in_random_states(boundary: str) -> None:
    random = np.random.default_rng(5)
    for _ in range(6):
        lam, kd, gain, layer, m, d, q, kt = random.uniform(0.3, 2.0, 8)
        limit = random.uniform(1.0, 10.0)
        controller = IntegralSlidingMode(
            bandwidth=lam, kd=kd, switching_gain=gain, boundary_layer=layer, boundary=boundary, inertia=m, damping=d,
            quadratic_damping=q, lower=-limit, upper=limit, tracking_gain=kt,
        )  # fmt: skip
        heading, rate, acceleration, integral = random.uniform(-3.0, 3.0, 4)
        eta, nu = random.uniform(-3.0, 3.0, (2, 6))
        got = controller.evaluate(
            states={"integral": integral}, heading=heading, eta=eta, nu=nu, rate=rate, acceleration=acceleration
        )
        e, r = np.angle(np.exp(1j * (heading - eta[5]))), nu[5]
        r_v = rate + 2 * lam * e + integral
        sigma = r - r_v
        h = np.tanh(sigma / layer) if boundary == "tanh" else np.clip(sigma / layer, -1, 1)
        v = m * (acceleration + 2 * lam * (rate - r) + lam**2 * e) + (d + q * abs(r)) * r_v - kd * sigma - gain * h
        n = np.clip(v, -limit, limit)
        outputs = {"moment": pytest.approx(n), "error": pytest.approx(e), "sliding": pytest.approx(sigma)}
        assert got.outputs == outputs
        assert got.derivatives["integral"] == pytest.approx(lam**2 * e + kt * (n - v) / (d + kd + gain / layer))


def test_within_the_layer_the_poles_are_where_they_were_asked_for() -> None:
    """-λ twice, and -(d + k_d + K/Φ)/m = -(2λ + d/m)."""
    lam = 0.8
    controller = IntegralSlidingMode.by_pole_placement(boat(), lam, 6.0)
    found = poles(closed_loop(boat(), controller, "N", heading=0.0))
    assert has_poles(found, [-lam, -lam, -(2 * lam + 25.0 / 40.0)], 2e-3)


@pytest.mark.parametrize("boundary", ["tanh", "saturation"])
def test_a_load_below_k_h_1_keeps_the_surface_within_the_layer(boundary: str) -> None:
    """Without k_d and d, σ settles where K h(σ/Φ) = w, which is beyond Φ for w > 0.76 K with tanh."""
    vessel = Vessel3DOF.diagonal(m=(50.0, 50.0, 40.0), d=(10.0, 10.0, 0.0))
    for part in (0.7, 0.9):
        controller = IntegralSlidingMode(
            bandwidth=1.0, switching_gain=10.0, boundary_layer=0.1, boundary=boundary, inertia=40.0
        )
        load = closed_loop(vessel.copy(), controller, "N", heading=0.5, disturbance=yaw(10.0 * part))
        left = simulate(load, 30.0, step=0.02).values("controller.sliding")[-1] / 0.1
        assert left == pytest.approx(np.arctanh(part) if boundary == "tanh" else part, rel=1e-4)


def worst_error(controller: Block, load: float) -> tuple[float, float]:
    """The greatest error and distance from the surface after a while, under a load that swings."""
    diagram = Diagram()
    vessel = diagram.add("vessel", boat())
    controller = diagram.add("controller", controller.copy())
    for name, source in (("load", Sine(load, 0.7)), ("reference", Sine(0.6, 0.3))):
        diagram.add(name, source)
    rates = {"rate": Sine(0.18, 0.3, phase=np.pi / 2), "acceleration": Sine(-0.054, 0.3)}
    for name, source in rates.items():
        diagram.add(name, source)
        diagram.connect(f"{name}.y", controller.port(name))
    wrench, loads = diagram.add("wrench", ComposeWrench()), diagram.add("loads", ComposeWrench())
    diagram.connect("load.y", loads.N)
    diagram.connect(loads.force, vessel.disturbance)
    diagram.connect("reference.y", controller.heading)
    diagram.connect(vessel.eta, controller.eta)
    diagram.connect(vessel.nu, controller.nu)
    diagram.connect(controller.moment, wrench.N)
    diagram.connect(wrench.force, vessel.force)
    run = simulate(diagram, 60.0, step=0.01)
    later = run.time > 20.0
    sliding = run.values("controller.sliding")[later] if "sliding" in controller.output_ports else np.zeros(1)
    return float(np.abs(run.values("controller.error")[later]).max()), float(np.abs(sliding).max())


def test_a_load_below_the_bound_stays_within_the_layer() -> None:
    """Within the layer 2λ ė + ... of σ < Φ: the error stays below Φ/λ; without switching it does not."""
    lam, bound, layer = 0.5, 20.0, 0.02
    switched = IntegralSlidingMode.by_pole_placement(boat(), lam, bound, boundary_layer=layer, kd=0.0)
    error, sigma = worst_error(switched, 0.9 * bound)
    assert sigma < 2.0 * layer  # tanh reaches 0.9 at 1.47 Φ
    assert error < 2.0 * layer / lam
    linear = HeadingAutopilot.by_pole_placement(boat(), lam)
    assert worst_error(linear, 0.9 * bound)[0] > 10.0 * error
    # above the bound, and with nothing but switching, it is left
    assert worst_error(switched, 3.0 * bound)[1] > 5.0 * layer


def test_a_steady_load_leaves_no_error() -> None:
    controller = IntegralSlidingMode.by_pole_placement(boat(), 0.6, 20.0, boundary="saturation")
    run = simulate(closed_loop(boat(), controller, "N", heading=0.4, disturbance=yaw(15.0)), 80.0, step=0.05)
    assert abs(run.values("controller.error")[-1]) < 1e-6
    assert run.values("controller.moment")[-1] == pytest.approx(-15.0, abs=1e-3)


def test_from_350_to_10_degrees_it_turns_by_20_within_its_limits() -> None:
    controller = IntegralSlidingMode.by_pole_placement(boat(), 0.6, 5.0, lower=-2.0, upper=2.0)
    vessel = boat(initial_eta=yaw(np.radians(350.0)))
    run = simulate(closed_loop(vessel, controller, "N", heading=np.radians(10.0)), 60.0, step=0.05)
    psi = np.degrees(run.values("vessel.eta")[:, 5])
    assert psi[-1] == pytest.approx(370.0, abs=0.1)
    assert psi.min() == 350.0
    assert psi.max() < 373.0
    assert np.abs(run.values("controller.moment")).max() == 2.0


def test_it_is_made_from_nomoto_too() -> None:
    controller = IntegralSlidingMode.from_nomoto(0.2, 10.0, 0.3, 0.1, boundary_layer=0.05)
    assert (controller.inertia, controller.damping) == pytest.approx((50.0, 5.0))
    assert (controller.kd, controller.boundary_layer) == pytest.approx((15.0, 0.05))


def test_a_surface_that_does_not_attract_is_refused() -> None:
    with pytest.raises(
        ParameterError,
        match=r"IntegralSlidingMode: damping \+ kd \+ switching_gain/boundary_layer must be positive .*, not -3 N·m·s: "
        r"raise kd or switching_gain",
    ):
        IntegralSlidingMode(bandwidth=1.0, switching_gain=1.0, boundary_layer=0.5, inertia=1.0, damping=-5.0)
    with pytest.raises(ParameterError, match=r"IntegralSlidingMode\.lower must not exceed upper"):
        IntegralSlidingMode(bandwidth=1.0, switching_gain=1.0, boundary_layer=0.5, inertia=1.0, lower=1.0, upper=0.0)
