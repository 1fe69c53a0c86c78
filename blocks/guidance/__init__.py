"""Guidance: from where the vehicle is to the heading, speed and depth it should have."""

from blocks.model.family import offered

_offered = offered(__name__)
globals().update(_offered)
__all__ = list(_offered)
