"""Hydrodynamic data in NetCDF: written whole or not at all, and read back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import xarray as xr

from blocks.binary.limits import Unreadable
from blocks.binary.netcdf import read_netcdf, write_netcdf
from blocks.files.writing import path_of, replacing
from blocks.hydro.dataset import FORCES, UNITS
from blocks.hydro.dofs import DOFS, DRIFT_DOFS
from blocks.hydro.errors import HydroError

_COMPLEX = (*FORCES, "rao")
_PARTS = ("re", "im")
_NEEDED = ("added_mass", "radiation_damping", "rho", "g")
_LABELS = {"influenced_dof": DOFS, "radiating_dof": DOFS, "drift_dof": DRIFT_DOFS, "axis": ("x", "y", "z")}


def save(dataset: xr.Dataset, path: str | Path) -> Path:
    """Write hydrodynamic data to a NetCDF file. Complex numbers have a dimension `complex` there, of re and im.

    Raises HydroError if it cannot be written.
    """
    file = path_of(path, "hydrodynamic data", HydroError)
    plain = dataset.copy()
    for name in _COMPLEX:
        if name in plain:
            variable = plain[name]
            parts = np.stack([variable.values.real, variable.values.imag])
            plain[name] = xr.DataArray(parts, dims=("complex", *variable.dims), attrs=variable.attrs)
    plain = plain.assign_coords(complex=list(_PARTS))
    try:
        with replacing(file) as part:
            write_netcdf(plain, part)
    except OSError as problem:
        raise HydroError(f"cannot write {file}: {problem.strerror or problem}") from None
    return file


def load(path: str | Path) -> xr.Dataset:
    """Read what `save` wrote, or data of this form by others. Raises HydroError if they are none."""
    file = path_of(path, "hydrodynamic data", HydroError)
    try:
        plain = read_netcdf(file)
    except FileNotFoundError:
        raise HydroError(f"there is no file {file}") from None
    except OSError as problem:
        raise HydroError(f"{file} cannot be read: {problem.strerror or problem}") from None
    except Unreadable as problem:
        raise HydroError(f"{file} is not hydrodynamic data in NetCDF: {problem}") from None
    for name in _NEEDED:
        if name not in plain.variables:
            raise HydroError(f"{file} has no variable '{name}': hydrodynamic data have {', '.join(_NEEDED)}")
    if plain.attrs.get("axes") != "forward, starboard, down":
        raise HydroError(
            f"{file} does not say that its axes are forward, starboard, down; blocks.hydro.open reads Capytaine's own"
        )
    for name, labels in _LABELS.items():
        if name in plain.variables and [str(label) for label in plain[name].values] != list(labels):
            raise HydroError(f"{file}: {name} must be {', '.join(labels)}, in this order")
    for key, variable in list(plain.data_vars.items()):
        name = str(key)
        if name in UNITS and variable.dtype.kind not in "iuf":
            raise HydroError(f"{file}: {name} must be numbers, not of the type {variable.dtype}")
        if name in _COMPLEX:
            if "complex" not in variable.dims or variable.sizes["complex"] != 2:
                raise HydroError(f"{file}: {name} must have the dimension complex, of re and im")
            plain[name] = joined(variable)
    for name in ("rho", "g"):
        if plain[name].ndim or not 0.0 < float(plain[name]) < np.inf:
            raise HydroError(f"{file}: {name} must be one positive number")
    whole: xr.Dataset = plain.drop_vars("complex", errors="ignore")
    return whole


def joined(variable: xr.DataArray) -> xr.DataArray:
    """A complex variable from its parts, as files have them here and of Capytaine."""
    parts = (variable.isel(complex=0, drop=True), variable.isel(complex=1, drop=True))
    whole: xr.DataArray = (parts[0] + 1j * parts[1]).assign_attrs(variable.attrs)
    return whole
