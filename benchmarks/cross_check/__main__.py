"""FMUs of Keelblocks in every importing tool that this machine has, by the rules of the FMI cross-check.

A set of models is exported for every version of FMI, interface and platform that there is a runtime for, each with
reference results by `simulate`, inputs and options. Then each tool runs those that are of its kind, in a process of its
own, and its results are compared with the reference:

  passed    every number is as near to the reference as RelTol in the file of options says
  failed    one is not, or the tool ended without results: README.md beside it says where, and how far
  rejected  the tool lacks what this FMU has: README.md says what

Tools that are not there are named, with what to install. The exit status is 1 if a tool failed or an FMU breaks the
rules, 2 if nothing was run.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn

from benchmarks.cross_check import report
from benchmarks.cross_check.exporting import export_all, wanted
from benchmarks.cross_check.importers import importers
from benchmarks.cross_check.importers.importer import ROOT, Importer
from benchmarks.cross_check.models import MODELS, Model
from benchmarks.cross_check.rules import problems
from benchmarks.cross_check.running import Outcome, try_all
from benchmarks.model import BenchmarkError
from blocks.errors import KeelblocksError, did_you_mean

_EXAMPLES = """\
models:
{models}

  python -m benchmarks.cross_check --only otter,steering --importer "FMPy,C host"
  python -m benchmarks.cross_check --importer Ecos --output build/ecos   # FMUs in fmus/, what Ecos found in results/
"""
_COLUMNS = (TextColumn("[bold]{task.description}"), BarColumn(), MofNCompleteColumn(), TextColumn("{task.fields[now]}"))
_NOWHERE = {"OMSimulator"}
"""Tools that no package index has."""
_COLOURS = {"passed": "green", "failed": "bold red", "rejected": "yellow"}


def main(arguments: list[str] | None = None) -> int:
    """Export, run and say what came of it."""
    parser = _parser()
    options = parser.parse_args(arguments)
    if options.page and (len(options.only), len(options.importer)) != (len(MODELS), len(importers())):
        parser.error("--page: the table of a page is of all models and all tools; leave out --only and --importer")
    if options.workers < 1:
        parser.error(f"--workers must be 1 or more, not {options.workers}")
    try:
        if options.page:
            report.with_table(options.page.read_text(encoding="utf-8"), "")
    except (OSError, ValueError) as problem:
        parser.error(f"--page {options.page}: {getattr(problem, 'strerror', None) or problem}")
    console = Console(stderr=True, highlight=False)
    try:
        return check(options.only, options.importer, options.output, console, options.workers, options.page)
    except (KeelblocksError, BenchmarkError) as problem:
        console.print(f"Error: {problem}", style="bold red", markup=False)
        return 2
    except OSError as problem:
        where = problem.filename or options.output
        said = f"Error: --output {options.output} cannot be used: {where}: {problem.strerror or problem}"
        console.print(said, style="bold red", markup=False, soft_wrap=True)
        return 2


def check(
    models: Sequence[Model], tools: Sequence[Importer], root: Path, console: Console, workers: int, page: Path | None
) -> int:
    """All of it; returns the exit status."""
    missing = {one.name: needed for one in (*models, *tools) if (needed := one.missing())}
    what, broken, outcomes = [], 0, []
    with Progress(*_COLUMNS, console=console, transient=True) as bar:
        every = wanted(model for model in models if model.name not in missing)
        task = bar.add_task("exporting", total=len(every), now="")
        for one in export_all(every, root):
            what.append(one)
            bar.update(task, advance=1, now=str(one.place))
            for said in problems(one):
                broken += 1
                console.print(f"[bold red]against the rules[/] {one.place}: {escape(said)}", soft_wrap=True)
        there = [tool for tool in tools if tool.name not in missing]
        task = bar.add_task("running", total=sum(tool.takes(one.place) for tool in there for one in what), now="")
        for tool, one, outcome in try_all(what, there, root, workers):
            outcomes.append(outcome)
            bar.update(task, advance=1, now=f"{tool.name}: {one.place}")
            if outcome.verdict != "passed":
                colour = _COLOURS[outcome.verdict]
                said = f"{tool.name}, {one.place}: {outcome.why}"
                console.print(f"[{colour}]{outcome.verdict}[/] {escape(said)}", soft_wrap=True)
    _say(outcomes, missing, len(what), root, console)
    if page and {*missing} - _NOWHERE:
        page = Path(shutil.copy(page, root))
        console.print("its page is for a machine with all tools: the table of this one goes elsewhere", soft_wrap=True)
    if page:
        report.write(page, outcomes, missing)
        console.print(f"wrote the table of {page}", soft_wrap=True)
    if not outcomes:
        return 2
    return int(bool(broken) or any(one.verdict == "failed" for one in outcomes))


def _say(outcomes: Sequence[Outcome], missing: dict[str, str], count: int, root: Path, console: Console) -> None:
    said = ", ".join(f"{sum(one.verdict == verdict for one in outcomes)} {verdict}" for verdict in _COLOURS)
    console.print(f"{count} FMUs, {len(outcomes)} trials: {said}; see {root}", soft_wrap=True)
    for name, needed in missing.items():
        console.print(f"not run: {name}, which needs {needed}", markup=False, soft_wrap=True)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.cross_check",
        description=__doc__,
        epilog=_EXAMPLES.format(models="\n".join(f"  {one.name:12s} {one.about}" for one in MODELS)),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    everyone = importers()
    parser.add_argument(
        "--only", type=_chosen("model", MODELS), default=list(MODELS), metavar="MODELS",
        help="these models, with commas between; see below (default: all)",
    )  # fmt: skip
    parser.add_argument(
        "--importer", type=_chosen("importing tool", everyone), default=list(everyone),
        metavar="TOOLS", help=f"these tools, with commas between: {', '.join(one.name for one in everyone)}",
    )  # fmt: skip
    parser.add_argument(
        "--output", type=Path, default=ROOT / "build" / "cross-check", metavar="FOLDER",
        help="where fmus/ and results/ are written (default: build/cross-check)",
    )  # fmt: skip
    parser.add_argument(
        "--workers",
        type=int,
        default=os.cpu_count() or 1,
        metavar="N",
        help="how many run at once (default: all cores)",
    )
    parser.add_argument(
        "--page", type=Path, metavar="FILE",
        help="write the table between the markers of a page, docs/fmus/cross_check.md; with all models and tools only",
    )  # fmt: skip
    return parser


def _chosen(what: str, everyone: Sequence[Any]) -> Callable[[str], list[Any]]:
    """Reads a list of names."""

    def read(text: str) -> list[Any]:
        known = {one.name: one for one in everyone}
        names = [name.strip() for name in text.split(",")]
        for name in names:
            if name not in known:
                raise argparse.ArgumentTypeError(f"there is no {what} '{name}'{did_you_mean(name, known)}")
        return [known[name] for name in known if name in names]

    return read


if __name__ == "__main__":
    sys.exit(main())
