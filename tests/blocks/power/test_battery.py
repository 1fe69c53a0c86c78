"""Battery: balance of power and charge, the most it can give, cut-off and regeneration."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant, Step
from blocks.errors import ParameterError
from blocks.power import Battery

CELL = {
    "capacity": "2 A*h",
    "charge": [0.0, 0.1, 0.5, 1.0],
    "open_circuit_voltage": [12.0, 14.0, 15.0, 16.8],
    "internal_resistance": 0.1,
}


def supply(source, end, solver="rk4", step=0.5, **parameters):
    diagram = Diagram()
    diagram.add("battery", Battery(**{**CELL, **parameters}))
    diagram.add("source", source)
    diagram.connect("source.y", "battery.power")
    return simulate(diagram, end, solver=solver, step=step)


@pytest.mark.parametrize("power", [0.0, 30.0, 300.0, -50.0])
def test_terminals_carry_the_power_and_the_voltage_drops_by_the_resistance(power):
    found = Battery(**CELL).evaluate(states={"state_of_charge": 0.5}, power=[power]).outputs
    assert found["voltage"] * found["current"] == pytest.approx(power, abs=1e-12)
    assert found["voltage"] == pytest.approx(15.0 - 0.1 * found["current"])
    assert found["supplied"] == pytest.approx(power, abs=1e-12)


def test_powers_of_consumers_are_added():
    found = Battery(**CELL).evaluate(states={"state_of_charge": 0.5}, power=[30.0, 20.0, -10.0]).outputs
    assert found["supplied"] == pytest.approx(40.0)


def test_no_more_than_the_most_can_be_drawn():
    battery = Battery(**CELL)
    most = 15.0**2 / 0.4
    for power in (most, 2 * most, 50 * most):
        found = battery.evaluate(states={"state_of_charge": 0.5}, power=[power]).outputs
        assert found["supplied"] == pytest.approx(most)
        assert found["current"] == pytest.approx(75.0)
        assert found["voltage"] == pytest.approx(7.5)


def test_an_ideal_battery_has_its_open_circuit_voltage_at_any_load():
    found = Battery(**{**CELL, "internal_resistance": 0.0}).evaluate(states={"state_of_charge": 0.75}, power=[5000.0])
    assert found.outputs["voltage"] == pytest.approx(15.9)
    assert found.outputs["current"] == pytest.approx(5000.0 / 15.9)


def test_a_constant_current_empties_it_in_the_time_of_its_capacity():
    """15 V without resistance at 30 W are 2 A, and 2 A h then last an hour."""
    run = supply(Constant(30.0), 3700.0, open_circuit_voltage=15.0, internal_resistance=0.0, step=1.0)
    charge = run.values("battery.state_of_charge")
    np.testing.assert_allclose(charge[:3500], 1.0 - run.time[:3500] / 3600.0, atol=1e-12)
    assert run.values("battery.empty")[3590] == 0.0
    assert run.values("battery.empty")[-1] == 1.0
    assert charge[-1] == pytest.approx(0.0, abs=1e-3)
    assert run.values("battery.supplied")[-1] == 0.0


def test_the_energy_drawn_is_what_the_source_gave_less_the_heat():
    run = supply(Constant(60.0), 600.0, initial_state_of_charge=0.9)
    charge, current = run.values("battery.state_of_charge"), run.values("battery.current")
    levels = np.linspace(charge[-1], charge[0], 20001)
    emf = np.interp(levels, CELL["charge"], CELL["open_circuit_voltage"])
    chemical = 7200.0 * np.trapezoid(emf, levels)
    heat = np.trapezoid(0.1 * current**2, run.time)
    assert chemical - heat == pytest.approx(60.0 * 600.0, rel=1e-6)


def test_it_is_cut_off_at_its_charge_and_the_instant_is_located():
    run = supply(Constant(75.0), 3600.0, solver="dopri5", step=1.0, open_circuit_voltage=15.0,
                 internal_resistance=0.0, cut_off_charge=0.25, restart_charge=0.5)  # fmt: skip
    at = 0.75 * 7200.0 / 5.0
    empty = run.values("battery.empty")
    assert run.time[np.flatnonzero(empty)[0]] == pytest.approx(at, abs=1.0)
    assert run.values("battery.state_of_charge")[-1] == pytest.approx(0.25, abs=1e-6)


def test_a_voltage_below_the_limit_cuts_it_off_and_it_stays_so_without_load():
    run = supply(Step(time=10.0, before=150.0, after=10.0), 20.0, cut_off_voltage=14.5,
                 initial_state_of_charge=0.5, restart_charge=0.6)  # fmt: skip
    assert run.values("battery.empty").all()
    assert not run.values("battery.supplied").any()
    assert run.values("battery.voltage")[-1] == pytest.approx(15.0)  # recovered, and still cut off
    light = supply(Constant(10.0), 20.0, cut_off_voltage=14.5, initial_state_of_charge=0.5, restart_charge=0.6)
    assert not light.values("battery.empty").any()


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_charging_brings_it_back(solver):
    run = supply(Step(time=600.0, before=-60.0, after=20.0), 700.0, solver=solver, step=1.0,
                 initial_state_of_charge=0.02, cut_off_charge=0.05, restart_charge=0.2)  # fmt: skip
    empty, charge = run.values("battery.empty"), run.values("battery.state_of_charge")
    assert empty[0] == 1.0
    assert charge[np.flatnonzero(empty == 0.0)[0]] == pytest.approx(0.2, abs=2e-3)
    assert run.values("battery.supplied")[-1] == pytest.approx(20.0)


def test_regeneration_charges_with_the_charge_efficiency():
    battery = Battery(**CELL, charge_efficiency=0.9)
    found = battery.evaluate(states={"state_of_charge": 0.5}, power=[-30.0])
    current = found.outputs["current"]
    assert current < 0.0
    assert found.outputs["voltage"] > 15.0
    assert found.derivatives["state_of_charge"] == pytest.approx(-0.9 * current / 7200.0)


@pytest.mark.parametrize("solver", ["rk4", "dopri5"])
def test_a_full_battery_takes_nothing_and_can_still_be_discharged(solver):
    run = supply(Step(time=100.0, before=-80.0, after=40.0), 200.0, solver=solver, step=1.0,
                 initial_state_of_charge=0.99)  # fmt: skip
    charge = run.values("battery.state_of_charge")
    assert charge.max() == pytest.approx(1.0, abs=1e-3)
    full = (run.time > 60.0) & (run.time < 99.0)
    assert not run.values("battery.supplied")[full].any()
    assert charge[-1] < 0.99
    assert run.values("battery.supplied")[-1] == pytest.approx(40.0)


def test_a_run_can_end_when_it_is_empty():
    diagram = Diagram()
    diagram.add("battery", Battery(capacity=100.0, open_circuit_voltage=10.0))
    diagram.add("load", Constant([30.0, 20.0]))
    diagram.connect("load.y", "battery.power")
    run = simulate(diagram, end=1000.0, step=0.1, stop="battery.empty")
    assert run.status == "stopped"
    assert run.time[-1] == pytest.approx(20.0, abs=0.2)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"charge": [0.0, 0.1, 0.5, 1.5]}, r"Battery\.charge must be within 0 \(empty\) and 1 \(full\), not 1\.5"),
        ({"charge": [0.0, 0.6, 0.5, 1.0]}, r"Battery\.charge must increase .* \[1\] is 0\.6 and \[2\] is 0\.5"),
        ({"open_circuit_voltage": [12.0, 14.0]}, r"charge has 4 entries, open_circuit_voltage has 2"),
        ({"initial_state_of_charge": -0.1}, r"initial_state_of_charge must be within 0 .* not -0\.1"),
        ({"cut_off_charge": 0.3}, r"restart_charge must not be below cut_off_charge: 0\.05 is below 0\.3; give both"),
        (
            {"cut_off_voltage": 99.0},
            r"cut_off_voltage must be below the open-circuit voltage of the full battery, .* not 99",
        ),
        ({"capacity": "20 W*h"}, r"capacity: '20 W\*h' is in .*, but C is wanted"),
        ({"internal_resistance": -0.1}, r"internal_resistance must be ≥ 0 ohm, not -0\.1"),
    ],
)
def test_bad_parameters_are_named(changes, message):
    with pytest.raises(ParameterError, match=message):
        Battery(**{**CELL, **changes})
