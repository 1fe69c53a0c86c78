"""Tables of force transfer functions: read from files, brought to the conventions of the library, or tabulated."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from io import StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from blocks.binary.limits import Unreadable
from blocks.binary.netcdf import read_netcdf
from blocks.block import Block
from blocks.environment.headings import DOFS, LATERAL, UNWRAPPED, covers_half
from blocks.environment.regular_wave import RegularWave
from blocks.errors import ParameterError, did_you_mean
from blocks.files.csv_numbers import to_the_last_bit
from blocks.files.tables import check_lines
from blocks.model.declare import Parameter
from blocks.units import to_unit
from cython_kernels import elementary

if TYPE_CHECKING:
    import pandas as pd
    import xarray as xr

Array = NDArray[np.float64]

SLOW = ("surge", "sway", "yaw")
"""What drifts."""
AXES, PHASES = ("down", "up"), ("lag", "lead")

_DIMENSIONS = ("dof", "omega", "heading")
_UNITS = {
    "omega": ("rad/s",),
    "heading": ("rad",),
    "phase": ("rad",),
    "amplitude": ("N/m", "N"),
    "drift": ("N/m^2", "N/m"),
}
"""What the units in a NetCDF file may be, times a factor. A moment per metre is in N, and one factor goes for both."""
_COLUMNS = {
    "dof": ("dof",),
    "omega": ("omega_rad_per_s", "period_s"),
    "heading": ("heading_deg", "heading_rad"),
    "amplitude": ("amplitude",),
    "phase": ("phase_deg", "phase_rad"),
}
_FREQUENCIES = Parameter(shape=("m",), unit="rad/s", above=0.0)
_HEADINGS = Parameter(shape=("k",), unit="rad")


def read_wave_force_table(path: str | Path, *, axes: str = "down", phases: str = "lag") -> dict[str, Array]:
    """The parameters of a `WaveForceRAO` from a file: frequencies, headings, amplitude, phase and mean_drift.

    **CSV**: a line of column names, then a line for each load, frequency and heading, in any order; lines that begin
    with # are left out. `dof`: surge, sway, heave, roll, pitch, yaw; `omega_rad_per_s` or `period_s`; `heading_deg` or
    `heading_rad`; `amplitude`, N/m or N·m/m; `phase_deg` or `phase_rad`; and, if there is one, `drift`, N/m² or
    N·m/m², in the lines of surge, sway and yaw.

    **NetCDF** (.nc): variables `amplitude`, `phase` and, if there is one, `drift` over the dimensions dof, omega and
    heading, with coordinates of the same name. What has an attribute `units` is converted, other numbers are in SI; the
    units of `amplitude` are those of forces, such as kN/m, and moments have the same times m. Phases beyond 4π must say
    their unit.

    With `axes="up"` the axes of the file are forward, port, up and its headings counterclockwise; with `phases="lead"`
    its loads are a |H| cos(ωt + φ).

    Raises ParameterError if the file cannot be read, something is missing or given twice, a value is no number, or a
    unit does not fit.
    """
    return read_response_table(path, axes, phases, _UNITS)


def read_response_table(
    path: str | Path, axes: str, phases: str, units: Mapping[str, tuple[str, ...]]
) -> dict[str, Array]:
    """A table of responses in six degrees of freedom; see `read_wave_force_table`."""
    for name, value, known in (("axes", axes, AXES), ("phases", phases, PHASES)):
        if value not in known:
            raise ParameterError(f"{name} must be one of {', '.join(map(repr, known))}, not {value!r}")
    dataset = _from_netcdf(path, units) if Path(path).suffix == ".nc" else _from_csv(path)
    table = _parameters(dataset, path)
    if phases == "lead":
        table["phase"] = -table["phase"]
    return _downward(table) if axes == "up" else table


def _from_netcdf(path: str | Path, units: Mapping[str, tuple[str, ...]]) -> xr.Dataset:
    """A data set in SI."""
    try:
        dataset: xr.Dataset = read_netcdf(path)
    except FileNotFoundError:
        raise ParameterError(f"there is no table {path}") from None
    except OSError as problem:
        raise ParameterError(f"{path} cannot be read as a table: {problem.strerror or problem}") from None
    except Unreadable as problem:
        raise ParameterError(f"{path} is not a NetCDF table: {problem}") from None
    for name in (*_DIMENSIONS, "amplitude", "phase"):
        if name not in dataset.variables:
            raise ParameterError(f"{path} has no variable '{name}'{_instead(name, map(str, dataset.variables))}")
    for name in _DIMENSIONS:
        if dataset[name].dims != (name,):
            raise ParameterError(f"{path}: {name} must be a coordinate along a dimension of its own")
    for name, known in units.items():
        if name in dataset:
            if dataset[name].dtype.kind not in "iuf":
                raise ParameterError(f"{path}: {name} must be real numbers, not of the type {dataset[name].dtype}")
            if name == "phase" and "units" not in dataset[name].attrs:
                _check_radians(dataset[name].values, path)
            dataset[name] = dataset[name] * _factor(dataset[name].attrs.get("units"), known, f"{path}: units of {name}")
    named: xr.Dataset = dataset.assign_coords(dof=[_dof(dof, str(path)) for dof in dataset["dof"].values])
    return named


def _check_radians(phases: Array, path: str | Path) -> None:
    """Raise ParameterError where numbers without a unit are degrees as likely as radians."""
    most = float(np.max(np.abs(phases), initial=0.0, where=np.isfinite(phases)))
    if most > UNWRAPPED:
        raise ParameterError(
            f"{path}: phase has no units and goes to {most:g}: are they degrees? Say so by its attribute units, 'deg', "
            f"or 'rad' if they are radians of several turns"
        )


def _factor(given: Any, units: tuple[str, ...], where: str) -> float:
    """How many of one of these SI units the given one is."""
    if given is None:
        return 1.0
    for unit in units:
        try:
            return to_unit(f"1 {given}", unit)
        except ParameterError:
            pass
    raise ParameterError(f"{where} must be {' or '.join(units)}, or a multiple of it, not '{given}'")


def _instead(wanted: str, there: Any) -> str:
    """The end of a message about a name that is missing: one that is near, or all that are there."""
    names = list(there)
    near = did_you_mean(wanted, names)
    return near if near.startswith("; did") else f"; it has {', '.join(names) or 'none'}"


def _from_csv(path: str | Path) -> xr.Dataset:
    """A data set in SI."""
    import pandas as pd

    frame = _read_csv(path)
    columns: dict[str, Any] = {"dof": _column(frame, "dof", path)}
    columns["dof"] = [_dof(dof, f"{path}, line {line}") for line, dof in columns["dof"].items()]
    for target in list(_COLUMNS)[1:]:
        columns[target] = _column(frame, target, path)
    if "drift" in frame:
        columns["drift"] = _numbers(frame["drift"], path, empty=True)
    table = pd.DataFrame(columns, index=frame.index)
    twice = table[table.duplicated(list(_DIMENSIONS))]
    if len(twice):
        place = _place(*twice.iloc[0][list(_DIMENSIONS)])
        raise ParameterError(f"{path} has {place} twice, the second time in line {twice.index[0]}")
    dataset: xr.Dataset = table.set_index(list(_DIMENSIONS)).to_xarray()
    return dataset


def _read_csv(path: str | Path) -> pd.DataFrame:
    """The file as it is; its index is the number of the line."""
    import pandas as pd

    try:
        text = Path(path).read_text(encoding="utf-8-sig")
        lines = [number for number, line in enumerate(text.splitlines(), 1) if line.partition("#")[0].strip()]
        if not lines:
            raise ParameterError(f"{path} is empty; it must begin with the names of columns: dof, omega_rad_per_s, ...")
        check_lines(text.splitlines())
        with warnings.catch_warnings():
            warnings.simplefilter("error", pd.errors.ParserWarning)
            frame = pd.read_csv(
                StringIO(text), comment="#", skipinitialspace=True, index_col=False, **to_the_last_bit()
            )
    except FileNotFoundError:
        raise ParameterError(f"there is no table {path}") from None
    except pd.errors.ParserWarning:
        raise ParameterError(f"{path}: line {lines[1]} and others have more values than there are columns") from None
    except OSError as problem:
        raise ParameterError(f"{path} cannot be read as a table: {problem.strerror or problem}") from None
    except ParameterError:
        raise
    except ValueError as problem:
        said = str(problem).rpartition("C error: ")[2].strip()
        raise ParameterError(f"{path} cannot be read as a table: {said}") from None
    if not len(frame):
        raise ParameterError(f"{path} has names of columns, but no lines below them")
    frame.columns = pd.Index([str(name).strip() for name in frame.columns])
    frame.index = pd.Index(lines[1 : len(frame) + 1])
    return frame.dropna(how="all")


def _column(frame: pd.DataFrame, target: str, path: str | Path) -> Any:
    """What is wanted, from the column or the columns that have it, in SI."""
    names = _COLUMNS[target]
    found = [name for name in names if name in frame]
    if not found:
        also = "".join(f" (or {name})" for name in names[1:])
        alone = "; between columns there must be commas" if len(frame.columns) == 1 else ""
        raise ParameterError(f"{path} has no column '{names[0]}'{also}{alone or _instead(names[0], frame.columns)}")
    if target == "dof":
        return frame[found[0]]
    values = [_in_si(_numbers(frame[name], path), path) for name in found]
    apart = ~np.isclose(values[0], values[-1], rtol=1e-3, atol=1e-3)
    if np.any(apart):
        raise ParameterError(f"{path}, line {frame.index[apart][0]}: {found[0]} and {found[1]} contradict each other")
    return values[0]


def _in_si(column: Any, path: str | Path) -> Any:
    """Frequencies from periods, radians from degrees."""
    if column.name == "period_s":
        bad = column[column <= 0.0]
        if len(bad):
            raise ParameterError(f"{path}, line {bad.index[0]}: period_s must be > 0, not {bad.iloc[0]:g}")
        return 2.0 * np.pi / column
    return np.radians(column) if str(column.name).endswith("_deg") else column


def _numbers(column: Any, path: str | Path, empty: bool = False) -> Any:
    """A column of numbers; raises ParameterError at the first that is not a number."""
    import pandas as pd

    try:
        numbers = pd.to_numeric(column, errors="coerce")
    except OverflowError:  # whole numbers of hundreds of digits
        numbers = pd.to_numeric(column.astype(str), errors="coerce")
    bad = column[~np.isfinite(numbers) & ~(column.isna() & empty)]
    if len(bad):
        given = "nothing" if bad.isna().iloc[0] else str(bad.iloc[0])
        raise ParameterError(f"{path}, line {bad.index[0]}: {column.name} must be a number, not {given}")
    return numbers


def _dof(given: Any, where: str) -> str:
    """Its name, from the name or a number from 1."""
    name = str(given).strip().lower()
    if len(name) == 1 and name in "123456":
        return DOFS[int(name) - 1]
    if name not in DOFS:
        raise ParameterError(f"{where}: there is no dof '{given}'{did_you_mean(name, DOFS)}")
    return name


def _place(dof: Any, omega: float, heading: float) -> str:
    return f"{dof} at {omega:g} rad/s and {np.degrees(heading):g} deg"


def _parameters(dataset: xr.Dataset, path: str | Path) -> dict[str, Array]:
    """Parameters from a data set; raises ParameterError where something is missing."""
    given = [str(dof) for dof in dataset["dof"].values]
    for wanted in DOFS:
        if given.count(wanted) != 1:
            often = f"dof '{wanted}' twice" if wanted in given else f"no dof '{wanted}'"
            raise ParameterError(f"{path} has {often}; it has {', '.join(given)}")
    dataset = dataset.sortby(["omega", "heading"])
    values: dict[str, Array] = {}
    for name, dofs in (("amplitude", DOFS), ("phase", DOFS), ("drift", SLOW)):
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
        negative = np.argwhere(values[name] < 0.0)
        if name == "amplitude" and len(negative):
            d, i, j = negative[0]
            where = _place(dofs[d], float(dataset["omega"][i]), float(dataset["heading"][j]))
            raise ParameterError(
                f"{path}: the amplitude of {where} must be ≥ 0, not {values[name][d, i, j]:g}; what reverses a load is "
                f"half a turn of phase"
            )
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
    return tabulated(
        load, frequencies, headings, depth, "disturbance", "from_load", "a load of waves, such as a WaveLoad"
    )


def tabulated(
    load: Block,
    frequencies: ArrayLike,
    headings: ArrayLike,
    depth: float,
    output: str,
    caller: str,
    wanted: str,
    velocity: ArrayLike | None = None,
) -> dict[str, Array]:
    """The answers of an output to single waves of unit amplitude, as amplitude and phase over six degrees of freedom.

    With a `velocity` the block has that for its input `nu`.
    """
    from blocks.plan import make_plan

    if not isinstance(load, Block):
        raise ParameterError(f"{caller} wants {wanted}, not {load!r}")
    needed = [(load.input_ports, "waves"), (load.input_ports, "eta"), (load.output_ports, output)]
    needed += [] if velocity is None else [(load.input_ports, "nu")]
    for ports, name in needed:
        if name not in ports:
            raise ParameterError(
                f"{load!r} is no {wanted[2:].partition(',')[0]}: it has no port '{name}'{did_you_mean(name, ports)}"
            )
    omegas = np.atleast_1d(_FREQUENCIES.read(frequencies, f"{caller}: frequencies")).astype(np.float64)
    angles = np.atleast_1d(_HEADINGS.read(headings, f"{caller}: headings")).astype(np.float64)
    wave = RegularWave(1.0, 1.0, depth=depth)
    source, answer = make_plan(wave), make_plan(load, input_shapes={"waves": (7, 1)})
    sea, engine = source.engine(), answer.engine()
    sea.initialise(0.0)
    own = source.flat.leaves[0].name
    (column,) = source.outputs.values()
    period, direction = (source.parameters[f"{own}.{name}"].first for name in ("period", "direction"))
    phase = source.parameters[f"{own}.phase"].first
    into, out = answer.inputs["waves"].slice, answer.outputs[f"{answer.flat.leaves[0].name}.{output}"].slice
    response = np.zeros((2, 6, len(omegas), len(angles)))
    for i, omega in enumerate(omegas):
        for j, angle in enumerate(angles):
            # θ = 0 gives the real part of H e^{iθ}, θ = -π/2 the imaginary part of H
            for part, theta in enumerate((0.0, -0.5 * np.pi)):
                sea.values[[period, direction, phase]] = 2.0 * np.pi / omega, angle, theta
                sea.parameters_changed()
                sea.refresh()
                engine.values[into] = sea.values[column.slice]
                engine.initialise(0.0)
                engine.values[into] = sea.values[column.slice]
                if velocity is not None:
                    engine.values[answer.inputs["nu"].slice] = velocity
                engine.look(0.0)
                response[part, :, i, j] = engine.values[out]
    real, imaginary = response
    return {
        "frequencies": omegas,
        "headings": angles,
        "amplitude": np.sqrt(real * real + imaginary * imaginary),
        "phase": elementary.atan2(imaginary, real),
    }
