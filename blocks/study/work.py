"""What workers do: run batches of members. A worker needs the bytes of plans and some numbers, and no diagram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.study.batch import Batch
from blocks.study.group import Group
from blocks.study.member_run import COMPLETED, MemberRun, Stop
from blocks.study.program import Program
from cython_kernels import engine as native

NOT_RUN = 127
"""The status of a member that has not been run; others are those of the engine."""


@dataclass
class Task:
    """Some members of one program, and their numbers, a row for each."""

    program: int
    members: NDArray[np.int64]
    numbers: NDArray[np.float64]


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
    """Runs members, one after the other or some side by side."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.runs = [MemberRun(program)]
        self.group: Group | None = None

    @property
    def engine(self) -> native.Engine | None:
        """The engine that was worked on first."""
        return self.runs[0].engine

    def run(self, task: Task, stop: Stop) -> Batch:
        """Run the members of a task."""
        count = len(task.members)
        measured = self.program.measurement
        batch = Batch(
            task.members, np.zeros(count, dtype=np.int8), np.zeros(count), np.full((count, len(measured.names)), np.nan)
        )
        fields = np.zeros((count, len(measured.summarised), native.SUMMARY_FIELD_COUNT))
        taken = np.zeros(count, dtype=np.int64)
        notes: dict[int, str] = {}
        lanes = self.program.lanes() if count > 1 else None
        if lanes is None:
            for i in range(count):
                taken[i] = self.runs[0].go(i, task.numbers[i], fields[i], batch, notes, stop)
        else:
            self.group = self.group or Group(self.program, lanes, self.runs)
            for first in range(0, count, self.group.width):
                rows = range(first, min(first + self.group.width, count))
                self.group.go(rows, task.numbers, fields, batch, notes, taken, stop)
        measured.of_batch(fields, taken, batch.metrics)
        sound = np.isin(batch.status, [n for n, name in native.STATUSES.items() if name in COMPLETED])
        batch.metrics[~sound] = np.nan
        for i in np.flatnonzero(sound & np.any(np.isnan(batch.metrics), axis=1)).tolist():
            batch.notes[i] = notes.get(i) or measured.troubles(batch.metrics[i])
        return batch
