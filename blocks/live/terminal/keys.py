"""Keys of a terminal, as they are pressed, without waiting for them."""

from __future__ import annotations

import contextlib
import os
import select
import sys
from collections.abc import Iterator

_NAMES = {
    "\x1b[A": "up", "\x1b[B": "down", "\x1b[C": "right", "\x1b[D": "left", "\x1bOA": "up", "\x1bOB": "down",
    "\x1bOC": "right", "\x1bOD": "left", "\x1b[5~": "page up", "\x1b[6~": "page down", "\r": "enter", "\n": "enter",
    "\x7f": "backspace", "\x08": "backspace", "\x1b": "escape", " ": "space",
}  # fmt: skip
_MOST = 1024
"""Bytes that are read at once."""


class Keys:
    """Keys pressed on standard input, between `open` and `close`. None come where it is no terminal."""

    def __init__(self, descriptor: int | None = None) -> None:
        self._descriptor = descriptor
        self._before: list[object] | None = None
        self._rest = b""

    def open(self) -> None:
        """Let keys come at once and unseen; Ctrl-C still interrupts."""
        with contextlib.suppress(ImportError, OSError, ValueError):  # no terminal, or a system without them
            import termios
            import tty

            descriptor = sys.stdin.fileno() if self._descriptor is None else self._descriptor
            self._before = termios.tcgetattr(descriptor)
            tty.setcbreak(descriptor)
            self._descriptor = descriptor

    def close(self) -> None:
        """Leave the terminal as it was."""
        if self._before is not None and self._descriptor is not None:
            import termios

            with contextlib.suppress(OSError, termios.error):  # the terminal has gone
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)  # type: ignore[arg-type]
            self._before = None

    def pressed(self) -> list[str]:
        """The names of the keys pressed since the last time: "up", "space", "q"."""
        if self._before is None or self._descriptor is None:
            return []
        read = self._rest
        with contextlib.suppress(OSError, ValueError):
            while select.select([self._descriptor], [], [], 0.0)[0]:
                more = os.read(self._descriptor, _MOST)
                if not more:
                    break
                read += more
        text, self._rest = _whole(read)
        return list(names(text))


def names(text: str) -> Iterator[str]:
    """The keys that a text from a terminal stands for; sequences that mean none of them are left out."""
    at = 0
    while at < len(text):
        length = _sequence(text, at)
        key = text[at : at + length]
        if key in _NAMES:
            yield _NAMES[key]
        elif length == 1 and key.isprintable():
            yield key
        at += length


def _sequence(text: str, at: int) -> int:
    """How many characters the key that begins here has."""
    if text[at] != "\x1b" or text[at + 1 : at + 2] not in ("[", "O"):
        return 1
    end = at + 2
    while end < len(text) and not "\x40" <= text[end] <= "\x7e":
        end += 1
    return end + 1 - at


def _whole(read: bytes) -> tuple[str, bytes]:
    """Whole characters of UTF-8, and the beginning of one that is to come."""
    for cut in range(min(4, len(read) + 1)):
        with contextlib.suppress(UnicodeDecodeError):
            return read[: len(read) - cut].decode(), read[len(read) - cut :]
    return read.decode(errors="ignore"), b""
