"""Power and energy."""

from blocks.power.energy_meter import EnergyMeter

__all__ = ["EnergyMeter"]
