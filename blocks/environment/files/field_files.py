"""What files of velocity fields have in common: what is checked, and scattered points brought onto a grid."""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.binary.limits import Unreadable, words
from blocks.errors import ParameterError
from blocks.files.writing import is_file, is_folder
from blocks.units import to_unit

Array = NDArray[np.float64]

MOST_VALUES = 20_000_000
"""Of one component of a field: 160 MB."""


def field(
    path: str | Path, times: Array, depths: Array, x: Array, y: Array, north: Array, east: Array, dry: float
) -> dict[str, Any]:
    """The parameters of a field: axes in order, north and east over times, depths, x and y, and numbers everywhere.

    Axes of space may run down; times must not. Values that are no number become `dry`. Raises ParameterError.
    """
    axes = {"times": times, "depths": depths, "x": x, "y": y}
    for number, (name, axis) in enumerate(axes.items()):
        if not np.all(np.isfinite(axis)):
            raise ParameterError(f"{path}: {name} has a value that is no number: [{np.argmin(np.isfinite(axis))}]")
        if name != "times" and len(axis) > 1 and axis[0] > axis[-1]:
            axes[name] = axis[::-1]
            north, east = np.flip(north, number), np.flip(east, number)
        in_order(path, name, axes[name])
    if not (np.isfinite(north).any() and np.isfinite(east).any()):
        raise ParameterError(f"{path} has no velocity that is a number")
    wet = np.isfinite(north) & np.isfinite(east)
    return {
        **{name: np.ascontiguousarray(axis, dtype=np.float64) for name, axis in axes.items()},
        "north": np.where(wet, north, dry),
        "east": np.where(wet, east, dry),
    }


@contextlib.contextmanager
def reading(path: str | Path, kind: str) -> Iterator[None]:
    """Raise ParameterError for whatever a reader says of a file that is not there, not of its kind or damaged."""
    if not (is_file(Path(path)) or is_folder(Path(path))):
        raise ParameterError(f"there is no file {path}")
    if is_folder(Path(path)):
        raise ParameterError(f"{path} is a folder, not {kind}")
    try:
        yield
    except ParameterError:
        raise
    except (Unreadable, OSError, ValueError, LookupError, TypeError) as problem:
        raise ParameterError(f"{path} is not {kind}, or damaged: {words(problem)}") from None


def in_order(path: str | Path, name: str, values: Iterable[float]) -> None:
    """Raise ParameterError unless each value exceeds the one before it."""
    for k, (first, second) in enumerate(pairwise(values)):
        if not second > first:
            raise ParameterError(f"{path}: {name} must increase, but [{k}] is {first:g} and [{k + 1}] is {second:g}")


def quantity(value: float | str, unit: str, name: str) -> float:
    """An option, as a number in SI or text with a unit. Raises ParameterError."""
    try:
        if isinstance(value, bool):
            raise TypeError
        number = to_unit(value, unit) if isinstance(value, str) else float(value)
    except ParameterError as problem:
        raise ParameterError(f"{name}: {problem}") from None
    except (TypeError, ValueError, OverflowError):
        raise ParameterError(f"{name} must be a number in {unit}, not {value!r}") from None
    if not np.isfinite(number):
        raise ParameterError(f"{name} must be finite, not {number:g}")
    return number


def listed(names: Sequence[str], most: int = 15) -> str:
    """Names in a message, not too many of them."""
    if not names:
        return "nothing"
    rest = f" and {len(names) - most} more" if len(names) > most else ""
    return ", ".join(f"'{name}'" for name in names[:most]) + rest


def onto_grid(
    path: str | Path,
    points: Array,
    values: Array,
    resolution: float | str | None,
    longest_edge: float | str | None = None,
) -> tuple[Array, Array, Array]:
    """Values at scattered points, n×k at n×2 (east, north), on a regular grid: x, y and values, k×nx×ny.

    Straight within each triangle of Delaunay's triangulation; no number outside of all of them, and within those that
    have an edge longer than `longest_edge`, m. Without a `resolution`, m, nodes have the mean distance of the points.
    Raises ParameterError if the points lie on one line, or for a grid of too many nodes.
    """
    from scipy.spatial import Delaunay, QhullError

    low, high = points.min(axis=0), points.max(axis=0)
    across = high - low
    try:
        triangles = Delaunay(points - low)
    except (QhullError, ValueError):
        raise ParameterError(f"{path}: the {len(points)} points span no area: they lie on one line") from None
    step = (
        float(np.sqrt(across.prod() / len(points))) if resolution is None else quantity(resolution, "m", "resolution")
    )
    if not step > 0.0:
        raise ParameterError(f"resolution must be > 0 m, not {step:g}")
    counts = [max(2, int(np.ceil(width / step - 1e-9)) + 1) for width in across]
    if counts[0] * counts[1] * values.shape[1] > MOST_VALUES:
        raise ParameterError(
            f"{path}: at a resolution of {step:g} m there are {counts[1]}×{counts[0]} nodes with {values.shape[1]} "
            f"values each, too many; take a coarser one"
        )
    east, north = (np.linspace(0.0, width, count) for width, count in zip(across, counts, strict=True))
    # a hair further in than they are, so that the rounding of coordinates does not leave the edge out
    nodes = 0.5 * across + (1.0 - 1e-9) * (np.stack(np.meshgrid(east, north), axis=-1) - 0.5 * across)
    within = triangles.find_simplex(nodes)
    found = _between_corners(triangles, within, nodes, values)
    if longest_edge is not None:
        corners = triangles.points[triangles.simplices]
        edges = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max(axis=1)
        wide = edges > quantity(longest_edge, "m", "longest_edge")
        if wide.all():
            raise ParameterError(
                f"{path}: no triangle of points has all edges below longest_edge: try {edges.min():.3g} m"
            )
        found[wide[within]] = np.nan
    return north + low[1], east + low[0], np.moveaxis(found, -1, 0)


def _between_corners(triangles: Any, within: NDArray[np.intp], nodes: Array, values: Array) -> Array:
    """Straight between the corners of the triangle that each node is within: barycentric weights, the same for all."""
    transform = triangles.transform[within]
    first_two = np.einsum("...ij,...j->...i", transform[..., :2, :], nodes - transform[..., 2, :])
    weights = np.concatenate([first_two, 1.0 - first_two.sum(axis=-1, keepdims=True)], axis=-1)
    weights[within < 0] = np.nan
    found: Array = sum(weights[..., c, None] * values[triangles.simplices[within, c]] for c in range(3))
    return found
