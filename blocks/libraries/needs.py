"""The libraries that other processes need for a diagram: what they are told of them, and how they get them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from blocks.errors import LibraryError
from blocks.libraries.loading import load_library, loaded_from
from blocks.libraries.opening import folder_of, open_library
from blocks.model.block import Block


@dataclass(frozen=True)
class Need:
    """A library. folder: where its package stands here; digest: of its kernels, "" if it has none."""

    name: str
    folder: str
    digest: str = ""


def needs_of(blocks: Iterable[Block], compiled: Iterable[str]) -> tuple[Need, ...]:
    """What a plan of these blocks needs, with the kernels of the libraries `compiled`."""
    kernels = set(compiled)
    tops = {cls.__module__.partition(".")[0] for block in blocks for cls in (type(block),)}
    others = {name for name in tops if loaded_from(name) is not None}
    return tuple(
        Need(name, str(loaded_from(name) or folder_of(name)), open_library(name).digest if name in kernels else "")
        for name in sorted(kernels | others)
    )


def bring(needs: Iterable[Need], where: str) -> None:
    """Import and open libraries in another process, `where`. Raises LibraryError if it lacks one, or has another."""
    for need in needs:
        if need.name not in sys.modules:
            _bring(need, where)
        if need.digest:
            try:
                found = open_library(need.name)
            except LibraryError as problem:
                raise LibraryError(f"{where} cannot open {need.name}: {problem}") from None
            if found.digest != need.digest:
                raise LibraryError(
                    f"{where} has another {need.name}: its kernels are {found.digest[:8]} ({found.folder}), and those "
                    f"here {need.digest[:8]} ({need.folder}); install or build the same there"
                )


def _bring(need: Need, where: str) -> None:
    folder = Path(need.folder)
    there = folder.is_dir() or folder.with_suffix(".py").is_file()
    try:
        load_library(need.folder if there else need.name, Path())
    except LibraryError as problem:
        if problem.code == "unknown-library":
            raise LibraryError(f"{where} does not have {need.name}: pip install it there") from None
        raise LibraryError(f"{where} cannot import {need.name}: {problem}") from None
