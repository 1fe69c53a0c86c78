"""Change a sample of lines and see which tests notice: `make mutants ARGS="--seed 3 --count 40"`."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from dataclasses import dataclass
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mutants.mutant import Mutant, sample
from mutants.noticing import DISTANCES, Record, Test, could_notice, files_at
from mutants.results import Results
from mutants.run import killed_by
from mutants.tree import build_engine, link_tests, make_tree

ROOT = Path(__file__).resolve().parents[3]
_COLUMNS = (TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())


@click.command()
@click.option("--seed", default=0, show_default=True, help="another seed changes other lines")
@click.option("--count", default=40, show_default=True, help="how many; half in kernels, half in Python")
@click.option("--only", multiple=True, metavar="PATH", help="lines of this file or folder only")
@click.option("--jobs", default=os.cpu_count() or 1, help="mutants at a time; as many as processors if not given")
@click.option("--seconds", default=30.0, show_default=True, help="of tests for a mutant, at each distance")
@click.option("--near", is_flag=True, help="ask only tests of the same name or folder, and of every block")
@click.option("--keep", type=click.Path(path_type=Path), default=ROOT / "build" / "mutants", help="where all is kept")
@click.option("--list", "only_list", is_flag=True, help="show what would be changed")
def main(
    seed: int, count: int, only: tuple[str, ...], jobs: int, seconds: float, near: bool, keep: Path, only_list: bool
) -> None:
    """Change a sample of lines of kernels and Python, one at a time, and print those that no test notices.

    What has been found is kept: the same again goes on where it was stopped, and asks only tests that have changed.
    Ends with 1 if a mutant survives.
    """
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    mutants = sample(ROOT, count, seed, only)
    if only_list:
        console.print("\n\n".join(map(str, mutants)), markup=False, soft_wrap=True)
        return
    asking = None
    try:
        with Progress(*_COLUMNS, console=console) as bar:
            tree, refused = _tree(mutants, keep, bar)
            asking = _Asking(mutants, refused, tree, Results(keep / "results.json", tree), jobs, seconds, bar)
            for distance in DISTANCES[:2] if near else DISTANCES:
                asking.ask(distance)
    except KeyboardInterrupt:
        console.print("stopped; what was found is kept, and the same again goes on")
    sys.exit(_report(asking, console) if asking else 1)


def _tree(mutants: list[Mutant], keep: Path, bar: Progress) -> tuple[Path, set[int]]:
    """The tree with the mutants, and the numbers of those that do not compile."""
    folder = keep / hashlib.sha256("\0".join(one.key for one in mutants).encode()).hexdigest()[:12]
    tree, made = folder / "tree", folder / "refused.json"
    if not made.exists():
        task = bar.add_task("compiling the mutants", total=None)
        make_tree(ROOT, tree, mutants)
        made.write_text(json.dumps(sorted(build_engine(ROOT, tree, mutants))))
        bar.remove_task(task)
    link_tests(ROOT, tree)
    return tree, set(json.loads(made.read_text()))


@dataclass
class _Asking:
    """The mutants, and which of them have been noticed so far."""

    mutants: list[Mutant]
    refused: set[int]
    tree: Path
    results: Results
    jobs: int
    seconds: float
    bar: Progress

    def __post_init__(self) -> None:
        numbers = [number for number in range(1, len(self.mutants) + 1) if number not in self.refused]
        known = {number: self.results.killed_by(self.mutants[number - 1]) for number in numbers}
        self.killed = {number: by for number, by in known.items() if by}
        self.asked = {number: 0 for number in numbers if number not in self.killed}
        """Those that are left, each with the number of tests that did not notice it."""

    def ask(self, distance: int) -> None:
        """Ask the tests at this distance about each that is left."""
        files = {number: files_at(self.tree, self.mutants[number - 1], distance) for number in self.asked}
        record = Record(self.tree, self.tree.parent / "record")
        wanted = sorted({file for each in files.values() for file in each})
        if missing := record.missing(wanted):
            task = self.bar.add_task(f"what tests come by, {distance + 1}/{len(DISTANCES)}", total=len(missing))
            record.make(missing, self.jobs, lambda count: self.bar.advance(task, count))
        tests = record.tests(wanted)
        chosen = {
            number: could_notice(self.tree, self.mutants[number - 1], number, tests, each, self.seconds)
            for number, each in files.items()
        }
        self._run(chosen, distance)

    def _run(self, chosen: dict[int, list[Test]], distance: int) -> None:
        new = {}
        for number, tests in chosen.items():
            if self.results.survived(self.mutants[number - 1], tests):
                self.asked[number] += len(tests)
            elif tests:
                new[number] = tests
        task = self.bar.add_task(f"mutants, {distance + 1}/{len(DISTANCES)}", total=len(new))
        pool = ThreadPoolExecutor(self.jobs)
        try:
            waiting = {pool.submit(killed_by, self.tree, number, tests): number for number, tests in new.items()}
            for done in as_completed(waiting):
                number = waiting[done]
                self._keep(number, new[number], done.result())
                self.bar.advance(task)
        finally:
            pool.shutdown(cancel_futures=True)

    def _keep(self, number: int, tests: list[Test], by: str) -> None:
        self.results.put(self.mutants[number - 1], tests, by)
        if by:
            self.killed[number] = by
            del self.asked[number]
        else:
            self.asked[number] += len(tests)


def _report(asking: _Asking, console: Console) -> int:
    """Print the survivors and the sums; the exit code."""
    for number, count in asking.asked.items():
        said = f"{count} tests did not notice" if count else "no test comes by"
        console.print(f"{asking.mutants[number - 1]}\n  {said}\n", markup=False, soft_wrap=True)
    console.print(
        f"{len(asking.killed)} of {len(asking.killed) + len(asking.asked)} were killed; "
        f"{len(asking.refused)} did not compile"
    )
    return 1 if asking.asked else 0


if __name__ == "__main__":
    main()
