"""Motions in regular waves, from the balance of forces in the frequency domain."""

from __future__ import annotations

from typing import cast

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from blocks.hydro.dataset import UNITS
from blocks.hydro.dofs import DOFS, Array, Complex
from blocks.hydro.errors import HydroError

_WANTED = ("inertia_matrix", "hydrostatic_stiffness", "excitation_force")
_SMALL = 0.1
"""Share of the greatest below which a motion's errors count as shares of that."""
_HARDLY = 1e-3
"""A degree of freedom that moves less than this share of the others of its kind, it is by mesh or rounding."""


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
    omega = dataset["omega"].values
    total, load = _balance(dataset, np.broadcast_to(damping, (6, 6)), np.broadcast_to(stiffness, (6, 6)))
    motion = np.full(load.shape, np.nan + 0j)
    for k, w in enumerate(omega):
        if 0.0 < w < np.inf:
            try:
                motion[k] = np.linalg.solve(total[k], load[k].T).T
            except np.linalg.LinAlgError:
                raise HydroError(
                    f"at {w:g} rad/s nothing holds the hull: are mass, damping and stiffness what they must be?"
                ) from None
    dimensions = ("omega", "wave_direction", "radiating_dof")
    moved: xr.Dataset = dataset.assign(rao=xr.DataArray(motion, dims=dimensions, attrs={"units": UNITS["rao"]}))
    return moved


def effects_of_radiation(dataset: xr.Dataset, damping: ArrayLike = 0.0) -> Complex:
    """What errors of radiation do to motions in waves, at finite frequencies above 0: n×r×6×6, s/kg and so on.

    Σ e_ij (K - Z)_ij, one sum for each motion and heading, is how far that motion is off, as a share of it, or of a
    tenth of its greatest where it is less; over the root of the number of headings. K and Z as in `fit_memory`, time
    as e^(iωt); damping as in `with_rao`. Motions that the hull hardly makes have none.

    dξ = -H iω dZ ξ,  H = (-ω² (M + A) + iω (B + D) + C)⁻¹,  ξ = H F

    Raises HydroError as `with_rao` does.
    """
    motion = np.conj(np.nan_to_num(with_rao(dataset, damping)["rao"].values))
    total, _ = _balance(dataset, np.broadcast_to(damping, (6, 6)), np.zeros((6, 6)))
    size = np.abs(motion)
    greatest = size.max(axis=(0, 1))
    kind = np.repeat([greatest[:3].max(), greatest[3:].max()], 3)
    made = greatest > _HARDLY * kind
    share = made / np.maximum(size, np.where(made, _SMALL * greatest, 1.0))
    velocity = 1j * dataset["omega"].values[:, None, None] * motion
    found = -np.einsum("kai,kdj,kda->kdaij", np.conj(np.linalg.inv(total)), velocity, share, optimize=True)
    return cast(Complex, found.reshape(len(found), -1, 6, 6) / np.sqrt(motion.shape[1]))


def motions_apart(found: xr.Dataset, wanted: xr.Dataset, damping: ArrayLike) -> dict[str, float]:
    """How far motions in waves with some data are from those with others, at finite frequencies, as a share of them.

    Of each motion the most, in waves of all headings in which it is above a tenth of its greatest; damping as in
    `with_rao`.
    """
    got, motion = (np.nan_to_num(np.abs(with_rao(one, damping)["rao"].values)) for one in (found, wanted))
    greatest = motion.max(axis=(0, 1))
    kind = np.repeat([greatest[:3].max(), greatest[3:].max()], 3)
    counts = (motion > _SMALL * greatest) & (greatest > _HARDLY * kind)
    apart = np.abs(got - motion) / np.where(counts, motion, np.inf)
    return {dof: float(apart[:, :, k].max()) for k, dof in enumerate(DOFS) if counts[:, :, k].any()}


def with_radiation(dataset: xr.Dataset, added_mass: Array, radiation_damping: Array) -> xr.Dataset:
    """The data with other added mass and damping, n×6×6."""
    order = ("omega", "influenced_dof", "radiating_dof")
    changed: xr.Dataset = dataset.assign(added_mass=(order, added_mass), radiation_damping=(order, radiation_damping))
    return changed


def _balance(dataset: xr.Dataset, damping: Array, stiffness: Array) -> tuple[Complex, Complex]:
    """-ω² (M + A) - iω (B + D) + C + K, n×6×6, and the loads of waves, n×headings×6."""
    for name in _WANTED:
        if name not in dataset:
            raise HydroError(f"motions in waves need {name}, which the data do not have")
    order = ("omega", "influenced_dof", "radiating_dof")
    w = dataset["omega"].values[:, None, None]
    w = np.where(np.isfinite(w), w, np.nan)
    mass = dataset["inertia_matrix"].transpose(*order[1:]).values + dataset["added_mass"].transpose(*order).values
    lost = dataset["radiation_damping"].transpose(*order).values + damping
    held = dataset["hydrostatic_stiffness"].transpose(*order[1:]).values + stiffness
    load = dataset["excitation_force"].transpose("omega", "wave_direction", "influenced_dof").values
    return -(w**2) * mass - 1j * w * lost + held, load
