"""Held or linear: what logged inputs are between samples is said, or found from the data; fits are then unbiased."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import FirstOrderLag, Gain, Sum
from blocks.dynamics import Vessel3DOF
from blocks.lab.identification import IdentificationError, Identified, Log, LogError, fit_figure, identify

OTTER = Vessel3DOF.from_vehicle("otter")
MASS, DAMPING = OTTER.added_mass[0, 0], OTTER.linear_damping[0, 0]


def pushes(seed: int, noise: float = 0.005, end: float = 40.0, jitter: float = 0.0, **said: str) -> Log:
    """An Otter that is pushed and let go by turns, every 4 s, from sample to sample by the exact solution of
    (m + A_u) du/dt = X - d u; logged at 5 Hz, or with times that jitter."""
    random = np.random.default_rng(seed)
    time = 0.2 * np.arange(round(end / 0.2) + 1)
    time[1:] += jitter * random.uniform(-1.0, 1.0, size=len(time) - 1)
    push = np.where((np.arange(len(time)) // 20) % 2 == 0, 150.0, 0.0)
    u = np.zeros(len(time))
    for k, length in enumerate(np.diff(time)):
        u[k + 1] = push[k] / DAMPING + (u[k] - push[k] / DAMPING) * np.exp(-DAMPING * length / (OTTER.mass + MASS))
    columns = {"time": time, "X": push, "u": u + noise * random.normal(size=len(time))}
    return Log.of(columns, {"X": "N", "u": "m/s"}, interpolation=said)


def fit(log: Log, **options: object) -> Identified:
    vessel = OTTER.copy()
    vessel.set(linear_damping=np.diag([50.0, 137.5, 43.0]), added_mass=np.diag([20.0, 82.5, 27.0]))
    return identify(
        vessel, log, inputs={"force[X]": "X"}, outputs={"nu[u]": "u"},
        parameters={"added_mass[X,u]": None, "linear_damping[X,u]": None}, **options,
    )  # fmt: skip


def two_inputs(a: np.ndarray, b: np.ndarray, noise: float, weight: float = 1.0) -> Identified:
    """A lag that is driven by a, which is held, and by b, which is linear, as it is found from the log alone."""
    lag = Diagram("lag")
    total, slow, gain = lag.add("total", Sum("++")), lag.add("slow", FirstOrderLag(1.5)), lag.add("b", Gain(weight))
    lag.connect(gain.y, total.port("in2"))
    lag.connect(total.y, slow.u)
    lag.inputs(a=total.input_port("in1"), b=gain.u)
    lag.outputs(y=slow.y)
    time = 0.25 * np.arange(len(a))
    run = simulate(lag, time[-1], step=0.25, solver="dopri5", inputs={"a": (time, a, "hold"), "b": (time, b)})
    y = run.values("slow.y") + noise * np.random.default_rng(0).normal(size=len(time))
    log = Log.of({"time": time, "push": a, "wind": b, "y": y}, {"push": "1", "wind": "1", "y": "1"})
    return identify(lag, log, inputs={"a": "push", "b": "wind"}, outputs={"y": "y"},
                    parameters={"slow.time_constant": (0.1, 10.0)})  # fmt: skip


def test_commands_that_were_held_are_found_to_be_and_taken_as_linear_they_mislead() -> None:
    found = fit(pushes(1))
    assert found.inputs["X"].interpolation == "hold"
    assert found.inputs["X"].source == "data"
    assert "X: held, found from the data (over a million to 1)" in str(found)
    assert found.intervals["added_mass[X,u]"][0] < MASS < found.intervals["added_mass[X,u]"][1]
    assert fit_figure(found).get_supxlabel() == "Between samples: X: held, found from the data (over a million to 1)"
    linear = fit(pushes(1, X="linear"))
    assert str(linear.inputs["X"]) == "linear, as the log says"
    assert linear.intervals["added_mass[X,u]"][0] > 1.5 * MASS


def test_each_input_is_found_by_itself_whatever_its_values_look_like() -> None:
    """What is held changes with every sample here, and what is linear mostly stays: both look like the other."""
    random = np.random.default_rng(5)
    held, linear = random.normal(size=161), np.repeat(random.normal(size=41), 4)[:161]
    found = two_inputs(held, linear, 0.01)
    assert {column: one.interpolation for column, one in found.inputs.items()} == {"push": "hold", "wind": "linear"}
    assert {one.source for one in found.inputs.values()} == {"data"}
    assert found.values["slow.time_constant"] == pytest.approx(1.5, rel=0.01)


def test_where_the_data_cannot_tell_it_is_said() -> None:
    """By whether its values mostly repeat: a gust that hardly moves the lag is taken as linear."""
    random = np.random.default_rng(5)
    found = two_inputs(np.repeat(random.normal(size=41), 4)[:161], random.normal(size=161), 0.05, weight=1e-4)
    assert found.inputs["push"].source == "data"
    assert (found.inputs["wind"].interpolation, found.inputs["wind"].source) == ("linear", "guess")
    assert any(
        one == "the data cannot tell whether wind is held or linear between samples: say so, "
        "interpolation: {wind: linear}, as it was taken here, or hold" for one in found.warnings
    )  # fmt: skip
    assert "wind: taken as linear, for the data cannot tell (" in str(found)


def test_an_input_that_never_changes_is_nothing_to_decide() -> None:
    found = two_inputs(np.repeat(np.random.default_rng(5).normal(size=41), 4)[:161], np.full(161, 0.3), 0.01)
    assert list(found.inputs) == ["push"]
    assert found.values["slow.time_constant"] == pytest.approx(1.5, rel=0.02)


def named(name: str, log: Log) -> Log:
    return replace(log, name=name)


def test_a_log_may_say_it_and_another_leave_it_to_the_data() -> None:
    logs = [named("a.csv", pushes(1, X="hold")), named("b.csv", pushes(2))]
    found = fit(logs, hold_out=pushes(3))
    assert (found.inputs["X"].interpolation, found.inputs["X"].source) == ("hold", "data")
    assert "X: held in b.csv, found from the data (over a million to 1); as the log says: held in a.csv" in str(found)
    assert found.scores["nu[u]"] > 0.98
    assert str(logs[0]).endswith("X [N] held, u [m/s]")


def test_logs_may_say_different_things() -> None:
    logs = [named("a.csv", pushes(1, X="hold", end=16.0)), named("b.csv", pushes(2, X="linear", end=16.0))]
    found = fit(logs)
    assert "\nX: as the logs say: held in a.csv, linear in b.csv\n" in str(found)
    assert (found.inputs["X"].interpolation, found.inputs["X"].source) == ("mixed", "log")
    assert found.inputs["X"].said == (("a.csv", "hold"), ("b.csv", "linear"))
    same = fit([logs[0], named("c.csv", pushes(3, X="hold", end=16.0))])
    assert str(same.inputs["X"]) == "held, as the logs say"
    message = r"X is held in a.csv, linear in b.csv: say what it is in c.csv, which is held out"
    with pytest.raises(IdentificationError, match=message):
        fit(logs, hold_out=named("c.csv", pushes(3)))


def test_samples_that_jitter_lose_nothing() -> None:
    """Each command begins at a time of its own, and outputs have kinks there, between the points of any grid."""
    found = fit(pushes(1, noise=1e-4, jitter=0.08))
    assert found.values["added_mass[X,u]"] == pytest.approx(MASS, rel=2e-3)
    assert found.noise["nu[u]"] < 1.2e-4


def test_estimates_are_unbiased_and_intervals_hold() -> None:
    """20 seeds; `python -m benchmarks.identification` has 100 of the whole example, for docs/identification.md."""
    errors, inside = [], 0
    for seed in range(20):
        found = fit(pushes(seed, X="hold", end=16.0))
        for name, truth in (("added_mass[X,u]", MASS), ("linear_damping[X,u]", DAMPING)):
            errors.append((found.values[name] - truth) / found.deviations[name])
            low, high = found.intervals[name]
            inside += low < truth < high
    assert abs(np.mean(errors[::2])) < 0.6
    assert abs(np.mean(errors[1::2])) < 0.6
    assert np.std(errors) == pytest.approx(1.0, abs=0.3)
    assert 35 <= inside <= 40


def test_intervals_of_few_samples_are_those_of_students_t() -> None:
    """y = K u + noise, K from six samples: K ± t_5 s/√Σu², s² = Σr²/5. The degrees of freedom are 6 - 1."""
    gain = Diagram("gain")
    gain.add("gain", Gain(1.0))
    gain.inputs(u="gain.u")
    gain.outputs(y="gain.y")
    u = np.array([1.0, -0.5, 2.0, 0.3, -1.2, 0.8])
    y = 2.0 * u + np.array([0.03, -0.08, 0.05, 0.02, 0.09, -0.06])
    log = Log.of({"t": np.arange(6.0), "u": u, "y": y}, {"u": "1", "y": "1"}, interpolation={"u": "hold"})
    found = identify(gain, log, inputs={"u": "u"}, outputs={"y": "y"}, parameters={"gain.gain[0]": None})
    slope = u @ y / (u @ u)
    deviation = np.sqrt(np.sum((y - slope * u) ** 2) / 5.0 / (u @ u))
    assert found.values["gain.gain[0]"] == pytest.approx(slope, rel=1e-6)
    assert found.deviations["gain.gain[0]"] == pytest.approx(deviation, rel=1e-4)
    assert found.intervals["gain.gain[0]"] == pytest.approx(
        (slope - 2.570582 * deviation, slope + 2.570582 * deviation), rel=1e-4
    )


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"thrust": "hold"}, "log: interpolation: there is no column 'thrust'; valid: X, time, u"),
        ({"X": "held"}, "log: the interpolation of X must be 'linear' or 'hold', not 'held'"),
    ],
)
def test_what_a_log_cannot_say_is_refused(said: dict[str, str], message: str) -> None:
    time = np.arange(5.0)
    with pytest.raises(LogError, match=message):
        Log.of({"time": time, "X": time, "u": time}, {"X": "N", "u": "m/s"}, interpolation=said)
