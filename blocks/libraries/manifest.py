"""What is written beside a built library, `library.json`: what it is, what it was built of, and for which platforms."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path

import cython_kernels
from blocks.errors import LibraryError
from blocks.libraries.package import Library
from blocks.model.package import BUILT

FILE = "library.json"
C_FILE = "library.c"
SOURCES = (".py", ".pxd", ".pxi")
"""The endings of what a library is written in."""
KERNELS = Path(cython_kernels.__file__).resolve().parent
ABI = int(re.search(r"KERNEL_ABI = (\d+)", (KERNELS / "view.pxd").read_text(encoding="utf-8"))[1])  # type: ignore[index]
"""Of this version of Keelblocks."""


class DamagedManifestError(LibraryError):
    """What is no `library.json`."""


class OtherVersionError(LibraryError):
    """A `library.json` that only another version of Keelblocks, its text, knows."""


@dataclass(frozen=True)
class Built:
    """The library for one platform.

    digest: of what it was built of; compiler: of that, with its version and flags; content: of the file itself.
    """

    file: str
    digest: str
    checked: bool = False
    compiler: str = ""
    content: str = ""

    def is_whole(self, built: Path) -> bool:
        """Whether its file in the folder of a build is there, and as it was written."""
        path = built / self.file
        return path.is_file() and digest_of(path.read_bytes()) == self.content


@dataclass(frozen=True)
class Manifest:
    """What there is of a library.

    digest: of `library.c`, which all that is built comes from. version: of Keelblocks. sources: the declarations and
    kernels, as seen from the folder of the package, with a digest each. inputs: a digest of all that decides what is
    built, with compilers and what it takes from Keelblocks. kernels: by full name, their functions and the counts that
    a declaration must match.
    """

    name: str
    digest: str
    version: str
    abi: int = ABI
    sources: Mapping[str, str] = field(default_factory=dict)
    inputs: str = ""
    kernels: Mapping[str, Mapping[str, object]] = field(default_factory=dict)
    platforms: Mapping[str, Built] = field(default_factory=dict)

    def to_json(self) -> str:
        """The text of the file."""
        return json.dumps(asdict(self), indent=2) + "\n"

    @classmethod
    def read(cls, built: Path) -> Manifest | None:
        """What is in the folder of a build; None if there is nothing.

        Raises DamagedManifestError, or OtherVersionError if another version of Keelblocks has written it.
        """
        path = built / FILE
        if not path.is_file():
            return None
        try:
            said = json.loads(path.read_text(encoding="utf-8"))
        except (OSError, ValueError) as problem:
            raise DamagedManifestError(f"{path} is damaged: {problem}") from None
        writer = said.get("version") if isinstance(said, dict) else None
        try:
            platforms = {name: Built(**one) for name, one in said.pop("platforms").items()}
            return cls(**said, platforms=platforms)
        except (TypeError, KeyError, AttributeError) as problem:
            if isinstance(writer, str) and writer != version("keelblocks"):
                raise OtherVersionError(writer) from None
            raise DamagedManifestError(f"{path} is damaged: {problem}") from None


def digest_of(content: bytes) -> str:
    """A short digest, the same on every machine."""
    return hashlib.sha256(content).hexdigest()[:32]


def inputs_of(library: Library) -> str:
    """A digest of all that decides what Cython makes: its version, the package, and what it takes from Keelblocks."""
    own = Path(__file__).resolve().parents[1]
    here = (KERNELS / "plain_c", own / "kernel_views", own / "libraries")
    folders = ((library.folder, SOURCES), (KERNELS, (".pxd",)), *((folder, (".py",)) for folder in here))
    everything = hashlib.sha256(version("cython").encode())
    for folder, endings in folders:
        for name, text in sorted(texts_in(folder, endings).items()):
            everything.update(f"\0{name}\0".encode() + text)
    return everything.hexdigest()[:32]


def texts_in(folder: Path, endings: Sequence[str] = SOURCES) -> dict[str, bytes]:
    """The files with these endings in a folder and those within, by their paths as seen from it."""
    found = (path for path in folder.rglob("*") if path.suffix in endings and BUILT not in path.parts)
    return {path.relative_to(folder).as_posix(): text_of(path) for path in found if path.is_file()}


def changed_sources(package: Path, manifest: Manifest) -> list[str]:
    """The sources of a build that are not any more what they were; gone ones too. None where sources are not kept."""
    return [name for name, digest in manifest.sources.items() if _digest_of_file(package / name) != digest]


def _digest_of_file(path: Path) -> str:
    return digest_of(text_of(path)) if path.is_file() else ""


def text_of(path: Path) -> bytes:
    """A source file with the ends of lines of Unix: git may write others."""
    return path.read_bytes().replace(b"\r\n", b"\n")
