"""What is found beside the parameters: delays and lags of actuators, biases of sensors, and a steady current."""

import re

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import FirstOrderLag, Gain
from blocks.dynamics import Vessel3DOF
from blocks.errors import KeelblocksError
from blocks.lab.identification import Identified, Log, identify
from blocks.lab.identification.shaping import Shaped


def slow(u: np.ndarray, time: np.ndarray, delay: float, lag: float) -> np.ndarray:
    """Behind a delay and a lag: what is held from sample to sample, at these samples, by small steps."""
    fine = np.arange(0.0, time[-1] + 1e-9, 0.001)
    behind = u[np.maximum(np.searchsorted(time, fine - delay + 1e-9, side="right") - 1, 0)]
    y, out = u[0], np.empty(len(fine))
    for k, value in enumerate(behind):
        out[k] = y
        y += (1.0 - np.exp(-0.001 / lag)) * (value - y)
    return out


def test_the_mean_of_a_step_behind_a_delay_and_a_lag_is_exact() -> None:
    """A unit step at 1 s: 1 - exp(-(t - 1 - τ)/T) after it, whose mean over a step is known."""
    time, edges = np.arange(0.0, 4.0), np.linspace(0.0, 3.0, 31)
    for hold, u in ((True, [0.0, 1.0, 1.0, 1.0]), (False, [0.0, 1.0, 2.0, 3.0])):
        found = Shaped(time, np.array(u), hold=hold, edges=edges).means(0.25, 0.5)

        def total(t: np.ndarray, held: bool = hold) -> np.ndarray:
            s = np.maximum(t - (1.25 if held else 0.25), 0.0)
            step = s - 0.5 * (1.0 - np.exp(-s / 0.5))
            return step if held else 0.5 * s**2 - 0.5 * s + 0.25 * (1.0 - np.exp(-s / 0.5))

        assert found == pytest.approx(np.diff(total(edges)) / 0.1, abs=1e-12)


def pushed(seed: int, delay: float, lag: float, bias: float = 0.0) -> Log:
    """A lag of 2 s and a gain of 3, pushed to and fro by an actuator that is late and slow, logged at 5 Hz."""
    random = np.random.default_rng(seed)
    time = np.arange(0.0, 60.0, 0.2)
    u = np.repeat(random.choice([-1.0, 0.0, 1.0], size=len(time) // 20), 20)
    x, y = 0.0, np.empty(len(time))
    for k, value in enumerate(slow(u, time, delay, lag)):
        if k % 200 == 0:
            y[k // 200] = x
        x += 0.001 / 2.0 * (3.0 * value - x)
    return Log.of({"t": time, "u": u, "y": y + bias + 0.01 * random.normal(size=len(time))}, {"u": "1", "y": "1"},
                  interpolation={"u": "hold"})  # fmt: skip


def fit(log: Log, **options: object) -> Identified:
    model = Diagram("slow")
    model.add("gain", Gain(1.0))
    model.add("lag", FirstOrderLag(1.0))
    model.connect("gain.y", "lag.u")
    model.inputs(u="gain.u")
    model.outputs(y="lag.y")
    return identify(
        model, log, inputs={"u": "u"}, outputs={"y": "y"}, parameters={"gain.gain": (0, 10), "lag.time_constant": None},
        confidence=0.99, **options,
    )  # fmt: skip


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_delay_lag_and_bias_are_found_again(seed: int) -> None:
    """What is left out instead is in the parameters, and said."""
    log = pushed(seed, delay=0.33, lag=0.5, bias=0.2)
    found = fit(log, delay={"u": (0, "2 s")}, lag=["u"], bias="y")
    truth = {"delay of u": 0.33, "lag of u": 0.5, "bias of y in log": 0.2}
    assert set(found.beside) == set(truth)
    for name, value in truth.items():
        low, high = found.beside[name].interval
        assert low < value < high
        assert high - low < 0.15
    for name, value in (("gain.gain", 3.0), ("lag.time_constant", 2.0)):
        low, high = found.intervals[name]
        assert low < value < high
    assert not found.warnings
    assert "delay of u" in str(found)
    without = fit(log)
    low, high = without.intervals["lag.time_constant"]
    assert low > 2.0
    assert "estimate a delay, a lag, a bias or a steady current beside the parameters" in "\n".join(without.warnings)


def test_a_lag_that_is_not_there_is_said_to_be_left_out() -> None:
    """Where what was measured is ahead of what drove it, since its stamps are late, a lag is the last thing to help."""
    found = fit(pushed(1, delay=-0.1, lag=0.002), lag=["u"])
    assert found.beside["lag of u"].at_bound == "lower"
    assert "the data show no lag of u: it ended at 0, the lower bound; leave it out" in found.warnings
    early = fit(pushed(1, delay=-0.1, lag=0.002), delay={"u": ("-0.5 s", 0.5)}).beside["delay of u"]
    assert early.value == pytest.approx(-0.1, abs=0.01)


def test_a_delay_that_ends_within_a_step_is_not_taken_for_less() -> None:
    """Of a yaw moment in steps of a sample, 0.2 s: one step of the integration for each gave 0.344 s."""
    fine, time = np.arange(0.0, 40.005, 0.01), np.arange(0.0, 40.05, 0.2)
    moment = 20.0 * np.sign(np.sin(0.37 * time)) + 5.0 * np.sign(np.sin(0.2 * time))
    force = np.zeros((len(fine), 6))
    force[:, 0] = 100.0
    force[:, 5] = moment[np.maximum(np.searchsorted(time, fine - 0.35 + 1e-9, side="right") - 1, 0)]
    run = simulate(Vessel3DOF.from_vehicle("otter"), 40.0, step=0.01, every=20, inputs={"force": (fine, force, "hold")})
    nu = run.values("vessel_3dof.nu") + 1e-4 * np.random.default_rng(0).normal(size=(len(time), 6))
    log = Log.of(
        {"t": time, "N": moment, "u": nu[:, 0], "v": nu[:, 1], "r": nu[:, 5]},
        {"N": "N*m", "u": "m/s", "v": "m/s", "r": "rad/s"}, interpolation={"N": "hold"},
    )  # fmt: skip
    found = identify(
        Vessel3DOF.from_vehicle("otter"), log, inputs={"force[X]": 100.0, "force[N]": "N"},
        outputs={"nu[u]": "u", "nu[v]": "v", "nu[r]": "r"}, parameters={"linear_damping[N,r]": None}, delay=["N"],
    )  # fmt: skip
    assert found.beside["delay of N"].value == pytest.approx(0.35, abs=1e-3)


def drifting(seed: int, current: tuple[float, float], name: str) -> Log:
    """An Otter that turns in a current; its velocity over ground in body axes, and its heading, are measured."""
    random = np.random.default_rng(seed)
    time = np.arange(0.0, 60.05, 0.2)
    force = np.zeros((len(time), 6))
    force[:, 0], force[:, 5] = 100.0, 20.0 * np.sign(np.sin(0.15 * time + 0.3))
    inputs = {"force": (time, force, "hold"), "current": [*current, 0.0], "disturbance": np.zeros(6)}
    run = simulate(Vessel3DOF.from_vehicle("otter"), time[-1], step=0.1, every=2, inputs=inputs)
    nu, eta = run.values("vessel_3dof.nu"), run.values("vessel_3dof.eta")
    dirt = 0.01 * random.normal(size=(3, len(time)))
    columns = {"t": time, "X": force[:, 0], "N": force[:, 5], "u": nu[:, 0] + dirt[0], "v": nu[:, 1] + dirt[1],
               "psi": eta[:, 5] + dirt[2]}  # fmt: skip
    units = {"X": "N", "N": "N*m", "u": "m/s", "v": "m/s", "psi": "rad"}
    return Log.of(columns, units, name=name, interpolation={"X": "hold", "N": "hold"})


def test_each_trial_has_its_own_current() -> None:
    truth = {"first": (0.3, -0.1), "second": (-0.2, 0.25)}
    logs = [drifting(k, current, name) for k, (name, current) in enumerate(truth.items())]
    start = Vessel3DOF.from_vehicle("otter")
    start.set(linear_damping=np.diag([50.0, 137.5, 43.065]))
    found = identify(
        start, logs[0], hold_out=logs[1], inputs={"force[X]": "X", "force[N]": "N"},
        outputs={"nu[u]": "u", "nu[v]": "v", "eta[psi]": "psi"}, parameters={"linear_damping[X,u]": None},
        steady="current", confidence=0.999,
    )  # fmt: skip
    north, east = found.beside["current[north] in first"], found.beside["current[east] in first"]
    for one, value in ((north, 0.3), (east, -0.1)):
        assert one.interval[0] < value < one.interval[1]
        assert one.deviation < 0.01
    low, high = found.intervals["linear_damping[X,u]"]
    assert low < 77.55443 < high
    assert min(found.scores.values()) > 0.85  # of the other trial, with a current of its own


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"delay": ["v"]}, "delay: no input of the model is driven by 'v'; valid: u"),
        ({"bias": ["u"]}, "bias: no output is measured by 'u'; valid: y"),
        ({"steady": ["u"]}, "steady: u is driven by columns of the log, and cannot be steady"),
        ({"steady": ["w"]}, "there is no input 'w'"),
        ({"lag": {"u": (2, 1)}}, "the lower bound of lag of u must be below the upper one, not 2 and 1"),
        ({"lag": {"u": {"bound": (1, 2)}}}, "lag of u: unknown key 'bound'; did you mean 'bounds'?"),
        ({"delay": 3}, "delay must be names, or names with bounds, {name: (low, high)}, not 3"),
        ({"delay": {"u": (0, "1 m")}}, "delay of u: '1 m' is in m, but s is wanted"),
    ],
)
def test_what_cannot_be_found_beside_says_why(options: dict, message: str) -> None:
    with pytest.raises(KeelblocksError, match=re.escape(message)):
        fit(pushed(0, 0.1, 0.1), **options)
