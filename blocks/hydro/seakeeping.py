"""From the hydrodynamic data of a hull to the parameters of a `dynamics.SeakeepingVessel`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import xarray as xr
from numpy.typing import ArrayLike

from blocks.hydro.dofs import DOFS, Array, Complex
from blocks.hydro.errors import HydroError
from blocks.hydro.memory_fit import MemoryFit, fit_memory
from blocks.hydro.motions import effects_of_radiation, motions_apart, with_radiation

_PAIR = ("influenced_dof", "radiating_dof")
_FOUND_IN = {
    "inertia_matrix": "NAME.frc of WAMIT, Mechanics/Inertia.dat of NEMOH, Hydrostatic.in of HAMS",
    "hydrostatic_stiffness": "NAME.hst of WAMIT, Mechanics/Kh.dat of NEMOH, Hydrostatic.in of HAMS",
}
"""Where what a vessel needs besides radiation stands."""
_SURGE, _ROLL = 0, 3
_HORIZONTAL = (0, 1, 5)
_HEAVIEST, _LEAST_RATIO = 3.0, 0.05
"""Of weights of the fit, and of the damping of roll in them."""
_SAID = 0.002
"""From where on the report says what asymmetry does to motions."""
_MATTER = 2.0
"""How much errors of motions in waves weigh in the fit, beside errors of the response."""


@dataclass(frozen=True)
class SeakeepingModel:
    """The parameters of a `dynamics.SeakeepingVessel`, and how they were found."""

    parameters: dict[str, Any]
    """`SeakeepingVessel(**parameters)`."""
    fit: MemoryFit
    natural_frequencies: dict[str, float]
    """ω = √(C/(M + A(ω))), rad/s, of the degrees of freedom that hydrostatics holds, each by itself."""
    motions_apart: dict[str, float]
    """How far motions in waves are from those with the data, made symmetric, as a share, where they are above a tenth
    of their greatest; empty where the data have no loads of waves, or are of a speed."""
    asymmetry_apart: dict[str, float]
    """... and how far those with the data made symmetric are from those with the data as they are."""

    def text(self) -> str:
        """The report: natural periods, that of the memory, and motions in waves."""
        periods = ", ".join(f"{name} {2.0 * np.pi / w:.2f} s" for name, w in self.natural_frequencies.items())
        lines = [f"natural periods, uncoupled: {periods}", self.fit.text()]
        if self.motions_apart:
            lines.append(f"motions in waves, apart from those with the data: {_shares(self.motions_apart)}")
        if large := {dof: share for dof, share in self.asymmetry_apart.items() if share >= _SAID}:
            lines.append(f"... and since the data are not symmetric: {_shares(large)}")
        return "\n".join(lines)


def _shares(found: dict[str, float]) -> str:
    return ", ".join(f"{dof} {100.0 * share:.1f} %" for dof, share in found.items())


def vessel_parameters(
    dataset: xr.Dataset,
    *,
    speed: float | None = None,
    roll_damping_ratio: float = 0.0,
    time_constants: Sequence[float] | None = None,
    tolerance: float = 0.004,
    oscillators: int | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> SeakeepingModel:
    """A vessel with memory from the data of its hull, about the same origin, with axes forward, starboard, down.

    dataset: `added_mass`, `radiation_damping` over `omega`, which may have inf among its frequencies,
    `inertia_matrix` and `hydrostatic_stiffness`, with the names and dimensions of Capytaine, in SI, and
    `forward_speed` if the data are of a speed; speed: m/s, at which the vessel begins, that of the data without it;
    roll_damping_ratio: Δζ, share of the critical damping of roll that viscosity adds to that of radiation;
    time_constants: T of surge, sway and yaw, s, which viscosity gives them, inf for none. tolerance, oscillators,
    progress: as in `fit_memory`. Errors of the memory weigh by what they do to motions in waves, where the data are
    of no speed and have `excitation_force`, with 5 % of the critical damping in roll or more; else those near the
    resonances of heave, roll and pitch weigh up to three times as much.

    D_ii = (M_ii + A_ii(0))/T_i,  D_44 = 2 Δζ √((M_44 + A_44(ω_4)) C_44)

    **Speed.** Data of no speed do for every speed, since the vessel itself has what speed changes. What data of a
    speed U have of that is taken out of them first, by Z = (1 - U/(iω) Lᵀ) Z_U (1 + U/(iω) L), Z = B + iω A, L_26 = 1,
    L_35 = -1, with ω the frequency at which the hull moves; what remains is what that speed changed besides.

    Raises HydroError if something is missing or cannot be fitted.

    Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, 1st ed., sec. 6.4 (damping);
    Salvesen, Tuck and Faltinsen (1970), Ship motions and sea loads, SNAME Trans. 78 (speed).
    """
    for name in ("added_mass", "radiation_damping", "inertia_matrix", "hydrostatic_stiffness"):
        if name not in dataset:
            have = ", ".join(map(str, dataset.data_vars))
            where = f". It stands in {_FOUND_IN[name]}" if name in _FOUND_IN else ""
            raise HydroError(f"a vessel with memory needs {name}, which the data do not have; they have {have}{where}")
    omega = np.atleast_1d(dataset["omega"].values.astype(np.float64))
    added = _matrices(dataset, "added_mass")
    lost = _matrices(dataset, "radiation_damping")
    between = (omega > 0.0) & np.isfinite(omega)
    infinite = added[np.isinf(omega)][0] if np.any(np.isinf(omega)) else None
    data_speed = float(dataset["forward_speed"]) if "forward_speed" in dataset else 0.0
    w, a, b = omega[between], added[between], lost[between]
    if data_speed != 0.0:
        rest = in_body_axes(w, b + 1j * w[:, None, None] * a, data_speed)
        a, b = rest.imag / w[:, None, None], rest.real
    inertia, stiffness = _matrices(dataset, "inertia_matrix"), _matrices(dataset, "hydrostatic_stiffness")
    matter: dict[str, Any] = {"weights": _weights(w, inertia, a, b, stiffness, roll_damping_ratio)}
    waves = _waves(dataset.isel(omega=between)) if data_speed == 0.0 else None
    if waves is not None:
        critical = _critical(inertia[_ROLL, _ROLL] + a[:, _ROLL, _ROLL].mean(), stiffness)
        viscous = np.diag([0.0, 0.0, 0.0, 2.0 * max(roll_damping_ratio, _LEAST_RATIO) * critical, 0.0, 0.0])
        matter = {"effects": _MATTER * effects_of_radiation(waves, viscous)}
    fit = fit_memory(w, a, b, infinite, tolerance=tolerance, oscillators=oscillators, progress=progress, **matter)
    frequencies = _natural_frequencies(inertia, stiffness, fit)
    damping = _viscous(inertia, stiffness, fit, frequencies, roll_damping_ratio, time_constants)
    start = np.zeros(6)
    start[_SURGE] = data_speed if speed is None else speed
    parameters = {
        "rigid_body_inertia": inertia,
        **fit.memory.parameters(),
        "linear_damping": damping,
        "stiffness": 0.5 * (stiffness + stiffness.T),
        "initial_nu": start,
    }
    apart: tuple[dict[str, float], dict[str, float]] = ({}, {})
    if waves is not None:
        even = with_radiation(waves, fit.added_mass, fit.radiation_damping)
        fitted = with_radiation(waves, fit.memory.added_mass(w), fit.memory.radiation_damping(w))
        apart = motions_apart(fitted, even, damping), motions_apart(even, waves, damping)
    return SeakeepingModel(parameters, fit, frequencies, *apart)


def in_body_axes(omega: ArrayLike, response: Complex, speed: float) -> Complex:
    """Radiation Z_U = B + iω A about a steady speed U, from axes that go along steadily, in axes of the body.

    Z = (1 - U/(iω) Lᵀ) Z_U (1 + U/(iω) L),  ν = ξ̇ - U L ξ,  L_26 = 1, L_35 = -1

    omega: k frequencies of motion, rad/s; response: k×6×6; speed: U, m/s; -U takes it back.

    Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, 1st ed., sec. 5.4 and 6.3 (axes).
    """
    w = np.atleast_1d(np.asarray(omega, dtype=np.float64))
    selector = np.zeros((6, 6))
    selector[1, 5], selector[2, 4] = 1.0, -1.0
    step = speed / (1j * w)[:, None, None] * selector
    return cast(Complex, (np.eye(6) - step.transpose(0, 2, 1)) @ response @ (np.eye(6) + step))


def _matrices(dataset: xr.Dataset, name: str) -> Array:
    """Matrices, the last two dimensions those of `_PAIR`, in the order of `DOFS`."""
    array = dataset[name]
    for dimension in _PAIR:
        missing = [dof for dof in DOFS if dof not in array[dimension].values]
        if missing:
            raise HydroError(f"{name} has no {dimension} {', '.join(missing)}; all of {', '.join(DOFS)} are wanted")
    chosen = array.sel({dimension: list(DOFS) for dimension in _PAIR})
    values: Array = chosen.transpose(..., *_PAIR).values.astype(np.float64)
    wanted = 3 if "omega" in array.dims else 2
    if values.ndim != wanted:
        extra = [str(d) for d in array.dims if d not in (*_PAIR, "omega")]
        raise HydroError(f"{name} varies over {', '.join(extra)} too: choose one, as by dataset.isel({extra[0]}=0)")
    return values


def _waves(dataset: xr.Dataset) -> xr.Dataset | None:
    """The data with degrees of freedom in the order of `DOFS`, if they have loads of waves over headings."""
    dimensions = {"omega", "wave_direction", "influenced_dof"}
    if "excitation_force" not in dataset or set(dataset["excitation_force"].dims) != dimensions:
        return None
    ordered: xr.Dataset = dataset.sel({dimension: list(DOFS) for dimension in _PAIR})
    return ordered


def _weights(omega: Array, inertia: Array, added: Array, lost: Array, stiffness: Array, ratio: float) -> Array:
    """How much errors of radiation matter to the motions of each degree of freedom by itself: n×6, 1 to `_HEAVIEST`.

    w_i ~ ω max B_ii/|C_ii - ω² (M_ii + A_ii) + iω (B_ii + D_ii)|, over its mean: much near a resonance.
    """
    mass, held = np.diag(inertia) + np.einsum("kii->ki", added), np.diag(stiffness)
    damping = np.maximum(np.einsum("kii->ki", lost), 0.0)
    most = np.maximum(damping.max(axis=0), 1e-300)
    damping[:, _ROLL] += 2.0 * max(ratio, _LEAST_RATIO) * np.sqrt(np.abs(mass[:, _ROLL] * held[_ROLL]))
    w = omega[:, None]
    matter = w * most / np.maximum(np.abs(held - w**2 * mass + 1j * w * damping), 1e-300)
    weights: Array = np.clip(matter / np.mean(matter, axis=0), 1.0, _HEAVIEST)
    return weights


def _critical(mass: float, stiffness: Array) -> float:
    """√(M C) of roll, half of its critical damping, N·m·s."""
    return float(np.sqrt(np.abs(mass * stiffness[_ROLL, _ROLL])))


def _natural_frequencies(inertia: Array, stiffness: Array, fit: MemoryFit) -> dict[str, float]:
    """By themselves, of the degrees of freedom with a stiffness of their own."""
    found = {}
    for k, dof in enumerate(DOFS):
        if stiffness[k, k] <= 1e-9 * np.max(np.abs(np.diag(stiffness))):
            continue
        w = 0.0
        for _ in range(50):
            w = float(np.sqrt(stiffness[k, k] / (inertia[k, k] + fit.memory.added_mass(w)[0, k, k])))
        found[dof] = w
    return found


def _viscous(
    inertia: Array,
    stiffness: Array,
    fit: MemoryFit,
    frequencies: dict[str, float],
    ratio: float,
    time_constants: Sequence[float] | None,
) -> Array:
    """Linear damping beside that of radiation."""
    damping = np.zeros((6, 6))
    if ratio:
        if "Roll" not in frequencies:
            raise HydroError(
                f"roll_damping_ratio is {ratio:g}, but the hydrostatic stiffness of roll is "
                f"{stiffness[_ROLL, _ROLL]:g}: a hull that does not come back has no critical damping"
            )
        mass = inertia[_ROLL, _ROLL] + fit.memory.added_mass(frequencies["Roll"])[0, _ROLL, _ROLL]
        damping[_ROLL, _ROLL] = 2.0 * ratio * _critical(mass, stiffness)
    if time_constants is not None:
        if len(time_constants) != 3 or not all(t > 0.0 for t in time_constants):
            raise HydroError(f"time_constants must be three times above 0 s, of surge, sway, yaw, not {time_constants}")
        at_rest = inertia + fit.memory.added_mass(0.0)[0]
        for k, t in zip(_HORIZONTAL, time_constants, strict=True):
            damping[k, k] = at_rest[k, k] / t
    return damping
