"""Build a library: declarations and kernels -> C -> a shared library per platform, in `__keelblocks__`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from pathlib import Path

from blocks.errors import LibraryError
from blocks.files.writing import replacing
from blocks.libraries.compiling import commands_for, compiled, compiler_digest
from blocks.libraries.declaring import sources_of, views_of
from blocks.libraries.manifest import ABI, C_FILE, FILE, Built, Manifest, digest_of, inputs_of
from blocks.libraries.package import Library
from blocks.libraries.table import functions_of, table_of
from blocks.libraries.translating import check_cython, plain_c, translated
from cython_kernels.plain_c.platforms import Platform
from cython_kernels.plain_c.standalone import Form

Told = Callable[[str], None]
Texts = Callable[[Form], str]


@dataclass(frozen=True)
class Done:
    """What a build did. made: the platforms that it compiled for; old: those whose library is of older sources."""

    manifest: Manifest
    made: tuple[str, ...]

    @property
    def old(self) -> list[str]:
        """The platforms whose library is of older sources."""
        return [name for name, one in self.manifest.platforms.items() if one.digest != self.manifest.digest]


def build(
    library: Library,
    platforms: Sequence[Platform],
    *,
    named: bool = False,
    checked: bool = False,
    told: Told | None = None,
) -> Done:
    """Build a library for these platforms; what is as it was is left alone. Raises LibraryError.

    named: these platforms were asked for, so what is built is to run on others' machines of the kind: zig compiles it.
    checked: let the engine guard every call of its kernels. told: is given a line before what takes long.
    """
    check_cython()
    compilers = {platform: commands_for(platform, named=named) for platform in platforms}
    inputs = inputs_of(library)
    before = _before(library)
    if before and before.abi == ABI and before.inputs == inputs and (library.built / C_FILE).is_file():
        manifest, texts = before, _kept(library, inputs)
    else:
        manifest, texts = _translate(library, inputs, before)
    made: list[str] = []
    ours: dict[str, Built] = {}
    try:
        for number, (platform, commands) in enumerate(compilers.items(), 1):
            any_of = [
                Built(f"{platform.name}{platform.suffix}", manifest.digest, checked, compiler_digest(command))
                for command in commands
            ]
            there = manifest.platforms.get(platform.name)
            if there and replace(there, content="") in any_of and there.is_whole(library.built):
                continue
            if told and len(compilers) > 1:
                told(f"{library.name}: building for {platform.name} ({number} of {len(compilers)}) …")
            content = compiled(library, platform, commands[0], texts, checked=checked)
            one = replace(any_of[0], content=digest_of(content))
            _write(library.built / one.file, content)
            ours[platform.name] = one
            made.append(platform.name)
    finally:
        now = _before(library) or manifest  # another build may have added platforms meanwhile
        manifest = replace(manifest, platforms={**now.platforms, **ours})
        _write(library.built / FILE, manifest.to_json().encode())  # what is there by now
    return Done(manifest, tuple(made))


def _before(library: Library) -> Manifest | None:
    """What there is of a build; one that is damaged is none, and is built anew."""
    try:
        return Manifest.read(library.built)
    except LibraryError:
        return None


def _kept(library: Library, inputs: str) -> Texts:
    """The C of the build before; what else there is of it is made anew."""
    path = library.built / C_FILE
    return lambda form: (
        path.read_text(encoding="utf-8") if form is Form.COMPILED else _translate(library, inputs, None)[1](form)
    )


def _translate(library: Library, inputs: str, before: Manifest | None) -> tuple[Manifest, Texts]:
    """The C of the kernels, and what is said of it; the second gives its text."""
    made = views_of(library)
    c_source = translated(library, made, library.built / "cython")
    body = plain_c(library, c_source)
    digest = digest_of((body + table_of(library.name, made, "")).encode())
    table = table_of(library.name, made, digest)
    _write(library.built / C_FILE, f"{body}\n{table}".encode())
    manifest = Manifest(
        library.name,
        digest,
        version("keelblocks"),
        sources=sources_of(library, made),
        inputs=inputs,
        kernels=functions_of(library.name, made),
        platforms=before.platforms if before else {},
    )
    return manifest, lambda form: f"{body if form is Form.COMPILED else plain_c(library, c_source, form)}\n{table}"


def _write(path: Path, content: bytes) -> None:
    """Write a file at once, unless it is as it was: a process that has the old one open keeps it.

    Raises LibraryError if that is not possible.
    """
    try:
        if path.is_file() and path.read_bytes() == content:
            return
        with replacing(path, lasting=False) as part:
            part.write_bytes(content)
    except OSError as problem:
        in_use = "; on Windows a library that a program has open cannot be replaced: end that program first"
        raise LibraryError(
            f"cannot write {path}: {problem.strerror or problem}{in_use if path.suffix == '.dll' else ''}"
        ) from None
