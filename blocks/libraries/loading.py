"""Imports the libraries that a scenario names, from a folder beside it or from where Python finds them.

What is imported runs. So only what is a library of blocks is: another module, which does whatever it does when it is
imported, is refused unread. Where $KEELBLOCKS_LIBRARIES is "installed", what lies beside a file is refused too: see
docs/libraries.md.
"""

from __future__ import annotations

import importlib
import importlib.util
import os
import re
import sys
from collections.abc import Iterator
from importlib.machinery import ModuleSpec
from pathlib import Path
from types import ModuleType

from blocks.errors import LibraryError, near_misses
from blocks.model.block import REGISTERED
from blocks.model.package import has_kernels
from blocks.packages import BLOCKS, offers, reason

_SPEAKS_OF_BLOCKS = re.compile(r"^\s*(from|import)\s+blocks\b", re.M)
_NAME = re.compile(r"[^\W\d]\w*")


_beside: dict[str, Path] = {}
"""Libraries that were imported from beside a scenario: the folder of the package, or the file of the module."""


def load_library(given: str, folder: Path) -> str:
    """Import a library by its name, or by the path of its folder as seen from `folder`; the name of its module.

    Raises LibraryError if there is none, if it is no library of blocks, or if it cannot be imported.
    """
    name = given.rstrip("/").rpartition("/")[2]
    if not _NAME.fullmatch(name):
        raise LibraryError(f"'{given}' is not the name of a library: a module, or a folder with one, is wanted")
    file = beside(given, folder)
    if file is not None and name not in sys.modules and _installed_only():
        raise LibraryError(
            f"the library {name} in {file.parent} is not installed, and no other is imported while the environment "
            f"variable KEELBLOCKS_LIBRARIES is 'installed'"
        )
    if file is None and "/" in given:
        missing = os.path.normpath(folder / given)
        raise LibraryError(f"there is no library at {missing}: a folder with {name}/__init__.py is wanted")
    loaded = sys.modules.get(name)
    if loaded is not None:
        there = getattr(loaded, "__file__", None)
        if file is not None and there is not None and Path(there).resolve() != file.resolve():
            raise LibraryError(
                f"the library {name} beside this file ({file.parent}) cannot be used together with the one of that "
                f"name that is loaded already ({there}): begin a new process, or uninstall that one"
            )
    else:
        loaded = _imported(name, _spec(name, file, folder))
        if file is not None:
            _beside[name] = (file.parent if file.name == "__init__.py" else file.with_suffix("")).resolve()
    if not any(cls.__module__.partition(".")[0] == name for cls in REGISTERED.values()):
        raise LibraryError(f"the module {name} ({loaded.__file__}) declares no blocks when it is imported")
    return name


def _installed_only() -> bool:
    """What $KEELBLOCKS_LIBRARIES says. Raises LibraryError for another word: misspelt, it must not allow all."""
    said = os.environ.get("KEELBLOCKS_LIBRARIES", "")
    if said not in ("", "installed"):
        raise LibraryError(f"KEELBLOCKS_LIBRARIES is '{said}' in the environment: set it to 'installed', or unset it")
    return said == "installed"


def beside(given: str, folder: Path) -> Path | None:
    """The file that is imported for a library beside a scenario: of a package, of one in the folder of its project,
    or a module."""
    base = folder / given
    places = (base / "__init__.py", base / base.name / "__init__.py", base.with_name(f"{base.name}.py"))
    return next((place for place in places if place.is_file()), None)


def loaded_from(name: str) -> Path | None:
    """Where a library stands that was imported from a folder beside a scenario; None for those that Python finds."""
    return _beside.get(name)


def _spec(name: str, file: Path | None, folder: Path) -> ModuleSpec:
    if file is not None:
        search = [str(file.parent)] if file.name == "__init__.py" else None
        spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=search)
    else:
        try:
            spec = importlib.util.find_spec(name)
        except (ImportError, ValueError):
            spec = None
    if spec is None or spec.loader is None or spec.origin is None:  # a folder without __init__.py is no package
        known = sorted({*_offered(), *_near(folder)})
        raise LibraryError(
            f"there is no library '{name}': neither a folder {name} in {folder.resolve()}, nor a module that Python "
            f"finds",
            code="unknown-library",
            wrong=name,
            valid=known,
            hint="" if near_misses(name, known) else "put its folder there, or install it (pip install)",
        )
    if name not in _offered() and not _is_of_blocks(spec):
        raise LibraryError(f"{name} ({spec.origin}) is no library of blocks, and is not imported")
    return spec


def _imported(name: str, spec: ModuleSpec) -> ModuleType:
    module = importlib.util.module_from_spec(spec)
    before = dict(REGISTERED)
    sys.modules[name] = module
    try:
        assert spec.loader is not None
        spec.loader.exec_module(module)
    except (Exception, SystemExit) as problem:  # whatever the library raises
        for loaded in [other for other in sys.modules if other == name or other.startswith(f"{name}.")]:
            del sys.modules[loaded]
        REGISTERED.clear()
        REGISTERED.update(before)
        raise LibraryError(f"the library {name} cannot be imported: {reason(problem)}") from problem
    parent = str(Path(spec.origin or "").resolve().parents[1 if spec.submodule_search_locations else 0])
    if parent not in sys.path:
        sys.path.append(parent)  # for processes that are started from here, and what is pickled
    return module


def _offered() -> set[str]:
    """The modules by which installed packages offer blocks."""
    return {offer.point.module.partition(".")[0] for offer in offers(BLOCKS)} - {"fmu"}


def _near(folder: Path) -> Iterator[str]:
    """The libraries beside a scenario."""
    if folder.is_dir():
        for path in folder.iterdir():
            if path.is_dir() and _NAME.fullmatch(path.name) and beside(path.name, folder) is not None:
                yield path.name


def _is_of_blocks(spec: ModuleSpec) -> bool:
    """Whether the source of a module or package imports `blocks`, or it has kernels. Nothing is imported for that."""
    folders = [Path(place) for place in spec.submodule_search_locations or ()]
    files = [path for folder in folders for path in folder.glob("*.py")]
    if not folders and spec.origin is not None and spec.origin.endswith(".py"):
        files = [Path(spec.origin)]
    return any(has_kernels(str(folder)) for folder in folders) or any(
        _SPEAKS_OF_BLOCKS.search(path.read_text(encoding="utf-8", errors="replace")) for path in files
    )
