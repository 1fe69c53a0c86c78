"""Whether what is to be shown of a comparison is there, before anything runs."""

from __future__ import annotations

from blocks.errors import did_you_mean
from blocks.lab.comparison.errors import ComparisonError
from blocks.lab.comparison.figures import FIGURES
from blocks.lab.comparison.levels import axes_of
from blocks.lab.comparison.shown import parts_of
from blocks.lab.comparison.view import View
from blocks.study import Study


def check_view(study: Study, view: View) -> None:
    """Raise ComparisonError if what is to be shown is not there."""
    axes, metrics = axes_of(study), study.metrics
    for key in ("compare", "panels"):
        name = getattr(view, key)
        if name is not None and name not in axes:
            raise ComparisonError(f"show: {key}: there is no factor '{name}' with levels{did_you_mean(name, axes)}")
    for name, wanted in view.levels.items():
        if name not in axes:
            raise ComparisonError(f"show: levels: there is no factor '{name}' with levels{did_you_mean(name, axes)}")
        if not wanted or isinstance(wanted, str):
            raise ComparisonError(f"show: levels: a list of levels of '{name}' is wanted, not {wanted!r}")
        for level in wanted:
            axes[name].index(level)
    for number in view.members or ():
        if not 0 <= number < len(study):
            raise ComparisonError(f"show: members: there is no member {number}: they go from 0 to {len(study) - 1:,}")
    for key, named in (("objectives", view.objectives or ()), ("best", view.best)):
        for name in named:
            if name not in metrics:
                raise ComparisonError(f"{key}: there is no metric '{name}'{did_you_mean(name, metrics)}")
    if view.objectives is not None and (len(view.objectives) != 2 or len(set(view.objectives)) != 2):
        raise ComparisonError(
            f"objectives: two different metrics are wanted, such as [error, energy], not {list(view.objectives)}"
        )
    parts = parts_of(study.diagram, view)
    for name in view.figures or ():
        if name not in FIGURES:
            raise ComparisonError(f"figures: there is no figure '{name}'{did_you_mean(name, FIGURES)}")
        lacks = FIGURES[name].lacks(study, view, metrics, parts)
        if lacks:
            raise ComparisonError(f"figures: {name} cannot be drawn: {lacks}")
