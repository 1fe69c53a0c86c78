"""Hydrodynamic data of a hull, from wherever they are, in one form: names, dimensions, units, conventions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike
from scipy.optimize import brentq

from blocks.hydro.dofs import DOFS, DRIFT_DOFS, Array, moved_load, moved_matrix, moved_motion
from blocks.hydro.errors import HydroError

MATRICES = ("added_mass", "radiation_damping")
FORCES = ("Froude_Krylov_force", "diffraction_force", "excitation_force")
_AT_REST = ("inertia_matrix", "hydrostatic_stiffness")

UNITS = {
    "omega": "rad/s",
    "wave_direction": "rad",
    "added_mass": "kg, kg m, kg m2",
    "radiation_damping": "kg/s, kg m/s, kg m2/s",
    **dict.fromkeys(FORCES, "N/m, N m/m"),
    "rao": "m/m, rad/m",
    "mean_drift": "N/m2, N m/m2",
    "inertia_matrix": "kg, kg m, kg m2",
    "hydrostatic_stiffness": "N/m, N, N m",
    "rho": "kg/m3",
    "g": "m/s2",
    "water_depth": "m",
    "forward_speed": "m/s",
    "displaced_volume": "m3",
    "draught": "m",
    "length": "m",
    "breadth": "m",
    "centre_of_gravity": "m",
    "centre_of_buoyancy": "m",
}
SCALARS = ("rho", "g", "water_depth", "forward_speed", "displaced_volume", "draught", "length", "breadth")
_CENTRES = ("centre_of_gravity", "centre_of_buoyancy")

CONVENTIONS = {
    "axes": "forward, starboard, down",
    "wave_heading": "where waves travel to, seen from the bow, clockwise: 0 following, pi head sea",
    "phases": "loads and motions are Re(H a exp(i(k x - omega t))) for a wave a cos(k x - omega t) at the origin",
}


def assemble(
    *,
    omega: ArrayLike,
    added_mass: ArrayLike,
    radiation_damping: ArrayLike,
    rho: float,
    g: float,
    water_depth: float = np.inf,
    forward_speed: float = 0.0,
    wave_direction: ArrayLike = (),
    waves: Mapping[str, ArrayLike] | None = None,
    about: Mapping[str, ArrayLike] | None = None,
    origin: str = "as given",
    attributes: Mapping[str, Any] | None = None,
) -> xr.Dataset:
    """Data in their one form, sorted: axes forward, starboard, down, loads and motions as lags.

    omega: rad/s, 0 and inf among them where added mass is known there; added_mass, radiation_damping: n×6×6, what a
    motion of the second index makes in the first; wave_direction: m headings, rad; waves: `excitation_force` and other
    loads or `rao`, n×m×6, complex, `mean_drift`, n×m×3, NaN where there are none; about: `inertia_matrix`,
    `hydrostatic_stiffness`, 6×6, `centre_of_gravity`, `draught` and the like.

    Raises HydroError if frequencies or headings are given twice, arrays differ in size, or a number is none.
    """
    frequencies = np.atleast_1d(np.asarray(omega, dtype=np.float64))
    headings = np.atleast_1d(np.asarray(wave_direction, dtype=np.float64))
    for name, values in (("frequency", frequencies), ("heading", headings)):
        _check_once(name, values)
    n, m = len(frequencies), len(headings)
    variables: dict[str, Any] = {}

    def put(name: str, dimensions: tuple[str, ...], sizes: tuple[int, ...], value: ArrayLike) -> None:
        array = np.asarray(value)
        if array.shape != sizes:
            raise HydroError(f"{name} must be {_by(sizes)}, over {', '.join(dimensions)}, not {_by(array.shape)}")
        there = np.isfinite(array) | (np.isnan(array) if "wave_direction" in dimensions else np.False_)
        if name != "water_depth" and not np.all(there):
            raise HydroError(f"{name} must be finite numbers, and some are not")
        variables[name] = (dimensions, array, {"units": UNITS[name]})

    for name, value in (("added_mass", added_mass), ("radiation_damping", radiation_damping)):
        put(name, ("omega", "influenced_dof", "radiating_dof"), (n, 6, 6), value)
    for name, value in (waves or {}).items():
        last = {"rao": ("radiating_dof", 6), "mean_drift": ("drift_dof", 3)}.get(name, ("influenced_dof", 6))
        put(name, ("omega", "wave_direction", last[0]), (n, m, last[1]), value)
    scalars = {"rho": rho, "g": g, "water_depth": water_depth, "forward_speed": forward_speed}
    for name, value in (dict(about or {}) | scalars).items():
        if name in _AT_REST:
            put(name, ("influenced_dof", "radiating_dof"), (6, 6), value)
        elif name in _CENTRES:
            put(name, ("axis",), (3,), value)
        else:
            put(name, (), (), float(np.asarray(value)))
    coordinates: dict[str, Any] = {
        "omega": ("omega", frequencies, {"units": "rad/s"}),
        "wave_direction": ("wave_direction", headings, {"units": "rad"}),
        "influenced_dof": list(DOFS),
        "radiating_dof": list(DOFS),
        "drift_dof": list(DRIFT_DOFS),
        "axis": ["x", "y", "z"],
    }
    dataset = xr.Dataset(variables, coordinates, attrs=CONVENTIONS | {"origin": origin} | dict(attributes or {}))
    ordered: xr.Dataset = dataset.sortby(["omega", "wave_direction"])
    return ordered


def _by(sizes: tuple[int, ...]) -> str:
    return "×".join(map(str, sizes)) or "one number"


def _check_once(name: str, values: Array) -> None:
    """Refuse what is given twice, or no number."""
    if np.any(np.isnan(values)) or (name == "frequency" and np.any(values < 0.0)):
        raise HydroError(f"a {name} is no number that one can be: {values[np.isnan(values) | (values < 0.0)][0]}")
    ordered = np.sort(values)
    twice = ordered[1:][ordered[1:] == ordered[:-1]]
    if len(twice):
        raise HydroError(f"the {name} {twice[0]:g} is given twice")


def in_waves(dataset: xr.Dataset) -> xr.Dataset:
    """The data at frequencies of waves: without 0 and inf."""
    omega = dataset["omega"].values
    chosen: xr.Dataset = dataset.isel(omega=np.flatnonzero((omega > 0.0) & np.isfinite(omega)))
    return chosen


def wavenumber(omega: ArrayLike, water_depth: float, g: float) -> Array:
    """k of ω² = g k tanh(k h), rad/m."""
    frequencies = np.atleast_1d(np.asarray(omega, dtype=np.float64))
    deep = frequencies**2 / g
    if not np.isfinite(water_depth):
        return deep
    shallow = frequencies / np.sqrt(g * water_depth)

    def residual(k: float, kappa: float) -> float:
        return float(k * np.tanh(k * water_depth) - kappa)

    ends = zip(deep, deep + shallow, strict=True)  # since tanh x > x/(1 + x)
    return np.array([brentq(residual, *both, args=both[:1], xtol=1e-15) if both[0] > 0.0 else 0.0 for both in ends])


def frequency(k: float, water_depth: float, g: float) -> float:
    """ω of ω² = g k tanh(k h), rad/s."""
    return float(np.sqrt(g * k * (np.tanh(k * water_depth) if np.isfinite(water_depth) else 1.0)))


def moved(dataset: xr.Dataset, arm: ArrayLike, origin: str) -> xr.Dataset:
    """The data about an origin that lies `arm` from the present one, m, in the same axes; crests are met there.

    Loads and motions are those of moments about the new origin, and their phases are towards the crest at it, so both
    change.
    """
    shift = np.asarray(arm, dtype=np.float64)
    new: xr.Dataset = dataset.copy(deep=True)
    for name in (*MATRICES, *_AT_REST):
        if name in new:
            new[name] = new[name].copy(data=moved_matrix(new[name].values, shift))
    k = np.where(np.isfinite(new["omega"].values), new["omega"].values, 0.0)
    k = wavenumber(k, float(new["water_depth"]), float(new["g"]))
    beta = new["wave_direction"].values
    later = np.exp(-1j * k[:, None] * (shift[0] * np.cos(beta) + shift[1] * np.sin(beta)))[..., None]
    for name in (*FORCES, "rao"):
        if name in new:
            change = moved_motion if name == "rao" else moved_load
            new[name] = new[name].copy(data=change(new[name].values, shift) * later)
    if "mean_drift" in new:
        drift = new["mean_drift"].values.copy()
        drift[..., 2] += shift[1] * drift[..., 0] - shift[0] * drift[..., 1]
        new["mean_drift"] = new["mean_drift"].copy(data=drift)
    for name in _CENTRES:
        if name in new:
            new[name] = new[name] - shift
            new[name].attrs["units"] = "m"
    new.attrs["origin"] = origin
    return new
