"""The files of an SSP, read with care: nothing leaves its folder, nothing grows without limit, XML without entities."""

from __future__ import annotations

import filecmp
import posixpath
import shutil
import urllib.parse
import zipfile
import zlib
from os import PathLike
from pathlib import Path
from xml.etree import ElementTree as ET
from xml.parsers import expat

from blocks.errors import FmuError
from blocks.files import is_file, is_folder

LARGEST_XML = 64 * 2**20
LARGEST_FMU = 2**30
"""Bytes, when unpacked."""
LARGEST_RATIO = 100
"""Of unpacked to packed size: an FMU is packed already, only zeros shrink that much."""
_RATIO_MATTERS_FROM = 10_000_000
DEEPEST_XML = 200
"""How deep elements may lie within each other."""


class Package:
    """An .ssp file, or the folder that it was unpacked to. Raises FmuError that names the file and the reason."""

    def __init__(self, path: str | PathLike[str]) -> None:
        self.path = Path(path)
        self._archive: zipfile.ZipFile | None = None
        if is_folder(self.path):
            return
        try:
            self._archive = zipfile.ZipFile(self.path)
        except FileNotFoundError:
            raise FmuError(f"cannot read '{self.path}': there is no such file") from None
        except zipfile.BadZipFile:
            raise FmuError(
                f"cannot read '{self.path}': it is not a zip file, which an SSP has to be, or it is cut off or damaged"
            ) from None
        except OSError as problem:
            raise FmuError(f"cannot read '{self.path}': {problem.strerror or problem}") from None
        for name in self._archive.namelist():
            self._inside(name, f"it has a file '{name}'")

    def __enter__(self) -> Package:
        return self

    def __exit__(self, *_: object) -> None:
        if self._archive is not None:
            self._archive.close()

    def error(self, text: str) -> FmuError:
        """An error that names the file."""
        return FmuError(f"cannot read '{self.path}': {text}")

    def variants(self) -> list[str]:
        """The structure descriptions at its root."""
        if self._archive is None:
            return sorted(file.name for file in self.path.glob("*.ssd"))
        return sorted(name for name in self._archive.namelist() if name.endswith(".ssd") and "/" not in name)

    def resolve(self, source: str, where: str) -> str:
        """The name of the file that a URI in the structure refers to. Raises FmuError unless it is in the package."""
        parts = urllib.parse.urlsplit(source)
        if parts.scheme or parts.netloc:
            raise self.error(f"{where} refers to '{source}'; only files inside of the package can be read")
        name = self._inside(urllib.parse.unquote(parts.path), f"{where} refers to '{source}'")
        if name == ".":
            raise self.error(f"{where} refers to '{source}', which is no file")
        return name

    def xml(self, name: str, where: str = "") -> ET.Element:
        """The root of an XML file."""
        content = self._read(name, where)
        try:
            self._check(content, name)
            return ET.fromstring(content)
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
        size = self._size(name, where)
        if size > LARGEST_FMU:
            raise self.error(f"{name} would be {size / 1e6:,.0f} MB when unpacked; at most {LARGEST_FMU / 1e6:,.0f} MB")
        packed = size if self._archive is None else self._archive.getinfo(name).compress_size
        if size > _RATIO_MATTERS_FROM and size > LARGEST_RATIO * packed:
            raise self.error(f"{name} unpacks from {packed:,} to {size:,} bytes, which no FMU does")
        try:
            target.parent.mkdir(parents=True, exist_ok=True)
            if self._archive is None:
                if not (target.is_file() and filecmp.cmp(self.path / name, target, shallow=False)):
                    shutil.copyfile(self.path / name, target)
            elif not self._is_copy(target, self._archive.getinfo(name)):
                with self._archive.open(name) as source, target.open("wb") as copy:
                    shutil.copyfileobj(source, copy)
        except OSError as problem:
            raise self.error(f"{name} cannot be copied to {target}: {problem.strerror or problem}") from None
        except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as problem:
            target.unlink(missing_ok=True)
            raise self.error(f"{name} is damaged: {problem}") from None
        return target

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
