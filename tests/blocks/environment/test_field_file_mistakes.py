"""Options of reading fields that make no sense, files that are empty or flat, and grids that are far from the run."""

from pathlib import Path

import h5py
import numpy as np
import pytest
import xarray as xr

from blocks.environment import CurrentField, WindField
from blocks.errors import ParameterError

HOURS = np.arange(3.0)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """A river without groups and without results, a bay over latitudes, one in metres, and a slice of wind."""
    folder = tmp_path_factory.mktemp("fields")
    for name, count in (("flat", 3), ("empty", 0)):
        with h5py.File(folder / f"{name}.hdf", "w") as file:
            file.attrs["Units System"] = [np.bytes_("US Customary")]
            file["FacePoints Coordinate"] = np.array([[0, 0], [9, 0], [0, 9], [9, 9]]) / 0.3048
            file["Node X Vel"] = np.outer(HOURS[:count], np.ones(4)) / 0.3048
            file["Node Y Vel"], file["Time"] = np.zeros((count, 4)), 5.0 + HOURS[:count] / 24.0
    square = np.ones((2, 2))
    degrees = {"lat": [53.5, 53.6], "lon": [8.1, 8.3]}
    xr.Dataset({"u": (("lat", "lon"), square), "v": (("lat", "lon"), square)}, degrees).to_netcdf(
        folder / "bay.nc", engine="h5netcdf"
    )
    metres = {"time": [0.0, 60.0], "y": [0.0, 5.0], "x": [0.0, 7.0]}
    flow = {name: (("time", "y", "x"), np.ones((2, 2, 2)), {"units": "m.s-1"}) for name in "uv"}
    plane = xr.Dataset(flow, metres)
    plane.to_netcdf(folder / "plane.nc", engine="h5netcdf")
    plane.isel(time=[]).to_netcdf(folder / "none.nc", engine="h5netcdf")
    plane.assign(u=plane["u"].astype(str)).to_netcdf(folder / "text.nc", engine="h5netcdf")
    plane["x"].attrs["standard_name"] = "grid_longitude"
    plane.to_netcdf(folder / "rotated.nc", engine="h5netcdf")
    (folder / "slice.csv").write_text("x,y,z,Ux,Uy,Uz\n0,0,2,1,1,0\n9,0,2,1,1,0\n0,9,2,1,1,0\n")
    (folder / "head.csv").write_text("x,y,z,Ux,Uy,Uz\n")
    (folder / "semicolons.csv").write_text("x;y;z;Ux;Uy;Uz\n0;0;2;1;1;0\n")
    return folder


def test_hec_ras_without_groups_and_from_a_later_start(folder):
    """Velocity to east h m/s after h hours, in feet: half an hour after the start at 1 h it is 1.5 m/s."""
    block = CurrentField.from_file(folder / "flat.hdf", start="1 h")
    assert block.times == pytest.approx([-3600.0, 0.0, 3600.0])
    found = block.evaluate(1800.0, eta=[4.0, 5.0, 0.0, 0.0, 0.0, 0.0]).outputs["current"]
    assert found == pytest.approx([0.0, 1.5, 0.0])
    assert block.x[-1] == pytest.approx(9.0)
    given = CurrentField.from_file(folder / "flat.hdf", times=["0 min", "1 min", "2 min"], dry="1 kn")
    assert given.times == pytest.approx([0.0, 60.0, 120.0])


NORTH_SEA = {"origin_latitude": "53.5 deg", "origin_longitude": "8.2 deg"}
BAY = r"bay.nc has latitudes from 53.5 to 53.6 and longitudes from 8.1 to 8.3 deg: "


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("flat.hdf", {"area": 3}, r"area must be the name of a flow area, not 3"),
        ("flat.hdf", {"area": "river"}, r"has its datasets in no group, and so no flow area 'river': leave area= out"),
        ("flat.hdf", {"units": ["US"]}, r"units must be one of 'SI', 'US', not \['US'\]"),
        ("flat.hdf", {"dry": "wet"}, r"dry: 'wet' is not a number with a unit"),
        ("flat.hdf", {"resolution": True}, r"resolution must be a number in m, not True"),
        ("flat.hdf", {"times": "noon"}, r"CurrentField.times: 'noon' is not a number with a unit"),
        ("flat.hdf", {"times": [0, 1, 2], "start": 1.0}, r"start is for the times of the file; with times= of"),
        ("empty.hdf", {}, r"'Node X Vel' is empty: it is \[0, 4\]; has the model been run\?"),
        ("bay.nc", NORTH_SEA | {"variables": 3}, r"variables must be two names, that to east first, not 3"),
        ("bay.nc", NORTH_SEA | {"variables": ["u", "u"]}, r"variables must be two names, .* not \['u', 'u'\]"),
        ("bay.nc", {"origin_latitude": 53.5, "origin_longitude": "8.2 deg"},
         r"origin_latitude must be within ±90 deg, not 3065.32 deg; in degrees it is '53.5 deg'"),
        ("bay.nc", {"origin_latitude": "53.5 deg", "origin_longitude": 4.0},
         BAY + r"the origin at 53.5, 229.183 deg is \d+ km away; plain numbers are in radians, degrees are given as"),
        ("bay.nc", NORTH_SEA | {"origin_east": 5.0}, BAY + "origin_east= and origin_north= are for grids in metres"),
        ("plane.nc", NORTH_SEA, r"has its grid in metres, to north from 0 to 5: .* not by latitude and longitude"),
        ("plane.nc", {"start": "2024-05-01"}, r"start must be in s, such as '2 h', for .* times without a date"),
        ("none.nc", {}, r"'u' is empty: it is time = 0, y = 2, x = 2"),
        ("text.nc", {}, r"'u' must hold numbers, not <U"),
        ("rotated.nc", {}, r"'x' is grid_longitude, of a rotated pole: bring the file onto latitudes"),
        (".", {}, r"fields\d* must end in .nc"),
    ],
)  # fmt: skip
def test_currents(folder, name, options, told):
    with pytest.raises(ParameterError, match=told):
        CurrentField.from_file(folder / name, **options)


@pytest.mark.parametrize("name", ["flat.hdf", "plane.nc"])
def test_damaged_files_are_told(folder, tmp_path, name):
    """A hole anywhere: it is either in no number that is read, or told; each kind has holes of both sorts."""
    content = (folder / name).read_bytes()
    told = 0
    for place in np.linspace(100, len(content) - 300, 12).astype(int):
        damaged = tmp_path / f"{place}{name}"
        damaged.write_bytes(content[:place] + bytes(200) + content[place + 200 :])
        try:
            CurrentField.from_file(damaged)
        except ParameterError as problem:
            told += f"{damaged} is not a" in str(problem)
    assert told >= 2


def test_folders_are_no_files(folder):
    for read in (CurrentField.from_hec_ras, CurrentField.from_netcdf, WindField.from_csv):
        with pytest.raises(ParameterError, match=r"fields\d* is a folder, not a"):
            read(Path(folder))


@pytest.mark.parametrize(
    ("name", "options", "told"),
    [
        ("slice.csv", {"height": 10.0}, r"has points at a height of 2 m only, but height= is 10 m"),
        ("slice.csv", {"height": "high"}, r"height: 'high' is not a number with a unit"),
        ("head.csv", {}, r"has no values under the line of column names"),
        ("semicolons.csv", {}, r"and has 'x;y;z;Ux;Uy;Uz'; between columns there must be commas"),
    ],
)
def test_winds(folder, name, options, told):
    with pytest.raises(ParameterError, match=told):
        WindField.from_file(folder / name, **options)


def test_times_of_zones_and_units_with_a_point(folder, recwarn):
    """11:00 in a zone two hours east of UTC is 09:00 UTC."""
    plane = xr.load_dataset(folder / "plane.nc", engine="h5netcdf", decode_timedelta=False)
    plane["time"].attrs["units"] = "seconds since 2024-05-01T09:00"
    plane.to_netcdf(folder / "dated.nc", engine="h5netcdf")
    block = CurrentField.from_netcdf(folder / "dated.nc", start="2024-05-01T11:00+02:00")
    assert block.times == pytest.approx([0.0, 60.0])
    assert not recwarn.list
    assert np.array_equal(block.north, np.ones((2, 1, 2, 2)))
    with pytest.raises(ParameterError, match=r"start must be a time such as '2024-05-01T12:00', not ''"):
        CurrentField.from_netcdf(folder / "dated.nc", start="")
