"""Errors of the parser, which knows lines and columns before there is a document."""

from __future__ import annotations

from typing import Any

from blocks.errors import ScenarioError
from blocks.problems import Problem


def located_at(file: str, start: Any, message: str, code: str, end: Any = None) -> ScenarioError:
    """An error at a mark of the parser, and up to another one."""
    line, column = (start.line + 1, start.column + 1) if start else (1, 1)
    ends = (end.line + 1, end.column + 1) if end and end.line == start.line else (line, column + 1)
    problem = Problem("error", code, message, file=file, line=line, column=column, end_line=ends[0], end_column=ends[1])
    return ScenarioError(str(problem), problems=(problem,))
