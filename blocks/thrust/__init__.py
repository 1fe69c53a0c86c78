"""Thrust: from commands to the wrench on the hull, and from a wanted wrench back to commands."""

from blocks.model.family import offered

_offered = offered(__name__)
globals().update(_offered)
__all__ = list(_offered)
