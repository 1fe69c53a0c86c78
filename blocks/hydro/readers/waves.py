"""What all readers do last: headings, phases and axes as the library has them."""

from __future__ import annotations

import numpy as np
import xarray as xr

from blocks.hydro.dataset import FORCES, in_waves, wavenumber
from blocks.hydro.dofs import LATERAL, Array, Complex
from blocks.hydro.errors import HydroError

_COUPLED = 0.02
"""Of the geometric mean of both diagonals: beyond, port and starboard are not alike."""


def turned_headings(degrees: Array) -> Array:
    """Directions that run counterclockwise, degrees, as headings that run clockwise, rad, within (-π, π]."""
    wrapped = -np.radians(np.asarray(degrees, dtype=np.float64))
    wrapped = wrapped - 2.0 * np.pi * np.ceil((wrapped - np.pi) / (2.0 * np.pi) - 1e-9)
    return np.where(np.abs(wrapped) < 1e-12, 0.0, wrapped)


def once_around(degrees: Array) -> Array:
    """Which of these directions to keep, that none stands for the same one twice, as 0 and 360 do."""
    around = np.round(np.asarray(degrees, dtype=np.float64) % 360.0, 6) % 360.0
    _, first = np.unique(around, return_index=True)
    return np.sort(first)


def to_starboard(dataset: xr.Dataset) -> xr.Dataset:
    """Headings of half a turn to port, 0 to -π, as their mirror image, of a hull whose sides are alike."""
    beta = dataset["wave_direction"].values
    below = beta < np.pi - 1e-6
    if not len(beta) or np.any(beta[below] > 1e-6) or not sides_alike(dataset):
        return dataset
    mirrored = dataset.copy(deep=True)
    for name in (*FORCES, "rao", "mean_drift"):
        if name in mirrored:
            variable = mirrored[name]
            signs = np.ones(variable.shape[-1])
            signs[[1, 2] if name == "mean_drift" else list(LATERAL)] = -1.0
            factor = np.where(below[:, None], signs, 1.0)
            mirrored[name] = variable.copy(data=variable.values * factor)
    angles = np.where(below, np.abs(beta), beta)
    turned: xr.Dataset = mirrored.assign_coords(wave_direction=("wave_direction", angles, {"units": "rad"}))
    ordered: xr.Dataset = turned.sortby("wave_direction")
    return ordered


def sides_alike(dataset: xr.Dataset) -> bool:
    """Whether nothing couples surge, heave and pitch with sway, roll and yaw."""
    matrix = np.abs(dataset["added_mass"].values).max(axis=0)
    diagonal = np.sqrt(np.maximum(np.diag(matrix), 0.0))
    scale = np.outer(diagonal, diagonal)
    along = [0, 2, 4]
    return bool(
        np.all(matrix[np.ix_(along, LATERAL)] <= _COUPLED * scale[np.ix_(along, LATERAL)] + 1e-12 * matrix.max())
    )


def lag_or_lead(omega: Array, headings: Array, excitation: Complex, k_most: float) -> float:
    """Positive where horizontal loads in long waves are lags, as they are here; negative where they are leads.

    In waves much longer than the hull water pushes it as it accelerates, a quarter of a period before the crest: for
    waves to β loads are -i |F| (cos β, sin β) if they are lags. From -1 to 1; 0 where there is no such wave.
    """
    k = omega**2 / 9.81
    long = np.flatnonzero((omega > 0.0) & (k <= k_most))[:3]
    if not len(long) or not len(headings):
        return 0.0
    horizontal = excitation[long][:, :, 0] * np.cos(headings) + excitation[long][:, :, 1] * np.sin(headings)
    size = float(np.nansum(np.abs(horizontal)))
    return float(-np.nansum(horizontal.imag) / size) if size > 0.0 else 0.0


def other_phases(phases: str) -> str:
    """The other of "lead" and "lag". Raises HydroError if it is neither."""
    if phases not in ("lead", "lag"):
        raise HydroError(f"phases must be 'lead' or 'lag', not {phases!r}")
    return "lag" if phases == "lead" else "lead"


def check_phases(dataset: xr.Dataset, where: str, *, hint: str) -> None:
    """Raise HydroError if loads in long waves are leads, as they are when phases or axes are taken for others."""
    if "excitation_force" not in dataset:
        return
    long = in_waves(dataset)
    sign = lag_or_lead(
        long["omega"].values, long["wave_direction"].values, long["excitation_force"].values, longest(long)
    )
    if sign < -0.5:
        raise HydroError(
            f"{where}: in long waves surge and sway push against the water's acceleration, so phases are leads where "
            f"lags are expected or axes are others; {hint}",
            code="phases-reversed",
        )


def longest(dataset: xr.Dataset) -> float:
    """The greatest wavenumber of waves that are long beside the hull: a fifth of one over its size."""
    size = float(dataset["displaced_volume"]) ** (1.0 / 3.0) if "displaced_volume" in dataset else 0.0
    if size <= 0.0:
        mass = np.nanmax(np.abs(dataset["added_mass"].values[:, 2, 2])) if dataset.sizes["omega"] else 0.0
        size = float(mass / float(dataset["rho"])) ** (1.0 / 3.0)
    return 0.5 / size if size > 0.0 else np.inf


def at_body(omega: Array, beta: Array, place: tuple[float, float], depth: float, g: float) -> Complex:
    """What turns a response to the crest at the global origin into one to that at the body, in axes up, as leads."""
    finite = np.where(np.isfinite(omega), omega, 0.0)
    k = wavenumber(finite, depth, g)
    later: Complex = np.exp(1j * k[:, None] * (place[0] * np.cos(beta) + place[1] * np.sin(beta)))[..., None]
    return later
