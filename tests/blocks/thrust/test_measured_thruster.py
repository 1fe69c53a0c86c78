"""MeasuredThruster: it says what was measured, and nothing wild in between."""

from typing import Any

import numpy as np
import pytest
from scipy.interpolate import PchipInterpolator

from blocks.errors import ParameterError
from blocks.thrust import MeasuredThruster

BENCH: dict[str, Any] = {
    "commands": [1100.0, 1300.0, 1460.0, 1540.0, 1700.0, 1750.0, 1900.0],
    "thrusts": [-40.0, -12.0, 0.0, 0.0, 15.0, 22.0, 51.0],
    "speeds": [-55.0, -30.0, 0.0, 0.0, 30.0, 36.0, 55.0],
    "powers": [390.0, 60.0, 0.0, 0.0, 60.0, 100.0, 390.0],
}
AHEAD = [[1.0], [0], [0], [0], [0], [0]]


def curve(command: float, **changes: Any) -> Any:
    return MeasuredThruster(**(BENCH | {"allocation_matrix": AHEAD} | changes)).evaluate(command=[command]).outputs


@pytest.mark.parametrize("interpolation", ["pchip", "linear"])
def test_at_the_points_it_says_what_was_measured(interpolation: str) -> None:
    for k, command in enumerate(BENCH["commands"]):
        found = curve(command, interpolation=interpolation)
        assert found["thrust"][0] == pytest.approx(BENCH["thrusts"][k], abs=1e-12)
        assert found["speed"][0] == pytest.approx(BENCH["speeds"][k], abs=1e-12)
        assert found["power"][0] == pytest.approx(BENCH["powers"][k], abs=1e-12)


@pytest.mark.parametrize("quantity", ["thrust", "speed", "power"])
def test_between_the_points_it_is_the_interpolant_of_scipy(quantity: str) -> None:
    expected = PchipInterpolator(BENCH["commands"], BENCH[f"{quantity}s"])
    for command in np.linspace(1100.0, 1900.0, 77):
        assert curve(command)[quantity][0] == pytest.approx(expected(command), rel=1e-12, abs=1e-12)
        linear = np.interp(command, BENCH["commands"], BENCH[f"{quantity}s"])
        assert curve(command, interpolation="linear")[quantity][0] == pytest.approx(linear, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("seed", range(8))
def test_random_tables_are_interpolated_as_by_scipy(seed: int) -> None:
    random = np.random.default_rng(seed)
    count = int(random.integers(2, 7))
    x, f = np.cumsum(random.uniform(0.1, 2.0, count)), np.cumsum(random.uniform(0.0, 1.0, count))
    powers = random.uniform(-1.0, 1.0, count)
    block = MeasuredThruster(allocation_matrix=AHEAD, commands=x, thrusts=f, speeds=f, powers=powers)
    for command in np.linspace(x[0], x[-1], 23):
        found = block.evaluate(command=[command]).outputs
        assert found["thrust"][0] == pytest.approx(PchipInterpolator(x, f)(command), rel=1e-11, abs=1e-12)
        assert found["power"][0] == pytest.approx(PchipInterpolator(x, powers)(command), rel=1e-11, abs=1e-12)


def test_thrust_never_falls_and_the_dead_band_is_flat() -> None:
    thrusts = [curve(c)["thrust"][0] for c in np.linspace(1100.0, 1900.0, 200)]
    assert np.diff(thrusts).min() >= -1e-12
    assert curve(1490.0)["thrust"][0] == 0.0


def test_commands_are_held_within_the_table() -> None:
    assert curve(9000.0)["thrust"][0] == 51.0
    assert curve(-9000.0)["power"][0] == 390.0


def test_the_wrench_and_the_loss_to_water_from_ahead() -> None:
    matrix = np.array([[1.0, 0], [0, 0], [0, 1.0], [0, -0.2], [0, 0.1], [0.3, 0]])
    block = MeasuredThruster(**BENCH, allocation_matrix=matrix, inflow_coefficient=[0.02, 0.0])
    found = block.evaluate(command=[1700.0, 1300.0], nu_r=[1.0, 0, 0, 0, 0, 0.5]).outputs
    assert found["thrust"] == pytest.approx([15.0 - 0.02 * 30.0 * (1.0 + 0.3 * 0.5), -12.0])
    np.testing.assert_allclose(found["force"], matrix @ found["thrust"], rtol=1e-13, atol=1e-14)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"thrusts": [-40.0, -12.0, 0.0, 0.0, 15.0, 14.0, 51.0]},
         r"thrusts must not decrease .* but \[4\] is 15 N and \[5\] is 14 N; smooth the measurements"),
        ({"commands": 1.0}, r"commands must be an array of at least 2 elements, not a single number"),
        ({"powers": [1.0, 2.0]}, r"commands has 7 entries, powers has 2"),
        ({"allocation_matrix": 1.0}, r"allocation_matrix must be an array of 6×n, not the single number 1"),
    ],
)  # fmt: skip
def test_bad_tables_are_refused(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        MeasuredThruster(**(BENCH | {"allocation_matrix": AHEAD} | changes))
