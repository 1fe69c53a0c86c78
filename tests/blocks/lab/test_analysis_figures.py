"""What the figures of linear systems draw is what the systems are."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure
from servo import position_loop

from blocks import Diagram
from blocks.basic import StateSpace
from blocks.lab.analysis import (
    AnalysisError,
    LinearSystem,
    bode_figure,
    eigenvalue_figure,
    linearize,
    margins,
    root_locus,
    root_locus_figure,
    step_figure,
)


def lag(pole: float) -> LinearSystem:
    """1/(s - pole)."""
    alone = Diagram("alone")
    alone.add("lag", StateSpace([[pole]], [[1.0]], [[1.0]], [[0.0]]))
    alone.inputs(u="lag.u")
    alone.outputs(y="lag.y")
    return linearize(alone)


def curve(figure: Figure, label: str, axes: int = 0) -> tuple[np.ndarray, np.ndarray]:
    (line,) = [line for line in figure.axes[axes].get_lines() if line.get_label() == label]
    return np.asarray(line.get_xdata(), dtype=float), np.asarray(line.get_ydata(), dtype=float)


def test_eigenvalues_stand_where_they_are_each_system_by_its_name() -> None:
    figure = eigenvalue_figure({"quick": lag(-2.0), "loop": linearize(position_loop(2.0))}, title="Both")
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["quick", "loop"]
    assert curve(figure, "quick") == (pytest.approx([-2.0]), pytest.approx([0.0]))
    real, imaginary = curve(figure, "loop")
    roots = np.roots([1.0, 3.0, 2.0, 2.0])
    assert np.sort_complex(real + 1j * imaginary) == pytest.approx(np.sort_complex(roots), abs=1e-6)
    assert figure.get_suptitle() == "Both"


def test_a_bode_plot_is_the_frequency_response() -> None:
    omega = np.array([0.02, 0.5, 2.0, 30.0])
    figure = bode_figure(lag(-0.5), omega=omega)
    label = figure.axes[0].get_lines()[0].get_label()
    at, decibels = curve(figure, label)
    assert at.tolist() == omega.tolist()
    assert decibels == pytest.approx(-10.0 * np.log10(omega**2 + 0.25))
    phase = figure.axes[1].get_lines()[0].get_ydata()
    assert phase == pytest.approx(-np.degrees(np.arctan(2.0 * omega)))


def test_a_loop_is_drawn_with_its_margins() -> None:
    loop = linearize(position_loop(2.0), opened="error.y")
    found = margins(loop)
    figure = bode_figure(loop)
    said = " ".join(text.get_text() for axes in figure.axes for text in axes.texts)
    assert "gain margin 3 (9.54 dB)" in said
    assert f"phase margin {np.degrees(found.phase):.3g}°" in said
    marked = [line.get_xdata()[0] for line in figure.axes[0].get_lines() if len(line.get_xdata()) == 2]
    assert found.gain_at in marked
    phase = figure.axes[1].get_lines()[0]
    omega = phase.get_xdata()
    assert phase.get_ydata() == pytest.approx(-90.0 - np.degrees(np.arctan(omega) + np.arctan(omega / 2.0)), abs=1e-3)


def test_a_step_response_is_that_of_the_system() -> None:
    figure = step_figure(lag(-0.5), end=4.0)
    line = figure.axes[0].get_lines()[0]
    assert line.get_ydata() == pytest.approx(2.0 * (1.0 - np.exp(-0.5 * line.get_xdata())), abs=1e-6)
    assert line.get_xdata()[-1] == 4.0


def test_a_root_locus_has_every_eigenvalue_of_every_value() -> None:
    locus = root_locus(position_loop(), "gain.gain", np.linspace(1.0, 12.0, 12))
    figure = root_locus_figure(locus)
    offsets = [np.asarray(points.get_offsets()) for points in figure.axes[0].collections]
    drawn = np.concatenate([places for places in offsets if len(places)])
    for value in locus.eigenvalues.ravel():
        assert np.abs(drawn - [value.real, value.imag]).sum(axis=1).min() < 1e-9


def test_more_curves_than_can_be_told_apart_are_refused() -> None:
    wide = Diagram("wide")
    wide.add("matrix", StateSpace(-np.eye(3), np.eye(3), np.ones((3, 3)), np.zeros((3, 3))))
    wide.inputs(u="matrix.u")
    wide.outputs(y="matrix.y")
    with pytest.raises(AnalysisError, match="9"):
        bode_figure(linearize(wide))
