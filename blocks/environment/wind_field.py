"""A wind that is given on a grid."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from blocks.block import Sizes
from blocks.environment.files.grid_file import read_grid
from blocks.environment.files.point_file import read_points
from blocks.environment.velocity_field import (
    EAST,
    NARROW,
    NORTH,
    WIDE,
    VelocityField,
    fill,
    outside,
    time_outside,
    values,
)
from blocks.errors import ParameterError
from blocks.model.declare import Output
from blocks.model.dependence import Sources
from blocks.model.file_origin import constructor_for, file_constructor, with_table
from blocks.signal import Velocity


class WindField(VelocityField):
    """A wind that differs from place to place and from time to time, given on a grid, as around buildings and cliffs.

    wind = (n(t, x, y), e(t, x, y), 0)

    n, e: `north` and `east`, where the wind blows **to**, nt×nx×ny, m/s, straight between the nodes: `times`, nt, s,
    `x` to north, nx, m, `y` to east, ny, m; (x, y): position, from `eta`, m; `wind`: velocity of the air, where it
    blows to, north, east, down, 3, m/s. One time is a steady wind. It is the same at all heights: that of the wind
    coefficients.

    **Outside** the grid `outside="error"` stops the run, with the place and what the grid spans; "fill" gives the
    velocity `fill`, with a jump at the border. Before the first and after the last time `time_outside="hold"` gives
    what there is then, and "error" stops the run.

    `WindField.from_netcdf(path)` reads a grid from NetCDF, `WindField.from_csv(path)` points, as ParaView writes them
    from OpenFOAM; `file` in a scenario does the same.

    Raises ParameterError if an axis does not increase, or if `north` or `east` has another shape than the axes.

    Definition: of this library; bilinear interpolation.
    """

    examples = (
        WIDE | {"north": NORTH[:, 0], "east": EAST[:, 0]} | NARROW,
        WIDE | {"north": NORTH[:1, 0], "east": EAST[:1, 0], "times": [0.0]} | NARROW,
        WIDE | {"north": NORTH[:1, 0], "east": EAST[:1, 0], "times": [0.0]},
    )

    kernel = "wind_field"
    sizes = ("nt", "nx", "ny")
    least_sizes: ClassVar[Mapping[str, int]] = {"nx": 2, "ny": 2}
    file_constructors: ClassVar[Mapping[str, str]] = {".nc": "from_netcdf", ".csv": "from_csv"}

    wind = Output(Velocity, "velocity of the air, where it blows to", nominal=10.0)
    north = values("velocity of the air to north, n", "nt", "nx", "ny")
    east = values("velocity of the air to east, e", "nt", "nx", "ny")
    outside = outside()
    fill = fill()
    time_outside = time_outside()

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On no depth."""
        return self.horizontal_sources(sizes, depths=False)

    @classmethod
    @file_constructor
    def from_netcdf(
        cls,
        path: str | Path,
        *,
        variables: tuple[str, str] | None = None,
        origin_latitude: float | str | None = None,
        origin_longitude: float | str | None = None,
        origin_east: float | str = 0.0,
        origin_north: float | str = 0.0,
        start: float | str | None = None,
        dry: float | str = 0.0,
        **parameters: Any,
    ) -> WindField:
        """The block with the grid of a NetCDF file; options are those of `CurrentField.from_netcdf`.

        Variables are found by standard names, such as eastward_wind, or by names such as u10 and v10. There may be one
        height only.

        Raises ParameterError if the file cannot be read, or has another layout.
        """
        read = read_grid(
            path, "wind", variables=variables, origin_latitude=origin_latitude, origin_longitude=origin_longitude,
            origin_east=origin_east, origin_north=origin_north, start=start, dry=dry,
        )  # fmt: skip
        return with_table(cls, path, _on_one_level(path, read), parameters)

    @classmethod
    @file_constructor
    def from_csv(
        cls,
        path: str | Path,
        *,
        height: float | str | None = None,
        resolution: float | str | None = None,
        longest_edge: float | str | None = None,
        origin_east: float | str = 0.0,
        origin_north: float | str = 0.0,
        axes: str = "enu",
        dry: float | str = 0.0,
        **parameters: Any,
    ) -> WindField:
        """The block with the points of a CSV file; `parameters` are the others.

        Columns are Points:0, Points:1, Points:2, U:0, U:1, U:2, as ParaView writes them, or x, y, z, Ux, Uy, Uz, in any
        order, with others beside them: x to east, y to north, z up; with `axes="ned"` x to north, y to east, z down. Of
        points at several heights, those at `height`, m, are interpolated. They are brought onto a regular grid by
        `resolution` and `longest_edge` as in `CurrentField.from_hec_ras`; outside of the points, and where U is nan,
        both components are `dry`, m/s.

        Raises ParameterError if the file cannot be read, or has another layout.
        """
        read = read_points(
            path, height=height, resolution=resolution, longest_edge=longest_edge, origin_east=origin_east,
            origin_north=origin_north, axes=axes, dry=dry,
        )  # fmt: skip
        return with_table(cls, path, _on_one_level(path, read), parameters)

    @classmethod
    def from_file(cls, path: str | Path, **options: Any) -> WindField:
        """By the ending of the path: `from_netcdf` for .nc, `from_csv` for .csv.

        Raises ParameterError for other endings, too.
        """
        return constructor_for(cls, path)(path, **options)


def _on_one_level(path: str | Path, read: dict[str, Any]) -> dict[str, Any]:
    """Without the axis of depths. Raises ParameterError if there are several."""
    depths = read.pop("depths")
    if len(depths) > 1:
        raise ParameterError(
            f"{path} has the wind at {len(depths)} heights or levels, from {-depths[-1]:g} to {-depths[0]:g}: choose "
            f"one and write it to a file of its own, such as dataset.isel(height=0) by xarray"
        )
    return read | {"north": read["north"][:, 0], "east": read["east"][:, 0]}
