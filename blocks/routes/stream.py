"""The current that a route is found in, at all places at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from blocks.environment import CurrentField, UniformCurrent
from blocks.errors import ParameterError
from blocks.routes.edges import Array

Current = UniformCurrent | CurrentField | Sequence[float] | Callable[[Array], Array]
Stream = Callable[[Array], Array]
"""From places, n×2, m, to currents, n×2, m/s: north and east."""


def stream_of(current: Current | None, at: float = 0.0, depth: float = 0.0) -> Stream | None:
    """A current as a function of the place; None if there is none.

    current: a `UniformCurrent`, a `CurrentField` at the time `at`, s, and the depth `depth`, m; north and east, m/s; or
    a function from places, n×2, to those, n×2. Raises ParameterError for anything else.
    """
    if current is None:
        return None
    if isinstance(current, CurrentField):
        return _of_field(current, at, depth)
    if isinstance(current, UniformCurrent):
        return _uniform(np.asarray(current.evaluate().outputs["current"])[:2])
    if callable(current):
        return _checked(current)
    try:
        given = np.array(current, dtype=np.float64)
    except (TypeError, ValueError):
        given = np.zeros(0)
    if given.shape not in ((2,), (3,)) or not np.isfinite(given).all():
        raise ParameterError(
            f"current must be a UniformCurrent, a CurrentField, north and east in m/s, or a function of places, not "
            f"{current!r}"
        )
    return _uniform(given[:2])


def _uniform(velocity: Array) -> Stream:
    return lambda points: np.broadcast_to(velocity, points.shape)


def _checked(function: Callable[[Array], Array]) -> Stream:
    def stream(points: Array) -> Array:
        found = np.asarray(function(points), dtype=np.float64)
        if found.shape != points.shape or not np.isfinite(found).all():
            raise ParameterError(
                f"current: for {len(points)} places the function must give {len(points)}×2 numbers, north and east in "
                f"m/s, not {'×'.join(map(str, found.shape)) or 'one number'}"
            )
        return found

    return stream


def _of_field(field: CurrentField, at: float, depth: float) -> Stream:
    """Straight between the nodes, as the block has it."""
    from scipy.interpolate import RegularGridInterpolator

    times, depths = (np.asarray(axis, dtype=np.float64) for axis in (field.times, field.depths))
    if field.time_outside == "error" and not times[0] <= at <= times[-1]:
        raise ParameterError(
            f"current: the time {at:g} s is outside of those of the field, {times[0]:g} to {times[-1]:g} s"
        )
    layers = []
    for component in (field.north, field.east):
        shape = len(times), len(depths), len(field.x), len(field.y)
        values = np.broadcast_to(np.asarray(component, dtype=np.float64), shape)
        layers.append(_between(depths, _between(times, values, at), depth))
    look_up = RegularGridInterpolator((field.x, field.y), np.stack(layers, axis=-1), "linear", False, np.nan)
    fill = np.broadcast_to(np.asarray(field.fill, dtype=np.float64), 2)

    def stream(points: Array) -> Array:
        found = np.asarray(look_up(points))
        beyond = np.isnan(found).any(axis=1)
        if beyond.any() and field.outside == "error":
            north, east = points[np.argmax(beyond)]
            raise ParameterError(
                f"current: the route may lead to north {north:.5g} m, east {east:.5g} m, and the grid of the field "
                f"spans north {field.x[0]:g} to {field.x[-1]:g} m, east {field.y[0]:g} to {field.y[-1]:g} m; "
                f"outside='fill' gives the velocity fill there"
            )
        found[beyond] = fill
        return found

    return stream


def _between(axis: Array, values: Array, at: float) -> Array:
    """Values at one place of their first axis, held before the first and after the last."""
    if len(axis) == 1:
        return np.asarray(values[0])
    k = int(np.clip(np.searchsorted(axis, at) - 1, 0, len(axis) - 2))
    part = float(np.clip((at - axis[k]) / (axis[k + 1] - axis[k]), 0.0, 1.0))
    return np.asarray(values[k] + part * (values[k + 1] - values[k]))
