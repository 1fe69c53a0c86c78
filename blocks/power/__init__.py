"""Power and energy."""

from blocks.model.family import offered

_offered = offered(__name__)
globals().update(_offered)
__all__ = list(_offered)
