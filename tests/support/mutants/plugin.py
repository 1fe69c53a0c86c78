"""In pytest: which tests come by which mutants, or only those tests that are asked for, in their order."""

from __future__ import annotations

import ctypes
import json
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

RECORD = "KEELBLOCKS_MUTANTS_RECORD"
"""The file to write what tests come by into."""
TESTS = "KEELBLOCKS_MUTANTS_TESTS"
"""A file with the names of the tests to run."""
_CAME_BY = "KEELBLOCKS_MUTANTS_CAME_BY"


def pytest_configure(config: pytest.Config) -> None:
    """Record where that is asked for."""
    if RECORD in os.environ:
        config.pluginmanager.register(_Recorder(Path(os.environ[RECORD])))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Keep what is asked for, in that order."""
    if TESTS in os.environ:
        names = json.loads(Path(os.environ[TESTS]).read_text())
        by_name = {item.nodeid: item for item in items}
        kept = [by_name[name] for name in names if name in by_name]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(kept)])
        items[:] = kept


class _Recorder:
    """Writes a line for each test: its name, outcome, seconds and the mutants that it came by."""

    def __init__(self, path: Path) -> None:
        self.stream = path.open("a", encoding="utf-8")
        self.folder = Path(tempfile.mkdtemp(prefix="keelblocks-mutants-"))
        self.arrays: dict[str, Any] = {}
        self.passed = True
        self.own: set[int] = set()
        self.shared: dict[str, set[int]] = {}
        """What fixtures that several tests share came by as they were made."""

    def _reached(self) -> list[Any]:
        """What this process counts in, as far as it has been imported."""
        if "keelblocks_mutants" in sys.modules:
            self.arrays["python"] = sys.modules["keelblocks_mutants"].reached
        engine = sys.modules.get("cython_kernels.engine")
        if engine is not None and "engine" not in self.arrays and "python" in self.arrays:
            library = ctypes.CDLL(engine.__file__)
            if hasattr(library, "keelblocks_reached"):
                self.arrays["engine"] = (ctypes.c_ubyte * len(self.arrays["python"])).in_dll(
                    library, "keelblocks_reached"
                )
        return list(self.arrays.values())

    def _taken(self) -> set[int]:
        """What was come by since this was last asked."""
        found = {number for each in self._reached() for number, one in enumerate(bytes(each)) if one}
        for path in self.folder.iterdir():
            found |= {number for number, one in enumerate(path.read_bytes()) if one}
            path.unlink()
        for each in self._reached():
            each[:] = bytes(len(each))
        return found

    def _write(self, name: str, outcome: str, seconds: float, found: set[int]) -> None:
        print(json.dumps([name, outcome, round(seconds, 4), sorted(found)]), file=self.stream, flush=True)

    def pytest_collection_finish(self) -> None:
        """What was come by so far was so on import."""
        import keelblocks_mutants  # noqa: F401  # even if no Python is changed

        self._write("", "passed", 0.0, self._taken())

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        self._taken()
        os.environ[_CAME_BY] = str(self.folder)
        self.passed, self.own, begun = True, set(), time.perf_counter()
        result = yield
        os.environ.pop(_CAME_BY, None)
        found = self.own.union(
            self._taken(), *(self.shared.get(name, ()) for name in getattr(item, "fixturenames", ()))
        )
        self._write(item.nodeid, "passed" if self.passed else "failed", time.perf_counter() - begun, found)
        return result

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: pytest.FixtureDef[Any]) -> Iterator[None]:
        if fixturedef.scope == "function":
            return (yield)
        self.own |= self._taken()
        result = yield
        self.shared.setdefault(fixturedef.argname, set()).update(self._taken())
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.passed = self.passed and (report.passed or report.when != "call") and not report.failed
