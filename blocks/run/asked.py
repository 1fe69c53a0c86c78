"""What is asked of a run that goes on step by step: times, and names of outputs."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

from blocks.errors import SimulationError, shown
from blocks.plan import Plan
from blocks.plan.place import Place
from blocks.plan.settings import Settings

NEAR = 1e-6
"""Of a step: nearer than this, an instant is the point of the grid that it was meant to be."""


def names_of(what: str, given: str | Iterable[str] | None) -> list[str] | None:
    """Names of outputs as they were given: one, several, or None. Raises SimulationError if they are no names."""
    if given is None:
        return None
    names = [given] if isinstance(given, str) else list(given) if isinstance(given, Iterable) else [given]
    if wrong := [name for name in names if not isinstance(name, str)]:
        raise SimulationError(
            f"{what} takes names of outputs, such as 'vessel.eta' or ['vessel.*'], not {shown(wrong[0])}"
        )
    return names


def wanted_outputs(*groups: list[str] | None) -> list[str] | None:
    """Outputs to evaluate at every step, without wildcards, as the plan wants them; None means all."""
    if any(group is None or any(set(name) & set("*?") for name in group) for group in groups):
        return None
    return [name for group in groups for name in group or ()]


def evaluated(plan: Plan, wanted: list[str] | None) -> dict[str, Place]:
    """The outputs that are up to date at the end of a step, by name, see `wanted_outputs`."""
    outputs = plan.outputs | plan.external_outputs
    return outputs if wanted is None else {name: outputs[name] for name in outputs if name in wanted}


def no_output(plan: Plan, name: object, known: Iterable[str]) -> SimulationError:
    """What is said of a name that is not among those that are `known`."""
    if str(name).partition("[")[0] in plan.outputs | plan.external_outputs:
        return SimulationError(
            f"'{name}' is not evaluated, since it is neither recorded nor among outputs=…: add it there"
        )
    return SimulationError(f"nothing is called '{name}'", code="unknown-name", wrong=str(name), valid=known)


def seconds(what: str, value: Any, least: float, step: float) -> float:
    """A time, ≥ `least`, s. Raises SimulationError if it is none."""
    if value is None:
        raise SimulationError("advance by how much? advance(0.1), advance('2 min') or advance(until=60)")
    found = value if isinstance(value, float) else Settings.number(what, value)
    if not found >= least - NEAR * step or found == math.inf:
        raise SimulationError(f"{what} must be finite and ≥ {least:g} s, not {shown(value)}")
    return max(found, least)


def one_of(duration: Any, until: Any) -> None:
    """Raise SimulationError where both are given."""
    if duration is not None and until is not None:
        raise SimulationError("advance takes a duration or an instant, advance(0.1) or advance(until=60)")
