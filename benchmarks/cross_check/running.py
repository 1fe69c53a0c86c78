"""Run importing tools on exported FMUs, and write what they found in the layout of the cross-check."""

from __future__ import annotations

import tempfile
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from benchmarks.cross_check.comparison import Deviation, Incomplete, compare
from benchmarks.cross_check.importers.importer import Failed, Importer, Refused, described, last_words
from benchmarks.cross_check.rules import Columns, Exported, Place
from fmu.exporting.reference_results import table


@dataclass(frozen=True)
class Outcome:
    """What a tool made of an FMU. verdict: "passed", "failed" or "rejected"; why: where it is not passed."""

    importer: Importer
    place: Place
    verdict: str
    why: str = ""
    deviation: Deviation | None = None


def try_all(
    what: Sequence[Exported], tools: Iterable[Importer], root: Path, workers: int
) -> Iterator[tuple[Importer, Exported, Outcome]]:
    """Run each tool on each FMU that is of its kind, some at once, and write the results below a folder."""
    jobs = [(tool, one) for tool in tools for one in what if tool.takes(one.place)]
    with ThreadPoolExecutor(workers) as pool:
        for (tool, one), found in zip(jobs, pool.map(lambda job: try_one(*job, root), jobs), strict=True):
            yield tool, one, found


def try_one(tool: Importer, one: Exported, root: Path) -> Outcome:
    """Run a tool on an FMU, judge what it found, and write both."""
    columns: Columns | None = None
    with tempfile.TemporaryDirectory(prefix="cross_check") as scratch:
        try:
            columns = tool.run(one, Path(scratch))
            outcome = _judged(tool, one, columns)
        except Refused as problem:
            outcome = Outcome(tool, one.place, "rejected", str(problem))
        except (Failed, Incomplete) as problem:
            outcome = Outcome(tool, one.place, "failed", str(problem))
        except (OSError, ValueError, LookupError) as problem:
            what = f"{type(problem).__name__}: {last_words(str(problem))}"
            outcome = Outcome(tool, one.place, "failed", f"its results cannot be read ({what})")
    if not tool.only_checks:
        _write(one.place.imported(root, tool.name, tool.version()), one, columns, outcome)
    return outcome


def _write(folder: Path, one: Exported, columns: Columns | None, outcome: Outcome) -> None:
    """The results, an empty file called as the verdict is, and README.md with the reason if it is not passed."""
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    if columns is not None:
        names = [name for name in one.reference if name in columns and name != "time"]
        rows = zip(columns["time"], zip(*(columns[name] for name in names), strict=True), strict=True)
        (folder / f"{one.place.model}_out.csv").write_bytes(table(names, rows))
    (folder / outcome.verdict).touch()
    if outcome.why:
        said = f"# {outcome.place.model} in {outcome.importer.name}\n\n{outcome.verdict.capitalize()}: {outcome.why}.\n"
        (folder / "README.md").write_text(said, encoding="utf-8")


def _judged(tool: Importer, one: Exported, columns: Columns | None) -> Outcome:
    if columns is None:
        return Outcome(tool, one.place, "passed")
    # in co-simulation there are the same communication points, and no events between them
    jumping = _discrete(one) if one.place.interface == "me" else ()
    found = compare(one.reference, columns, one.options["RelTol"], jumping)
    return Outcome(tool, one.place, "passed" if found.agrees else "failed", "" if found.agrees else str(found), found)


def _discrete(one: Exported) -> set[str]:
    return {v.name for v in described(one.fmu).modelVariables if v.variability == "discrete"}
