"""Routes: the best way around what is charted, in a current, that a craft can turn along.

chart = Chart.from_geojson("harbour.geojson")
route = find_route(chart, [0, 0], [300, 120], speed="3 kn", margin="8 m", turning_radius="12 m", draught="0.4 m")
print(route)
guidance = route.dubins_path(lookahead="10 m")
"""

from blocks.routes.chart import Chart
from blocks.routes.feature import Feature
from blocks.routes.find import find_route
from blocks.routes.route import Route
from blocks.routes.route_error import RouteError
from blocks.routes.soundings import Soundings
from blocks.routes.turning import turning_radius

__all__ = ["Chart", "Feature", "Route", "RouteError", "Soundings", "find_route", "turning_radius"]
