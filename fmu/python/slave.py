"""What the slaves for FMI 2 and FMI 3 have in common: everything that is called alike in both."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from fmu.python.front import CHECK, HANDSHAKE, Front, refuse_strings
from fmu.python.instance import READABLE, SETTABLE, Instance


class Slave:
    """Calls that the wrappers of both versions make. A subclass is also a slave of PythonFMU or PythonFMU3."""

    prefix: str
    """Of the names of functions in messages: "fmi2"."""
    state_function: str
    state_check: str
    front: Front
    instance: Instance

    def begin(self, resources: str, queue: list[Any]) -> None:
        """Load the model."""
        self.front = Front(resources, queue, is_format=self.prefix == "fmi2")
        self.instance = self.front.instance

    def change(self, action: Callable[[str], None], function: str) -> None:
        """Do something that may change the state of the instance."""
        try:
            action(function)
            self.front.publish()
        except Exception as problem:
            self.front.failed(problem, self)

    def exit_initialization_mode(self) -> None:
        """ExitInitializationMode."""
        self.change(self.instance.exit_initialization, f"{self.prefix}ExitInitializationMode")

    def terminate(self) -> None:
        """Terminate."""
        self.change(self.instance.terminate, f"{self.prefix}Terminate")

    def get_string(self, vrs: list[int]) -> list[str]:
        """GetString: there are no strings."""
        try:
            self.instance.require(f"{self.prefix}GetString", READABLE)
            refuse_strings(f"{self.prefix}GetString", vrs)
        except Exception as problem:
            self.front.failed(problem, self)
            return [""] * len(vrs)

    def set_string(self, vrs: list[int], values: list[str]) -> None:
        """SetString: there are no strings, but the stub's first call comes this way."""
        if vrs == [HANDSHAKE, HANDSHAKE] and self.front.shared is None:
            self.front.shake_hands(*values)
            return
        try:
            self.instance.require(f"{self.prefix}SetString", SETTABLE)
            refuse_strings(f"{self.prefix}SetString", vrs)
        except Exception as problem:
            self.front.failed(problem, self)

    def _get_fmu_state(self) -> bytes:
        try:
            return self.instance.save()
        except Exception as problem:
            self.front.failed(problem, self)
            return b""

    def _set_fmu_state(self, state: bytes) -> None:
        shared = self.front.shared
        if shared is not None and shared.count == CHECK:
            self.change(lambda function: self.instance.check_state(function, state), self.state_check)
        else:
            self.change(lambda function: self.instance.restore(function, state), self.state_function)

    @staticmethod
    def _fmu_state_to_bytes(state: bytes) -> bytes:
        return state

    @staticmethod
    def _fmu_state_from_bytes(state: bytes) -> bytes:  # whether it is one is found out when it is set
        return state
