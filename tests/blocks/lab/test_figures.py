"""The standard figures say what was measured."""

from __future__ import annotations

import importlib
import math
import pkgutil
from dataclasses import fields, is_dataclass
from pathlib import Path

import pytest
from matplotlib.figure import Figure
from matplotlib.text import Annotation

from blocks import lab, style
from blocks.errors import ParameterError
from blocks.lab import ManoeuvreError, table, turning_circle_figure, zigzag_figure
from blocks.lab.measures import ORDER
from blocks.units import parse


def words(figure: Figure) -> str:
    return "\n".join(text.get_text() for text in figure.findobj(Annotation))


def test_the_turning_circle_has_its_dimensions(circle, tmp_path: Path) -> None:
    trials = {"to port": circle(side=-1.0, radius=5.0), "to starboard": circle()}
    figure = turning_circle_figure(trials, title=r"Circles, $\frac{1$")
    for text in ("advance 5.00 m", "transfer 5.00 m", "tactical diameter 10.00 m"):
        assert text in words(figure)
    assert "advance 4.00 m" in words(turning_circle_figure(trials, dimensions="to starboard", length=1.0))
    track = figure.axes[0]
    assert track.get_aspect() == 1.0
    low, high = track.get_xlim()
    assert low < -11.0 < 8.0 < high
    figure.savefig(tmp_path / "circle.png")
    assert all(track.get_position().x1 < axes.get_position().x0 for axes in figure.axes[1:])
    assert (tmp_path / "circle.png").stat().st_size > 10_000


def test_the_zigzag_test_has_its_overshoots(sinusoid, tmp_path: Path) -> None:
    change, overshoot = math.radians(10.0), math.radians(3.0)
    figure = zigzag_figure({"10°/10°": sinusoid(change, overshoot)}, heading_change={"10°/10°": change})
    assert [f"overshoot {k}\n3.00°" in words(figure) for k in range(1, 6)] == [True] * 5
    assert figure.axes[0].get_title(loc="left") == "10°/10°"
    figure.savefig(tmp_path / "zigzag.png")
    assert (tmp_path / "zigzag.png").stat().st_size > 10_000


def test_what_cannot_be_measured_cannot_be_drawn(circle) -> None:
    with pytest.raises(ManoeuvreError, match="too short"):
        turning_circle_figure({"short": circle(turned=2.0)})


def test_more_trials_than_colours_are_all_drawn(circle) -> None:
    count = len(style.SERIES) + 1
    figure = turning_circle_figure({str(k): circle(turned=4.0) for k in range(count)})
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == [str(k) for k in range(count)]


def test_trials_want_names_and_arguments_the_names_of_trials(circle, sinusoid) -> None:
    message = r"turning_circle_figure takes trials by name, such as \{'35° to starboard': …\}, not Trial"
    with pytest.raises(ManoeuvreError, match=message):
        turning_circle_figure(circle())
    with pytest.raises(ManoeuvreError, match=r"zigzag_figure takes trials by name, .* not an empty one"):
        zigzag_figure({})
    with pytest.raises(ManoeuvreError, match=r"table takes measures by name, .* not list"):
        table([])  # type: ignore[arg-type]
    with pytest.raises(ManoeuvreError, match=r"dimensions: there is no trial '35'; did you mean '35°'\?"):
        turning_circle_figure({"35°": circle()}, dimensions="35")
    with pytest.raises(ParameterError, match=r"turning_circle_figure: length must be > 0 m, not -1"):
        turning_circle_figure({"35°": circle()}, length=-1.0)
    trials = {"10°/10°": sinusoid(0.17, 0.05)}
    with pytest.raises(ManoeuvreError, match=r"heading_change: there is no trial '10/10'; did you mean '10°/10°'\?"):
        zigzag_figure(trials, heading_change={"10/10": 0.17})
    with pytest.raises(
        ManoeuvreError, match=r"heading_change takes heading changes by the names of trials, .* not 0\.17"
    ):
        zigzag_figure(trials, heading_change=0.17)  # type: ignore[arg-type]


def test_every_measure_has_a_unit_and_words() -> None:
    modules = [importlib.import_module(one.name) for one in pkgutil.walk_packages(lab.__path__, "blocks.lab.")]
    shown = {
        (cls.__name__, place.name): place.metadata
        for module in modules for cls in vars(module).values() if is_dataclass(cls)
        for place in fields(cls) if "label" in place.metadata
    }  # fmt: skip
    assert len(shown) > 50
    for name, said in shown.items():
        assert said["unit"] in ("", ORDER) or parse(said["unit"]), name
        assert len(said["label"]) > 3, name
