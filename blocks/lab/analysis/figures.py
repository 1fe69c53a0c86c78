"""Figures of linear systems: Bode, step response, eigenvalues, root locus."""

from __future__ import annotations

from itertools import cycle

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from blocks import style
from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.linear_system import Array, LinearSystem
from blocks.lab.analysis.margins import Margins, frequencies, loop_response, margins
from blocks.lab.analysis.root_locus import RootLocus

_MOST = 8
"""Curves in one figure that can be told apart."""


def bode_figure(
    system: LinearSystem, *, omega: Array | None = None, negative: bool | None = None, title: str = "Bode plot"
) -> Figure:
    """Magnitude and phase over frequency, a curve for each input and output.

    Of a system with one input and one output that was linearized with `opened=…` it is the loop that is drawn, with its
    margins; `negative` as in `margins`. Raises AnalysisError for more than eight curves.
    """
    pairs = _pairs(system)
    is_loop = len(pairs) == 1 and (bool(system.opened) if negative is None else negative)
    at = frequencies(system, 500) if omega is None else np.asarray(omega, dtype=np.float64)
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(9.0, 6.5), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        upper, lower = figure.subplots(2, 1, sharex=True)
        for colour, (i, j) in zip(cycle(style.SERIES), pairs, strict=False):
            response = loop_response(system, negative=True, omega=at)[1] if is_loop else None
            response = system.frequency_response(at)[:, i, j] if response is None else response
            name = f"{system.outputs[i]} by {system.inputs[j]}"
            upper.semilogx(at, 20.0 * np.log10(np.maximum(np.abs(response), 1e-300)), color=colour, label=name)
            phase = np.degrees(np.unwrap(np.angle(response)))
            if is_loop:  # about -180°, where crossovers are looked for
                phase -= 360.0 * np.ceil(phase[np.argmin(np.abs(np.log(np.maximum(np.abs(response), 1e-300))))] / 360.0)
            lower.semilogx(at, phase, color=colour)
        unit = "" if len(pairs) > 1 else f" of {system.output_units[pairs[0][0]]} per {system.input_units[pairs[0][1]]}"
        upper.set(title="Loop" if is_loop else "Response", ylabel=f"magnitude, dB{'' if is_loop else unit}")
        lower.set(ylabel="phase, °", xlabel="frequency, rad/s")
        upper.legend(**style.LEGEND, ncols=1 if len(pairs) < 3 else 2)
        for ax in (upper, lower):
            ax.set_xlim(at[0], at[-1])
        if is_loop:
            _mark(upper, lower, margins(system, negative=True))
        return figure


def _mark(upper: Axes, lower: Axes, found: Margins) -> None:
    """The margins of a loop, where they are."""
    upper.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    whole = -180.0
    lower.axhline(whole, color=style.WAYPOINT, linewidth=0.8)
    if found.gain is not None and found.gain_at is not None:
        decibels = -20.0 * np.log10(found.gain)
        upper.plot([found.gain_at] * 2, [0.0, decibels], color=style.ERROR, linewidth=2.5)
        text = f" gain margin {found.gain:.3g} ({-decibels:.3g} dB) "
        upper.annotate(
            text, (found.gain_at, 0.35 * decibels), color=style.ERROR, ha="right" if decibels > 0.0 else "left"
        )
    if found.phase is not None and found.phase_at is not None:
        phase = np.degrees(found.phase)
        lower.plot([found.phase_at] * 2, [whole, whole + phase], color=style.ERROR, linewidth=2.5)
        lower.annotate(f" phase margin {phase:.3g}°", (found.phase_at, whole + 0.5 * phase), color=style.ERROR)
        upper.axvline(found.phase_at, color=style.ERROR, linewidth=0.8, linestyle=":")
        lower.axvline(found.phase_at, color=style.ERROR, linewidth=0.8, linestyle=":")


def step_figure(system: LinearSystem, *, end: float | None = None, title: str = "Step response") -> Figure:
    """Responses to unit steps of the inputs, a curve for each input and output.

    end: s; by default what the slowest stable mode takes. Raises AnalysisError for more than eight curves.
    """
    import control

    pairs = _pairs(system)
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(9.0, 4.5), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        ax = figure.subplots()
        model = system.to_control()
        time = None if end is None else np.linspace(0.0, end, 500)
        response = control.step_response(model, time, squeeze=False)
        for colour, (i, j) in zip(cycle(style.SERIES), pairs, strict=False):
            ax.plot(
                response.time, response.outputs[i, j], color=colour, label=f"{system.outputs[i]} by {system.inputs[j]}"
            )
        unit = f", {system.output_units[pairs[0][0]]}" if len({system.output_units[i] for i, _ in pairs}) == 1 else ""
        ax.set(xlabel="time, s", ylabel=f"departure from the operating point{unit}")
        ax.legend(**style.LEGEND, ncols=1 if len(pairs) < 3 else 2)
        return figure


def eigenvalue_figure(systems: dict[str, LinearSystem], *, title: str = "Eigenvalues") -> Figure:
    """Eigenvalues of systems in the complex plane, a colour for each."""
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=style.SQUARE, layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        ax = figure.subplots()
        for colour, (name, system) in zip(cycle(style.SERIES), systems.items(), strict=False):
            values = system.eigenvalues
            ax.plot(values.real, values.imag, "x", color=colour, markersize=9, markeredgewidth=2, label=name)
        _plane(ax)
        ax.legend(**style.LEGEND)
        return figure


def root_locus_figure(locus: RootLocus, *, title: str = "Root locus") -> Figure:
    """Eigenvalues over a parameter: small and pale at its first value, large and dark at its last."""
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure = Figure(figsize=(8.4, 7.0), layout="constrained")
        figure.suptitle(title, x=0.01, ha="left", parse_math=False)
        ax = figure.subplots()
        values = np.broadcast_to(locus.values[:, None], locus.eigenvalues.shape)
        scale = "log" if np.all(locus.values > 0.0) and locus.values.max() > 30.0 * locus.values.min() else "linear"
        points = ax.scatter(
            locus.eigenvalues.real, locus.eigenvalues.imag, c=values, s=16.0, cmap="viridis_r", norm=scale, zorder=3
        )
        ax.plot(
            locus.eigenvalues[0].real, locus.eigenvalues[0].imag, "x", color=style.WAYPOINT, markersize=8,
            label=f"{locus.values[0]:g}",
        )  # fmt: skip
        ax.plot(
            locus.eigenvalues[-1].real, locus.eigenvalues[-1].imag, "o", color=style.WAYPOINT, markersize=8,
            markerfacecolor="none", label=f"{locus.values[-1]:g}",
        )  # fmt: skip
        figure.colorbar(points, ax=ax, label=f"{locus.parameter}, {locus.unit}", shrink=0.8)
        _plane(ax)
        ax.legend(**style.LEGEND, ncols=2)
        return figure


def _plane(ax: Axes) -> None:
    ax.margins(0.08)
    ax.axvline(0.0, color=style.WAYPOINT, linewidth=0.8)
    ax.axhline(0.0, color=style.WAYPOINT, linewidth=0.8)
    left, right = ax.get_xlim()
    if right > 0.0:
        ax.axvspan(0.0, right, color="#fee2e2", zorder=0, linewidth=0)
        ax.set_xlim(left, right)
    ax.set(xlabel="real part, 1/s", ylabel="imaginary part, rad/s")


def _pairs(system: LinearSystem) -> list[tuple[int, int]]:
    pairs = [(i, j) for i in range(len(system.outputs)) for j in range(len(system.inputs))]
    if not pairs:
        raise AnalysisError("the system has no input or no output: name some of both, inputs=…, outputs=…")
    if len(pairs) > _MOST:
        raise AnalysisError(
            f"{len(pairs)} curves, of {len(system.outputs)} outputs by {len(system.inputs)} inputs, cannot be told "
            f"apart: choose with system.select(inputs, outputs)"
        )
    return pairs
