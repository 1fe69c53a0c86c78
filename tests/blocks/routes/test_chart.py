"""Charts and depths from files, and what is said of those that are none."""

import json

import numpy as np
import pytest
import xarray as xr

from blocks.errors import ParameterError
from blocks.navigation import GeodeticPosition
from blocks.routes import Chart, Feature, RouteError, Soundings, find_route


def written(path, features, **top):
    path.write_text(json.dumps({"type": "FeatureCollection", "features": features, **top}))
    return path


def feature(shape, coordinates, **properties):
    return {"type": "Feature", "properties": properties, "geometry": {"type": shape, "coordinates": coordinates}}


def test_geojson_by_longitude_and_latitude_is_laid_out_from_its_origin(tmp_path) -> None:
    """To the east by N cos φ Δλ: 6.8675 m for 1e-4° at 52°."""
    ring = [[4.3718, 52.0014], [4.3719, 52.0014], [4.3719, 52.0015], [4.3718, 52.0014]]
    path = written(tmp_path / "a.geojson", [feature("MultiPolygon", [[ring]], kind="land", name="quay")])
    chart = Chart.from_geojson(path, ("52.0014 deg", "4.3718 deg"))
    (quay,) = chart.features
    assert quay.points[0] == pytest.approx([0.0, 0.0], abs=1e-6)
    assert quay.points[1] == pytest.approx([0.0, 6.8675], abs=2e-4)
    assert chart.place(("52.0015 deg", "4.3719 deg")) == pytest.approx(quay.points[2], abs=1e-6)
    assert isinstance(Chart.from_geojson(path).origin, GeodeticPosition)


def test_what_is_wrong_with_a_chart_is_said(tmp_path) -> None:
    metres = written(tmp_path / "m.geojson", [feature("Point", [900.0, 20.0])])
    with pytest.raises(ParameterError, match=r'900, 20 is no longitude and latitude in deg; .* "units": "m"'):
        Chart.from_geojson(metres)
    wrong = written(tmp_path / "k.geojson", [feature("Point", [9.0, 2.0], kind="lend")], units="m")
    with pytest.raises(ParameterError, match=r"feature 1: .*kind of a feature is one of .*not 'lend'; did you mean"):
        Chart.from_geojson(wrong)
    listed = written(tmp_path / "l.geojson", [feature("Point", [9.0, 2.0], kind=["land"])], units="m")
    with pytest.raises(ParameterError, match=r"kind of a feature is one of .*not \['land'\]"):
        Chart.from_geojson(listed)
    for text, words in (
        ("{", "not GeoJSON"),
        ('{"type": "Topology"}', "geometry must be one of"),
        ("[1]", "not GeoJSON"),
        ('{"type": "LineString", "coordinates": []}', "coordinates of a line are missing"),
        ('{"type": "Polygon", "coordinates": [[]]}', "coordinates of a polygon are missing"),
    ):
        (tmp_path / "b.geojson").write_text(text)
        with pytest.raises(ParameterError, match=words):
            Chart.load(tmp_path / "b.geojson")
    with pytest.raises(ParameterError, match=r"there is no file"):
        Chart.load(tmp_path / "none.geojson")
    with pytest.raises(ParameterError, match=r"at least 3 points are needed, and there are 2"):
        Feature(np.eye(2), "land")
    with pytest.raises(ParameterError, match=r"one area of water"):
        Chart([Feature(np.eye(3)[:, :2], "water"), Feature(np.eye(3)[:, :2], "water")])
    with pytest.raises(ParameterError, match=r"the chart has no origin"):
        Chart().place(("52 deg", "4 deg"))


def test_points_lines_holes_and_depth_areas_have_their_distances() -> None:
    chart = Chart()
    chart.add([[0, 0]], shape="point", radius=2.0)
    chart.add([[0, 20], [10, 20]], shape="line", radius=1.0)
    square = np.array([[-1, -1], [-1, 1], [1, 1], [1, -1]])
    chart.add(100.0 + 10.0 * square, "land", holes=(100.0 + 4.0 * square,))
    chart.add(-100.0 + 10.0 * square, "depth_area", depth=1.0)
    route = find_route(chart, [30, 0], [60, 0], speed=1.0, margin=1.0, draught=2.0)
    found = route.clearance_at([[5, 0], [5, 10], [5, 20.5], [100, 100], [100, 105], [-100, -95]])
    assert found == pytest.approx([3.0, 9.0, -0.5, 4.0, -1.0, -5.0])
    light = find_route(chart, [30, 0], [60, 0], speed=1.0, margin=1.0, draught=0.5)
    assert light.clearance_at([[-100, -95]])[0] > 100.0


def test_depths_are_read_whatever_way_is_up(tmp_path) -> None:
    x, y = np.arange(0.0, 30.0, 10.0), np.arange(0.0, 40.0, 10.0)
    depth = 1.0 + np.arange(12.0).reshape(3, 4)
    grid = xr.Dataset({"elevation": (("y", "x"), -depth[::-1])}, {"y": x[::-1] + 500.0, "x": y})
    grid.to_netcdf(tmp_path / "d.nc", engine="h5netcdf")
    read = Soundings.from_netcdf(tmp_path / "d.nc", origin_north=500.0)
    np.testing.assert_allclose(read.x, x)
    np.testing.assert_allclose(read.depth, depth)
    rows = [f"{e},{n},{1 + n + 0.5 * e}" for n in x for e in y]
    (tmp_path / "d.csv").write_text("\n".join(["east,north,depth", *rows]))
    points = Soundings.from_csv(tmp_path / "d.csv")
    assert points.at(np.array([[15.0, 12.0]]))[0] == pytest.approx(22.0, rel=1e-6)
    (tmp_path / "e.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ParameterError, match=r"must have the columns east,north,depth"):
        Soundings.from_csv(tmp_path / "e.csv")
    with pytest.raises(ParameterError, match=r"charts are .geojson or .json, depths .nc or .csv"):
        Chart.load(tmp_path / "d.txt")


def test_swapped_latitude_and_longitude_are_told(tmp_path) -> None:
    ring = [[52.001, 4.4], [52.001, 4.402], [52.002, 4.402], [52.001, 4.4]]  # GeoJSON wants longitude first
    (tmp_path / "c.geojson").write_text(json.dumps({"type": "Polygon", "coordinates": [ring]}))
    chart = Chart.load(tmp_path / "c.geojson")
    with pytest.raises(RouteError, match=r"the start is \d+ km from all that is charted: are latitude and longitude"):
        find_route(chart, ["52 deg", "4.401 deg"], ["52.003 deg", "4.401 deg"], speed=1.0, margin=5.0)
