"""Hulls cut by planes: at the waterline, and along the centreline where both sides are alike."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError
from blocks.hydro.hull import Hull, PanelGeometry, triangle_rule

_ALIKE = 2e-3
"""Of the integrals over both sides, times area and extent: nearer than that they are mirror images."""


def wetted(hull: Hull) -> Hull:
    """The part below z = 0, without deck or lid that lies in the waterline. Raises HydroError if there is none."""
    low, high = hull.bounds
    size = float(np.max(high - low))
    if low[2] > -1e-4 * size:
        raise HydroError(
            f"{hull.name} is above the water: it reaches from z {low[2]:.4g} to {high[2]:.4g} m, and the waterline is "
            f"z = 0; give the draught, if its keel is its lowest point",
            code="mesh-above-water",
        )
    near = 1e-6 * size
    flat = np.all(np.abs(hull.vertices[hull.panels][:, :, 2]) <= near, axis=1)
    if np.any(flat):
        told = f"{np.count_nonzero(flat)} panels in the waterline, a deck or a lid, were left out"
        hull = replace(hull, panels=hull.panels[~flat]).noted(told)
    if high[2] <= near:
        return hull
    vertices, panels = _cut(hull.vertices, hull.panels, 2, -1.0, near)
    return replace(hull, vertices=vertices, panels=panels)


def one_side(hull: Hull) -> Hull:
    """The port side alone, where the hull has no mirror yet and its sides are alike; else the hull."""
    if hull.planes:
        return hull
    size = float(np.max(np.ptp(hull.vertices, axis=0)))
    sides = [_cut(hull.vertices, hull.panels, 1, sign, 1e-6 * size) for sign in (1.0, -1.0)]
    if not all(len(panels) for _, panels in sides):
        return hull
    port, starboard = (replace(hull, vertices=vertices, panels=panels) for vertices, panels in sides)
    one, two = _integrals(port), _integrals(starboard)
    area, extent = float(PanelGeometry.of(port).areas.sum()), np.ptp(hull.vertices, axis=0)
    if np.any(np.abs(one - two) > _ALIKE * area * np.stack([np.ones(3), extent, extent**2])):
        return hull
    side = replace(port, panels=port.panels[~_in_centreplane(port, 1e-6 * size)], planes="xz")
    thin = np.count_nonzero(_in_centreplane(hull, 1e-6 * size))
    return side.noted(f"{thin} panels in the centreplane, such as of a thin skeg, were left out") if thin else side


def _in_centreplane(hull: Hull, near: float) -> NDArray[np.bool_]:
    flat: NDArray[np.bool_] = np.all(np.abs(hull.vertices[hull.panels][:, :, 1]) < near, axis=1)
    return flat


def _integrals(hull: Hull) -> Array:
    """What mirror images have alike: areas projected, first and second moments of the surface."""
    points, vectors = triangle_rule(hull)
    areas = np.linalg.norm(vectors, axis=1)
    there = np.abs(points)
    there[:, :, 0] = points[:, :, 0]
    return np.stack([np.abs(vectors).sum(axis=0), *(areas @ (there**power).mean(axis=1) for power in (1, 2))])


def _cut(
    vertices: Array, panels: NDArray[np.int64], axis: int, side: float, near: float
) -> tuple[Array, NDArray[np.int64]]:
    """The part with side · coordinate ≥ 0. Panels that the plane crosses are cut as triangles."""
    level = side * vertices[:, axis]
    level = np.where(np.abs(level) < near, 0.0, level)
    flat = vertices.copy()
    flat[level == 0.0, axis] = 0.0
    inside = level[panels] >= 0.0
    whole = panels[np.all(inside, axis=1) & np.any(level[panels] > 0.0, axis=1)]
    crossed = panels[np.any(level[panels] > 0.0, axis=1) & ~np.all(inside, axis=1)]
    quads = crossed[crossed[:, 2] != crossed[:, 3]]
    triangles = np.vstack([crossed[:, :3], quads[:, [0, 2, 3]]])
    kept, new, count = [whole], [flat], len(vertices)
    for a, b, c in triangles:
        order = [(a, b), (b, c), (c, a)]
        ring: list[int] = []
        for start, end in order:
            if level[start] >= 0.0:
                ring.append(int(start))
            if level[start] * level[end] < 0.0:
                part = level[start] / (level[start] - level[end])
                point = flat[start] + part * (flat[end] - flat[start])
                point[axis] = 0.0
                new.append(point[None])
                ring.append(count)
                count += 1
        if len(ring) >= 3:
            kept.append(np.array([[*ring[:3], ring[3] if len(ring) > 3 else ring[2]]]))
    return np.vstack(new), np.vstack(kept)
