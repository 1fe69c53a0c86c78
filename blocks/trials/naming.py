"""Which blocks are meant by the name of a library: a package, its folder, a module, or an installed package."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from blocks.block import Block, library
from blocks.errors import LibraryError
from blocks.libraries.loading import load_library
from blocks.packages import BLOCKS, OWN, offers


@dataclass(frozen=True)
class Tried:
    """A library whose blocks are tried."""

    name: str
    folder: Path
    """Of its package, or where its module is."""
    blocks: Mapping[str, type[Block]]

    @property
    def tests(self) -> Path | None:
        """The folder of its own tests: in the package, or beside it."""
        places = (self.folder / "tests", self.folder.parent / "tests")
        is_package = (self.folder / "__init__.py").is_file()
        return next((place for place in places[: 2 if is_package else 1] if place.is_dir()), None)


def blocks_of(given: str, folder: Path) -> Tried:
    """The blocks of a library by the name of its package or module, with dots, by that of its installed distribution,
    or by the path of its folder or Python file, as seen from `folder`.

    Raises LibraryError if there is none, with the nearest names.
    """
    library()  # what is installed
    prefix = _loaded(given, folder)
    found = {
        name: cls
        for name, cls in library().items()
        if cls.__module__ == prefix or cls.__module__.startswith(f"{prefix}.")
    }
    if not found:
        raise LibraryError(f"{prefix} declares no blocks when it is imported")
    file = getattr(sys.modules[prefix.partition(".")[0]], "__file__", None)
    return Tried(prefix, Path(file).resolve().parent if file else folder, found)


def _loaded(given: str, folder: Path) -> str:
    """Import it; the module that its blocks are declared in or below."""
    path = folder / given
    if path.is_dir():
        path = path.resolve()  # "." has a name, too
        packages = sorted(file.parent for file in path.glob("*/__init__.py") if file.parent.name != "tests")
        if not (path / "__init__.py").is_file() and len(packages) == 1:  # the folder of a project
            (path,) = packages
        return load_library(path.name, path.parent)
    if given.endswith(".py"):
        if not path.is_file():
            raise LibraryError(f"there is no file {path}")
        return load_library(path.stem, path.parent)
    if given == OWN:
        return "blocks"
    for offer in offers(BLOCKS):
        if given in (offer.package.partition(" ")[0], offer.point.module):
            return offer.point.module
    top, dot, _ = given.partition(".")
    if dot and "/" not in given:
        load_library(top, folder)
        return given
    return given if given in sys.modules else load_library(given, folder)
