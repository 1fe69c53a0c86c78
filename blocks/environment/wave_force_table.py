"""Tables of force transfer functions: read from files, brought to the conventions of the library, or tabulated."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.block import Block
from blocks.environment.regular_wave import RegularWave
from blocks.errors import ParameterError, did_you_mean
from blocks.units import to_unit

if TYPE_CHECKING:
    import xarray as xr

Array = NDArray[np.float64]

DOFS = ("surge", "sway", "heave", "roll", "pitch", "yaw")
LATERAL = (1, 3, 5)
"""Sway, roll, yaw: what reverses when waves come from the other side."""
AXES, PHASES = ("down", "up"), ("lag", "lead")

_DIMENSIONS = ("dof", "omega", "heading")
_SLOW = ("surge", "sway", "yaw")
_UNITS = {"omega": "rad/s", "heading": "rad", "phase": "rad"}
_COLUMNS = {
    "dof": ("dof",),
    "omega": ("omega_rad_per_s", "period_s"),
    "heading": ("heading_deg", "heading_rad"),
    "amplitude": ("amplitude",),
    "phase": ("phase_deg", "phase_rad"),
}


def covers_half(headings: ArrayLike) -> bool:
    """Whether headings go from 0 to π, so that the hull's sides are alike."""
    ends = np.asarray(headings, dtype=np.float64)[[0, -1]]
    return bool(np.all(np.abs(ends - [0.0, np.pi]) < 1e-6))


def read_wave_force_table(path: str | Path, *, axes: str = "down", phases: str = "lag") -> dict[str, Array]:
    """The parameters of a `WaveForceRAO` from a file: frequencies, headings, amplitude, phase and mean_drift.

    **CSV**: a line of column names, then a line for each load, frequency and heading, in any order; lines that begin
    with # are left out. `dof`: surge, sway, heave, roll, pitch, yaw; `omega_rad_per_s` or `period_s`; `heading_deg` or
    `heading_rad`; `amplitude`, N/m or N·m/m; `phase_deg` or `phase_rad`; and, if there is one, `drift`, N/m² or
    N·m/m², in the lines of surge, sway and yaw.

    **NetCDF** (.nc): variables `amplitude`, `phase` and, if there is one, `drift` over the dimensions dof, omega and
    heading, with coordinates of the same name; omega, heading and phase may have an attribute `units`, SI otherwise.

    With `axes="up"` the axes of the file are forward, port, up and its headings counterclockwise; with `phases="lead"`
    its loads are a |H| cos(ωt + φ).

    Raises ParameterError if the file cannot be read, something is missing or given twice, or a value is no number.
    """
    for name, value, known in (("axes", axes, AXES), ("phases", phases, PHASES)):
        if value not in known:
            raise ParameterError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")
    dataset = _from_netcdf(path) if Path(path).suffix == ".nc" else _from_csv(path)
    table = _parameters(dataset, path)
    if phases == "lead":
        table["phase"] = -table["phase"]
    return _downward(table) if axes == "up" else table


def _from_netcdf(path: str | Path) -> xr.Dataset:
    """A data set in SI."""
    import xarray as xr

    try:
        with xr.open_dataset(path, engine="h5netcdf") as opened:
            dataset: xr.Dataset = opened.load()
    except FileNotFoundError:
        raise ParameterError(f"there is no table {path}") from None
    except (OSError, ValueError) as problem:
        raise ParameterError(f"{path} is not a NetCDF table: {problem}") from None
    for name in (*_DIMENSIONS, "amplitude", "phase"):
        if name not in dataset.variables:
            raise ParameterError(f"{path} has no variable '{name}'{did_you_mean(name, map(str, dataset.variables))}")
    for name, unit in _UNITS.items():
        given = str(dataset[name].attrs.get("units", unit))
        try:
            factor = to_unit(f"1 {given}", unit)
        except ParameterError as problem:
            raise ParameterError(f"{path}: units of {name}: {problem}") from None
        dataset[name] = dataset[name] * factor
    return dataset


def _from_csv(path: str | Path) -> xr.Dataset:
    """A data set in SI."""
    import pandas as pd

    try:
        frame = pd.read_csv(path, comment="#", skipinitialspace=True, index_col=False, encoding="utf-8-sig")
    except FileNotFoundError:
        raise ParameterError(f"there is no table {path}") from None
    except (OSError, ValueError) as problem:
        raise ParameterError(f"{path} cannot be read as a table: {problem}") from None
    frame.columns = pd.Index([str(name).strip() for name in frame.columns])
    columns = {}
    for target, names in _COLUMNS.items():
        found = [name for name in names if name in frame]
        if not found:
            also = "".join(f" (or {name})" for name in names[1:])
            raise ParameterError(f"{path} has no column '{names[0]}'{also}{did_you_mean(names[0], frame.columns)}")
        columns[target] = frame[found[0]] if target == "dof" else _numbers(frame[found[0]], path)
        if found[0] == "period_s":
            columns[target] = 2.0 * np.pi / columns[target]
        elif found[0].endswith("_deg"):
            columns[target] = np.radians(columns[target])
    if "drift" in frame:
        columns["drift"] = _numbers(frame["drift"], path, empty=True)
    table = pd.DataFrame(columns)
    table["dof"] = [str(dof).strip() for dof in table["dof"]]
    twice = table[table.duplicated(list(_DIMENSIONS))]
    if len(twice):
        raise ParameterError(f"{path} has {_place(*twice.iloc[0][list(_DIMENSIONS)])} twice")
    dataset: xr.Dataset = table.set_index(list(_DIMENSIONS)).to_xarray()
    return dataset


def _numbers(column: Any, path: str | Path, empty: bool = False) -> Any:
    """A column of numbers; raises ParameterError at the first that is none."""
    import pandas as pd

    numbers = pd.to_numeric(column, errors="coerce")
    bad = column[numbers.isna() & ~(column.isna() & empty)]
    if len(bad):
        given = "nothing" if bad.isna().iloc[0] else repr(bad.iloc[0])
        raise ParameterError(f"{path}: {column.name} must be a number, not {given}")
    return numbers


def _place(dof: Any, omega: float, heading: float) -> str:
    return f"{dof} at {omega:g} rad/s and {np.degrees(heading):g} deg"


def _parameters(dataset: xr.Dataset, path: str | Path) -> dict[str, Array]:
    """Parameters from a data set; raises ParameterError where something is missing."""
    given = [str(dof).strip() for dof in dataset["dof"].values]
    names = [DOFS[int(dof) - 1] if dof in "123456" and len(dof) == 1 else dof.lower() for dof in given]
    for wanted in DOFS:
        if wanted not in names:
            raise ParameterError(f"{path} has no dof '{wanted}'{did_you_mean(wanted, given)}")
    dataset = dataset.assign_coords(dof=names).sortby(["omega", "heading"])
    values: dict[str, Array] = {}
    for name, dofs in (("amplitude", DOFS), ("phase", DOFS), ("drift", _SLOW)):
        if name == "drift" and name not in dataset:
            continue
        array = dataset[name]
        if set(array.dims) != set(_DIMENSIONS):
            given_dims = ", ".join(map(str, array.dims))
            raise ParameterError(f"{path}: {name} must have the dimensions {', '.join(_DIMENSIONS)}, not {given_dims}")
        chosen = array.transpose(*_DIMENSIONS).sel(dof=list(dofs))
        values[name] = np.asarray(chosen.values, dtype=np.float64)
        missing = np.argwhere(~np.isfinite(values[name]))
        if len(missing):
            d, i, j = missing[0]
            where = _place(dofs[d], float(dataset["omega"][i]), float(dataset["heading"][j]))
            raise ParameterError(f"{path} has no {name} of {where}")
    return {
        "frequencies": dataset["omega"].values.astype(np.float64),
        "headings": dataset["heading"].values.astype(np.float64),
        "amplitude": values["amplitude"],
        "phase": values["phase"],
    } | ({"mean_drift": values["drift"]} if "drift" in values else {})


def _downward(table: dict[str, Array]) -> dict[str, Array]:
    """From axes forward, port, up to forward, starboard, down: half a turn about the x-axis.

    Y, Z, M and N reverse, and headings run the other way. Those from 0 to π go back by the mirror image of the hull,
    in which Y, K and N reverse once more.
    """
    reversed_ = {1, 2, 4, 5}
    if covers_half(table["headings"]):
        reversed_ ^= set(LATERAL)
        order = slice(None)
    else:
        order = slice(None, None, -1)
        table["headings"] = -table["headings"][order]
    turn = np.array([np.pi if d in reversed_ else 0.0 for d in range(6)])
    table["amplitude"] = table["amplitude"][:, :, order]
    table["phase"] = table["phase"][:, :, order] + turn[:, None, None]
    if "mean_drift" in table:
        signs = np.array([-1.0 if d in reversed_ else 1.0 for d in (0, 1, 5)])
        table["mean_drift"] = table["mean_drift"][:, :, order] * signs[:, None, None]
    return table


def tabulate(load: Block, frequencies: ArrayLike, headings: ArrayLike, depth: float) -> dict[str, Array]:
    """The parameters of a `WaveForceRAO` from the answers of a load to single waves; see `WaveForceRAO.from_load`."""
    from blocks.plan import make_plan

    for ports, name in ((load.input_ports, "waves"), (load.input_ports, "eta"), (load.output_ports, "disturbance")):
        if name not in ports:
            raise ParameterError(f"{load!r} is no load of waves: it has no port '{name}'{did_you_mean(name, ports)}")
    omegas, angles = (np.array(values, dtype=np.float64, ndmin=1) for values in (frequencies, headings))
    if not np.all(omegas > 0.0):
        raise ParameterError(f"frequencies must be > 0 rad/s, not {np.min(omegas):g}")
    wave = RegularWave(1.0, 1.0, depth=depth)
    source, answer = make_plan(wave), make_plan(load, input_shapes={"waves": (7, 1)})
    sea, engine = source.engine(), answer.engine()
    sea.initialise(0.0)
    own = source.flat.leaves[0].name
    (column,) = source.outputs.values()
    period, direction = (source.parameters[f"{own}.{name}"].first for name in ("period", "direction"))
    phase = source.parameters[f"{own}.phase"].first
    into, out = answer.inputs["waves"].slice, answer.outputs[f"{answer.flat.leaves[0].name}.disturbance"].slice
    response = np.zeros((6, len(omegas), len(angles)), dtype=complex)
    for i, omega in enumerate(omegas):
        for j, angle in enumerate(angles):
            # θ = 0 gives the real part of H e^{iθ}, θ = -π/2 the imaginary part of H
            for part, theta in ((1.0, 0.0), (1j, -0.5 * np.pi)):
                sea.values[[period, direction, phase]] = 2.0 * np.pi / omega, angle, theta
                sea.parameters_changed()
                sea.refresh()
                engine.values[into] = sea.values[column.slice]
                engine.initialise(0.0)
                engine.values[into] = sea.values[column.slice]
                engine.look(0.0)
                response[:, i, j] += part * engine.values[out]
    return {
        "frequencies": omegas,
        "headings": angles,
        "amplitude": np.abs(response),
        "phase": np.angle(response),
    }
