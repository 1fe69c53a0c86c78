"""Views, entries and registry into their files. What is as it was is left alone; what nothing needs any more goes."""

from __future__ import annotations

from pathlib import Path

from blocks.kernel_views.completeness import refuse_other_forms, refuse_what_does_not_fit
from blocks.kernel_views.declarations import ViewError, declared_blocks, place_of, title
from blocks.kernel_views.entry_file import entry_file
from blocks.kernel_views.functions import functions_in, kernels
from blocks.kernel_views.members import refuse_unknown_members
from blocks.kernel_views.registry_file import registry_file
from blocks.kernel_views.view_file import view_file
from blocks.model.block import Block


def write_all(root: Path) -> None:
    """Write all that the build needs from the declarations and kernels in `root`. Raises ViewError."""
    folder = root / "cython_kernels"
    for path, text in (files := all_files(root)).items():
        _write(folder / path, text)
    for made in ("views", "entries"):
        for path in sorted((folder / made).rglob("*"), reverse=True):
            if path.is_dir() and not any(path.iterdir()):
                path.rmdir()
            elif path.is_file() and path.relative_to(folder) not in files:
                path.unlink()


def all_files(root: Path) -> dict[Path, str]:
    """What is written, by its path in `cython_kernels`. Raises ViewError."""
    classes = declared_blocks(root)
    _refuse_equal_names(classes)
    functions = functions_in(root)
    found = kernels(classes, functions)
    refuse_other_forms(root, found, functions)
    refuse_unknown_members(root, classes)
    refuse_what_does_not_fit(found)
    files = {Path("registry.pxd"): registry_file(found)}
    for place in dict.fromkeys(map(place_of, classes)):
        own = [cls for cls in classes if place_of(cls) == place]
        path = Path(*place.split(".")).with_suffix(".pxd")
        files["views" / path] = view_file(own, classes)
        if entries := entry_file([pair for pair in found.values() if pair[0] in own], classes):
            files["entries" / path] = entries
    for path in [*files]:
        for package in path.parents[:-1]:
            files[package / "__init__.py"] = ""
    return files


def _refuse_equal_names(classes: list[type[Block]]) -> None:
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
