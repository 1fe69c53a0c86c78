"""Arrays in a file with a checksum of their content: NumPy's .npz, of which nothing is believed that does not hold."""

from __future__ import annotations

import hashlib
import io
import zipfile
from collections.abc import Mapping
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

_DIGEST = "sha256"
_MOST_ARRAYS = 10_000


class Damaged(Exception):
    """A file does not hold what was written, and why, as the end of a sentence."""


def write_arrays(file: IO[bytes], arrays: Mapping[str, Any]) -> None:
    """Write arrays of numbers or text. Raises OSError."""
    given = {name: np.asarray(array) for name, array in arrays.items()}
    np.savez(file, **given, **{_DIGEST: np.array(_digest(given))})  # type: ignore[arg-type]


def read_arrays(path: Path) -> dict[str, NDArray[Any]]:
    """The arrays of a file. Raises Damaged, and OSError if it cannot be opened."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        try:
            with zipfile.ZipFile(file) as archive:
                entries = archive.infolist()
                if len(entries) > _MOST_ARRAYS or sum(entry.file_size for entry in entries) > size:
                    raise Damaged("its size is not what it says")
                found = {entry.filename.removesuffix(".npy"): _array(archive.read(entry)) for entry in entries}
        except Damaged:
            raise
        except Exception:  # NumPy, zipfile and zlib raise many kinds for foreign bytes
            raise Damaged("it is cut off, changed or another file") from None
    digest = found.pop(_DIGEST, None)
    if digest is None:
        raise Damaged("it has no checksum: an older version or another program wrote it")
    if str(digest) != _digest(found):
        raise Damaged("its checksum does not match")
    return found


def _array(data: bytes) -> NDArray[Any]:
    """One array; no memory is taken but for what is there."""
    stream = io.BytesIO(data)
    version = np.lib.format.read_magic(stream)
    read = np.lib.format.read_array_header_1_0 if version == (1, 0) else np.lib.format.read_array_header_2_0
    shape, turned, kind = read(stream)
    if kind.hasobject or kind.kind not in "biufU" or turned:
        raise Damaged(f"it holds {kind}, and not numbers or text")
    array: NDArray[Any] = np.frombuffer(data, kind, offset=stream.tell()).reshape(shape).copy()
    return array


def _digest(arrays: Mapping[str, NDArray[Any]]) -> str:
    digest = hashlib.sha256()
    for name, array in sorted(arrays.items()):
        digest.update(f"{name} {array.dtype.str} {array.shape}\n".encode())
        digest.update(np.ascontiguousarray(array).tobytes())
    return digest.hexdigest()
