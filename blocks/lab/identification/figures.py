"""Figures of a fit: measurements beside the model, and residuals."""

from __future__ import annotations

from collections.abc import Sequence

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure

from blocks import style
from blocks.lab.identification.outcome import Fit, Identified

_FOR_PEOPLE = {"rad": ("°", 180.0 / np.pi), "rad/s": ("°/s", 180.0 / np.pi)}
_LAGS = 30
_COLUMNS, _HELD_OUT = 6, 2
"""Segments that are drawn."""


def fit_figure(identified: Identified, *, title: str = "Identification") -> Figure:
    """Measured and found over time, a row for each output, a column for each segment; what was held out is shaded.

    Of many segments the first are drawn, and the first of those that were held out.
    """
    fits = [(fit, False) for fit in identified.fits[:_COLUMNS]] + [(fit, True) for fit in identified.tests[:_HELD_OUT]]
    left_out = len(identified.fits) + len(identified.tests) - len(fits)
    title += f" ({left_out} more segments are not drawn)" if left_out else ""
    outputs = fits[0][0].outputs
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(3.5 + 3.6 * len(fits), 1.2 + 2.4 * len(outputs)), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        axes = figure.subplots(len(outputs), len(fits), squeeze=False, sharey="row", sharex="col")
        for column, (fit, is_test) in enumerate(fits):
            for row, name in enumerate(outputs):
                ax = axes[row, column]
                unit, factor = _FOR_PEOPLE.get(fit.units[row], (fit.units[row], 1.0))
                ax.plot(
                    fit.time, factor * fit.measured[:, row], ".", color=style.SERIES[6], markersize=2, label="measured"
                )
                ax.plot(fit.time, factor * fit.found[:, row], color=style.ACTUAL, label="model")
                if is_test:
                    ax.set_facecolor("#f8fafc")
                ax.margins(y=0.12)
                if column == 0:
                    ax.set(ylabel=f"{name}, {unit}")
                ax.annotate(
                    f"score {fit.score[name]:.3f}", (0.99, 0.04), xycoords="axes fraction", ha="right",
                    color=style.WAYPOINT, bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
                )  # fmt: skip
            axes[0, column].set(title=f"{fit.name}{', held out' if is_test else ''}")
            axes[-1, column].set(xlabel="time, s")
        figure.align_ylabels()
        figure.legend(*axes[0, 0].get_legend_handles_labels(), loc="outside upper right", ncols=2, markerscale=4)
        if identified.inputs:
            inputs = "; ".join(f"{column}: {between}" for column, between in identified.inputs.items())
            figure.supxlabel(f"Between samples: {inputs}", x=0.01, ha="left", fontsize="small", parse_math=False)
        return figure


def residual_figure(identified: Identified, *, title: str = "Residuals") -> Figure:
    """Residuals over time, and their autocorrelation with the band in which that of white noise is, 95 % of it."""
    fits: Sequence[Fit] = identified.fits[: len(style.SERIES)]
    outputs = fits[0].outputs
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(13.0, 1.2 + 2.4 * len(outputs)), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        axes = figure.subplots(len(outputs), 2, squeeze=False, width_ratios=(2.0, 1.0))
        for row, name in enumerate(outputs):
            unit, factor = _FOR_PEOPLE.get(fits[0].units[row], (fits[0].units[row], 1.0))
            for fit, colour in zip(fits, style.SERIES, strict=False):
                left = factor * fit.residuals[:, row]
                axes[row, 0].plot(fit.time, left, color=colour, linewidth=0.8, label=fit.name)
                lags = np.arange(1, min(_LAGS, len(left) - 1))
                centred = left - left.mean()
                found = [float(centred[k:] @ centred[:-k] / max(centred @ centred, 1e-300)) for k in lags]
                axes[row, 1].plot(lags, found, ".-", color=colour, linewidth=0.8)
            band = 1.96 / np.sqrt(len(fits[0].time))
            axes[row, 1].axhspan(-band, band, color=style.GRID, zorder=0)
            axes[row, 1].set_ylim(-1.0, 1.0)
            axes[row, 0].set(ylabel=f"{name}, {unit}")
        axes[0, 0].set(title="Measured less found")
        axes[0, 0].legend(**style.LEGEND, ncols=min(len(fits), 4))
        axes[0, 1].set(title="Autocorrelation")
        axes[-1, 0].set(xlabel="time, s")
        axes[-1, 1].set(xlabel="lag, samples")
        return figure
