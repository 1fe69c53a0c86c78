"""Put Ctrl-C off while an FMU is at work: half a step cannot be gone on from."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator
from typing import Any


@contextlib.contextmanager
def put_off() -> Iterator[list[int]]:
    """Within, Ctrl-C is only noted, in the list that this gives."""
    heard: list[int] = []
    elsewhere = threading.current_thread() is not threading.main_thread()  # other threads are not interrupted
    if elsewhere or signal.getsignal(signal.SIGINT) is None:  # None: a program around Python hears it
        yield heard
        return
    before: Any = signal.signal(signal.SIGINT, lambda number, frame: heard.append(number))
    try:
        yield heard
    finally:
        signal.signal(signal.SIGINT, before)
