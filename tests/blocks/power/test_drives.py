"""Shaft power, motors, drives and hotel load against their definitions."""

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Constant, Mux
from blocks.errors import ParameterError
from blocks.power import Battery, ElectricDrive, ElectricMotor, EnergyMeter, HotelLoad, ShaftPower, ShaftPowerTable
from blocks.thrust import PropellerThrusters

AHEAD, ASTERN = [-0.01, -0.02, -0.03, 0.04], [0.01, 0.0, -0.02, 0.03]


def test_shaft_power_is_that_of_the_same_propellers_in_their_block():
    """Two propellers along the axis, at speed, ahead and astern."""
    propellers = PropellerThrusters(
        allocation_matrix=np.vstack([[1.0, 1.0], np.zeros((5, 2))]), diameter=[0.2, 0.3],
        thrust_coefficient_forward=[0, 0, -0.4, 0.4], thrust_coefficient_reverse=[0, 0, -0.4, 0.4],
        advance_range_forward=[-1.0, 0.9], advance_range_reverse=[-0.8, 1.0],
        speed_limit_forward=50.0, speed_limit_reverse=50.0, torque_model="coefficients",
        torque_coefficient_forward=AHEAD, torque_coefficient_reverse=ASTERN,
    )  # fmt: skip
    shafts = ShaftPower(
        diameter=[0.2, 0.3], torque_coefficient_forward=AHEAD, torque_coefficient_reverse=ASTERN,
        advance_range_forward=[-1.0, 0.9], advance_range_reverse=[-0.8, 1.0],
    )  # fmt: skip
    for speed in ([15.0, -9.0], [-4.0, 2.0], [0.0, 30.0]):
        known = propellers.evaluate(command=speed, nu_r=[1.2, 0, 0, 0, 0, 0]).outputs
        found = shafts.evaluate(speed=speed, advance_speed=[1.2, 1.2]).outputs
        assert found["power"] == pytest.approx(known["power"], rel=1e-13)
        assert found["torque"] == pytest.approx(known["torque"], rel=1e-13)
        assert 2 * np.pi * np.array(speed) * found["torque"] == pytest.approx(found["power"])


def test_a_propeller_its_motor_and_the_battery():
    """Ahead the battery gives ω Q and the loss in the copper; driven by the water fast enough, it is charged."""
    diagram = Diagram()
    propeller = diagram.add("propeller", PropellerThrusters(
        allocation_matrix=[[1.0], [0], [0], [0], [0], [0]], diameter=[0.3],
        thrust_coefficient_forward=[0, 0, -0.4, 0.4], thrust_coefficient_reverse=[0, 0, -0.4, 0.4],
        advance_range_forward=[-1, 2], advance_range_reverse=[-1, 1], speed_limit_forward=50.0,
        speed_limit_reverse=50.0, torque_model="coefficients", torque_coefficient_forward=[0, 0, -0.05, 0.05],
        torque_coefficient_reverse=ASTERN,
    ))  # fmt: skip
    motor = diagram.add("motor", ElectricMotor(copper_coefficient=0.1))
    battery = diagram.add("battery", Battery(capacity="9 A*h", open_circuit_voltage=24.0, initial_state_of_charge=0.5))
    diagram.connect(propeller.torque, motor.torque)
    diagram.connect(propeller.speed, motor.speed)
    diagram.connect(motor.power, battery.power)
    diagram.inputs(command=propeller.command, nu_r=propeller.nu_r)
    for water, drives in ((0.0, True), (4.5, False)):
        run = simulate(diagram, 0.1, step=0.1, inputs={"command": [10.0], "nu_r": [water, 0, 0, 0, 0, 0]})
        torque = 1025.0 * 0.3**5 * 0.05 * (1.0 - water / 3.0) * 100.0
        power = 2 * np.pi * 10.0 * torque + 0.1 * torque**2
        assert run.values("battery.current")[-1] == pytest.approx(power / 24.0, rel=1e-12)
        assert (power > 0.0) == drives == (run.values("battery.state_of_charge")[-1] < 0.5)


def test_a_windmilling_propeller_gives_power_back():
    shaft = ShaftPower(diameter=[0.2], torque_coefficient_forward=[0, 0, -0.05, 0.04],
                       torque_coefficient_reverse=ASTERN)  # fmt: skip
    driven = shaft.evaluate(speed=[10.0], advance_speed=[0.5]).outputs["power"]
    assert driven[0] > 0.0
    assert shaft.evaluate(speed=[10.0], advance_speed=[1.9]).outputs["power"][0] < 0.0


def test_advance_ranges_contain_still_water():
    with pytest.raises(ParameterError, match=r"ShaftPower\.advance_range_reverse must be an interval with J = 0 in it"):
        ShaftPower(diameter=[0.2], torque_coefficient_forward=AHEAD, torque_coefficient_reverse=ASTERN,
                   advance_range_reverse=[0.1, 1.0])  # fmt: skip


def test_a_measured_curve_is_interpolated_and_its_power_is_torque_times_rate():
    shaft = ShaftPowerTable([-10.0, 0.0, 10.0, 20.0], [-1.5, 0.0, 1.0, 4.0])
    found = shaft.evaluate(speed=[15.0, -5.0, 30.0, 0.0]).outputs
    assert found["torque"] == pytest.approx([2.5, -0.75, 4.0, 0.0])
    assert found["power"] == pytest.approx(2 * np.pi * np.array([15 * 2.5, 5 * 0.75, 30 * 4.0, 0.0]))


def test_speeds_of_a_curve_increase():
    with pytest.raises(ParameterError, match=r"speeds must increase from element to element, but \[0\] is 1 and \[1\]"):
        ShaftPowerTable([1.0, 1.0], [0.0, 1.0])
    with pytest.raises(ParameterError, match=r"speeds has 2 entries, torques has 3"):
        ShaftPowerTable([1.0, 2.0], [0.0, 1.0, 2.0])


def test_losses_of_a_motor_are_the_difference_of_electrical_and_shaft_power():
    motor = ElectricMotor(copper_coefficient=0.3, iron_coefficient=0.01, windage_coefficient=5e-6, constant_loss=3.0)
    torque, speed = np.array([2.0, -2.0, 2.0, 0.0]), np.array([20.0, -20.0, -1.0, 0.0])
    found = motor.evaluate(torque=torque, speed=speed).outputs
    np.testing.assert_allclose(
        found["power"] - found["copper_loss"] - found["idle_loss"], 2 * np.pi * speed * torque, atol=1e-12
    )
    assert found["copper_loss"] == pytest.approx([1.2, 1.2, 1.2, 0.0])
    omega = 2 * np.pi * 20.0
    assert found["idle_loss"][0] == pytest.approx(0.01 * omega + 5e-6 * omega**3 + 3.0)
    assert found["power"][0] == found["power"][1]  # ahead and astern alike
    assert found["power"][3] == 3.0


def test_a_driven_motor_covers_its_losses_first():
    motor = ElectricMotor(copper_coefficient=0.3, constant_loss=3.0)
    given_back = motor.evaluate(torque=[-2.0], speed=[20.0]).outputs["power"]
    assert given_back == pytest.approx([-2.0 * 2 * np.pi * 20.0 + 1.2 + 3.0])


def test_the_efficiency_of_a_drive_over_its_load():
    drive = ElectricDrive(rated_power=[200.0], load_points=[0.1, 0.5, 1.0], efficiency=[0.4, 0.8, 0.7], idle_power=5.0)
    for load, efficiency in ((20.0, 0.4), (60.0, 0.6), (100.0, 0.8), (150.0, 0.75), (400.0, 0.7), (2.0, 0.4)):
        found = drive.evaluate(load=[load]).outputs
        assert found["power"] == pytest.approx([load / efficiency + 5.0])
        assert found["loss"] == pytest.approx(found["power"] - load)


def test_what_comes_back_through_a_drive():
    assert ElectricDrive(efficiency=0.8).evaluate(load=[-50.0]).outputs["power"] == [0.0]
    regenerating = ElectricDrive(efficiency=0.8, regeneration=0.6).evaluate(load=[-50.0]).outputs
    assert regenerating["power"] == pytest.approx([-30.0])
    assert regenerating["loss"] == pytest.approx([20.0])  # a loss is positive in either direction


def test_an_efficiency_is_at_most_one():
    with pytest.raises(ParameterError, match=r"ElectricDrive\.efficiency\[1\] must be > 0 and ≤ 1, not 1\.2"):
        ElectricDrive(efficiency=[0.9, 1.2])
    with pytest.raises(ParameterError, match=r"load_points must increase"):
        ElectricDrive(load_points=[1.0, 0.5], efficiency=[0.9, 0.8])


def test_hotel_load_is_switched():
    load = HotelLoad([5.0, 2.5])
    assert load.evaluate().outputs["power"] == pytest.approx([5.0, 2.5])
    assert not load.evaluate(on=0.0).outputs["power"].any()
    assert load.evaluate(on=0.5).outputs["power"] == pytest.approx([2.5, 1.25])


def test_one_meter_for_drives_and_hotel_load():
    diagram = Diagram()
    hotel = diagram.add("hotel", HotelLoad([5.0, 2.5]))
    drive = diagram.add("drive", ElectricDrive(efficiency=0.5))
    bus = diagram.add("bus", Mux([2, 1]))
    meter = diagram.add("meter", EnergyMeter())
    diagram.add("shaft", Constant(10.0))
    diagram.connect("shaft.y", drive.load)
    diagram.connect(hotel.power, bus.in1)
    diagram.connect(drive.power, bus.in2)
    diagram.connect(bus.y, meter.power)
    assert simulate(diagram, end=4, step=0.1).values("meter.energy")[-1] == pytest.approx(4.0 * 27.5)
