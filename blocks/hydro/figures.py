"""Figures of hydrodynamic data: coefficients, excitation, motions and drift over frequency."""

from __future__ import annotations

from typing import TYPE_CHECKING

import matplotlib as mpl
import numpy as np
import xarray as xr
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from blocks import style
from blocks.hydro.dataset import in_waves
from blocks.hydro.dofs import DOFS
from blocks.hydro.errors import HydroError

if TYPE_CHECKING:
    from matplotlib.axes import Axes

_HEADINGS = 5
"""How many headings are drawn."""


def hydrodynamics_figure(dataset: xr.Dataset, *, title: str = "") -> Figure:
    """Added mass and damping of each degree of freedom by itself, excitation, motions and drift, as far as they are.

    Triangles at the right end are added mass of infinite frequency.

    Raises HydroError if there are fewer than two frequencies.
    """
    waves = in_waves(dataset)
    omega = waves["omega"].values
    if len(omega) < 2:
        raise HydroError(f"a figure needs two frequencies or more, and there are {len(omega)}")
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(13.0, 8.4), layout="constrained")
        figure.suptitle(title or str(dataset.attrs.get("title", "")), x=0.01, ha="left", parse_math=False)
        axes = figure.subplots(3, 4, sharex=True)
        _coefficients(axes[0], dataset, waves)
        _responses(axes[1, :], waves, "excitation_force", ("Surge", "Heave", "Roll", "Pitch"), "excitation")
        if "rao" in waves:
            _responses(axes[2, :3], waves, "rao", ("Heave", "Roll", "Pitch"), "motion")
        else:
            for ax in axes[2, :3]:
                ax.set_axis_off()
        _drift(axes[2, 3], waves)
        lines, names = axes[1, 0].get_legend_handles_labels()
        if names:
            blank = Line2D([], [], linestyle="none")
            figure.legend(
                [blank, *lines], ["waves to", *names], loc="outside upper right", ncols=len(names) + 1, fontsize=10
            )
        for ax in axes[2]:
            ax.set_xlabel("ω, rad/s")
    return figure


def _coefficients(axes: np.ndarray, dataset: xr.Dataset, waves: xr.Dataset) -> None:
    """A and B: translations in the first two plots, rotations in the others."""
    omega = waves["omega"].values
    order = ("omega", "influenced_dof", "radiating_dof")
    mass = waves["added_mass"].transpose(*order).values
    damping = waves["radiation_damping"].transpose(*order).values
    whole = dataset["added_mass"].transpose(*order).values
    infinite = np.flatnonzero(np.isinf(dataset["omega"].values))
    for first, (up, down), name, unit in ((0, axes[:2], "translations", "kt"), (3, axes[2:], "rotations", "kt m²")):
        for k, colour in zip(range(first, first + 3), style.SERIES, strict=False):
            up.plot(omega, mass[:, k, k] * 1e-6, color=colour, label=DOFS[k])
            if len(infinite):
                up.plot(omega[-1], whole[infinite[0], k, k] * 1e-6, "<", color=colour, ms=5, clip_on=False)
            down.plot(omega, damping[:, k, k] * 1e-6, color=colour, label=DOFS[k])
        up.set(title=f"Added mass, {name}", ylabel=unit)
        down.set(title=f"Damping, {name}", ylabel=f"{unit}/s")
    for ax in axes:
        ax.set_ylim(bottom=min(0.0, ax.get_ylim()[0]))
    for ax in axes[::2]:
        _legend(ax, 1)


def _legend(ax: Axes, rows: int) -> None:
    """Names above the curves, in so many rows, with room made for them."""
    low, high = ax.get_ylim()
    ax.set_ylim(low, high + (0.08 + 0.1 * rows) * (high - low))
    columns = -(-len(ax.get_legend_handles_labels()[1]) // rows)
    ax.legend(loc="upper right", ncols=columns, fontsize=9, borderaxespad=0.1, handlelength=1.2, columnspacing=1.0)


def _shown(waves: xr.Dataset) -> list[int]:
    """Numbers of headings from following to head sea, a few of them."""
    beta = waves["wave_direction"].values
    ahead = np.flatnonzero(beta >= -1e-9)
    step = max(1, (len(ahead) - 1) // (_HEADINGS - 1)) if len(ahead) > 1 else 1
    return [int(k) for k in ahead[::step]]


def _responses(axes: np.ndarray, waves: xr.Dataset, name: str, dofs: tuple[str, ...], what: str) -> None:
    """Amplitudes by heading; dashed of waves that come from ahead, since those from astern often are the same."""
    omega, last = waves["omega"].values, "radiating_dof" if name == "rao" else "influenced_dof"
    for ax, dof in zip(axes, dofs, strict=True):
        if name not in waves or not waves.sizes["wave_direction"]:
            ax.set_axis_off()
            continue
        table = np.abs(waves[name].sel({last: dof}).transpose("omega", "wave_direction").values)
        turning = dof in DOFS[3:]
        if name == "rao":
            label, table = ("°/m", np.degrees(table)) if turning else ("m/m", table)
        else:
            label, table = "MN m/m" if turning else "MN/m", table * 1e-6
        for colour, k in zip(style.SERIES, _shown(waves), strict=False):
            beta = float(np.degrees(waves["wave_direction"].values[k]))
            ax.plot(omega, table[:, k], "--" if beta > 91.0 else "-", color=colour, label=f"{beta:.0f}°")
        ax.set(title=f"{dof} {what}", ylabel=label)
        top = 1.08 * float(np.nanmax(table)) if np.any(np.isfinite(table)) else 1.0
        ax.set_ylim(0.0, max(top, 1e-12))


def _drift(ax: Axes, waves: xr.Dataset) -> None:
    """Mean drift ahead in head sea, and to the side in beam sea."""
    if "mean_drift" not in waves:
        ax.set_axis_off()
        return
    beta, omega = waves["wave_direction"].values, waves["omega"].values
    for colour, dof, at in ((style.SERIES[0], "Surge", np.pi), (style.SERIES[1], "Sway", 0.5 * np.pi)):
        k = int(np.argmin(np.abs(np.abs(beta) - at)))
        values = waves["mean_drift"].sel(drift_dof=dof).transpose("omega", "wave_direction").values[:, k] * 1e-3
        ax.plot(omega, values, color=colour, label=f"{dof}, waves to {np.degrees(beta[k]):.0f}°")
    ax.set(title="Mean drift", ylabel="kN/m²")
    _legend(ax, 2)
