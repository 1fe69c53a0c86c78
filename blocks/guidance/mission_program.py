"""The phases of a mission as numbers: a row for each step that a kernel can take."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.guidance.mission_words import CONDITIONS, Abort, Phase

Array = NDArray[np.float64]

STEPS = ("end", "go", "hold", "dive", "circle", "follow")
"""What a row tells the vehicle to do; the kernel knows them by name."""
PLACES = ("here", "given", "start", "target")
"""Where a row leads: where the vehicle is, x and y of the row, where the mission began, or beside the target."""
DEPTHS = ("kept", "given", "target")
"""The depth of a row: the one before, z of the row, or z from the target."""
UNTIL = ("done", "duration", "time", "proceed", "near")
"""When a row is done: when it has got there, by a time, by a signal, or near the target."""
ENDINGS = ("pass", "slow", "again")
"""How a vehicle comes to the end of a leg: passing it, slowing down, or going round again if it misses it."""

COLUMNS = (
    *("step", "phase", "waypoint", "place", "x", "y", "z", "depth", "speed", "radius"),
    *("turns", "ending", "until", "limit", "longest", "late"),
)
"""What a row says, in the order in which the kernel sees it: `COLUMN_STEP` and so on.

radius: of acceptance of a leg, 0 for that of the block; of a circle; or within which following slows down. limit: of
`until`, s or m. longest: time that the phase may take, 0 for any. late: the row to go on at if it takes longer, from 0.
"""
WIDTH = len(COLUMNS)


@dataclass
class Row:
    """A row, by the names of its columns."""

    step: str
    place: str = "here"
    point: Sequence[float] = (0.0, 0.0, 0.0)
    depth: str = "kept"
    speed: float = 0.0
    radius: float = 0.0
    turns: float = 0.0
    ending: str = "pass"
    until: str = "done"
    limit: float = 0.0
    phase: int = 0
    waypoint: int = 0
    longest: float = 0.0
    late: int = 0

    def numbers(self) -> list[float]:
        """In the order of `COLUMNS`."""
        x, y, z = self.point
        words = {
            "step": STEPS.index(self.step), "phase": self.phase, "waypoint": self.waypoint,
            "place": PLACES.index(self.place), "x": x, "y": y, "z": z, "depth": DEPTHS.index(self.depth),
            "speed": self.speed, "radius": self.radius, "turns": self.turns, "ending": ENDINGS.index(self.ending),
            "until": UNTIL.index(self.until), "limit": self.limit, "longest": self.longest, "late": self.late,
        }  # fmt: skip
        return [float(words[column]) for column in COLUMNS]


@dataclass
class Program:
    """Rows of phases, those that are done if one is late behind their end, and the names of all phases."""

    rows: list[Row] = field(default_factory=list)
    names: list[str] = field(default_factory=list)
    kinds: list[str] = field(default_factory=list)
    last_waypoint: int = 1
    _given: set[str] = field(default_factory=set)  # names that phases were given, which no other one may have
    _taken: dict[str, int] = field(default_factory=dict)  # names, and the last number behind each

    def add(self, phases: Sequence[Phase], before: str = "") -> int:
        """Add phases and their end; returns the number of their first row. `before`: what names begin with."""
        begin = len(self.rows)
        self._given |= _names_given(phases, before)
        late: list[tuple[int, int, Phase]] = []
        for phase in phases:
            first = len(self.rows)
            self.names.append(self._name(phase, before))
            self.kinds.append(phase.kind)
            for row in steps_of(phase):
                row.phase = len(self.names)
                row.longest = phase.values.get("at most", 0.0)
                row.waypoint = self._next_waypoint(row)
                self.rows.append(row)
            late.append((first, len(self.rows), phase))
        end = len(self.rows)
        self.rows.append(Row("end", waypoint=self.last_waypoint))
        for first, last, phase in late:
            if "at most" not in phase.values:
                continue
            to = {"go on": last, "stop": end}.get(str(phase.late), -1)
            if to < 0:
                to = self.add(phase.late, "late: ")  # type: ignore[arg-type]
            for row in self.rows[first:last]:
                row.late = to
        return begin

    def _next_waypoint(self, row: Row) -> int:
        """The waypoint that is steered for, the first one being where the mission begins; else the one before."""
        if row.step == "go":
            self.last_waypoint += 1
        return self.last_waypoint

    def _name(self, phase: Phase, before: str) -> str:
        wanted = f"{before}{phase.name or phase.kind}"
        taken, name, number = self._taken or dict.fromkeys(self.names, 1), wanted, self._taken.get(wanted, 0)
        while name in taken or (name in self._given and not phase.name):
            number += 1
            name = f"{wanted} {number}"
        taken[wanted] = max(number, 1)
        taken.setdefault(name, 1)
        self._taken = taken
        return name

    def count_first(self) -> None:
        """Before the first leg its waypoint counts, too."""
        first = next((row.waypoint for row in self.rows if row.step == "go"), 1)
        for row in self.rows:
            row.waypoint = max(row.waypoint, first)

    def table(self) -> Array:
        """All rows."""
        return np.array([row.numbers() for row in self.rows])


def _names_given(phases: Sequence[Phase], before: str) -> set[str]:
    """The names that phases and those that come if one is late were given."""
    found = {f"{before}{phase.name}" for phase in phases if phase.name}
    for phase in phases:
        if not isinstance(phase.late, str):
            found |= _names_given(phase.late or (), "late: ")
    return found


def program_of(phases: Sequence[Phase]) -> Program:
    """The rows of a mission."""
    program = Program()
    program.add(phases)
    program.count_first()
    return program


def abort_program(aborts: Sequence[Abort], names: Sequence[str] = ()) -> tuple[Array, Program]:
    """The rows of aborts, and what is done then: for each condition its number, its limit, and its first row.

    There is one row at least, of a condition that is never met. names: of phases that there are already; without them
    the rows count phases and waypoints from 1, and the kernel goes on from those of the mission.
    """
    count = max(1, len(aborts))
    program = Program(rows=[Row("end")] * count, names=list(names), kinds=[""] * len(names), last_waypoint=0)
    table = np.zeros((count, WIDTH))
    for number, abort in enumerate(aborts):
        condition = 1 + list(CONDITIONS).index(abort.condition)
        table[number, :3] = condition, abort.value, program.add(abort.then, "abort: ")
    rows = program.table()
    rows[:count] = table
    return rows, program


def steps_of(phase: Phase) -> Iterator[Row]:
    """The rows of one phase, without their numbers."""
    given = phase.values
    for row in _STEPS[phase.kind](given):
        if row.speed == 0.0 and phase.kind != "dock":
            row.speed = given.get("speed", 0.0)
        yield row


def _depth(given: Any, point: Any = ()) -> tuple[str, float]:
    """How deep: as the point says, else as the phase does, else as before."""
    if len(point) == 3:
        return "given", float(point[2])
    return ("given", float(given["depth"])) if "depth" in given else ("kept", 0.0)


def _go(given: Any, point: Any, **more: Any) -> Row:
    depth, z = _depth(given, point)
    return Row("go", "given", (float(point[0]), float(point[1]), z), depth, **more)


def _hold(given: Any) -> Iterator[Row]:
    if "at" in given:
        yield _go(given, given["at"], ending="slow")
    depth, z = _depth(given, given.get("at", ()))
    yield Row("hold", "here", (0.0, 0.0, z), depth, until="duration", limit=given["for"])


def _dive(given: Any) -> Iterator[Row]:
    if "at" in given:
        yield _go({}, given["at"][:2], ending="slow")
    yield Row("dive", "here", (0.0, 0.0, given["depth"]), "given")


def _go_to(given: Any) -> Iterator[Row]:
    yield _go(given, given["place"])


def _go_along(given: Any) -> Iterator[Row]:
    before: Any = None
    for point in given["waypoints"]:
        if before is not None and np.array_equal(point[:2], before[:2]):
            if len(point) == 3:
                yield Row("dive", "here", (0.0, 0.0, float(point[2])), "given")
        else:
            yield _go(given, point)
        before = point


def survey_points(given: Any) -> Array:
    """The ends of the lines of a survey in their order, n×2: as many lines as keep the spacing, both sides included."""
    from cython_kernels.elementary import cos, sin

    course = float(given.get("direction", 0.0))
    along = np.array([float(cos(course)), float(sin(course))])
    across = np.array([-along[1], along[0]]) * (1.0 if given.get("side", "starboard") == "starboard" else -1.0)
    gaps = max(1, math.ceil(given["width"] / given["spacing"] - 1e-9))
    run_in = given.get("run in", 0.0)
    ends = (-run_in, given["length"] + run_in)
    corner = np.asarray(given["corner"])[:2]
    return np.array(
        [
            corner + across * (given["width"] * line / gaps) + along * end
            for line in range(gaps + 1)
            for end in (ends if line % 2 == 0 else ends[::-1])
        ]
    )


def _survey(given: Any) -> Iterator[Row]:
    corner = np.asarray(given["corner"])
    depth = {"depth": float(corner[2])} if len(corner) == 3 else given
    for point in survey_points(given):
        yield _go(depth, point)


def _circle(given: Any) -> Iterator[Row]:
    depth, z = _depth(given, given["around"])
    turns = given.get("turns", 1.0) * (1.0 if given.get("side", "starboard") == "starboard" else -1.0)
    x, y = (float(part) for part in given["around"][:2])
    yield Row("circle", "given", (x, y, z), depth, radius=given["radius"], turns=turns)


def _follow(given: Any) -> Iterator[Row]:
    x, y, z = (float(part) for part in given.get("offset", (0.0, 0.0, 0.0)))
    depth = "given" if "depth" in given else "target"
    yield Row(
        "follow", "target", (x, y, given.get("depth", z)), depth, radius=given.get("slow within", 10.0),
        until="duration" if "for" in given else "done", limit=given.get("for", 0.0),
    )  # fmt: skip


def _dock(given: Any) -> Iterator[Row]:
    from cython_kernels.elementary import cos, sin

    course, away = float(given["heading"]), given.get("from", 10.0)
    within, speed = given.get("within", 0.5), given.get("speed", 0.0)
    back = np.array([-away * float(cos(course)), -away * float(sin(course))])
    if isinstance(given["at"], str):
        depth, z = ("given", given["depth"]) if "depth" in given else ("target", 0.0)
        for place, slow in ((back, away), (0.0 * back, within)):
            yield Row(
                "follow", "target", (float(place[0]), float(place[1]), z), depth, speed=speed, radius=max(slow, within),
                until="near", limit=within,
            )  # fmt: skip
        return
    dock = np.asarray(given["at"])
    deep = {"depth": float(dock[2])} if len(dock) == 3 else given
    yield _go(deep, dock[:2] + back)
    yield _go(deep, dock[:2], radius=within, ending="again", speed=speed)


def _stay(given: Any) -> Iterator[Row]:
    if given["time"] == "proceed":
        yield Row("hold", until="proceed")
    else:
        yield Row("hold", until="time", limit=given["time"])


def _return(given: Any) -> Iterator[Row]:
    if "to" in given:
        yield _go(given, given["to"])
    else:
        depth, z = _depth(given)
        yield Row("go", "start", (0.0, 0.0, z), depth)


_STEPS = {
    "hold": _hold,
    "dive to": _dive,
    "go to": _go_to,
    "go along": _go_along,
    "survey": _survey,
    "circle": _circle,
    "follow": _follow,
    "dock": _dock,
    "stay until": _stay,
    "return": _return,
}
