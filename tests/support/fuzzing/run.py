"""Many cases of many readers, in as many children as there are processors."""

from __future__ import annotations

import gc
import os
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from fuzzing.batch import FELL, Batch, Outcome
from fuzzing.reader import Reader, damaged

BATCH = 500


@dataclass
class Tally:
    """What became of the cases of one reader."""

    reader: Reader
    ends: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0
    falls: list[tuple[str, bytes, str]] = field(default_factory=list)
    """Name, content, and what happened."""


@dataclass
class Prepared:
    """A reader with its sound files, and where what they need stands."""

    reader: Reader
    folder: Path
    files: Mapping[str, bytes]

    @classmethod
    def of(cls, reader: Reader, folder: Path) -> Prepared:
        folder.mkdir(parents=True)
        made = cls(reader, folder, reader.seeds(folder))
        made.warm_up()
        return made

    def warm_up(self) -> None:
        """Read the sound files here, so that children begin with all that is imported and cached for that."""
        for name, content in self.files.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_bytes(content)
            self.reader.read(self.folder / name)


Work = tuple[Prepared, Callable[[int], tuple[str, bytes]], range]


def shares(readers: Iterable[Reader], cases: int) -> dict[str, int]:
    """How many cases each reader gets."""
    readers = list(readers)
    whole = sum(reader.share for reader in readers)
    return {reader.name: -(-cases * reader.share // whole) for reader in readers}


def work_of(prepared: Prepared, seed: int, first: int, count: int) -> Iterator[Work]:
    """The damaged files of a reader, in batches."""

    def make(number: int) -> tuple[str, bytes]:
        return damaged(prepared.reader, prepared.files, seed, number)

    for start in range(first, first + count, BATCH):
        yield prepared, make, range(start, min(start + BATCH, first + count))


def work_on(prepared: Prepared, files: list[tuple[str, bytes]]) -> Iterator[Work]:
    """These files."""
    if files:
        yield prepared, files.__getitem__, range(len(files))


def go_through(
    work: Iterable[Work], scratch: Path, told: Callable[[Outcome], None] | None = None, jobs: int | None = None
) -> dict[str, Tally]:
    """Run all of it, or what there is time for until Ctrl-C; what became of it, by reader."""
    ahead, running = list(work), dict[Batch, tuple[Prepared, Callable[[int], tuple[str, bytes]]]]()
    tallies = {prepared.reader.name: Tally(prepared.reader) for prepared, *_ in ahead}
    begun = 0
    gc.freeze()  # or the first collection in each child would copy the memory that it shares
    try:
        while ahead or running:
            while ahead and len(running) < (jobs or os.cpu_count() or 1):
                prepared, make, numbers = ahead.pop(0)
                begun += 1
                batch = Batch(prepared.reader, make, numbers, prepared.folder, scratch / f"batch{begun}")
                running[batch] = prepared, make
            for batch, (prepared, make) in list(running.items()):
                tally = tallies[prepared.reader.name]
                for outcome in batch.outcomes():
                    tally.ends[outcome.end] += 1
                    tally.seconds += outcome.seconds
                    if outcome.end == FELL:
                        tally.falls.append((*make(outcome.number), outcome.said))
                    if told:
                        told(outcome)
                if not batch.left and batch.pipe < 0:
                    del running[batch]
            time.sleep(0.005)
    except KeyboardInterrupt:
        pass
    finally:
        for batch in running:
            batch.end()
    return tallies
