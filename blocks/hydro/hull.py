"""A hull as panels: what readers and parametric forms make, and what the panel method takes."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError

Panels = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Hull:
    """Panels of a hull in axes forward, port, up, with the waterline at z = 0; normals point into the water.

    vertices: n×3, m; panels: k×4 numbers of vertices, the last two equal in triangles; planes: mirrors of which these
    panels are one side, "" or "xz" (port and starboard alike), "xz yz" (fore and aft alike too); name: what it is
    called; made_from: what it was made from, as it goes into the results.

    Raises HydroError if panels name vertices that are not there, or numbers are not finite.
    """

    vertices: Array
    panels: Panels
    planes: str = ""
    name: str = "hull"
    made_from: str = ""
    notes: tuple[str, ...] = field(default=())

    def __post_init__(self) -> None:
        if self.planes not in ("", "xz", "xz yz"):
            raise HydroError(f"{self.name}: planes must be '', 'xz' or 'xz yz', not {self.planes!r}")
        if not len(self.panels):
            raise HydroError(f"{self.name} has no panels")
        if self.panels.min() < 0 or self.panels.max() >= len(self.vertices):
            worst = int(self.panels.max() if self.panels.max() >= len(self.vertices) else self.panels.min())
            raise HydroError(f"{self.name}: a panel names vertex {worst + 1}, and there are {len(self.vertices)}")
        if not np.all(np.isfinite(self.vertices)):
            raise HydroError(f"{self.name}: the coordinates of vertices must be finite numbers")

    def whole(self) -> Hull:
        """All panels, mirrored where this has one side."""
        hull = self
        for axis, plane in ((1, "xz"), (0, "yz")):
            if plane in self.planes.split():
                signs = np.ones(3)
                signs[axis] = -1.0
                other = hull.panels[:, ::-1] + len(hull.vertices)
                hull = replace(
                    hull,
                    vertices=np.vstack([hull.vertices, hull.vertices * signs]),
                    panels=np.vstack([hull.panels, other]),
                )
        return replace(hull, planes="")

    def moved(self, arm: ArrayLike) -> Hull:
        """The hull displaced by `arm`, m; mirrors that it leaves are lost."""
        x, y, _ = shift = np.asarray(arm, dtype=np.float64)
        hull = self.whole() if (x and "yz" in self.planes) or (y and "xz" in self.planes) else self
        return replace(hull, vertices=hull.vertices + shift)

    def scaled(self, factor: float) -> Hull:
        """The hull in another unit: 0.001 for what is in mm."""
        return replace(self, vertices=self.vertices * factor)

    def turned(self) -> Hull:
        """The hull with all normals reversed."""
        return replace(self, panels=self.panels[:, ::-1].copy())

    def noted(self, note: str) -> Hull:
        """The hull, with something that is to be said of it."""
        return replace(self, notes=(*self.notes, note))

    @property
    def count(self) -> int:
        """How many panels the whole hull has."""
        return len(self.panels) << len(self.planes.split())

    @property
    def bounds(self) -> tuple[Array, Array]:
        """Least and greatest coordinates of the whole hull, m."""
        used = self.whole()
        corners = used.vertices[used.panels].reshape(-1, 3)
        return corners.min(axis=0), corners.max(axis=0)

    def digest(self) -> str:
        """A fingerprint of the geometry."""
        numbers = np.ascontiguousarray(self.vertices[self.panels], dtype="<f8").tobytes()
        return hashlib.sha256(self.planes.encode() + numbers).hexdigest()[:16]


@dataclass(frozen=True)
class PanelGeometry:
    """Areas, normals, centres and longest half diagonals of panels: k, k×3, k×3, k."""

    areas: Array
    normals: Array
    centres: Array
    radii: Array

    @classmethod
    def of(cls, hull: Hull) -> PanelGeometry:
        """Of the panels of a hull, of the one side if it has mirrors."""
        a, b, c, d = (hull.vertices[hull.panels[:, k]] for k in range(4))
        one, two = 0.5 * np.cross(b - a, c - a), 0.5 * np.cross(c - a, d - a)
        vector = one + two
        size_one, size_two = np.linalg.norm(one, axis=1), np.linalg.norm(two, axis=1)
        areas = np.linalg.norm(vector, axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            normals = np.nan_to_num(vector / areas[:, None])
            centres = ((a + b + c) * size_one[:, None] + (a + c + d) * size_two[:, None]) / (
                3.0 * (size_one + size_two)[:, None]
            )
        centres = np.where(np.isfinite(centres), centres, a)
        radii = np.max([np.linalg.norm(corner - centres, axis=1) for corner in (a, b, c, d)], axis=0)
        return cls(areas, normals, centres, radii)

    def volumes(self) -> Array:
        """The volume that the panels enclose with the waterline, from their x, y and z, m³: alike for a closed hull."""
        volumes: Array = np.sum(self.areas[:, None] * self.normals * self.centres, axis=0)
        return volumes


def triangle_rule(hull: Hull) -> tuple[Array, Array]:
    """Points and vectors of area of two triangles in each panel: 2k×3×3 and 2k×3.

    A third of the sum over the three points, the middles of edges, is exact for squares of coordinates.
    """
    a, b, c, d = (hull.vertices[hull.panels[:, k]] for k in range(4))
    points = np.vstack([np.stack([a + b, b + c, c + a], 1), np.stack([a + c, c + d, d + a], 1)])
    vectors = np.vstack([np.cross(b - a, c - a), np.cross(c - a, d - a)])
    return 0.5 * points, 0.5 * vectors
