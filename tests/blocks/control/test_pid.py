"""PID against closed forms and SciPy: terms, filter, limits, anti-windup, angles, start."""

import numpy as np
import pytest
from scipy import signal

from blocks import Diagram, simulate
from blocks.basic import Constant, Ramp, Step, TransferFunction
from blocks.control import PID
from blocks.errors import ParameterError, WiringError
from blocks.guidance import LineOfSight


def alone(pid: PID, reference: object = 0.0, measurement: object = 0.0) -> Diagram:
    """A PID between two sources: numbers, or blocks."""
    diagram = Diagram()
    diagram.add("pid", pid)
    for name, given in (("reference", reference), ("measurement", measurement)):
        source = diagram.add(name, given if hasattr(given, "output_ports") else Constant(given))
        diagram.connect(source.y, pid.input_port(name))
    return diagram


def loop(pid: PID, numerator: list[float], denominator: list[float]) -> Diagram:
    """A unit reference, a PID and a plant, closed."""
    diagram = Diagram()
    diagram.add("reference", Constant(1.0))
    diagram.add("pid", pid)
    plant = diagram.add("plant", TransferFunction(numerator, denominator))
    diagram.connect("reference.y", pid.reference)
    diagram.connect(plant.y, pid.measurement)
    diagram.connect(pid.output, plant.u)
    return diagram


def test_terms_add_up() -> None:
    pid = PID(2.0, 3.0, derivative="none")
    got = pid.evaluate(states={"integral": 0.5}, reference=4.0, measurement=1.0, feedforward=10.0)
    assert got.outputs == {"output": pytest.approx(2.0 * 3.0 + 0.5 + 10.0), "error": pytest.approx(3.0)}
    assert got.derivatives["integral"] == pytest.approx(9.0)


def test_rate_is_used_instead_of_a_filter() -> None:
    pid = PID(2.0, 0.0, 5.0, derivative="rate")
    assert list(pid.states) == ["integral"]
    got = pid.evaluate(reference=1.0, measurement=0.0, rate=0.3)
    assert got.outputs["output"] == pytest.approx(2.0 - 5.0 * 0.3)


def test_several_quantities_at_once_are_several_controllers() -> None:
    gains = [(2.0, 0.5, 0.1), (-1.0, 0.0, 0.3), (0.0, 4.0, 0.0)]
    kp, ki, kd = (list(column) for column in zip(*gains, strict=True))
    together = PID(kp, ki, kd, lower=[-1.0, -2.0, -3.0], upper=4.0, derivative="rate")
    r, y, rate = [3.0, 0.2, 1.0], [0.5, -3.0, 2.0], [0.1, 0.2, 0.3]
    states = {"integral": [0.7, -0.7, 0.1]}
    got = together.evaluate(states=states, reference=r, measurement=y, rate=rate)
    for i, (p, k, d) in enumerate(gains):
        single = PID(p, k, d, lower=-1.0 - i, upper=4.0, derivative="rate").evaluate(
            states={"integral": states["integral"][i]}, reference=r[i], measurement=y[i], rate=rate[i]
        )
        assert got.outputs["output"][i] == single.outputs["output"]
        assert got.outputs["error"][i] == single.outputs["error"]
        assert got.derivatives["integral"][i] == single.derivatives["integral"]


def test_pi_loop_answers_a_step_as_its_transfer_function_says() -> None:
    """Plant 1/(s + 0.5), k_p = 2, k_i = 3: (2 s + 3)/(s² + 2.5 s + 3)."""
    run = simulate(loop(PID(2.0, 3.0, derivative="none"), [1.0], [1.0, 0.5]), 8.0, step=0.005)
    _, wanted = signal.step(([2.0, 3.0], [1.0, 2.5, 3.0]), T=run.time)
    assert run.values("plant.y") == pytest.approx(wanted, abs=1e-8)


def test_pid_loop_with_filter_answers_a_step_as_its_transfer_function_says() -> None:
    """Plant 1/(s² + s), with the filter started from 0 as in Simulink: the step passes through the derivative."""
    kp, ki, kd, n = 4.0, 1.0, 2.0, 20.0
    pid = PID(kp, ki, kd, filter_coefficient=n, bumpless=False)
    run = simulate(loop(pid, [1.0], [1.0, 1.0, 0.0]), 10.0, step=0.005)
    controller = ([kp + kd * n, kp * n + ki, ki * n], [1.0, n, 0.0])
    open_denominator = np.polymul(controller[1], [1.0, 1.0, 0.0])
    _, wanted = signal.step((controller[0], np.polyadd(open_denominator, controller[0])), T=run.time)
    assert run.values("plant.y") == pytest.approx(wanted, abs=1e-6)


def test_derivative_of_a_step_decays_with_the_filter() -> None:
    run = simulate(alone(PID(0.0, 0.0, 0.3, filter_coefficient=20.0), Step(time=1.0, after=2.0)), 1.5, step=0.001)
    later = run.time > 1.0 + 1e-9
    wanted = 0.3 * 20.0 * 2.0 * np.exp(-20.0 * (run.time[later] - 1.0))
    assert run.values("pid.output")[later] == pytest.approx(wanted, rel=1e-6)
    assert np.all(run.values("pid.output")[run.time < 1.0 - 1e-9] == 0.0)


def test_derivative_of_the_measurement_ignores_steps_of_the_reference() -> None:
    pid = PID(0.0, 0.0, 0.3, derivative="measurement")
    steps = simulate(alone(pid, Step(time=0.1, after=2.0)), 0.3, step=0.001)
    assert not np.any(steps.values("pid.output"))
    moving = PID(0.0, 0.0, 0.3, derivative="measurement", filter_coefficient=20.0)
    run = simulate(alone(moving, 0.0, Ramp(slope=2.0)), 1.0, step=0.001)
    assert run.values("pid.output") == pytest.approx(-0.3 * 2.0 * (1.0 - np.exp(-20.0 * run.time)), abs=1e-9)


def test_derivative_starts_without_a_kick() -> None:
    run = simulate(alone(PID(1.0, 0.0, 0.3), 5.0), 0.1, step=0.001)
    assert run.values("pid.output") == pytest.approx(np.full(len(run), 5.0), abs=1e-12)
    simulink = simulate(alone(PID(1.0, 0.0, 0.3, bumpless=False), 5.0), 0.1, step=0.001)
    assert simulink.values("pid.output")[0] == pytest.approx(5.0 + 0.3 * 100.0 * 5.0)


def test_the_filter_takes_its_start_from_inputs_that_have_settled() -> None:
    """A second update at the first instant, with another error, counts; one later does not."""
    begun = {"started": 1.0, "start_time": 3.0, "filter_start": 0.1}
    for t, start in ((3.0, 5.0), (3.1, 0.1)):
        updated = PID(1.0, 0.0, 0.3).evaluate(t=t, states=begun, reference=5.0, measurement=0.0).updated
        assert updated["filter_start"] == start


def test_integral_starts_where_it_is_told_and_a_new_gain_makes_no_bump() -> None:
    got = [PID(1.0, ki, initial_integral=7.0).evaluate(reference=2.0, measurement=2.0) for ki in (0.1, 5.0)]
    assert [g.outputs["output"] for g in got] == [7.0, 7.0]


@pytest.mark.parametrize(
    ("reference", "measurement", "error"), [(-179, 179, 2), (179, -179, -2), (10, 350, 20), (350, 0, -10)]
)
def test_angles_take_the_short_way(reference: float, measurement: float, error: float) -> None:
    inputs = {"reference": np.radians(reference), "measurement": np.radians(measurement)}
    assert np.degrees(PID(1.0, angle=True).evaluate(**inputs).outputs["error"]) == pytest.approx(error)
    assert np.degrees(PID(1.0).evaluate(**inputs).outputs["error"]) == pytest.approx(reference - measurement)


def test_derivative_of_an_angle_does_not_kick_where_the_error_jumps() -> None:
    """Turning on and on at 2 rad/s: the error is a sawtooth, its derivative the rate alone."""
    pid = PID(0.0, 0.0, 1.5, filter_coefficient=10.0, angle=True)
    run = simulate(alone(pid, 0.0, Ramp(slope=2.0)), 10.0, step=0.005)
    assert np.count_nonzero(np.abs(np.diff(run.values("pid.error"))) > 6.0) == 3
    assert run.values("pid.output") == pytest.approx(-1.5 * 2.0 * (1.0 - np.exp(-10.0 * run.time)), abs=1e-6)


def test_output_stays_within_its_limits() -> None:
    pid = PID(10.0, lower=-1.0, upper=2.0)
    for reference, wanted in ((5.0, 2.0), (-5.0, -1.0), (0.1, 1.0)):
        assert pid.evaluate(reference=reference, measurement=0.0).outputs["output"] == wanted


def test_without_anti_windup_the_integral_grows_on() -> None:
    pid = PID(1.0, 2.0, upper=1.0, anti_windup="none")
    got = pid.evaluate(states={"integral": 30.0}, reference=3.0, measurement=0.0)
    assert got.outputs["output"] == 1.0
    assert got.derivatives["integral"] == 6.0


def test_back_calculation_bounds_the_integral() -> None:
    """dI/dt = k_i e + K_t (upper - k_p e - I) settles at upper - k_p e + k_i e/K_t with the time constant 1/K_t."""
    kp, ki, kt, e, upper = 1.0, 2.0, 4.0, 3.0, 1.0
    pid = PID(kp, ki, upper=upper, tracking_gain=kt)
    end = upper - kp * e + ki * e / kt
    at_rest = pid.evaluate(states={"integral": end}, reference=e, measurement=0.0)
    assert at_rest.derivatives["integral"] == pytest.approx(0.0, abs=1e-12)
    # the error turns round at t = 5: the output leaves its limit when k_p e + I does, from that I
    run = simulate(alone(pid, Step(time=5.0, before=e, after=-e)), 6.0, step=0.001)
    output = run.values("pid.output")
    assert np.all(output[run.time < 5.0 - 1e-9] == upper)
    first = np.flatnonzero(run.time > 5.0 + 1e-9)[0]
    assert output[first] == pytest.approx(-kp * e + end - ki * e * 0.001, abs=1e-5)


@pytest.mark.parametrize("anti_windup", ["back_calculation", "clamping", "none"])
def test_without_an_integral_gain_a_limit_leaves_no_offset_behind(anti_windup: str) -> None:
    pid = PID([2.0, 2.0], [0.0, 3.0], upper=1.0, derivative="none", anti_windup=anti_windup)
    got = pid.evaluate(states={"integral": [0.2, 0.2]}, reference=[5.0, 5.0], measurement=[0.0, 0.0])
    assert got.derivatives["integral"][0] == 0.0
    assert (got.derivatives["integral"][1] != 0.0) == (anti_windup != "clamping")


def test_clamping_holds_the_integral_only_while_it_would_wind_up() -> None:
    pid = PID(1.0, 2.0, lower=-1.0, upper=1.0, anti_windup="clamping")

    def rate(integral: float, error: float) -> float:
        got = pid.evaluate(states={"integral": integral}, reference=error, measurement=0.0)
        return float(got.derivatives["integral"])

    assert rate(0.0, 0.5) == 1.0  # within the limits
    assert rate(0.0, 3.0) == 0.0  # beyond the upper limit and rising
    assert rate(5.0, -0.5) == -1.0  # beyond it and coming back
    assert rate(0.0, -3.0) == 0.0
    assert rate(-5.0, 0.5) == 1.0


@pytest.mark.parametrize("anti_windup", ["back_calculation", "clamping"])
def test_anti_windup_takes_overshoot_away(anti_windup: str) -> None:
    def peak(choice: str) -> float:
        pid = PID(4.0, 2.0, lower=-0.2, upper=0.2, anti_windup=choice, derivative="none")
        return float(simulate(loop(pid, [1.0], [1.0, 0.0]), 30.0, step=0.01).values("plant.y").max())

    assert peak("none") > 1.5
    assert peak(anti_windup) < 1.2


@pytest.mark.parametrize("anti_windup", ["back_calculation", "none"])
def test_an_adaptive_run_agrees_through_saturation(anti_windup: str) -> None:
    def settled(solver: str, **how: float) -> np.ndarray:
        pid = PID(4.0, 2.0, 0.5, lower=-0.2, upper=0.2, anti_windup=anti_windup)
        return simulate(loop(pid, [1.0], [1.0, 0.2, 0.0]), 20.0, solver=solver, **how).values("plant.y")

    fixed = settled("rk4", step=0.001)[::100]
    adaptive = settled("dopri5", step=0.1, relative_tolerance=1e-10, absolute_tolerance=1e-12)
    assert adaptive == pytest.approx(fixed, abs=1e-5)


@pytest.mark.parametrize("derivative", ["error", "measurement", "rate", "none"])
def test_feedthrough_is_what_the_outputs_react_to(derivative: str) -> None:
    pid = PID(1.0, 1.0, 0.0 if derivative == "none" else 0.5, derivative=derivative)
    start = dict.fromkeys(pid.input_ports, 0.2)
    states = {"started": 1.0} if "started" in pid.states else {}
    before = pid.evaluate(states=states, **start).outputs
    for name in pid.output_ports:
        reacts = {p for p in start if pid.evaluate(states=states, **(start | {p: 0.3})).outputs[name] != before[name]}
        assert reacts == set(pid.feedthrough(name)), name


def test_limits_in_the_wrong_order_are_named() -> None:
    with pytest.raises(ParameterError, match=r"PID\.lower must not exceed upper: 2 is above 1"):
        PID(1.0, lower=2.0, upper=1.0)
    with pytest.raises(ParameterError, match=r"PID\.lower\[1\] must not exceed upper\[1\]: 0 is above -1"):
        PID([1.0, 1.0], lower=[0.0, 0.0], upper=[1.0, -1.0])


def test_an_infinite_limit_is_told_what_to_be() -> None:
    with pytest.raises(
        ParameterError, match=r"PID\.lower must be finite, not \[-1\.0, -inf\]; where .* write -1e\+300$"
    ):
        PID([1.0, 1.0], lower=[-1.0, -np.inf])
    with pytest.raises(ParameterError, match=r"PID\.upper must be finite, not nan$"):
        PID(1.0, upper=np.nan)


def test_a_derivative_gain_without_derivative_action_is_refused() -> None:
    with pytest.raises(ParameterError, match=r"PID\.kd has no effect with derivative='none': set it to 0, or choose"):
        PID(1.0, 0.0, 2.0, derivative="none")


def test_gains_of_different_number_are_refused() -> None:
    with pytest.raises(ParameterError, match=r"PID\.kp has 2 entries, ki has 3: they must have the same number"):
        PID([1.0, 2.0], [1.0, 2.0, 3.0])


def test_the_rate_is_there_where_it_is_used_and_must_then_be_connected() -> None:
    with pytest.raises(WiringError, match=r"PID\.rate exists with derivative='rate' only, and derivative is 'error'"):
        _ = PID(1.0).rate
    with pytest.raises(WiringError, match=r"pid\.rate"):
        simulate(alone(PID(1.0, derivative="rate")), 1.0)


def test_an_angle_controller_takes_no_metres() -> None:
    diagram = Diagram()
    los = LineOfSight(waypoints=[[0, 0, 0], [1, 0, 0]], acceptance_radius=0.1, cruise_speed=1.0)
    diagram.add("guidance", los)
    pid = diagram.add("heading", PID(1.0, angle=True))
    with pytest.raises(WiringError, match=r"guidance\.depth .* to heading\.reference .*units m and rad differ"):
        diagram.connect(los.depth, pid.reference)
    diagram.connect(los.heading, pid.reference)
