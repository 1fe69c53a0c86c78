"""One plan of a study as workers get it. It can be pickled.

Only plans with blocks written in Python take the diagram along, and are made anew.
"""

from __future__ import annotations

import socket
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from blocks.errors import SimulationError
from blocks.libraries.needs import Need
from blocks.plan import Plan, make_plan
from blocks.study.errors import StudyError
from blocks.study.measuring import Measurement
from cython_kernels import engine as native


@dataclass
class Program:
    """One plan of a study: what an engine needs to run members of it."""

    stored: bytes
    start: float
    end: float
    capacity: int
    """Rows that a recording may have."""
    constants: tuple[NDArray[np.intp], NDArray[np.float64]]
    """Inputs that are equal for all members: places and values."""
    places: NDArray[np.intp]
    """Where the numbers of a member go."""
    measurement: Measurement
    attributes: dict[str, Any]
    diagram: Any = None
    how: dict[str, Any] = field(default_factory=dict)
    """With `diagram`, what `make_plan` takes: for blocks written in Python, and for solvers stepped from Python."""
    plan: Plan | None = None
    stepped: bool = False
    """True if the solver is one that is stepped from Python."""
    libraries: tuple[Need, ...] = ()
    """The libraries that it needs."""
    told: dict[int, list[slice]] = field(default_factory=dict)
    """Where the inputs are that blocks tell of when they stop a run, by the number of the block."""
    compiled: Literal["", "if possible", "always"] = ""
    """Whether workers go on by compiled code: each opens it from the cache of its machine, or compiles it there."""
    together: bool = False
    """Whether members go side by side where they are compiled."""
    code: Any = None
    """What `blocks.compiled.opening` has opened."""

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"plan": None, "code": None}

    def engine(self) -> tuple[native.Engine, Plan | None]:
        """A fresh engine, and the plan whose blocks written in Python it calls."""
        if self.diagram is None:
            engine = native.Engine(self.stored)
            if self.compiled and not self.together:
                self._compile(engine)
            return engine, None
        if self.plan is None:
            self.plan = make_plan(self.diagram, **self.how)
        return self.plan.engine(), self.plan

    def lanes(self) -> Any:
        """What lets members go side by side, see `blocks/compiled/side_by_side.py`; None if they are not to.

        Raises StudyError where they have to and cannot.
        """
        if not (self.compiled and self.together) or self.diagram is not None:
            return None
        if self.code is None:
            self.code = self.opened()
        return self.code

    def opened(self) -> Any:
        """The code, compiled now if it never was on this machine; None if that is not possible and need not be."""
        from blocks.compiled.structure import Structure

        structure = Structure(self.stored)
        try:
            if self.together:
                from blocks.compiled.side_by_side import lanes_from

                return lanes_from(structure)
            from blocks.compiled.opening import compiled_from

            return compiled_from(structure)
        except SimulationError as problem:
            if self.compiled == "always":
                raise StudyError(f"{socket.gethostname()}: {problem}") from None
            self.compiled = ""
            return None

    def _compile(self, engine: native.Engine) -> None:
        """Let an engine go on by compiled code. Raises StudyError where that has to be and cannot."""
        self.code = self.code or self.opened()
        if self.code is not None:
            engine.run_compiled(self.code)
