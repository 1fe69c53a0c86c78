"""The package of a library on the disk, found by its folder or by its name."""

from __future__ import annotations

import importlib.util
import re
from dataclasses import dataclass
from pathlib import Path

from blocks.errors import LibraryError
from blocks.kernel_views.source import OWN, OWN_KERNELS
from blocks.libraries.names import proposed
from blocks.model.package import BUILT

_IMPORTS_BLOCKS = re.compile(r"^\s*(from|import)\s+blocks\b", re.M)


@dataclass(frozen=True)
class Library:
    """A library: its name, and the folder of its package."""

    name: str
    folder: Path

    @property
    def root(self) -> Path:
        """The folder that the package is in: files are named as seen from there."""
        return self.folder.parent

    @property
    def built(self) -> Path:
        """The folder for what is built."""
        return self.folder / BUILT


def find_library(given: str) -> Library:
    """The library that a folder or a name means. Raises LibraryError if there is none.

    A folder is that of the package, or one that has the package in it. A name is that of a package that Python finds.
    """
    folder = Path(given)
    library = _in_folder(folder.resolve()) if folder.is_dir() else _by_name(given)
    if not _has_blocks(library.folder):
        raise LibraryError(f"{library.name} ({library.folder}) is no library of blocks: no module of it imports blocks")
    if not _has_kernels(library.folder):
        raise LibraryError(
            f"{library.name} has no kernels ({library.folder} has no .pxd files), so there is nothing to build: blocks "
            f"that are written in Python work as they are"
        )
    return library


def _by_name(given: str) -> Library:
    if not given.isidentifier():
        raise LibraryError(f"there is no folder {given}; `keelblocks new library NAME` makes a library")
    if given in (OWN, OWN_KERNELS, "fmu"):
        raise LibraryError(f"{given} is Keelblocks itself")
    found = importlib.util.find_spec(given)
    if found is None or not found.submodule_search_locations:
        raise LibraryError(
            f"there is no folder {given} here, and no installed package '{given}'; `keelblocks new library "
            f"{proposed(given)}` makes a library"
        )
    return Library(given, Path(next(iter(found.submodule_search_locations))).resolve())


def _in_folder(folder: Path) -> Library:
    if _is_package(folder):
        return Library(folder.name, folder)
    own = folder / folder.name
    packages = [own] if _is_package(own) else [path for path in sorted(folder.iterdir()) if _is_library(path)]
    if len(packages) == 1:
        return Library(packages[0].name, packages[0])
    if packages:
        raise LibraryError(
            f"{folder} has several packages, {', '.join(path.name for path in packages)}: say which, such as "
            f"keelblocks build {packages[0]}"
        )
    raise LibraryError(
        f"there is no library in {folder}: no package (a folder with __init__.py) that has kernels (.pxd files); "
        f"`keelblocks new library NAME` makes one"
    )


def _is_package(folder: Path) -> bool:
    return (folder / "__init__.py").is_file()


def _is_library(folder: Path) -> bool:
    return folder.is_dir() and _is_package(folder) and _has_kernels(folder)


def _has_kernels(folder: Path) -> bool:
    return any(BUILT not in path.parts for path in folder.rglob("*.pxd"))


def _has_blocks(folder: Path) -> bool:
    texts = (path.read_text(encoding="utf-8", errors="replace") for path in folder.rglob("*.py"))
    return any(_IMPORTS_BLOCKS.search(text) for text in texts)
