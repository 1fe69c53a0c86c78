"""Write the zip file that an FMU is: equal contents give equal bytes, and a file is there whole or not at all."""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from blocks.errors import ExportError
from blocks.files.writing import replacing, write_together
from fmu.runtime import Library

_EPOCH = (1980, 1, 1, 0, 0, 0)
_LEVEL = 9  # a hundredth smaller than 6, for a few milliseconds


def pack(files: Mapping[str, bytes], libraries: Mapping[str, Library] = MappingProxyType({})) -> bytes:
    """A zip of these files, behind the libraries, in their order, without times or owners."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, library in libraries.items():
            _add_deflated(archive, _entry(name, 0o755), library)
        for name, content in files.items():
            archive.writestr(_entry(name, 0o644), content, compresslevel=_LEVEL)
    return buffer.getvalue()


def _entry(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.create_system = 3
    info.external_attr = mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _add_deflated(archive: zipfile.ZipFile, info: zipfile.ZipInfo, library: Library) -> None:
    """Add what is deflated already, for which zipfile has no function."""
    info.CRC, info.file_size, info.compress_size = (
        zlib.crc32(library.content),
        len(library.content),
        len(library.deflated),
    )
    assert archive.fp is not None
    info.header_offset = archive.fp.tell()
    archive.fp.write(info.FileHeader(False) + library.deflated)
    archive.filelist.append(info)
    archive.NameToInfo[info.filename] = info
    archive.start_dir = archive.fp.tell()


def write_all(folder: Path, files: Mapping[str, bytes]) -> None:
    """Write files that belong together into a folder, all or none. Raises ExportError if that is not possible."""
    try:
        write_together(folder, files)
    except OSError as problem:
        raise ExportError(f"cannot write to '{folder}': {problem.strerror or problem}") from None


def write(path: Path, content: bytes) -> None:
    """Write a file, which is there whole or not at all. Raises ExportError if that is not possible."""
    try:
        with replacing(path) as part:
            part.write_bytes(content)
    except OSError as problem:
        raise ExportError(f"cannot write '{path}': {problem.strerror or problem}") from None
