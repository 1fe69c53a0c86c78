"""Compiled libraries that the kernels of a plan are in, as `keelblocks build` has made them."""

from __future__ import annotations

import importlib.metadata
import sys
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from blocks.errors import ExportError
from blocks.libraries.manifest import C_FILE, Manifest
from blocks.libraries.opening import folder_of
from blocks.model.package import BUILT
from blocks.plan import Plan
from cython_kernels.plain_c.platforms import Platform

_LICENCES = ("LICENSE", "LICENSE.txt", "LICENSE.md", "LICENCE", "LICENCE.txt", "COPYING", "COPYING.txt")


@dataclass(frozen=True)
class CompiledLibrary:
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
        """The file for a platform. Raises ExportError if it cannot be read, or was built with checks."""
        one = self.built.platforms[platform.name]
        if one.checked:
            raise ExportError(
                f"the library {self.name} was built with --checked for {platform.name}, and an FMU has nothing that "
                f"guards its calls: {self.build(platform.name)}"
            )
        return self._read(one.file)

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


def libraries_of(plan: Plan) -> list[CompiledLibrary]:
    """The libraries whose kernels a plan asks for, in the order of their names."""
    found = []
    for name in sorted(plan.digests):
        package = folder_of(name)
        built = Manifest.read(package / BUILT)
        assert built is not None, "the plan was made with it"
        found.append(CompiledLibrary(name, package, built))
    return found
