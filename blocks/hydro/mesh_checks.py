"""Whether a mesh is one that a panel method can take: closed, facing the water, at the waterline, fine enough."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError
from blocks.hydro.hull import Hull, PanelGeometry

_LONGEST, _SHORTEST = 1500.0, 0.01
"""m: what is longer or shorter than anything afloat is in another unit."""
_APART = 0.01
"""Of the volumes from x, y and z: beyond, a hole or an inverted panel is behind it."""
PANELS_PER_LENGTH = 8.0
"""Radii of panels in the shortest wave, the rule that Capytaine warns by."""


@dataclass(frozen=True)
class Edges:
    """Edges of a mesh: pairs of vertices, how often panels run along them to and fro."""

    ends: NDArray[np.int64]
    forth: NDArray[np.int64]
    back: NDArray[np.int64]

    @classmethod
    def of(cls, panels: NDArray[np.int64]) -> Edges:
        pairs = _sides(panels)
        pairs = pairs[pairs[:, 0] != pairs[:, 1]]
        forward = pairs[:, 0] < pairs[:, 1]
        ends, number = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
        number = number.reshape(-1)
        forth = np.bincount(number[forward], minlength=len(ends))
        back = np.bincount(number[~forward], minlength=len(ends))
        return cls(ends, forth, back)


def _sides(panels: NDArray[np.int64]) -> NDArray[np.int64]:
    """The first sides of all panels, from one vertex to the next, then the second ones and so on."""
    return np.vstack([panels[:, [k, (k + 1) % 4]] for k in range(4)])


def in_order(hull: Hull) -> Hull:
    """A hull as it is given, above and below water: its unit, its normals. All of them inwards are turned.

    Raises HydroError if it is as long as nothing that floats, or if some panels face the other way than others.
    """
    low, high = hull.bounds
    length = float(np.max(high - low))
    if not _SHORTEST <= length <= _LONGEST:
        unit = "in mm? then give the scale 0.001" if length > _LONGEST else "in another unit?"
        raise HydroError(
            f"{hull.name} is {length:g} m long: {unit}; coordinates must be in m", code="mesh-in-another-unit"
        )
    whole = hull.whole()
    edges = Edges.of(whole.panels)
    wrong = (edges.forth > 1) | (edges.back > 1)
    if np.any(wrong):
        turned, together = _inverted(whole)
        if together:
            no_twins(whole)
            raise HydroError(
                f"{hull.name} has {len(turned)} of {len(whole.panels)} panels with normals the other way, such as the "
                f"one at {_place(whole, turned[0])}; turn them in the program that made the mesh ('unify normals')",
                code="inverted-panels",
            )
    geometry = PanelGeometry.of(whole)
    if geometry.volumes()[2] + geometry.volumes()[0] < 0.0:
        return hull.turned().noted("all normals faced inwards and were turned")
    return hull


def _place(hull: Hull, panel: int) -> str:
    """Where a panel is, in the axes of the mesh."""
    x, y, z = hull.vertices[hull.panels[panel]].mean(axis=0)
    return f"x {x:.4g} m, y {y:.4g} m, z {z:.4g} m"


def _inverted(hull: Hull) -> tuple[NDArray[np.int64], bool]:
    """The panels that face the other way than the most, by walking over edges; whether that could be told."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    count = len(hull.panels)
    owner = np.tile(np.arange(count), 4)
    pairs = _sides(hull.panels)
    kept = pairs[:, 0] != pairs[:, 1]
    pairs, owner = pairs[kept], owner[kept]
    forward = pairs[:, 0] < pairs[:, 1]
    _, number = np.unique(np.sort(pairs, axis=1), axis=0, return_inverse=True)
    order = np.argsort(number.reshape(-1), kind="stable")
    same = np.flatnonzero(np.diff(number.reshape(-1)[order]) == 0)
    one, two = order[same], order[same + 1]
    alike = forward[one] != forward[two]
    # two copies of each panel, as it is and turned; neighbours that agree join equal copies, others the opposite ones
    a, b = owner[one], owner[two]
    rows = np.concatenate([a[alike], a[alike] + count, a[~alike], a[~alike] + count])
    columns = np.concatenate([b[alike], b[alike] + count, b[~alike] + count, b[~alike]])
    graph = coo_array((np.ones(len(rows)), (rows, columns)), shape=(2 * count, 2 * count))
    _, labels = connected_components(graph, directed=False)
    if np.any(labels[:count] == labels[count:]):
        return np.empty(0, dtype=np.int64), False
    found: list[int] = []
    areas = PanelGeometry.of(hull).areas
    for label in np.unique(np.minimum(labels[:count], labels[count:])):
        straight = np.flatnonzero(labels[:count] == label)
        other = np.flatnonzero(labels[count:] == label)
        if len(straight) and len(other):
            found.extend(other if areas[other].sum() < areas[straight].sum() else straight)
    return np.array(sorted(found), dtype=np.int64), bool(found)


def afloat(wetted: Hull) -> Hull:
    """A hull that was cut at the waterline, if it is closed and there is something of it under water.

    Raises HydroError if it has a hole: edges below the waterline with a panel on one side only, while the volumes from
    x, y and z differ. Edges that do not meet exactly and enclose a volume all the same are a note.
    """
    geometry = PanelGeometry.of(wetted.whole())
    volumes = geometry.volumes()
    mean = float(np.mean(volumes))
    apart = float(np.ptp(volumes) / max(abs(mean), 1e-300))
    free = _free_edges(wetted)
    if apart > _APART:
        where = f"; edges without a neighbour run from {_span(free)}" if len(free) else ""
        raise HydroError(
            f"{wetted.name} is not closed below the waterline: its volume is {volumes[0]:.5g} m³ by its panels' x, "
            f"{volumes[1]:.5g} by y and {volumes[2]:.5g} by z{where}; close the hole, or look for inverted panels",
            code="hole-in-mesh",
        )
    if mean <= 0.0:
        raise HydroError(f"{wetted.name} encloses no volume below the waterline", code="hole-in-mesh")
    if len(free):
        return wetted.noted(f"{len(free)} edges of panels below the waterline do not meet those of neighbours")
    return wetted


def no_twins(wetted: Hull) -> Hull:
    """The hull, if no panels lie on each other. Raises HydroError with how many do, and where."""
    whole, number, _ = _joined(wetted)
    corners = np.sort(number[whole.panels], axis=1)
    same = np.diff(corners, axis=1, prepend=-1) == 0  # a triangle names a corner twice: whichever it is
    corners = np.sort(np.where(same, -1, corners), axis=1)
    _, first, times = np.unique(corners, axis=0, return_index=True, return_counts=True)
    if np.any(times > 1):
        raise HydroError(
            f"{wetted.name} has {int((times - 1).sum())} panels that lie on others, such as the one at "
            f"{_place(whole, int(first[times > 1][0]))}: parts that were exported twice, or walls between parts that "
            f"touch; leave the hull's outer skin, once",
            code="panels-on-each-other",
        )
    return wetted


def axes_seen(wetted: Hull) -> Hull:
    """The hull, with a remark where it lies as few hulls do in axes forward, port, up."""
    low, high = wetted.bounds
    (length, breadth), aside = (high - low)[:2], 0.5 * float(low[1] + high[1])
    if breadth > 1.001 * length:
        wetted = wetted.noted(f"it is broader than long, {breadth:.4g} m by {length:.4g} m: does x point forward?")
    if abs(aside) > 0.01 * breadth:
        side = "port" if aside > 0.0 else "starboard"
        wetted = wetted.noted(f"its middle lies {abs(aside):.4g} m to {side} of y = 0: is that the centreline?")
    return wetted


def _joined(hull: Hull) -> tuple[Hull, NDArray[np.int64], float]:
    """The whole hull, a number for each of its vertices, alike where these are at one place, and its size, m."""
    whole = hull.whole()
    size = float(np.max(np.ptp(whole.vertices, axis=0)))
    keys = np.round(whole.vertices / (size * 1e-6)).astype(np.int64)
    _, number = np.unique(keys, axis=0, return_inverse=True)
    return whole, number.reshape(-1), size


def _free_edges(hull: Hull) -> Array:
    """The ends of edges below the waterline that one panel has, k×2×3."""
    whole, number, size = _joined(hull)
    edges = Edges.of(number[whole.panels])
    first = np.zeros(int(number.max()) + 1, dtype=np.int64)
    first[number] = np.arange(len(number))
    ends: Array = whole.vertices[first[edges.ends]]
    alone = (edges.forth + edges.back) == 1
    under = np.any(ends[:, :, 2] < -1e-4 * size, axis=1)
    free: Array = ends[alone & under]
    return free


def _span(edges: Array) -> str:
    low, high = edges.reshape(-1, 3).min(axis=0), edges.reshape(-1, 3).max(axis=0)
    return ", ".join(f"{name} {a:.4g} to {b:.4g} m" for name, a, b in zip("xyz", low, high, strict=True))


def shortest_wave(hull: Hull, gravity: float) -> tuple[float, float]:
    """The shortest wave that the panels resolve, m, and its frequency in deep water, rad/s."""
    geometry = PanelGeometry.of(hull)
    radius = float(np.quantile(geometry.radii, 0.98))
    length = PANELS_PER_LENGTH * radius
    return length, float(np.sqrt(2.0 * np.pi * gravity / length))
