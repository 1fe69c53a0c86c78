"""What an edit costs beside reading the whole scenario; and, by `--sequences`, random sequences of edits, checked."""

import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

from benchmarks.editing.sequences import check
from benchmarks.editing.texts import EXAMPLES, texts
from benchmarks.report import arguments, show, spread
from blocks.scenario import Scenario

ROUNDS = 60
TARGET = "≤ 0.8"
CHUNK = 50


def measure(file: Path, rounds: int) -> dict[str, Any]:
    """Read, check and plan a scenario, and edit it with its check, by turns, in processor time."""
    text, scenario = file.read_text(encoding="utf-8"), Scenario.load(file)
    edit = scenario.edit
    values = iter(range(10**9))
    names = {True: ("plant.vessel", "ship"), False: ("plant.ship", "vessel")}

    def rename() -> None:
        edit.rename(*names["plant.vessel" in scenario.diagram.blocks()])

    doing: dict[str, Callable[[], object]] = {
        "parse, check and build": lambda: Scenario.from_text(text, str(file)),
        "parse, check, build and plan": lambda: Scenario.from_text(text, str(file)).plan(),
        "plan": scenario.plan,
        "set a parameter": lambda: edit.set("plant.current.speed", f"{next(values) / 1000} m/s"),
        "set a parameter, and plan": lambda: (
            edit.set("plant.current.speed", f"{next(values) / 1000} m/s"),
            scenario.plan(),
        ),
        "rename a block": rename,
    }
    taken: dict[str, list[float]] = {name: [] for name in doing}
    for do in doing.values():
        do()
    for _ in range(rounds):
        for name, do in doing.items():
            began = time.process_time()
            do()
            taken[name].append(time.process_time() - began)
    figures: dict[str, Any] = {name: spread(times, "s") for name, times in taken.items()}
    whole = taken["parse, check, build and plan"]
    for name in ("set a parameter", "set a parameter, and plan"):
        ratio = [one / other for one, other in zip(taken[name], whole, strict=True)]
        figures[f"{name}, over parse, check, build and plan"] = spread(ratio, "") | {"target": TARGET}
    return figures


def chunk(seeds: range) -> tuple[Counter[str], list[str]]:
    """Some sequences: how many edits of each kind, and what went wrong."""
    found: Counter[str] = Counter()
    wrong: list[str] = []
    known = texts()
    for seed in seeds:
        try:
            found += check(seed, known)
        except Exception as problem:
            wrong.append(f"seed {seed}: {type(problem).__name__}: {problem}")
    return found, wrong


def sequences(count: int, first: int, processes: int) -> int:
    """Make sequences of edits in several processes, and print what they did."""
    done: Counter[str] = Counter()
    wrong: list[str] = []
    chunks = [range(at, min(at + CHUNK, first + count)) for at in range(first, first + count, CHUNK)]
    with ProcessPoolExecutor(processes) as pool:
        for found, problems in pool.map(chunk, chunks):
            done += found
            wrong += problems
    for problem in wrong:
        print(problem)
    edits = sum(number for kind, number in done.items() if not kind.endswith("refused") and kind != "planned")
    refused = sum(number for kind, number in done.items() if kind.endswith("refused"))
    print(f"{count} sequences from seed {first}: {edits} edits, {refused} refused, {len(wrong)} sequences wrong")
    print(", ".join(f"{kind} {number}" for kind, number in sorted(done.items())))
    return 1 if wrong else 0


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--sequences", type=int, help="check so many random sequences of edits, instead of timing")
    parser.add_argument("--seed", type=int, default=0, help="of the first sequence")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    options = parser.parse_args()
    if options.sequences:
        return sequences(options.sequences, options.seed, options.processes)
    show(
        "Editing examples/minerva_los.yaml",
        measure(EXAMPLES / "minerva_los.yaml", options.rounds or ROUNDS),
        options.json,
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
