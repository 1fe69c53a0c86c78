"""What calls an FMU for an engine: one instance for each engine, made when the run begins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from blocks.errors import FmuError, SimulationError
from blocks.python_block import PythonBlock, Runner
from fmu.foreign.interrupts import put_off
from fmu.foreign.spec import Floats, Steps


class FmuRunner(Runner):
    """Evaluates an FMU at its communication points and lets it step from one to the next.

    The number of steps made is a discrete state of the block. By it the runner knows a new run, and a step that has
    been made already.
    """

    def __init__(
        self,
        block: PythonBlock,
        name: str,
        arrays: dict[str, dict[str, Floats]],
        outputs: dict[str, Floats],
        element: Callable[[int], str],
        make: Callable[[str], Steps],
    ) -> None:
        super().__init__(block, name, arrays, outputs)
        self._file = str(block.values["path"])
        self._element = element
        self._make = make
        self._instance: Steps | None = None
        self._step_error = ""

    @property
    def instance(self) -> Steps:
        """The instance, made when first needed."""
        if self._instance is None:
            self._instance = self._make(self.name)
        return self._instance

    def call_outputs(self, t: float) -> int:
        """Read the outputs; 1 if that failed. What was interrupted is done again, unless it is halfway a message."""
        if self._count() == 0 or self.block.values["isolate"]:
            failed = self._undisturbed(self._read, t)
        else:
            failed = self._guarded(self._read, t)
        if not failed:  # the engine evaluates once more after a step that failed, and then asks why
            self.error = self._step_error
        return failed

    def call_update(self, t: float) -> int:
        """Go on by one step; 1 if that failed."""
        failed = self._undisturbed(self._step, t)
        self._step_error = self.error
        return failed

    def set_parameters(self, values: Mapping[str, Any]) -> None:
        """Give the block other parameters. The FMU is made anew with them. Raises ParameterError."""
        before = dict(self.block.values)
        super().set_parameters(values)
        if not all(np.array_equal(before[name], value) for name, value in self.block.values.items()):
            self.close()

    def save(self) -> bytes:
        """The FMU's state. Raises SimulationError if it cannot be had."""
        try:
            return self.instance.save()
        except FmuError as problem:
            raise SimulationError(f"{self.name}: {problem}") from None

    def restore(self, held: bytes) -> None:
        """Take up the FMU's state. Raises SimulationError if that is not possible."""
        try:
            self.instance.restore(held)
        except FmuError as problem:
            raise SimulationError(f"{self.name}: {problem}") from None
        except (ValueError, KeyError, IndexError) as problem:
            raise SimulationError(f"{self.name}: the checkpoint does not hold its state: {problem}") from None

    def close(self) -> None:
        """Free the instance."""
        instance, self._instance = self._instance, None
        if instance is not None:
            instance.close()

    def __del__(self) -> None:
        self.close()

    def _guarded(self, function: Callable[[float], None], t: float) -> int:
        if self.error and self._count() > 0:  # it has stopped the run; nothing may be asked of it any more
            return 1
        self.error = ""
        try:
            function(t)
        except FmuError as problem:
            self.error = str(problem)
        except Exception as problem:  # never a traceback: whatever it is belongs in the message
            self.error = f"{self._file}: {type(problem).__name__}: {problem}"
        return 1 if self.error else 0

    def _undisturbed(self, function: Callable[[float], None], t: float) -> int:
        with put_off() as heard:
            failed = self._guarded(function, t)
        self.interrupted = self.interrupted or bool(heard)
        return failed

    def _count(self) -> int:
        return int(self.states["steps"])

    def _read(self, t: float) -> None:
        k, instance = self._count(), self.instance
        if k == 0 and (instance.k != 0 or instance.t0 != t):
            instance.begin(t)
        elif k != instance.k:
            raise FmuError(f"{self._file} cannot go back from its step {instance.k} to {k}: start the run again")
        flat = instance.read(self._inputs())
        finite = np.isfinite(flat)
        if not np.all(finite):
            what = self._element(int(np.argmin(finite)))
            raise FmuError(f"{self._file}: its {what} is not a finite number")
        first = 0
        for target in self.written.values():
            target[...] = flat[first : first + target.size].reshape(target.shape)
            first += target.size

    def _step(self, t: float) -> None:
        k, instance = self._count(), self.instance
        if k == 0 and (instance.t0 != t or instance.k > 1):  # a new run, in which its outputs were not asked for yet
            instance.begin(t)
        if instance.k == k:
            instance.step(self._inputs())
        self.discrete["steps"][...] = k + 1

    def _inputs(self) -> Floats:
        parts: list[Any] = [array.ravel() for array in self.inputs.values()]
        return np.concatenate(parts) if parts else np.zeros(0)
