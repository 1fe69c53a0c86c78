"""Environment: what the water and the air do to a vehicle."""

from blocks.environment.current import UniformCurrent

__all__ = ["UniformCurrent"]
