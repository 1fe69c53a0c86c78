"""Navigation: where a vehicle is on the Earth."""

from blocks.navigation.geodetic_position import GeodeticPosition
from blocks.navigation.local_position import LocalPosition, local_position

__all__ = ["GeodeticPosition", "LocalPosition", "local_position"]
