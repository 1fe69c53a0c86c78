"""Sensors: what instruments on board say of where a vehicle is and how it moves."""

from blocks.model.family import offered

_offered = offered(__name__)
globals().update(_offered)
__all__ = list(_offered)
