"""The general blocks that any diagram needs: sources, mathematics, continuous, discrete, discontinuities, routing."""

from blocks.model.family import offered

_offered = offered(__name__)
globals().update(_offered)
__all__ = list(_offered)
