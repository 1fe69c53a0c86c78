"""The figure of a memory: added mass and damping beside what they were fitted to, and retardation functions."""

from __future__ import annotations

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from blocks import style
from blocks.hydro.dofs import DOFS
from blocks.hydro.errors import HydroError
from blocks.hydro.memory_fit import MemoryFit
from blocks.hydro.retardation import retardation_functions

_UNITS = ("kg", "kg m", "kg m²")


def memory_figure(fit: MemoryFit, dofs: tuple[str, ...] = (), *, title: str = "Memory of the water") -> Figure:
    """Added mass, radiation damping and retardation functions, a row for each degree of freedom: data and fit.

    dofs: those that are drawn, such as ("Heave", "Roll"), or pairs, "Heave-Pitch"; by default all that radiate, each
    by itself. Points are data, lines the fit; the retardation functions of the data are their cosine transform.

    Raises HydroError for a name that is none.
    """
    chosen = dofs or tuple(pair.influenced for pair in fit.pairs if pair.influenced == pair.radiating)
    pairs = [_pair(name) for name in chosen]
    omega = np.linspace(0.0, fit.omega[-1], 300)
    times = np.linspace(0.0, _lasts(fit, pairs), 300)
    added, damping, kernel = (
        fit.memory.added_mass(omega),
        fit.memory.radiation_damping(omega),
        fit.memory.retardation(times),
    )
    transform = retardation_functions(fit.omega, fit.radiation_damping, times)
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(13.0, 1.2 + 2.4 * len(pairs)), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        axes = figure.subplots(len(pairs), 3, squeeze=False)
        for row, (i, j) in zip(axes, pairs, strict=True):
            unit = _UNITS[(i >= 3) + (j >= 3)]
            name = DOFS[i] if i == j else f"{DOFS[i]}-{DOFS[j]}"
            row[0].plot(fit.omega, fit.added_mass[:, i, j], "o", color=style.REFERENCE, ms=4, label="data")
            row[0].plot(omega, added[:, i, j], color=style.ACTUAL, label="fit")
            row[0].axhline(fit.memory.infinite_added_mass[i, j], color=style.WAYPOINT, lw=0.8, ls="--", label="A(∞)")
            row[0].set(ylabel=f"{name}: A, {unit}")
            row[1].plot(fit.omega, fit.radiation_damping[:, i, j], "o", color=style.REFERENCE, ms=4)
            row[1].plot(omega, damping[:, i, j], color=style.ACTUAL)
            row[1].set(ylabel=f"B, {unit}/s")
            row[2].plot(times, transform[:, i, j], color=style.REFERENCE, lw=3.0, alpha=0.6)
            row[2].plot(times, kernel[:, i, j], color=style.ACTUAL)
            row[2].set(ylabel=f"K, {unit}/s²")
        axes[0, 0].set_title("Added mass")
        axes[0, 1].set_title("Radiation damping")
        axes[0, 2].set_title("Retardation function")
        axes[0, 0].legend(**(style.LEGEND | {"ncols": 3}))
        for ax in axes[-1, :2]:
            ax.set(xlabel="frequency, rad/s")
        axes[-1, 2].set(xlabel="time, s")
        return figure


def _lasts(fit: MemoryFit, pairs: list[tuple[int, int]]) -> float:
    """Until when retardation functions are more than 1 % of what they begin with, and a quarter longer, s."""
    times = np.linspace(0.0, 200.0 / fit.omega[-1], 2000)
    kernel = np.abs(fit.memory.retardation(times))
    late = [times[np.flatnonzero(kernel[:, i, j] > 0.01 * kernel[:, i, j].max())[-1]] for i, j in pairs]
    return 1.25 * float(max(late))


def _pair(name: str) -> tuple[int, int]:
    parts = name.split("-")
    if len(parts) > 2 or any(part not in DOFS for part in parts):
        raise HydroError(f"'{name}' is no degree of freedom and no pair", wrong=name, valid=DOFS)
    return DOFS.index(parts[0]), DOFS.index(parts[-1])
