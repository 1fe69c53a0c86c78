"""Tuning against optima that are known in closed form."""

import numpy as np
import pytest

from blocks import Diagram
from blocks.basic import Constant, Gain, Integrator, Saturation, Sine, Sum, TransferFunction, WhiteNoise
from blocks.control import PID
from blocks.dynamics import Vessel3DOF
from blocks.errors import KeelblocksError
from blocks.lab.tuning import TuningError, TuningInterrupted, tune, tuning_figure


def second_order(damping: float = 3.0) -> Diagram:
    """1/(s² + d s + 1) answers a unit step; the error is wired."""
    diagram = Diagram("second_order")
    diagram.add("wanted", Constant(1.0))
    diagram.add("system", TransferFunction([1.0], [1.0, damping, 1.0]))
    diagram.add("error", Sum("+-"))
    diagram.connect("wanted.y", "system.u", "error.in1")
    diagram.connect("system.y", "error.in2")
    return diagram


DAMPING = {"system.denominator[1]": (0.2, 6.0)}


@pytest.mark.parametrize("method", ["nelder-mead", "powell", "differential-evolution", "cobyqa"])
def test_the_least_squared_error_has_a_damping_ratio_of_one_half(method) -> None:
    """∫e² = ζ + 1/(4ζ) for ω = 1, least at ζ = 1/2, where it is 1."""
    tuned = tune(second_order(), "ise(error.y)", DAMPING, end=40, step=0.05, method=method, trials=80)
    assert tuned.values["system.denominator[1]"] == pytest.approx(1.0, rel=0.02)
    assert tuned.value == pytest.approx(1.0, rel=1e-3)
    assert tuned.start_metrics["ise(error.y)"] == pytest.approx(1.5 + 1.0 / 6.0, rel=1e-3)
    assert tuned.units["ise(error.y)"] == "s"
    assert np.all(np.diff(tuned.history["best"].dropna()) <= 0.0)


def test_a_limit_is_kept() -> None:
    """With at most 5 % of overshoot ζ has to be 0.690, beyond the best of the squared error."""
    limit = "overshoot(system.y, wanted.y)"
    tuned = tune(
        second_order(), "ise(error.y)", DAMPING, end=40, step=0.05, subject_to={limit: 0.05}, method="nelder-mead",
        trials=80,
    )  # fmt: skip
    assert tuned.metrics[limit] <= 0.05
    ratio = -np.log(0.05) / np.hypot(np.pi, np.log(0.05))
    assert tuned.values["system.denominator[1]"] == pytest.approx(2.0 * ratio, rel=0.01)


def test_several_metrics_count_by_their_weights() -> None:
    """∫e² + w ∫y'² = ζ + (1 + w)/(4ζ), as ∫y'² = 1/(4ζ): least at ζ = √(1 + w)/2."""
    diagram = Diagram("oscillator")
    diagram.add("wanted", Constant(1.0))
    diagram.add("force", Sum("+--"))
    diagram.add("damping", Gain(0.5))
    diagram.add("rate", Integrator())
    diagram.add("position", Integrator())
    diagram.add("error", Sum("+-"))
    diagram.connect("wanted.y", "force.in1", "error.in1")
    diagram.connect("rate.y", "damping.u", "position.u")
    diagram.connect("damping.y", "force.in2")
    diagram.connect("position.y", "force.in3", "error.in2")
    diagram.connect("force.y", "rate.u")
    weights = {"ise(error.y)": 1.0, "ise(rate.y)": 3.0}
    tuned = tune(diagram, weights, {"damping.gain": (0.2, 6)}, end=20, step=0.05, method="nelder-mead", trials=40)
    assert tuned.objective == "1·ise(error.y) + 3·ise(rate.y)"
    assert next(iter(tuned.values.values())) == pytest.approx(2.0, rel=0.02)
    assert tuned.value == pytest.approx(2.0, rel=1e-3)
    assert tuned.metrics["ise(rate.y)"] == pytest.approx(0.25, rel=0.01)
    with pytest.raises(TuningError, match=r"the weight of 'ise\(error.y\)' must be a number, not 'much'"):
        tune(second_order(), {"ise(error.y)": "much"}, DAMPING, end=20)


def test_cases_count_by_their_mean_or_their_worst() -> None:
    """Σ (k - 1)² over cases is least at the mean of what each wants, the worst of two in the middle."""
    diagram = Diagram("cases")
    diagram.add("wanted", Constant(0.0))
    diagram.add("k", Constant(5.0))
    diagram.add("error", Sum("+-"))
    diagram.connect("wanted.y", "error.in1")
    diagram.connect("k.y", "error.in2")
    cases = [{"wanted.value": value} for value in (0.0, 1.0, 5.0)]
    for worst, best in ((False, 2.0), (True, 2.5)):
        tuned = tune(
            diagram, "ise(error.y)", {"k.value": (0, 9)}, end=1, step=0.1, cases=cases, worst=worst,
            method="nelder-mead", trials=100,
        )  # fmt: skip
        assert tuned.values["k.value[0]" if "k.value[0]" in tuned.values else "k.value"] == pytest.approx(
            best, abs=2e-3
        )


def test_the_best_run_and_a_diagram_with_its_values_are_kept() -> None:
    diagram = second_order()
    tuned = tune(diagram, "ise(error.y)", DAMPING, end=20, step=0.05, trials=30, method="nelder-mead")
    assert tuned.diagram["system"].denominator[1] == tuned.values["system.denominator[1]"]
    assert diagram["system"].denominator[1] == 3.0
    assert np.sum(tuned.run.values("error.y")[:-1] ** 2) * 0.05 == pytest.approx(tuned.value, rel=0.05)
    assert "at its bound" not in str(tuned)
    assert len(tuning_figure(tuned).axes) == 2


def test_a_bound_that_is_met_is_said() -> None:
    tuned = tune(
        second_order(), "ise(error.y)", {"system.denominator[1]": (2, 6)}, end=20, step=0.1, method="nelder-mead"
    )
    assert tuned.at_bounds == ("system.denominator[1]",)
    assert "at its bound" in str(tuned)


def test_equal_seeds_find_equal_values_whatever_the_workers() -> None:
    found = [
        tune(second_order(), "itae(error.y)", DAMPING, end=20, step=0.1, trials=40, workers=workers, seed=3).values
        for workers in (1, 2)
    ]
    assert found[0] == found[1]


def test_trials_that_fail_are_kept_with_their_reason() -> None:
    grows = Diagram("grows")
    grows.add("x", Integrator(initial_x=1.0))
    grows.add("rate", Gain(0.0))
    grows.connect("x.y", "rate.u")
    grows.connect("rate.y", "x.u")
    tuned = tune(grows, "largest(x.y)", {"rate.gain": (-5, 1000)}, end=100, step=0.5, solver="euler", trials=40, seed=1)
    reasons = tuned.history["reason"]
    assert reasons.str.contains("not a finite number").any()
    assert tuned.value == 1.0


def test_an_interrupt_keeps_the_best() -> None:
    def stop(count: int, least: float) -> None:
        if count == 20:
            raise KeyboardInterrupt

    with pytest.raises(TuningInterrupted, match="interrupted after 20 trials; the best value is ") as caught:
        tune(second_order(), "ise(error.y)", DAMPING, end=20, step=0.1, method="nelder-mead", progress=stop)
    assert len(caught.value.tuned.history) == 20


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"over": {}}, "name at least one parameter"),
        (
            {"over": {"system.denominater": (0, 1)}},
            "no parameter 'system.denominater'; did you mean 'system.denominator'",
        ),
        ({"over": {"system.denominator[1]": 3}}, r"bounds of system.denominator\[1\] must be two values"),
        ({"over": {"system.denominator[1]": (3, 1)}}, "lower bound .* must be below the upper one"),
        ({"over": {"system.denominator[1]": ("1 m", 3)}}, r"a bound of system.denominator\[1\]: "),
        ({"minimise": "isee(error.y)"}, "there is no 'isee'; did you mean 'ise'"),
        ({"minimise": "ise(eror.y)"}, "eror.y"),
        ({"method": "nelder"}, "no method 'nelder'; did you mean 'nelder-mead'"),
        (
            {"over": {"system.denominator[1]": (0, None)}, "method": "differential-evolution"},
            "needs bounds on both sides",
        ),
        ({"trials": 1}, "trials must be a whole number ≥ 2"),
        ({"subject_to": {"rms(error.y)": None}}, r"the limits of 'rms\(error.y\)' must be"),
        ({"minimise": "ise(system.y[7])"}, r"system.y has no element '7'"),
        (
            {"cases": {"slack": {"wanted.value": 0}, "on": {}}, "minimise": "rise_time(system.y, wanted.y)"},
            "case 'slack': rise",
        ),
        ({"solver": "LSODA"}, "tuning steps with euler, heun, rk4, dopri5, not LSODA"),
        ({"subject_to": {"rms(error.y)": "much"}}, r"the limit of 'rms\(error.y\)' must be a number"),
        ({"cases": [{"wanted.valeu": 1}]}, "no parameter 'wanted.valeu' to vary; did you mean 'wanted.value'"),
        ({"subject_to": {"rms(error.y)": -1.0}, "trials": 8}, r"none of \d+ trials succeeded; .* limits are broken"),
    ],
)
def test_what_cannot_be_says_why(change, message) -> None:
    call = {"minimise": "ise(error.y)", "over": DAMPING, "end": 5, "step": 0.1} | change
    with pytest.raises(KeelblocksError, match=message):
        tune(second_order(), call.pop("minimise"), call.pop("over"), **call)


def test_limits_have_the_unit_of_their_metric() -> None:
    boat = Diagram("boat")
    boat.add("boat", Vessel3DOF.from_vehicle("otter"))
    boat.add("push", Constant([50.0, 0.0, 0.0, 0.0, 0.0, 0.0]))
    boat.connect("push.y", "boat.force")
    call = {"minimise": "largest(boat.nu[v])", "over": {"push.value[0]": (10, 90)}, "end": 5, "step": 0.1, "trials": 30}
    tuned = tune(boat, **call, subject_to={"final(boat.nu[u])": ("36 m/min", None)}, method="nelder-mead")
    assert tuned.limits == {"final(boat.nu[u])": (0.6, np.inf)}
    with pytest.raises(TuningError, match=r"final\(boat.nu\[u\]\).*'2 kg' is in kg, but m/s is wanted"):
        tune(boat, **call, subject_to={"final(boat.nu[u])": "2 kg"})


def test_inputs_over_time_are_followed() -> None:
    """y = k u settles at k: (y - 1)² is least at k = 1, whatever the ramp of u until then."""
    diagram = Diagram("follow")
    diagram.add("k", Gain(3.0))
    diagram.add("error", Sum("+-"))
    diagram.inputs(u=["k.u", "error.in1"])
    diagram.connect("k.y", "error.in2")
    tuned = tune(
        diagram, "ise(error.y)", {"k.gain": (0, 5)}, end=2, step=0.1, method="nelder-mead", trials=40,
        inputs={"u": ([0.0, 1.0, 2.0], [0.0, 1.0, 1.0])},
    )  # fmt: skip
    assert next(iter(tuned.values.values())) == pytest.approx(1.0, abs=1e-3)
    assert tuned.start_metrics["ise(error.y)"] == pytest.approx(4.0 * (1.0 / 3.0 + 1.0), rel=0.01)


def test_what_decides_the_structure_is_not_turned() -> None:
    with pytest.raises(TuningError, match=r"pid.derivative decides what PID computes, and cannot be tuned"):
        tune(PID(1.0), "rms(pid.error)", {"pid.derivative": None}, end=1, inputs={"reference": 0, "measurement": 0})


def test_values_that_do_not_go_together_fail_before_they_are_run() -> None:
    """rms of min(max(2 sin t, lower), 1): least at a lower limit of about 0, and never above the upper one."""
    diagram = Diagram("limits")
    diagram.add("wave", Sine(2.0, 1.0))
    diagram.add("limit", Saturation(-1.0, 1.0))
    diagram.connect("wave.y", "limit.u")
    tuned = tune(diagram, "rms(limit.y)", {"limit.lower": (-3, 3)}, end=5, step=0.1, trials=30)
    failed = tuned.history[tuned.history["reason"] != ""]
    assert failed["reason"].str.contains("lower.* must not exceed upper").all()
    assert (failed.iloc[:, 0] > 1.0).all()
    assert (tuned.history.iloc[:, 0] > 1.0).sum() == len(failed) > 0


def test_whole_numbers_are_not_turned() -> None:
    noise = Diagram("noise")
    noise.add("noise", WhiteNoise(period=0.5, seed=1))
    with pytest.raises(TuningError, match=r"noise.seed is a whole number, and cannot be tuned; compare its values"):
        tune(noise, "rms(noise.y)", {"noise.seed": (0, 9)}, end=1)
