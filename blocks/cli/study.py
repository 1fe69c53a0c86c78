"""`keelblocks study`: many runs of one scenario that differ in factors."""

from __future__ import annotations

import tempfile
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from blocks.cli import console
from blocks.cli.group import BAD, OK, Cli
from blocks.cli.interrupts import held
from blocks.cli.members import How, check_settings, run_options, setting_options
from blocks.cli.run import say_compiled
from blocks.errors import KeelblocksError, ScenarioError

if TYPE_CHECKING:
    from blocks.study import Outcome, Study
    from blocks.study.file import StudyDocument

_FORMATS = (".nc", ".csv", ".parquet")
_SHOWN = 5
"""Reasons that are printed."""


@click.group("study", cls=Cli, short_help="Run a scenario many times, with other factors.")
def study_command() -> None:
    """Run a scenario many times, with other parameters, seeds or blocks, and measure each run by a few numbers.

    \b
    Examples:
        keelblocks study show examples/studies/minerva_currents.yaml
        keelblocks study run examples/studies/minerva_currents.yaml --workers 4 --folder build/currents
        keelblocks study run examples/studies/minerva_currents.yaml --scheduler tcp://head:8786 --output table.parquet
    """


@study_command.command("run", short_help="Run a study and write its table.")
@click.argument("file", metavar="STUDY", type=click.Path(path_type=Path))
@click.option(
    "-o", "--output", "outputs", multiple=True, metavar="FILE", type=click.Path(path_type=Path),
    help="Table (.csv, .parquet) or dataset (.nc) to write; several times if need be. results/NAME.nc and .csv if not "
    "given.",
)  # fmt: skip
@run_options
@setting_options
@click.option("--dry-run", is_flag=True, help="Only say how many members and plans there are, and how long it takes.")
@click.option("--json", "as_json", is_flag=True, help="Print the summary as JSON.")
@click.option("-q", "--quiet", is_flag=True, help="Print nothing but errors.")
def run_study(
    file: Path,
    outputs: tuple[Path, ...],
    how: How,
    dry_run: bool,
    as_json: bool,
    quiet: bool,
    **settings: Any,
) -> int:
    """Run a study: every member, or those that are not in the folder yet, and write the table of all.

    A member that fails is in the table with its reason. What was done is kept when the study is interrupted.

    \b
    Exit codes: 0 complete; 2 bad input, or the study had to stop; 130 interrupted.
    """
    from blocks.study.file import StudyDocument

    check_settings(settings)
    document = StudyDocument.load(file)
    targets = outputs or (Path("results") / f"{document.name}.nc", Path("results") / f"{document.name}.csv")
    _check(targets)
    made = document.study(**settings)
    if dry_run:
        return _describe(made, document.title, how.workers, as_json)
    outcome, code, message = how.run(made, quiet)
    with held():
        files, troubles = _save(outcome, targets, document.name, how.folder) if outcome.records.done else ([], [])
    if as_json:
        console.data(_summary(outcome, document.name, message, files))
    elif not quiet:
        _show(outcome, document.title)
        say_compiled(outcome.compiled)
        for path in files:
            console.output().print(f"wrote {path}", soft_wrap=True, markup=False)
    for text in (message, *troubles):
        if text:
            console.error(text)
    return code or (BAD if troubles else OK)


@study_command.command("show", short_help="Show what a study is, or what a folder holds of one.")
@click.argument("path", metavar="STUDY|DIR", type=click.Path(path_type=Path))
@setting_options
@click.option("--json", "as_json", is_flag=True, help="Print it as JSON.")
def show_study(path: Path, as_json: bool, **settings: Any) -> int:
    """Show the factors and metrics of a study, and how long it takes; or how far the study in a folder has come."""
    if path.is_dir():
        return _show_folder(path, as_json)
    from blocks.study.file import StudyDocument

    check_settings(settings)
    document = StudyDocument.load(path)
    return _describe(document.study(**settings), document.title, None, as_json)


@study_command.command("member", short_help="Write one member of a study as a scenario.")
@click.argument("file", metavar="STUDY", type=click.Path(path_type=Path))
@click.argument("number", metavar="MEMBER", type=click.IntRange(min=0))
@click.option("-o", "--output", metavar="FILE", type=click.Path(path_type=Path), help="NAME_MEMBER.yaml if not given.")
@setting_options
def write_member(file: Path, number: int, output: Path | None, **settings: Any) -> int:
    """Write one member, by its number in the table, as a scenario that can be run, drawn and exported by itself.

    A comparison is a study, too.

    \b
    Example:
        keelblocks study member examples/studies/minerva_currents.yaml 17 --output build/member.yaml
        keelblocks run build/member.yaml
    """
    check_settings(settings)
    document = _study_or_comparison(file)
    scenario = document.member(document.study(**settings), number, **settings)
    path = scenario.save(output or Path(f"{scenario.name}.yaml"))
    console.output().print(f"wrote {path}", soft_wrap=True, markup=False)
    return OK


def _study_or_comparison(file: Path) -> StudyDocument:
    """The file; of a comparison, the study that it is."""
    from blocks.lab.comparison.file import ComparisonDocument
    from blocks.study.file import StudyDocument
    from blocks.yaml.kinds import kind_of

    comparison = kind_of(file, "keelblocks_study") == "keelblocks_comparison"
    return (ComparisonDocument if comparison else StudyDocument).load(file)


def _check(targets: tuple[Path, ...]) -> None:
    """Find out before the study, and not after it, that its table cannot be written."""
    for target in targets:
        if target.suffix not in _FORMATS:
            raise ScenarioError(f"--output {target}: the ending must be one of {', '.join(_FORMATS)}")
        if target.suffix == ".parquet":
            try:
                import pyarrow  # noqa: F401
            except ImportError:
                raise ScenarioError("Parquet needs pyarrow: pip install 'keelblocks[parquet]'") from None
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=target.parent):
                pass
        except OSError as problem:
            raise ScenarioError(f"cannot write to {target.parent}: {problem.strerror or problem}") from None
        if target.is_dir():
            raise ScenarioError(f"--output {target} is a folder; name a file in it")


def _save(outcome: Outcome, targets: tuple[Path, ...], name: str, folder: Path | None) -> tuple[list[Path], list[str]]:
    """The files that were written, and why others were not. What is kept nowhere goes to a place of its own."""
    files: list[Path] = []
    troubles: list[str] = []
    for target in targets:
        try:
            files.append(outcome.save(target))
        except KeelblocksError as problem:
            troubles.append(str(problem))
    if troubles and not files and (folder is None or not folder.is_dir()):
        try:
            refuge = outcome.save(Path(tempfile.mkdtemp(prefix="keelblocks-")) / f"{name}.nc")
            troubles.append(f"the table has been kept in {refuge}")
        except (KeelblocksError, OSError):
            troubles.append("and nor could it be written to the folder for temporary files")
    return files, troubles


def _describe(study: Study, title: str, workers: int | None, as_json: bool) -> int:
    from blocks.study.executors import workers_of

    count = workers_of(workers)
    seconds = study.seconds_per_member()
    total = seconds * len(study) / count
    if as_json:
        console.data({**study.description, "members": len(study), "seconds_per_member": seconds, "seconds": total})
        return OK
    rows = [("members", f"{len(study):,}, along {_along(study.members.dimensions)}"), ("plans", str(len(study.cases)))]
    rows += [(f"factor {name}", _short(levels)) for name, levels in study.description["factors"].items()]
    rows += [
        (f"metric {name}", str(next(iter(about.values())))) for name, about in study.description["metrics"].items()
    ]
    if study.seeds.names:
        whose = "replicate, the same for all combinations" if study.seeds.common else "member"
        rows.append(("seeds", f"{', '.join(study.seeds.names)}: one for each {whose}"))
    if fixed := study.fixed_seeds():
        rows.append(("seeds", f"{', '.join(fixed)}: the same in every member"))
    if study.cases[0].program.stepped:
        rows.append(("solver", f"{study.description['solver']}, stepped in Python and slow; threads take turns"))
    rows.append(("time", f"about {_duration(total)} with {count} workers, {seconds * 1e3:.3g} ms for a member"))
    console.output().print(console.table(("", ""), rows, title=title, header=False))
    return OK


def _along(dimensions: dict[str, int]) -> str:
    return " × ".join(f"{count} {name}" for name, count in dimensions.items()) or "nothing"


def _short(levels: Any) -> str:
    if isinstance(levels, str):
        return levels
    levels = [_brief(level) for level in levels]
    shown = ", ".join(levels[:6])
    return f"{shown}, … {levels[-1]} ({len(levels)})" if len(levels) > 7 else ", ".join(levels)


def _brief(level: str) -> str:
    """A number with few digits; other text as it is."""
    try:
        return f"{float(level):.6g}"
    except ValueError:
        return level


def _duration(seconds: float) -> str:
    if seconds < 120.0:
        return f"{seconds:.2g} s"
    return f"{seconds / 60.0:.0f} min" if seconds < 7200.0 else f"{seconds / 3600.0:.1f} h"


def _summary(outcome: Outcome, name: str, message: str, files: list[Path]) -> dict[str, Any]:
    import numpy as np

    metrics = {}
    for metric, unit in outcome.units.items():
        values = outcome.continuous(metric)
        sound = values[np.isfinite(values)]
        metrics[metric] = {
            "unit": unit,
            "members": int(sound.size),
            **(
                {"mean": float(sound.mean()), "least": float(sound.min()), "greatest": float(sound.max())}
                if sound.size
                else {}
            ),
        }
    return {
        "name": name,
        "members": len(outcome),
        **{status.replace(" ", "_"): count for status, count in Counter(outcome.status).items()},
        "metrics": metrics,
        "reasons": {str(member): reason for member, reason in outcome.reasons.items()},
        **({"compiled": outcome.compiled} if outcome.compiled else {}),
        "message": message,
        "files": [str(path) for path in files],
    }


def _show(outcome: Outcome, title: str) -> None:
    rows = []
    for name, about in _summary(outcome, "", "", [])["metrics"].items():
        numbers = [f"{about[key]:.5g}" if key in about else "" for key in ("mean", "least", "greatest")]
        rows.append([name, about["unit"], *numbers, f"{about['members']:,}"])
    out = console.output()
    out.print(console.table(("metric", "unit", "mean", "least", "greatest", "members"), rows, title=title))
    out.print(outcome.summary(), markup=False)
    _show_reasons(outcome.reasons)


def _show_reasons(reasons: dict[int, str]) -> None:
    for member, reason in list(reasons.items())[:_SHOWN]:
        console.output().print(f"member {member}: {reason}", markup=False, soft_wrap=True)
    if len(reasons) > _SHOWN:
        console.output().print(f"and {len(reasons) - _SHOWN:,} more, in the column 'reason' of the table")


def _show_folder(folder: Path, as_json: bool) -> int:
    from blocks.run.endings import ending
    from blocks.study.records import Records
    from blocks.study.store import read_folder

    try:
        description, records = read_folder(folder)
    except KeelblocksError as problem:
        raise ScenarioError(str(problem)) from None
    assert isinstance(records, Records)
    counts = Counter(records.names)
    if as_json:
        console.data({**description, "members": len(records.status), "done": records.done, **counts})
        return OK
    rows = [("members", f"{len(records.status):,}, along {_along(description['dimensions'])}")]
    rows += [(ending(status), f"{count:,}") for status, count in counts.most_common()]
    rows += [(f"factor {name}", _short(levels)) for name, levels in description["factors"].items()]
    console.output().print(console.table(("", ""), rows, title=str(folder), header=False))
    _show_reasons(dict(sorted(records.reasons.items())))
    return OK
