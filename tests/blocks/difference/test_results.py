"""How far two results are apart: where, when, and whether that is too much."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr

from blocks import simulate
from blocks.basic import Sine
from blocks.diagram import Diagram
from blocks.difference import compare_results
from blocks.errors import ParameterError
from blocks.run.result import ResultError

Made = Callable[..., xr.Dataset]


@pytest.fixture
def made() -> Made:
    """A result with a pose and a depth over 11 s, to which something is added."""

    def make(eta: Any = 0.0, depth: Any = 0.0, times: Any = None, **further: Any) -> xr.Dataset:
        time = np.arange(11.0) if times is None else np.asarray(times)
        pose = np.column_stack([time, 2.0 * time, 0.1 * time]) + eta
        coords = {"time": time, "axis": ["x", "y", "psi"]}
        variables = {
            "vessel.eta": xr.DataArray(pose, dims=("time", "axis"), attrs={"units": "m m rad"}),
            "depth": xr.DataArray(3.0 + np.zeros(len(time)) + depth, dims="time", attrs={"units": "m"}),
        }
        return xr.Dataset(variables | further, coords=coords)

    return make


def one_off(row: int, column: int, by: float) -> np.ndarray:
    off = np.zeros((11, 3))
    off[row, column] = by
    return off


def test_the_worst_is_found_with_its_time_and_element(made: Made) -> None:
    found = compare_results(made(), made(eta=one_off(7, 1, 0.014)))
    assert not found
    (worst,) = found.beyond
    assert (worst.name, worst.unit, worst.time, worst.element) == ("vessel.eta", "m", 7.0, "y")
    assert worst.largest == pytest.approx(0.014)
    assert worst.relative == pytest.approx(0.014 / 20.0)
    assert (worst.beyond, worst.count) == (1, 33)
    assert found.summary == "the results differ: 1 of 2 signals at 11 times are further apart than they may be"
    assert (
        compare_results(made(), made()).summary == "the results agree: 2 signals at 11 times, 2 of them to the last bit"
    )


@pytest.mark.parametrize(
    ("tolerance", "relative", "agree"),
    [
        ((), 0.0, False),
        (0.02, 0.0, True),
        ("20 mm", 0.0, True),
        ("1 mm", 0.0, False),
        ("1 deg", 0.0, False),
        (["1 mm", "vessel.eta[y]=2 cm"], 0.0, True),
        (["vessel.eta[y]=2 cm", "1 mm"], 0.0, False),
        ("vessel.*=0.02", 0.0, True),
        ("depth=1", 0.0, False),
        ((), 0.001, True),
        ((), 0.0005, False),
    ],
)
def test_tolerances_hold_for_what_they_name_and_units_they_have(
    made: Made, tolerance: Any, relative: float, agree: bool
) -> None:
    found = compare_results(made(), made(eta=one_off(7, 1, 0.014)), tolerance=tolerance, relative=relative)
    assert bool(found) is agree


def test_angles_go_the_short_way_round_and_nan_is_nan(made: Made) -> None:
    assert compare_results(made(), made(eta=one_off(3, 2, 2 * np.pi)), tolerance=1e-9)
    gap = np.where(np.arange(11) == 4, np.nan, 0.0)
    assert compare_results(made(depth=gap), made(depth=gap))
    found = compare_results(made(), made(depth=gap), tolerance=1e9)
    assert [(one.name, one.largest, one.time, one.beyond) for one in found.beyond] == [("depth", np.inf, 4.0, 1)]


def test_what_only_one_has_and_other_forms_are_differences(made: Made) -> None:
    extra = xr.DataArray(np.zeros(11), dims="time", attrs={"units": "m"})
    found = compare_results(made(speed=extra), made(sped=extra, depth2=extra))
    assert (found.missing, found.further) == (("speed",), ("sped", "depth2"))
    assert not found
    feet = made()
    feet["depth"].attrs["units"] = "ft"
    assert compare_results(made(), feet).mismatched == ("depth",)
    assert compare_results(made(speed=extra), made(), signals=["vessel.*"])


def test_other_times_differ_unless_interpolated(made: Made) -> None:
    finer = made(times=np.linspace(0.0, 8.0, 17))
    found = compare_results(made(), finer)
    assert not found
    assert found.times == (
        "the times differ, 11 from 0 s to 10 s and 17 from 0 s to 8 s; interpolate compares at those of the first"
    )
    between = compare_results(made(), finer, interpolate=True, tolerance=1e-12)
    assert between
    assert between.points == 9
    shifted = compare_results(made(), made(times=np.arange(11.0) + np.where(np.arange(11) > 4, 0.01, 0)))
    assert "first at point 5: 5 s and 5.01 s" in shifted.times
    late = made(times=np.arange(11.0) + 100.0)
    assert "no time in common" in compare_results(made(), late, interpolate=True).times


@pytest.mark.parametrize(
    ("tolerance", "message"),
    [
        ("abc", "'abc' is no tolerance"),
        ("-1", "'-1' is no tolerance"),
        ("nan", "'nan' is no tolerance"),
        ("=1", "'=1' is no tolerance"),
        ("dept=1", "the tolerance of 'dept' is for no signal of both results; did you mean 'depth'"),
        ("depth=1 kg", "the tolerance '1 kg' fits no unit of depth"),
    ],
)
def test_a_tolerance_that_means_nothing_is_refused(made: Made, tolerance: str, message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        compare_results(made(), made(), tolerance=tolerance)


def test_members_of_a_swarm_are_elements_and_nothing_is_no_result(made: Made) -> None:
    fleet = xr.DataArray(np.zeros((2, 11)), dims=("member", "time"), attrs={"units": "m"})
    off = fleet.copy()
    off[1, 3] = 1.0
    (worst,) = compare_results(made(fleet=fleet), made(fleet=off)).beyond
    assert (worst.name, worst.element, worst.time) == ("fleet", "1", 3.0)
    poses = xr.DataArray(np.zeros((2, 11, 3)), dims=("member", "time", "axis"), attrs={"units": "m m rad"})
    turned = poses.copy()
    turned[1, 3, 2] = 2 * np.pi
    assert compare_results(made(poses=poses), made(poses=turned), tolerance=1e-9)
    with pytest.raises(ResultError, match="the second result holds no signal over time"):
        compare_results(made(), made()[["time"]])
    with pytest.raises(ResultError, match="the first result has no times"):
        compare_results(xr.Dataset({"rms": 1.0}), made())


def test_every_file_that_a_result_is_saved_as_reads_the_same(tmp_path: Path) -> None:
    diagram = Diagram()
    diagram.add("sine", Sine(amplitude=[1.0, 2.0]))
    result = simulate(diagram, 1.0, step=0.1)
    for ending in ("nc", "csv", "parquet"):
        path = result.save(tmp_path / f"result.{ending}")
        assert compare_results(result, path)
    (tmp_path / "broken.csv").write_text("a,b\n1,2\n")
    with pytest.raises(ResultError, match=r"broken.csv is no result: it has no column 'time \[s\]'"):
        compare_results(result, tmp_path / "broken.csv")
    (tmp_path / "broken.csv").write_text("time [s],b\n1,2\n")
    with pytest.raises(ResultError, match="its column 'b' is not named such as"):
        compare_results(result, tmp_path / "broken.csv")
    (tmp_path / "broken.parquet").write_bytes(b"PAR1 not")
    with pytest.raises(ResultError, match=r"broken.parquet is no table of a result, or it is damaged"):
        compare_results(result, tmp_path / "broken.parquet")
    with pytest.raises(ResultError, match="there is no result"):
        compare_results(result, tmp_path / "none.csv")
