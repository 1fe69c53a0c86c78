"""The slave for FMI 2.0: what PythonFMU's wrapper calls."""

from __future__ import annotations

from typing import Any

from pythonfmu.fmi2slave import Fmi2Slave as PythonFmuSlave

from fmu.python.instance import DISCARD, Refused
from fmu.python.model import BOOLEAN, INTEGER, REAL
from fmu.python.slave import Slave


class Fmi2Slave(Slave, PythonFmuSlave):  # type: ignore[misc]
    """A plan as a PythonFMU slave. Value references are places among the plan's values, as in every FMU of Keelblocks.

    The wrapper finds a slave's class by a base class of this name.
    """

    prefix = "fmi2"
    state_function = "fmi2SetFMUstate"
    state_check = "fmi2DeSerializeFMUstate"

    def __init__(self, **given: Any) -> None:
        super().__init__(**given)
        self.begin(given["resources"], self.log_queue)
        self.set_up_refused = False

    def setup_experiment(
        self, start_time: float, stop_time: float | None = None, tolerance: float | None = None
    ) -> None:
        """fmi2SetupExperiment; the wrapper calls it when the initialization begins."""
        self.set_up_refused = True
        try:
            self.instance.set_up("fmi2SetupExperiment", start_time, stop_time, tolerance)
            self.set_up_refused = False
        except Exception as problem:
            self.front.failed(problem, self)

    def enter_initialization_mode(self) -> None:
        """fmi2EnterInitializationMode."""
        if not self.set_up_refused:
            self.change(self.instance.enter_initialization, "fmi2EnterInitializationMode")

    def do_step(self, current_time: float, step_size: float) -> bool:
        """fmi2DoStep."""
        front = self.front
        try:
            self.instance.step("fmi2DoStep", current_time, step_size)
            if front.shared is not None:
                front.shared.time = self.instance.time
            return True
        except Refused as problem:
            if problem.status == DISCARD and front.shared is None:
                front.say(DISCARD, str(problem))
            else:
                front.failed(problem, self)
        except Exception as problem:
            front.failed(problem, self)
        return False

    def get_real(self, vrs: list[int]) -> list[float]:
        """fmi2GetReal."""
        try:
            return self.instance.get("fmi2GetReal", vrs, REAL)
        except Exception as problem:
            self.front.failed(problem, self)
            return [0.0] * len(vrs)

    def get_integer(self, vrs: list[int]) -> list[int]:
        """fmi2GetInteger."""
        instance = self.instance
        try:
            stored = instance.get("fmi2GetInteger", vrs, INTEGER)
            return [int(value) + instance.is_enumeration(vr) for vr, value in zip(vrs, stored, strict=True)]
        except Exception as problem:
            self.front.failed(problem, self)
            return [0] * len(vrs)

    def get_boolean(self, vrs: list[int]) -> list[bool]:
        """fmi2GetBoolean."""
        try:
            return [value != 0.0 for value in self.instance.get("fmi2GetBoolean", vrs, BOOLEAN)]
        except Exception as problem:
            self.front.failed(problem, self)
            return [False] * len(vrs)

    def set_real(self, vrs: list[int], values: list[float]) -> None:
        """fmi2SetReal."""
        try:
            self.instance.set("fmi2SetReal", vrs, values, REAL)
        except Exception as problem:
            self.front.failed(problem, self)

    def set_integer(self, vrs: list[int], values: list[int]) -> None:
        """fmi2SetInteger."""
        instance = self.instance
        try:
            stored = [float(value - instance.is_enumeration(vr)) for vr, value in zip(vrs, values, strict=True)]
            instance.set("fmi2SetInteger", vrs, stored, INTEGER)
        except Exception as problem:
            self.front.failed(problem, self)

    def set_boolean(self, vrs: list[int], values: list[bool]) -> None:
        """fmi2SetBoolean."""
        try:
            self.instance.set("fmi2SetBoolean", vrs, [float(bool(value)) for value in values], BOOLEAN)
        except Exception as problem:
            self.front.failed(problem, self)
