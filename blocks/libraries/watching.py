"""Build a library again at each change of its files."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from blocks.child.family import end_group
from blocks.errors import LibraryError
from blocks.libraries.manifest import SOURCES, texts_in
from blocks.libraries.package import Library
from blocks.model.package import BUILT

_WAIT = 100
"""Milliseconds until a wait for changes is over: the first one, once they are heard."""


@dataclass(frozen=True)
class Turn:
    """One build: what it said if it went well, and how long it took, s."""

    said: str
    failed: bool
    seconds: float


def changes(library: Library) -> Iterator[None]:
    """Goes on at once, and then whenever a declaration or a kernel has changed. Raises LibraryError."""
    if importlib.util.find_spec("watchfiles") is None:
        raise LibraryError("watching a library needs watchfiles: pip install 'keelblocks[build]'")
    import watchfiles

    def matters(_: object, path: str) -> bool:
        return Path(path).suffix in SOURCES and BUILT not in Path(path).parts

    before: dict[str, bytes] = {}
    for found in watchfiles.watch(
        library.folder, watch_filter=matters, rust_timeout=_WAIT, yield_on_timeout=True, raise_interrupt=True
    ):
        if found or not before:
            now = texts_in(library.folder)
            if now != before:  # the system tells of one change more than once
                yield
            before = now


def build_apart(library: Library, options: Sequence[str]) -> Turn:
    """Build in a process of its own, as modules that have changed cannot be imported anew. Errors go to its stderr.

    options: of `keelblocks build`.
    """
    begin = time.perf_counter()
    command = [sys.executable, "-B", "-m", "blocks.cli", "build", str(library.folder), *options]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, encoding="utf-8", start_new_session=True)
    try:
        said, _ = process.communicate()
    except KeyboardInterrupt:
        end_group(process.pid)
        process.kill()
        process.wait()
        raise
    return Turn(said.strip(), process.returncode != 0, time.perf_counter() - begin)
