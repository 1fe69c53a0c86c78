"""Names of factors and metrics: they become columns of tables and variables of files."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from blocks.study.errors import StudyError
from blocks.study.members import REPLICATE, SAMPLE

_COLUMNS = ("member", "status", "reason")
_ALL = (*_COLUMNS, "end_time")


def check_names(factors: Iterable[Any], metrics: Iterable[Any], seeds: Iterable[str]) -> None:
    """Raise StudyError for names that a table or a file cannot have, and for names that stand for two things."""
    known, drawn = list(metrics), set(seeds)
    for what, names in (("factor", factors), ("metric", known)):
        for name in names:
            if not isinstance(name, str) or not name.strip():
                raise StudyError(f"the name of a {what} must be text, not {name!r}")
            if "/" in name:
                raise StudyError(f"a {what} cannot be called '{name}': files of results take '/' for a path")
            if name in (SAMPLE, REPLICATE):
                raise StudyError(f"a {what} cannot be called '{name}': results have a dimension of that name")
            if name in (_ALL if what == "factor" else _COLUMNS):
                raise StudyError(f"a {what} cannot be called '{name}': every table has a column of that name")
            if name in drawn:
                raise StudyError(f"'{name}' is among the seeds and cannot be a {what} as well")
            if what == "factor" and name in known:
                raise StudyError(f"'{name}' is the name of a factor and of a metric: give one of them another")
