"""Errors that a user can cause, and warnings, in one family each, and the near misses that messages carry."""

from __future__ import annotations

import difflib
from collections.abc import Iterable


class KeelblocksError(Exception):
    """Something that the user can put right; the message says what, where and how."""


class DeclarationError(KeelblocksError):
    """A block class is declared in a way that cannot work."""


class ParameterError(KeelblocksError, ValueError):
    """A parameter has the wrong name, shape, unit or range."""


class WiringError(KeelblocksError):
    """Blocks are connected in a way that cannot work."""


class ScenarioError(KeelblocksError):
    """A scenario file cannot be read or does not say what a scenario must say."""


class SimulationError(KeelblocksError):
    """A run could not be started or had to stop."""


class ExportError(KeelblocksError):
    """An FMU cannot be written."""


class FmuError(KeelblocksError):
    """An FMU cannot be opened or used, or it cannot go on."""


class KeelblocksWarning(UserWarning):
    """Something that the user may want to know of; the work goes on."""


class FmuWarning(KeelblocksWarning):
    """An FMU, or a package of FMUs, is not quite in order; it is used all the same."""


def did_you_mean(wrong: str, valid: Iterable[str], *, every: int = 12) -> str:
    """The end of a message about an unknown name: the nearest valid names, or all of them if none is near."""
    names = sorted(set(map(str, valid)))
    lowered = {name.lower(): name for name in names}
    near = [lowered[n] for n in difflib.get_close_matches(wrong.lower(), list(lowered), n=3, cutoff=0.6)]
    if near:
        return "; did you mean " + " or ".join(f"'{n}'" for n in near) + "?"
    if not names:
        return "; there are none"
    shown = ", ".join(names[:every]) + (f" and {len(names) - every} more" if len(names) > every else "")
    return f"; valid: {shown}"
