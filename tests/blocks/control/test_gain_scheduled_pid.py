"""Gains from tables: those of a PID with the interpolated gains, and poles that stay where they are over speed."""

import numpy as np
import pytest
from control_loops import has_poles

from blocks import Diagram, simulate
from blocks.basic import Constant, Step
from blocks.control import PID, GainScheduledPID
from blocks.dynamics import Vessel3DOF
from blocks.errors import ParameterError

TABLES = {"breakpoints": [0.5, 1.0, 2.0], "kp": [4.0, 3.0, 1.0], "ki": [0.5, 0.2, 0.1], "kd": [2.0, 1.0, 0.5]}


@pytest.mark.parametrize(
    "how",
    [
        {"derivative": "rate", "angle": True, "lower": -1.0, "upper": 1.0},
        {"derivative": "measurement", "anti_windup": "clamping"},
    ],
)
@pytest.mark.parametrize("at", [0.1, 0.5, 0.6, 1.7, 2.0, 9.0])
def test_it_is_the_pid_with_the_gains_between(how: dict[str, object], at: float) -> None:
    kp, ki, kd = (float(np.interp(at, TABLES["breakpoints"], TABLES[name])) for name in ("kp", "ki", "kd"))
    inputs = {"reference": 0.8, "measurement": -0.4, "feedforward": 0.1}
    inputs |= {"rate": 0.3} if how["derivative"] == "rate" else {}
    states = {"integral": 0.2} | ({"filter": 0.1, "started": 1.0} if how["derivative"] == "measurement" else {})
    got = GainScheduledPID(**TABLES, **how).evaluate(states=states, scheduling=at, **inputs)
    wanted = PID(kp, ki, kd, **how).evaluate(states=states, **inputs)
    assert got.outputs == pytest.approx(wanted.outputs, rel=1e-14)
    assert got.derivatives == pytest.approx(wanted.derivatives, rel=1e-14)


def test_one_schedule_serves_several_quantities() -> None:
    pid = GainScheduledPID(**TABLES, derivative="rate", lower=[-9.0, -0.5])
    got = pid.evaluate(scheduling=1.5, reference=[1.0, -1.0], measurement=[0.0, 0.0], rate=[0.0, 0.2])
    assert got.outputs["output"] == pytest.approx([2.0, -0.5])
    assert got.derivatives["integral"] == pytest.approx([0.15, -0.15 + 1.0 * (2.15 - 0.5)])


def test_an_integral_gain_that_changes_makes_no_bump() -> None:
    tables = {"breakpoints": [0.0, 1.0], "kp": [2.0, 2.0], "ki": [0.5, 5.0]}
    diagram = Diagram()
    pid = diagram.add("pid", GainScheduledPID(**tables, derivative="none", initial_integral=3.0))
    diagram.add("error", Constant(0.1))
    diagram.add("zero", Constant(0.0))
    diagram.add("speed", Step(time=0.5, after=1.0))
    diagram.connect("error.y", pid.reference)
    diagram.connect("zero.y", pid.measurement)
    diagram.connect("speed.y", pid.scheduling)
    run = simulate(diagram, 1.0, step=0.01)
    steps = np.diff(run.values("pid.output")) / 0.01
    assert steps.min() == pytest.approx(0.05)
    assert steps.max() == pytest.approx(0.5)


def test_the_poles_of_yaw_stay_where_they_are_over_speed() -> None:
    """A damping that grows with speed by the centre of gravity: N_r = 30 + m x_g U."""
    vessel = Vessel3DOF(
        mass=50.0, yaw_inertia=20.0, centre_of_gravity=[0.3, 0.0], linear_damping=np.diag([10.0, 90.0, 30.0])
    )
    speeds = [0.5, 1.0, 2.0]
    pid = GainScheduledPID.by_pole_placement(vessel, "yaw", 2.0, 0.9, speeds=speeds, integral_pole=0.3)
    assert (pid.angle, pid.derivative) == (True, "rate")
    assert pid.breakpoints.tolist() == speeds
    for u in (0.5, 0.8, 1.3, 2.0):
        got = [
            pid.evaluate(scheduling=u, reference=r, measurement=0.0, rate=q, states={"integral": i}).outputs["output"]
            for r, q, i in ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0))
        ]
        kp, kd = got[0], got[1]
        ki = pid.evaluate(scheduling=u, reference=1.0, measurement=0.0, rate=0.0).derivatives["integral"]
        assert has_poles(np.roots([20.0, 30.0 + 50.0 * 0.3 * u + kd, kp, ki]), [*np.roots([1.0, 3.6, 4.0]), -0.3], 1e-6)


def test_a_frequency_for_each_speed() -> None:
    vessel = Vessel3DOF(mass=50.0, yaw_inertia=20.0, linear_damping=np.diag([10.0, 90.0, 30.0]))
    pid = GainScheduledPID.by_pole_placement(vessel, "yaw", [1.0, 2.0], speeds=[1.0, 2.0], integral_pole=0.0)
    assert pid.kp == pytest.approx([20.0, 80.0])


def test_bad_tables_and_motions_are_named() -> None:
    with pytest.raises(
        ParameterError, match=r"GainScheduledPID\.breakpoints must increase .* \[1\] is 1 and \[2\] is 1"
    ):
        GainScheduledPID(**TABLES | {"breakpoints": [0.5, 1.0, 1.0]})
    with pytest.raises(ParameterError, match=r"GainScheduledPID\.kp has 2 entries, ki has 3"):
        GainScheduledPID(**TABLES | {"kp": [1.0, 2.0]})
    with pytest.raises(ParameterError, match=r"kd has no effect with derivative='none'"):
        GainScheduledPID(**TABLES, derivative="none")
    vessel = Vessel3DOF(mass=50.0, yaw_inertia=20.0)
    with pytest.raises(ParameterError, match=r"motion must be one of 'heave', .*, not 'surge'; for speed take a"):
        GainScheduledPID.by_pole_placement(vessel, "surge", 1.0, speeds=[1.0, 2.0])
    with pytest.raises(ParameterError, match=r"natural_frequency must be a number or one for each of 2 speeds, not 3"):
        GainScheduledPID.by_pole_placement(vessel, "yaw", [1.0, 2.0, 3.0], speeds=[1.0, 2.0])
