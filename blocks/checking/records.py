"""Problems as JSON, and the schema of what `keelblocks check --json` prints."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import TypeAdapter

from blocks.problems import Problem


@dataclass(frozen=True)
class CheckedFile:
    """One of the objects that `keelblocks check --json` prints, one for each file. Without errors it says more."""

    file: str
    ok: bool
    message: str
    problems: tuple[Problem, ...]
    name: str | None = None
    blocks: int | None = None
    connections: int | None = None
    continuous_states: int | None = None
    discrete_states: int | None = None
    plan: str | None = None


@functools.cache
def _adapter() -> TypeAdapter[tuple[Problem, ...]]:
    return TypeAdapter(tuple[Problem, ...])


def as_data(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    """Problems as plain data, without what is not known."""
    found: list[dict[str, Any]] = _adapter().dump_python(tuple(problems), mode="json", exclude_defaults=True)
    return found


def schema() -> dict[str, Any]:
    """The JSON schema of what `keelblocks check --json` prints."""
    return TypeAdapter(list[CheckedFile]).json_schema()
