"""Which tests could notice a mutant: those that come by it, the nearest and quickest first, within a budget of time."""

from __future__ import annotations

import hashlib
import json
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from mutants.mutant import KERNELS, Mutant
from mutants.plugin import RECORD
from mutants.tree import environment

_AT_ONCE = 6
"""Files of tests in one process."""
_FOLDERS = {
    KERNELS: ("tests/blocks", "tests/common", "tests/cython_kernels", "tests/examples"),
    "blocks": ("tests/blocks", "tests/common", "tests/examples", "tests/docs", "tests/fuzz"),
    "fmu": ("tests/fmu", "tests/examples"),
}
"""Where what notices stands."""
_BY_ITSELF = ("fmu", "swarm")
"""Words in files of tests that run the same kernels in an FMU or a swarm, too, where they are not changed here: such a
test would notice that the two are not the same, and not that both are wrong."""


@dataclass(frozen=True)
class Test:
    """A test that passes, how long it takes, and which mutants it comes by."""

    name: str
    seconds: float
    reached: frozenset[int]


def files_for(tree: Path, mutants: Iterable[Mutant]) -> list[str]:
    """The files of tests that could notice one of these."""
    found: set[str] = set()
    for top in {one.statement.path.split("/")[0] for one in mutants}:
        for folder in _FOLDERS[top]:
            for path in (tree / folder).rglob("test_*.py"):
                if top != KERNELS or _is_apart(path):
                    found.add(path.relative_to(tree).as_posix())
    return sorted(found)


def _is_apart(path: Path) -> bool:
    text = path.read_text(encoding="utf-8")
    return not any(f"import {word}" in text or f"from {word}" in text or word in path.parts for word in _BY_ITSELF)


class Record:
    """What tests come by, kept in a folder: a file for each file of tests, called after its content."""

    def __init__(self, tree: Path, folder: Path) -> None:
        self.tree, self.folder = tree, folder
        folder.mkdir(parents=True, exist_ok=True)

    def missing(self, files: Iterable[str]) -> list[str]:
        """Files that have to be run."""
        return [name for name in files if not self._kept(name).exists()]

    def make(self, files: Sequence[str], jobs: int, told: Callable[[int], None]) -> None:
        """Run these, and keep what they come by."""
        groups = [files[at : at + _AT_ONCE] for at in range(0, len(files), _AT_ONCE)]

        def run(group: Sequence[str]) -> None:
            written = self.folder / f"{hashlib.sha256(group[0].encode()).hexdigest()}.part"
            written.unlink(missing_ok=True)
            command = [sys.executable, "-m", "pytest", "-q", "-p", "mutants.plugin", "-p", "no:cacheprovider", *group]
            subprocess.run(
                command, cwd=self.tree, env=environment(self.tree) | {RECORD: str(written)}, capture_output=True,
                timeout=3600, check=False,
            )  # fmt: skip
            lines: dict[str, list[str]] = {name: [] for name in group}
            on_import = ""
            for line in written.read_text(encoding="utf-8").splitlines() if written.exists() else ():
                name = json.loads(line)[0].partition("::")[0]
                if name in lines:
                    lines[name].append(line)
                elif not name:
                    on_import = line
            for name, own in lines.items():
                self._kept(name).write_text("\n".join([on_import, *own]), encoding="utf-8")
            written.unlink(missing_ok=True)
            told(len(group))

        pool = ThreadPoolExecutor(jobs)
        try:
            list(pool.map(run, groups))
        finally:
            pool.shutdown(cancel_futures=True)

    def tests(self, files: Iterable[str]) -> list[Test]:
        """Those that pass; what is come by on import counts for all in the file."""
        found = []
        for name in files:
            if not self._kept(name).exists():
                continue
            lines = [json.loads(line) for line in self._kept(name).read_text(encoding="utf-8").splitlines() if line]
            on_import = {number for test, *_, reached in lines if not test for number in reached}
            for test, outcome, seconds, reached in lines:
                if test and outcome == "passed":
                    found.append(Test(test, seconds, frozenset(on_import.union(reached))))
        return found

    def _kept(self, name: str) -> Path:
        content = (self.tree / name).read_bytes()
        return self.folder / f"{hashlib.sha256(name.encode() + content).hexdigest()}.jsonl"


def could_notice(mutant: Mutant, number: int, tests: Iterable[Test], allowed: set[str], seconds: float) -> list[Test]:
    """Tests of these files that come by it, the nearest first, as many as take `seconds` together."""
    chosen, spent = [], 0.0
    reaching = [one for one in tests if number in one.reached and one.name.partition("::")[0] in allowed]
    for one in sorted(reaching, key=lambda test: (_distance(mutant, test.name), test.seconds)):
        if chosen and spent + one.seconds > seconds:
            continue
        chosen.append(one)
        spent += one.seconds
    return chosen


def _distance(mutant: Mutant, test: str) -> int:
    """0 for the test of the file, 1 for one of its folder."""
    source, file = PurePosixPath(mutant.statement.path), PurePosixPath(test.partition("::")[0])
    if source.stem in file.stem or file.stem.removeprefix("test_") in source.stem:
        return 0
    return 1 if file.parent.name in source.parts else 2
