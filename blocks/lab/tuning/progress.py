"""A progress bar for tuning: trials done, and the best value so far (by rich)."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn


class TuningBar:
    """A progress bar, the user's function, or nothing."""

    @staticmethod
    @contextlib.contextmanager
    def of(progress: bool | Callable[[int, float], None], trials: int) -> Iterator[Callable[[int, float], Any]]:
        """What is called with (trials done, least value so far)."""
        if callable(progress):
            yield progress
            return
        if not progress:
            yield lambda count, least: None
            return
        columns = (
            TextColumn("[bold]trials"), BarColumn(bar_width=None), TextColumn("{task.fields[state]}"),
            TimeRemainingColumn(),
        )  # fmt: skip
        with Progress(*columns, console=Console(stderr=True)) as bar:
            task = bar.add_task("trials", total=trials, state="")

            def update(count: int, least: float) -> None:
                best = "" if np.isnan(least) else f"  best {least:.5g}"
                bar.update(task, completed=min(count, trials), state=f"{count:,} of {trials:,}{best}")

            yield update
