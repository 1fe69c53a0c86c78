"""Fields from files: HEC-RAS, NetCDF and points in CSV, and what is said of files with another layout."""

import re

import h5py
import numpy as np
import pytest
import xarray as xr
from scipy.interpolate import LinearNDInterpolator

from blocks.environment import CurrentField, WindField
from blocks.errors import ParameterError

SERIES = "Results/Unsteady/Output/Output Blocks/Base Output/Unsteady Time Series"
POINTS = np.random.default_rng(3).uniform([500.0, 2000.0], [700.0, 2100.0], (80, 2))
POINTS = np.concatenate([POINTS, [[500.0, 2000.0], [700.0, 2000.0], [500.0, 2100.0], [700.0, 2100.0]]])
DAYS = np.array([2.0, 2.0 + 1.0 / 24.0, 2.0 + 1.0 / 12.0])


def east_flow(east, north, hours):
    return 0.5 + 0.001 * (east - 500.0) - 0.002 * (north - 2000.0) + 0.1 * hours


def velocities(points=POINTS):
    u = np.array([east_flow(*points.T, hours) for hours in (0.0, 1.0, 2.0)])
    return u, 0.3 - u


def hec_ras(path, areas=("river",), scale=1.0, **changes):
    """A file as HEC-RAS writes it; `changes` replace datasets by their last names, None leaves one out."""
    u, v = velocities()
    data = {"FacePoints Coordinate": POINTS * scale, "Node X Vel": u * scale, "Node Y Vel": v * scale, "Time": DAYS}
    data |= changes
    with h5py.File(path, "w") as file:
        if scale != 1.0:
            file.attrs["Units System"] = np.bytes_("US Customary")
        for area in areas:
            for name, values in data.items():
                folder = "Geometry" if name.startswith("Face") else SERIES
                target = f"{SERIES}/Time" if name == "Time" else f"{folder}/2D Flow Areas/{area}/{name}"
                if values is not None and target not in file:
                    file[target] = values
    return path


def at(block, t, x, y):
    (velocity,) = block.evaluate(t, eta=[x, y, 0.0, 0.0, 0.0, 0.0]).outputs.values()
    return velocity


def test_hec_ras_x_is_east_and_y_is_north(tmp_path):
    """A flow that is linear in place and time comes through triangles, grid and kernel as it is."""
    block = CurrentField.from_hec_ras(
        hec_ras(tmp_path / "a.hdf"), resolution="9 m", origin_east=600.0, origin_north=2000.0
    )
    for t, x, y in [(0.0, 50.0, 0.0), (1800.0, 10.0, -90.0), (7200.0, 99.0, 73.0), (5000.0, 0.0, 100.0)]:
        u = east_flow(600.0 + y, 2000.0 + x, t / 3600.0)
        assert at(block, t, x, y) == pytest.approx([0.3 - u, u, 0.0], abs=1e-6)
    assert block.x[[0, -1]] == pytest.approx([0.0, 100.0])
    assert block.y[[0, -1]] == pytest.approx([-100.0, 100.0])
    assert np.diff(block.y).max() <= 9.0


def test_the_edge_of_a_mesh_is_not_lost_to_rounding(tmp_path):
    """Coordinates of 1.8e6 m are rounded to 2e-10 m, by which a straight edge becomes a jagged one."""
    east, north = np.meshgrid(406000.1 + 3.3 * np.arange(12), 1805000.7 + 1.7 * np.arange(20))
    points = np.c_[east.ravel(), north.ravel()]
    points += np.random.default_rng(1).choice([-2.4e-10, 0.0, 2.4e-10], points.shape)
    ones = np.ones((1, len(points)))
    changes = {"FacePoints Coordinate": points, "Node X Vel": ones, "Node Y Vel": ones, "Time": np.zeros(1)}
    for resolution in (0.7, 1.1, 3.3):
        block = CurrentField.from_hec_ras(hec_ras(tmp_path / f"{resolution}.hdf", **changes), resolution=resolution)
        assert block.north == pytest.approx(np.ones(block.north.shape))


def test_between_points_it_is_what_scipy_gives(tmp_path):
    u = np.random.default_rng(8).normal(size=(3, len(POINTS)))
    block = CurrentField.from_hec_ras(hec_ras(tmp_path / "a.hdf", **{"Node X Vel": u}), resolution=7.0)
    inner = np.stack(np.meshgrid(block.y, block.x), axis=-1)[1:-1, 1:-1]
    oracle = LinearNDInterpolator(POINTS, u.T)(inner)
    assert block.east[:, 0, 1:-1, 1:-1] == pytest.approx(np.moveaxis(oracle, -1, 0), abs=1e-6)  # nodes are moved a hair


def test_the_ending_of_a_file_says_what_it_is(tmp_path):
    river = CurrentField.from_file(hec_ras(tmp_path / "a.hdf"), resolution=20.0)
    assert np.array_equal(river.north, CurrentField.from_hec_ras(tmp_path / "a.hdf", resolution=20.0).north)
    assert CurrentField.from_file(saved(tmp_path, grid())).x[0] == 40.0
    assert WindField.from_file(table(tmp_path / "a.csv", "x,y,z,Ux,Uy,Uz", [10.0])).y[-1] == 40.0
    with pytest.raises(ParameterError, match=r"field.txt must end in \.nc .*, not \.txt"):
        CurrentField.from_file("field.txt")
    with pytest.raises(ParameterError, match=r"must end in \.nc .* or \.csv .*, not nothing"):
        WindField.from_file("field")


def test_us_customary_units_are_converted(tmp_path):
    feet = CurrentField.from_hec_ras(hec_ras(tmp_path / "feet.hdf", scale=1.0 / 0.3048), resolution=20.0)
    assert at(feet, 0.0, 2050.0, 600.0) == pytest.approx([0.3 - east_flow(600.0, 2050.0, 0.0), 0.5, 0.0], abs=1e-6)


def test_dry_nodes_and_what_no_triangle_covers_are_dry(tmp_path):
    u = velocities()[0]
    u[:, -1] = np.nan
    block = CurrentField.from_hec_ras(hec_ras(tmp_path / "a.hdf", **{"Node X Vel": u}), dry=0.25)
    assert at(block, 0.0, 2100.0, 700.0) == pytest.approx([0.25, 0.25, 0.0])
    path = hec_ras(tmp_path / "b.hdf")
    narrow = CurrentField.from_hec_ras(path, longest_edge=40.0, dry=7.0)
    wide = CurrentField.from_hec_ras(path)
    left_out = narrow.north == 7.0
    assert 0.02 < left_out.mean() < 0.6
    assert np.array_equal(narrow.north[~left_out], wide.north[~left_out])
    with pytest.raises(ParameterError, match=r"no triangle of points has all edges below longest_edge: try \d"):
        CurrentField.from_hec_ras(path, longest_edge=0.1)


def test_a_flow_area_is_chosen_by_name(tmp_path):
    path = hec_ras(tmp_path / "two.hdf", areas=("river", "lake"))
    with pytest.raises(ParameterError, match=re.escape("has several flow areas; choose one by area=: 'lake', 'river'")):
        CurrentField.from_hec_ras(path)
    with pytest.raises(ParameterError, match=r"no flow area 'rivr'; did you mean 'river'.*; it has 'lake', 'river'"):
        CurrentField.from_hec_ras(path, area="rivr")
    assert at(CurrentField.from_hec_ras(path, area="lake"), 0.0, 2000.0, 500.0)[1] == pytest.approx(0.5, abs=1e-6)


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        (
            {"Node X Vel": None},
            r"has no dataset 'Node X Vel'.*; HEC-RAS results have 'FacePoints Coordinate' \[n, 2\], .* and here is "
            r"'Geometry/2D Flow Areas/river/FacePoints Coordinate', .*Node Y Vel'",
        ),
        ({"Node X Vel": velocities()[0].T}, r"\[time, n\] with n = 84 .*, not \[84, 3\]; it seems to be transposed"),
        ({"FacePoints Coordinate": POINTS.T}, r"must be \[n, 2\], east and north, not \[2, 84\]"),
        ({"Node Y Vel": velocities()[1][:2]}, r"'Node X Vel' has 3 times and 'Node Y Vel' 2"),
        ({"Time": DAYS[[0, 2, 1]]}, r"times must increase, but \[1\] is 7200 and \[2\] is 3600"),
        ({"Time": DAYS[:2]}, r"Time' must have an entry for each of the 3 results, not \[2\]"),
        ({"Time": None}, r"has 3 results, but no dataset 'Time' that says when; give times=\[…\] in s"),
        ({"Node X Vel": np.full((3, 84), np.nan)}, r"has no velocity that is a number"),
        ({"FacePoints Coordinate": np.outer(np.arange(84.0), [1.0, 2.0])}, "the 84 points span no area"),
    ],
)
def test_another_layout_of_hec_ras_is_told(tmp_path, changes, told):
    with pytest.raises(ParameterError, match=told):
        CurrentField.from_hec_ras(hec_ras(tmp_path / "a.hdf", **changes))


def test_files_that_are_none_are_told(tmp_path):
    (tmp_path / "text.hdf").write_text("no numbers")
    for read in (CurrentField.from_hec_ras, CurrentField.from_netcdf, WindField.from_csv):
        with pytest.raises(ParameterError, match=r"there is no file .*none\.x"):
            read(tmp_path / "none.x")
    with pytest.raises(ParameterError, match="is not an HDF5 file"):
        CurrentField.from_hec_ras(tmp_path / "text.hdf")
    with pytest.raises(ParameterError, match="is not a NetCDF file"):
        CurrentField.from_netcdf(tmp_path / "text.hdf")
    with pytest.raises(ParameterError, match=r"units must be one of 'SI', 'US', not 'feet'"):
        CurrentField.from_hec_ras(tmp_path / "text.hdf", units="feet")
    with pytest.raises(ParameterError, match="nodes with 6 values each, too many; take a coarser one"):
        CurrentField.from_hec_ras(hec_ras(tmp_path / "a.hdf"), resolution=0.01)


EASTING, NORTHING = np.array([100.0, 110.0, 130.0]), np.array([50.0, 40.0])
SECONDS, LEVELS = np.array([0.0, 60.0]), np.array([0.0, 5.0])


def grid(**changes):
    """A data set over time, depth, y and x, with y running down as in images."""
    t, z, y, x = np.meshgrid(SECONDS, LEVELS, NORTHING, EASTING, indexing="ij")
    u = 0.1 + 0.01 * x - 0.002 * y + 0.003 * t - 0.02 * z
    dims = ("time", "depth", "y", "x")
    data = {"u": (dims, u), "v": (dims, 1.0 - u)}
    dataset = xr.Dataset(data, {"time": SECONDS, "depth": LEVELS, "y": NORTHING, "x": EASTING})
    return dataset.assign(changes)


def saved(tmp_path, dataset):
    dataset.to_netcdf(tmp_path / "field.nc", engine="h5netcdf")
    return tmp_path / "field.nc"


def expected(t, z, x, y):
    u = 0.1 + 0.01 * (y + 100.0) - 0.002 * (x + 40.0) + 0.003 * t - 0.02 * z
    return [1.0 - u, u, 0.0]


def test_netcdf_is_read_by_names_in_any_order_of_dimensions(tmp_path):
    for dataset in (grid(), grid().transpose("x", "depth", "y", "time")):
        block = CurrentField.from_netcdf(saved(tmp_path, dataset), origin_east=100.0, origin_north="40 m")
        for t, z, x, y in [(0.0, 0.0, 0.0, 0.0), (20.0, 3.0, 4.0, 17.0), (60.0, 5.0, 10.0, 30.0)]:
            found = block.evaluate(t, eta=[x, y, z, 0.0, 0.0, 0.0]).outputs["current"]
            assert found == pytest.approx(expected(t, z, x, y), abs=1e-13)


def test_netcdf_is_read_by_standard_names_and_units(tmp_path):
    dataset = grid().rename(u="a", v="b", x="i", y="j", time="n").isel(depth=0, drop=True)
    dataset["a"].attrs = {"standard_name": "eastward_sea_water_velocity", "units": "cm s-1"}
    dataset["b"].attrs = {"standard_name": "northward_sea_water_velocity", "units": "cm s-1"}
    dataset["i"].attrs = {"standard_name": "projection_x_coordinate", "units": "km"}
    dataset["j"].attrs = {"axis": "Y", "units": "km"}
    dataset["n"].attrs = {"axis": "T", "units": "minutes since 2024-05-01T12:00"}
    block = CurrentField.from_netcdf(saved(tmp_path, dataset), start="2024-05-01T12:30")
    assert block.times == pytest.approx([-1800.0, 1800.0])
    assert block.x == pytest.approx([40e3, 50e3])
    assert at(block, -1800.0, 40e3, 100e3)[1] == pytest.approx(0.01 * (0.1 + 1.0 - 0.08))


def test_latitudes_and_longitudes_become_metres(tmp_path):
    """Against the lengths of a minute of arc at 60° N: 1857.1 m of latitude, 930.0 m of longitude (WGS-84)."""
    dataset = grid().isel(time=0, depth=0, drop=True).rename(x="lon", y="lat")
    dataset = dataset.assign_coords(lat=[60.0 + 1 / 60, 60.0], lon=[359.99, 360.0, 360.0 + 1 / 60])
    dataset["lat"].attrs["units"] = "degrees_north"
    path = saved(tmp_path, dataset)
    block = CurrentField.from_netcdf(path, origin_latitude="60 deg", origin_longitude="0 deg")
    assert block.x == pytest.approx([0.0, 1857.1], abs=0.3)
    assert block.y[1:] == pytest.approx([0.0, 930.0], abs=0.3)
    with pytest.raises(ParameterError, match=r"latitudes from 60 to 60\.0167 .* by origin_latitude= and"):
        CurrentField.from_netcdf(path)


def test_missing_values_are_dry(tmp_path):
    dataset = grid()
    dataset["v"].values[:, :, 0, 2] = np.nan
    block = CurrentField.from_netcdf(saved(tmp_path, dataset), dry=0.5)
    assert np.array_equal(at(block, 0.0, 50.0, 130.0), [0.5, 0.5, 0.0])
    assert np.isfinite(block.north).all()


@pytest.mark.parametrize(
    ("dataset", "told"),
    [
        (grid().rename(u="speed"), r"has no velocity of the current .* it has 'speed', 'v'.*variables=\(east, north\)"),
        (grid().rename(x="cells"), r"'u' has no dimension to east, such as 'x' or 'lon': it has 'time', 'depth', 'y'"),
        (grid().drop_vars("y"), r"the dimension 'y' has no values: a variable 'y' is missing"),
        (grid().isel(time=[1, 0]), r"time must increase, but \[0\] is 0 and \[1\] is -60"),
        (grid().assign_coords(x=[100.0, 130.0, 110.0]), r"y must increase, but \[1\] is 130 and \[2\] is 110"),
        (grid(v=grid()["v"].isel(depth=0)), r"'v' must have the dimensions 'time', 'depth', 'y', 'x', not"),
        (grid(v=grid()["v"].assign_attrs(units="kg")), r"units of 'v' are 'kg', which are not those of m/s"),
    ],
)
def test_another_layout_of_netcdf_is_told(tmp_path, dataset, told):
    with pytest.raises(ParameterError, match=told):
        CurrentField.from_netcdf(saved(tmp_path, dataset))


def test_a_wind_has_one_height(tmp_path):
    path = saved(tmp_path, grid())
    with pytest.raises(ParameterError, match="has the wind at 2 heights or levels"):
        WindField.from_netcdf(path, variables=("u", "v"))
    level = saved(tmp_path, grid().isel(depth=0, drop=True).rename(u="u10", v="v10"))
    wind = WindField.from_netcdf(level, origin_east=100.0, origin_north=40.0)
    assert at(wind, 30.0, 4.0, 10.0) == pytest.approx(expected(30.0, 0.0, 4.0, 10.0), abs=1e-13)
    with pytest.raises(ParameterError, match=r"no variable 'u1'; did you mean 'u10'.*; it has 'u10', 'v10'"):
        WindField.from_netcdf(level, variables=("u1", "v10"))


def table(path, columns, heights):
    """East, north, up; the wind is linear in all three."""
    e, n, z = (axis.ravel() for axis in np.meshgrid(np.linspace(0, 40, 5), np.linspace(0, 20, 3), heights))
    u, v = 2.0 + 0.1 * e + 0.05 * n + 0.2 * z, 1.0 - 0.1 * n
    np.savetxt(path, np.c_[e, n, z, u, v, 0.0 * u, u], delimiter=",", header=f"{columns},p", comments="")
    return path


@pytest.mark.parametrize("columns", ["Points:0,Points:1,Points:2,U:0,U:1,U:2", "x,y,z,Ux,Uy,Uz"])
def test_points_of_a_slice_and_of_a_volume(tmp_path, columns):
    flat = WindField.from_csv(table(tmp_path / "a.csv", columns, [10.0]), resolution=7.0, origin_north=10.0)
    assert at(flat, 0.0, 3.0, 22.0) == pytest.approx([1.0 - 1.3, 2.0 + 2.2 + 0.65 + 2.0, 0.0])
    volume = WindField.from_csv(table(tmp_path / "b.csv", columns, [0.0, 5.0, 20.0]), height="8 m")
    assert at(volume, 0.0, 13.0, 22.0) == pytest.approx([1.0 - 1.3, 2.0 + 2.2 + 0.65 + 1.6, 0.0])


def test_axes_north_east_down(tmp_path):
    turned = WindField.from_csv(table(tmp_path / "a.csv", "x,y,z,Ux,Uy,Uz", [-10.0]), axes="ned")
    assert at(turned, 0.0, 22.0, 13.0) == pytest.approx([2.0 + 2.2 + 0.65 - 2.0, 1.0 - 1.3, 0.0])


def test_another_layout_of_points_is_told(tmp_path):
    path = table(tmp_path / "a.csv", "x,y,z,u,v,w", [10.0])
    with pytest.raises(ParameterError) as told:
        WindField.from_csv(path)
    assert str(told.value) == (
        f"{path} must have the columns Points:0,Points:1,Points:2,U:0,U:1,U:2 or x,y,z,Ux,Uy,Uz, and has 'x', 'y', "
        f"'z', 'u', 'v', 'w', 'p'"
    )
    volume = table(tmp_path / "b.csv", "x,y,z,Ux,Uy,Uz", [0.0, 5.0])
    with pytest.raises(ParameterError, match="has points at heights from 0 to 5 m: choose one by height="):
        WindField.from_csv(volume)
    with pytest.raises(ParameterError, match="from 0 to 5 m, but height= is 9 m"):
        WindField.from_csv(volume, height=9.0)
    (tmp_path / "c.csv").write_text("x,y,z,Ux,Uy,Uz\n0,0,1,2,3,4\n1,0,1,high,3,4\n0,1,1,2,3,4\n")
    with pytest.raises(ParameterError, match="Ux must be a number in every line, not 'high'"):
        WindField.from_csv(tmp_path / "c.csv")
