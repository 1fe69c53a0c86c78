"""Thrust: from commands to the wrench on the hull, and from a wanted wrench back to commands."""

from blocks.thrust.air_fan import AirFan
from blocks.thrust.allocation import ThrustAllocation
from blocks.thrust.azimuth_allocation import AzimuthAllocation
from blocks.thrust.azimuth_thrusters import AzimuthThrusters
from blocks.thrust.differential_thrust import DifferentialThrust
from blocks.thrust.foil import Foil
from blocks.thrust.measured_thruster import MeasuredThruster
from blocks.thrust.propeller_thrusters import PropellerThrusters
from blocks.thrust.rudder import Rudder
from blocks.thrust.sail import Sail
from blocks.thrust.tether import Tether

__all__ = [
    "AirFan",
    "AzimuthAllocation",
    "AzimuthThrusters",
    "DifferentialThrust",
    "Foil",
    "MeasuredThruster",
    "PropellerThrusters",
    "Rudder",
    "Sail",
    "Tether",
    "ThrustAllocation",
]
