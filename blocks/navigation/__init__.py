"""Navigation: where a vehicle is, on the Earth and by what its instruments say."""

from blocks.model.family import offered

_offered = offered(__name__)
globals().update(_offered)
__all__ = list(_offered)
