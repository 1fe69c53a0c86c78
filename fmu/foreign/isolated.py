"""An FMU in a process of its own: its crash, hang or leak is an error of its block, and the run survives."""

from __future__ import annotations

import contextlib
import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.child.channel import BROKEN, FAILED
from blocks.child.process import Child, ChildExited, ChildTimeout
from blocks.errors import FmuError
from fmu.foreign.spec import Spec

Floats = NDArray[np.float64]

START_SECONDS = 60.0
"""For the process to come up, besides what the FMU may take."""


class IsolatedInstance:
    """The same as `Instance`, with the FMU in another process.

    timeout: how long a call may take, s. memory_limit: how much memory the FMU may take, MB; 0: as much as there is.
    Every method raises FmuError if the process ends, does not answer in time, or takes too much.
    """

    def __init__(self, spec: Spec, name: str, timeout: float, memory_limit: float) -> None:
        self.spec, self.timeout, self.memory_limit = spec, timeout, memory_limit
        self.t0, self.k = math.nan, 0
        self.gone = ""
        try:
            self._child = Child("from fmu.foreign.worker import main; main()")
        except OSError as problem:
            raise FmuError(f"{spec.file}: no process can be started for it: {problem.strerror or problem}") from None
        self._ask("make", spec, name, memory_limit, doing="loading its binary", seconds=START_SECONDS + timeout)

    @property
    def t(self) -> float:
        """The present communication point, s."""
        return self.t0 + self.k * self.spec.step

    def begin(self, t: float) -> None:
        """A new run begins at t."""
        self._ask("begin", t, doing="beginning a run")
        self.t0, self.k = t, 0

    def read(self, inputs: Floats) -> Floats:
        """The outputs at the present communication point."""
        doing = "its initialization" if self.k == 0 else f"reading its outputs at t = {self.t:g} s"
        return self._numbers("read", inputs, count=self.spec.output_width, doing=doing)

    def step(self, inputs: Floats) -> None:
        """Go on by one communication step."""
        self._ask("step", inputs, doing=f"its step from t = {self.t:g} s to {self.t + self.spec.step:g} s")
        self.k += 1

    def save(self) -> bytes:
        """The whole state of the FMU, and where it stands."""
        return self._ask("save", doing="saving its state")

    def restore(self, saved: bytes) -> None:
        """Take up what `save` gave."""
        self._ask("restore", saved, doing="restoring its state")
        t0, k = self._numbers("position", count=2, doing="restoring its state")
        self.t0, self.k = float(t0), int(k)

    def close(self) -> None:
        """Free the instance and end the process."""
        if not self.gone:
            with contextlib.suppress(FmuError):
                self._ask("close", doing="freeing it")
        self._child.end()
        self.gone = self.gone or f"{self.spec.file} was closed"

    def _numbers(self, method: str, *arguments: Any, count: int, doing: str) -> Floats:
        content = self._ask(method, *arguments, doing=doing)
        if len(content) != 8 * count:
            raise FmuError(f"{self.spec.file}: {doing} failed in its process: it gave {len(content)} bytes")
        return np.frombuffer(content)

    def _ask(self, method: str, *arguments: Any, doing: str, seconds: float = 0.0) -> bytes:
        if self.gone:
            raise FmuError(self.gone)
        try:
            code, text, content = self._child.ask(method, *arguments, seconds=seconds or self.timeout)
        except ChildTimeout:
            self.gone = (
                f"{self.spec.file} does not answer: {doing} took more than {seconds or self.timeout:g} s (timeout), "
                f"and its process was ended{self._child.last_words()}"
            )
            raise FmuError(self.gone) from None
        except ChildExited as cause:
            limit = f" (memory_limit is {self.memory_limit:g} MB)" if self.memory_limit else ""
            self.gone = f"{self.spec.file} {cause}{limit} during {doing}{self._child.last_words()}"
            raise FmuError(self.gone) from None
        if code == FAILED:
            raise FmuError(text)
        if code == BROKEN:
            raise FmuError(f"{self.spec.file}: {doing} failed in its process: {text}")
        return bytes(content)
