"""What is to be doubted in a fit: at bounds, what cannot be told apart, residuals that are not white."""

import re

import numpy as np
import pytest

from blocks import Diagram
from blocks.basic import FirstOrderLag, Gain, Sum
from blocks.lab.identification import Identified, Log, identify
from blocks.lab.identification.indistinct import directions
from blocks.lab.identification.rounding import rounded


def lagged(y: np.ndarray, time: np.ndarray, u: np.ndarray | None = None, **options: object) -> Identified:
    model = Diagram("lag")
    model.add("gain", Gain(1.0))
    model.add("lag", FirstOrderLag(0.7))
    model.connect("gain.y", "lag.u")
    model.inputs(u="gain.u")
    model.outputs(y="lag.y")
    driven = {} if u is None else {"u": u}
    log = Log.of(
        {"t": time, "y": y, **driven},
        {"y": "1", **dict.fromkeys(driven, "1")},
        interpolation=dict.fromkeys(driven, "hold"),
    )
    parameters = {"gain.gain": (0.0, 10.0), "lag.time_constant": (0.1, 10.0)}
    asked = {"inputs": {"u": 1.0 if u is None else "u"}, "parameters": parameters, **options}
    return identify(model, log, outputs={"y": "y"}, confidence=0.9, **asked)


def test_a_parameter_at_its_bound_is_said_once_and_has_no_interval() -> None:
    time = np.arange(0.0, 10.0, 0.1)
    y = 1.0 - np.exp(-time / 1.5) + 0.02 * np.random.default_rng(0).normal(size=len(time))
    found = lagged(y, time, parameters={"gain.gain": (0.1, 10.0), "lag.time_constant": (2.0, 10.0)})
    assert found.at_bounds == {"lag.time_constant": "lower"}
    assert found.deviations["lag.time_constant"] == np.inf
    assert 0.0 < found.deviations["gain.gain"] < 0.02
    (mine,) = [one for one in found.warnings if "time_constant" in one and "white" not in one]
    assert "ended at its lower bound, 2 s: the data want it smaller" in mine
    assert "at its lower bound  s" in str(found)


@pytest.mark.parametrize(
    ("factor", "said"),
    [
        (
            np.degrees(1.0),
            "the model does not follow y.*times what the model does: degrees that are told as radians",
        ),
        (-1.0, r"the model does not follow y.*other sign, reverse: \[y\]"),
    ],
)
def test_a_column_of_the_wrong_unit_or_sign_is_told(factor: float, said: str) -> None:
    """Noise alone, or a model that follows, is not told so."""
    time = np.arange(0.0, 20.0, 0.1)
    noise, u = 0.02 * np.random.default_rng(0).normal(size=len(time)), np.sign(np.sin(1.3 * time))
    y = np.zeros(len(time))
    for k in range(1, len(time)):
        y[k] = u[k - 1] + np.exp(-0.1 / 0.7) * (y[k - 1] - u[k - 1])
    bounds = {"gain.gain": (0.8, 1.2), "lag.time_constant": (0.5, 1.0)}
    (told,) = [one for one in lagged(factor * (y + noise), time, u, parameters=bounds).warnings if "follow" in one]
    assert re.search(said, told)
    for quiet, driven in ((y + noise, u), (noise, 0.0 * u)):
        assert not [one for one in lagged(quiet, time, driven, parameters=bounds).warnings if "follow" in one]


def test_what_the_data_say_nothing_of_stays_as_it_was() -> None:
    time = np.arange(0.0, 5.0, 0.1)
    found = lagged(0.0 * time, time, parameters={"gain.gain": (1.0, 3.0)}, inputs={"u": 0.0})
    assert found.values == {"gain.gain": 1.0}
    assert found.component.blocks()["gain"].gain == 1.0


def test_intervals_hold_with_noise_that_has_a_memory() -> None:
    """90 % intervals of 25 experiments, noise with 0.9 from sample to sample: 22 expected, for white noise 10."""
    time = np.arange(0.0, 40.0, 0.1)
    truth = 1.0 - np.exp(-time / 1.5)
    inside, white = 0, 0
    for seed in range(25):
        random = np.random.default_rng(seed)
        noise = np.zeros(len(time) + 100)
        for k in range(1, len(noise)):
            noise[k] = 0.9 * noise[k - 1] + 0.05 * random.normal()
        found = lagged(
            truth + noise[100:], time, parameters={"gain.gain": (0.0, 10.0), "lag.time_constant": (0.1, 10.0)}
        )
        low, high = found.intervals["gain.gain"]
        inside += low < 1.0 < high
        half = 0.5 * (high - low) / found.widened["gain.gain"]
        white += abs(found.values["gain.gain"] - 1.0) < half
    assert inside >= 19
    assert white < 15
    (said,) = [one for one in found.warnings if "white" in one]
    assert "samples tell less than their number, so intervals were widened" in said


def chain(known: str) -> Identified:
    """y = a b u, of two gains in a row, or y = (a + b) u, of two side by side."""
    model = Diagram("gains")
    model.add("a", Gain(2.0))
    model.add("b", Gain(0.5))
    model.inputs(u="a.u")
    if known == "product":
        model.connect("a.y", "b.u")
        model.outputs(y="b.y")
    else:
        model.add("sum", Sum("++" if known == "sum" else "+-"))
        model.inputs(w="b.u")
        model.connect("a.y", "sum.in1")
        model.connect("b.y", "sum.in2")
        model.outputs(y="sum.y")
    time = np.arange(0.0, 5.0, 0.1)
    u = np.sin(time)
    y = 1.3 * u + 0.01 * np.random.default_rng(0).normal(size=len(time))
    inputs = {"u": "u"} if known == "product" else {"u": "u", "w": "u"}
    return identify(model, Log.of({"t": time, "u": u, "y": y}, {"u": "1", "y": "1"}, interpolation={"u": "linear"}),
                    inputs=inputs, outputs={"y": "y"}, parameters=dict.fromkeys(["a.gain", "b.gain"]))  # fmt: skip


@pytest.mark.parametrize("known", ["product", "sum", "difference"])
def test_what_is_known_of_two_is_named(known: str) -> None:
    found = chain(known)
    assert found.warnings == (
        f"the data cannot tell a.gain and b.gain apart: only their {known} is known; fix one of them, give it a prior, "
        "or measure a manoeuvre in which they differ",
    )
    assert str(found).count("not known") == 2


def test_ratios_and_longer_combinations_are_named() -> None:
    """m du/dt = X - d u - q |u| u without X: only ratios; and two pairs are told as pairs."""
    rows = np.random.default_rng(0).normal(size=(50, 2))
    values = np.array([60.0, 77.0, 12.0])
    slopes = np.column_stack([rows[:, 0], rows[:, 1], -rows.sum(axis=1)]) / values
    names, silent = ["m", "d", "q"], np.zeros(3, dtype=bool)
    (one,) = directions(slopes, names, values, ["kg", "N*s/m", "N*s^2/m^2"], silent)
    assert (one.names, one.relation) == (("m", "d", "q"), "only their ratios are known")
    pairs = np.column_stack([rows[:, 0], rows[:, 0], rows[:, 1], -2.0 * rows[:, 1]])
    found = directions(pairs, ["a", "b", "c", "d"], [3.0, 5.0, 1.0, 7.0], ["N"] * 4, np.zeros(4, dtype=bool))
    assert [(one.names, one.relation) for one in found] == [
        (("a", "b"), "only their sum is known"), (("c", "d"), "only c - 2 d is known"),
    ] or [(one.names, one.relation) for one in found][::-1] == [
        (("a", "b"), "only their sum is known"), (("c", "d"), "only c - 2 d is known"),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("value", "uncertainty", "text"),
    [
        (77.56443, 0.0115, "77.564"), (428.131, 3.6, "428.1"), (12345.6, 340.0, "12350"), (-0.001, 0.3, "0.00"),
        (1.23456e-6, 2e-8, "1.235e-06"), (5.0, np.inf, "5"), (3.14159, 0.0, "3.142"), (np.inf, 1.0, "inf"),
        (4.5e9, 3e7, "4.500e+09"),
    ],
)  # fmt: skip
def test_numbers_have_two_digits_of_their_uncertainty(value: float, uncertainty: float, text: str) -> None:
    assert rounded(value, uncertainty) == text
