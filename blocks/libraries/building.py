"""Build a library: declarations and kernels -> C -> a shared library per platform, in `__keelblocks__`."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from blocks.errors import LibraryError
from blocks.files.writing import replacing
from blocks.kernel_views.declarations import ViewError
from blocks.kernel_views.source import Source, package_of
from blocks.kernel_views.write import Made, made_from
from blocks.libraries.compiling import compiled
from blocks.libraries.manifest import C_FILE, FILE, Built, Manifest, digest_of, text_of
from blocks.libraries.package import Library
from blocks.libraries.table import functions_of, table_of
from blocks.libraries.translating import check_cython, plain_c, translated
from cython_kernels.plain_c.platforms import Platform
from cython_kernels.plain_c.standalone import Form


@dataclass(frozen=True)
class Done:
    """What a build did. made: the platforms that it compiled for."""

    manifest: Manifest
    made: tuple[str, ...]


def build(library: Library, platforms: Sequence[Platform], *, checked: bool = False) -> Done:
    """Build a library for these platforms; what is as it was is left alone. Raises LibraryError."""
    check_cython()
    library.importable()
    made = _views(library)
    c_source = translated(library, made, library.built / "cython")
    body = plain_c(library, c_source)
    digest = digest_of((body + table_of(library.name, made, "")).encode())
    table = table_of(library.name, made, digest)
    before = Manifest.read(library.built)
    manifest = Manifest(
        library.name,
        digest,
        version("keelblocks"),
        sources=_sources(library, made),
        kernels=functions_of(library.name, made),
        platforms=before.platforms if before else {},
    )
    _write(library.built / C_FILE, f"{body}\n{table}".encode())
    done = []
    for platform in platforms:
        one = Built(f"{platform.name}{platform.suffix}", digest, checked)
        if manifest.platforms.get(platform.name) == one and (library.built / one.file).is_file():
            continue
        content = compiled(
            library,
            platform,
            f"{body}\n{table}",
            lambda: f"{plain_c(library, c_source, Form.TRACED)}\n{table}",
            checked=checked,
        )
        _write(library.built / one.file, content)
        manifest = replace(manifest, platforms={**manifest.platforms, platform.name: one})
        done.append(platform.name)
    _write(library.built / FILE, manifest.to_json().encode())
    return Done(manifest, tuple(done))


def _views(library: Library) -> Made:
    importlib.import_module(library.name)
    try:
        return made_from(Source(library.root, library.name, library.name, ()))
    except ViewError as problem:
        raise LibraryError(str(problem), problems=problem.problems) from None


def _sources(library: Library, made: Made) -> dict[str, str]:
    """The kernels, and the declarations of the blocks that have them."""
    classes = {base for cls, _ in made.kernels.values() for base in cls.__mro__ if package_of(base) == library.name}
    modules: Iterable[Path] = (Path(str(sys.modules[cls.__module__].__file__)) for cls in classes)
    files = {*modules, *(path for path in library.folder.rglob("*.pxd") if library.built not in path.parents)}
    return {path.relative_to(library.folder).as_posix(): digest_of(text_of(path)) for path in sorted(files)}


def _write(path: Path, content: bytes) -> None:
    """Write a file at once, unless it is as it was: a process that has the old one open keeps it."""
    if path.is_file() and path.read_bytes() == content:
        return
    with replacing(path, lasting=False) as part:
        part.write_bytes(content)
