"""A disk that fails at the n-th open, write, fsync, close or rename, for every n: what then stands in the folder.

    LD_PRELOAD=failing_disk.so python failing_disk.py GROUP FOLDER

runs every saver of that group in `savers.py` and prints what was wrong, a line each, and "done". In a process of its
own, for a library that writes may end it.
"""

from __future__ import annotations

import ctypes
import errno
import importlib
import itertools
import shutil
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from blocks.errors import KeelblocksError

REASONS = ("No space left on device", "Input/output error", "error closing file")  # the last one is pyarrow's
KINDS = {"open": 1, "write": 2, "fsync": 3, "close": 4, "rename": 5}


@dataclass(frozen=True)
class Saver:
    """What writes files into a folder: `save(folder, which)` the first or the second of two contents."""

    name: str
    save: Callable[[Path, int], Any]
    read: Callable[[Path], Any]
    """What stands in the folder, to be compared; raises if it is not whole."""
    resumes: bool = False
    """`read` goes on with what is there, to one end: what there is of it does not matter."""
    kinds: tuple[str, ...] = tuple(KINDS)


def faults(kinds: tuple[str, ...]) -> Iterator[tuple[str, int, bool]]:
    """Kind, error and whether all later calls of the kind fail too."""
    for kind in kinds:
        yield kind, errno.EIO, False
    if "write" in kinds:
        yield "write", errno.ENOSPC, True


def check(saver: Saver, scratch: Path) -> Iterator[str]:
    """What is wrong with a saver."""
    library = ctypes.CDLL(None)
    old, new = (_saved(saver, scratch / which, i) for i, which in enumerate(("old", "new")))
    if (old == new) is not saver.resumes:
        yield f"{saver.name}: the test cannot tell old from new"
    for (kind, error, full), there in itertools.product(faults(saver.kinds), (True, False)):
        for number in itertools.count(1):
            folder = scratch / "disk"
            shutil.rmtree(folder, ignore_errors=True)
            shutil.copytree(scratch / "old", folder) if there else folder.mkdir()
            library.disk_arm(str(folder).encode(), KINDS[kind], ctypes.c_long(number), error, int(full))
            said, wrong = "", False
            try:
                saver.save(folder, 1)
            except KeelblocksError as problem:
                said = str(problem)
            except BaseException as problem:
                said, wrong = f"{type(problem).__name__}: {problem}", True
            failed = library.disk_calls() >= number
            library.disk_arm(b"", 0, ctypes.c_long(0), 0, 0)
            where = f"{saver.name}: {kind} {number} of {'an old' if there else 'no old'} file"
            if wrong:
                yield f"{where}: {said}"
            yield from (f"{where}: {text}" for text in _state(saver, folder, said, old if there else None, new))
            if not failed:
                break
        if number == 1 and not there:
            yield f"{saver.name}: never called {kind}"


def _saved(saver: Saver, folder: Path, which: int) -> Any:
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    saver.save(folder, which)
    if saver.resumes:
        folder = shutil.copytree(folder, folder.with_name("read"), dirs_exist_ok=True)
    return saver.read(folder)


def _state(saver: Saver, folder: Path, said: str, old: Any, new: Any) -> Iterator[str]:
    """What is wrong after a save that said this."""
    stray = [path.name for path in folder.rglob(".*")]
    if stray:
        yield f"left {', '.join(stray)}"
    try:
        found = saver.read(folder)
    except FileNotFoundError:
        found = None
    except Exception as problem:
        yield f"what is there cannot be read: {type(problem).__name__}: {problem}"
        return
    if said and not any(word in said for word in REASONS):
        yield f"the message does not say why: {said}"
    if not said and found != new:
        yield "nothing was said, and what is there is not the new one"
    if said and found not in (old, new):
        yield f"neither the old nor the new: {sorted(path.name for path in folder.rglob('*'))}"


def main(group: str, scratch: str) -> None:
    """Check every saver of a group."""
    for saver in getattr(importlib.import_module("savers"), group)():
        for line in check(saver, Path(scratch)):
            print(line, flush=True)
    print("done")


if __name__ == "__main__":
    importlib.import_module("failing_disk").main(*sys.argv[1:])
