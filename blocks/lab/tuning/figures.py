"""The figure of a search: how the best value fell, and where the trials were."""

from __future__ import annotations

import re
from typing import Any

import matplotlib as mpl
import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import FormatStrFormatter, LogLocator, NullFormatter

from blocks import style
from blocks.lab.tuning.outcome import Tuned

_CROSS: dict[str, Any] = {"markersize": 4, "markeredgewidth": 0.6, "alpha": 0.6}
_DECADE = 10.0
_FUNCTION = re.compile(r"(\w+)\(([\w.\[\]]+)(.*)\)\Z")


def tuning_figure(tuned: Tuned, *, title: str = "Tuning") -> Figure:
    """The value of each trial and the best so far, and the value over each parameter; the best is marked."""
    names = list(tuned.values)
    columns = min(3, len(names))
    rows = -(-len(names) // columns)
    history = tuned.history
    value = history[tuned.objective].to_numpy()
    counted = np.isfinite(value)
    good = counted & (history["reason"] == "").to_numpy()
    broken = counted & ~good
    label = ", ".join(part for part in ("value", _written(tuned.units.get(tuned.objective, "1"))) if part)
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(13.0, 3.6 + 3.2 * rows), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        grid = figure.add_gridspec(rows + 1, columns, height_ratios=(1.1, *(1.0,) * rows))
        ax = upper = figure.add_subplot(grid[0, :])
        ax.plot(np.flatnonzero(good) + 1, value[good], ".", color=style.SERIES[6], label="trial", markersize=4)
        if broken.any():
            said = "limit broken"
            ax.plot(np.flatnonzero(broken) + 1, value[broken], "x", color=style.SERIES[6], label=said, **_CROSS)
        ax.step(np.arange(len(history)) + 1, history["best"], color=style.ACTUAL, where="post", label="best so far")
        span = value[counted].max() / max(value[counted].min(), 1e-300)
        if value[counted].min() > 0.0 and span > 30.0:
            ax.set_yscale("log")
        ax.set_title(_metric(tuned.objective), parse_math=False)
        ax.set(xlabel="trial", ylabel=label)
        ax.legend(**style.LEGEND, ncols=3)
        for k, name in enumerate(names):
            ax = figure.add_subplot(grid[1 + k // columns, k % columns], sharey=upper)
            ax.plot(history[name][good], value[good], ".", color=style.SERIES[6], markersize=4)
            ax.plot(history[name][broken], value[broken], "x", color=style.SERIES[6], **_CROSS)
            tried = history[name].to_numpy()
            if tried.min() > 0.0 and tried.max() > _DECADE * tried.min():
                ax.set_xscale("log")
                ax.xaxis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
                ax.xaxis.set_major_formatter(FormatStrFormatter("%g"))
                ax.xaxis.set_minor_formatter(NullFormatter())
            ax.plot(tuned.values[name], tuned.value, "o", color=style.REFERENCE, markersize=8, zorder=3)
            of = ", ".join(part for part in (style.in_words(name, names), _written(tuned.units.get(name, "1"))) if part)
            ax.set_xlabel(of, parse_math=False)
            ax.set_ylabel("" if k % columns else label)
            ax.margins(x=0.03)
        return figure


def _written(unit: str) -> str:
    """A unit as it stands at an axis; values are in it already."""
    return "" if unit == "1" else unit.replace("*", "·")


def _metric(text: str) -> str:
    """A metric as a title: "rms(guidance.cross_track_error)" as "rms of guidance: cross track error"."""
    match = _FUNCTION.match(text)
    return text if match is None else f"{match[1].replace('_', ' ')} of {style.in_words(match[2])}{match[3]}"
