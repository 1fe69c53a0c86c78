"""Navigation: where a vehicle is, on the Earth and by what its instruments say."""

from blocks.navigation.geodetic_position import GeodeticPosition
from blocks.navigation.heading_filter import HeadingFilter
from blocks.navigation.local_position import LocalPosition, local_position
from blocks.navigation.navigation_filter import NavigationFilter

__all__ = ["GeodeticPosition", "HeadingFilter", "LocalPosition", "NavigationFilter", "local_position"]
