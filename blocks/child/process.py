"""A child process that is asked through a pipe: it may crash, hang or print without end, and this one goes on.

It is a new Python, started by its path, so that it is the same under every system, in threads, in notebooks and in
workers that may have no children by `multiprocessing`.
"""

from __future__ import annotations

import contextlib
import os
import queue
import secrets
import signal
import subprocess
import sys
import threading
import time
import weakref
from pathlib import Path
from typing import IO, Any

from blocks.child.channel import Closed, receive_reply, send_request
from blocks.child.family import MARK, end_group, end_marked

Reply = tuple[int, str, bytearray]

_STDERR_TAIL_BYTES = 500
"""How much of a child's standard error is kept."""
_POLL_PERIOD = 0.2
"""Seconds between two checks that it is alive: a process that it started may hold its pipe open."""
_EXIT_TIMEOUT = 10.0
"""Seconds until it has ended, after it was told to or its pipe was closed."""


class ChildExited(Exception):
    """The child has ended; the message says why."""


class ChildTimeout(Exception):
    """The child did not answer in time, and was ended."""


class Child:
    """A process that runs `code`, which is to call `blocks.child.serving.serve`. Raises OSError if there can be none.

    It ends when this object is closed or forgotten, and when this process ends, and takes along what it has started.
    """

    def __init__(self, code: str) -> None:
        if not sys.executable:  # in a program that brings its own Python
            raise OSError("this program does not say where its Python is")
        mark = secrets.token_hex(16)
        path = os.pathsep.join(p or str(Path.cwd()) for p in sys.path)
        self._process = subprocess.Popen(
            [sys.executable, "-c", code],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=os.environ | {"PYTHONPATH": path, MARK: mark}, start_new_session=True,
        )  # fmt: skip
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        assert self._process.stderr is not None
        self._pipe = self._process.stdin
        self._replies: queue.SimpleQueue[Reply | None] = queue.SimpleQueue()
        self._said = _Tail(self._process.stderr)
        threading.Thread(target=_listen, args=(self._process.stdout, self._replies), daemon=True).start()
        self.end = weakref.finalize(self, _end, self._process, mark, os.getpid())

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def alive(self) -> bool:
        """True as long as it runs."""
        return self._process.poll() is None

    def ask(self, method: str, *arguments: Any, seconds: float) -> Reply:
        """The reply to a request. Raises ChildExited, or ChildTimeout after so many seconds; then the child is dead."""
        try:
            send_request(self._pipe, method, *arguments)
        except (OSError, ValueError):
            raise ChildExited(self._cause_of_death()) from None
        until = time.monotonic() + seconds
        while True:
            left = until - time.monotonic()
            ended = not self.alive
            try:
                reply = self._replies.get(timeout=max(0.0, min(_POLL_PERIOD, left)))
            except queue.Empty:
                if ended:  # before it was listened for the last time
                    reply = None
                elif left > 0.0:
                    continue
                else:
                    self.end()
                    raise ChildTimeout from None
            if reply is None:
                raise ChildExited(self._cause_of_death())
            return reply

    def last_words(self) -> str:
        """The end of what the process printed, as the end of a sentence; "" if it printed nothing."""
        return self._said.words()

    def _cause_of_death(self) -> str:
        try:
            status = self._process.wait(timeout=_EXIT_TIMEOUT)
        except subprocess.TimeoutExpired:  # it has closed its side of the pipe, and lives on
            self.end()
            return "wrote into the pipe of its process and had to be ended"
        self.end()
        if status < 0:
            return f"crashed: its process was ended by {signal.Signals(-status).name}"
        return f"ended its process, with exit code {status}"


class _Tail:
    """The end of what comes out of a pipe, which is read without a pause: whoever writes there never waits."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._kept, self._count = b"", 0
        self._thread = threading.Thread(target=self._read, args=(pipe,), daemon=True)
        self._thread.start()

    def _read(self, pipe: IO[bytes]) -> None:
        with pipe, contextlib.suppress(OSError, ValueError):
            while piece := os.read(pipe.fileno(), 1 << 16):
                self._count += len(piece)
                self._kept = (self._kept + piece)[-_STDERR_TAIL_BYTES:]

    def words(self) -> str:
        self._thread.join(timeout=1.0)
        text = " | ".join(self._kept.decode("utf-8", "replace").split("\n")).strip(" |")
        if not text:
            return ""
        left_out = self._count - len(self._kept)
        return f"; it printed{f' {self._count:,} bytes, at the end' if left_out > 0 else ''}: {text}"


def _listen(pipe: IO[bytes], replies: queue.SimpleQueue[Reply | None]) -> None:
    """Hand on replies until there are no more."""
    with pipe:
        try:
            while True:
                replies.put(receive_reply(pipe))
        except (Closed, OSError, ValueError, MemoryError):
            replies.put(None)


def _end(process: subprocess.Popen[bytes], mark: str, parent: int) -> None:
    """End the process, whatever it is doing, and all that it has started."""
    if os.getpid() != parent:  # which forked
        return
    end_group(process.pid)
    if process.poll() is None:
        process.kill()
    process.wait()
    end_group(process.pid)
    end_marked(mark)
    if process.stdin is not None:
        with contextlib.suppress(OSError):
            process.stdin.close()
