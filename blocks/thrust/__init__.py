"""Thrust: from commands to the wrench on the hull, and from a wanted wrench back to commands."""

from blocks.thrust.allocation import ThrustAllocation
from blocks.thrust.propeller_thrusters import PropellerThrusters

__all__ = ["PropellerThrusters", "ThrustAllocation"]
