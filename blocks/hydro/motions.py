"""Motions in regular waves, from the balance of forces in the frequency domain."""

from __future__ import annotations

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from blocks.hydro.dataset import UNITS
from blocks.hydro.errors import HydroError

_WANTED = ("inertia_matrix", "hydrostatic_stiffness", "excitation_force")


def with_known_rao(dataset: xr.Dataset) -> xr.Dataset:
    """The data with `rao`, as it is there or computed, where inertia, stiffness and excitation are there."""
    return dataset if "rao" in dataset or not set(_WANTED) <= set(dataset.data_vars) else with_rao(dataset)


def with_rao(dataset: xr.Dataset, damping: ArrayLike = 0.0, stiffness: ArrayLike = 0.0) -> xr.Dataset:
    """The data with `rao`, the motions of the free hull per metre of wave amplitude, m/m and rad/m.

    [-ω² (M + A(ω)) - i ω (B(ω) + D) + C + K] ξ = F

    M: `inertia_matrix`; A, B: added mass and radiation damping; C: `hydrostatic_stiffness`; F: `excitation_force`;
    D: `damping` besides radiation, 6×6, SI; K: `stiffness` besides hydrostatics, of a mooring. Positive is forward,
    starboard, down, so that heave in long waves is -1. Without `stiffness` surge, sway and yaw are free.

    Raises HydroError if inertia, stiffness or excitation are missing, or the balance has no solution.

    Source: Newman (1977), Marine Hydrodynamics, sec. 6.18, with time as e^(-iωt).
    """
    for name in _WANTED:
        if name not in dataset:
            raise HydroError(f"motions in waves need {name}, which the data do not have")
    order = ("omega", "influenced_dof", "radiating_dof")
    omega = dataset["omega"].values
    mass = dataset["inertia_matrix"].values + dataset["added_mass"].transpose(*order).values
    lost = dataset["radiation_damping"].transpose(*order).values + np.broadcast_to(damping, (6, 6))
    held = dataset["hydrostatic_stiffness"].values + np.broadcast_to(stiffness, (6, 6))
    load = dataset["excitation_force"].transpose("omega", "wave_direction", "influenced_dof").values
    motion = np.full(load.shape, np.nan + 0j)
    for k, w in enumerate(omega):
        if 0.0 < w < np.inf:
            try:
                motion[k] = np.linalg.solve(-(w**2) * mass[k] - 1j * w * lost[k] + held, load[k].T).T
            except np.linalg.LinAlgError:
                raise HydroError(
                    f"at {w:g} rad/s nothing holds the hull: are mass, damping and stiffness what they must be?"
                ) from None
    dimensions = ("omega", "wave_direction", "radiating_dof")
    moved: xr.Dataset = dataset.assign(rao=xr.DataArray(motion, dims=dimensions, attrs={"units": UNITS["rao"]}))
    return moved
