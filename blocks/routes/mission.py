"""Where a mission in words takes the waypoints of a route: its phase `go along`."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.errors import ParameterError
from blocks.guidance import MissionPlan
from blocks.guidance.mission_parameters import phases_of
from blocks.guidance.mission_words import as_data

_KIND = "go along"


def leg_phase(plan: MissionPlan, name: str | None = None) -> int:
    """Which phase, from 0, goes along waypoints: the only one, or the one of a name. Raises ParameterError."""
    kinds = [phase.kind for phase in phases_of(str(plan.values["phases"]))]
    names = plan.phase_names[: len(kinds)]
    able = [k for k, kind in enumerate(kinds) if kind == _KIND]
    called = ", ".join(names[k] for k in able)
    if not able:
        raise ParameterError(
            f"none of the phases {', '.join(names)} goes along waypoints: put "
            "'- go along: [[0, 0], [1, 0]]' where the route belongs, and its waypoints will be replaced"
        )
    if name is not None:
        if found := [k for k in able if names[k] == name]:
            return found[0]
        raise ParameterError(
            f"there is no phase '{name}' that goes along waypoints", code="unknown-choice", wrong=name,
            valid=[names[k] for k in able],
        )  # fmt: skip
    if len(able) > 1:
        raise ParameterError(f"several phases go along waypoints, {called}: choose one by --phase")
    return able[0]


def phase_speed(plan: MissionPlan, phase: int) -> float:
    """At which a phase goes, m/s."""
    own = phases_of(str(plan.values["phases"]))[phase].values.get("speed")
    return float(plan.values["cruise_speed"] if own is None else own)


def with_waypoints(written: Any, phase: int, waypoints: list[list[float]]) -> Any:
    """Phases as they are written, with other waypoints in one of them, and all else as it is."""
    phases = as_data(written, "phases")
    alone = isinstance(phases, (str, Mapping))
    listed = [phases] if alone else list(phases)
    ((word, given),) = listed[phase].items()
    listed[phase] = {word: {**given, "waypoints": waypoints} if isinstance(given, Mapping) else waypoints}
    return listed[0] if alone else listed
