"""`keelblocks test`: try the blocks of a library by the checks that those of Keelblocks have to pass."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
import time
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.errors import LibraryError, did_you_mean

if TYPE_CHECKING:
    from blocks.trials.naming import Tried
    from blocks.trials.registry import Trial
    from blocks.trials.running import Outcome, Pair

FAILED = 1


@click.command("test", short_help="Try the blocks of a library by the common checks.")
@click.argument("library", metavar="[LIBRARY]", required=False)
@click.option("-k", "words", multiple=True, metavar="TEXT", help="Only blocks and trials with this in their names.")
@click.option("--list", "only_list", is_flag=True, help="List the trials and leave.")
@click.option("--strict", is_flag=True, help="Also the trials that only blocks of Keelblocks have to pass.")
@click.option("--seconds", type=float, default=60.0, show_default=True, help="How long one trial of a block may take.")
@click.option("--no-tests", is_flag=True, help="Leave out the tests that the library itself has in its folder tests.")
@click.option(
    "--json", "as_json", is_flag=True, help="Print a list of objects as JSON; the library's tests are left out."
)
def trials_command(
    library: str | None,
    words: tuple[str, ...],
    only_list: bool,
    strict: bool,
    seconds: float,
    no_tests: bool,
    as_json: bool,
) -> int:
    """Try every block of LIBRARY by the checks that the blocks of Keelblocks have to pass: docstrings, units, sources
    and examples, what depends on what, the same bits for the same arguments, agreement of solvers, and so on. After
    that come the library's own tests, if it has a folder of them and pytest is installed.

    LIBRARY is a package or module of blocks, the path of its folder or Python file, or the name of an installed
    package. A kernel that crashes or never returns fails its trial and no other.

    \b
    Examples:
        keelblocks test my_blocks
        keelblocks test my_blocks -k Drag -k solvers
        keelblocks test --list

    \b
    Exit codes: 0 all passed; 1 something failed; 2 the library cannot be used.
    """
    from blocks.trials.registry import TRIALS

    trials = [trial for trial in TRIALS.values() if strict or not trial.strict]
    if only_list:
        return _list(list(TRIALS.values()), as_json)
    if library is None:
        raise click.UsageError("which library? Give its package, its folder or its Python file")
    from blocks.trials.naming import blocks_of

    folder = Path.cwd()
    tried = blocks_of(library, folder)
    pairs = _chosen(tried, trials, words)
    began = time.perf_counter()
    outcomes = _run(library, folder, pairs, seconds)
    if as_json:
        console.data([vars(one) for one in outcomes])
        return OK if all(one.passed for one in outcomes) else FAILED
    passed = _report(tried, outcomes, time.perf_counter() - began)
    if not no_tests and not words and tried.tests is not None:
        passed &= _own_tests(tried, tried.tests)
    return OK if passed else FAILED


def _list(trials: Sequence[Trial], as_json: bool) -> int:
    rows = [{"trial": one.name, "what has to be": one.title, "strict": one.strict} for one in trials]
    if as_json:
        console.data(rows)
        return OK
    table = [(one.name, one.title + (" (--strict)" if one.strict else "")) for one in trials]
    console.output().print(console.table(["trial", "what has to be"], table))
    return OK


def _chosen(tried: Tried, trials: Sequence[Trial], words: Iterable[str]) -> list[Pair]:
    """Pairs of which each word is part: of the name of the block, or of the trial. Raises LibraryError for no pair."""
    pairs = [(block, trial) for block in tried.blocks for trial in trials]
    of_blocks, of_trials = [], []
    for word in words:
        if any(word.lower() in trial.name for trial in trials):
            of_trials.append(word.lower())
        elif any(word.lower() in block.lower() for block in tried.blocks):
            of_blocks.append(word.lower())
        else:
            names = [*tried.blocks, *(block.rpartition(".")[2] for block in tried.blocks), *(t.name for t in trials)]
            raise LibraryError(
                f"no block of {tried.name} and no trial has '{word}' in its name{did_you_mean(word, names)}"
            )
    return [
        (block, trial)
        for block, trial in pairs
        if (not of_blocks or any(word in block.lower() for word in of_blocks))
        and (not of_trials or any(word in trial.name for word in of_trials))
    ]


def _run(given: str, folder: Path, pairs: Sequence[Pair], seconds: float) -> list[Outcome]:
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

    from blocks.trials.running import run_trials

    outcomes: list[Outcome] = []
    columns = (
        TextColumn("[bold]{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TextColumn("{task.fields[at]}"),
    )
    with Progress(*columns, console=console.messages(), transient=True) as bar:
        task = bar.add_task("trying", total=len(pairs), at="")
        for outcome in run_trials(given, folder, pairs, seconds):
            outcomes.append(outcome)
            at = pairs[len(outcomes)] if len(outcomes) < len(pairs) else None
            bar.update(task, advance=1, at=f"{at[0]} {at[1].name}" if at else "")
    return outcomes


def _report(tried: Tried, outcomes: Sequence[Outcome], seconds: float) -> bool:
    """What failed, a paragraph for each fault of a block with all trials that found it; whether nothing did."""
    faults: dict[tuple[str, str], list[str]] = {}
    for one in outcomes:
        if one.fault:
            faults.setdefault((one.block, one.fault), []).append(one.trial)
    for (block, fault), trials in faults.items():
        more = f" and {len(trials) - 1} more" if len(trials) > 1 else ""
        print(f"FAILED {block} {trials[0]}{more}")
        for line in fault.splitlines():
            print(f"    {line}")
    counts = {
        "failed": sum(bool(one.fault) for one in outcomes),
        "passed": sum(one.passed for one in outcomes),
        "not tried, of blocks whose examples fail": sum(not one.tried for one in outcomes),
    }
    told = ", ".join(f"{count} {what}" for what, count in counts.items() if count or what == "passed")
    number = len({one.block for one in outcomes})
    blocks = "1 block" if number == 1 else f"{number} blocks"
    print(f"{tried.name} ({blocks}): {told}, in {seconds:.1f} s")
    return not faults


def _own_tests(tried: Tried, folder: Path) -> bool:
    """Run the tests that a library has; whether they pass."""
    if importlib.util.find_spec("pytest") is None:
        console.note(f"its own tests in {folder} were not run, for that takes pytest: pip install pytest")
        return True
    sys.stdout.flush()
    path = os.pathsep.join(place or str(Path.cwd()) for place in sys.path)
    command = [sys.executable, "-m", "pytest", "-q", str(folder)]
    ran = subprocess.run(command, cwd=folder.parent, env=os.environ | {"PYTHONPATH": path}, check=False)
    nothing_there = 5
    return ran.returncode in (0, nothing_there)
