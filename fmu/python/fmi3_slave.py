"""The slave for FMI 3.0: what PythonFMU3's wrapper calls. A variable is an array, a value reference its number."""

from __future__ import annotations

from collections.abc import Callable
from math import prod
from typing import Any, NamedTuple

from pythonfmu3.fmi3slave import Fmi3Slave as PythonFmu3Slave

from fmu.python.instance import ANY, DISCARD, FAILED, INSTANTIATED, OK, Refused
from fmu.python.model import BOOLEAN, INTEGER, REAL
from fmu.python.slave import Slave

_TIME = -1  # stands for the place of the independent variable, which is none of the plan's values


class StepResult(NamedTuple):
    """What a step returns to the wrapper."""

    status: int
    terminateSimulation: bool = False  # the wrapper's name for it


class Fmi3Slave(Slave, PythonFmu3Slave):  # type: ignore[misc]
    """A plan as a PythonFMU3 slave. The wrapper finds a slave's class by a base class of this name."""

    prefix = "fmi3"
    state_function = "fmi3SetFMUState"
    state_check = "fmi3DeserializeFMUState"

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.begin(given["resources"], self.log_queue)
        rows = [row for row in self.front.model.table["variables"] if row.get("reference", -1) >= 0]
        self.types: dict[int, str] = {row["reference"]: row["type"] for row in rows}
        self.names: dict[int, str] = {row["reference"]: row["name"] for row in rows}
        self.places: dict[int, list[int]] = {
            row["reference"]: [_TIME]
            if row["causality"] == "independent"
            else list(range(row["place"], row["place"] + prod(row["shape"])))
            for row in rows
        }

    # --- life ------------------------------------------------------------------------------------------------------

    def setup_experiment(self, start_time: float) -> None:
        """Not of FMI 3."""

    def enter_initialization_mode(self) -> None:
        """fmi3EnterInitializationMode. The wrapper drops the experiment; the stub leaves it in what is shared."""
        self.change(self._enter, "fmi3EnterInitializationMode")

    def _enter(self, function: str) -> None:
        shared, instance = self.front.shared, self.instance
        if shared is not None:
            stop = shared.stop if shared.stop_defined else None
            tolerance = shared.tolerance if shared.tolerance_defined else None
            instance.require(function, INSTANTIATED)
            instance.set_up(function, shared.start, stop, tolerance)
        instance.enter_initialization(function)

    def do_step(self, current_time: float, step_size: float) -> StepResult:
        """fmi3DoStep."""
        front, instance = self.front, self.instance
        try:
            if front.shared is None and instance.engine.steps == 0 and current_time != instance.time:
                instance.move_start(current_time)  # the first that is heard of it
            instance.step("fmi3DoStep", current_time, step_size)
            if front.shared is not None:
                front.shared.time = instance.time
            return StepResult(OK)
        except Exception as problem:
            status = problem.status if isinstance(problem, Refused) else FAILED
            if front.shared is not None:
                front.failed(problem, self)
            else:
                front.say(status, str(problem))
            ended = status == DISCARD
            return StepResult(OK if ended else status, ended)

    # --- values ----------------------------------------------------------------------------------------------------

    def get_float64(self, vrs: list[int]) -> list[float]:
        """fmi3GetFloat64."""
        return self._get("fmi3GetFloat64", vrs, REAL, ("Real",), float)

    def get_int32(self, vrs: list[int]) -> list[int]:
        """fmi3GetInt32."""
        return self._get("fmi3GetInt32", vrs, INTEGER, ("Integer",), int)

    def get_int64(self, vrs: list[int]) -> list[int]:
        """fmi3GetInt64: of enumerations, whose stored number is one less."""
        return self._get("fmi3GetInt64", vrs, INTEGER, ("Enumeration",), lambda stored: int(stored) + 1)

    def get_boolean(self, vrs: list[int]) -> list[bool]:
        """fmi3GetBoolean."""
        return self._get("fmi3GetBoolean", vrs, BOOLEAN, ("Boolean",), bool)

    def set_float64(self, vrs: list[int], values: list[float]) -> None:
        """fmi3SetFloat64."""
        self._set("fmi3SetFloat64", vrs, values, REAL, ("Real",), float)

    def set_int32(self, vrs: list[int], values: list[int]) -> None:
        """fmi3SetInt32."""
        self._set("fmi3SetInt32", vrs, values, INTEGER, ("Integer",), float)

    def set_int64(self, vrs: list[int], values: list[int]) -> None:
        """fmi3SetInt64."""
        self._set("fmi3SetInt64", vrs, values, INTEGER, ("Enumeration",), lambda value: float(value - 1))

    def set_boolean(self, vrs: list[int], values: list[bool]) -> None:
        """fmi3SetBoolean."""
        self._set("fmi3SetBoolean", vrs, values, BOOLEAN, ("Boolean",), float)

    def _get(
        self, function: str, vrs: list[int], kind: int, types: tuple[str, ...], as_value: Callable[[float], Any]
    ) -> list[Any]:
        shared = self.front.shared
        try:
            places = self._places(function, vrs, types)
            if shared is not None and shared.count != len(places):
                raise self._wrong_count(function, len(places), shared.count)
            if _TIME not in places:
                return [as_value(value) for value in self.instance.get(function, places, kind, ANY)]
            stored = iter(self.instance.get(function, [p for p in places if p != _TIME], kind, ANY))
            return [self.instance.time if place == _TIME else next(stored) for place in places]
        except Exception as problem:
            self.front.failed(problem, self)
            return [as_value(0.0)] * (shared.count if shared is not None else 0)

    def _set(
        self,
        function: str,
        vrs: list[int],
        values: list[Any],
        kind: int,
        types: tuple[str, ...],
        as_stored: Callable[[Any], float],
    ) -> None:
        try:
            places = self._places(function, vrs, types)
            if len(values) != len(places):
                raise self._wrong_count(function, len(places), len(values))
            if _TIME in places:
                raise Refused(FAILED, f"{function}: {self.names[vrs[places.index(_TIME)]]} cannot be set")
            self.instance.set(function, places, [as_stored(value) for value in values], kind)
        except Exception as problem:
            self.front.failed(problem, self)

    def _places(self, function: str, vrs: list[int], types: tuple[str, ...]) -> list[int]:
        """The places of all elements of these variables."""
        found: list[int] = []
        for vr in vrs:
            if vr not in self.places:
                raise Refused(FAILED, f"{function}: there is no variable with value reference {vr % 2**32}")
            if self.types[vr] not in types:
                raise Refused(FAILED, f"{function}: {self.names[vr]} is not of the type of this function")
            found += self.places[vr]
        return found

    def _wrong_count(self, function: str, wanted: int, given: int) -> Refused:
        return Refused(FAILED, f"{function}: these variables have {wanted} values, but nValues is {given}")
