"""The table of what ran: a line per file of the engine, one for all kernels, and which lines wait for a test."""

from __future__ import annotations

from collections.abc import Iterable

from engine_coverage.counts import KERNELS, RUNTIME, Line
from rich.console import Console
from rich.table import Table

LEAST = 0.9
"""Of the branches of the engine, that have to run."""

CORE = ("core/", "mathematics/events.pxd", "mathematics/limits.pxd", "view.pxd")
"""What of `cython_kernels` every FMU has: what runs a plan. The others are kernels and what they share; the registry,
two branches for every kernel, is not the engine's merit."""

CHECKED = "core/checked.pxd"
"""Not in any FMU: the checked build has it."""


def is_engine(file: str) -> bool:
    """Whether a file is part of the engine and not of a kernel."""
    kernels, _, place = file.partition("/")
    return file.startswith(RUNTIME) or (kernels == KERNELS and place.startswith(CORE) and place != CHECKED)


def report(found: Iterable[Line], *, missing: bool) -> float:
    """Print the table; which part of the engine's branches ran."""
    console = Console(highlight=False)
    files: dict[str, list[Line]] = {}
    for line in found:
        files.setdefault(line.file, []).append(line)
    table = Table("file", box=None)
    for title in ("branches", "ran", "%"):
        table.add_column(title, justify="right")
    engine = sorted(file for file in files if is_engine(file))
    for file in engine:
        table.add_row(file, *_numbers(files[file]))
    inside = [line for file in engine for line in files[file]]
    table.add_row("the C engine", *_numbers(inside), style="bold")
    table.add_row("kernels", *_numbers([line for file in files if file not in engine for line in files[file]]))
    console.print(table)
    if missing:
        for line in (line for file in sorted(files) for line in files[file] if line.taken < len(line.counts)):
            which = " ".join("-" if count else "never" for count in line.counts)
            console.print(f"{line.file}:{line.number}: {which}", soft_wrap=True)
    return _part(inside)


def _part(lines: Iterable[Line]) -> float:
    branches = [count > 0 for line in lines for count in line.counts]
    return sum(branches) / len(branches) if branches else 0.0


def _numbers(lines: list[Line]) -> tuple[str, str, str]:
    total, ran = sum(len(line.counts) for line in lines), sum(line.taken for line in lines)
    return f"{total}", f"{ran}", f"{100 * _part(lines):.1f}"
