"""Power and energy."""

from blocks.power.battery import Battery
from blocks.power.electric_drive import ElectricDrive
from blocks.power.electric_motor import ElectricMotor
from blocks.power.energy_meter import EnergyMeter
from blocks.power.hotel_load import HotelLoad
from blocks.power.shaft_power import ShaftPower
from blocks.power.shaft_power_table import ShaftPowerTable
from blocks.power.thrust_power import ThrustPower

__all__ = [
    "Battery",
    "ElectricDrive",
    "ElectricMotor",
    "EnergyMeter",
    "HotelLoad",
    "ShaftPower",
    "ShaftPowerTable",
    "ThrustPower",
]
