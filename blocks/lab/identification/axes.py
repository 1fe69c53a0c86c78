"""Velocities as they were logged, turned into body axes at the origin of the model.

u = v_N cos ψ + v_E sin ψ,  v = v_E cos ψ - v_N sin ψ,  and from a point P to the origin:  u + r y_P,  v - r x_P

Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 2.2 and 2.3.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks.errors import ParameterError, did_you_mean
from blocks.lab.identification.errors import LogError
from blocks.lab.identification.numbers import Array
from blocks.units import to_unit

FRAMES = ("earth", "enu", "course", "carriage", "body")


@dataclass(frozen=True)
class Velocity:
    """How a velocity was logged.

    frame: "earth", north and east; "enu", east and north, with a heading counter-clockwise from east, which is turned
    too; "course", speed and course over ground; "carriage", along a towing tank and to starboard of that, with a
    heading from its axis; "body", forward and to starboard. of: the two columns. heading: the column with the heading.
    into: what the velocity forward and to starboard at the origin is called. carriage: the column with the speed of a
    carriage, if the velocity along is relative to it. at: x and y, m, of the point whose velocity it is, in body axes;
    yaw_rate: the column with that, for it.
    """

    frame: str
    of: tuple[str, str]
    heading: str | None = None
    into: tuple[str, str] = ("u", "v")
    carriage: str | None = None
    at: tuple[Any, Any] | None = None
    yaw_rate: str | None = None

    def check(self, name: str) -> None:
        """Raise LogError for what is not complete."""
        if self.frame not in FRAMES:
            raise LogError(f"{name}: velocity: '{self.frame}' is no frame{did_you_mean(self.frame, FRAMES)}")
        for key in ("of", "into"):
            pair = getattr(self, key)
            if isinstance(pair, str) or len(pair) != 2:
                raise LogError(f"{name}: velocity: {key} must be two columns, not {pair!r}")
        if self.frame != "body" and self.heading is None:
            raise LogError(f"{name}: velocity: say which column is the heading, by which '{self.frame}' is turned")
        if self.carriage is not None and self.frame != "carriage":
            raise LogError(f"{name}: velocity: 'carriage' is for frame: carriage, not for '{self.frame}'")
        if self.at is not None and (isinstance(self.at, str) or len(self.at) != 2):
            raise LogError(f"{name}: velocity: at must be x and y of the point, m, not {self.at!r}")
        if (self.at is None) != (self.yaw_rate is None):
            raise LogError(f"{name}: velocity: 'at', of the point that was measured, and 'yaw_rate' go together")

    @property
    def columns(self) -> list[str]:
        """Of the log, that are needed."""
        return [one for one in (*self.of, self.heading, self.carriage, self.yaw_rate) if one is not None]

    def turned(
        self, name: str, columns: Mapping[str, Array], units: Mapping[str, str]
    ) -> tuple[dict[str, Array], dict[str, str]]:
        """The columns with the velocity in body axes among them. Raises LogError."""
        self.check(name)
        second = "rad" if self.frame == "course" else "m/s"
        roles = (
            (self.of[0], "m/s"), (self.of[1], second), (self.heading, "rad"), (self.carriage, "m/s"),
            (self.yaw_rate, "rad/s"),
        )  # fmt: skip
        for column, wanted in roles:
            if column is None:
                continue
            if column not in columns:
                raise LogError(f"{name} has no column '{column}'{did_you_mean(column, columns)}")
            if units[column] != wanted:
                raise LogError(f"{name}: velocity: {column} is in {units[column]}, and {wanted} is wanted")
        made, told = dict(columns), dict(units)
        first, other = (columns[column] for column in self.of)
        if self.frame == "body":
            u, v = first, other
        else:
            assert self.heading is not None
            heading = columns[self.heading]
            if self.frame == "enu":
                heading = made[self.heading] = 0.5 * np.pi - heading
                first, other = other, first
            elif self.frame == "course":
                first, other = first * np.cos(other), first * np.sin(other)
            elif self.carriage is not None:
                first = first + columns[self.carriage]
            u = first * np.cos(heading) + other * np.sin(heading)
            v = other * np.cos(heading) - first * np.sin(heading)
        if self.at is not None and self.yaw_rate is not None:
            x, y = (self._metres(name, one) for one in self.at)
            u, v = u + columns[self.yaw_rate] * y, v - columns[self.yaw_rate] * x
        for column, values in zip(self.into, (u, v), strict=True):
            made[column], told[column] = np.asarray(values), "m/s"
        return made, told

    def _metres(self, name: str, given: Any) -> float:
        try:
            return to_unit(given, "m") if isinstance(given, str) else float(given)
        except (ParameterError, TypeError, ValueError) as problem:
            raise LogError(f"{name}: velocity: at: {problem}") from None
