"""Panels of one size from any triangles, as CAD programs write them: few large ones, or many slender ones."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from blocks.hydro.dofs import Array
from blocks.hydro.hull import Hull, PanelGeometry

_ROUNDS = 24
_REST = 0.02
"""Of the greatest singular value: below, a cell does not say where its vertex lies in that direction."""


def even(hull: Hull, count: int) -> Hull:
    """The hull with about `count` panels on its whole surface, triangles near to equilateral; edges stay sharp.

    Triangles are halved until none is longer than a panel; the vertices of each cubic cell then become one, at the
    place that has the least squared distance from the planes of the triangles there. Vertices in the waterline and in
    a mirror stay in it.

    Source: Lindstrom (2000), Out-of-core simplification of large polygonal models, Proc. SIGGRAPH.
    """
    triangles = _triangles(hull.panels)
    area = float(PanelGeometry.of(hull).areas.sum()) * 2 ** len(hull.planes.split())
    edge = float(np.sqrt(2.3 * area / count))
    vertices, triangles = _halved(hull.vertices, triangles, 0.7 * edge)
    vertices, triangles = _clustered(vertices, triangles, edge, hull.planes)
    panels = np.hstack([triangles, triangles[:, 2:]])
    note = f"{len(hull.panels)} panels were made {len(panels)} of {edge:.3g} m"
    return replace(hull, vertices=vertices, panels=panels).noted(note)


def _triangles(panels: NDArray[np.int64]) -> NDArray[np.int64]:
    quads = panels[panels[:, 2] != panels[:, 3]]
    flat = panels[panels[:, 2] == panels[:, 3]][:, :3]
    both = np.vstack([flat, quads[:, :3], quads[:, [0, 2, 3]]])
    distinct = (both[:, 0] != both[:, 1]) & (both[:, 1] != both[:, 2]) & (both[:, 0] != both[:, 2])
    kept: NDArray[np.int64] = both[distinct]
    return kept


def _halved(vertices: Array, triangles: NDArray[np.int64], most: float) -> tuple[Array, NDArray[np.int64]]:
    """Halve triangles at their longest edges until none is longer than that. Neighbours share the new vertices."""
    for _ in range(_ROUNDS):
        corners = vertices[triangles]
        lengths = np.linalg.norm(corners - np.roll(corners, -1, axis=1), axis=2)
        longest = np.argmax(lengths, axis=1)
        long = lengths[np.arange(len(triangles)), longest] > most
        if not np.any(long):
            break
        turned = np.take_along_axis(triangles[long], (longest[long, None] + np.arange(3)) % 3, axis=1)
        a, b, c = turned.T
        ends, number = np.unique(np.sort(np.stack([a, b], 1), axis=1), axis=0, return_inverse=True)
        middle = len(vertices) + number.reshape(-1)
        vertices = np.vstack([vertices, vertices[ends].mean(axis=1)])
        triangles = np.vstack([triangles[~long], np.stack([a, middle, c], 1), np.stack([middle, b, c], 1)])
    return vertices, triangles


def _clustered(
    vertices: Array, triangles: NDArray[np.int64], edge: float, planes: str
) -> tuple[Array, NDArray[np.int64]]:
    """One vertex for each cubic cell, triangles between them."""
    size = float(np.max(np.ptp(vertices, axis=0)))
    # cells lie about the waterline and the mirrors, so that what lies in these is with nothing else
    cells = np.floor(vertices / edge + 0.5 + 1e-9).astype(np.int64)
    _, cell = np.unique(cells, axis=0, return_inverse=True)
    cell = cell.reshape(-1)
    count = int(cell.max()) + 1
    sums = np.stack([np.bincount(cell, vertices[:, k], count) for k in range(3)], 1)
    mean = sums / np.bincount(cell, minlength=count)[:, None]

    corners = vertices[triangles]
    normal = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    matrix, right = np.zeros((count, 3, 3)), np.zeros((count, 3))
    area = np.maximum(np.linalg.norm(normal, axis=1), 1e-300)
    unit = normal / area[:, None]
    for k in range(3):
        where = cell[triangles[:, k]]
        offset_k = np.sum(unit * (corners[:, 0] - mean[where]), axis=1)
        np.add.at(matrix, where, area[:, None, None] * unit[:, :, None] * unit[:, None, :])
        np.add.at(right, where, (area * offset_k)[:, None] * unit)
    u, s, vt = np.linalg.svd(matrix)
    inverse = np.where(s > _REST * s[:, :1], 1.0 / np.maximum(s, 1e-300), 0.0)
    shift = np.einsum("nij,nj,nkj,nk->ni", vt.transpose(0, 2, 1), inverse, u, right)
    shift = np.clip(shift, -edge, edge)
    placed = mean + shift
    for axis, plane in ((2, "waterline"), (1, "xz"), (0, "yz")):
        if plane == "waterline" or plane in planes.split():
            inside = np.abs(vertices[:, axis]) < 1e-6 * size
            placed[np.unique(cell[inside]), axis] = 0.0
    placed[:, 2] = np.minimum(placed[:, 2], 0.0)

    joined = cell[triangles]
    distinct = (joined[:, 0] != joined[:, 1]) & (joined[:, 1] != joined[:, 2]) & (joined[:, 0] != joined[:, 2])
    joined = joined[distinct]
    joined = _once(joined)
    kept = np.linalg.norm(
        np.cross(placed[joined[:, 1]] - placed[joined[:, 0]], placed[joined[:, 2]] - placed[joined[:, 0]]), axis=1
    )
    return placed, joined[kept > 1e-4 * edge**2]


def _once(triangles: NDArray[np.int64]) -> NDArray[np.int64]:
    """Each triangle once; two that face each other cancel."""
    order = np.argsort(triangles, axis=1)
    even = np.isin(order @ [9, 3, 1], [5, 15, 19])  # of 0 1 2, 1 2 0, 2 0 1
    ordered, number = np.unique(np.sort(triangles, axis=1), axis=0, return_inverse=True)
    turns = np.bincount(number.reshape(-1), np.where(even, 1.0, -1.0), len(ordered))
    facing = np.where(turns[:, None] > 0.0, ordered, ordered[:, [0, 2, 1]])
    kept: NDArray[np.int64] = facing[turns != 0.0]
    return kept
