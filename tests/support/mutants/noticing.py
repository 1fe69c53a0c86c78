"""Which tests could notice a mutant: those that come by it, the nearest first, within a budget of time."""

from __future__ import annotations

import ast
import hashlib
import json
import re
import subprocess
import sys
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path, PurePath

from mutants.mutant import KERNELS, Mutant
from mutants.plugin import RECORD
from mutants.tree import environment

_AT_ONCE = 6
"""Files of tests in one process."""
_ENDED = (0, 1, 5)
"""Of pytest: all passed, some failed, none there. Anything else leaves tests out."""
_EVERY_BLOCK = "common"
"""The folder of the tests that all blocks take."""
_FOLDERS = {
    KERNELS: ("tests/blocks", "tests/common", "tests/cython_kernels", "tests/examples"),
    "blocks": ("tests/blocks", "tests/common", "tests/examples", "tests/docs", "tests/fuzz"),
    "fmu": ("tests/fmu", "tests/examples"),
}
"""Where what notices stands."""
_ALSO = ("fmu", "Fleet", "Swarm", "swarm")
"""Words in tests that run the same kernels in an FMU or a swarm, too, where they are not changed: such a test would
notice that the two are not the same, and not that both are wrong."""


@dataclass(frozen=True)
class Test:
    """A test that passes, how long it takes, and which mutants it comes by."""

    name: str
    seconds: float
    reached: frozenset[int]

    @property
    def file(self) -> str:
        """Where it stands."""
        return self.name.partition("::")[0]

    @property
    def function(self) -> str:
        """What it is called there."""
        return self.name.rpartition("::")[2].partition("[")[0]


def files_at(tree: Path, mutant: Mutant, distance: int) -> set[str]:
    """The files of tests at this distance from a mutant that could notice it."""
    folders = _FOLDERS[mutant.statement.path.split("/")[0]]
    paths = [path.relative_to(tree) for folder in folders for path in (tree / folder).rglob("test_*.py")]
    return {path.as_posix() for path in paths if _distance(mutant, path) == distance}


def compare_hosts(path: Path) -> set[str]:
    """The functions in a file of tests that run kernels elsewhere, too."""
    text = path.read_text(encoding="utf-8")
    functions = [node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.FunctionDef)]
    words = re.compile(rf"\b({'|'.join(_ALSO)})\b")
    return {one.name for one in functions if words.search(ast.get_source_segment(text, one) or "")}


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
            done = subprocess.run(
                command, cwd=self.tree, env=environment(self.tree) | {RECORD: str(written)}, capture_output=True,
                text=True, errors="replace", timeout=3600, check=False,
            )  # fmt: skip
            if done.returncode not in _ENDED:
                raise RuntimeError(f"without a mutant, {' '.join(group)}:\n{done.stdout[-2000:]}")
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


def could_notice(
    tree: Path, mutant: Mutant, number: int, tests: Iterable[Test], files: set[str], seconds: float
) -> list[Test]:
    """Tests of these files that come by it, the quickest first, as many as take `seconds` together."""
    chosen: list[Test] = []
    reaching = [one for one in tests if number in one.reached and one.file in files]
    if mutant.is_kernel:
        others = {file: compare_hosts(tree / file) for file in {one.file for one in reaching}}
        reaching = [one for one in reaching if one.function not in others[one.file]]
    for one in sorted(reaching, key=lambda test: test.seconds):
        if chosen and sum(other.seconds for other in chosen) + one.seconds > seconds:
            break
        chosen.append(one)
    return chosen


DISTANCES = (0, 1, 2, 3)
"""The tests of a file, of its family or room and of every block, of what that is in, and all others."""


def _distance(mutant: Mutant, test: PurePath) -> int:
    source = PurePath(mutant.statement.path)
    if source.stem in test.stem or test.stem.removeprefix("test_") in source.stem:
        return 0
    above, *rooms = source.parent.parts
    return 1 if test.parent.name in (*rooms, _EVERY_BLOCK) else 2 if test.parent.name == above else 3
