"""Change a sample of lines and see which tests notice: `make mutants ARGS="--seed 3 --count 40"`."""

from __future__ import annotations

import hashlib
import json
import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from mutants.mutant import Mutant, sample
from mutants.noticing import Record, Test, could_notice, files_for
from mutants.results import Results
from mutants.run import KILLED, UNREACHED, Outcome, run
from mutants.tree import build_engine, link_tests, make_tree

ROOT = Path(__file__).resolve().parents[3]
_COLUMNS = (TextColumn("{task.description}"), BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())


@click.command()
@click.option("--seed", default=0, show_default=True, help="another seed changes other lines")
@click.option("--count", default=40, show_default=True, help="how many; half in kernels, half in Python")
@click.option("--only", multiple=True, metavar="PATH", help="lines of this file or folder only")
@click.option("--jobs", type=int, help="mutants at a time; as many as processors if not given")
@click.option("--seconds", default=30.0, show_default=True, help="of tests for a mutant, the nearest first")
@click.option("--keep", type=click.Path(path_type=Path), default=ROOT / "build" / "mutants", help="where all is kept")
@click.option("--list", "only_list", is_flag=True, help="show what would be changed")
def main(
    seed: int, count: int, only: tuple[str, ...], jobs: int | None, seconds: float, keep: Path, only_list: bool
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
    found: dict[int, Outcome] = {}
    refused: set[int] = set()
    try:
        with Progress(*_COLUMNS, console=console) as bar:
            tree, refused = _tree(mutants, keep, bar)
            asked = _asked(mutants, refused, tree, jobs or os.cpu_count() or 1, seconds, bar)
            _run(mutants, asked, Results(keep / "results.json", tree), jobs or os.cpu_count() or 1, bar, found)
    except KeyboardInterrupt:
        console.print("stopped; what was found is kept, and the same again goes on")
    sys.exit(_report(mutants, refused, found, console))


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


def _asked(
    mutants: list[Mutant], refused: set[int], tree: Path, jobs: int, seconds: float, bar: Progress
) -> dict[int, list[Test]]:
    """The tests that are asked about each mutant."""
    left = {number: one for number, one in enumerate(mutants, 1) if number not in refused}
    files = files_for(tree, left.values())
    record = Record(tree, tree.parent / "record")
    if missing := record.missing(files):
        task = bar.add_task("what files of tests come by", total=len(missing))
        record.make(missing, jobs, lambda count: bar.advance(task, count))
    tests = record.tests(files)
    allowed = {one.statement.path.split("/")[0]: set(files_for(tree, [one])) for one in left.values()}
    return {
        number: could_notice(one, number, tests, allowed[one.statement.path.split("/")[0]], seconds)
        for number, one in left.items()
    }


def _run(
    mutants: list[Mutant], asked: dict[int, list[Test]], results: Results, jobs: int, bar: Progress,
    found: dict[int, Outcome],
) -> None:  # fmt: skip
    """Ask the tests, and put into `found` what becomes of each mutant as soon as it is known."""
    found |= {number: known for number, tests in asked.items() if (known := results.get(mutants[number - 1], tests))}
    task = bar.add_task("mutants", total=len(asked), completed=len(found))
    pool = ThreadPoolExecutor(jobs)
    try:
        waiting = {
            pool.submit(run, results.tree, number, tests): number
            for number, tests in asked.items()
            if number not in found
        }
        for done in as_completed(waiting):
            number = waiting[done]
            found[number] = done.result()
            results.put(mutants[number - 1], asked[number], found[number])
            bar.advance(task)
    finally:
        pool.shutdown(cancel_futures=True)


def _report(mutants: list[Mutant], refused: set[int], found: dict[int, Outcome], console: Console) -> int:
    """Print the survivors and the sums; the exit code."""
    left = {number: outcome for number, outcome in found.items() if outcome.end != KILLED}
    for number, outcome in sorted(left.items()):
        said = outcome.end if outcome.end == UNREACHED else f"{outcome.end} {outcome.ran} tests"
        console.print(f"{mutants[number - 1]}\n  {said}\n", markup=False, soft_wrap=True)
    killed = len(found) - len(left)
    console.print(
        f"{killed} of {len(found)} were killed; {len(refused)} do not compile, "
        f"{len(mutants) - len(refused) - len(found)} were not asked"
    )
    return 1 if left else 0


if __name__ == "__main__":
    main()
