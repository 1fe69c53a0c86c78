"""What workers do: run batches of members. A worker needs the bytes of plans and some numbers, and no diagram.

Everything here can be pickled. Only plans with blocks written in Python take the diagram along, and are made anew.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.libraries.needs import Need
from blocks.plan import Plan, make_plan
from blocks.run.pieces import PAUSED, Pieces
from blocks.study.errors import Cancelled
from blocks.study.grid_points import ONE_AT_A_TIME, GridPoints
from blocks.study.measuring import Measurement
from cython_kernels import engine as native

_COMPLETED = ("end", "stopped")

NOT_RUN = 127
"""The status of a member that has not been run; others are those of the engine."""

Stop = Callable[[], bool]
"""Tells whether a batch is to be given up."""


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

    def __getstate__(self) -> dict[str, Any]:
        return self.__dict__ | {"plan": None}

    def engine(self) -> tuple[native.Engine, Plan | None]:
        """A fresh engine, and the plan whose blocks written in Python it calls."""
        if self.diagram is None:
            return native.Engine(self.stored), None
        if self.plan is None:
            self.plan = make_plan(self.diagram, **self.how)
        return self.plan.engine(), self.plan


@dataclass
class Task:
    """Some members of one program, and their numbers, a row for each."""

    program: int
    members: NDArray[np.int64]
    numbers: NDArray[np.float64]


@dataclass
class Failure:
    """Why a member failed: what the engine says, and what a block written in Python says."""

    failure: tuple[int, str, int, int, float]
    error: str = ""
    inputs: list[NDArray[np.float64]] = field(default_factory=list)
    """What the block read that stopped the run, if it tells of that."""


@dataclass
class Batch:
    """What came out of a task: a row for each member."""

    members: NDArray[np.int64]
    status: NDArray[np.int8]
    end_time: NDArray[np.float64]
    metrics: NDArray[np.float64]
    failures: dict[int, Failure] = field(default_factory=dict)
    notes: dict[int, str] = field(default_factory=dict)
    """Why a metric of a member that ran well is not there."""


class Worker:
    """Runs tasks. Engines are kept from one task to the next, one for each thread that works at once."""

    def __init__(self, programs: list[Program]) -> None:
        self.programs = programs
        self.idle: dict[int, list[_Runner]] = {number: [] for number in range(len(programs))}

    def run(self, task: Task, stop: Stop) -> Batch:
        """Run the members of a task. Raises Cancelled if `stop` says so."""
        idle = self.idle[task.program]
        try:
            runner = idle.pop()
        except IndexError:
            runner = _Runner(self.programs[task.program])
        try:
            return runner.run(task, stop)
        finally:
            idle.append(runner)

    def reached(self, program: int) -> float:
        """The time at which the engine of a program that was worked on last stands, s."""
        runner = self.idle[program][-1] if self.idle[program] else None
        return runner.engine.time if runner is not None and runner.engine is not None else self.programs[program].start


class _Runner:
    """One engine, restarted for each member: nothing is left of the member before."""

    def __init__(self, program: Program) -> None:
        self.program = program
        measured = program.measurement
        rows = program.capacity if measured.functions else 0
        self.time = np.empty(rows)
        self.table = np.empty((rows, len(measured.indices)))
        self.engine: native.Engine | None = None
        self.plan: Plan | None = None
        self.points: GridPoints | None = None
        """In place of what the engine records, where a solver is stepped from Python."""
        self.pieces = Pieces()

    def run(self, task: Task, stop: Stop) -> Batch:
        """Run members one after the other."""
        count = len(task.members)
        measured = self.program.measurement
        batch = Batch(
            task.members, np.zeros(count, dtype=np.int8), np.zeros(count), np.full((count, len(measured.names)), np.nan)
        )
        fields = np.zeros((count, len(measured.summarised), native.SUMMARY_FIELD_COUNT))
        taken = np.zeros(count, dtype=np.int64)
        notes: dict[int, str] = {}
        for i in range(count):
            taken[i] = self._member(i, task.numbers[i], fields[i], batch, notes, stop)
        measured.of_batch(fields, taken, batch.metrics)
        sound = np.isin(batch.status, [n for n, name in native.STATUSES.items() if name in _COMPLETED])
        batch.metrics[~sound] = np.nan
        for i in np.flatnonzero(sound & np.any(np.isnan(batch.metrics), axis=1)).tolist():
            batch.notes[i] = notes.get(i) or measured.troubles(batch.metrics[i])
        return batch

    def _member(
        self,
        i: int,
        numbers: NDArray[np.float64],
        fields: NDArray[np.float64],
        batch: Batch,
        notes: dict[int, str],
        stop: Stop,
    ) -> int:
        """Run one member; how many times its values were summarised."""
        program, measured = self.program, self.program.measurement
        engine = self._fresh()
        try:
            engine.values[program.places] = numbers
            engine.inputs_changed()
            engine.parameters_changed()
            if program.stepped:
                self.points = GridPoints(measured, self.time, self.table, fields)
            else:
                engine.record(measured.indices, measured.every, self.time, self.table)
                engine.summarise(measured.summarised, fields)
            status = engine.start(program.start)
            engine.visit()
            if status == 0:
                status = self._advance(engine, stop)
            batch.status[i], batch.end_time[i] = status, engine.time
            if native.STATUSES[status] not in _COMPLETED:
                batch.failures[i] = self._failure(engine)
                fields[:] = 0.0
                return 0
            measured.of_member(engine.values, engine.time, batch.metrics[i])
            if measured.functions:
                rows = self._finish(engine)
                attributes = program.attributes | {
                    "status": native.STATUSES[status], "end": engine.time, "steps": engine.steps,
                }  # fmt: skip
                notes[i] = measured.of_result(self.time[:rows], self.table[:rows], attributes, batch.metrics[i])
            return self.points.points if self.points is not None else engine.summarised
        finally:
            if self.plan is not None:
                self.plan.close(engine)

    def _fresh(self) -> native.Engine:
        """The engine; a new one where blocks written in Python might remember something."""
        if self.engine is None or self.plan is not None:
            self.engine, self.plan = self.program.engine()
            places, values = self.program.constants
            self.engine.values[places] = values
        return self.engine

    def _advance(self, engine: native.Engine, stop: Stop) -> int:
        """Run to the end in pieces of about a tenth of a second, so that a request to stop is heard."""
        status = PAUSED

        def go_on(steps: int) -> int:
            if stop():
                raise Cancelled
            return engine.proceed(self.program.end, steps, closed=True)

        if self.points is not None:
            status = self._step(engine, self.points, stop)
        else:
            engine.come_back()
            for status in self.pieces.of(go_on):  # noqa: B007
                pass
        if self.plan is not None:
            for number in self.plan.python_blocks:
                if engine.context(number).interrupted:
                    raise KeyboardInterrupt
        return status

    def _step(self, engine: native.Engine, points: Any, stop: Stop) -> int:
        """Run to the end with a solver that is stepped from Python; the status."""
        from blocks.run.scipy_solvers import advance

        assert self.plan is not None
        status = PAUSED
        with ONE_AT_A_TIME:
            for status in advance(self.plan, engine, points):  # noqa: B007
                if stop():
                    raise Cancelled
        return status

    def _finish(self, engine: native.Engine) -> int:
        """Make sure that the last point of the run is in the table; how many rows there are."""
        rows = engine.rows if self.points is None else self.points.rows
        if rows == 0 or self.time[rows - 1] < engine.time - engine.tolerance:
            self.time[rows] = engine.time
            self.table[rows] = engine.values[self.program.measurement.indices]
            rows += 1
        return rows

    def _failure(self, engine: native.Engine) -> Failure:
        number = engine.failure[0]
        python = self.plan.python_blocks if self.plan is not None else {}
        inputs = [engine.values[place].copy() for place in self.program.told.get(number, ())]
        return Failure(engine.failure, engine.context(number).error if number in python else "", inputs)
