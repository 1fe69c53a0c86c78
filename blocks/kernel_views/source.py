"""Where declarations and kernels are written: in our own source folder, or in the package of a library."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from blocks.errors import DeclarationError
from blocks.model.block import FAMILIES, Block
from blocks.problems import Problem

OWN, OWN_KERNELS = "blocks", "cython_kernels"
MADE = ("views", "entries", "registry.pxd", "__keelblocks__")
"""What a build writes among the kernels."""
_NO_DECLARATIONS = ("__init__.py", "__main__.py", "conftest.py")


class ViewError(DeclarationError):
    """What of a declaration or a kernel keeps the build from going on, in one message."""


@dataclass(frozen=True)
class Source:
    """Declarations and kernels that are built together.

    root: the folder that the packages are in; files are named as seen from there. declarations, kernels: the packages.
    Those of a library are one. families: the folders of declarations; empty: any.
    """

    root: Path
    declarations: str = OWN
    kernels: str = OWN_KERNELS
    families: tuple[str, ...] = FAMILIES

    def declaration_files(self) -> Iterator[Path]:
        """The modules of declarations, as seen from `root`."""
        package = self.root / self.declarations
        for folder in [package / family for family in self.families] or [package]:
            for path in sorted(folder.rglob("*.py")):
                if path.name not in _NO_DECLARATIONS and not _is_made(path.relative_to(package)):
                    yield path.relative_to(self.root)

    def kernel_files(self) -> Iterator[tuple[Path, str]]:
        """The files that kernels are written in, as seen from `root`, with their text; not what the build makes.

        Raises ViewError for one that is no text.
        """
        package = self.root / self.kernels
        for path in sorted(package.rglob("*.pxd")):
            if not _is_made(path.relative_to(package)):
                yield path.relative_to(self.root), _text(path)

    def has(self, cls: type[Block]) -> bool:
        """Whether a class is one of its declarations."""
        return package_of(cls) == self.declarations

    def place(self, file: Path, text: str, start: int, end: int, message: str) -> tuple[Problem, ...]:
        """What is wrong in characters of a file of it."""
        line, before = text.count("\n", 0, start) + 1, text.rfind("\n", 0, start)
        return (
            Problem(
                "error",
                "bad-declaration",
                message,
                file=str(self.root / file),
                line=line,
                column=start - before,
                end_line=line,
                end_column=end - before,
            ),
        )


def _text(path: Path) -> str:
    content = path.read_bytes()
    try:
        return content.decode("utf-8")
    except UnicodeDecodeError as problem:
        line = content.count(b"\n", 0, problem.start) + 1
        raise ViewError(f"this is no UTF-8 ({path}, line {line}): save the file as UTF-8") from None


def _is_made(path: Path) -> bool:
    return path.parts[0] in MADE


def package_of(cls: type[Block]) -> str:
    """The package that a class is declared in."""
    return cls.__module__.partition(".")[0]


def kernels_package(cls: type[Block]) -> str:
    """The package of its kernels, and of the views that they see."""
    return OWN_KERNELS if package_of(cls) == OWN else package_of(cls)
