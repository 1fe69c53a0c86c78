"""Write the zip file that an FMU is: equal contents give equal bytes, and a file is there whole or not at all."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from io import BytesIO
from pathlib import Path

from blocks.errors import ExportError

_EPOCH = (1980, 1, 1, 0, 0, 0)


def pack(files: Mapping[str, bytes]) -> bytes:
    """A zip of these files, in their order, without times or owners."""
    buffer = BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED, compresslevel=6) as archive:
        for name, content in files.items():
            info = zipfile.ZipInfo(name, _EPOCH)
            info.create_system = 3
            info.external_attr = (0o755 if name.startswith("binaries/") else 0o644) << 16
            info.compress_type = zipfile.ZIP_DEFLATED
            archive.writestr(info, content)
    return buffer.getvalue()


def write(path: Path, content: bytes) -> None:
    """Write a file by way of a temporary one beside it. Raises ExportError if that is not possible."""
    scratch = path.with_name(f".{path.name}.{os.getpid()}.tmp")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            scratch.write_bytes(content)
            scratch.replace(path)
        finally:
            scratch.unlink(missing_ok=True)
    except OSError as problem:
        raise ExportError(f"cannot write '{path}': {problem.strerror or problem}") from None
