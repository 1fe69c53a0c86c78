"""The reference model: its linear response, its limits, angles, and where it starts from."""

import numpy as np
import pytest
from scipy import signal

from blocks import Diagram, simulate
from blocks.basic import Constant, Step
from blocks.errors import ParameterError, WiringError
from blocks.guidance import ReferenceModel
from blocks.run.result import Result

OUTPUTS = ("reference", "rate", "acceleration")


def response(model: ReferenceModel, setpoint: object, end: float, step: float = 0.02, **others: object) -> Result:
    diagram = Diagram("following")
    diagram.add("model", model)
    for name, value in {"setpoint": setpoint, **others}.items():
        source = diagram.add(name, value if isinstance(value, Step) else Constant(value))
        diagram.connect(source.y, model.input_port(name))
    return simulate(diagram, end, step=step)


@pytest.mark.parametrize(("frequency", "damping"), [(1.0, 1.0), (2.0, 0.6), (0.5, 1.5)])
def test_without_limits_it_is_the_linear_filter(frequency: float, damping: float) -> None:
    run = response(ReferenceModel(frequency, damping), 2.0, end=8.0)
    total, w = 2.0 * damping + 1.0, frequency
    filtered = signal.lti([w**3], [1.0, total * w, total * w**2, w**3])
    _, wanted, _ = signal.lsim(filtered, np.full(len(run.time), 2.0), run.time)
    assert run.values("model.reference") == pytest.approx(wanted, abs=1e-6)


def test_critical_damping_has_three_equal_poles() -> None:
    """The step response with ζ = 1 in closed form, with its derivatives."""
    run = response(ReferenceModel(1.5), 1.0, end=6.0)
    s = 1.5 * run.time
    decay = np.exp(-s)
    assert run.values("model.reference") == pytest.approx(1.0 - decay * (1.0 + s + s**2 / 2.0), abs=1e-6)
    assert run.values("model.rate") == pytest.approx(1.5 * decay * s**2 / 2.0, abs=1e-6)
    assert run.values("model.acceleration") == pytest.approx(1.5**2 * decay * (s - s**2 / 2.0), abs=1e-6)


@pytest.mark.parametrize("setpoint", [20.0, -20.0])
def test_limits_hold_and_nothing_overshoots(setpoint: float) -> None:
    """Gentle and strong limits at once, each quantity with its own; 20 is far enough to reach every rate limit."""
    rates, accelerations = np.array([1.0, 0.5, 1.0, 2.0]), np.array([0.05, 0.1, 1e9, 0.4])
    model = ReferenceModel(np.array([1.0, 2.0, 0.7, 1.0]), rate_limit=rates, acceleration_limit=accelerations)
    run = response(model, np.full(4, setpoint), end=120.0, step=0.05)
    reference, rate, acceleration = (run.values(f"model.{name}") for name in OUTPUTS)
    assert np.all(np.abs(rate) <= rates)
    assert np.all(np.abs(rate).max(axis=0) > 0.9 * rates * [0.9, 1.0, 1.0, 1.0])
    assert np.all(np.abs(acceleration) <= accelerations * (1.0 + 1e-12))
    assert np.abs(acceleration).max(axis=0)[[0, 1, 3]] == pytest.approx(accelerations[[0, 1, 3]], rel=1e-3)
    assert np.all(np.abs(reference) <= 20.0 + 1e-6)
    assert reference[-1] == pytest.approx(np.full(4, setpoint), abs=1e-3)


def test_outputs_are_derivatives_of_each_other() -> None:
    run = response(ReferenceModel(1.0, rate_limit=0.8, acceleration_limit=0.3), 5.0, end=12.0)
    reference, rate, acceleration = (run.values(f"model.{name}") for name in OUTPUTS)
    assert np.gradient(reference, run.time)[1:-1] == pytest.approx(rate[1:-1], abs=1e-4)
    slower = rate < 0.799  # where the limit holds the rate, the acceleration is that of v behind it
    assert np.gradient(rate, run.time)[1:-1][slower[1:-1]] == pytest.approx(acceleration[1:-1][slower[1:-1]], abs=2e-3)


def test_limits_that_are_not_met_change_nothing() -> None:
    """A step of 1 wants a rate and an acceleration of 1/3 at first, which are not reached."""
    free = response(ReferenceModel(1.0), 1.0, end=10.0)
    bound = response(ReferenceModel(1.0, rate_limit=0.334, acceleration_limit=0.334), 1.0, end=10.0)
    assert bound.values("model.reference") == pytest.approx(free.values("model.reference"), abs=1e-12)


def test_angles_go_the_short_way_round() -> None:
    """From 170° to -170° through 180°, at a rate that is positive, and the output wraps there."""
    model = ReferenceModel(1.0, angle=True, initial_reference=np.radians(170.0))
    run = response(model, [np.radians(-170.0)], end=15.0)
    reference = run.values("model.reference")[:, 0]
    assert np.all((reference >= -np.pi) & (reference < np.pi))
    assert np.all(run.values("model.rate") >= -1e-9)
    unwrapped = np.degrees(np.unwrap(reference))
    assert unwrapped[[0, -1]] == pytest.approx([170.0, 190.0], abs=0.01)


def test_it_starts_from_what_is_measured_at_the_first_instant() -> None:
    """The measurement goes on to change, and does not count any more."""
    model = ReferenceModel([1.0, 2.0], start="measured")
    run = response(model, [5.0, 5.0], end=10.0, measurement=Step(time=1.0, before=[3.0, -2.0], after=[99.0, 99.0]))
    reference = run.values("model.reference")
    assert reference[0] == pytest.approx([3.0, -2.0], abs=0.0)
    assert np.abs(np.diff(reference, axis=0)).max() < 0.1
    assert reference[-1] == pytest.approx([5.0, 5.0], abs=0.02)


def test_a_measured_angle_is_taken_the_short_way_round_too() -> None:
    model = ReferenceModel(1.0, angle=True, start="measured")
    run = response(model, [np.radians(-170.0)], end=2.0, measurement=[np.radians(170.0)])
    assert np.degrees(run.values("model.reference")[0]) == pytest.approx(170.0)
    assert np.all(run.values("model.rate") >= 0.0)


def test_a_port_that_is_not_there_says_when_it_is() -> None:
    with pytest.raises(WiringError, match=r"measurement exists with start='measured' only, and start is 'initial'"):
        ReferenceModel(1.0).input_port("measurement")


@pytest.mark.parametrize("name", ["frequency", "damping", "rate_limit", "acceleration_limit"])
def test_parameters_that_make_no_sense_are_refused(name: str) -> None:
    with pytest.raises(ParameterError, match=rf"ReferenceModel.{name} must be > 0( rad/s)?, not 0"):
        ReferenceModel(**({"frequency": 1.0} | {name: 0.0}))
