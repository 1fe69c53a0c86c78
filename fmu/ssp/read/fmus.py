"""The FMUs of a package: where they are put, and what their descriptions say."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from blocks.errors import FmuWarning, KeelblocksError
from fmu.foreign.description import describe
from fmu.foreign.unpack import open_fmu
from fmu.foreign.variables import Variable, variables
from fmu.ssp.read.package import Package
from fmu.ssp.read.structure import ComponentNode


@dataclass(frozen=True)
class Fmus:
    """Copies FMUs to a folder, when they are first wanted, into the places that they have in the package."""

    folder: Path
    files: dict[tuple[Path, str], Path] = field(default_factory=dict)

    def file(self, package: Package, source: str, where: str) -> Path:
        """The path of an FMU. Raises FmuError."""
        key = (package.place, source)
        if key not in self.files:
            self.files[key] = package.extract(source, f"component '{where}'", self.folder / package.place)
        return self.files[key]

    def place(self, package: Package, source: str) -> Path:
        """Where an FMU is put."""
        return self.folder / package.place / source

    def read(self, package: Package, source: str, name: str, where: str) -> bytes:
        """The content of a file within an FMU. Raises FmuError."""
        with naming(package, source, where, self.place(package, source)):
            return open_fmu(self.file(package, source, where)).read(name)

    def variables(self, node: ComponentNode, where: str) -> dict[str, tuple[Variable, Any]]:
        """The FMU's variables by the names in its description: the whole, and FMPy's of the element of that name."""
        assert node.package is not None
        with naming(node.package, node.source, where, self.place(node.package, node.source)):
            path = self.file(node.package, node.source, where)
            found = variables(describe(open_fmu(path)).model, {}, str(path))
        return {member.name: (variable, member) for variable in found for member in variable.members}


@contextmanager
def naming(package: Package, source: str, where: str, file: Path) -> Iterator[None]:
    """Errors and warnings about an FMU name the package and the component in the place of its copy, the `file`."""

    def named(problem: object) -> str:
        text = str(problem).replace(f"{file}: ", "").replace(str(file), source)
        return f"component '{where}' ({source}): {text}"

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", FmuWarning)
        try:
            yield
        except KeelblocksError as problem:
            if str(problem).startswith(str(package.error(""))):
                raise
            raise package.error(named(problem)) from None
    for warning in caught:
        if issubclass(warning.category, FmuWarning):
            package.warn(named(warning.message))
        else:
            warnings.warn_explicit(warning.message, warning.category, warning.filename, warning.lineno)
