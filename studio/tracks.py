"""The tracks of members: each is run once more, and where its vessel went is recorded coarsely."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from blocks.run.pieces import PAUSED, Pieces
from blocks.study.executors import workers_of
from blocks.study.running import Progress, reporting
from blocks.study.work import NOT_RUN
from cython_kernels import engine as native
from studio.cases import Cases, Placed
from studio.thinning import coded, thinned

MOST = 300
"""Members that get a track."""
MOST_POINTS = 150
_RECORDED = 900
"""Points of which these are chosen, about."""
_ROUGHLY = 5e-4
"""Of the extent of a track: nearer points are left out."""
_CENTIMETRE = 0.01

Array = NDArray[np.float64]


@dataclass(frozen=True)
class _Job:
    placed: Placed
    row: int
    vessel: str
    end: float
    """When the member ended, s."""

    @property
    def member(self) -> int:
        return int(self.placed.members[self.row])


def tracks_of(
    cases: Cases,
    status: NDArray[np.int8],
    end_time: Array,
    workers: int | None = None,
    progress: bool | Progress = False,
) -> tuple[dict[int, list[int]], int]:
    """By member its track, coded; and how many members could have one."""
    jobs = sorted(_jobs(cases, status, end_time), key=lambda job: job.member)
    some = np.unique(np.linspace(0, len(jobs) - 1, min(len(jobs), MOST)).round().astype(int)) if jobs else ()
    chosen = [jobs[i] for i in some]
    if not chosen:
        return {}, 0
    found: dict[int, list[int]] = {}
    stop = threading.Event()
    pool = ThreadPoolExecutor(workers_of(workers), thread_name_prefix="keelblocks-tracks")
    try:
        with reporting(progress, len(chosen), 0) as report:
            waiting: set[Future[tuple[int, list[int]]]] = {pool.submit(_track, job, stop) for job in chosen}
            while waiting:
                done, waiting = wait(waiting, return_when=FIRST_COMPLETED)
                found |= dict(future.result() for future in done)
                report(len(found), len(chosen), 0)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
    return {member: track for member, track in found.items() if track}, len(jobs)


def _jobs(cases: Cases, status: NDArray[np.int8], end_time: Array) -> Iterator[_Job]:
    """The members that were run and have a vessel."""
    for placed in cases:
        vessel = cases.models[placed.model]["parts"]["vessel"]
        if vessel is None or f"{vessel}.eta" not in placed.subject.plan.outputs:
            continue
        for row, member in enumerate(placed.members.tolist()):
            if status[member] != NOT_RUN:
                yield _Job(placed, row, vessel, float(end_time[member]))


def _track(job: _Job, stop: threading.Event) -> tuple[int, list[int]]:
    """The member, and its track, coded; empty if it has none."""
    plan = job.placed.subject.plan
    settings = plan.settings
    until = min(max(job.end, settings.start), settings.end) if math.isfinite(job.end) else settings.end
    every = max(1, math.floor((until - settings.start) / (settings.step * _RECORDED)))
    rows = math.floor((settings.end - settings.start) / (settings.step * every) + 1e-6) + 3
    first = plan.outputs[f"{job.vessel}.eta"].first
    places = np.array([first, first + 1], dtype=np.intc)
    time, table = np.empty(rows), np.empty((rows, 2))
    engine = plan.engine()
    values = job.placed.values(job.row)
    engine.values[: len(values)] = values
    engine.inputs_changed()
    engine.parameters_changed()
    engine.record(places, every, time, table)
    _go(engine, settings.start, settings.end, stop)
    last = engine.values[places].copy()
    points = np.vstack([table[: engine.rows], last])
    points = points[np.all(np.isfinite(points), axis=1)]
    if len(points) < 2:
        return job.member, []
    extent = float(np.max(np.ptp(points, axis=0)))
    return job.member, coded(thinned(points, MOST_POINTS, max(_CENTIMETRE, _ROUGHLY * extent)))


def _go(engine: native.Engine, start: float, end: float, stop: threading.Event) -> None:
    """Run to the end in pieces, so that a request to stop is heard."""
    status = engine.start(start)
    engine.visit()
    if status == 0:
        status = PAUSED
    if status != PAUSED:
        return
    engine.come_back()
    for _ in Pieces().of(lambda steps: engine.proceed(end, steps, closed=True)):
        if stop.is_set():
            return
