"""The files of an SSP, read with care: nothing leaves its folder, nothing grows without limit, XML without entities."""

from __future__ import annotations

import filecmp
import posixpath
import shutil
import tempfile
import urllib.parse
import zipfile
import zlib
from collections import Counter
from os import PathLike
from pathlib import Path
from typing import IO
from xml.etree import ElementTree as ET
from xml.parsers import expat

from blocks.errors import FmuError, FmuWarning
from blocks.files.writing import is_file, is_folder, path_of
from fmu.notices import warn

LARGEST_XML = 64 * 2**20
LARGEST_FMU = 2**30
"""Bytes, when unpacked."""
LARGEST_RATIO = 100
"""Of unpacked to packed size: an FMU is packed already, only zeros shrink that much."""
_RATIO_MATTERS_FROM = 10_000_000
DEEPEST_XML = 200
"""How deep elements may lie within each other."""


class Package:
    """An .ssp file, or the folder that it was unpacked to. Raises FmuError that names the file and the reason.

    content: what is in the file, for a package that lies within another one.
    """

    def __init__(self, path: str | PathLike[str], content: IO[bytes] | None = None) -> None:
        self.path = path_of(path, "an SSP", FmuError)
        """What it is called in messages, and where it is unless there is a `content`."""
        self.place = Path()
        """Where it lies within the outermost package."""
        self._archive: zipfile.ZipFile | None = None
        self._content = content
        self._within: dict[str, Package] = {}
        if content is None and is_folder(self.path):
            return
        try:
            self._archive = zipfile.ZipFile(self.path if content is None else content)
        except FileNotFoundError:
            raise FmuError(f"cannot read '{self.path}': there is no such file") from None
        except zipfile.BadZipFile:
            raise FmuError(
                f"cannot read '{self.path}': it is not a zip file, which an SSP has to be, or it is cut off or damaged"
            ) from None
        except OSError as problem:
            raise FmuError(f"cannot read '{self.path}': {problem.strerror or problem}") from None
        names = self._archive.namelist()
        for name in names:
            self._inside(name, f"it has a file '{name}'")
        for name in sorted({name for name, count in Counter(names).items() if count > 1}):
            self.warn(f"it has a file {name} more than once; the last one is used, as by any zip reader")

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *_: object) -> None:
        for package in self._within.values():
            package.__exit__()
        if self._archive is not None:
            self._archive.close()
        if self._content is not None:
            self._content.close()

    def error(self, text: str) -> FmuError:
        """An error that names the file."""
        return FmuError(f"cannot read '{self.path}': {text}")

    def warn(self, text: str) -> None:
        """A warning that names the file."""
        warn(f"'{self.path}': {text}", FmuWarning)

    def within(self, name: str, where: str) -> Package:
        """A package that is a file (or a folder) of this one; the same one for the same file."""
        if name not in self._within:
            if self._archive is None:
                if not (self.path / name).is_dir():
                    self._size(name, where)
                self._within[name] = Package(self.path / name)
            else:
                copy = tempfile.TemporaryFile()  # noqa: SIM115  it is closed with this package
                try:
                    self._copy(name, where, copy)
                    self._within[name] = Package(self.path / name, copy)
                except OSError as problem:
                    copy.close()
                    raise self.error(f"{name} cannot be unpacked: {problem.strerror or problem}") from None
                except FmuError:
                    copy.close()
                    raise
            self._within[name].place = self.place / name
        return self._within[name]

    def variants(self) -> list[str]:
        """The structure descriptions at its root."""
        if self._archive is None:
            return sorted(file.name for file in self.path.glob("*.ssd"))
        return sorted(name for name in set(self._archive.namelist()) if name.endswith(".ssd") and "/" not in name)

    def resolve(self, source: str, where: str) -> str:
        """The name of the file that a URI in the structure refers to. Raises FmuError unless it is in the package."""
        parts = urllib.parse.urlsplit(source)
        if parts.scheme or parts.netloc:
            raise self.error(f"{where} refers to '{source}'; only files inside of the package can be read")
        name = self._inside(urllib.parse.unquote(parts.path), f"{where} refers to '{source}'")
        if name == ".":
            raise self.error(f"{where} refers to '{source}', which is no file")
        return name

    def xml(self, name: str, where: str = "", content: bytes | None = None) -> ET.Element:
        """The root of an XML file, or of `content`, which `name` is called then."""
        text = self._read(name, where) if content is None else content
        try:
            self._check(text, name)
            return ET.fromstring(text)
        except (ET.ParseError, expat.ExpatError, ValueError, LookupError) as problem:
            raise self.error(f"{name} is not well-formed XML: {problem}") from None

    def _check(self, content: bytes, name: str) -> None:
        """Raise FmuError for entities, whatever the encoding, and for what would exhaust the stack."""
        depth = 0

        def start(tag: str, _: object) -> None:
            nonlocal depth
            depth += 1
            if depth > DEEPEST_XML:
                raise self.error(f"{name} has elements more than {DEEPEST_XML} deep within each other")

        def end(_: str) -> None:
            nonlocal depth
            depth -= 1

        def refuse(*_: object) -> None:
            raise self.error(f"{name} declares a document type or entities, which SSP does not use")

        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = start, end
        parser.StartDoctypeDeclHandler = refuse
        parser.Parse(content, True)

    def extract(self, name: str, where: str, folder: Path) -> Path:
        """Copy an FMU to a folder, unless it is there; its path, which below the folder is that in the package."""
        target = folder / name
        self._check_size(name, where)
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if self._archive is None:
                if not (target.is_file() and filecmp.cmp(self.path / name, target, shallow=False)):
                    shutil.copyfile(self.path / name, target)
            elif not self._is_copy(target, self._archive.getinfo(name)):
                with target.open("wb") as copy:
                    self._copy(name, where, copy)
        except OSError as problem:
            raise self.error(f"{name} cannot be copied to {target}: {problem.strerror or problem}") from None
        except FmuError:
            target.unlink(missing_ok=True)
            raise
        return target

    def _check_size(self, name: str, where: str) -> None:
        """Raise FmuError for a file that is not there, or is larger than an FMU can be."""
        size = self._size(name, where)
        if size > LARGEST_FMU:
            raise self.error(f"{name} would be {size / 1e6:,.0f} MB when unpacked; at most {LARGEST_FMU / 1e6:,.0f} MB")
        packed = size if self._archive is None else self._archive.getinfo(name).compress_size
        if size > _RATIO_MATTERS_FROM and size > LARGEST_RATIO * packed:
            raise self.error(f"{name} unpacks from {packed:,} to {size:,} bytes, which no FMU does")

    def _copy(self, name: str, where: str, target: IO[bytes]) -> None:
        """Unpack a file of the archive. Raises FmuError, and OSError if it cannot be written."""
        self._check_size(name, where)
        assert self._archive is not None
        try:
            with self._archive.open(name) as source:
                shutil.copyfileobj(source, target)
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as problem:
            raise self.error(f"{name} is damaged: {problem}") from None

    @staticmethod
    def _is_copy(target: Path, info: zipfile.ZipInfo) -> bool:
        """Whether a file is what the archive has: a diagram that was opened before may be using it."""
        return (
            target.is_file() and target.stat().st_size == info.file_size and zlib.crc32(target.read_bytes()) == info.CRC
        )

    def _read(self, name: str, where: str) -> bytes:
        size = self._size(name, where)
        if size > LARGEST_XML:
            raise self.error(
                f"{name} would be {size / 1e6:,.0f} MB; at most {LARGEST_XML / 1e6:,.0f} MB are read of XML"
            )
        if self._archive is None:
            return (self.path / name).read_bytes()
        try:
            return self._archive.read(name)
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError, RuntimeError) as problem:
            raise self.error(f"{name} is damaged: {problem}") from None

    def _size(self, name: str, where: str) -> int:
        missing = f"{where} refers to '{name}', which is not there" if where else f"there is no {name} in it"
        if self._archive is None:
            file = self.path / name
            if not is_file(file) or not file.resolve().is_relative_to(self.path.resolve()):
                raise self.error(missing)
            return file.stat().st_size
        try:
            return self._archive.getinfo(name).file_size
        except KeyError:
            raise self.error(missing) from None

    def _inside(self, name: str, what: str) -> str:
        normal = posixpath.normpath(name.replace("\\", "/"))
        if normal.startswith(("/", "../")) or normal == ".." or (len(normal) > 1 and normal[1] == ":"):
            raise self.error(f"{what}, which is outside of the package")
        return normal
