"""Write the zip file that an FMU is: equal contents give equal bytes, and a file is there whole or not at all."""

from __future__ import annotations

import functools
import zipfile
import zlib
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path
from types import MappingProxyType

from blocks.errors import ExportError
from blocks.files import replacing

_EPOCH = (1980, 1, 1, 0, 0, 0)
_LEVEL = 6
_LIBRARY_LEVEL = 9  # libraries are the larger part, and are compressed once


def pack(files: Mapping[str, bytes], libraries: Mapping[str, bytes] = MappingProxyType({})) -> bytes:
    """A zip of these files, behind the libraries, in their order, without times or owners."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in libraries.items():
            _add_deflated(archive, _entry(name, 0o755), content)
        for name, content in files.items():
            archive.writestr(_entry(name, 0o644), content, compresslevel=_LEVEL)
    return buffer.getvalue()


def _entry(name: str, mode: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _EPOCH)
    info.create_system = 3
    info.external_attr = mode << 16
    info.compress_type = zipfile.ZIP_DEFLATED
    return info


def _add_deflated(archive: zipfile.ZipFile, info: zipfile.ZipInfo, content: bytes) -> None:
    """Add a file that is deflated already, for which zipfile has no function: libraries are the same in every FMU."""
    deflated = _deflated(content)
    info.CRC, info.file_size, info.compress_size = zlib.crc32(content), len(content), len(deflated)
    assert archive.fp is not None
    info.header_offset = archive.fp.tell()
    archive.fp.write(info.FileHeader(False) + deflated)
    archive.filelist.append(info)
    archive.NameToInfo[info.filename] = info
    archive.start_dir = archive.fp.tell()


@functools.lru_cache(maxsize=16)
def _deflated(content: bytes) -> bytes:
    compressor = zlib.compressobj(_LIBRARY_LEVEL, zlib.DEFLATED, -zlib.MAX_WBITS)
    return compressor.compress(content) + compressor.flush()


def write(path: Path, content: bytes) -> None:
    """Write a file, which is there whole or not at all. Raises ExportError if that is not possible."""
    try:
        with replacing(path) as part:
            part.write_bytes(content)
    except OSError as problem:
        raise ExportError(f"cannot write '{path}': {problem.strerror or problem}") from None
