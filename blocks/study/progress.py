"""A progress bar for studies: members done, rate, failures and time left (by rich)."""

from __future__ import annotations

import time
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


class StudyBar:
    """A context manager; `update(done, total, failed)` moves the bar."""

    def __init__(self, total: int, before: int = 0, console: Console | None = None) -> None:
        self.before = before
        self.began = time.perf_counter()
        self.bar = Progress(
            TextColumn("[bold]members"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[state]}"),
            TimeRemainingColumn(),
            console=console or Console(stderr=True),
        )
        self.task = self.bar.add_task("members", total=total, completed=before, state="")

    def __enter__(self) -> StudyBar:
        self.bar.__enter__()
        return self

    def update(self, done: int, total: int, failed: int) -> None:
        """Show that so many members are done."""
        rate = (done - self.before) / max(time.perf_counter() - self.began, 1e-9)
        speed = f"{rate:,.0f}" if rate >= 100.0 else f"{rate:.3g}"
        trouble = f"  [red]{failed:,} failed" if failed else ""
        self.bar.update(self.task, completed=done, state=f"{done:,} of {total:,}  {speed}/s{trouble}")

    def __exit__(self, *problem: Any) -> None:
        self.bar.__exit__(*problem)
