"""Manoeuvres, trim and design with published ships, and a spiral that jumps."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from published_ships import mariner
from scipy.integrate import solve_ivp

from blocks.diagram import Diagram
from blocks.dynamics import NomotoVessel, PolynomialVessel
from blocks.lab.analysis import linearize, trim
from blocks.lab.identification import Log, identify
from blocks.lab.manoeuvres import spiral, stopping, turning_circle, zigzag
from blocks.thrust import PolynomialRudder, PropellerRudder

Array = NDArray[np.float64]
TEN, TWENTY = np.radians([10.0, 20.0])


def ship(vehicle: str, thrust: type[PolynomialRudder | PropellerRudder], speed: float, n: float = 0.0) -> Diagram:
    """Hull and rudder, with the input `rudder`, and `shaft` where there is a propeller."""
    diagram = Diagram(vehicle)
    vessel = diagram.add("vessel", PolynomialVessel.from_vehicle(vehicle, initial_nu=[speed, 0, 0, 0, 0, 0]))
    rudder = diagram.add("rudder", thrust.from_vehicle(vehicle))
    diagram.connect(vessel.nu_r, rudder.nu_r)
    diagram.connect(rudder.force, vessel.force)
    diagram.inputs(rudder=rudder.command)
    if rudder.has_shaft:
        diagram.inputs(shaft=rudder.shaft_command)
        rudder.set(initial_speed=n)
    return diagram


class Published:
    """The mariner's equations, as published, steered by hand: u, v, r, x, y, ψ and the rudder angle to starboard."""

    def __init__(self) -> None:
        self.t, self.state = 0.0, np.array([7.7175, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0])

    def rates(self, order: float) -> Callable[[float, Array], Array]:
        def found(t: float, state: Array) -> Array:
            u, v, r, _, _, psi, delta = state
            accelerations = mariner(u, v, r, -delta)
            kinematics = [u * math.cos(psi) - v * math.sin(psi), u * math.sin(psi) + v * math.cos(psi), r]
            gear = float(np.clip(order - delta, -math.radians(5.0), math.radians(5.0)))
            return np.array([*accelerations, *kinematics, gear])

        return found

    def until(self, order: float, heading: float | None, longest: float = 1500.0) -> Any:
        """Keep an order until a heading is reached."""

        def reached(t: float, state: Array) -> float:
            return float(state[5] - (heading if heading is not None else 99.0))

        reached.terminal = True  # type: ignore[attr-defined]
        span = (self.t, self.t + longest)
        run = solve_ivp(self.rates(order), span, self.state, events=reached, rtol=1e-10, atol=1e-12, dense_output=True)
        self.t, self.state = float(run.t[-1]), run.y[:, -1]
        return run


def test_the_zigzag_of_the_mariner_is_that_of_the_equations_integrated_by_scipy() -> None:
    """Executes and overshoots of 20/20 by two integrators that share nothing: 1e-4 is the interpolation of records."""
    test = zigzag(ship("mariner", PolynomialRudder, 7.7175), "20 deg", approach="1 s", longest=400.0)
    (found,) = test.measures.values()
    other = Published()
    other.until(0.0, None, found.execute_times[0])
    executes, overshoots = [other.t], []
    for k, side in enumerate((1.0, -1.0, 1.0, -1.0)):
        run = other.until(side * TWENTY, side * TWENTY)
        executes.append(other.t)
        if k:
            headings = run.sol(np.linspace(run.t[0], run.t[-1], 4000))[5]
            overshoots.append(float((-side * headings).max() - TWENTY))
    assert found.execute_times == pytest.approx(executes, abs=5e-3)
    assert found.overshoot_angles[:3] == pytest.approx(overshoots, abs=1e-4)
    assert math.degrees(found.overshoot_angles[0]) == pytest.approx(7.78, abs=0.02)


def test_the_turning_circle_of_the_mariner_is_that_of_the_equations_integrated_by_scipy() -> None:
    """35° to starboard, counted from the order, within 0.1 m of some 1000 m: steps of the manoeuvre and of records."""
    circle = turning_circle(ship("mariner", PolynomialRudder, 7.7175), "35 deg", approach="1 s", sides="starboard")
    (found,) = circle.measures.values()
    other = Published()
    other.until(0.0, None, 1.0)
    begin = other.state.copy()
    other.until(math.radians(35.0), math.pi / 2)
    quarter = other.state - begin
    other.until(math.radians(35.0), math.pi)
    half = other.state - begin
    assert (found.advance, found.transfer) == pytest.approx(quarter[3:5], abs=0.1)
    assert found.tactical_diameter == pytest.approx(half[4], abs=0.1)


def test_a_container_ship_heels_inwards_first_and_then_outwards() -> None:
    """The rudder, below the roll axis, pushes first; the turn about the hull's lateral force then heels it outwards."""
    circle = turning_circle(
        ship("container", PropellerRudder, 7.0, 70 / 60), "15 deg", inputs={"shaft": 70 / 60}, sides="starboard"
    )
    (run,) = circle.runs.values()
    (found,) = circle.measures.values()
    late = run.time > found.execute_time
    roll = np.degrees(run.values("vessel.eta")[late, 3])
    assert roll[0] == pytest.approx(0.0, abs=1e-6)
    assert roll.max() > 0.3
    assert np.argmax(roll > 0.3) < np.argmax(roll < -1.0)
    assert -15.0 < roll.min() < -3.0


def test_the_tanker_keeps_its_course_in_shallow_water_only() -> None:
    """The pole of yaw at 8 m/s: unstable in deep water, stable at 1.2 times the draught, as the source has it."""
    poles = []
    for depth in (1e300, 1.2 * 18.46):
        vessel = PolynomialVessel.from_vehicle("esso_tanker", water_depth=depth, initial_nu=[7.5, 0, 0, 0, 0, 0])
        point = linearize(vessel, inputs=["force[N]"], outputs=["nu[r]"])
        poles.append(max(pole.real for pole in point.eigenvalues if abs(pole) > 1e-9))
    deep, shallow = poles
    assert deep > 1e-4
    assert shallow < 0.0


def test_stopping_with_the_tankers_propeller_astern() -> None:
    diagram = ship("esso_tanker", PolynomialRudder, 7.0, 1.2)
    test = stopping(diagram, -1.0, throttle="shaft", inputs={"rudder": 0.0, "shaft": 1.2}, approach="1 s")
    (found,) = test.measures.values()
    assert 1500.0 < found.track_reach < 8000.0


def test_trim_finds_the_revolutions_for_a_speed() -> None:
    """Thrust less its deduction meets the resistance: X_uu u² alone, straight ahead."""
    diagram = ship("container", PropellerRudder, 7.0, 1.0)
    point = trim(diagram, {"vessel.nu[u]": 7.0}, free=["shaft"], given={"rudder": 0.0}, guess={"shaft": 1.0})
    n, u_p = float(point.inputs["shaft"]), 7.0 * (1.0 - 0.184)
    thrust = 1025.0 * 6.533**4 * (0.527 - 0.455 * u_p / (n * 6.533)) * n * n
    assert (1.0 - 0.175) * thrust == pytest.approx(0.0004226 * 0.5 * 1025.0 * 175.0**2 * 49.0, rel=1e-6)


def norrbin(n_1: float, n_3: float, gain: float = 0.05) -> NomotoVessel:
    """A ship that steers by T ṙ + n_3 r³ + n_1 r = K δ, with a moment of 1 N·m per radian."""
    return NomotoVessel(
        gain=gain, time_constant=30.0, rudder_moment=1.0, surge_gain=1.0, surge_time_constant=10.0,
        yaw_polynomial=[0.0, n_1, 0.0, n_3], initial_nu=[5.0, 0, 0, 0, 0, 0.001],
    )  # fmt: skip


PARTS = (1.0, 0.4, 0.3, 0.0)
AHEAD: dict[str, Any] = {"helm": "force[N]", "inputs": {"force": [5.0, 0, 0, 0, 0, 0]}, "approach": "1 s"}


def test_the_spiral_of_an_unstable_ship_follows_both_branches_and_jumps_where_they_end() -> None:
    """n_3 r³ - r = K δ, which folds at δ = ±√(4/(27 n_3))/K: 3.12°, between the orders of 3° and 4°."""
    n_3, gain = 2e4, 0.05
    (found,) = spiral(norrbin(-1.0, n_3), TEN, parts=PARTS, **AHEAD).measures.values()
    orders, rates = np.array(found.orders), np.array(found.yaw_rates)
    assert n_3 * rates**3 - rates == pytest.approx(gain * orders, abs=2e-5)
    assert not found.stable
    fold = math.sqrt(4.0 / (27.0 * n_3)) / gain
    assert np.radians(3.0) < fold < np.radians(4.0)
    there = rates[: found.turning_back + 1]
    held = orders[: found.turning_back + 1]
    assert (there[held > -fold] > 0.0).all()
    assert (there[held < -fold] < 0.0).all()
    assert found.loop_height == pytest.approx(2.0 * math.sqrt(1.0 / n_3), rel=1e-3)


def test_the_spiral_of_a_stable_ship_bends_and_has_no_loop() -> None:
    (found,) = spiral(norrbin(1.0, 2e4), TEN, parts=PARTS, **AHEAD).measures.values()
    rates = np.array(found.yaw_rates)
    assert found.stable
    assert 2e4 * rates**3 + rates == pytest.approx(0.05 * np.array(found.orders), abs=2e-5)


@pytest.mark.slow
def test_derivatives_are_identified_from_a_zigzag_by_their_corrections() -> None:
    """From 20 to 10 % off to within 2 %, from a zigzag of 300 s with noise."""
    truth = ship("mariner", PolynomialRudder, 7.7175)
    (run,) = zigzag(truth, "20 deg", approach="1 s", longest=300.0).runs.values()
    random, time = np.random.default_rng(1), np.arange(0.0, 280.0, 0.5)
    columns = {"time": time, "delta": np.interp(time, run.time, run.values("rudder.angle"))}
    for name, noise in {"u": 0.02, "v": 0.02, "r": 1e-4}.items():
        columns[name] = np.interp(time, run.time, run.values(f"vessel.nu[{name}]")) + noise * random.normal(
            size=len(time)
        )
    log = Log.of(columns, {"delta": "rad", "u": "m/s", "v": "m/s", "r": "rad/s"})
    model = ship("mariner", PolynomialRudder, 7.7175)
    model.replace("rudder", PolynomialRudder.from_vehicle("mariner", response="instant"))
    hull = model.blocks()["vessel"]
    wrong = {"N_v": 1.2, "N_r": 0.8, "Y_v": 0.9}
    correction = np.ones(len(hull.terms_in_words))
    for name, factor in wrong.items():
        correction[[term.name for term in hull.terms_in_words].index(name)] = factor
    hull.set(correction=correction)
    found = identify(
        model,
        log,
        inputs={"rudder": "delta"},
        outputs={f"vessel.nu[{name}]": name for name in "uvr"},
        parameters={f"vessel.{hull.correction_of(name)}": (0.3, 2.0) for name in wrong},
        step=0.5,
    )
    assert list(found.values.values()) == pytest.approx([1.0, 1.0, 1.0], abs=0.02)


def tanker(depth: float) -> Diagram:
    """The Esso tanker in water of a depth, m."""
    diagram = ship("esso_tanker", PolynomialRudder, 7.5, 80 / 60)
    for block in diagram.blocks().values():
        block.set(water_depth=depth)
    return diagram


def test_in_shallow_water_the_tanker_turns_wider_and_checks_sooner() -> None:
    """At 1.3 times the draught: 1387 m for 989 m, and less than half of the overshoot."""
    ordered: dict[str, Any] = {"inputs": {"shaft": 80 / 60}, "approach": "1 s", "step": 0.1}
    diameters, overshoots = [], []
    for depth in (1e300, 24.0):
        (circle,) = turning_circle(tanker(depth), "30 deg", sides="starboard", **ordered).measures.values()
        (test,) = zigzag(tanker(depth), "10 deg", executes=2, **ordered).measures.values()
        diameters.append(circle.tactical_diameter)
        overshoots.append(test.overshoot_angles[0])
    assert diameters == pytest.approx([989.0, 1387.0], abs=3.0)
    assert overshoots[1] < 0.5 * overshoots[0]


@pytest.mark.slow
def test_the_spiral_of_the_tanker_has_a_loop_in_deep_water_only() -> None:
    ordered: dict[str, Any] = {"inputs": {"shaft": 80 / 60}, "approach": "1 s", "step": 0.5, "longest": "8 h"}
    deep, shallow = (
        next(iter(spiral(tanker(depth), "20 deg", parts=(1.0, 0.1, 0.04, 0.01, 0.0), **ordered).measures.values()))
        for depth in (1e300, 24.0)
    )
    assert not deep.stable
    assert deep.loop_height > 0.003
    assert shallow.stable
