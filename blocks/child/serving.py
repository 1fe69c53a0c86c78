"""What runs in a child process: it does what it is asked through a pipe, and ends when that closes.

A thread of its own reads the pipe, so that the process ends with its parent even while native code hangs that lets
other threads run. This module imports nothing heavy: a child starts by it.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import IO, Any

from blocks.child.channel import BROKEN, DONE, FAILED, Closed, receive_request, send_reply
from blocks.child.family import MARK, end_group, end_marked

Request = tuple[str, tuple[Any, ...]]
Answer = tuple[str, Sequence[bytes | memoryview]]
"""A text, and parts of a content."""


def serve(call: Callable[..., Answer], errors: type[Exception], idle: float | None = None) -> None:
    """Answer requests by `call(method, *arguments)` until the pipe closes, or for `idle` seconds there is none.

    What it raises of `errors` is told as it is, all else as a failure of this process.
    """
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the pipe
    requests, replies = _take_pipes()
    waiting: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    while True:
        try:
            method, arguments = waiting.get(timeout=idle)
        except queue.Empty:
            os._exit(0)
        try:
            text, parts = call(method, *arguments)
        except errors as problem:
            send_reply(replies, FAILED, str(problem))
        except Exception as problem:  # the parent says it
            send_reply(replies, BROKEN, f"{type(problem).__name__}: {problem}")
        else:
            send_reply(replies, DONE, text, parts)


def mapped_bytes() -> int:
    """How much address space this process has. Raises OSError where that is not known."""
    return int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")


def bound_memory(more: float) -> None:
    """So many bytes more than it has now are all that this process gets, where the system has such a limit."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        _, hard = resource.getrlimit(resource.RLIMIT_AS)
        resource.setrlimit(resource.RLIMIT_AS, (mapped_bytes() + int(more), hard))


def bound_time(more: float) -> None:
    """Limit this process to so many seconds of work: if its parent is gone, nothing else ends it."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        used = resource.getrusage(resource.RUSAGE_SELF)
        _, hard = resource.getrlimit(resource.RLIMIT_CPU)
        resource.setrlimit(resource.RLIMIT_CPU, (int(used.ru_utime + used.ru_stime + more) + 1, hard))


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output for messages only: what foreign code prints goes to standard error."""
    requests, replies = os.fdopen(os.dup(0), "rb"), os.fdopen(os.dup(1), "wb")
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return requests, replies


def _listen(requests: IO[bytes], waiting: queue.SimpleQueue[Request]) -> None:
    try:
        while True:
            waiting.put(receive_request(requests))
    except (Closed, OSError):
        end_marked(os.environ.get(MARK, ""))
        if os.name == "posix" and os.getpgid(0) == os.getpid():
            end_group(os.getpid())
        os._exit(0)
