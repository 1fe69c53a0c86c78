"""Which branches of the C engine ran, as gcov tells it: one list of counts for each line that branches."""

from __future__ import annotations

import json
import subprocess
from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

RUNTIME = "fmu/runtime/c"
KERNELS = "cython_kernels"


@dataclass(frozen=True)
class Line:
    """The branches of one line: how often each was taken, in all the objects that the line was compiled into."""

    file: str
    number: int
    counts: tuple[int, ...]

    @property
    def taken(self) -> int:
        """How many of them ran."""
        return sum(count > 0 for count in self.counts)


def count_files(folder: Path) -> list[Path]:
    """What the tests counted: a `.gcda` for each object file below a folder."""
    return sorted(folder.rglob("*.gcda"))


def lines(counted: Iterable[Path], root: Path) -> list[Line]:
    """The lines of the engine that branch, in the order of the files, added up over all objects.

    A line is the same line of a `.pxd` in the engine for Python, in the swarm and in both runtimes: Cython writes the
    same statements for each. Where an object has other branches for it, as for a function that it never calls, the
    line counts with those of the object that has most.
    """
    sums: dict[tuple[str, int], dict[int, list[int]]] = defaultdict(dict)
    for path in counted:
        for file, number, counts in _branches(path, root):
            same = sums[file, number].setdefault(len(counts), [0] * len(counts))
            same[:] = [a + b for a, b in zip(same, counts, strict=True)]
    return [Line(file, number, tuple(found[max(found)])) for (file, number), found in sorted(sums.items())]


def _branches(counted: Path, root: Path) -> Iterator[tuple[str, int, list[int]]]:
    """File, line and counts of what branches in one object."""
    command = ["gcov", "--json-format", "--branch-probabilities", "--stdout", counted.name]
    told = subprocess.run(command, cwd=counted.parent, check=True, capture_output=True).stdout
    for document in told.splitlines():
        report: dict[str, Any] = json.loads(document)
        for entry in report["files"]:
            file = _engine_file(entry["file"], root)
            grouped: dict[int, list[int]] = defaultdict(list)
            for line in entry["lines"] if file else ():
                grouped[line["line_number"]] += [branch["count"] for branch in line["branches"]]
            for number, counts in grouped.items():
                if counts:
                    yield file, number, counts


def _engine_file(name: str, root: Path) -> str:
    """The file of the repository that gcov means; "" for headers of the system, and for what serves Python only.

    That is what Cython writes by itself, and `.pyx` files: engine and kernels stand in `.pxd` files.
    """
    path = Path(name)
    if path.suffix == ".pxd" and KERNELS in path.parts:
        file = f"{KERNELS}/{path.as_posix().rpartition(f'{KERNELS}/')[2]}"
    elif path.suffix == ".c":
        file = f"{RUNTIME}/{path.name}"
    else:
        return ""
    return file if (root / file).is_file() else ""
