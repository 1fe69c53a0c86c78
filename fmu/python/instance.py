"""One instance of an FMU with blocks written in Python: a plan, and the state machine of the standard around it.

It is to a diagram with Python blocks what `runtime/c/instance.c` is to one without, with the same rules and messages:
which call is allowed when (FMI 2.0, section 4.2.4), what may be set, where steps end. A call that is refused has no
effect; after a failure of the model itself the instance can be read, reset, set to a saved state or freed.
"""

from __future__ import annotations

import _thread
import math
from collections.abc import Callable, Sequence
from typing import Any

from blocks.errors import KeelblocksError
from cython_kernels import engine as native
from fmu.python import saved_state
from fmu.python.model import (
    BOOLEAN,
    ENUMERATION,
    FIXED,
    INPUT,
    INTEGER,
    LIMITED,
    REAL,
    TUNABLE,
    Model,
    ModelError,
    PythonPart,
)  # fmt: skip

INSTANTIATED, INITIALIZATION, STEP_COMPLETE, STEP_FAILED, TERMINATED, ERROR = 1, 2, 4, 8, 16, 32
ANY = 63
READABLE = ANY & ~INSTANTIATED
SETTABLE = INSTANTIATED | INITIALIZATION | STEP_COMPLETE
_NAMES = {
    INSTANTIATED: "instantiated", INITIALIZATION: "in initialization mode",
    STEP_COMPLETE: "initialized (step complete)", STEP_FAILED: "stopped within a step (step failed)",
    TERMINATED: "terminated", ERROR: "in error: reset it, free it or set a saved state",
}  # fmt: skip

OK, WARNING, DISCARD, FAILED = 0, 1, 2, 3
GRID_TOLERANCE, TIME_TOLERANCE, STEPS_LIMIT = 1e-4, 1e-3, 1e9  # as in instance.c
_TYPE_NAMES = {REAL: "Real", INTEGER: "Integer", BOOLEAN: "Boolean"}

Say = Callable[[int, str], None]


class Refused(Exception):
    """A call that is refused, or that failed, with the status to return."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Instance:
    """A running model. `say(status, text)` sends a message to the importing tool."""

    def __init__(self, model: Model, say: Say) -> None:
        self.model = model
        self.say = say
        self.state = INSTANTIATED
        self.restart = True
        self.stopped = False
        settings = model.table["settings"]
        self.start: float = settings["start"]
        self.stop = math.inf
        self.step_size: float = settings["step"]
        self.relative_tolerance: float = settings["relative_tolerance"]
        self.absolute_tolerance: float = settings["absolute_tolerance"]
        self.engine: native.Engine
        self.parts: list[PythonPart]
        self._open(self.relative_tolerance, self.absolute_tolerance)

    def _open(self, relative: float, absolute: float) -> None:
        """Make a new engine and new blocks."""
        self._use(*self.model.engine(relative, absolute), (relative, absolute))

    def _use(self, engine: native.Engine, parts: list[PythonPart], tolerances: tuple[float, float]) -> None:
        self.engine, self.parts, self.open_with = engine, parts, tolerances
        self.values: Any = engine.values.data  # elements of it are Python's floats, quicker than NumPy's
        self.changed = True  # inputs or parameters, since the outputs were computed
        self.stale = False  # parameters

    @property
    def time(self) -> float:
        """Where the clock stands, s."""
        return self.engine.time

    # --- life ------------------------------------------------------------------------------------------------------

    def require(self, function: str, states: int) -> None:
        """Raise Refused unless the instance is in one of these states."""
        if not self.state & states:
            raise Refused(FAILED, f"{function} is not allowed now: the instance is {_NAMES[self.state]}")

    def set_up(self, function: str, start: float, stop: float | None, tolerance: float | None) -> None:
        """The experiment. A tolerance is the relative one; the absolute one keeps its ratio to it."""
        self.require(function, INSTANTIATED)
        if not math.isfinite(start):
            raise Refused(FAILED, f"{function}: the start time must be finite, not {start:g}")
        if stop is not None and not stop > start:
            raise Refused(
                FAILED, f"{function}: the stop time must be after the start time {start:.9g} s, not {stop:.9g} s"
            )
        if tolerance is not None and not 0.0 < tolerance < math.inf:
            raise Refused(FAILED, f"{function}: the tolerance must be > 0, not {tolerance:g}")
        self.start = start
        self.stop = math.inf if stop is None else stop
        if tolerance is not None:
            settings = self.model.table["settings"]
            ratio = tolerance / settings["relative_tolerance"]
            self.relative_tolerance, self.absolute_tolerance = tolerance, settings["absolute_tolerance"] * ratio

    def enter_initialization(self, function: str) -> None:
        """Begin to initialize."""
        self.require(function, INSTANTIATED)
        if (self.relative_tolerance, self.absolute_tolerance) != self.open_with:
            given = self.engine.values.copy()
            self._open(self.relative_tolerance, self.absolute_tolerance)
            self.engine.values[:] = given
        self.state = INITIALIZATION
        self.restart = True

    def exit_initialization(self, function: str) -> None:
        """Compute the initial state from scratch, so that nothing remains of values set and read on the way."""
        self.require(function, INITIALIZATION)
        self.restart = True
        self._refresh()
        self.state = STEP_COMPLETE
        self.say(OK, f"initialized at t = {self.time:.9g} s")

    def terminate(self, function: str) -> None:
        """End the simulation."""
        self.require(function, STEP_COMPLETE | STEP_FAILED)
        self._make_current()
        self.state = TERMINATED
        self.say(OK, f"terminated at t = {self.time:.9g} s")

    def _fail(self, message: str) -> Refused:
        self.state = ERROR
        return Refused(FAILED, message)

    # --- values ----------------------------------------------------------------------------------------------------

    def get(self, function: str, references: Sequence[int], kind: int, states: int = READABLE) -> list[float]:
        """Stored numbers of variables of one type, by their places. `states`: when that is allowed."""
        self.require(function, states)
        if self.changed or self.state != STEP_COMPLETE:
            self._make_current()
        kinds, values = self.model.kinds, self.values
        for reference in references:
            if not kinds.get(reference, 0) & kind:
                raise self._unknown(function, reference, kind)
        found = [values[reference] for reference in references]
        if not math.isfinite(sum(found)) and self.state != ERROR:
            for reference, value in zip(references, found, strict=True):
                if not math.isfinite(value):
                    raise self._fail(self._not_finite(function, reference))
        return found

    def set(self, function: str, references: Sequence[int], values: Sequence[float], kind: int) -> None:
        """Set stored numbers of variables of one type. All are checked before any is set."""
        self.require(function, SETTABLE)
        settable = INPUT | TUNABLE | (0 if self.state == STEP_COMPLETE else FIXED)
        kinds, touched = self.model.kinds, 0
        for reference, value in zip(references, values, strict=True):
            own = kinds.get(reference, 0)
            if own & kind and self._takes(reference, value, settable):
                touched |= own
            elif not own & kind or not self._holds(reference, value):
                raise self._refuse(function, reference, value, kind)
        if not touched:
            return
        for reference, value in zip(references, values, strict=True):
            if self._takes(reference, value, settable):
                self.values[reference] = value
        if touched & INPUT:
            self.engine.inputs_changed()
        if touched & (TUNABLE | FIXED):
            self.engine.parameters_changed()
            self.stale = True
        if self.state != STEP_COMPLETE:
            self.restart = True
        self.changed = True

    def _takes(self, reference: int, value: float, settable: int) -> bool:
        """True if a variable may be set to this value now."""
        own = self.model.kinds[reference]
        allowed = not own & LIMITED or self.model.limits[reference].allow(value)
        return bool(own & settable) and math.isfinite(value) and allowed

    def _holds(self, reference: int, value: float) -> bool:
        """True if this is the value that a parameter has, to the 15 digits that a text may give."""
        held = float(self.values[reference])
        return bool(self.model.kinds[reference] & (TUNABLE | FIXED)) and abs(value - held) <= 1e-14 * abs(held)

    def is_enumeration(self, reference: int) -> bool:
        """True if the stored number of a variable is one less than FMI's."""
        return bool(self.model.kinds.get(reference, 0) & ENUMERATION)

    def _unknown(self, function: str, reference: int, kind: int) -> Refused:
        if reference not in self.model.kinds:
            return Refused(FAILED, f"{function}: there is no variable with value reference {reference % 2**32}")
        name = self.model.names[reference]
        return Refused(FAILED, f"{function}: {name} is not a variable of type {_TYPE_NAMES[kind]}")

    def _refuse(self, function: str, reference: int, value: float, kind: int) -> Refused:
        own = self.model.kinds.get(reference, 0)
        if not own & kind:
            return self._unknown(function, reference, kind)
        name = self.model.names[reference]
        if not own & (INPUT | TUNABLE | FIXED):
            return Refused(FAILED, f"{function}: {name} cannot be set: it is neither an input nor a parameter")
        if not own & (INPUT | TUNABLE) and self.state == STEP_COMPLETE:
            return Refused(FAILED, f"{function}: {name} is a fixed parameter and cannot be set after initialization")
        if not math.isfinite(value):
            return Refused(DISCARD, f"{function}: {name} must be a finite number, not {value:g}")
        return Refused(DISCARD, f"{function}: {name} must be {self.model.limits[reference]}, not {value:.9g}")

    def _not_finite(self, function: str, reference: int) -> str:
        self.engine.diagnose()
        if self.engine.failure[0] >= 0 and self.engine.failure[1]:
            return self._explain("not finite")
        return f"{function}: {self.model.names[reference]} is not a finite number at t = {self.time:.9g} s"

    # --- running ---------------------------------------------------------------------------------------------------

    def _explain(self, kind: str) -> str:
        status = next(number for number, text in native.STATUSES.items() if text == kind)
        return self.model.explain(self.engine, self.parts, status)

    def _make_current(self) -> None:
        """Make values ready to be read. After a failure they stay what they are."""
        if self.state != ERROR:
            self._refresh()

    def _refresh(self) -> None:
        """Compute what depends on values that were set."""
        if self.stale:
            self._take_parameters()
        if self.restart:
            status = self.engine.start(self.start)
            self.restart = False
        else:
            status = self.engine.refresh()
        self._hear_interrupt()
        if native.STATUSES[status] != "end":
            raise self._fail(self.model.explain(self.engine, self.parts, status))
        self.changed = False

    def _take_parameters(self) -> None:
        for part in self.parts:
            try:
                part.take_parameters()
            except KeelblocksError as problem:
                raise self._fail(f"{part.name} refuses its parameters: {problem}") from None
            except Exception as problem:  # whatever the user's code raises
                text = f"{type(problem).__name__}: {problem}"
                raise self._fail(f"{part.name} cannot take its parameters: {text}") from None
        self.stale = False

    def step(self, function: str, point: float, size: float) -> None:
        """Go on from the communication point by `size`. Raises Refused, with DISCARD if the model wants to end."""
        self.require(function, STEP_COMPLETE)
        engine, step = self.engine, self.step_size
        end = self._on_grid(point + size)
        if (
            not 0.0 < size <= STEPS_LIMIT * step
            or not abs(point - engine.time) <= TIME_TOLERANCE * step
            or end > self.stop + TIME_TOLERANCE * step
        ):
            raise self._refuse_step(function, point, size)
        if self.stale:
            self._take_parameters()
        status = native.STATUSES[engine.advance(end)]
        self.changed = False
        self._hear_interrupt()
        if status == "end":
            return
        if status == "stopped":
            self.stopped = True
            self.state = STEP_FAILED
            raise Refused(DISCARD, f"the model ends the simulation at t = {engine.time:.9g} s")
        raise self._fail(self._explain(status))

    def _on_grid(self, end: float) -> float:
        """The point of the solver's grid that `end` stands for, if nearer than rounding can explain; else `end`."""
        engine, step = self.engine, self.step_size
        point = self.start + float(engine.grid) * step
        if abs(end - point) > GRID_TOLERANCE * step:
            if not math.isfinite(end):
                return end
            point = self.start + math.floor((end - self.start) / step + 0.5) * step
            if not abs(end - point) <= GRID_TOLERANCE * step:
                return end
        return point if point > engine.time + GRID_TOLERANCE * step else end

    def move_start(self, start: float) -> None:
        """Begin at another time, which becomes known with the first step only."""
        self.start = start
        self.restart = True
        self._refresh()

    def _refuse_step(self, function: str, point: float, size: float) -> Refused:
        if not 0.0 < size < math.inf:
            return Refused(FAILED, f"{function}: the communication step size must be > 0 s, not {size:.9g}")
        if not size <= STEPS_LIMIT * self.step_size:
            return Refused(
                FAILED,
                f"{function}: a communication step of {size:.9g} s takes more than {STEPS_LIMIT:g} steps of "
                f"{self.step_size:.9g} s",
            )
        if not abs(point - self.time) <= TIME_TOLERANCE * self.step_size:
            return Refused(
                FAILED,
                f"{function}: the communication point is {point:.17g} s, but the instance stands at "
                f"t = {self.time:.17g} s",
            )
        return Refused(
            FAILED, f"{function}: a step from {point:.9g} s of {size:.9g} s goes beyond the stop time {self.stop:.9g} s"
        )

    def _hear_interrupt(self) -> None:
        """Pass on a Ctrl-C that came while a block was at work, which its runner kept."""
        for part in self.parts:
            if part.runner.interrupted:
                part.runner.interrupted = False
                _thread.interrupt_main()

    # --- saved states ----------------------------------------------------------------------------------------------

    def save(self) -> bytes:
        """The whole state. Restored into an instance of the same FMU it continues bit for bit."""
        memory, left_out = saved_state.remembered(self.parts)
        if left_out:
            self.say(
                WARNING,
                f"{', '.join(left_out)}: not in the saved state, which holds plain data only: numbers, text, arrays, "
                f"lists, mappings, generators of random numbers, and objects of the FMU's own classes",
            )
        saved = saved_state.Saved(
            self.state, self.restart, self.stopped, self.start, self.stop,
            self.relative_tolerance, self.absolute_tolerance, *self.open_with,
        )  # fmt: skip
        return saved_state.pack(saved, self.engine.save(), memory)

    def check_state(self, function: str, data: bytes) -> None:
        """Raise Refused unless this is a saved state of this FMU. Nothing changes."""
        self._read_state(function, data)

    def _read_state(
        self, function: str, data: bytes
    ) -> tuple[saved_state.Saved, native.Engine, list[PythonPart], list[saved_state.Memory]]:
        """What was saved, with an engine in that state."""
        try:
            saved, stored, kept = saved_state.unpack(data)
            tolerances = (saved.engine_relative_tolerance, saved.engine_absolute_tolerance)
            engine, parts = self.model.engine(*tolerances)
            engine.restore(stored)
            memory = saved_state.recalled(parts, kept)
        except native.EngineError:
            raise Refused(FAILED, f"{function}: the state cannot be used: it belongs to another model") from None
        except (ValueError, ModelError) as problem:
            raise Refused(FAILED, f"{function}: the state cannot be used: {problem}") from None
        return saved, engine, parts, memory

    def restore(self, function: str, data: bytes) -> None:
        """Take up a saved state. Raises Refused, and changes nothing, if it is not one of this FMU."""
        saved, engine, parts, memory = self._read_state(function, data)
        self._use(engine, parts, (saved.engine_relative_tolerance, saved.engine_absolute_tolerance))
        self.state, self.restart, self.stopped = saved.state, saved.restart, saved.stopped
        self.start, self.stop = saved.start, saved.stop
        self.relative_tolerance, self.absolute_tolerance = saved.relative_tolerance, saved.absolute_tolerance
        self.changed = self.stale = True
        saved_state.recall(self.parts, memory)
