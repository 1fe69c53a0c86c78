"""Results: quantities with units, elements by name, and files that say the same."""

from __future__ import annotations

import sys

import numpy as np
import pytest
import xarray as xr

from blocks import Diagram, Input, Output, PythonBlock, Result, simulate
from blocks.basic import Constant, Gain, Sine, UnitDelay
from blocks.dynamics import Vessel6DOF
from blocks.run.result import ResultError
from blocks.signal import AnySignal, Length, Signal


@pytest.fixture
def result(make_sample) -> Result:
    """A vessel that moves, its position sampled, and a general signal of two elements."""
    diagram = Diagram()
    vessel: Vessel6DOF = diagram.add("vessel", make_sample("dynamics.Vessel6DOF"))
    diagram.add("force", Constant([5.0, 1.0, 0.0, 0.0, 0.0, 0.3]))
    diagram.add("gps", UnitDelay(period=0.1))
    diagram.add("pair", Sine([1.0, 2.0], 3.0))
    diagram.connect("force.y", "vessel.force")
    diagram.connect(vessel.eta[0:3], "gps.u")
    diagram.outputs(heading="vessel.eta[psi]")
    return simulate(diagram, 1.0, step=0.05, record=["vessel.*", "gps.y", "pair.y", "heading"])


# --- reading ---------------------------------------------------------------------------------------------------------


def test_values_are_bare_arrays(result):
    assert result.values("vessel.eta").shape == (21, 6)
    assert result.values("heading").shape == (21,)
    assert (len(result), "vessel.eta" in result, "x" in result) == (21, True, False)
    assert repr(result) == "<Result: 21 points of 10 quantities, end>"


def test_elements_by_name_and_number(result):
    eta = result.values("vessel.eta")
    for element, column in (("psi", 5), ("x", 0), ("0", 0), ("5", 5)):
        assert np.array_equal(result.values(f"vessel.eta[{element}]"), eta[:, column])
        np.testing.assert_array_equal(result[f"vessel.eta[{element}]"], eta[:, column])
    assert np.array_equal(result.values("pair.y[1]"), result.values("pair.y")[:, 1])
    np.testing.assert_array_equal(result["heading[0]"], eta[:, 5])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("vessel.etta", "'vessel.etta' was not recorded; did you mean 'vessel.eta'"),
        ("vessel.eta[yaw]", "vessel.eta has no element 'yaw'; valid: phi, psi, theta, x, y, z"),
        ("vessel.eta[6]", "vessel.eta has no element '6'"),
        ("vessel.eta[-1]", "vessel.eta has no element '-1'"),
        ("pair.y[2]", "pair.y has no element '2'; did you mean"),
        ("heading[1]", "heading has no element '1'"),
    ],
)
def test_what_is_not_there(result, name, said):
    for read in (result.values, result.__getitem__):
        with pytest.raises(ResultError) as problem:
            read(name)
        assert said.removesuffix("; did you mean") in str(problem.value)


def test_units_frames_and_descriptions(result):
    assert result["vessel.nu"].attrs["units"] == "m/s m/s m/s rad/s rad/s rad/s"
    assert result["heading"].attrs["units"] == "rad"
    assert result["gps.y"].attrs["units"] == "m", "taken over from what it samples"
    assert result["vessel.eta"].attrs["frame"] == "ned"
    assert result["vessel.nu"].attrs["long_name"].startswith("ν")
    assert result["pair.y"].attrs["units"] == "1"
    assert result.dataset.time.attrs["units"] == "s"
    assert result.element_units("vessel.eta") == ("m", "m", "m", "rad", "rad", "rad")


def test_labels_are_coordinates(result):
    assert result["vessel.eta"].sel(Pose_element="psi").values.tolist() == result.values("heading").tolist()
    assert list(result["vessel.restoring_force"].coords["Wrench_element"].values) == list("XYZKMN")


def test_quantities_with_part_of_the_labels_are_whole(result):
    """x, y and z of a pose and the whole pose stand in one data set, and no gaps are filled in."""
    dataset = result.dataset
    assert dataset["gps.y"].shape == (21, 3)
    assert dataset["vessel.eta"].shape == (21, 6)
    for name in result:
        np.testing.assert_array_equal(dataset[name].values, result.values(name))


class Names(PythonBlock, abstract=True):
    """Ports whose names are those that dimensions would have."""

    y = Output(Signal("Any", (2,)), feedthrough=False)
    y_element = Output(Length, feedthrough=False)
    table = Output(Signal("Table", (2, 3), "N s/m"), feedthrough=False)

    def outputs(self, t, states, inputs):
        return {"y": [t, 2 * t], "y_element": -t, "table": t * np.arange(6.0).reshape(2, 3)}


def test_names_of_dimensions_do_not_clash_with_quantities(tmp_path):
    diagram = Diagram()
    diagram.add("b", Names())
    result = simulate(diagram, 1.0, step=0.5)
    np.testing.assert_array_equal(result["b.y"][:, 1], [0.0, 1.0, 2.0])
    np.testing.assert_array_equal(result["b.y_element"], [0.0, -0.5, -1.0])
    np.testing.assert_array_equal(result["b.table"][2], np.arange(6.0).reshape(2, 3))
    loaded = Result.load(result.save(tmp_path / "names.nc"))
    xr.testing.assert_identical(loaded.dataset, result.dataset)
    again = Result.load(loaded.save(tmp_path / "again.nc"))
    assert again.places == loaded.places


# --- files -----------------------------------------------------------------------------------------------------------


def test_netcdf_holds_all_that_the_result_says(result, tmp_path):
    path = result.save(tmp_path / "run.nc")
    assert path == tmp_path / "run.nc"
    loaded = Result.load(path)
    xr.testing.assert_identical(loaded.dataset, result.dataset)
    assert loaded.attributes["solver"] == "rk4"
    assert loaded["vessel.eta"].attrs["units"] == "m m m rad rad rad"


def test_csv_has_units_in_its_header_and_every_digit(result, tmp_path):
    path = result.save(tmp_path / "run.csv")
    header = path.read_text(encoding="utf-8").splitlines()[0].split(",")
    assert header[0] == "time [s]"
    assert {"vessel.eta[psi] [rad]", "vessel.nu[u] [m/s]", "heading [rad]", "gps.y[x] [m]", "pair.y[1] [1]"} <= set(
        header
    )
    table = np.loadtxt(path, delimiter=",", skiprows=1)
    assert table.shape == (21, len(header))
    assert np.array_equal(table[:, 0], result.time)
    for name in ("vessel.eta", "vessel.acceleration", "pair.y"):
        columns = [i for i, text in enumerate(header) if text.startswith(f"{name}[")]
        assert np.array_equal(table[:, columns], result.values(name)), "to the last bit"


def test_parquet_needs_pyarrow_and_says_so(result, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ResultError, match=r"Parquet needs pyarrow: pip install 'keelblocks\[parquet\]'"):
        result.save(tmp_path / "run.parquet")
    assert list(tmp_path.iterdir()) == []


def test_parquet_round_trip(result, tmp_path):
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(result.save(tmp_path / "run.parquet"))
    assert np.array_equal(table["vessel.eta[psi] [rad]"].to_numpy(), result.values("heading"))


def test_folders_are_made_and_files_replaced(result, tmp_path):
    path = tmp_path / "deep" / "er" / "run.csv"
    path.parent.mkdir(parents=True)
    path.write_text("old")
    result.save(path)
    assert path.read_text().startswith("time [s],")
    assert [p.name for p in path.parent.iterdir()] == ["run.csv"]


@pytest.mark.parametrize("name", ["run.nc", "run.csv"])
def test_a_place_that_cannot_be_written_is_named(result, tmp_path, name):
    (tmp_path / "file").write_text("no folder")
    with pytest.raises(ResultError, match=r"cannot write .*file"):
        result.save(tmp_path / "file" / name)
    (tmp_path / name).mkdir()
    with pytest.raises(ResultError, match=rf"cannot write .*{name}"):
        result.save(tmp_path / name)


def test_an_ending_that_is_no_format(result, tmp_path):
    with pytest.raises(ResultError, match=r"run.xlsx: the ending must be one of .nc, .csv, .parquet"):
        result.save(tmp_path / "run.xlsx")


@pytest.mark.parametrize("content", [None, b"", b"not NetCDF", b"\x89HDF\r\n\x1a\n" + b"\0" * 100])
def test_a_file_that_is_no_result_is_refused(tmp_path, content):
    path = tmp_path / "run.nc"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ResultError, match=r"there is no result" if content is None else "is not a NetCDF result"):
        Result.load(path)


def test_a_result_that_is_missing_is_answered_by_its_neighbour(result, tmp_path):
    result.save(tmp_path / "drive.nc")
    with pytest.raises(ResultError, match=r"there is no result .*drve\.nc; did you mean 'drive\.nc'\?"):
        Result.load(tmp_path / "drve.nc")


def test_an_empty_record_can_be_saved(tmp_path):
    class Broken(PythonBlock, abstract=True):
        u = Input(AnySignal, default=0.0)
        y = Output(AnySignal)

        def outputs(self, t, states, inputs):
            raise ValueError("never")

    from blocks import RunStopped

    with pytest.raises(RunStopped) as stopped:
        simulate(Broken(), 1.0)
    partial = stopped.value.result
    loaded = Result.load(partial.save(tmp_path / "empty.nc"))
    assert (len(loaded), loaded.status) == (0, "failed")
    partial.save(tmp_path / "empty.csv")


def test_gains_have_no_unit_of_their_own():
    diagram = Diagram()
    diagram.add("one", Constant(1.0))
    diagram.add("gain", Gain())
    diagram.connect("one.y", "gain.u")
    assert simulate(diagram, 0.1).headers() == ["one.y [1]", "gain.y [1]"]
