"""Views, entries and registry into their files. What is as it was is left alone; what nothing needs any more goes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from blocks.kernel_views.completeness import refuse_other_forms, refuse_what_does_not_fit
from blocks.kernel_views.declarations import declared_blocks, place_of, title
from blocks.kernel_views.entry_file import entry_file
from blocks.kernel_views.functions import Kernel, functions_in, kernels
from blocks.kernel_views.members import refuse_unknown_members
from blocks.kernel_views.registry_file import registry_file
from blocks.kernel_views.source import OWN, Source, ViewError, package_of
from blocks.kernel_views.view_file import view_file
from blocks.kernel_views.without_python import refuse_what_may_raise
from blocks.model.block import FAMILIES, Block


@dataclass(frozen=True)
class Made:
    """What declarations and kernels give.

    files: texts of views and entries by their paths in the package of the kernels. kernels: by name, with the class
    that each belongs to and its functions.
    """

    files: dict[Path, str]
    kernels: Mapping[str, tuple[type[Block], Kernel]]


def write_all(root: Path) -> None:
    """Write all that our own build needs from the declarations and kernels in `root`. Raises ViewError."""
    made = made_from(Source(root))
    write_files(root / "cython_kernels", made.files | {Path("registry.pxd"): registry_file(made.kernels)})


def write_files(folder: Path, files: Mapping[Path, str]) -> None:
    """Write views, entries and what else there is into a folder, and remove old ones."""
    for path, text in files.items():
        _write(folder / path, text)
    for made in ("views", "entries"):
        for path in sorted((folder / made).rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
            elif path.is_file() and path.relative_to(folder) not in files:
                path.unlink()


def made_from(source: Source) -> Made:
    """Views and entries of all blocks that are declared there. Raises ViewError."""
    classes = declared_blocks(source)
    _refuse_equal_names(classes)
    functions = functions_in(source)
    found = kernels(classes, functions)
    refuse_other_forms(source, found, functions)
    refuse_what_may_raise(source, functions)
    refuse_unknown_members(source, classes)
    refuse_what_does_not_fit(found)
    files = {}
    among = [*classes, *_ancestors(classes)]
    for place in dict.fromkeys(map(place_of, classes)):
        own = [cls for cls in classes if place_of(cls) == place]
        path = Path(*place.split(".")).with_suffix(".pxd")
        files["views" / path] = view_file(own, among)
        if entries := entry_file([pair for pair in found.values() if pair[0] in own], among):
            files["entries" / path] = entries
    for path in [*files]:
        for package in path.parents[:-1]:
            files[package / "__init__.py"] = ""
    return Made(files, found)


def _ancestors(classes: Sequence[type[Block]]) -> list[type[Block]]:
    """The blocks of our own families that classes of a library derive from: they have views, too."""
    bases = dict.fromkeys(base for cls in classes for base in cls.__mro__[1:] if issubclass(base, Block))
    families = tuple(f"{OWN}.{family}." for family in FAMILIES)
    return [
        base
        for base in bases
        if base not in classes and package_of(base) == OWN and base.__module__.startswith(families)
    ]


def _refuse_equal_names(classes: Sequence[type[Block]]) -> None:
    seen: dict[str, type[Block]] = {}
    for cls in classes:
        other = seen.setdefault(title(cls), cls)
        if other is not cls:
            raise ViewError(
                f"two classes are called {title(cls)}, in {other.__module__} and {cls.__module__}: their kernels "
                f"would see a {title(cls)}View each; rename one"
            )


def _write(path: Path, text: str) -> None:
    if path.is_file() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
