"""Where the commands write to: tables and data on standard output, messages on standard error."""

from __future__ import annotations

import contextlib
import json
import math
import sys
import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from blocks.errors import KeelblocksWarning

_WIDTH_OF_FILES = 120
"""Width of what is written to a file or a pipe, which have none."""


def output() -> Console:
    """Standard output."""
    return Console(width=None if sys.stdout.isatty() else _WIDTH_OF_FILES, highlight=False)


def messages() -> Console:
    """Standard error."""
    return Console(stderr=True, highlight=False)


def error(message: str) -> None:
    """Say what went wrong: in a frame on a terminal, in plain lines for a file or a pipe."""
    if sys.stderr.isatty():
        messages().print(Panel(Text(message), title="Error", title_align="left", border_style="red"))
    else:
        print(f"Error: {message}", file=sys.stderr)


@contextlib.contextmanager
def warnings_in_lines() -> Iterator[None]:
    """Show each warning of Keelblocks once, in one line without the place in its source; others as Python does."""
    shown: set[str] = set()
    other = warnings.showwarning

    def show(message: Warning | str, category: type[Warning], *rest: Any, **named: Any) -> None:
        if not issubclass(category, KeelblocksWarning):
            other(message, category, *rest, **named)
        elif str(message) not in shown:
            shown.add(str(message))
            print(f"Warning: {message}", file=sys.stderr)

    with warnings.catch_warnings():
        warnings.showwarning = show
        yield


def note(message: str) -> None:
    """Say something in passing."""
    print(message, file=sys.stderr)


def table(columns: Sequence[str], rows: Iterable[Sequence[str]], *, title: str = "", header: bool = True) -> Table:
    """A table of plain text, the first column in bold."""
    made = Table(
        title=escape(title) if title else None,
        box=box.SIMPLE_HEAD if header else None,
        show_header=header,
        title_justify="left",
        title_style="bold",
        pad_edge=False,
        padding=(0, 2, 0, 0),
    )
    for number, name in enumerate(columns):
        made.add_column(name, style="bold" if number == 0 else "", overflow="fold")
    for row in rows:
        made.add_row(*(Text(cell) for cell in row))
    return made


def data(value: Any) -> None:
    """Print data as JSON. What is not a number there, such as infinity, becomes null."""
    print(json.dumps(_finite(value), indent=2, ensure_ascii=False))


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _finite(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_finite(item) for item in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value
