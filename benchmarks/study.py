"""Studies: members per second with one worker and two, by the engine and side by side, what is spent besides, and what
a cluster moves, with figures on paper for more cores than there are.

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
from benchmarks.model import BenchmarkError
from benchmarks.report import arguments, processor, show, spread
from blocks.compiled.side_by_side import instructions
from blocks.errors import KeelblocksError
from blocks.study import Study
from blocks.study.cuts import BATCH_SECONDS, batch_size
from blocks.study.executors import serial
from blocks.study.tasks import AHEAD
from blocks.study.work import NOT_RUN, Worker

MEMBERS = 4000
SECONDS, STEP = 50.0, 0.02
ROUNDS = 5
CORES = (2, 100, 1000, 10_000)
MANY = 10**12
"""Members enough for any number of cores."""
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


def elapsed(made: Study, executor: Any, workers: int, batch: int | None = None, compiled: bool = False) -> float:
    """Wall time of a study, s."""
    began = time.perf_counter()
    made.run(executor, workers=workers, batch=batch, compiled=compiled)
    return time.perf_counter() - began


def check(made: Study, executor: Any, workers: int) -> None:
    """Compile where members will run, and see that they have the engine's numbers. Raises BenchmarkError."""
    alone, together = (made.run(executor, workers=workers, compiled=compiled) for compiled in (False, True))
    if "side by side" not in together.compiled:
        raise BenchmarkError(f"members do not go side by side: {together.compiled}")
    if alone.records.metrics.tobytes() != together.records.metrics.tobytes():
        raise BenchmarkError("members side by side differ from the engine's")


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


def rates(made: Study, rounds: int, address: str | None) -> tuple[dict[str, dict[str, Any]], dict[bool, float]]:
    """Members per second by the engine and side by side, by turns; and what one thread does of them."""
    ways = [("one thread", "threads", 1), ("two threads", "threads", 2)]
    ways += [("one process", "processes", 1), ("two processes", "processes", 2)]
    ways += [("Dask, two worker processes", address, 2)] if address else []
    taken: dict[str, dict[bool, list[float]]] = {name: {False: [], True: []} for name, _, _ in ways}
    for _, executor, workers in ways:
        check(made, executor, workers)
    for _ in range(rounds):
        for name, executor, workers in ways:
            for compiled, times in taken[name].items():
                times.append(elapsed(made, executor, workers, compiled=compiled))
    figures: dict[str, dict[str, Any]] = {}
    for name, by in taken.items():
        for compiled, words in ((False, ""), (True, ", side by side")):
            figures[f"{name}{words}"] = spread([len(made) / seconds for seconds in by[compiled]], "members/s")
        figures[f"{name}, side by side over the engine"] = _ratio(by[False], by[True])
    for compiled, words in ((False, ""), (True, ", side by side")):
        two = _ratio(taken["one thread"][compiled], taken["two threads"][compiled])
        figures[f"two threads over one{words}"] = two
    return figures, {c: len(made) / statistics.median(times) for c, times in taken["one thread"].items()}


def on_paper(
    cost: float, sent: float, returned: float, rate: dict[bool, float], width: int
) -> dict[str, dict[str, Any]]:
    """What more cores take, if a batch costs the scheduler `cost`, s, and a member moves so many bytes there and back.

    rate: members that a core runs in a second, by the engine and side by side.
    """
    figures: dict[str, dict[str, Any]] = {"Dask, per task": {"value": 1e3 * cost, "unit": "ms"}}
    both = ((False, "by the engine"), (True, "side by side"))
    for cores in CORES:
        figures[f"{cores} cores: work per batch"] = {"value": max(cores * cost / SHARE, BATCH_SECONDS), "unit": "s"}
        for compiled, words in both:
            size = batch_size(cores, MANY, 1.0 / rate[compiled], width if compiled else 1)
            figures[f"{cores} cores, {words}: members per batch"] = {"value": size, "unit": ""}
            figures[f"{cores} cores, {words}: the scheduler is at work"] = {
                "value": 100.0 * cores * cost * rate[compiled] / size, "unit": "%",
            }  # fmt: skip
            figures[f"{cores} cores, {words}: waiting at the scheduler"] = {
                "value": 1e-9 * AHEAD * cores * size * sent, "unit": "GB",
            }  # fmt: skip
    for compiled, words in both:
        figures[f"cores that 10 Gbit/s feed, {words}"] = {
            "value": 10e9 / 8.0 / (rate[compiled] * (sent + returned)),
            "unit": "",
        }
    for compiled, words in both:  # a member that takes the engine a second takes less side by side
        through = CORES[-1] * (sent + returned) * rate[compiled] / rate[False]
        figures[f"{CORES[-1]} cores, members of 1 s, {words}"] = {"value": 1e-6 * through, "unit": "MB/s"}
    return figures


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """Everything, by turns."""
    made = study()
    width = instructions()[1][0]
    with cluster() as address:
        figures, rate = rates(made, rounds, address)
        cost = scheduler_cost(address, rounds) if address else math.nan
    figures["per member besides the engine"] = {
        "value": 1e6 * statistics.median(overhead(made) for _ in range(rounds)), "unit": "µs", "target": "≤ 300",
    }  # fmt: skip
    sent, returned, once = bytes_per_member(made)
    figures["sent per member"] = {"value": sent, "unit": "bytes"}
    figures["returned per member"] = {"value": returned, "unit": "bytes"}
    figures["sent to each worker, once"] = {"value": once / 1000, "unit": "kB"}
    return figures if math.isnan(cost) else figures | on_paper(cost, sent, returned, rate, width)


def _ratio(one: list[float], two: list[float]) -> dict[str, Any]:
    return spread([a / b for a, b in zip(one, two, strict=True)], "×")


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    name, (width, _) = instructions()
    try:
        figures = measure(options.rounds or ROUNDS)
    except (BenchmarkError, KeelblocksError) as problem:
        print(problem, file=sys.stderr)
        return 2
    title = f"{MEMBERS} members of {SECONDS / STEP:.0f} steps, {width} side by side ({name}), on {processor()}"
    show(title, figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
