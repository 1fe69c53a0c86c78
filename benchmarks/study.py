"""Studies: members per second with one worker and two, what is spent besides the engine, and what a cluster moves.

The model is that of `benchmarks/model.py`; the members differ in three factors and have three metrics.
"""

import contextlib
import math
import pickle
import statistics
import sys
import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.diagram import diagram
from benchmarks.report import arguments, show, spread
from blocks.study import Study
from blocks.study.executors import serial
from blocks.study.work import NOT_RUN, Worker

MEMBERS = 4000
SECONDS, STEP = 50.0, 0.02
ROUNDS = 5
CORES = (2, 100, 1000, 10_000)
SHARE = 0.5
"""Of the scheduler's time that a study may take: the rest is for what it does besides."""


def study(seconds: float = SECONDS) -> Study:
    """A study of runs of so many seconds."""
    speeds = np.linspace(0.2, 1.0, 20)
    angles = np.arange(20) * 2.0 * math.pi / 20
    poses = {str(i): [0.0, float(i), 0.0, 0.0, 0.0, 0.0] for i in range(10)}
    factors = {"speed.kp": 1000.0 * speeds, "vessel.initial_eta": poses, "heading.kp": 100.0 * (1.0 + angles)}
    metrics = {"y": "rms(vessel.eta[y])", "psi": "greatest(vessel.eta[psi])", "u": "final(vessel.nu[u])"}
    return Study(diagram(), factors, metrics, end=seconds, step=STEP)


def elapsed(made: Study, executor: Any, workers: int, batch: int | None = None) -> float:
    """Wall time of a study, s."""
    began = time.perf_counter()
    made.run(executor, workers=workers, batch=batch)
    return time.perf_counter() - began


def overhead(made: Study) -> float:
    """What a member costs besides the steps of its engine, s."""
    case = made.cases[0]
    task = next(case.tasks(0, np.full(len(made), NOT_RUN) == NOT_RUN, 1000))
    worker = Worker([case.program])
    worker.run(task, lambda: False)
    began = time.perf_counter()
    worker.run(task, lambda: False)
    whole = time.perf_counter() - began
    engine = case.program.engine()[0]
    began = time.perf_counter()
    for numbers in task.numbers:
        engine.values[case.program.places] = numbers
        engine.start(0.0)
        engine.advance(case.program.end)
    return (whole - (time.perf_counter() - began)) / len(task.members)


def bytes_per_member(made: Study) -> tuple[float, float, int]:
    """What a task and what comes back take for each member, and what each worker gets once."""
    programs = [case.program for case in made.cases]
    task = next(made.cases[0].tasks(0, np.ones(len(made), dtype=bool), 250))
    ((batch,),) = serial(programs, [task], 1)
    return len(pickle.dumps(task)) / 250, len(pickle.dumps(batch)) / 250, len(pickle.dumps(programs))


@contextlib.contextmanager
def cluster() -> Iterator[str | None]:
    """A Dask scheduler with two worker processes; None without Dask."""
    try:
        import distributed
    except ImportError:
        yield None
        return
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, processes=True, dashboard_address="127.0.0.1:0", host="127.0.0.1"
    ) as local:
        yield local.scheduler_address


def scheduler_cost(address: str, rounds: int) -> float:
    """What each task costs when its members cost next to nothing, s."""
    short = study(STEP)
    elapsed(short, address, 2, 20)
    many = statistics.median(elapsed(short, address, 2, 4) for _ in range(rounds))
    few = statistics.median(elapsed(short, address, 2, 40) for _ in range(rounds))
    return (many - few) / (len(short) / 4 - len(short) / 40)


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """Everything, by turns."""
    made = study()
    taken: dict[str, list[float]] = {}
    with cluster() as address:
        ways = [("one thread", "threads", 1), ("two threads", "threads", 2)]
        ways += [("one process", "processes", 1), ("two processes", "processes", 2)]
        ways += [("Dask, two worker processes", address, 2)] if address else []
        for _ in range(rounds):
            for name, executor, workers in ways:
                taken.setdefault(name, []).append(elapsed(made, executor, workers))
        cost = scheduler_cost(address, rounds) if address else math.nan
    figures: dict[str, dict[str, Any]] = {}
    for name, times in taken.items():
        rates = [len(made) / seconds for seconds in times]
        figures[name] = spread(rates, "members/s")
    figures["two threads over one"] = _ratio(taken["one thread"], taken["two threads"])
    figures["per member besides the engine"] = {
        "value": 1e6 * statistics.median(overhead(made) for _ in range(rounds)), "unit": "µs", "target": "≤ 300",
    }  # fmt: skip
    sent, returned, once = bytes_per_member(made)
    figures["sent per member"] = {"value": sent, "unit": "bytes"}
    figures["returned per member"] = {"value": returned, "unit": "bytes"}
    figures["sent to each worker, once"] = {"value": once / 1000, "unit": "kB"}
    if not math.isnan(cost):
        figures["Dask, per task"] = {"value": 1e3 * cost, "unit": "ms"}
        for cores in CORES:
            figures[f"seconds of work per task for {cores} cores"] = {"value": cores * cost / SHARE, "unit": "s"}
    return figures


def _ratio(one: list[float], two: list[float]) -> dict[str, Any]:
    ratios = [a / b for a, b in zip(one, two, strict=True)]
    return {"value": statistics.median(ratios), "least": min(ratios), "most": max(ratios), "unit": ""}


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    show(f"{MEMBERS} members of {SECONDS / STEP:.0f} steps", measure(options.rounds or ROUNDS), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
