"""EnergyMeter: sums and integrals of powers that are known."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant, Sine
from blocks.power import EnergyMeter


def meter(source: object, end: float, **parameters: float) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    diagram = Diagram()
    diagram.add("meter", EnergyMeter(**parameters))
    diagram.add("source", source)
    diagram.connect("source.y", "meter.power")
    run = simulate(diagram, end, step=0.01)
    return run.time, run.values("meter.total_power"), run.values("meter.energy")


def test_constant_powers_of_several_consumers() -> None:
    time, power, energy = meter(Constant([100.0, 20.0, 0.0, 3.0]), 5.0)
    np.testing.assert_array_equal(power, 123.0)
    np.testing.assert_allclose(energy, 123.0 * time, rtol=1e-12, atol=1e-12)


def test_energy_goes_on_from_its_initial_value_and_regeneration_lowers_it() -> None:
    _, power, energy = meter(Constant([30.0, -50.0]), 2.0, initial_energy=1000.0)
    assert power[-1] == -20.0
    assert energy[0] == 1000.0
    assert energy[-1] == pytest.approx(960.0, rel=1e-12)


def test_a_varying_power_is_integrated() -> None:
    # the integral of 7 sin 2t is 3.5 (1 - cos 2t)
    time, _, energy = meter(Sine(amplitude=7.0, frequency=2.0), 3.0)
    np.testing.assert_allclose(energy, 3.5 * (1.0 - np.cos(2.0 * time)), atol=1e-8)
