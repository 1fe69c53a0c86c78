"""Read the description of an FMU: safely, with everything that is wrong with it, and refusing only what cannot run."""

from __future__ import annotations

import math
import re
import tempfile
import weakref
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal
from xml.parsers import expat

import numpy as np

from blocks.errors import FmuError, FmuWarning, did_you_mean
from fmu.foreign.spec import Interface
from fmu.foreign.unpack import Package
from fmu.notices import warn

XML = "modelDescription.xml"
INTERFACES = ("auto", "cs", "me")
_SHOWN = 3


@dataclass
class Description:
    """The model description of an FMU as FMPy reads it, and which of its interfaces can be used here."""

    package: Package
    model: Any
    problems: list[str] = field(default_factory=list)
    """What FMPy's validation finds; the FMU is used all the same."""
    classes: weakref.WeakValueDictionary[Any, Any] = field(default_factory=weakref.WeakValueDictionary)
    """The classes of its blocks, by what they depend on; see `fmu.foreign.importer.FmuBlock.of`."""

    @property
    def fmi(self) -> Literal[1, 2, 3]:
        """Major version of FMI."""
        found: Literal[1, 2, 3] = self.model.fmiMajorVersion
        return found

    def interface(self, wanted: str) -> Interface:
        """Co-Simulation if there is a choice. Raises FmuError if the FMU does not have what is wanted, or none."""
        offered = {"cs": self.model.coSimulation, "me": self.model.modelExchange}
        if offered["cs"] is not None and wanted in ("auto", "cs"):
            return "cs"
        if offered["me"] is not None and wanted in ("auto", "me"):
            return "me"
        have = [text for name, text in (("cs", "Co-Simulation"), ("me", "Model Exchange")) if offered[name]]
        if not have and self.model.scheduledExecution is not None:
            raise FmuError(
                f"{self.package.path} offers Scheduled Execution only; Co-Simulation or Model Exchange is wanted"
            )
        if not have:
            raise FmuError(
                f"{self.package.path}: its {XML} offers no interface, neither Co-Simulation nor Model Exchange"
            )
        asked = "Co-Simulation" if wanted == "cs" else "Model Exchange"
        raise FmuError(
            f"{self.package.path} does not offer {asked}, which interface='{wanted}' asks for; it has {have[0]}"
        )

    def settings(self, interface: Interface) -> Any:
        """FMPy's object for an interface: what the FMU can do there."""
        return self.model.coSimulation if interface == "cs" else self.model.modelExchange

    def experiment(self, name: str) -> float | None:
        """A number of the default experiment, "stepSize", if it is there and positive."""
        return _positive(getattr(self.model.defaultExperiment, name, None))

    def internal_step(self, interface: Interface) -> float | None:
        """The FMU's own fixed step, s, if it says so."""
        return _positive(getattr(self.settings(interface), "fixedInternalStepSize", None))

    def sizes(self, given: Mapping[str, Any]) -> dict[str, int]:
        """Values of structural parameters that are given, by the names of the FMU's variables."""
        found: dict[str, int] = {}
        for member in self.model.modelVariables:
            value = given.get(member.name, given.get(re.sub(r"\W+", "_", member.name).strip("_")))
            if member.causality == "structuralParameter" and isinstance(value, (int, np.integer)) and value >= 0:
                found[member.name] = int(value)
        return found

    @property
    def starts_from_inputs(self) -> bool:
        """True if the initial state or outputs may depend on inputs."""
        return any(
            unknown.dependencies is None or any(v.causality == "input" for v in unknown.dependencies)
            for unknown in self.model.initialUnknowns
        )

    def require_binary(self, interface: Interface) -> None:
        """Raise FmuError, naming those that there are, if there is no binary for this platform."""
        from fmpy import platform, platform_tuple, sharedLibraryExtension

        here = platform_tuple if self.fmi == 3 else platform
        identifier = self.settings(interface).modelIdentifier
        file = f"binaries/{here}/{identifier}{sharedLibraryExtension}"
        if file in self.package:
            return
        names = self.package.names("binaries")
        platforms = sorted({name.split("/")[0] for name in names if "/" in name})
        if here in platforms:
            found = [name.split("/")[1] for name in names if name.startswith(f"{here}/")]
            raise FmuError(f"{self.package.path}: there is no {file} in it{did_you_mean(Path(file).name, found)}")
        sources = self.fmi > 1 and any(name.endswith(".c") for name in self.package.names("sources"))
        has = f"it has binaries for {', '.join(platforms)}" if platforms else "it has none at all"
        build = f"; it brings its source code: fmpy compile {self.package.path} may build it" if sources else ""
        raise FmuError(
            f"{self.package.path} has no binary for this platform ({here}): {has}"
            f"{build or '; it has to be exported for this platform, too'}"
        )

    def problem_text(self) -> str:
        """The problems in one sentence."""
        shown = "; ".join(" ".join(problem.split()) for problem in self.problems[:_SHOWN])
        more = len(self.problems) - _SHOWN
        return f"{self.package.path}: its {XML} is not in order: {shown}{f'; and {more} more' if more > 0 else ''}"


def describe(package: Package) -> Description:
    """The description of an FMU, read once; a warning says if it is not in order. Raises FmuError if it is no use."""
    if package.description is None:
        description = package.description = read_description(package)
        if description.problems:
            warn(description.problem_text(), FmuWarning)
    found: Description = package.description
    return found


def read_description(package: Package) -> Description:
    """Read and validate the description. Raises FmuError if it cannot be used."""
    from fmpy import read_model_description
    from fmpy.model_description import ValidationError

    content = package.read(XML)
    _check_root(package, content)
    try:
        temporary = tempfile.TemporaryDirectory(prefix="keelblocks-xml-")
        file = str(Path(temporary.name) / XML)
        Path(file).write_bytes(content)
    except OSError as problem:
        raise FmuError(
            f"{package.path}: its {XML} cannot be put into a temporary folder: {problem}; TMPDIR names where those are"
        ) from None
    with temporary:
        problems: list[str] = []
        try:
            # names are not parsed: that takes seconds per thousand, and any name will do here
            read_model_description(file, validate=True, validate_variable_names=False, validate_model_structure=True)
        except ValidationError as problem:
            problems = list(dict.fromkeys(problem.problems))
        except Exception as problem:  # FMPy raises plain ones
            problems = [_words(problem)]
        try:
            model = read_model_description(file, validate=False)
        except Exception as problem:  # what it reads may be anything
            found = "; ".join(dict.fromkeys([*problems[:_SHOWN], _words(problem)]))
            raise FmuError(f"{package.path}: its {XML} cannot be used: {found}") from None
    if model.fmiMajorVersion == 1:
        from fmu.foreign.fmi1_description import complete

        complete(model, content, str(package.path))
    return Description(package, model, problems)


def _positive(text: Any) -> float | None:
    try:
        value = float(text) if text is not None else 0.0
    except ValueError:
        return None
    return value if 0.0 < value < math.inf else None


def _words(problem: Exception) -> str:
    return f"{type(problem).__name__}: {problem}" if type(problem) is not Exception else str(problem)


def _check_root(package: Package, content: bytes) -> None:
    """Raise FmuError for what is no XML, defines entities, or is of a version of FMI that is not read."""
    root: list[tuple[str, dict[str, str]]] = []

    def start(tag: str, attributes: dict[str, str]) -> None:
        if not root:
            root.append((tag, attributes))

    def refuse(*declared: object) -> None:
        raise FmuError(
            f"{package.path}: its {XML} has a document type declaration, which FMI does not have; it is not read"
        )

    parser = expat.ParserCreate()
    parser.StartElementHandler = start
    parser.StartDoctypeDeclHandler = refuse
    try:
        parser.Parse(content, True)
    except (expat.ExpatError, ValueError, LookupError) as problem:
        raise FmuError(f"{package.path}: its {XML} is broken: {problem}") from None
    tag, attributes = root[0]
    version = attributes.get("fmiVersion", "")
    if tag != "fmiModelDescription" or not version:
        raise FmuError(f"{package.path}: its {XML} describes no FMU: the root element is <{tag}>")
    if version not in ("1.0", "2.0") and not version.startswith("3."):
        raise FmuError(f"{package.path} is of FMI {version}; FMI 1.0, 2.0 and 3.0 can be used")
