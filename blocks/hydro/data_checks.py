"""What hydrodynamic data must have whatever the hull, and what is to be said where they do not."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import xarray as xr

from blocks.hydro.dataset import in_waves, wavenumber
from blocks.hydro.dofs import DOFS, Array, Complex

_ASYMMETRIC = 0.08
"""Share of the greatest response beyond which data are too far from symmetric; 900 panels of boxes and ships come to
0.02 to 0.06."""
_HARDLY = 3e-3
"""Share of the damping of translations, by radii of gyration, below which a rotation makes no waves but by its mesh."""
_MAKES_ENERGY = -0.02
_OFF = 0.1
"""Of Haskind's relation: what 15° between headings and a coarse mesh leave of it."""
_SPIKE, _BESIDE = 0.015, 5.0
"""Of what sticks out between neighbours: as a share of the greatest, and as a multiple of what most frequencies have,
which is 2 at the most in data of hulls."""
_HEAVE = DOFS.index("Heave")


def reader_notes(dataset: xr.Dataset) -> list[str]:
    """What a reader of other programs' results had to assume, or left out."""
    return [note for note in str(dataset.attrs.get("notes", "")).split("; ") if note]


def remarks(dataset: xr.Dataset) -> list[str]:
    """What wants a look in data of any source: reciprocity, energy, loads against damping, irregular frequencies.

    At no speed Z = B + iω A is symmetric and B makes no energy; Haskind's relation in the form of Newman (1962) gives
    the damping of heave from its loads, B_33 = k/(8π ρ g c_g) ∫ |F_3(β)|² dβ, all around; and Z is smooth in ω.

    Source: Newman (1962), The exciting forces on fixed bodies in waves, J. of Ship Research 6.
    """
    waves = in_waves(dataset)
    order = ("omega", "influenced_dof", "radiating_dof")
    omega = waves["omega"].values
    damping = waves["radiation_damping"].transpose(*order).values
    greatest = np.abs(np.einsum("kii->ki", damping)).max(axis=0) if len(omega) else np.zeros(6)
    radiates = [int(i) for i in np.flatnonzero(greatest > np.maximum(_least(dataset, greatest), 0.0))]
    if not radiates or float(dataset.get("forward_speed", 0.0)) != 0.0:
        return []
    whole = damping + 1j * omega[:, None, None] * waves["added_mass"].transpose(*order).values
    scale = np.sqrt(greatest[radiates])
    scaled = whole[:, radiates][:, :, radiates] / np.outer(scale, scale)
    return [
        *_reciprocity(omega, scaled, radiates),
        *_energy(omega, scaled.real),
        *_haskind(dataset, waves, damping[:, _HEAVE, _HEAVE]),
        *_spikes(omega, scaled, radiates),
    ]


def _least(dataset: xr.Dataset, greatest: Array) -> Array:
    """Damping below which a degree of freedom makes no waves."""
    least = _HARDLY * np.repeat([greatest[:3].max(), greatest[3:].max()], 3)
    if "inertia_matrix" in dataset:
        mass = np.diag(dataset["inertia_matrix"].transpose("influenced_dof", "radiating_dof").values)
        if mass[0] > 0.0:
            least[3:] = least[0] * mass[3:] / mass[0]
    return least


def _reciprocity(omega: Array, scaled: Complex, dofs: list[int]) -> Iterator[str]:
    apart = np.abs(scaled - scaled.transpose(0, 2, 1))
    k, i, j = (int(n) for n in np.unravel_index(apart.argmax(), apart.shape))
    if apart[k, i, j] > _ASYMMETRIC:
        first, second = sorted((dofs[i], dofs[j]))
        yield (
            f"the data are {100.0 * apart[k, i, j]:.0f} % off symmetry: what {DOFS[first]} does in {DOFS[second]} "
            f"differs so much, of the greatest response, from what {DOFS[second]} does in {DOFS[first]}, at "
            f"{omega[k]:.3g} rad/s, and should be the same; the mesh is too coarse for edges or short waves: take more "
            f"panels, --panels, panels= in Python, until this is below {100.0 * _ASYMMETRIC:g} %"
        )


def _energy(omega: Array, scaled: Array) -> Iterator[str]:
    least = np.linalg.eigvalsh(0.5 * (scaled + scaled.transpose(0, 2, 1)))[:, 0]
    k = int(np.argmin(least))
    if least[k] < _MAKES_ENERGY:
        yield (
            f"radiation damping is negative at {omega[k]:.3g} rad/s, by {-100.0 * least[k]:.0f} % of the greatest, so "
            f"that the hull would gain energy from its own waves; the memory leaves that out. Look at the mesh there: "
            f"more panels, or an irregular frequency"
        )


def _haskind(dataset: xr.Dataset, waves: xr.Dataset, damping: Array) -> Iterator[str]:
    """Heave, whose loads vary least with the heading, up to the frequency of its greatest damping."""
    if "excitation_force" not in waves or damping.max() <= 0.0:
        return
    beta = waves["wave_direction"].values
    if len(beta) < 5 or min(abs(np.ptp(beta) - whole) for whole in (np.pi, 2.0 * np.pi)) > 0.01:
        return
    around = round(2.0 * np.pi / float(np.ptp(beta)))
    load = waves["excitation_force"].sel(influenced_dof="Heave").transpose("omega", "wave_direction").values
    omega, depth, g = waves["omega"].values, float(dataset["water_depth"]), float(dataset["g"])
    k = wavenumber(omega, depth, g)
    deep = 2.0 * np.minimum(k * depth, 300.0)
    group = 0.5 * omega / k * (1.0 + deep / np.sinh(deep))
    power = around * np.trapezoid(np.abs(load) ** 2, beta, axis=1)
    by_loads = k * power / (8.0 * np.pi * float(dataset["rho"]) * g * group)
    long = (np.arange(len(omega)) <= np.argmax(damping)) & np.isfinite(by_loads)
    if not np.any(long):
        return
    ratio = float(np.sum(by_loads[long] * damping[long]) / np.sum(damping[long] ** 2))
    if abs(ratio - 1.0) > _OFF:
        yield (
            f"loads of waves and damping do not go together: those of heave mean {ratio:.3g} times the damping that "
            f"the data have (Haskind's relation); are density, gravity, length of reference and the unit of the loads "
            f"those of the computation?"
        )


def _spikes(omega: Array, scaled: Complex, dofs: list[int]) -> Iterator[str]:
    """Frequencies at which a diagonal element is far from the cubic through its four neighbours."""
    if len(omega) < 9:
        return
    own = np.einsum("kii->ki", scaled)
    mass = own.imag / omega[:, None]
    own = own.real + 1j * omega[:, None] * (mass - np.median(mass, axis=0))
    out = np.zeros(own.shape)
    for k in range(2, len(omega) - 2):
        near = np.array([k - 2, k - 1, k + 1, k + 2])
        apart = omega[near][:, None] - omega[near] + np.eye(4)
        to = omega[k] - omega[near]
        weights = np.prod(to) / to / np.prod(apart, axis=1)
        out[k] = np.abs(own[k] - weights @ own[near])
    usual = np.maximum(np.quantile(out[2:-2], 0.75, axis=0), 1e-3)
    rough = np.where((out > _SPIKE) & (out > _BESIDE * usual), out, 0.0)
    k, i = (int(n) for n in np.unravel_index(rough.argmax(), rough.shape))
    if rough[k, i] > 0.0:
        yield (
            f"{DOFS[dofs[i]]} jumps by {100.0 * rough[k, i]:.0f} % of its greatest damping at {omega[k]:.3g} rad/s, "
            f"between frequencies that are smooth: an irregular frequency of the panel method, unless the hull "
            f"encloses water, as a moonpool or between two hulls. Compute with a lid on the inner waterplane, or leave "
            f"that frequency out"
        )
