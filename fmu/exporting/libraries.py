"""Compiled libraries in an FMU: for each of its platforms the file that `keelblocks build` has made, or their C.

The runtime opens them beside its own binary, see `runtime/c/opened_libraries.c`; of an FMU that is compiled from its
sources they are linked in.
"""

from __future__ import annotations

import importlib.metadata
import sys
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from blocks.errors import ExportError
from blocks.libraries.manifest import C_FILE, Manifest
from blocks.libraries.opening import folder_of
from blocks.model.package import BUILT
from blocks.plan import Plan
from blocks.plan.kernel import kernel_name
from cython_kernels.plain_c.platforms import Platform, find
from fmu import runtime
from fmu.notices import warn
from fmu.runtime import fat_binary
from fmu.runtime.deflated import Library, deflate, joined
from fmu.runtime.engine_parts import LIBRARIES

_LICENCES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "LICENCE.txt", "COPYING", "COPYING.txt")


@dataclass(frozen=True)
class CarriedLibrary:
    """A library that a plan has kernels of, as it was built."""

    name: str
    package: Path
    built: Manifest

    @property
    def platforms(self) -> list[str]:
        """Those that it was built for as it is now, by FMI 3.0's names."""
        return [name for name, one in self.built.platforms.items() if one.digest == self.built.digest]

    @cached_property
    def title(self) -> str:
        """The name with the version, of the installed package or else of its digest."""
        try:
            version = importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            version = getattr(sys.modules.get(self.name), "__version__", f"({self.built.digest[:12]})")
        return f"{self.name} {version}"

    def binary(self, platform: Platform) -> bytes:
        """The file for a platform. Raises ExportError if it cannot be read."""
        return self._read(self.built.platforms[platform.name].file)

    @property
    def c_source(self) -> str:
        """Its kernels in C. Raises ExportError if that cannot be read."""
        return self._read(C_FILE).decode()

    @property
    def licence(self) -> bytes | None:
        """The licence that stands in its folder or beside it, if there is one."""
        places = (Path(folder, name) for folder in (self.package, self.package.parent) for name in _LICENCES)
        return next((place.read_bytes() for place in places if place.is_file()), None)

    def _read(self, file: str) -> bytes:
        try:
            return Path(self.package, BUILT, file).read_bytes()
        except OSError as problem:
            raise ExportError(
                f"{problem.filename} of the library {self.name} cannot be read ({problem.strerror}): {self.build()}"
            ) from None

    def build(self, platform: str = "all") -> str:
        """The command that builds it for a platform."""
        return f"keelblocks build {self.name} --platform {platform}"


def libraries_of(plan: Plan) -> list[CarriedLibrary]:
    """The libraries whose kernels a plan asks for, in the order of their names."""
    found = []
    for name in plan.libraries:
        package = folder_of(name)
        built = Manifest.read(package / BUILT)
        assert built is not None, "the plan was made with it"
        found.append(CarriedLibrary(name, package, built))
    return found


def runtime_kernels(plan: Plan) -> set[str]:
    """What a plan needs of the runtime: its kernels, and, if some are of libraries, what opens these."""
    names = {kernel_name(leaf.block) for leaf in plan.flat.leaves}
    return {LIBRARIES if "." in name else name for name in names}


def common_platforms(libraries: Sequence[CarriedLibrary], wanted: list[str] | None) -> list[str] | None:
    """The platforms of an FMU with these libraries: the wanted, or, without, those that each of them has.

    Raises ExportError for one that is wanted and that a library was not built for, or if none is left; warns of those
    that are left out.
    """
    if not libraries:
        return wanted
    if wanted is not None:
        for library in libraries:
            for name in wanted:
                missing = [platform.name for platform in find(name) if platform.name not in library.platforms]
                if missing:
                    raise ExportError(
                        f"the library {library.name}, as it is now, was not built for {missing[0]}, only for "
                        f"{', '.join(library.platforms)}: {library.build(missing[0])}"
                    )
        return wanted
    there = runtime.platforms()
    kept = [name for name in there if all(name in library.platforms for library in libraries)]
    lacking = [library for library in libraries if not {*there} <= {*library.platforms}]
    said = "; ".join(
        f"{library.name} was not built for {', '.join(name for name in there if name not in library.platforms)} "
        f"({library.build()})"
        for library in lacking
    )
    if there and not kept:
        raise ExportError(f"there is no platform that this FMU could be for: {said}")
    if lacking:
        warn(f"the FMU is for {', '.join(kept)} only: {said}")
    return kept


def library_binaries(libraries: Iterable[CarriedLibrary], wanted: Iterable[str] | None, fmi: str) -> dict[str, Library]:
    """The files of libraries below `binaries`, by their paths in an FMU of this version of FMI."""
    chosen = dict.fromkeys(
        p for name in (runtime.platforms() if wanted is None else wanted) for p in runtime.built(name)
    )
    files: dict[str, Library] = {}
    for library in libraries:
        found: dict[str, list[Platform]] = {}
        for platform in chosen:
            found.setdefault(f"binaries/{platform.folder(fmi)}/{library.name}.kernels{platform.suffix}", []).append(
                platform
            )
        for path, those in found.items():
            contents = [library.binary(platform) for platform in those]
            content = contents[0] if len(contents) == 1 else fat_binary.join(contents)
            files[path] = joined([(content, deflate(content))])
    return files


def library_notes(libraries: Iterable[CarriedLibrary]) -> dict[str, bytes]:
    """Whose code else is in an FMU: a text beside the licence of Keelblocks, with theirs where they have one."""
    return {
        f"documentation/licenses/{library.name}.txt": (
            f"This FMU contains compiled code of {library.title}, a library of blocks, under terms of its own.\n"
        ).encode()
        + (b"\n" + licence if (licence := library.licence) else b"")
        for library in libraries
    }
