"""The FMU runtime: C files, and the shared libraries that were built of them, per platform and version of FMI.

A runtime holds the engine, every kernel and the functions of FMI, but no model: that stands in the resources of an FMU.
An FMU gets the kernels that its model needs, see `stored.py`.
"""

from __future__ import annotations

import functools
from collections.abc import Collection, Iterable
from pathlib import Path

from blocks.errors import ExportError, did_you_mean
from cython_kernels.plain_c.generated import ENGINE_C, READABLE_ENGINE_C
from cython_kernels.plain_c.platforms import ALL, PLATFORMS, Platform, find, fmi_platform, local, names
from fmu.runtime import fat_binary
from fmu.runtime.c_files import VERSIONS
from fmu.runtime.deflated import Library, deflate, joined
from fmu.runtime.stored import Part, Runtime, file_name, read

BINARIES = Path(__file__).resolve().parent / "binaries"


def platforms() -> list[str]:
    """The platforms that there is a runtime for, by FMI 3.0's names: "x86_64-linux", "x86_64-windows", …"""
    known = PLATFORMS if local() in PLATFORMS else (*PLATFORMS, local())
    return [platform.name for platform in known if _isbuilt(platform)]


def folder(platform: str, fmi: str) -> str:
    """The folder below `binaries` in an FMU of a version of FMI, for a platform by any name: "win64", say.

    Raises ExportError if there is no such platform.
    """
    return _find(platform)[0].folder(fmi)


def binary(platform: str, fmi: str = "2.0", kernels: Iterable[str] | None = None) -> bytes:
    """The runtime for a platform, by FMI 3.0's name or FMI 2.0's: "darwin64" is one file for both processors.

    kernels: those that it is to have; None: all. Raises ExportError if there is no such platform, no runtime for it, or
    a kernel that the runtime does not have.
    """
    return _joined(built(platform), fmi, kernels).content


def libraries(
    chosen: Iterable[str] | None, fmi: str, identifier: str, kernels: Iterable[str] | None = None
) -> dict[str, Library]:
    """The files below `binaries` of an FMU of this version of FMI, by their paths in it.

    chosen: platforms, by either name; None: all that there is a runtime for. kernels: those that the model needs; None:
    all. Raises ExportError as `binary` does, and if there is no runtime at all.
    """
    if chosen is None and not platforms():
        raise ExportError(f"there is no FMU runtime here, {_here()}")
    wanted = dict.fromkeys(p for name in (platforms() if chosen is None else chosen) for p in built(name))
    found: dict[str, list[Platform]] = {}
    for platform in wanted:
        found.setdefault(f"binaries/{platform.folder(fmi)}/{identifier}{platform.suffix}", []).append(platform)
    return {path: _joined(those, fmi, kernels) for path, those in found.items()}


def check_kernels(what: str, needed: Iterable[str], there: Collection[str]) -> None:
    """Raise ExportError if a kernel that is needed is not there."""
    missing = sorted(kernel for kernel in needed if kernel not in there)
    if missing:
        raise ExportError(
            f"{what} here has no kernel '{missing[0]}': it was built of other sources; build it with `make build`, for "
            "all platforms with `make platforms`"
        )


def _isbuilt(platform: Platform) -> bool:
    return all((BINARIES / platform.name / file_name(version)).is_file() for version in VERSIONS)


def _joined(those: list[Platform], fmi: str, kernels: Iterable[str] | None) -> Library:
    """The libraries of some platforms as one file."""
    chosen = None if kernels is None else frozenset(kernels)
    found = [_parts(platform, fmi, chosen) for platform in those]
    between = [b""] if len(found) == 1 else fat_binary.between([b"".join(c for c, _ in parts) for parts in found])
    return joined(
        part for before, parts in zip(between, found, strict=True) for part in ((before, deflate(before)), *parts)
    )


def _parts(platform: Platform, fmi: str, kernels: frozenset[str] | None) -> list[Part]:
    path = BINARIES / platform.name / file_name(fmi[0])
    return _parts_of(path, path.stat().st_mtime_ns, platform.name, kernels)


@functools.lru_cache(maxsize=16)
def _parts_of(path: Path, time: int, platform: str, kernels: frozenset[str] | None) -> list[Part]:
    """The library in a file of this time."""
    found = _stored(path, time)
    if kernels is not None:
        check_kernels(f"the FMU runtime for {platform}", kernels, found.kernels)
    return found.library(found.kernels if kernels is None else kernels)


@functools.lru_cache(maxsize=16)
def _stored(path: Path, _time: int) -> Runtime:
    return read(path.read_bytes())


def built(name: str) -> list[Platform]:
    """The platforms of a name, by either version of FMI, that there is a runtime for. Raises ExportError if none is."""
    found = [platform for platform in _find(name) if _isbuilt(platform)]
    if not found:
        raise ExportError(f"there is no FMU runtime for the platform '{name}' here, {_here()}")
    return found


def _find(name: str) -> tuple[Platform, ...]:
    found = find(name)
    if not found:
        raise ExportError(f"there is no platform '{name}'{did_you_mean(name, [ALL, *names()])}")
    return found


def _here() -> str:
    built = platforms()
    if not built:
        return "because none was built: build it with `make build`"
    return f"only for {', '.join(built)}: build the others with `make platforms`, or install a release of Keelblocks"


__all__ = [
    "BINARIES", "ENGINE_C", "READABLE_ENGINE_C", "Library", "binary", "built", "check_kernels", "fmi_platform",
    "folder", "libraries", "platforms",
]  # fmt: skip
