"""A progress bar for runs: simulated time, share done, speed against real time, time left (by rich)."""

from __future__ import annotations

import time
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, Progress, TaskProgressColumn, TextColumn, TimeRemainingColumn


class SimulationBar:
    """A context manager; `update(t, end)` moves the bar."""

    def __init__(self, start: float, end: float, console: Console | None = None, label: str = "simulating") -> None:
        self.start, self.end = start, end
        self.began = time.perf_counter()
        self.bar = Progress(
            TextColumn("[bold]{task.description}"),
            BarColumn(bar_width=None),
            TaskProgressColumn(),
            TextColumn("{task.fields[state]}"),
            TimeRemainingColumn(),
            console=console or Console(stderr=True),
        )
        self.task = self.bar.add_task(label, total=end - start, state="")

    def __enter__(self) -> SimulationBar:
        self.bar.__enter__()
        return self

    def update(self, t: float, end: float) -> None:
        """Show that simulated time has come to t."""
        factor = (t - self.start) / max(time.perf_counter() - self.began, 1e-9)
        self.bar.update(self.task, completed=t - self.start, state=f"{t:.4g} of {end:g} s  ×{factor:,.0f} real time")

    def __exit__(self, *problem: Any) -> None:
        self.bar.__exit__(*problem)
