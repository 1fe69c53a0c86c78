"""Open an FMU and unpack it safely: nothing leaves its folder, and nothing grows beyond what can be meant."""

from __future__ import annotations

import contextlib
import hashlib
import re
import shutil
import stat
import tempfile
import weakref
import zipfile
import zlib
from collections.abc import Iterator
from os import PathLike
from pathlib import Path, PurePosixPath
from typing import IO, Any

from blocks.errors import FmuError, FmuWarning
from blocks.files.writing import is_folder, path_of
from fmu.notices import warn

GIGABYTE = 1_000_000_000
MAX_FILES = 20_000
MAX_BYTES = 4 * GIGABYTE
"""Of all files together, unpacked."""
MAX_RATIO = 200
"""Of unpacked to packed size: programs and tables shrink to a tenth at best, zeros to a thousandth."""
MAX_DESCRIPTION_BYTES = 256_000_000
_RATIO_MATTERS_FROM = 10_000_000
_CHUNK = 1 << 20
_DAMAGE = (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError, ValueError, OSError)
"""What Python's zip reader raises for bytes that are not in order."""


class Package:
    """An FMU file, checked from its table of contents; unpacked when its folder is first needed.

    The folder lasts as long as this object. Raises FmuError, which names the file and the reason, for what is no zip
    file, is cut off or damaged, leads out of its folder, or is too large.
    """

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = path_of(path, "an FMU", FmuError)
        self._file = self.path.absolute()
        """Where it is, even if the working directory is another one when it is unpacked."""
        self._folder: Path | None = None
        self.description: Any = None
        """What has been read from it; see `fmu.foreign.description.describe`."""
        with self._reader() as archive:
            self._state = self._stat()
            self.members = self._checked(archive.infolist())
        content = "".join(f"{name}\0{info.CRC:08x}{info.file_size}\0" for name, info in sorted(self.members.items()))
        self.checksum = hashlib.sha256(content.encode()).hexdigest()
        """Of names, sizes and checksums of the files: equal FMUs have equal ones, wherever they are."""

    def __contains__(self, name: str) -> bool:
        return name in self.members

    def names(self, folder: str) -> list[str]:
        """Paths of the files in a folder and below, seen from it."""
        start = f"{folder}/"
        return [name[len(start) :] for name in self.members if name.startswith(start) and name != start]

    def read(self, name: str, limit: int = MAX_DESCRIPTION_BYTES) -> bytes:
        """The content of one file. Raises FmuError if it is not there, damaged, or larger than `limit`."""
        if name not in self.members:
            deeper = [member for member in self.members if member.endswith(f"/{name}")]
            hint = f"; there is {deeper[0]}: zip what is in that folder, not the folder" if deeper else ""
            if any(member.endswith(".ssd") for member in self.members):
                hint = " but an SSP: open it with fmu.read_ssp"
            raise FmuError(f"{self.path}: there is no {name} in it, so it is no FMU{hint}")
        if self.members[name].file_size > limit:
            raise FmuError(
                f"{self.path}: its {name} has {self.members[name].file_size:,} bytes; {limit:,} are the limit"
            )
        with self._reader() as archive, self._guarded(name), archive.open(self.members[name]) as file:
            return file.read(limit)

    def content(self) -> bytes:
        """The file as it is. Raises FmuError if it is not what was opened any more."""
        self._check_unchanged()
        return self._file.read_bytes()

    def folder(self) -> Path:
        """The folder with the unpacked files. Raises FmuError if they cannot be unpacked."""
        if self._folder is None:
            with self._reader() as archive:
                self._check_unchanged()
                with self._guarded("it"):
                    folder = Path(tempfile.mkdtemp(prefix="keelblocks-fmu-")).resolve()
                weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
                for name, info in self.members.items():
                    with self._guarded(name):
                        self._unpack(archive, info, folder.joinpath(*PurePosixPath(name).parts))
            self._folder = folder
        return self._folder

    def _check_unchanged(self) -> None:
        if self._stat() != self._state:
            raise FmuError(f"{self.path}: the file has changed since it was opened; open it again")

    def _stat(self) -> tuple[int, int]:
        found = self._file.stat()
        return found.st_size, found.st_mtime_ns

    @contextlib.contextmanager
    def _reader(self) -> Iterator[zipfile.ZipFile]:
        if is_folder(self._file):
            raise FmuError(f"{self.path} is a folder; an FMU is a zip file of what is in it")
        try:
            if self._file.exists() and not self._file.is_file():
                raise FmuError(f"{self.path} is no FMU: it is no plain file")
            archive = zipfile.ZipFile(self._file)
        except FileNotFoundError:
            raise FmuError(f"there is no FMU {self.path}") from None
        except _DAMAGE as problem:
            if isinstance(problem, OSError) and problem.strerror:
                raise FmuError(f"cannot read {self.path}: {problem.strerror}") from None
            raise FmuError(f"{self.path} is no FMU: {self._what_it_is()}") from None
        with archive:
            yield archive

    def _what_it_is(self) -> str:
        """What a file is that cannot be opened as a zip file."""
        try:
            with self._file.open("rb") as file:
                start = file.read(2)
        except (OSError, ValueError):
            start = b""
        if start == b"PK":
            return "it begins as a zip file, but is cut off or damaged; copy or export it again"
        return "it is not a zip file" if start else "it is empty"

    @contextlib.contextmanager
    def _guarded(self, name: str) -> Iterator[None]:
        """Turn what reading or writing one file may raise into an FmuError."""
        try:
            yield
        except FmuError:
            raise
        except _DAMAGE as problem:
            reason = getattr(problem, "strerror", None) or problem or type(problem).__name__
            raise FmuError(f"{self.path}: {name} cannot be unpacked: {reason}") from None

    def _checked(self, entries: list[zipfile.ZipInfo]) -> dict[str, zipfile.ZipInfo]:
        """The files by name. Raises FmuError for what should not be unpacked."""
        if len(entries) > MAX_FILES:
            raise FmuError(f"{self.path} holds {len(entries):,} files; {MAX_FILES:,} are the limit")
        found: dict[str, zipfile.ZipInfo] = {}
        for info in entries:
            name = self._safe_name(info)
            if info.is_dir():
                continue
            if name in found:
                warn(
                    f"{self.path} holds the file {name} more than once; the last one is used, as by any zip reader",
                    FmuWarning,
                )
            found[name] = info
        packed = sum(info.compress_size for info in found.values())
        unpacked = sum(info.file_size for info in found.values())
        if unpacked > MAX_BYTES:
            raise FmuError(
                f"{self.path} unpacks to {unpacked / GIGABYTE:.3g} GB; {MAX_BYTES / GIGABYTE:.3g} GB are the limit"
            )
        if unpacked > _RATIO_MATTERS_FROM and unpacked > MAX_RATIO * packed:
            raise FmuError(
                f"{self.path} unpacks from {packed:,} to {unpacked:,} bytes, which no FMU does: "
                f"it would only fill the disk"
            )
        return found

    def _safe_name(self, info: zipfile.ZipInfo) -> str:
        """The name as a path within the folder, with slashes."""
        name = info.filename.replace("\\", "/")
        kind = stat.S_IFMT(info.external_attr >> 16)
        if not name.strip("/") or any(ord(c) < 32 for c in name):
            raise FmuError(f"{self.path} holds a file with the name {info.filename!r}, which is none")
        if name.startswith("/") or re.match(r"[A-Za-z]:", name):
            raise FmuError(f"{self.path} holds a file with an absolute path, '{info.filename}'; it is not unpacked")
        if ".." in name.split("/"):
            raise FmuError(
                f"{self.path} holds a file that leads out of its folder, '{info.filename}'; it is not unpacked"
            )
        if kind == stat.S_IFLNK:
            raise FmuError(f"{self.path} holds a link, '{info.filename}'; it is not unpacked")
        if kind not in (0, stat.S_IFREG, stat.S_IFDIR):
            raise FmuError(f"{self.path} holds '{info.filename}', which is no plain file; it is not unpacked")
        if info.flag_bits & 1:
            raise FmuError(f"{self.path} is encrypted ('{info.filename}')")
        return str(PurePosixPath(name)) + ("/" if info.is_dir() else "")

    def _unpack(self, archive: zipfile.ZipFile, info: zipfile.ZipInfo, target: Path) -> None:
        target.parent.mkdir(parents=True, exist_ok=True)
        with archive.open(info) as source, target.open("xb") as sink:
            _copy(source, sink, info.file_size)
        if (info.external_attr >> 16) & stat.S_IXUSR:
            target.chmod(0o700)


def _copy(source: IO[bytes], sink: IO[bytes], size: int) -> None:
    """Copy, and stop if there is more than the table of contents says."""
    left = size
    while chunk := source.read(_CHUNK):
        left -= len(chunk)
        if left < 0:
            raise ValueError("it is larger than the table of contents says")
        sink.write(chunk)


_open: weakref.WeakValueDictionary[tuple[Path, int, int], Package] = weakref.WeakValueDictionary()


def open_fmu(path: str | PathLike[str]) -> Package:
    """The package of an FMU file; the same one for the same file, so that it is unpacked once."""
    file = path_of(path, "an FMU", FmuError)
    try:
        found = file.resolve().stat()
        key = (file.resolve(), found.st_size, found.st_mtime_ns)
    except (OSError, RuntimeError, ValueError):  # links in a circle, characters that no path has
        return Package(file)  # which says what is wrong
    package = _open.get(key)
    if package is None:
        package = _open[key] = Package(file)
    return package
