"""What the outputs and states of a mission depend on, by what its phases and aborts do."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from blocks.model.dependence import TIME, WHOLE, Pattern, Sources, between, elements, rows, same, whole


@dataclass(frozen=True)
class MissionSources:
    """steps, places, until: the words of the rows. conditions: those of the aborts. may_be_late: whether a phase has a
    longest time. sideslip: whether the heading is turned against the drift. along_legs: whether depths go along legs.
    """

    steps: frozenset[str]
    places: frozenset[str]
    until: frozenset[str]
    conditions: frozenset[str]
    may_be_late: bool
    sideslip: bool
    along_legs: bool

    @property
    def inputs(self) -> tuple[str, ...]:
        """The inputs that may not be left open."""
        needed = {
            "nu": self.sideslip,
            "target": self._follows,
            "state_of_charge": "battery below" in self.conditions,
            "sensor_valid": "sensor lost for" in self.conditions,
            "proceed": "proceed" in self.until,
        }
        return tuple(name for name, wanted in needed.items() if wanted)

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """What the phases that there are may need."""
        if output in ("heading", "speed"):
            found = ["eta"]
            if self.sideslip:
                found.append("nu")
            return (*found, "target", "target_velocity") if self._follows else tuple(found)
        if output == "depth":
            return (*(("eta",) if self.along_legs else ()), *(("target",) if self._follows else ()))
        return ("eta",) if output == "cross_track_error" else ()

    def _place_sources(self) -> dict[str, Pattern]:
        """What tells where the row at work leads, and how far the vehicle is from there."""
        found = {"eta": elements("x y"), "place": elements("x y")} | whole("row")
        if "start" in self.places:
            found |= {"start_place": elements("x y")}
        return found

    def _steering_sources(self) -> dict[str, Pattern]:
        """What the course depends on."""
        found = self._place_sources() | whole("lookahead", "loiter_radius", "drifting", "kept_heading")
        if self.sideslip:
            found |= {"nu": elements("u v")} | whole("sideslip_speed")
        if self._follows:
            moving = {"target": elements("x y"), "target_velocity": elements("north east")}
            found |= moving | whole("cruise_speed")
        return found

    def of_output(self, output: str) -> Sources:
        """By what the phases do."""
        circles = "circle" in self.steps
        if output in ("following", "waypoint", "phase", "finished"):
            return whole("row", *(("counting",) if circles and output == "following" else ()))
        if output == "aborted":
            return whole("abort")
        if output == "cross_track_error":
            return self._place_sources() | whole(*(("counting",) if circles else ()))
        if output == "depth":
            return self._depth_sources()
        if output == "heading":
            return self._steering_sources()
        tapered = whole("cruise_speed", "slow_distance", "speed_taper", "taper_angle")
        found = {**self._steering_sources(), **tapered, "eta": elements("x y psi")}
        del found["kept_heading"]
        return found

    def _depth_sources(self) -> Sources:
        found: dict[str, Pattern] = {"place": elements("x y z" if self.along_legs else "z")} | whole("row")
        if self.along_legs:
            found = {**self._place_sources(), **found}
        return found | ({"target": elements("z")} if self._follows else {})

    def _decision(self) -> dict[str, Pattern]:
        """What decides which row is at work next."""
        told = {
            "proceed": "proceed" in self.until,
            "state_of_charge": "battery below" in self.conditions,
            "sensor_valid lost lost_time": "sensor lost for" in self.conditions,
            "row_time": "duration" in self.until,
            "phase_time": self.may_be_late,
            "acceptance_radius": "go" in self.steps,
            "depth_tolerance": "dive" in self.steps,
            "counting swept last_bearing": "circle" in self.steps,
            "abort": bool(self.conditions),
        }
        names = [name for group, counts in told.items() if counts for name in group.split()]
        found = self._place_sources() | whole("begun", "start_time", TIME, *names)
        if "farther than" in self.conditions:
            found |= {"start_place": elements("x y")}
        if "near" in self.until:
            found |= {"target": elements("x y")}
        return found | {"eta": elements("x y z" if self._minds_depth else "x y")}

    @property
    def _follows(self) -> bool:
        return "follow" in self.steps

    @property
    def _minds_depth(self) -> bool:
        """Whether the depth of the vehicle decides what is next."""
        return "deeper than" in self.conditions or "dive" in self.steps

    def of_state(self, state: str) -> Sources:
        """The row by all that may end one, and what a new one begins with by what was wanted then."""
        if state == "begun":
            return whole("begun")
        if state == "start_time":
            return whole("begun", "start_time", TIME)
        if state == "lost":
            return {"sensor_valid": WHOLE}
        if state == "lost_time":
            return whole("sensor_valid", "lost", "lost_time", TIME)
        if state == "start_place":
            return whole("begun", "start_time", TIME) | {"eta": same("x y z"), "start_place": same("x y z")}
        decision = self._decision()
        if state == "row":
            return decision
        if state == "abort":
            return self._abort_sources(decision)
        if state == "drifting":
            return decision | whole("drifting", "drift_radius", "acceptance_radius", "loiter_radius")
        if state in ("counting", "last_bearing") and "counting" in decision:
            return decision | whole(state, "lookahead")
        if state == "kept_heading":
            return {**self._steering_sources(), **decision, "eta": elements(f"x y {'z ' * self._minds_depth}psi")}
        if state == "place":
            return self._next_place_sources(decision)
        return decision | whole(state)

    def _abort_sources(self, decision: Sources) -> Sources:
        """The conditions; all that decides, where a phase may be late or an error depends on the row that is next."""
        if "off track by" in self.conditions or self.may_be_late:
            return {**decision, **whole("abort")}
        found = whole("abort", "begun", "start_time", TIME)
        if not self.conditions:
            return found
        named = ("begun", "start_time", TIME, "row", "state_of_charge", "sensor_valid", "lost", "lost_time")
        found |= {name: decision[name] for name in named if name in decision}
        level = "x y " * ("farther than" in self.conditions) + "z" * ("deeper than" in self.conditions)
        if "farther than" in self.conditions:
            found |= {"start_place": elements("x y")}
        return found | ({"eta": elements(level)} if level else {})

    def _next_place_sources(self, decision: Mapping[str, Pattern]) -> Sources:
        """Where a row begins: where the vehicle is, or is to be, and with the depth that was wanted."""
        level = "x y z" if self._minds_depth else "x y"
        found = {
            **decision,
            "eta": between({"x y": level, "z": "x y z"}),
            "place": between({"x y": "x y", "z": "x y z"}),
        }
        if self._follows:
            near = {"target": between({"x y": "x y", "z": "x y z"})} if "target" in decision else {}
            found |= near or {"target": between({"z": "z"})}
        return {**found, **({} if "depth_tolerance" in decision else {"depth_tolerance": rows("z")})}
