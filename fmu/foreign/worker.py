"""The process in which an isolated FMU runs: it does what it is asked through a pipe, and ends when that closes.

A thread of its own reads the pipe, so that the process ends with its parent even while the FMU hangs: ctypes lets other
threads run during a call.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import sys
import threading
from pathlib import Path
from typing import IO, Any

from blocks.errors import FmuError
from fmu.foreign.channel import BROKEN, DONE, FAILED, Closed, receive_request, send_reply

MEGABYTE = 1_000_000

Request = tuple[str, tuple[Any, ...]]


def main() -> None:
    """Serve one instance until the pipe closes."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the parent, which then closes the pipe
    requests, replies = _take_pipes()
    waiting: queue.SimpleQueue[Request] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(requests, waiting), daemon=True).start()
    worker = _Worker()
    while True:
        method, arguments = waiting.get()
        try:
            content = worker.call(method, *arguments)
        except FmuError as problem:
            send_reply(replies, FAILED, str(problem))
        except Exception as problem:  # the parent says it
            send_reply(replies, BROKEN, f"{type(problem).__name__}: {problem}")
        else:
            send_reply(replies, DONE, content=content)


class _Worker:
    """The instance, and how much memory it may take."""

    def __init__(self) -> None:
        self.instance: Any = None
        self.limit = 0.0
        self.before = 0.0
        self.file = ""

    def call(self, method: str, *arguments: Any) -> bytes:
        if method == "make":
            return self.make(*arguments)
        result = getattr(self.instance, method)(*arguments)
        if method == "close":
            return b""
        used = (resident_bytes() - self.before) / MEGABYTE
        if self.limit and used > self.limit:
            raise FmuError(
                f"{self.file} takes {used:,.0f} MB of memory at t = {self.instance.t:g} s; memory_limit is "
                f"{self.limit:g} MB"
            )
        return b"" if result is None else result if isinstance(result, bytes) else result.tobytes()

    def make(self, spec: Any, name: str, limit: float) -> bytes:
        from fmpy import fmi2, fmi3  # noqa: F401  (so that their memory is not taken for the FMU's)

        from fmu.foreign.model_exchange import make_instance

        self.limit, self.file, self.before = limit, spec.file, resident_bytes()
        if limit:
            _bound_memory(limit)
        self.instance = make_instance(spec, name)
        return b""


def resident_bytes() -> float:
    """How much memory this process holds; 0 where that is not known."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except (OSError, ValueError, IndexError):
        return 0.0
    return float(pages * os.sysconf("SC_PAGE_SIZE"))


def _bound_memory(limit: float) -> None:
    """A hard limit a little above the one that is looked at after each call, for what happens within one."""
    with contextlib.suppress(ImportError, OSError, ValueError):
        import resource

        mapped = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
        bound = mapped + int((1.5 * limit + 64) * MEGABYTE)
        resource.setrlimit(resource.RLIMIT_AS, (bound, bound))


def _take_pipes() -> tuple[IO[bytes], IO[bytes]]:
    """Standard input and output for messages only: what the FMU prints goes to standard error."""
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
        os._exit(0)


if __name__ == "__main__":
    main()
