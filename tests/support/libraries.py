"""A compiled library of blocks, as `keelblocks new library` and `keelblocks build` make it, once for all tests."""

from __future__ import annotations

import importlib.util
from pathlib import Path

import pytest

from blocks.libraries.building import build
from blocks.libraries.compiling import platforms_of
from blocks.libraries.making import new_library
from blocks.libraries.package import Library, find_library
from cython_kernels.plain_c.compilers import own_compiler

NAME = "harbour_blocks"
"""Of the library: one block, `Drag`."""

HAS_ZIG = importlib.util.find_spec("ziglang") is not None
CAN_BUILD = importlib.util.find_spec("Cython") is not None and (bool(own_compiler()) or HAS_ZIG)
WHY_NOT = "needs Cython and a C compiler: pip install 'keelblocks[build]'"
needs_compiler = pytest.mark.skipif(not CAN_BUILD, reason=WHY_NOT)


def made_library(folder: Path, name: str = NAME) -> Library:
    """A new library in a folder, built for this machine."""
    library = find_library(str(new_library(name, folder)))
    build(library, platforms_of(()))
    return library
