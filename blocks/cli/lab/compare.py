"""`keelblocks lab compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.group import OK
from blocks.cli.lab.files import check_folder
from blocks.cli.members import How, check_settings, run_options, setting_options
from blocks.cli.run import say_compiled

if TYPE_CHECKING:
    from blocks.lab.comparison import Compared, Comparison

_SHOWN = 5
"""Reasons that are printed."""
_GAP = 3
"""Between the columns of a table, in characters."""


@click.command("compare", short_help="Compare by factors and metrics: a table, figures, one report.")
@click.argument("file", metavar="COMPARISON", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", metavar="DIR", type=click.Path(path_type=Path),
    help="Folder for report.html, table.csv, table.parquet and figures; results/NAME if not given.",
)  # fmt: skip
@run_options
@setting_options
@click.option("--dry-run", is_flag=True, help="Only say how many members and plans there are, and how long it takes.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def compare_command(
    file: Path,
    output: Path | None,
    how: How,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    **settings: Any,
) -> int:
    """Run a comparison: every member, or those that are not in the folder yet; write its table, figures and report.

    A member that fails is counted, with its reason, and the others go on. A study file will do, too.

    \b
    Example:
        keelblocks lab compare examples/comparisons/los_benchmark.yaml --output build/los
    \b
    Exit codes: 0 complete; 2 bad input, or it had to stop; 130 interrupted.
    """
    from blocks.lab.comparison import Comparison

    check_settings(settings)
    made = Comparison.load(file, **settings)
    if dry_run:
        return _describe(made, how.workers, as_json)
    target = output or Path("results") / made.source.name
    check_folder(target)
    outcome, code, message = how.run(made.study, quiet)
    compared = made.compared(outcome)
    files = compared.save(target) if outcome.records.done else []
    if as_json:
        console.data({**compared.data(), "message": message, "files": [str(path) for path in files]})
    elif not quiet:
        _show(compared)
        say_compiled(outcome.compiled)
        for path in files:
            console.output().print(f"wrote {path}", soft_wrap=True, markup=False)
    if message:
        console.error(message)
    return code


def _describe(made: Comparison, workers: int | None, as_json: bool) -> int:
    from blocks.study.executors import workers_of

    study = made.study
    seconds = study.seconds_per_member()
    total = seconds * len(study) / workers_of(workers)
    if as_json:
        console.data({**study.description, "members": len(study), "seconds_per_member": seconds, "seconds": total})
        return OK
    along = " × ".join(f"{count} {name}" for name, count in study.members.dimensions.items())
    rows = [("members", f"{len(study):,}" + (f", along {along}" if along else "")), ("plans", str(len(study.cases)))]
    rows += [(f"factor {name}", levels) for name, levels in made.levels().items()]
    rows += [(f"metric {name}", text) for name, text in made.texts.items()]
    rows.append(
        ("time", f"about {total:.2g} s with {workers_of(workers)} workers, {seconds * 1e3:.3g} ms for a member")
    )
    console.output().print(console.table(("", ""), rows, title=made.source.title, header=False))
    return OK


def _show(compared: Compared) -> None:
    """The summary: the mean of each metric, level by level."""
    from blocks.lab.comparison.levels import named, number_text

    units = compared.outcome.units
    header = ["factor", "level", "runs", "failed"]
    rows, before = [], ""
    for row in compared.rows:
        rows.append([row.factor if row.factor != before else "", row.level, str(row.members), str(row.failed)])
        before = row.factor
    columns = [
        [named(name, unit), *(number_text(row.metrics[name].mean) for row in compared.rows)]
        for name, unit in units.items()
    ]
    out = console.output()
    title = compared.comparison.source.title
    for chosen in _fitting([header, *rows], columns, out.width):
        cells = [
            [*row, *own] for row, own in zip(rows, zip(*(column[1:] for column in chosen), strict=True), strict=True)
        ]
        out.print(console.table([*header, *(column[0] for column in chosen)], cells, title=title))
        title = ""
    out.print(compared.counts(), markup=False)
    for reason, count, first in compared.reasons[:_SHOWN]:
        out.print(f"{count:,} such as member {first}: {reason}", markup=False, soft_wrap=True)
    if len(compared.reasons) > _SHOWN:
        out.print(f"and {len(compared.reasons) - _SHOWN:,} more reasons, in the report", markup=False)
    if compared.note:
        console.note(f"figures over time could not be made: {compared.note}")


def _fitting(rows: list[list[str]], columns: list[list[str]], width: int) -> list[list[list[str]]]:
    """The columns of metrics in as many tables as it takes to have them whole, beside the first columns of all."""
    first = sum(max(map(len, column)) + _GAP for column in zip(*rows, strict=True))
    tables: list[list[list[str]]] = [[]]
    used = first
    for column in columns:
        own = max(map(len, column)) + _GAP
        if tables[-1] and used + own > width:
            tables.append([])
            used = first
        tables[-1].append(column)
        used += own
    return tables
