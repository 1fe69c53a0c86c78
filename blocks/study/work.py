"""What workers do: run batches of members. A worker needs the bytes of plans and some numbers, and no diagram."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.study.batch import Batch
from blocks.study.cuts import cut
from blocks.study.group import Group
from blocks.study.member_run import COMPLETED, MemberRun, Stop
from blocks.study.program import Program
from blocks.study.ways import Way
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
        """The time at which those of a program that were worked on last stand, s: of several that of the farthest."""
        times = [run.engine.time for runner in self.idle[program][-1:] for run in runner.runs if run.engine is not None]
        return max(times, default=self.programs[program].start)


class _Runner:
    """Runs members, one after the other or some side by side."""

    def __init__(self, program: Program) -> None:
        self.program = program
        self.runs = [MemberRun(program)]
        self.group: Group | None = None

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
        lanes = self.program.for_several() if count > 1 else None
        for rows in cut(count, 1 if lanes is None else lanes.width):
            if lanes is not None and len(rows) > 1:
                self.group = self.group or Group(self.program, lanes, self.runs)
                self.group.go(rows, task.numbers, fields, batch, notes, taken, stop)
                batch.ways[Way(lanes.width, lanes.instructions)] += len(rows)
            else:
                (i,) = rows
                self.runs[0].code = code = self.program.for_one()
                taken[i] = self.runs[0].go(i, task.numbers[i], fields[i], batch, notes, stop)
                batch.ways[Way(why_not=self.program.refused) if code is None else Way(1)] += 1
        measured.of_batch(fields, taken, batch.metrics)
        sound = np.isin(batch.status, [n for n, name in native.STATUSES.items() if name in COMPLETED])
        batch.metrics[~sound] = np.nan
        for i in np.flatnonzero(sound & np.any(np.isnan(batch.metrics), axis=1)).tolist():
            batch.notes[i] = notes.get(i) or measured.troubles(batch.metrics[i])
        return batch
