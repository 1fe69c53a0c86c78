"""A compiled library of blocks, as `keelblocks new library` and `keelblocks build` make it, once for all tests."""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from blocks import library as all_blocks
from blocks.libraries.building import build
from blocks.libraries.compiling import platforms_of
from blocks.libraries.making import new_library
from blocks.libraries.package import Library, find_library
from blocks.model.block import REGISTERED
from cython_kernels.plain_c.compilers import own_compiler

NAME = "harbour_blocks"
"""Of the library: one block, `Drag`."""

HAS_ZIG = importlib.util.find_spec("ziglang") is not None
CAN_BUILD = importlib.util.find_spec("Cython") is not None and (bool(own_compiler()) or HAS_ZIG)
WHY_NOT = "needs Cython and a C compiler: pip install 'keelblocks[build]'"
needs_compiler = pytest.mark.skipif(not CAN_BUILD, reason=WHY_NOT)


def made_library(folder: Path, name: str = NAME) -> Library:
    """A new library in a folder, built for this machine. Nothing of it is imported afterwards."""
    library = find_library(str(new_library(name, folder)))
    with forgetting():
        build(library, platforms_of(()))
    return library


@contextlib.contextmanager
def forgetting() -> Iterator[None]:
    """Packages that are imported, and their blocks, are gone afterwards, but none of Keelblocks' own."""
    all_blocks()
    registered, modules, path = dict(REGISTERED), dict(sys.modules), list(sys.path)
    try:
        yield
    finally:
        REGISTERED.clear()
        REGISTERED.update(registered)
        sys.path[:] = path
        for name in [name for name in sys.modules if name not in modules]:
            file = Path(getattr(sys.modules[name], "__file__", None) or sys.prefix)
            if not any(file.is_relative_to(place) for place in (*path, sys.prefix) if place):
                del sys.modules[name]
