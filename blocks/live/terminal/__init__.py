"""A run in real time on a terminal: what it shows, and the keys that steer it."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any


def interactive() -> bool:
    """Whether there is a terminal, with keys."""
    return sys.stdin.isatty() and sys.stderr.isatty()


def terminal(
    show: Iterable[str] | None = None,
    change: Iterable[str] | None = None,
    title: str = "",
    *,
    plain: bool | None = None,
) -> Any:
    """A sink that shows a run: with keys on a terminal, in plain lines where there is none or `plain` says so.

    show: signals; None: outputs of the diagram, or motions of vessels. change: inputs and parameters that keys change;
    None: all inputs, and all parameters that are a single number.
    """
    if plain or (plain is None and not interactive()):
        from blocks.live.terminal.lines import Lines

        return Lines(show)
    from blocks.live.terminal.view import View

    return View(show, change, title)
