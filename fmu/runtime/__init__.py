"""The FMU runtime: C files, and the shared libraries that were built of them, one per platform.

A runtime holds the engine, every kernel and the FMI functions, but no model: that stands in the resources of an FMU.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from blocks.errors import ExportError, did_you_mean
from fmu.runtime import fat_binary
from fmu.runtime.build import fmi_platform
from fmu.runtime.deflated import Library, deflate, joined, stream_of
from fmu.runtime.platform_table import PLATFORMS, Platform, find, local, names

BINARIES = Path(__file__).resolve().parent / "binaries"
ENGINE_C = Path(__file__).resolve().parent / "generated" / "engine.c"


def platforms() -> list[str]:
    """The platforms that there is a runtime for, by FMI 3.0's names: "x86_64-linux", "x86_64-windows", …"""
    known = PLATFORMS if local() in PLATFORMS else (*PLATFORMS, local())
    return [platform.name for platform in known if _library(platform).is_file()]


def folder(platform: str, fmi: str) -> str:
    """The folder below `binaries` in an FMU of a version of FMI, for a platform by any name: "win64", say.

    Raises ExportError if there is no such platform.
    """
    return _find(platform)[0].folder(fmi)


def binary(platform: str) -> bytes:
    """The runtime for a platform, by FMI 3.0's name or FMI 2.0's: "darwin64" is one file for both processors.

    Raises ExportError if there is no such platform, or no runtime for it.
    """
    return _joined(_built(platform)).content


def binaries(chosen: Iterable[str] | None, fmi: str, identifier: str) -> dict[str, bytes]:
    """The files below `binaries` of an FMU of this version of FMI, by their paths in it.

    chosen: platforms, by either name; None: all that there is a runtime for. Raises ExportError as `binary` does, and
    if there is none at all.
    """
    return {path: library.content for path, library in libraries(chosen, fmi, identifier).items()}


def libraries(chosen: Iterable[str] | None, fmi: str, identifier: str) -> dict[str, Library]:
    """The same, each with what it deflates to."""
    if chosen is None and not platforms():
        raise ExportError(f"there is no FMU runtime here, {_here()}")
    wanted = dict.fromkeys(p for name in (platforms() if chosen is None else chosen) for p in _built(name))
    found: dict[str, list[Platform]] = {}
    for platform in wanted:
        found.setdefault(f"binaries/{platform.folder(fmi)}/{identifier}{platform.suffix}", []).append(platform)
    return {path: _joined(those) for path, those in found.items()}


def _library(platform: Platform) -> Path:
    return BINARIES / platform.name / f"keelblocks{platform.suffix}"


def _joined(those: list[Platform]) -> Library:
    """The libraries of some platforms as one file."""
    paths = [_library(platform) for platform in those]
    files = [path.read_bytes() for path in paths]
    between = [b""] if len(files) == 1 else fat_binary.between(files)
    return joined(
        part
        for before, path, file in zip(between, paths, files, strict=True)
        for part in ((before, deflate(before)), (file, stream_of(path, file)))
    )


def _built(name: str) -> list[Platform]:
    found = [platform for platform in _find(name) if _library(platform).is_file()]
    if not found:
        raise ExportError(f"there is no FMU runtime for the platform '{name}' here, {_here()}")
    return found


def _find(name: str) -> tuple[Platform, ...]:
    found = find(name)
    if not found:
        raise ExportError(f"there is no platform '{name}'{did_you_mean(name, names())}")
    return found


def _here() -> str:
    built = platforms()
    if not built:
        return "because none was built: build it with `make build`"
    return f"only for {', '.join(built)}: build the others with `make platforms`, or install a release of Keelblocks"


__all__ = [
    "BINARIES", "ENGINE_C", "Library", "binaries", "binary", "fmi_platform", "folder", "libraries", "platforms",
]  # fmt: skip
