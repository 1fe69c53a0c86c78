"""A communication step of FMI 1.0 or 2.0, which may go on after the call, or be discarded."""

from __future__ import annotations

import time
from typing import ClassVar

from fmpy.fmi1 import FMICallException

from fmu.foreign.versions.dialect import DISCARD, GOOD, PENDING, Dialect, Discarded, StepEnd

_AS_WANTED = StepEnd()


class PendingSteps(Dialect):
    """Steps that are waited for until they are made."""

    step_function: ClassVar[str]
    """What makes a step, by FMPy's name, for messages."""

    def step(self, t: float, h: float) -> StepEnd:
        """Go on by h, and wait for an FMU that does so meanwhile. Raises Discarded if it did not."""
        try:
            self.fmu.doStep(t, h)
        except FMICallException as problem:
            found = problem.status
            if found not in (DISCARD, PENDING):
                raise
            while found == PENDING and (found := self.step_status()) == PENDING:
                time.sleep(1e-4)
            if found == DISCARD:
                raise Discarded(self._why()) from None
            if found not in GOOD:
                raise FMICallException(function=self.step_function, status=found) from None
        return _AS_WANTED

    def step_status(self) -> int:
        """The status of a step that goes on."""
        raise NotImplementedError

    def reached(self) -> float:
        """How far a discarded step got, s."""
        raise NotImplementedError

    def terminated(self) -> bool:
        """Whether the FMU wants to end."""
        return False

    def _why(self) -> str:
        try:
            if self.terminated():
                return ": it asks for the end of the simulation"
            return f": it got as far as t = {self.reached():g} s"
        except FMICallException:
            return ""
