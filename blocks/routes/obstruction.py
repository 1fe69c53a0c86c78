"""Why there is no route."""

from __future__ import annotations

from typing import NoReturn

import numpy as np
from scipy.ndimage import distance_transform_edt, label

from blocks.routes.edges import Array
from blocks.routes.passage import Passage
from blocks.routes.route_error import RouteError
from blocks.routes.search import Sea, best_way, widest
from blocks.routes.water import Lattice, Water, lattice

_TRIES = 7


def explain(sea: Sea, water: Water, ends: Array, margin: float, kept: float) -> NoReturn:
    """Raise RouteError with what is in the way: current, depth, width or land."""
    grid = sea.lattice
    still = Sea(grid, 0.0 * sea.north, 0.0 * sea.east, Passage(1.0))
    way = best_way(still, ends[0], ends[1], kept)
    if way is not None:
        raise RouteError(_current(sea, way))
    cells = _cells(grid, ends)
    wet = grid.clearance > 0.0
    field = np.where(wet, grid.clearance, -grid.step * distance_transform_edt(~wet))  # through the thinnest of land
    least, node = widest(field, *cells)
    place = grid.corner + grid.step * np.array(node)
    at = f"north {place[0]:.0f} m, east {place[1]:.0f} m"
    shallow = _shallow(water, ends, margin, kept)
    if least >= kept * (1.0 - 1e-9):
        raise RouteError(
            f"no way was found over a lattice of {grid.step:.3g} m, although the water is {2.0 * least:.3g} m wide at "
            f"the narrowest place: a smaller resolution may find it"
        )
    if least > 0.0:
        message = (
            f"the widest way from start to goal is about {2.0 * least:.2g} m wide at its narrowest place, at {at}, "
            f"beside {water.nearest(place)}; twice the margin, {2.0 * margin:.3g} m, is needed"
        )
        if least >= margin * (1.0 - 1e-9):
            message += f", and a step of the lattice, {grid.step:.3g} m: a smaller resolution may find it"
        elif not shallow:
            message += f": a margin of {0.95 * least:.2g} m would do"
        raise RouteError(f"{message}{shallow}")
    barred = water.why(place) or f"by {water.nearest(place)}"
    raise RouteError(f"no water leads from start to goal: at {at}, {barred}, the way is barred{shallow}")


def _cells(grid: Lattice, ends: Array) -> list[tuple[int, int]]:
    """The nodes nearest to places."""
    at = np.clip(np.round((ends - grid.corner) / grid.step), 0, np.array(grid.shape) - 1).astype(int)
    return [(int(row), int(column)) for row, column in at]


def _current(sea: Sea, way: Array) -> str:
    speed = np.hypot(sea.north, sea.east)
    legs = np.diff(way, axis=0)
    middles = 0.5 * (way[1:] + way[:-1])
    _, north, east = sea.at(middles)
    course = legs / np.hypot(*legs.T)[:, None]
    held = np.isfinite(sea.passage.rates(course, north, east).time)
    k = int(np.argmin(held)) if not held.all() else int(np.argmax(np.hypot(north, east)))
    to = np.degrees(np.arctan2(east[k], north[k])) % 360.0
    return (
        f"the current is too strong: it sets {np.hypot(north[k], east[k]):.2f} m/s towards {to:.0f}° at north "
        f"{middles[k, 0]:.0f} m, east {middles[k, 1]:.0f} m, up to {speed.max():.2f} m/s elsewhere, and the craft "
        f"makes {sea.passage.speed:.2f} m/s through the water; without it there would be a way"
    )


def _shallow(water: Water, ends: Array, margin: float, kept: float) -> str:
    """How deep the water is on the deepest way, if that is what lacks; "" if it is not."""
    if water.depth <= 0.0 or (water.chart.soundings is None and not any(f.depth for f in water.chart.features)):
        return ""

    def leads(depth: float) -> bool:
        less = Water(water.chart, depth)
        grid = lattice(less, ends, margin, 0.0, None)
        pieces, _ = label(grid.clearance >= kept, structure=np.ones((3, 3)))
        first, last = (pieces[cell] for cell in _cells(grid, ends))
        return bool(first == last and first)

    low, high = 0.0, water.depth
    if not leads(low):
        return ""
    for _ in range(_TRIES):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if leads(middle) else (low, middle)
    return f"; it is too shallow: the deepest way has {low:.2g} m of charted depth, and {water.depth:.3g} m are needed"


def no_room(radius: float) -> str:
    """That turns overlap."""
    return (
        f"there is a way, but none was found along which a craft can turn with a radius of {radius:.3g} m: two turns "
        f"need more room than is between them; a smaller turning_radius or margin may do"
    )


def no_headway(where: Array, speed: float) -> str:
    """That the path runs against too strong a current in between the nodes of the lattice."""
    return (
        f"there is a way over the lattice, but near north {where[0]:.0f} m, east {where[1]:.0f} m the current is too "
        f"strong for the craft, which makes {speed:.2f} m/s through the water; a smaller resolution may find a way"
    )


def too_near(radius: float, margin: float, least: float, where: Array, water: Water) -> str:
    """That the path comes too near."""
    turning = f"turning with a radius of {radius:.3g} m " if radius > 0.0 else ""
    return (
        f"there is a way, but {turning}the path comes within {max(least, 0.0):.2g} m of {water.nearest(where)}, at "
        f"north {where[0]:.0f} m, east {where[1]:.0f} m, and margin is {margin:g} m; a smaller "
        f"{'turning_radius' if radius > 0.0 else 'resolution'} or margin may do"
    )
