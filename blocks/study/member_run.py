"""One engine of a study, restarted for each member: nothing is left of the member before."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.plan import Plan
from blocks.run.pieces import PAUSED, Pieces
from blocks.study.batch import Batch, Failure
from blocks.study.errors import Cancelled
from blocks.study.grid_points import ONE_AT_A_TIME, GridPoints
from blocks.study.program import Program
from cython_kernels import engine as native

COMPLETED = ("end", "stopped")
Stop = Callable[[], bool]
"""Tells whether a batch is to be given up."""


class MemberRun:
    """An engine with the tables that it records into."""

    def __init__(self, program: Program) -> None:
        self.program = program
        measured = program.measurement
        rows = program.capacity if measured.functions else 0
        self.time = np.empty(rows)
        self.table = np.empty((rows, len(measured.indices)))
        self.engine: native.Engine | None = None
        self.plan: Plan | None = None
        self.code: Any = None
        """What the engine goes on by in its own place; None: by itself."""
        self.points: GridPoints | None = None
        """In place of what the engine records, where a solver is stepped from Python."""
        self.pieces = Pieces()

    def go(
        self,
        i: int,
        numbers: NDArray[np.float64],
        fields: NDArray[np.float64],
        batch: Batch,
        notes: dict[int, str],
        stop: Stop,
    ) -> int:
        """Run the member of row i of a batch; how many times its values were summarised."""
        try:
            status = self.begin(numbers, fields)
            if status == 0:
                status = self._advance(self.fresh(), stop)
            return self.end(i, status, fields, batch, notes)
        finally:
            self.close()

    def begin(self, numbers: NDArray[np.float64], fields: NDArray[np.float64]) -> int:
        """Go to the initial state of a member; the status."""
        program, measured = self.program, self.program.measurement
        engine = self.renewed()
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
        return status

    def end(self, i: int, status: int, fields: NDArray[np.float64], batch: Batch, notes: dict[int, str]) -> int:
        """Note what came out of the member of row i; how many times its values were summarised."""
        program, measured, engine = self.program, self.program.measurement, self.fresh()
        batch.status[i], batch.end_time[i] = status, engine.time
        if native.STATUSES[status] not in COMPLETED:
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

    def close(self) -> None:
        """Let blocks written in Python give back what they hold."""
        if self.plan is not None and self.engine is not None:
            self.plan.close(self.engine)

    def fresh(self) -> native.Engine:
        """The engine that `begin` has made ready."""
        assert self.engine is not None
        return self.engine

    def renewed(self) -> native.Engine:
        """The engine; a new one where blocks written in Python might remember something."""
        if self.engine is None or self.plan is not None:
            self.engine, self.plan = self.program.engine()
            places, values = self.program.constants
            self.engine.values[places] = values
        if self.code is not None and self.engine.compiled is None:
            self.engine.run_compiled(self.code)
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
