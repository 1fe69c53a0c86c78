"""The package that a block comes from: a library, if it has kernels of its own."""

from __future__ import annotations

import functools
import hashlib
import sys
from pathlib import Path

BUILT = "__keelblocks__"
"""The folder of a package with what `keelblocks build` makes."""

_OWN = ("blocks", "cython_kernels", "fmu")
_read: dict[str, str] = {}
"""The modules of libraries whose blocks were declared, and what their files were then."""


def library_of(module: str) -> str:
    """The library that a module belongs to: its package, if that has kernels, built or as .pxd; else ""."""
    top = module.partition(".")[0]
    package = sys.modules.get(top)
    if top in _OWN or getattr(package, "__file__", None) is None:  # a folder without __init__.py is none
        return ""
    return top if any(has_kernels(folder) for folder in getattr(package, "__path__", ())) else ""


@functools.lru_cache
def has_kernels(folder: str) -> bool:
    """Whether a package has kernels: built, or as .pxd files, which see a `View`, as other Cython does not."""
    if (Path(folder) / BUILT).is_dir():
        return True
    return any(b"View" in path.read_bytes() for path in Path(folder).rglob("*.pxd"))


def note(module: str) -> None:
    """A class of this module of a library is being declared: keep what its file is."""
    file = getattr(sys.modules.get(module), "__file__", None)
    if file:
        _read[module] = _content(file)


def changed_since_read(library: str) -> list[str]:
    """The files of a library that are no longer what its blocks were declared by in this process."""
    files = {
        module: str(getattr(sys.modules[module], "__file__", ""))
        for module in _read
        if module.partition(".")[0] == library and module in sys.modules
    }
    return [Path(file).name for module, file in files.items() if _content(file) != _read[module]]


def _content(file: str) -> str:
    try:
        return hashlib.sha256(Path(file).read_bytes()).hexdigest()
    except OSError:
        return ""
