"""A run in a few numbers, for a table and for scripts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from blocks.report.mission import Mission
from blocks.report.ran import HasBlocks
from blocks.run.result import Result

_STATUS = {
    "end": "complete",
    "stopped": "ended by its stop signal",
    "failed": "failed",
    "interrupted": "interrupted",
}


@dataclass(frozen=True)
class Item:
    """One line of a summary: a key and a value in SI for scripts, a label and text for people."""

    key: str
    value: Any
    label: str
    text: str


def summarise(result: Result, diagram: HasBlocks | None, options: Mapping[str, Any] | None = None) -> list[Item]:
    """The summary of a run: how its mission went, if it had one, and how it was computed.

    `diagram` is None where it is not known. `options` are those of `report` in a scenario. Raises ScenarioError if they
    name what is not there.
    """
    mission = Mission.of(result, diagram, options) if diagram is not None else None
    return [*(summarise_mission(mission) if mission else []), *_run(result)]


def summarise_mission(mission: Mission) -> list[Item]:
    """How a mission went. Items without a label are for scripts only."""
    items: list[Item] = []

    def add(key: str, value: Any, label: str, text: str) -> None:
        items.append(Item(key, value, label, text))

    arrival = mission.arrival_time
    add("arrived", mission.arrived, "arrived", "no" if arrival is None else f"yes, after {duration(arrival)}")
    if arrival is not None:
        add("arrival_time", arrival, "", "")
    reached = sum(time is not None for time in mission.reached[1:])
    wanted = len(mission.waypoints) - 1
    add("waypoints_reached", reached, "waypoints reached" if wanted else "", f"{reached} of {wanted}")
    add("waypoint_times", mission.reached, "", "")
    length, planned = mission.path_length, mission.planned
    plan = "one lap" if planned.loops else "planned" if planned.curved else "legs"
    of = f" ({plan}: {way(planned.length)})" if planned.length else ""
    add("path_length", length, "path length", f"{way(length)}{of}")
    along = mission.phases is None or bool(mission.phases.following.any())
    for key, value, kind in (
        ("cross_track_rms", mission.cross_track_rms, "RMS"), ("cross_track_max", mission.cross_track_max, "largest")
    ):  # fmt: skip
        add(key, value, f"cross-track error, {kind}" if along else "", metres(value))
    if mission.dives:
        times = [dive.duration for dive in mission.dives if dive.duration is not None]
        text = f"{len(times)} of {len(mission.dives)}" + (f", in up to {duration(max(times))}" if times else "")
        add("dives", len(mission.dives), "", "")
        add("depths_reached", len(times), "depths reached", text)
        if times:
            add("longest_dive", max(times), "", "")
    depth = mission.depth_error_after_dive
    if depth is not None:
        label = "depth error after the dive" if mission.dives else "depth error, largest"
        add("depth_error_after_dive", depth, label, f"{depth:.3f} m")
    depth = mission.depth_error_at_arrival
    if depth is not None:
        when = "on arrival" if mission.arrived else "at the end"
        add("depth_error_at_arrival", depth, f"depth error {when}", f"{depth:.3f} m")
    for item in mission.phases.items() if mission.phases else ():
        add(*item)
    if mission.energy is not None:
        add("thruster_energy", mission.energy, "thruster energy", energy(mission.energy))
    return items


def _run(result: Result) -> list[Item]:
    how = result.attributes
    span = float(how["end"]) - float(how["start"])
    wall, factor = float(how["wall_seconds"]), float(how["real_time_factor"])
    step = f"{how['solver']}, " + (
        f"step {how['step']:g} s" if "relative_tolerance" not in how else f"tolerance {how['relative_tolerance']:g}"
    )
    grown = how.get("diverged")
    doubt = [Item("diverged", grown, "cannot be trusted", str(grown))] if grown else []
    return [
        Item("status", result.status, "run", _STATUS.get(result.status, result.status)),
        *doubt,
        Item("simulated_time", span, "simulated time", duration(span)),
        Item("wall_time", wall, "computing time", f"{wall:.3g} s ({step})"),
        Item("real_time_factor", factor, "real-time factor", f"{factor:,.0f}"),
        Item("points", len(result), "recorded points", f"{len(result):,}"),
    ]


def duration(seconds: float) -> str:
    """A time in s, or in minutes and s where that is easier to grasp."""
    if seconds < 120.0:
        return f"{seconds:.4g} s"
    minutes, rest = divmod(seconds, 60.0)
    if minutes < 120.0:
        return f"{minutes:.0f} min {rest:.3g} s"
    return f"{minutes // 60:.0f} h {minutes % 60:.0f} min"


def metres(length: float) -> str:
    """A length to the mm, or in few digits where it is beyond all reason."""
    return f"{length:.3f} m" if abs(length) < 1e7 else f"{length:.3g} m"


def way(length: float) -> str:
    """The length of a path, in km where it is a long one."""
    return f"{length / 1000.0:.4g} km" if abs(length) >= 1e4 else f"{length:.4g} m"


def energy(joules: float) -> str:
    """An energy in a unit that suits its size, and in watt hours."""
    return f"{_scaled(joules, 'J')} ({_scaled(joules / 3600.0, 'W h')})"


def _scaled(value: float, unit: str) -> str:
    """With a prefix from a thousand on."""
    scales = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"))
    scale, prefix = next(((s, p) for s, p in scales if abs(value) >= 0.9995 * s), (1.0, ""))
    return f"{value / scale:.3g} {prefix}{unit}"
