"""A current that is given on a grid."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from blocks.basic.common import check_increasing
from blocks.block import Sizes
from blocks.environment.files.grid_file import read_grid
from blocks.environment.files.hec_ras_file import read_hec_ras
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
from blocks.model.declare import Output, Parameter
from blocks.model.dependence import Sources, rows
from blocks.model.file_origin import constructor_for, file_constructor, with_table
from blocks.signal import Velocity


class CurrentField(VelocityField):
    """A current that differs from place to place and from time to time, given on a grid, as models of rivers give it.

    current = (n(t, z, x, y), e(t, z, x, y), 0)

    n, e: `north` and `east`, nt×nz×nx×ny, m/s, straight between the nodes: `times`, nt, s, `depths`, nz, m, `x` to
    north, nx, m, `y` to east, ny, m; (x, y, z): position, from `eta`, m; `current`: velocity of the water, north, east,
    down, 3, m/s. One time is a steady current, one depth a current that is the same at all depths. Above the first and
    below the last depth the current is what it is there.

    **Outside** the grid `outside="error"` stops the run, with the place and what the grid spans; "fill" gives the
    velocity `fill`, with a jump at the border. Before the first and after the last time `time_outside="hold"` gives
    what there is then, and "error" stops the run.

    `CurrentField.from_netcdf(path)` reads a grid from NetCDF, `CurrentField.from_hec_ras(path)` the results of a
    two-dimensional HEC-RAS model; `file` in a scenario does the same.

    Raises ParameterError if an axis does not increase, or if `north` or `east` has another shape than the axes.

    Definition: of this library; bilinear interpolation.
    """

    examples = (
        WIDE | {"north": NORTH[:, :1], "east": EAST[:, :1]},
        WIDE | {"north": NORTH[:1, :1], "east": EAST[:1, :1], "times": [0.0]},
        WIDE | {"north": NORTH, "east": EAST, "depths": [-2.0, 0.3, 2.5]} | NARROW,
        WIDE | {"north": NORTH[:, :1], "east": EAST[:, :1]} | NARROW,
        WIDE | {"north": NORTH[:1, :1], "east": EAST[:1, :1], "times": [0.0]} | NARROW,
    )

    kernel = "current_field"
    sizes = ("nt", "nz", "nx", "ny")
    least_sizes: ClassVar[Mapping[str, int]] = {"nx": 2, "ny": 2}
    file_constructors: ClassVar[Mapping[str, str]] = {
        ".nc": "from_netcdf", ".hdf": "from_hec_ras", ".h5": "from_hec_ras", ".hdf5": "from_hec_ras",
    }  # fmt: skip

    current = Output(Velocity, "velocity of the water")
    north = values("velocity of the water to north, n", "nt", "nz", "nx", "ny")
    east = values("velocity of the water to east, e", "nt", "nz", "nx", "ny")
    outside = outside()
    fill = fill()
    time_outside = time_outside()
    depths = Parameter([0.0], shape=("nz",), unit="m", doc="increasing depths, positive down")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On the depth only if there are several."""
        several = sizes["nz"] > 1
        found = self.horizontal_sources(sizes, depths=several)
        return dict(found) | ({"depths": rows("north east")} if several else {})

    def validate(self) -> None:
        """Axes in order."""
        super().validate()
        check_increasing(self, "depths", at_least=1)

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
    ) -> CurrentField:
        """The block with the grid of a NetCDF file; `parameters` are the others, and take precedence.

        The variables are found by their standard names, such as eastward_sea_water_velocity, or by names such as u and
        v, uo and vo; `variables` names two others, that to **east first**. Their dimensions are found by standard name,
        axis or name: x and y, or longitude and latitude, and, if there are any, time and depth, in any order. Units are
        converted, and are SI where there are none.

        Origin: what is x = y = 0 in the run. A grid in metres has it at `origin_east`, `origin_north`; one over
        latitude and longitude at `origin_latitude`, `origin_longitude`, rad or text such as "52.25 deg", from where it
        is laid out flat with the radii of WGS-84 there: good for some ten kilometres.

        Times count from `start`, a time such as "2024-05-01T12:00", or from the first one of the file. Where a value is
        missing, as on land, both components are `dry`, m/s.

        Raises ParameterError if the file cannot be read, or has another layout.
        """
        read = read_grid(
            path, "current", variables=variables, origin_latitude=origin_latitude, origin_longitude=origin_longitude,
            origin_east=origin_east, origin_north=origin_north, start=start, dry=dry,
        )  # fmt: skip
        return with_table(cls, path, read, parameters)

    @classmethod
    @file_constructor
    def from_hec_ras(
        cls,
        path: str | Path,
        *,
        area: str | None = None,
        resolution: float | str | None = None,
        longest_edge: float | str | None = None,
        origin_east: float | str = 0.0,
        origin_north: float | str = 0.0,
        units: str | None = None,
        start: float | str = 0.0,
        dry: float | str = 0.0,
        **parameters: Any,
    ) -> CurrentField:
        """The block with the results of a two-dimensional HEC-RAS model; `parameters` are the others.

        Its HDF5 file has `FacePoints Coordinate` [n, 2], east and north, `Node X Vel` (to east) and `Node Y Vel` (to
        north) [time, n], and `Time` in days, which are found wherever they stand. `area` names the flow area, if there
        are several. US customary units are converted if the file says so, or `units="US"`; all else here is in metres.
        Times count from `start`, s or text such as "36 h", after the first result.

        The mesh has no order by which a place could be looked up at once, so it is brought onto a regular grid when it
        is read: straight within each triangle of Delaunay's triangulation of the points, at nodes with a distance of
        `resolution`, by default the mean distance of the points. Delaunay's triangles span bends: leave those out that
        have an edge longer than `longest_edge`, m. Outside of triangles, and where a value is no number, both
        components are `dry`, m/s.

        Raises ParameterError if the file cannot be read, or has another layout.
        """
        read = read_hec_ras(
            path, area=area, resolution=resolution, longest_edge=longest_edge, origin_east=origin_east,
            origin_north=origin_north, units=units, start=start, dry=dry, times=parameters.get("times"),
        )  # fmt: skip
        if "times" in parameters:
            del read["times"]  # which the file need not have
        return with_table(cls, path, read, parameters)

    @classmethod
    def from_file(cls, path: str | Path, **options: Any) -> CurrentField:
        """By the ending of the path: `from_netcdf` for .nc, `from_hec_ras` for .hdf, .h5 and .hdf5.

        Raises ParameterError for other endings, too.
        """
        return constructor_for(cls, path)(path, **options)
