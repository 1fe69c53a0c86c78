"""Files of force transfer functions: what is in them comes out, in the library's conventions, or a clear message."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import xarray as xr
from numpy.typing import NDArray

from blocks.environment import WaveForceRAO, WaveLoad
from blocks.errors import ParameterError

Array = NDArray[np.float64]

DOFS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
OMEGAS = np.array([0.5, 1.0, 2.0])
HALF, TURN = np.radians([0.0, 60.0, 120.0, 180.0]), np.radians([0.0, 90.0, 180.0, 270.0])
LOAD = WaveLoad(length=2.4, breadth=0.9, areas=[0.15, 0.5, 1.8], yaw_moment="corners")


@pytest.fixture(params=["half", "turn"])
def table(request: pytest.FixtureRequest) -> WaveForceRAO:
    headings = HALF if request.param == "half" else TURN
    random = np.random.default_rng(1)
    drift = random.normal(size=(3, 3, 4))
    drift[1:, :, [0, -1]] *= request.param == "turn"
    return WaveForceRAO.from_load(LOAD, OMEGAS, headings, mean_drift=drift)


def rows(table: WaveForceRAO, drift: bool = True) -> list[str]:
    """The lines of a CSV file, those of one load with a number instead of a name."""
    lines = ["heading_deg, omega_rad_per_s, dof, amplitude, phase_deg, remark" + ", drift" * drift]
    for (d, dof), (i, omega), (j, heading) in itertools.product(
        enumerate(DOFS), enumerate(table.frequencies), enumerate(table.headings)
    ):
        slow = {0: 0, 1: 1, 5: 2}.get(d)
        given = "" if slow is None else f"{table.mean_drift[slow, i, j]:.17g}"
        amplitude, phase = table.amplitude[d, i, j], np.degrees(table.phase[d, i, j])
        name = dof if d != 3 else "4"
        lines.append(f"{np.degrees(heading):.15g},{omega},{name},{amplitude:.17g},{phase:.17g},x" + f",{given}" * drift)
    return lines


def write(path: Path, lines: list[str]) -> Path:
    path.write_text("# from a tank\n" + "\n".join(lines) + "\n", encoding="utf-8")
    return path


def assert_equal_tables(got: WaveForceRAO, expected: WaveForceRAO) -> None:
    assert got.frequencies == pytest.approx(expected.frequencies)
    assert got.headings == pytest.approx(expected.headings)
    one, other = (t.amplitude * np.exp(1j * np.asarray(t.phase)) for t in (got, expected))
    assert one == pytest.approx(other, rel=1e-12, abs=1e-9)
    assert got.mean_drift == pytest.approx(expected.mean_drift)


def test_a_csv_file_is_read_whatever_the_order_of_its_lines(table: WaveForceRAO, tmp_path: Path) -> None:
    head, *body = rows(table)
    np.random.default_rng(3).shuffle(body)
    assert_equal_tables(WaveForceRAO.from_file(write(tmp_path / "hull.csv", [head, *body])), table)


def test_drift_may_be_left_out_and_parameters_given(table: WaveForceRAO, tmp_path: Path) -> None:
    path = write(tmp_path / "hull.csv", rows(table, drift=False))
    assert not np.any(WaveForceRAO.from_file(path).mean_drift)
    assert_equal_tables(WaveForceRAO.from_file(path, mean_drift=table.mean_drift), table)


def test_periods_and_radians_do_too(table: WaveForceRAO, tmp_path: Path) -> None:
    head, *body = rows(table)
    cells = [line.split(",") for line in body]
    for cell in cells:
        cell[1] = f"{2.0 * np.pi / float(cell[1]):.17g}"
        cell[0], cell[4] = (f"{np.radians(float(cell[k])):.17g}" for k in (0, 4))
    head = head.replace("_deg", "_rad").replace("omega_rad_per_s", "period_s")
    path = write(tmp_path / "hull.csv", [head, *(",".join(cell) for cell in cells)])
    assert_equal_tables(WaveForceRAO.from_file(path), table)


def dataset(table: WaveForceRAO) -> xr.Dataset:
    slow = np.full((6, len(table.frequencies), len(table.headings)), np.nan)
    slow[[0, 1, 5]] = table.mean_drift
    dims = ("dof", "omega", "heading")
    return xr.Dataset(
        {"amplitude": (dims, table.amplitude), "phase": (dims, table.phase), "drift": (dims, slow)},
        coords={"dof": list(DOFS), "omega": table.frequencies, "heading": table.headings},
    )


def test_a_netcdf_file_is_read_with_its_units(table: WaveForceRAO, tmp_path: Path) -> None:
    plain = dataset(table)
    plain.to_netcdf(tmp_path / "plain.nc", engine="h5netcdf")
    assert_equal_tables(WaveForceRAO.from_file(tmp_path / "plain.nc"), table)
    other = plain.transpose("heading", "dof", "omega").assign_coords(
        heading=("heading", np.degrees(table.headings), {"units": "degrees"}),
        dof=np.arange(1, 7),
        omega=("omega", table.frequencies * 60.0, {"units": "rad/min"}),
    )
    other["phase"] = np.degrees(other["phase"])
    other["phase"].attrs["units"] = "deg"
    for name, unit in (("amplitude", "kN/m"), ("drift", "kN/m^2")):  # and kN·m/m, kN·m/m² for moments
        other[name] = (0.001 * other[name]).assign_attrs(units=unit)
    other.to_netcdf(tmp_path / "other.nc", engine="h5netcdf")
    assert_equal_tables(WaveForceRAO.from_file(tmp_path / "other.nc"), table)


def upward(table: WaveForceRAO) -> list[str]:
    """The same hull in a file with axes forward, port, up, headings counterclockwise, and phases as leads.

    Written from the picture: at each heading of the file, the wave that travels to the mirrored direction, and the
    axes of sway, heave, pitch and yaw point the other way.
    """
    axes = np.array([1.0, -1.0, -1.0, 1.0, -1.0, -1.0])
    lines = ["dof,omega_rad_per_s,heading_deg,amplitude,phase_deg,drift"]
    for omega in table.frequencies:
        for heading in table.headings:
            k = omega**2 / 9.81
            column = [[omega], [k * np.cos(-heading)], [k * np.sin(-heading)], [k], [1.0]]
            still = WaveForceRAO(**(table.values | {"mean_drift": 0.0}))
            real, imaginary = (
                still.evaluate(waves=[*column, [eps], [0.0]], eta=np.zeros(6)).outputs["disturbance"]
                for eps in (0.0, -0.5 * np.pi)
            )
            response = axes * (real + 1j * imaginary)
            slow = axes * table.evaluate(waves=[*column, [0.0], [0.0]], eta=np.zeros(6)).outputs["drift"]
            for d, dof in enumerate(DOFS):
                phase = -np.degrees(np.angle(response[d]))
                lines.append(f"{dof},{omega},{np.degrees(heading)},{abs(response[d])},{phase},{slow[d]}")
    return lines


def test_tables_with_axes_up_and_leads_come_to_the_same_loads(table: WaveForceRAO, tmp_path: Path) -> None:
    path = write(tmp_path / "up.csv", upward(table))
    got = WaveForceRAO.from_file(path, axes="up", phases="lead")
    random = np.random.default_rng(4)
    for _ in range(12):
        omega, mu, eps = random.uniform([0.5, -4.0, 0.0], [2.0, 4.0, 6.0])
        k = omega**2 / 9.81
        sea = [[omega], [k * np.cos(mu)], [k * np.sin(mu)], [k], [0.4], [eps], [0.0]]
        one, other = (t.evaluate(waves=sea, eta=np.zeros(6)).outputs for t in (got, table))
        for name in ("disturbance", "drift"):
            assert one[name] == pytest.approx(other[name], rel=1e-9, abs=1e-9 * np.abs(other["disturbance"]).max())


# --- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda lines: [lines[0].replace("dof", "axis"), *lines[1:]],
            r"hull\.csv has no column 'dof'; it has heading_deg, omega_rad_per_s, axis, amplitude",
        ),
        (
            lambda lines: [lines[0].replace("phase_deg", "phase_degree"), *lines[1:]],
            r"has no column 'phase_deg' \(or phase_rad\); did you mean 'phase_degree'",
        ),
        (lambda lines: lines[:-1], r"hull\.csv has no amplitude of yaw at 2 rad/s and 180 deg"),
        (lambda lines: [*lines, lines[7]], r"hull\.csv has surge at 1 rad/s and 120 deg twice, .* line 75"),
        (
            lambda lines: [line for line in lines if ",heave," not in line],
            r"hull\.csv has no dof 'heave'; it has .*surge",
        ),
        (
            lambda lines: [*lines[:-1], lines[-1].replace("180,", "north,", 1)],
            r"hull\.csv, line 74: heading_deg must be a number, not north",
        ),
        (
            lambda lines: [*lines[:-1], lines[-1].rpartition(",x")[0]],
            r"hull\.csv has no drift of yaw at 2 rad/s and 180",
        ),
        (lambda lines: [*lines, "1,2,3,4,5,6,7,8,9"], r"hull\.csv cannot be read as a table: .*line 75, saw 9"),
        (
            lambda lines: [lines[0], *(f"{line},7" for line in lines[1:])],
            r"line 3 and others have more values than there",
        ),
        (lambda lines: [], r"hull\.csv is empty; it must begin with the names of columns: dof, "),
        (lambda lines: lines[:1], r"hull\.csv has names of columns, but no lines below them"),
        (lambda lines: [lines[0].replace(",", ";"), "1;2"], r"no column 'dof'; between columns there must be commas"),
        (
            lambda lines: [*lines[:1], lines[1].replace("surge", "surg"), *lines[2:]],
            r"hull\.csv, line 3: there is no dof 'surg'; did you mean 'surge'",
        ),
        (lambda lines: [*lines, "0,0.5,surge,inf,0,x,0"], r"line 75: amplitude must be a number, not inf"),
        (lambda lines: [*lines, f"{10**400},0.5,surge,1,0,x,0"], r"line 75: heading_deg must be a number, not 1000"),
        (lambda lines: [*lines, "0,0.5,surge,,0,x,0"], r"line 75: amplitude must be a number, not nothing"),
        (
            lambda lines: [lines[0], "0,0.5,surge,-3,0,x,0", *lines[2:]],
            r"amplitude of surge at 0\.5 rad/s and 0 deg must be ≥ 0, not -3; .* half a turn of phase",
        ),
        (
            lambda lines: [lines[0].replace("omega_rad_per_s", "period_s"), lines[1].replace("0.5", "0"), *lines[2:]],
            r"line 3: period_s must be > 0, not 0",
        ),
        (
            lambda lines: [f"{lines[0]}, phase_rad", f"{lines[1]}, 1", *(f"{line}, 1" for line in lines[2:])],
            r"line 3: phase_deg and phase_rad contradict each other",
        ),
        (
            lambda lines: [line for line in lines if not line.startswith("180,")],
            r"hull\.csv: WaveForceRAO\.headings do not close: between 120 and 360 deg",
        ),
    ],
)
def test_files_that_are_no_tables_are_refused(change: Any, message: str, tmp_path: Path) -> None:
    lines = rows(WaveForceRAO.from_load(LOAD, OMEGAS, HALF, mean_drift=np.zeros((3, 3, 4))))
    path = write(tmp_path / "hull.csv", change(lines))
    with pytest.raises(ParameterError, match=message):
        WaveForceRAO.from_file(path)


def test_netcdf_files_that_are_no_tables_are_refused(tmp_path: Path) -> None:
    whole = dataset(WaveForceRAO.from_load(LOAD, OMEGAS, HALF, mean_drift=np.zeros((3, 3, 4))))
    bad = whole.assign_coords(heading=("heading", HALF, {"units": "kg"}))
    heavy = whole.assign(amplitude=whole["amplitude"].assign_attrs(units="kg"))
    for name, content, message in (
        ("short", whole.drop_vars("phase"), r"short\.nc has no variable 'phase'"),
        ("units", bad, r"units\.nc: units of heading must be rad, or a multiple of it, not 'kg'"),
        (
            "turned",
            whole.assign(phase=100.0 + whole["phase"]),
            r"turned\.nc: phase has no units and goes to 10\d.*'deg'",
        ),
        ("heavy", heavy, r"heavy\.nc: units of amplitude must be N/m or N, or a multiple of it, not 'kg'"),
        ("point", whole.isel(omega=0), r"point\.nc: omega must be a coordinate along a dimension of its own"),
        ("text", whole.assign_coords(omega=["a", "b", "c"]), r"text\.nc: omega must be real numbers, not .*U1"),
        ("twice", whole.isel(dof=[0, 0, 1, 2, 3, 4, 5]), r"twice\.nc has dof 'surge' twice; it has surge, surge"),
        (
            "flat",
            whole.assign(phase=whole["phase"].isel(heading=0, drop=True)),
            r"phase must have the dimensions dof, omega",
        ),
    ):
        content.to_netcdf(tmp_path / f"{name}.nc", engine="h5netcdf")
        with pytest.raises(ParameterError, match=message):
            WaveForceRAO.from_file(tmp_path / f"{name}.nc")
    (tmp_path / "words.nc").write_text("no table")
    with pytest.raises(ParameterError, match=r"words\.nc is not a NetCDF table"):
        WaveForceRAO.from_file(tmp_path / "words.nc")


def test_what_is_not_there_or_not_known_is_named(tmp_path: Path) -> None:
    for name in ("none.csv", "none.nc"):
        with pytest.raises(ParameterError, match=rf"there is no table .*{name}"):
            WaveForceRAO.from_file(tmp_path / name)
    with pytest.raises(ParameterError, match=r"axes must be one of 'down', 'up', not 'left'"):
        WaveForceRAO.from_file("hull.csv", axes="left")
    with pytest.raises(ParameterError, match=r"phases must be one of 'lag', 'lead', not 'late'"):
        WaveForceRAO.from_file("hull.csv", phases="late")
