"""Vessels: from force and current to motion. All have the same ports, so one can take another's place."""

from blocks.model.family import offered

_offered = offered(__name__)
globals().update(_offered)
__all__ = list(_offered)
