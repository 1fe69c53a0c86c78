"""Runs trials of a library in a process of their own, so that a kernel that crashes or hangs fails its trial only."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from blocks.child.channel import DONE
from blocks.child.process import Child, ChildExited, ChildTimeout
from blocks.errors import LibraryError
from blocks.trials.registry import EXAMPLES, Trial
from blocks.trials.service import CODE

_SECONDS_TO_LOAD = 120.0

Pair = tuple[str, Trial]
"""The name of a block, and what it is tried for."""


@dataclass(frozen=True)
class Outcome:
    """What came of a trial of a block: a text that says what is wrong, or nothing."""

    block: str
    trial: str
    fault: str = ""
    tried: bool = True
    """False for a block that cannot be made or run by its examples, which that trial has told."""

    @property
    def passed(self) -> bool:
        """Whether nothing is wrong."""
        return self.tried and not self.fault


def run_trials(given: str, folder: Path, pairs: Iterable[Pair], seconds: float) -> Iterator[Outcome]:
    """Try blocks of a library, each trial for so many seconds at most; outcomes as they come.

    Raises LibraryError if the library cannot be loaded.
    """
    process: Child | None = None
    unusable = ""
    try:
        for block, trial in pairs:
            if block == unusable and trial.makes:
                yield Outcome(block, trial.name, tried=False)
                continue
            process = process or _begun(given, folder)
            try:
                code, text, _ = process.ask("attempt", block, trial.name, seconds=seconds)
                fault = "" if code == DONE else text
            except ChildTimeout:
                process = None
                fault = f"{block} was not done after {seconds:g} s: does one of its functions never return?"
            except ChildExited as problem:
                fault = f"{block} {problem}{process.last_words()}; {_WHERE}"
                process = None
            if fault and trial is EXAMPLES:
                unusable = block
            yield Outcome(block, trial.name, fault)
    finally:
        if process is not None:
            process.end()


_WHERE = (
    "a kernel that reaches outside of its arrays, or writes to an output that is not wanted (NULL), does that: "
    "`keelblocks build --checked`, and then `keelblocks test` again, says where"
)


def _begun(given: str, folder: Path) -> Child:
    process = Child(CODE)
    try:
        code, text, _ = process.ask("load", given, str(folder), seconds=_SECONDS_TO_LOAD)
    except ChildTimeout:
        raise LibraryError(f"{given} was not imported after {_SECONDS_TO_LOAD:g} s") from None
    except ChildExited as problem:
        raise LibraryError(f"importing {given} {problem}{process.last_words()}") from None
    if code != DONE:
        raise LibraryError(text)
    return process
