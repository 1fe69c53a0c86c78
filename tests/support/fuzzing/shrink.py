"""A smaller file that falls in the same way."""

from __future__ import annotations

from pathlib import Path

from fuzzing.batch import FELL
from fuzzing.run import Prepared, go_through, work_on

_ROUNDS = 12


def shrunk(prepared: Prepared, name: str, content: bytes, said: str, scratch: Path) -> bytes:
    """Pieces are left out for as long as it falls for the same reason, by the last line of what was said."""
    reason = _reason(said)
    size = len(content) // 2
    for _ in range(_ROUNDS):
        if size < 1:
            break
        shorter = [(name, content[:at] + content[at + size :]) for at in range(0, len(content), size)][:64]
        tally = go_through(work_on(prepared, shorter), scratch, jobs=1)[prepared.reader.name]
        same = [found for _, found, why in tally.falls if _reason(why) == reason]
        if same:
            content = min(same, key=len)
            size = min(size, len(content) // 2)
        else:
            size //= 2
    return content


def _reason(said: str) -> str:
    return said.strip().rpartition("\n")[2][:60]


__all__ = ["FELL", "shrunk"]
