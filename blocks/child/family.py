"""End a process with all that it has started.

Processes of a child are of its session and its process group, unless they leave it as daemons do. On Linux those are
found, too, by a mark in the environment that they inherit. On Windows only the child itself is ended.
"""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

MARK = "KEELBLOCKS_CHILD"
"""The variable of the environment."""

_ROUNDS = 10


def end_group(leader: int) -> None:
    """End all processes of a group."""
    if os.name == "posix":
        with contextlib.suppress(OSError):
            os.killpg(leader, signal.SIGKILL)


def end_marked(mark: str) -> None:
    """End all processes with a mark but this one; again, as long as there are some that were started meanwhile."""
    for _ in range(_ROUNDS):
        found = _marked(f"{MARK}={mark}".encode())
        if not found:
            return
        for process in found:
            with contextlib.suppress(OSError):
                os.kill(process, signal.SIGKILL)


def _marked(entry: bytes) -> list[int]:
    found = []
    with contextlib.suppress(OSError):
        for folder in os.scandir("/proc"):
            if folder.name.isdigit() and int(folder.name) != os.getpid():
                with contextlib.suppress(OSError):  # of others, or gone
                    if entry in Path(folder.path, "environ").read_bytes().split(b"\0"):
                        found.append(int(folder.name))
    return found
