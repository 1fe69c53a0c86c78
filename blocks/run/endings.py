"""How runs ended, in words: reaching the stop signal is success, as the end of the time is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable


def ending(status: str, stop: object = None) -> str:
    """What the status of a run says of it; `stop` is the name of the stop signal, where it is known."""
    if status == "end":
        return "ran to the end"
    if status == "stopped":
        return f"reached the stop signal{f' {stop}' if stop else ''}"
    return status


def endings(statuses: Iterable[str], stop: object = None) -> str:
    """How many of several runs ended how: "all ran to the end", "3 ran to the end, 1 failed"."""
    counts = Counter(statuses).most_common()
    if len(counts) == 1 and counts[0][1] > 1:
        return f"all {ending(counts[0][0], stop)}"
    return ", ".join(f"{count:,} {ending(status, stop)}" for status, count in counts)
