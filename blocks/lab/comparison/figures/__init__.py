"""The figures of a comparison: each is drawn where its signals are."""

from __future__ import annotations

import io
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from blocks.lab.comparison.outcome import ComparisonOutcome
from blocks.lab.comparison.shown import commands_of, objectives_of
from blocks.lab.comparison.view import View
from blocks.report.mission import Parts
from blocks.study import Study

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Lacks = Callable[[Study, View, Mapping[str, Any], Parts], str]


@dataclass(frozen=True)
class FigureKind:
    """A figure: where it is drawn, what it shows, and what is lacking for it, in words, or nothing."""

    module: str
    caption: str
    lacks: Lacks

    def draw(self, compared: ComparisonOutcome) -> Figure | None:
        """Draw it; None if its signals are not there."""
        from importlib import import_module

        module, _, name = self.module.partition(":")
        made: Figure | None = getattr(import_module(f"blocks.lab.comparison.figures.{module}"), name)(compared)
        return made


def _part(part: str, what: str) -> Lacks:
    def lacks(study: Study, view: View, metrics: Mapping[str, Any], parts: Parts) -> str:
        if getattr(parts, part) is not None:
            return ""
        return f"there is no {part}, or not just one, with {what}; say which: parts: {{{part}: …}}"

    return lacks


def _no_commands(study: Study, view: View, metrics: Mapping[str, Any], parts: Parts) -> str:
    return "" if commands_of(study.diagram, parts) else "no block has an input 'command' that is fed"


def _no_objectives(study: Study, view: View, metrics: Mapping[str, Any], parts: Parts) -> str:
    if objectives_of(view, metrics) is not None:
        return ""
    return (
        f"no two metrics of an error and an energy among {', '.join(metrics)}; say which: objectives: [error, energy]"
    )


def _nothing(study: Study, view: View, metrics: Mapping[str, Any], parts: Parts) -> str:
    return ""


FIGURES: dict[str, FigureKind] = {
    "tracks": FigureKind(
        "tracks:tracks",
        "Tracks over ground, north up, with the legs and the circles of acceptance.",
        _part("vessel", "outputs eta and nu"),
    ),
    "cross_track_error": FigureKind(
        "series:cross_track_error",
        "Cross-track error y_e, positive to starboard of the leg.",
        _part("guidance", "waypoints and an output cross_track_error"),
    ),
    "heading": FigureKind(
        "series:heading",
        "Heading ψ, and broken the heading ψ_d that guidance wants.",
        _part("vessel", "outputs eta and nu"),
    ),
    "surge": FigureKind(
        "series:surge",
        "Surge velocity over ground, and broken what guidance wants.",
        _part("vessel", "outputs eta and nu"),
    ),
    "commands": FigureKind("series:commands", "What the actuators are told.", _no_commands),
    "pareto": FigureKind(
        "pareto:pareto",
        "One metric against another of all members; those on the line are beaten by none in both.",
        _no_objectives,
    ),
    "boxes": FigureKind(
        "boxes:boxes",
        "How metrics are distributed: boxes from quartile to quartile with the median, whiskers to the last member "
        "within 1.5 times that, and a dot for each member beyond, or for each where there are few.",
        _nothing,
    ),
}  # fmt: skip
"""By name, in the order of the report."""

DPI = 110


def draw(compared: ComparisonOutcome) -> dict[str, Figure]:
    """The figures that were asked for, or all, as far as their signals are there."""
    import matplotlib as mpl

    from blocks import style

    made = {}
    wanted = compared.comparison.view.figures
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        for name in FIGURES if wanted is None else wanted:
            figure = FIGURES[name].draw(compared)
            if figure is not None:
                made[name] = figure
    return made


def png(figure: Figure) -> bytes:
    """A figure as PNG."""
    import matplotlib as mpl

    from blocks import style

    data = io.BytesIO()
    with mpl.rc_context(rc=style.SETTINGS):  # type: ignore[arg-type]
        figure.savefig(data, format="png", dpi=DPI, metadata={"Software": None})
    return data.getvalue()
