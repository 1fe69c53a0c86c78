"""Write the zip file that an FMU is: equal contents give equal bytes, and a file is there whole or not at all."""

from __future__ import annotations

import functools
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from blocks.errors import ExportError
from blocks.files import replacing

_EPOCH = (1980, 1, 1, 0, 0, 0)
_LEVEL = 6
_LIBRARY_LEVEL = 9  # libraries are the larger part, and are compressed once

Library = tuple[str, Path, float]
"""A shared library: its name in the archive, where it is read, and when it was last changed."""


def library(name: str, path: Path) -> Library:
    """A shared library to put into an archive."""
    return name, path, path.stat().st_mtime


def pack(files: Mapping[str, bytes], libraries: tuple[Library, ...] = ()) -> bytes:
    """A zip of these files, behind the libraries, in their order, without times or owners."""
    buffer = BytesIO()
    buffer.write(_packed(libraries))
    with zipfile.ZipFile(buffer, "a") as archive:
        for name, content in files.items():
            _add(archive, name, content, 0o644, _LEVEL)
    return buffer.getvalue()


@functools.lru_cache(maxsize=8)
def _packed(libraries: tuple[Library, ...]) -> bytes:
    """A zip of the libraries, which are the same in every export of a model."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, path, _ in libraries:
            _add(archive, name, path.read_bytes(), 0o755, _LIBRARY_LEVEL)
    return buffer.getvalue()


def _add(archive: zipfile.ZipFile, name: str, content: bytes, mode: int, level: int) -> None:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.create_system = 3
    info.external_attr = mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    archive.writestr(info, content, compresslevel=level)


def write(path: Path, content: bytes) -> None:
    """Write a file, which is there whole or not at all. Raises ExportError if that is not possible."""
    try:
        with replacing(path) as part:
            part.write_bytes(content)
    except OSError as problem:
        raise ExportError(f"cannot write '{path}': {problem.strerror or problem}") from None
