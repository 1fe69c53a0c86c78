"""Fuzz the readers: `make fuzz ARGS="--reader scenario --seed 12 --cases 1000"`."""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from fuzzing import corpus
from fuzzing.batch import FELL, OK, REFUSED, Outcome
from fuzzing.readers import READERS
from fuzzing.run import Prepared, Tally, go_through, shares, work_of, work_on
from fuzzing.shrink import shrunk


@click.command()
@click.option("--reader", "names", multiple=True, type=click.Choice([*READERS]), help="this one only; all if not given")
@click.option("--cases", default=10_000, show_default=True, help="how many, over all readers")
@click.option("--seed", default=0, show_default=True, help="another seed gives other files")
@click.option("--first", default=0, help="the number of the first case of each reader")
@click.option("--corpus", "with_corpus", is_flag=True, help="first the files that once fell; only those with --cases 0")
@click.option(
    "--keep",
    type=click.Path(path_type=Path),
    default=Path("build/fuzz"),
    show_default=True,
    help="where files that fall are kept",
)
@click.option("--shrink", is_flag=True, help="make them smaller first")
@click.option("--jobs", type=int, help="children at a time; as many as processors if not given")
@click.option("--quiet", is_flag=True, help="no bar, and the table only if something fell")
def main(
    names: tuple[str, ...],
    cases: int,
    seed: int,
    first: int,
    with_corpus: bool,
    keep: Path,
    shrink: bool,
    jobs: int | None,
    quiet: bool,
) -> None:
    """Put damaged files before the readers of Keelblocks. Ends with 1 if a reader fell."""
    chosen = [READERS[name] for name in names or READERS]
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 120)
    with tempfile.TemporaryDirectory(prefix="keelblocks-fuzz-") as folder:
        scratch = Path(folder)
        prepared = [Prepared.of(reader, scratch / reader.name) for reader in chosen]
        counts = shares(chosen, cases)
        work = [
            piece
            for one in prepared
            for piece in (
                *(work_on(one, list(corpus.kept(corpus.FOLDER, one.reader.name))) if with_corpus else ()),
                *work_of(one, seed, first, counts[one.reader.name]),
            )
        ]
        columns = (BarColumn(None), MofNCompleteColumn(), TimeRemainingColumn())
        with Progress(*columns, console=console, disable=quiet) as bar:
            task = bar.add_task("", total=sum(len(numbers) for *_, numbers in work))

            def told(_: Outcome) -> None:
                bar.advance(task)

            tallies = go_through(work, scratch, told, jobs)
        fell = any(tally.falls for tally in tallies.values())
        if fell or not quiet:
            console.print(_table(tallies))
        for one in prepared:
            for name, content, said in _distinct(tallies[one.reader.name]) if one.reader.name in tallies else ():
                kept = shrunk(one, name, content, said, scratch / "shrink") if shrink else content
                console.print(
                    f"\n{corpus.keep(keep, one.reader.name, name, kept)}\n{said}", markup=False, soft_wrap=True
                )
    sys.exit(1 if fell else 0)


def _distinct(tally: Tally) -> list[tuple[str, bytes, str]]:
    """One fall of each kind: those that end in the same lines are of one."""
    kinds: dict[str, tuple[str, bytes, str]] = {}
    for name, content, said in sorted(tally.falls, key=lambda fall: len(fall[1])):
        frames = [line for line in said.splitlines() if line.lstrip().startswith("File ")][-2:]
        kinds.setdefault("\n".join(frames) or said[:60], (name, content, said))
    return list(kinds.values())


def _table(tallies: dict[str, Tally]) -> Table:
    table = Table("reader", box=None)
    for title in ("cases", "read", "refused", "fell", "ms a case"):
        table.add_column(title, justify="right")
    for name, tally in tallies.items():
        table.add_row(name, *_row(tally.ends, tally.seconds))
    whole = sum((tally.ends for tally in tallies.values()), start=type(next(iter(tallies.values())).ends)())
    table.add_row("all", *_row(whole, sum(tally.seconds for tally in tallies.values())), style="bold")
    return table


def _row(ends: dict[str, int], seconds: float) -> tuple[str, ...]:
    cases = sum(ends.values())
    return (
        f"{cases:,}",
        f"{ends[OK]:,}",
        f"{ends[REFUSED]:,}",
        f"{ends[FELL]:,}",
        f"{1000 * seconds / max(cases, 1):.1f}",
    )


if __name__ == "__main__":
    main()
