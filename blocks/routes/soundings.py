"""Depths on a grid."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from blocks.environment.files.depth_file import read_depth_grid, read_depth_points
from blocks.errors import ParameterError
from blocks.routes.edges import Array


@dataclass(frozen=True, eq=False)
class Soundings:
    """Charted depths on a grid, straight between the nodes in north and in east.

    x: increasing distances of the nodes to north, nx, m; y: to east, ny, m; depth: below chart datum, positive down,
    nx×ny, m. Where it is no number there is land.

    Raises ParameterError if an axis does not increase, or the depths have another shape.
    """

    x: Array
    y: Array
    depth: Array

    def __post_init__(self) -> None:
        for name in ("x", "y", "depth"):
            try:
                object.__setattr__(self, name, np.array(getattr(self, name), dtype=np.float64))
            except (TypeError, ValueError):
                raise ParameterError(f"soundings: {name} must be numbers, m") from None
        for name in ("x", "y"):
            axis = getattr(self, name)
            if axis.ndim != 1 or len(axis) < 2 or not (np.diff(axis) > 0.0).all():
                raise ParameterError(f"soundings: {name} must be at least two numbers that increase, m")
        if self.depth.shape != (len(self.x), len(self.y)):
            raise ParameterError(
                f"soundings: depth must be {len(self.x)}×{len(self.y)}, over x to north and y to east, not "
                f"{'×'.join(map(str, self.depth.shape))}"
            )
        if not np.isfinite(self.depth).any():
            raise ParameterError("soundings: no depth is a number")

    @property
    def filled(self) -> Array:
        """Depths, with land high above the water where they are no number: so it reaches to the nodes that are wet."""
        return np.where(np.isfinite(self.depth), self.depth, -1e4)

    @property
    def border(self) -> Array:
        """The corners of the grid, 4×2, m."""
        (n0, n1), (e0, e1) = self.x[[0, -1]], self.y[[0, -1]]
        return np.array([[n0, e0], [n0, e1], [n1, e1], [n1, e0]])

    def at(self, points: Array) -> Array:
        """Depths at places, m; no number outside of the grid."""
        from scipy.interpolate import RegularGridInterpolator

        return np.asarray(RegularGridInterpolator((self.x, self.y), self.filled, "linear", False, np.nan)(points))

    def contours(self, depth: float) -> list[Array]:
        """The lines on which the water is as deep as that, each n×2, north and east, m."""
        from contourpy import contour_generator

        found = contour_generator(x=self.y, y=self.x, z=self.filled).lines(depth)
        return [np.asarray(line, dtype=np.float64)[:, ::-1] for line in found if len(line) > 1]

    @classmethod
    def from_netcdf(
        cls,
        path: str | Path,
        *,
        variable: str | None = None,
        origin_latitude: float | str | None = None,
        origin_longitude: float | str | None = None,
        origin_east: float | str = 0.0,
        origin_north: float | str = 0.0,
    ) -> Soundings:
        """The depths of a NetCDF file, by CF conventions.

        The variable is found by its standard name, such as sea_floor_depth_below_geoid, or its own, such as depth or
        elevation, or is `variable`. Elevations and what says `positive: up` change their sign. Axes and origin are as
        those of `CurrentField.from_netcdf`.

        Raises ParameterError if the file cannot be read, or has another layout.
        """
        return cls(
            *read_depth_grid(
                path, variable=variable, origin_latitude=origin_latitude, origin_longitude=origin_longitude,
                origin_east=origin_east, origin_north=origin_north,
            )
        )  # fmt: skip

    @classmethod
    def from_csv(
        cls,
        path: str | Path,
        *,
        resolution: float | str | None = None,
        longest_edge: float | str | None = None,
        origin_east: float | str = 0.0,
        origin_north: float | str = 0.0,
    ) -> Soundings:
        """The depths at the points of a table with the columns east, north and depth, m, as surveys give them.

        They are brought onto a regular grid: straight within each triangle of Delaunay's triangulation, with the
        mean distance of the points or `resolution`, m, between nodes. Outside of all triangles there is land, and in
        those that have an edge longer than `longest_edge`, m.

        Raises ParameterError if the file cannot be read, or has another layout.
        """
        return cls(
            *read_depth_points(
                path, resolution=resolution, longest_edge=longest_edge, origin_east=origin_east,
                origin_north=origin_north,
            )
        )  # fmt: skip
