"""ArduPilot steers a simulation: the physics backend of its JSON interface."""

from blocks.live.ardupilot.lockstep import ArduPilot

__all__ = ["ArduPilot"]
