"""Opens compiled libraries: the kernels of a package that `keelblocks build` has compiled, found by name from then on.

A library is opened when the first plan asks for one of its kernels, and stays open for good, because plans point into
it. One that is built anew while a process runs is opened beside the one of before, for the plans that are made then;
its blocks are those that were imported, so where their declarations have changed, the process has to begin anew.
"""

from __future__ import annotations

import ctypes
import functools
import importlib.util
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from blocks.errors import LibraryError
from blocks.libraries.manifest import FILE, DamagedManifestError, Manifest, OtherVersionError, changed_sources
from blocks.model.package import BUILT, changed_since_read
from blocks.packages import BLOCKS, offers
from cython_kernels import libraries as register
from cython_kernels.plain_c import platforms

Stamp = tuple[tuple[str, int, int], ...]
"""Files with their times and sizes, by which one knows whether to look into them again."""


@dataclass(frozen=True)
class OpenLibrary:
    """A compiled library that this process has opened."""

    name: str
    folder: Path
    digest: str
    """Of the C that it was compiled from."""
    sources: tuple[str, ...]
    kernels: tuple[str, ...]
    checked: bool

    def check_has(self, kernel: str) -> None:
        """Raise LibraryError if it lacks a kernel."""
        if kernel not in self.kernels:
            raise LibraryError(f"the library {self.name} has no kernel '{kernel}'", wrong=kernel, valid=self.kernels)


_open: dict[str, tuple[Stamp, OpenLibrary]] = {}
_tried: set[Path] = set()
"""Files that were opened, whatever came of it: the system gives the same again, even if the file is another now."""


def open_library(name: str) -> OpenLibrary:
    """The compiled library of a package, opened if it is not yet, or if it was built anew.

    Raises LibraryError, which says what to do, if it cannot be used here.
    """
    folder = folder_of(name)
    stamp, found = _open.get(name, (None, None))
    if found is not None and stamp == _stamp(folder, found.sources):
        return found
    manifest = _manifest(name, folder)
    built = manifest.platforms[platforms.local().name]
    stamp = _stamp(folder, manifest.sources)
    if found is None or (found.digest, found.checked) != (built.digest, built.checked):
        found = _opened(name, folder, manifest, folder / BUILT / built.file)
    found = replace(found, sources=tuple(manifest.sources))
    _open[name] = (stamp, found)
    return found


def ensure_open(names: Iterable[str]) -> None:
    """Open libraries that this process has not opened yet: a plan that was made runs with what it finds."""
    for name in names:
        if name not in _open:
            open_library(name)


def digests_of(names: Iterable[str]) -> dict[str, str]:
    """The digests of compiled libraries as this process has opened them."""
    chosen = list(names)
    ensure_open(chosen)
    return {name: _open[name][1].digest for name in chosen}


def folder_of(name: str) -> Path:
    """The folder of a package. Raises LibraryError if there is none of that name."""
    try:
        module = sys.modules.get(name)
        spec = module.__spec__ if module is not None else importlib.util.find_spec(name)
    except (ImportError, ValueError):
        spec = None
    places = list(spec.submodule_search_locations or ()) if spec is not None else []
    if not places:
        raise LibraryError(f"there is no library '{name}' here: install it (pip install), or run it where it is")
    return Path(places[0])


def _manifest(name: str, folder: Path) -> Manifest:
    """What library.json says, of this ABI and of these sources."""
    try:
        found = Manifest.read(folder / BUILT)
    except OtherVersionError as other:
        raise LibraryError(
            f"{name} was built by Keelblocks {other}, and this is {version('keelblocks')}: "
            f"keelblocks build {_build(name, folder)}"
        ) from None
    except DamagedManifestError:
        raise _damaged(name, folder, folder / BUILT / FILE) from None
    if found is None and not folder.is_dir():
        raise LibraryError(f"the folder of {name}, {folder}, is gone")
    if found is None:
        raise LibraryError(f"the kernels of {name} are not built: keelblocks build {_build(name, folder)}")
    if found.abi != register.ABI:
        raise _other_abi(name, folder, found.abi)
    here = platforms.local().name
    if here not in found.platforms:
        raise LibraryError(
            f"the kernels of {name} are built for {', '.join(found.platforms) or 'no platform'}, and this is {here}: "
            f"keelblocks build {_build(name, folder)}"
        )
    changed = changed_sources(folder, found)
    if changed or found.platforms[here].digest != found.digest:
        what = ", ".join(changed) or "what is built for other platforms"
        raise LibraryError(
            f"{what} of {name} changed since its kernels were built: keelblocks build {_build(name, folder)}"
        )
    return found


def _opened(name: str, folder: Path, manifest: Manifest, file: Path) -> OpenLibrary:
    if changed := changed_since_read(name):
        raise LibraryError(
            f"{', '.join(changed)} of {name} changed after this process had imported it, so its blocks are no longer "
            f"those that were built: begin a new process (in a notebook, restart the kernel)"
        )
    try:
        loaded = ctypes.CDLL(str(_beside(file) if file in _tried else file))
        _tried.add(file)
        give = loaded.keelblocks_library
        give.restype = ctypes.c_void_p
        address = give()
        abi = register.abi_of(address or 0)
        if abi != register.ABI:
            raise _other_abi(name, folder, abi)
        told = register.describe(address)
    except (OSError, AttributeError, ValueError) as problem:
        raise _damaged(name, folder, file, str(problem)) from None
    if told["name"] != name or told["digest"] != manifest.digest:
        raise _damaged(name, folder, file, "it is of another build, or of another library")
    register.add(address)
    return OpenLibrary(name, folder, told["digest"], tuple(manifest.sources), told["kernels"], told["checked"])


def _beside(file: Path) -> Path:
    """A copy under a name of its own, which is there as long as this process."""
    folder = Path(_copies().name)
    copy = folder / f"{len(list(folder.iterdir()))}{file.suffix}"
    shutil.copyfile(file, copy)
    return copy


@functools.lru_cache(maxsize=1)
def _copies() -> tempfile.TemporaryDirectory[str]:
    return tempfile.TemporaryDirectory(prefix="keelblocks-", ignore_cleanup_errors=True)


def _stamp(folder: Path, sources: Iterable[str]) -> Stamp:
    stats = [(name, _stat(folder / name)) for name in (f"{BUILT}/{FILE}", *sources)]
    return tuple((name, stat.st_mtime_ns, stat.st_size) if stat else (name, 0, 0) for name, stat in stats)


def _stat(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except OSError:
        return None


def _build(name: str, folder: Path) -> str:
    """What `keelblocks build` is to be given: an installed library by its name, else the folder as seen from here."""
    if any(offer.point.module.partition(".")[0] == name for offer in offers(BLOCKS)):
        return name
    return os.path.relpath(folder) if folder.is_relative_to(Path.cwd()) else str(folder)


def _other_abi(name: str, folder: Path, abi: Any) -> LibraryError:
    return LibraryError(
        f"{name} was built for ABI {abi}, this Keelblocks has {register.ABI}: keelblocks build {_build(name, folder)}"
    )


def _damaged(name: str, folder: Path, path: Path, why: str = "") -> LibraryError:
    reason = f" ({why.removeprefix(f'{path}: ')})" if why else ""
    return LibraryError(f"{path} is damaged{reason}: keelblocks build {_build(name, folder)}")
