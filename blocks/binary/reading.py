"""Read a file in a child process, which may hang or crash over it: this one goes on, and says so.

A child that is done is kept for the next file: to start one takes some tenths of a second.
"""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import Any

import blocks
from blocks.binary.limits import Unreadable, seconds
from blocks.binary.plain import unpack
from blocks.child.channel import DONE, FAILED
from blocks.child.process import Child, ChildExited, ChildTimeout

_START = """\
import sys, types
package = types.ModuleType("blocks")
package.__path__ = {path!r}
sys.modules["blocks"] = package
from blocks.binary.service import main
main()
"""
_START_SECONDS = 60.0
_FILES = 200
"""That a child reads before another one takes its place."""

_idle: list[_Reader] = []


class _Reader:
    """A child, and how many files it has read."""

    def __init__(self) -> None:
        try:
            self.child = Child(_START.format(path=list(blocks.__path__)))
        except OSError as problem:
            raise Unreadable(f"no process can be started that reads it: {problem.strerror or problem}") from None
        self.files = 0


def read(path: str | PathLike[str], method: str, *arguments: Any) -> Any:
    """What a function of `blocks.binary.hdf5`, `mcap` or `bag` gives for a file.

    Raises Unreadable, and OSError if there is no such file.
    """
    size = checked(path)
    while True:
        reader = _idle.pop() if _idle else _Reader()
        used = reader.files > 0
        try:
            if not used:
                reader.child.ask(method, "", seconds=_START_SECONDS)
            code, text, content = reader.child.ask(
                method, str(Path(path).absolute()), *arguments, seconds=seconds(size)
            )
        except ChildExited as problem:
            if used:  # it may have ended for want of work, or the file before may have been its bane
                continue
            raise Unreadable(f"the library that reads it {problem}{reader.child.last_words()}") from None
        except ChildTimeout:
            raise Unreadable(
                f"reading it takes more than {seconds(size):.0f} s, which is long for a file of {size / 1e6:.3g} MB"
            ) from None
        except BaseException:
            reader.child.end()
            raise
        reader.files += 1
        if reader.files < _FILES:
            _idle.append(reader)
        if code == FAILED:
            raise Unreadable(text)
        if code != DONE:
            raise Unreadable(f"the process that reads it failed: {text}")
        try:
            return unpack(text, content)
        except ValueError as problem:
            raise Unreadable(f"the process that reads it gave an invalid answer: {problem}") from None


def checked(path: str | PathLike[str]) -> int:
    """The size of a file. Raises OSError if it is none, and Unreadable for what is no plain file."""
    found = Path(path)
    size = found.stat().st_size
    if not found.is_file():
        raise Unreadable("it is a folder" if found.is_dir() else "it is no plain file")
    return size


def _forget() -> None:
    """In a process that was forked: the children are those of the other one."""
    _idle.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
