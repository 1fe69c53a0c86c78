"""Cases in children with limits: of memory, of processor time, and of the time that one case may take."""

from __future__ import annotations

import contextlib
import faulthandler
import json
import mmap
import os
import resource
import select
import shutil
import signal
import struct
import sys
import time
import traceback
import warnings
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from fuzzing.reader import Reader

MEMORY = 1 << 30
"""Bytes beyond what the child begins with."""
CASE_SECONDS = 20.0
BATCH_PROCESSOR_SECONDS = 300
_HARNESS_FAILED, _WHY = 97, ".why"
OK, REFUSED, FELL = "ok", "refused", "fell"


@dataclass(frozen=True)
class Outcome:
    """How a case ended, and what was said: the message, or why that is a fall."""

    number: int
    end: str
    said: str = ""
    seconds: float = 0.0


Make = Callable[[int], tuple[str, bytes]]
"""The name and content of a case, by its number."""


class Batch:
    """A child that goes through cases. The files stand in a copy of `prepared`."""

    def __init__(self, reader: Reader, make: Make, numbers: Iterable[int], prepared: Path, folder: Path) -> None:
        self.reader, self.make, self.folder = reader, make, folder
        self.prepared, self.left = prepared, list(numbers)
        self._begin()

    def _begin(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)
        shutil.copytree(self.prepared, self.folder)
        self._begun = mmap.mmap(-1, 16)
        self._note(-1)
        self.pipe, writing = os.pipe()
        self._text = b""
        sys.stdout.flush()
        sys.stderr.flush()
        self._pid = os.fork()
        if self._pid == 0:
            os.close(self.pipe)
            _child(self.reader, self.make, self.left, self.folder, writing, self._begun)
        os.close(writing)

    def _note(self, number: int) -> None:
        self._begun[:] = struct.pack("<qd", number, time.monotonic())

    @property
    def _current(self) -> tuple[int, float]:
        number, since = struct.unpack("<qd", self._begun[:])
        return number, time.monotonic() - since

    def outcomes(self) -> Iterator[Outcome]:
        """What has ended since; the child is begun anew behind a case that ended it."""
        while select.select([self.pipe], [], [], 0.0)[0]:
            piece = os.read(self.pipe, 1 << 16)
            if not piece:
                yield from self._ended()
                return
            *lines, self._text = (self._text + piece).split(b"\n")
            yield from (self._done(Outcome(**json.loads(line))) for line in lines)
        number, seconds = self._current
        if number in self.left and seconds > CASE_SECONDS:
            os.kill(self._pid, signal.SIGKILL)
            yield from self._ended(f"no end after {CASE_SECONDS:g} s")

    def _done(self, outcome: Outcome) -> Outcome:
        self.left.remove(outcome.number)
        return outcome

    def _ended(self, why: str = "") -> Iterator[Outcome]:
        os.close(self.pipe)
        _, status = os.waitpid(self._pid, 0)
        self.pipe = -1
        number, _ = self._current
        if self.left:
            if number not in self.left:
                number = self.left[0]
            code = os.waitstatus_to_exitcode(status)
            if code == _HARNESS_FAILED:
                raise RuntimeError(f"it is the harness that failed:\n{self.folder.with_suffix(_WHY).read_text()}")
            how = signal.Signals(-code).name if code < 0 else f"exit {code}"
            yield self._done(Outcome(number, FELL, why or f"the process ended: {how}"))
        if self.left:
            self._begin()
        else:
            shutil.rmtree(self.folder, ignore_errors=True)

    def end(self) -> None:
        """End the child."""
        if self.pipe >= 0:
            os.kill(self._pid, signal.SIGKILL)
            os.waitpid(self._pid, 0)
            os.close(self.pipe)
        shutil.rmtree(self.folder, ignore_errors=True)


def _child(reader: Reader, make: Make, numbers: list[int], folder: Path, writing: int, begun: mmap.mmap) -> None:
    try:
        faulthandler.disable()
        os.setsid()
        os.chdir(folder)
        nothing = os.open(os.devnull, os.O_RDWR)
        for descriptor in (0, 1, 2):
            os.dup2(nothing, descriptor)
        size = int(Path("/proc/self/statm").read_text().split()[0]) * os.sysconf("SC_PAGE_SIZE")
        resource.setrlimit(resource.RLIMIT_AS, (size + MEMORY, size + MEMORY))
        spent = int(sum(resource.getrusage(resource.RUSAGE_SELF)[:2]))
        resource.setrlimit(resource.RLIMIT_CPU, (spent + BATCH_PROCESSOR_SECONDS, spent + BATCH_PROCESSOR_SECONDS))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_FSIZE, (1 << 28, 1 << 28))
        warnings.simplefilter("ignore")
        for number in numbers:
            name, content = make(number)
            begun[:] = struct.pack("<qd", number, time.monotonic())
            outcome = attempt(reader, number, folder / name, content)
            os.write(writing, json.dumps(vars(outcome)).encode() + b"\n")
    except BaseException:
        with contextlib.suppress(BaseException):
            folder.with_suffix(_WHY).write_text(traceback.format_exc())
        os._exit(_HARNESS_FAILED)
    os._exit(0)


def attempt(reader: Reader, number: int, path: Path, content: bytes) -> Outcome:
    """One case, in this process."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    begun = time.monotonic()
    try:
        reader.read(path)
        end, said = OK, ""
    except reader.own as problem:
        end, said = REFUSED, str(problem)[:300]
        if not said.strip():
            end, said = FELL, f"{type(problem).__name__} without a message"
        elif len(str(problem)) > 20_000:
            end, said = FELL, f"a message of {len(str(problem))} letters: {said}"
    except BaseException as problem:
        end, said = FELL, "".join(traceback.format_exception(problem))[-3000:]
    return Outcome(number, end, said, time.monotonic() - begun)
