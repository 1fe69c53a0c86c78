"""A C compiler at work: in a folder of its own, and ended if it does not end."""

from __future__ import annotations

import functools
import shlex
import signal
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from blocks.child.family import end_group
from blocks.errors import LibraryError

LONGEST = 1800.0
"""Seconds after which a compiler is ended: a hundred times what a mission takes, on a slow machine too."""
_LONGEST_WORD = 60.0
"""Seconds for telling its version."""
_at_work: set[int] = set()
"""The processes of compilers, each of which leads a group."""


class CompilerError(LibraryError):
    """A compiler could not be run, or refused. why: in a few words; said: all that it said; ran: whether it did."""

    def __init__(self, command: Sequence[str], why: str, said: str = "", *, ran: bool = False) -> None:
        super().__init__(f"the C compiler ({short(command)}) made nothing: {why}")
        self.why, self.said, self.ran = why, said, ran


def made_by(command: Sequence[str], files: Mapping[str, bytes], made: str) -> bytes:
    """The file that a compiler makes of these in a folder, where it is called: some write names into what they make.

    Raises CompilerError if it makes none.
    """
    try:
        with tempfile.TemporaryDirectory() as scratch:
            for name, content in files.items():
                Path(scratch, name).write_bytes(content)
            code, said = _run(command, scratch, LONGEST)
            if code != 0:
                raise CompilerError(command, _telling(said) or _ended(code), said, ran=True)
            return Path(scratch, made).read_bytes()
    except OSError as problem:  # a full disk, a compiler that cannot be started or leaves nothing
        raise CompilerError(command, problem.strerror or str(problem)) from None


@functools.lru_cache(maxsize=8)
def version_of(command: tuple[str, ...]) -> str:
    """What a compiler tells of itself. Raises CompilerError if it cannot be started."""
    try:
        said = subprocess.run(
            [*command, "--version"], stdin=subprocess.DEVNULL, capture_output=True, encoding="utf-8", errors="replace",
            timeout=_LONGEST_WORD, check=False,
        )  # fmt: skip
    except OSError as problem:
        raise CompilerError(command, problem.strerror or str(problem)) from None
    except subprocess.TimeoutExpired:
        raise CompilerError(command, f"it does not tell its --version within {_LONGEST_WORD:.0f} s") from None
    return said.stdout


def end_all() -> None:
    """End the compilers that threads of this process wait for: Ctrl-C reaches the main thread alone."""
    for leader in [*_at_work]:
        end_group(leader)


def short(command: Sequence[str]) -> str:
    """A compiler in messages."""
    return "zig" if "ziglang" in command else shlex.join(command[:1])


def _run(command: Sequence[str], folder: str, seconds: float) -> tuple[int, str]:
    """The exit code, and what it said. It is ended with all that it started, the compiler proper among it."""
    process = subprocess.Popen(
        command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
        encoding="utf-8", errors="replace", start_new_session=True,
    )  # fmt: skip
    _at_work.add(process.pid)
    try:
        _, said = process.communicate(timeout=seconds)
    except BaseException as problem:  # Ctrl-C too
        end_group(process.pid)
        process.kill()
        process.communicate()
        if isinstance(problem, subprocess.TimeoutExpired):
            raise CompilerError(command, f"it was ended after {seconds:g} s, in which it had not finished") from None
        raise
    finally:
        _at_work.discard(process.pid)
    return process.returncode, said


def _telling(said: str) -> str:
    """The line of what a compiler says that tells most."""
    lines = [line.strip() for line in said.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[0] if lines else "")


def _ended(code: int) -> str:
    if code < 0:
        return f"it was ended by {signal.Signals(-code).name}"
    return f"it ended with {code} and no word"
