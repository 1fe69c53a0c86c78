"""Whether a run goes on by the engine or by compiled code, and why: what `compiled` asks for, and what came of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from blocks.compiled import times
from blocks.compiled.possible import can_go_together, why_not
from blocks.errors import SimulationError, shown
from blocks.plan import Plan
from cython_kernels import engine as native

if TYPE_CHECKING:
    from blocks.compiled.opening import Compiled
    from blocks.compiled.side_by_side import Lanes
    from blocks.compiled.structure import Structure

Asked = bool | Literal["auto"]
"""False: by the engine. True: compiled, or an error says why not. "auto": compiled where that pays."""

SAVED = 0.15
"""Share of the engine's time that compiled code is expected to save: a tenth where few kernels do most of the work,
and up to a half where many do little."""
SAVED_TOGETHER = 0.5
"""The share where members go side by side."""
LEAST = 0.1
"""Seconds of a run below which it is not worth looking for code that may be in the cache."""


@dataclass(frozen=True)
class Choice:
    """What was chosen, and why, in words."""

    compiled: bool
    why: str

    def __str__(self) -> str:
        return f"{'compiled' if self.compiled else 'by the engine'}: {self.why}"


def asked(value: object) -> Asked:
    """What `compiled` says. Raises SimulationError unless it is False, True or "auto"."""
    if value is True or value is False:
        return value
    if isinstance(value, str) and value == "auto":
        return "auto"
    raise SimulationError(f"compiled is False, True or 'auto', not {shown(value)}")


class Choosing:
    """The choice of one plan, which `asked` may leave to the time that its runs take.

    members: how many run. Those of a fixed-step solver go side by side: then what is compiled are `Lanes`.
    code: what to go on by; None: the engine. choice: what was chosen; None while that is open. Raises SimulationError
    where the plan is to be compiled and cannot be.
    """

    def __init__(self, plan: Plan, wanted: Asked, members: int = 1) -> None:
        self.plan = plan
        self.together = members > 1 and can_go_together(plan)
        self.code: Compiled | Lanes | None = None
        self.choice: Choice | None = None
        self._structure: Structure | None = None
        self._looked = False
        self._weighed, self._said = 0.0, ""
        if wanted is True:
            self._take(self._made(), "")
        elif wanted is False:
            self.choice = Choice(False, "not asked for")
        elif native.CHECKED_BUILD:
            self.choice = Choice(False, "a checked build guards calls of kernels, which compiled code does not")
        elif (problem := why_not(plan)) is not None:
            self.choice = Choice(False, str(problem))

    def look(self) -> None:
        """Take code that is in the cache, if the choice is open still."""
        if self.choice is None and not self._looked:
            self._looked = True
            from blocks.compiled.structure import Structure

            self._structure = Structure(self.plan.stored)
            if (code := self._kept(self._structure)) is not None:
                self._take(code, "")

    def weigh(self, seconds: float) -> None:
        """Choose, where the engine would take so many seconds more: what is there, or to compile if that pays."""
        if self.choice is not None:
            return
        if seconds >= LEAST:
            self.look()
        if self.choice is not None or seconds <= self._weighed:
            return
        self._weighed = seconds
        self._said = f"it takes about {_seconds(seconds)}"
        if seconds < LEAST or self._structure is None:
            return
        cost = times.estimate(self._structure, together=self.together)
        saved = (SAVED_TOGETHER if self.together else SAVED) * seconds
        self._said += f", and compiling takes about {_seconds(cost)}, to save {_seconds(saved)}"
        if saved > cost:
            try:
                self._take(self._made(), f", for what the engine takes about {_seconds(seconds)}")
            except SimulationError as problem:
                self.choice = Choice(False, str(problem))

    def decided(self, otherwise: str) -> Choice:
        """The choice; where it is open at the end, the engine, for this reason or what was weighed."""
        return self.choice or Choice(False, self._said or otherwise)

    # What compiles and opens is imported where it is wanted: most runs go by the engine.

    def _made(self) -> Compiled | Lanes:
        if self.together:
            from blocks.compiled.side_by_side import lanes

            return lanes(self.plan)
        from blocks.compiled.opening import compiled

        return compiled(self.plan)

    def _kept(self, structure: Structure) -> Compiled | Lanes | None:
        if self.together:
            from blocks.compiled import side_by_side

            return side_by_side.kept(structure)
        from blocks.compiled import opening

        return opening.kept(structure)

    def _take(self, code: Compiled | Lanes, why: str) -> None:
        self.code = code
        if self.together:
            why += f", {code.width} side by side ({code.instructions})"  # type: ignore[union-attr]
        made = f"in {_seconds(code.seconds)}" if code.seconds else "kept from an earlier run"
        self.choice = Choice(True, made + why)


def _seconds(seconds: float) -> str:
    return f"{seconds:.2g} s" if seconds < 100.0 else f"{seconds:.0f} s"
