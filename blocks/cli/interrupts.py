"""Ctrl-C, and a request to terminate, as a KeyboardInterrupt at a moment at which one is heard.

While a module is imported an interrupt leaves it half made, and in a finaliser or a callback it is printed and lost:
there it waits. It also waits while results are written. A second one waits for nothing, and one that has waited until
the command is over is heard then.
"""

from __future__ import annotations

import contextlib
import signal
import sys
import time
from collections.abc import Iterator
from types import FrameType
from typing import Any

_RETRY_DELAY = 0.002
"""Seconds until a deferred interrupt is retried."""
_IMPORT_TIMEOUT = 3.0
"""Seconds for which an import may defer one: a module of the user's may never return."""

_RETRY_SIGNALS = (signal.SIGALRM,) if sys.platform != "win32" else ()
"""The signal of a retry; Windows has none, and a deferred interrupt waits for the next one."""

_installed = False
_holding = 0
_since: float | None = None
"""When the first interrupt that is not heard yet came."""


def hear() -> None:
    """Hear interrupts in this process from now on."""
    global _installed
    _installed = True
    for number in (signal.SIGINT, signal.SIGTERM, *_RETRY_SIGNALS):
        if signal.getsignal(number) is not signal.SIG_IGN:  # as in the background, and under nohup
            signal.signal(number, _heard)
    sys.unraisablehook = _unraisable


def heed() -> None:
    """Hear an interrupt that has had to wait."""
    if _since is not None and not _holding:
        _raise()


def deaf(*, said: bool = False) -> None:
    """Hear no more: the command is over. A request to terminate then ends the process.

    said: whether an interrupt has been told already; if not, one that waits is heard now.
    """
    if _installed:
        if not said:
            heed()
        _try_again(0.0)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)


@contextlib.contextmanager
def held() -> Iterator[None]:
    """Let a first interrupt wait until what is done here is whole."""
    global _holding
    _holding += 1
    try:
        yield
    finally:
        _holding -= 1
    heed()


def _heard(number: int, frame: FrameType | None) -> None:
    global _since
    second = number not in _RETRY_SIGNALS and _since is not None
    _since = time.monotonic() if _since is None else _since
    late = time.monotonic() > _since + _IMPORT_TIMEOUT
    if not second and (_holding or (not late and _imports(frame))):
        if not _holding:
            _try_again(_RETRY_DELAY)
        return
    _raise()


def _try_again(after: float) -> None:
    """Hear an interrupt once more after some seconds; 0: no more."""
    if sys.platform != "win32":
        signal.setitimer(signal.ITIMER_REAL, after)


def _raise() -> None:
    global _since
    _since = None
    _try_again(0.0)
    raise KeyboardInterrupt


def _imports(frame: FrameType | None) -> bool:
    """Whether a module is being imported."""
    while frame is not None:
        if frame.f_code.co_filename.startswith("<frozen importlib"):
            return True
        frame = frame.f_back
    return False


def _unraisable(problem: Any) -> None:
    """An interrupt where none can be raised is tried again."""
    if issubclass(problem.exc_type, KeyboardInterrupt):
        _try_again(_RETRY_DELAY)
    else:
        sys.__unraisablehook__(problem)
