"""Manoeuvres in one call, against the closed forms of simple models."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import brentq

from blocks import Diagram
from blocks.basic import Constant, Gain, Product, Sum
from blocks.control import ComposeWrench
from blocks.dynamics import MMGVessel, NomotoVessel, Vessel3DOF
from blocks.lab import ManoeuvreError
from blocks.lab.manoeuvres import criteria, pull_out, spiral, stopping, turning_circle, zigzag
from blocks.lab.manoeuvres.conditions import Conditions, Ground
from blocks.thrust import DifferentialThrust, MMGPropulsion

K, T, SPEED, T_U, K_U = 0.06, 30.0, 7.0, 100.0, 1e-5
SHIP = {"inputs": {"thrust": SPEED / K_U}, "step": 0.5}


def ship(gain: float = 0.0, cubic: float = 0.0) -> Diagram:
    """T ṙ + r = K (δ + a r - b r³), at constant speed; with `gain` a above 1/K it does not keep its course."""
    made = Diagram("ship")
    hull = NomotoVessel(
        gain=K, time_constant=T, rudder_moment=1.0, surge_gain=K_U, surge_time_constant=T_U,
        initial_nu=[SPEED, 0, 0, 0, 0, 0],
    )  # fmt: skip
    made.add("vessel", hull)
    made.add("total", Sum("++-"))
    made.add("linear", Gain(gain))
    made.add("cube", Product("***"))
    made.add("cubic", Gain(cubic))
    wrench = made.add("wrench", ComposeWrench())
    made.connect("vessel.nu[r]", "linear.u", "cube.in1", "cube.in2", "cube.in3")
    made.connect("cube.y", "cubic.u")
    made.connect("linear.y", "total.in2")
    made.connect("cubic.y", "total.in3")
    made.connect("total.y", wrench.N)
    made.connect(wrench.force, hull.force)
    made.inputs(rudder="total.in1", thrust=wrench.X)
    return made


def turned(t: float, delta: float) -> float:
    """Heading change of Nomoto's model after a step of the rudder."""
    return K * delta * (t - T * (1.0 - math.exp(-t / T)))


def test_the_turning_circle_of_nomotos_model() -> None:
    delta = math.radians(20.0)
    found = turning_circle(ship(), "20 deg", length="150 m", **SHIP)
    assert list(found.measures) == ["20° to starboard", "20° to port"]
    quarter = brentq(lambda t: turned(t, delta) - 0.5 * math.pi, 1.0, 1e3)
    advance = SPEED * quad(lambda t: math.cos(turned(t, delta)), 0.0, quarter)[0]
    for one in found.measures.values():
        assert one.steady.yaw_rate == pytest.approx(K * delta, rel=1e-3)  # the first half turn is not the steady one
        assert one.steady.diameter == pytest.approx(2.0 * SPEED / (K * delta), rel=1e-3)
        assert one.time_to_90 == pytest.approx(quarter, rel=1e-6)
        assert one.advance == pytest.approx(advance, rel=1e-6)
    assert "IMO" not in found.table()  # 20° is not the largest angle
    assert found.run.values("vessel.eta").shape == (len(found.trial.time), 6)
    assert found.figure("A ship").get_suptitle() == "A ship"


def test_the_zigzag_test_of_nomotos_model() -> None:
    delta = math.radians(20.0)
    found = zigzag(ship(), "20 deg", sides=("starboard", "port"), length=150.0, **SHIP)
    starboard, port = found.measures.values()
    assert list(found.measures) == ["20°/20°", "20°/20° to port first"]
    assert starboard.overshoot_angles == pytest.approx(port.overshoot_angles, rel=1e-6)
    first = brentq(lambda t: turned(t, delta) - delta, 1.0, 1e3)
    rate = K * delta * (1.0 - math.exp(-first / T))
    overshoot = T * rate - K * delta * T * math.log(1.0 + rate / (K * delta))
    assert starboard.initial_turning_time == pytest.approx(first, rel=2e-5)  # a spline across the reversal
    assert starboard.overshoot_angles[0] == pytest.approx(overshoot, rel=1e-4)
    assert f"{math.degrees(starboard.overshoot_angles[0]):.2f} ≤ 25°" in found.table()


def test_a_stable_ship_runs_straight_after_a_pull_out_and_has_no_loop() -> None:
    one = pull_out(ship(), "20 deg", **SHIP).measures["20°"]
    assert one.steady_starboard == pytest.approx(K * math.radians(20.0), rel=2e-3)
    assert abs(one.residual_starboard) < 5e-3 * one.steady_starboard
    assert one.residual_port == pytest.approx(-one.residual_starboard, rel=1e-6)
    assert one.stable
    found = spiral(ship(), "20 deg", parts=(1.0, 0.5, 0.0), **SHIP)
    (straight,) = found.measures.values()
    assert np.degrees(straight.orders) == pytest.approx([20, 10, 0, -10, -20, -10, 0, 10, 20], abs=1e-9)
    rates = K * np.array(straight.orders)
    assert np.array(straight.yaw_rates) == pytest.approx(rates, abs=2e-3 * rates.max())
    assert (straight.stable, straight.loop_width, straight.loop_height) == (True, 0.0, 0.0)
    assert straight.gain == pytest.approx(K, rel=5e-3)


def test_a_ship_that_does_not_keep_its_course_has_the_loop_of_its_equation() -> None:
    """(1 - K a) r + K b r³ = K δ: amidships r_0² = (K a - 1)/(K b), folds at r_0/√3, δ = (2/3) r_0/√3 (a - 1/K)."""
    a, b = 2.0 / K, 4e5
    rest = math.sqrt((K * a - 1.0) / (K * b))
    fold = (2.0 / 3.0) * rest / math.sqrt(3.0) * (a - 1.0 / K)
    one = pull_out(ship(a, b), "10 deg", **SHIP)
    (measured,) = one.measures.values()
    assert measured.residual_starboard == pytest.approx(rest, rel=2e-3)
    assert measured.residual_port == pytest.approx(-rest, rel=2e-3)
    assert measured.loop_height == pytest.approx(2.0 * rest, rel=2e-3)
    words = [text.get_text() for text in one.figure().axes[0].texts]
    assert f"{math.degrees(measured.residual_port):.2f} °/s" in words
    assert not measured.stable
    step = 0.1 * math.radians(10.0)
    found = spiral(ship(a, b), "10 deg", parts=tuple(np.arange(10, -1, -1) / 10), **SHIP)
    (loop,) = found.measures.values()
    assert not loop.stable
    assert loop.gain is None
    assert loop.loop_height == pytest.approx(2.0 * rest, rel=5e-3)
    assert 2.0 * fold - 1e-3 < loop.loop_width < 2.0 * fold + 2.0 * step  # it jumps at the next order beyond the fold
    assert "loop: " in "".join(text.get_text() for text in found.figure().axes[0].texts)


def test_stopping_against_linear_and_quadratic_drag() -> None:
    astern = 0.5 * SPEED
    found = stopping(ship(), -astern / K_U, throttle="thrust", length=150.0, **SHIP)
    (one,) = found.measures.values()
    time = T_U * math.log((SPEED + astern) / astern)
    assert one.time == pytest.approx(time, rel=1e-6)
    assert one.track_reach == pytest.approx(T_U * SPEED - astern * time, rel=1e-5)
    assert one.head_reach == pytest.approx(one.track_reach, rel=1e-5)
    assert (one.lateral_deviation, one.heading_change) == pytest.approx((0.0, 0.0), abs=1e-9)
    assert f"{one.track_reach / 150.0:.2f} ≤ 15 L" in found.table()
    mass, drag, ahead, back = 50.0, 20.0, 80.0, 30.0
    boat = Vessel3DOF(
        mass=mass, yaw_inertia=5.0, linear_damping=np.diag([0.0, 10.0, 10.0]),
        nonlinear_damping=[drag, *np.zeros(9)],
    )  # fmt: skip
    (one,) = stopping(boat, "-30 N", throttle="force[X]", inputs={"force": [ahead, 0, 0, 0, 0, 0]}).measures.values()
    assert one.approach_speed == pytest.approx(math.sqrt(ahead / drag), rel=2e-3)
    reach = 0.5 * mass / drag * math.log(1.0 + drag * one.approach_speed**2 / back)
    assert one.track_reach == pytest.approx(reach, rel=1e-4)


@pytest.mark.parametrize("across", [-3.0, 3.0])
def test_the_figure_of_a_stop_has_room_for_a_vessel_that_is_set_aside(across: float) -> None:
    boat = Vessel3DOF(mass=50.0, yaw_inertia=5.0, linear_damping=np.diag([20.0, 50.0, 10.0]))
    given = {"force": [80, 0, 0, 0, 0, 0], "current": [0.0, across, 0.0]}
    track = stopping(boat, "-10 N", throttle="force[X]", inputs=given, step=0.05).figure().axes[0]
    low, high = track.get_xlim()
    way = track.lines[0].get_xdata()
    assert way[-1] / across > 2.0
    assert low < min(way) <= max(way) < high


def otter_with_propellers() -> Diagram:
    made = Diagram("otter")
    boat = made.add("boat", Vessel3DOF.from_vehicle("otter"))
    screws = made.add("screws", DifferentialThrust(spacing=0.8, thrust_limit_forward=200.0, thrust_limit_reverse=200.0))
    ahead = made.add("ahead", Constant([0.0, 0.0]))
    made.connect(ahead.y, screws.command)
    made.connect(boat.nu_r, screws.nu_r)
    made.connect(screws.force, boat.force)
    return made


def test_anything_that_turns_a_vessel_is_a_helm() -> None:
    """A moment, and what two propellers inside make of it when what commanded them is cut off."""
    arguments = {"sides": "port", "approach": "20 s"}
    moment = turning_circle(
        Vessel3DOF.from_vehicle("otter"), "32 N*m", helm="force[N]", inputs={"force": [100, 0, 0, 0, 0, 0]}, **arguments
    )
    screws = turning_circle(
        otter_with_propellers(), "40 N", helm={"screws.command[port]": 1, "screws.command[starboard]": -1},
        inputs={"screws.command": [50.0, 50.0]}, **arguments,
    )  # fmt: skip
    one, other = moment.measures["32 N·m to port"], screws.measures["40 N to port"]
    assert other.tactical_diameter == pytest.approx(one.tactical_diameter, rel=1e-9)
    assert "32.00 N·m" in moment.table()
    assert "IMO" not in moment.table()
    found = zigzag(
        otter_with_propellers(), "40 N", "20 deg", helm={"screws.command[0]": 1, "screws.command[1]": -1},
        inputs={"screws.command": 50.0}, length="2 m", **(arguments | {"sides": "starboard"}),
    )  # fmt: skip
    assert np.abs(found.trial.order).max() == pytest.approx(40.0)
    assert len(found.figure().axes) == 2  # newtons on an axis of their own
    assert criteria(found.measures["40 N/20°"], 2.0) == ()


def test_a_vessel_inside_a_diagram_inside_a_diagram_is_reached() -> None:
    given = {"inputs": {"screws.command": 50.0}, "approach": "5 s", "step": 0.05}
    outer = otter_with_propellers()
    outer.nest("plant", "boat", "screws")
    inside = given | {"inputs": {"plant.screws.command": 50.0}}
    (one,) = zigzag(
        otter_with_propellers(), 40.0, "20 deg", helm={"screws.command[0]": 1, "screws.command[1]": -1}, **given
    ).measures.values()
    (other,) = zigzag(
        outer, 40.0, "20 deg", helm={"plant.screws.command[0]": 1, "plant.screws.command[1]": -1}, **inside
    ).measures.values()
    assert other.overshoot_angles == pytest.approx(one.overshoot_angles, rel=1e-9)
    assert outer["plant.screws"].parent is outer["plant"]  # the diagram itself is left as it was
    assert list(outer.input_ports) == []


def test_criteria_are_those_of_the_resolution() -> None:
    found = turning_circle(ship(), "35 deg", sides="starboard", length=50.0, **SHIP)
    advance, diameter = found.criteria["35° to starboard"]
    assert (advance.limit, diameter.limit) == (4.5, 5.0)
    assert not diameter.met
    assert str(diameter) == f"{found.measures['35° to starboard'].tactical_diameter / 50.0:.2f} > 5 L"
    ten = zigzag(ship(), "10 deg", **SHIP).measures["10°/10°"]
    for length, first, second in ((50.0, 10.0, 25.0), (140.0, 15.0, 32.5), (300.0, 20.0, 40.0)):
        limits = {one.name: one.limit for one in criteria(ten, length)}
        assert limits == pytest.approx({"initial turning": 2.5, "first overshoot": first, "second overshoot": second})


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"helm": "ruder"}, r"there is no input 'ruder'; did you mean 'rudder'"),
        ({"helm": "vessel.forse"}, r"there is no input 'vessel.forse'; did you mean 'vessel.force'"),
        ({"helm": "vessel.force"}, r"'vessel.force' has 6 elements; name those that follow the order"),
        ({"helm": {"rudder": 1, "vessel.force[N]": 1}}, r"one order cannot have several units"),
        ({"order": "much"}, r"order, in rad, the unit of helm 'rudder': 'much' is not a number with a unit"),
        ({"order": -0.3}, r"order must be positive, not -0.3: `sides` says where to"),
        ({"sides": "left"}, r"there is no side 'left'; valid: port, starboard"),
        ({"helm": "vessel.force[N]", "order": 1.0}, r"the input 'rudder' needs a value: inputs=\{'rudder': …\}"),
        ({"inputs": {"trust": 1.0}}, r"there is no input 'trust'; did you mean 'thrust'"),
        ({"pose": "vessel.eda"}, r"there is no pose 'vessel.eda'; did you mean 'vessel.eta'"),
        ({"aproach": 3.0}, r"a manoeuvre has no condition 'aproach'; did you mean 'approach'"),
        ({"approach": -1}, r"approach must be a time > 0 s"),
        ({"solver": "LSODA"}, r"manoeuvres run with euler, heun, rk4 or dopri5"),
        ({"helm": {"rudder": -1}}, r"the vessel turned the wrong way"),
        ({"inputs": {"thrust": 0.0}, "longest": "20 s"}, r"the speed is not steady .* approach='2 min'"),
        (
            {"helm": "thrust", "order": "1 N", "inputs": {"rudder": 0.0, "thrust": SPEED / K_U}, "longest": "9 s"},
            r"the vessel never turned: with the rudder ordered 1 N to starboard",
        ),
    ],
)
def test_what_is_wrong_is_said(arguments: dict[str, object], message: str) -> None:
    given = {"order": "35 deg"} | SHIP | arguments
    with pytest.raises(ManoeuvreError, match=message):
        turning_circle(ship(), **given)


def test_the_solver_does_not_show() -> None:
    """Orders are given at points of the grid, and an adaptive solver starts anew there."""
    one, other = (
        turning_circle(ship(), "35 deg", sides="port", solver=solver, **SHIP).measures["35° to port"]
        for solver in ("rk4", "dopri5")
    )
    assert other.tactical_diameter == pytest.approx(one.tactical_diameter, rel=1e-5)
    assert other.time_to_180 == pytest.approx(one.time_to_180, rel=1e-5)


def test_a_vessel_at_rest_and_one_that_does_not_stop_are_told() -> None:
    boat = Vessel3DOF.from_vehicle("otter")
    with pytest.raises(ManoeuvreError, match=r"the vessel is not under way: it is at rest at .* inputs="):
        zigzag(boat, "40 N*m", "10 deg", helm="force[N]")
    with pytest.raises(ManoeuvreError, match=r"needs the heading change at which it is reversed"):
        zigzag(boat, "40 N*m", helm="force[N]")
    with pytest.raises(ManoeuvreError, match=r"the vessel still goes ahead at .* order astern what stops it"):
        stopping(boat, "50 N", throttle="force[X]", inputs={"force": [100, 0, 0, 0, 0, 0]}, longest="20 s")
    for parts in ((0.5, 1.0), (1.0,), (0.9, 0.5, 0.0), (1.0, 0.5, 0.5, 0.0), (1.0, 0.5, -0.5)):
        with pytest.raises(ManoeuvreError, match=r"parts must decrease from 1 to 0"):
            spiral(boat, "40 N*m", helm="force[N]", parts=parts)


def test_an_input_without_a_unit_takes_that_of_the_order() -> None:
    """The moment comes through a gain, whose input may be anything: 40 N*m are 40 N*m, and no angle."""
    diagram = Diagram("boat")
    diagram.add("gain", Gain(1.0))
    diagram.add("wrench", ComposeWrench())
    diagram.add("boat", Vessel3DOF.from_vehicle("otter"))
    diagram.inputs(moment="gain.u", push="wrench.X")
    diagram.connect("gain.y", "wrench.N")
    diagram.connect("wrench.force", "boat.force")
    held = {"sides": "port", "step": 0.05}
    found = turning_circle(diagram, "40 N*m", helm="moment", inputs={"push": 100.0}, **held)
    direct = turning_circle(diagram, 40.0, helm="wrench.N", inputs={"push": 100.0, "moment": 0.0}, **held)
    (measures,), (others,) = found.measures.values(), direct.measures.values()
    assert measures.order_unit == "N*m"
    assert measures.tactical_diameter == pytest.approx(others.tactical_diameter, rel=1e-9)


def test_a_vessel_that_drifts_sideways_does_not_go_ahead() -> None:
    """In a current from abeam its speed ahead is nothing but rounding."""
    drifting = {"force": np.zeros(6), "current": [0.0, 0.3, 0.0]}
    with pytest.raises(ManoeuvreError, match=r"the vessel was not going ahead at .* nothing to stop"):
        stopping(Vessel3DOF.from_vehicle("otter"), "-60 N", throttle="force[X]", inputs=drifting, step=0.05)


def test_a_stop_by_a_shaft_without_astern_is_refused_at_once_and_one_with_it_is_not() -> None:
    """An order of 0 is meant, and only takes too long; the constant that is cut off is the order ahead."""
    diagram = Diagram("ship")
    vessel = diagram.add("vessel", MMGVessel.from_vehicle("kvlcc2", initial_nu=[7.0, 0, 0, 0, 0, 0]))
    propulsion = diagram.add("propulsion", MMGPropulsion.from_vehicle("kvlcc2"))
    shaft = diagram.add("shaft", Constant(np.array([1.5])))
    diagram.connect(shaft.y, propulsion.command)
    diagram.connect(vessel.nu_r, propulsion.nu_r)
    diagram.connect(propulsion.force, vessel.force)
    given: Any = {"throttle": "propulsion.command", "approach": "20 s", "step": 0.5}
    with pytest.raises(ManoeuvreError, match=r"propulsion\.speed_limit_reverse is 0.*thrust_coefficient_reverse"):
        stopping(diagram, -1.0, **given)
    with pytest.raises(ManoeuvreError, match="the vessel still goes ahead"):
        stopping(diagram, 0.0, longest="2 min", **given)
    propulsion.set(speed_limit_reverse=2.0, thrust_coefficient_reverse=[0, 0, 0, 0.2], advance_range_reverse=[-1, 1])
    test = stopping(diagram, -1.0, **given)
    assert test.trial.engine is not None
    assert test.trial.engine[0] == 1.5
    assert next(iter(test.measures.values())).time > 100.0


@pytest.mark.parametrize(("length", "hours"), [(0.0, 1.0), (2.0, 1.0), (120.0, 2.0), (480.0, 4.0)])
def test_long_ships_have_longer_by_froudes_law(length: float, hours: float) -> None:
    boat = Vessel3DOF(mass=1.0, yaw_inertia=1.0)
    given: Conditions = {"length": length} if length else {}
    assert Ground(boat, given).longest == pytest.approx(3600.0 * hours)
    assert Ground(boat, {"longest": "5 min", **given}).longest == 300.0
    strips = Vessel3DOF(
        mass=1.0, yaw_inertia=1.0, cross_flow_length=length or 1.0, cross_flow_draught=0.1,
        cross_flow_sway_coefficient=1.0,
    )  # fmt: skip
    assert Ground(strips, {}).longest == pytest.approx(3600.0 * hours)


def test_an_order_beyond_the_helm_is_refused_and_one_at_its_limit_is_not() -> None:
    """A table that says 90° of a rudder that goes to 35° would be wrong; 35 without a unit is rad."""
    diagram = Diagram("ship")
    vessel = diagram.add("vessel", MMGVessel.from_vehicle("kvlcc2", initial_nu=[7.974, 0, 0, 0, 0, 0]))
    propulsion = diagram.add("propulsion", MMGPropulsion.from_vehicle("kvlcc2"))
    diagram.connect(vessel.nu_r, propulsion.nu_r)
    diagram.connect(propulsion.force, vessel.force)
    given: Any = {"helm": "propulsion.rudder", "inputs": {"propulsion.command": 1.779}, "approach": "10 s", "step": 0.5}
    for call in (turning_circle, zigzag, pull_out, spiral):
        with pytest.raises(ManoeuvreError, match=r"propulsion\.angle_limit holds it within ±35°, and the order is 36°"):
            call(diagram, "36 deg", **given)
        with pytest.raises(ManoeuvreError, match=r"order is 35 rad, .* degrees are written as '35 deg'"):
            call(diagram, 35, **given)
    circle = turning_circle(diagram, "35 deg", sides="port", rudder="propulsion.angle", **given)
    assert circle.trial.rudder is not None
    assert circle.trial.rudder.min() == pytest.approx(-math.radians(35.0))  # of a block with one rudder of n
    assert circle.trial.rudder.ndim == 1
