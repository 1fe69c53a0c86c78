"""One plan of a study as workers get it. It can be pickled.

Only plans with blocks written in Python take the diagram along, and are made anew.
"""

from __future__ import annotations

from collections.abc import Callable
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
    where: str = ""
    """Whose machine that is, where it is another one: it stands before what cannot be compiled there."""
    refused: str = ""
    """Why there is no code here."""
    code: Any = None
    """What `blocks.compiled.opening` has opened, for one member."""
    lanes: Any = None
    """What lets members go side by side, see `blocks/compiled/side_by_side.py`."""

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"plan": None, "code": None, "lanes": None}

    def engine(self) -> tuple[native.Engine, Plan | None]:
        """A fresh engine, and the plan whose blocks written in Python it calls."""
        if self.diagram is None:
            return native.Engine(self.stored), None
        if self.plan is None:
            self.plan = make_plan(self.diagram, **self.how)
        return self.plan.engine(), self.plan

    def for_several(self) -> Any:
        """The code for members side by side, compiled now if it never was on this machine; None if they do not go so.

        Raises StudyError where they have to and cannot.
        """
        if self.lanes is None and self.compiled and self.together:
            from blocks.compiled.side_by_side import lanes_from

            self.lanes = self._opened(lanes_from)
        return self.lanes if self.compiled and self.together else None

    def for_one(self) -> Any:
        """The code for a member alone; None for the engine. Raises StudyError where it has to be and cannot.

        Where members go side by side because that pays, code is not compiled for the few that are left over: they take
        it if it is there.
        """
        if self.code is None and self.compiled:
            from blocks.compiled.opening import compiled_from, kept

            only_kept = self.together and self.compiled == "if possible"
            self.code = self._opened(kept if only_kept else compiled_from)
        return self.code if self.compiled else None

    def _opened(self, opens: Callable[[Any], Any]) -> Any:
        """The code; None if there is none and need not be."""
        from blocks.compiled.structure import Structure

        try:
            return opens(Structure(self.stored))
        except SimulationError as problem:
            said = f"{self.where}: {problem}" if self.where else str(problem)
            if self.compiled == "always":
                raise StudyError(said, code=problem.code) from None
            self.refused, self.compiled = said, ""
            return None
