"""Results of Capytaine, as it writes them itself: a data set, or NetCDF of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import xarray as xr

from blocks.hydro.dataset import FORCES, assemble
from blocks.hydro.dofs import DOFS, FROM_UP, Array, Complex, signed_load, signed_matrix
from blocks.hydro.errors import HydroError
from blocks.hydro.files import joined
from blocks.hydro.motions import with_known_rao
from blocks.hydro.readers.waves import check_phases, once_around, to_starboard, turned_headings

_MATRIX = ("influenced_dof", "radiating_dof")


def from_capytaine(dataset: xr.Dataset, *, name: str = "Capytaine's data") -> xr.Dataset:
    """Capytaine's own data of one rigid body as hydrodynamic data: turned from axes forward, port, up.

    dataset: what `fill_dataset` or `assemble_dataset` gave, or what `read_netcdf` reads of `export_dataset`, with
    rotations about a point in the waterline. Motions are computed where inertia, stiffness and excitation are there.

    Raises HydroError if a degree of freedom is missing, or there are several depths, speeds or bodies.
    """
    for needed in ("added_mass", "radiation_damping"):
        if needed not in dataset:
            raise HydroError(f"{name} has no {needed}; it has {', '.join(map(str, dataset.data_vars))}")
    for dimension in ("influenced_dof", "radiating_dof"):
        missing = [dof for dof in DOFS if dof not in dataset[dimension].values]
        if missing:
            raise HydroError(f"{name} has no {dimension} {', '.join(missing)}: one rigid body with all six is read")
    omega: Array = np.atleast_1d(dataset["omega"].values.astype(np.float64))
    beta: Array = np.atleast_1d(dataset["wave_direction"].values) if "wave_direction" in dataset.coords else np.empty(0)
    kept = once_around(np.degrees(beta))
    waves: dict[str, Complex | Array] = {}
    for part in FORCES:
        if part in dataset:
            whole = joined(dataset[part]) if "complex" in dataset[part].dims else dataset[part]
            table = whole.sel(influenced_dof=list(DOFS))
            values = _ordered(table, ("omega", "wave_direction", "influenced_dof"), name)[:, kept]
            waves[part] = signed_load(values, FROM_UP)
    if "excitation_force" not in waves and {"Froude_Krylov_force", "diffraction_force"} <= waves.keys():
        waves["excitation_force"] = waves["Froude_Krylov_force"] + waves["diffraction_force"]
    about = {
        part: signed_matrix(_ordered(_chosen(dataset[part]), _MATRIX, name).real, FROM_UP)
        for part in ("inertia_matrix", "hydrostatic_stiffness")
        if part in dataset
    }
    matrices = {
        part: signed_matrix(_ordered(_chosen(dataset[part]), ("omega", *_MATRIX), name).real, FROM_UP)
        for part in ("added_mass", "radiation_damping")
    }
    scalars = {part: _number(dataset, part, name) for part in ("rho", "g", "water_depth")}
    made = assemble(
        omega=omega,
        added_mass=matrices["added_mass"],
        radiation_damping=np.nan_to_num(matrices["radiation_damping"]),
        **scalars,
        forward_speed=_number(dataset, "forward_speed", name) if "forward_speed" in dataset else 0.0,
        wave_direction=turned_headings(np.degrees(beta[kept])),
        waves=waves,
        about=about,
        origin="the point that rotations are about",
        attributes={"source": f"Capytaine {dataset.attrs.get('capytaine_version', '')}".strip(), "title": name},
    )
    check_phases(made, name, hint="are these data of Capytaine?")
    return with_known_rao(to_starboard(made))


def _chosen(array: xr.DataArray) -> xr.DataArray:
    chosen: xr.DataArray = array.sel(influenced_dof=list(DOFS), radiating_dof=list(DOFS))
    return chosen


def _ordered(array: xr.DataArray, dimensions: tuple[str, ...], name: str) -> Any:
    """Values in this order of dimensions; lengths of 1 of others are left out."""
    extra = [d for d in array.dims if d not in dimensions]
    many = [d for d in extra if array.sizes[d] > 1]
    if many:
        raise HydroError(f"{name}: {array.name} varies over {many[0]} too; choose one, as by dataset.isel({many[0]}=0)")
    lacking = [d for d in dimensions if d not in array.dims]
    if lacking:
        array = array.expand_dims(lacking)
    return array.isel(dict.fromkeys(extra, 0)).transpose(*dimensions).values


def _number(dataset: xr.Dataset, part: str, name: str) -> float:
    if part not in dataset or dataset[part].size != 1:
        raise HydroError(f"{name} must have one {part}")
    return float(dataset[part].values.reshape(-1)[0])
