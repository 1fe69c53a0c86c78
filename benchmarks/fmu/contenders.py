"""The benchmark model as FMUs: written by hand in C, exported by Keelblocks, and packed by PythonFMU."""

import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from fmpy import read_model_description

import fmu
from benchmarks import model
from benchmarks.compiling import c_compiler
from benchmarks.diagram import diagram
from blocks import Diagram
from cython_kernels.plain_c.compilers import ENGINE_FLAGS
from fmu.runtime import fmi_platform
from fmu.runtime.build.runtimes import fmi_headers

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Contender:
    """An FMU with outputs x, y, psi, u, v, r."""

    name: str
    path: Path

    @property
    def size(self) -> int:
        """How many variables its description has."""
        return len(read_model_description(self.path, validate=False).modelVariables)


def six_states() -> Diagram:
    """The benchmark model with outputs x, y, psi, u, v, r, as in the FMU written by hand."""
    component = diagram()
    vessel = component["vessel"]
    outputs = {name: (vessel.eta if name in ("x", "y", "psi") else vessel.nu)[name] for name in model.STATE_NAMES}
    component.outputs(**outputs)
    return component


KINDS: dict[str, dict[str, Any]] = {
    "with local variables": {"local_variables": True},
    "as it is by default": {},
    "for co-simulation": {"interfaces": "cs"},
    "only its interface": {"interfaces": "cs", "only_interface": True},
    "that, compiled": {"interfaces": "cs", "only_interface": True, "compiled": True},
}
"""The ways in which the benchmark model is exported."""


def contenders(folder: Path) -> list[Contender]:
    """All, made in a folder: the one written by hand first."""
    exported = [
        Contender(
            f"Keelblocks, {name}", fmu.export(six_states(), folder / f"keelblocks_{number}.fmu", step=model.STEP, **how)
        )
        for number, (name, how) in enumerate(KINDS.items())
    ]
    return [Contender("hand-written C", handwritten(folder)), *exported, Contender("PythonFMU", _pythonfmu(folder))]


def handwritten(folder: Path) -> Path:
    """The one in C, made in a folder: equal bytes wherever one compiler makes it."""
    library = folder / "handwritten.so"
    command = [*c_compiler(), "-std=gnu99", *ENGINE_FLAGS, "-fPIC", "-shared"]
    source = str(HERE / "handwritten.c")
    subprocess.run([*command, f"-I{fmi_headers()}", source, "-o", str(library), "-lm"], check=True)
    path = folder / "handwritten.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr(zipfile.ZipInfo("modelDescription.xml"), _description())
        archive.writestr(zipfile.ZipInfo(f"binaries/{fmi_platform()[0]}/handwritten.so"), library.read_bytes())
    return path


def _description() -> bytes:
    root = ElementTree.Element(
        "fmiModelDescription", fmiVersion="2.0", modelName="handwritten", guid="{1}", numberOfEventIndicators="0"
    )
    ElementTree.SubElement(
        root, "CoSimulation", modelIdentifier="handwritten", canHandleVariableCommunicationStepSize="true"
    )
    variables = ElementTree.SubElement(root, "ModelVariables")
    structure = ElementTree.SubElement(root, "ModelStructure")
    outputs = ElementTree.SubElement(structure, "Outputs")
    unknowns = ElementTree.SubElement(structure, "InitialUnknowns")
    for i, name in enumerate(model.STATE_NAMES):
        scalar = ElementTree.SubElement(
            variables, "ScalarVariable", name=name, valueReference=str(i), causality="output"
        )
        ElementTree.SubElement(scalar, "Real")
        for listed in (outputs, unknowns):
            ElementTree.SubElement(listed, "Unknown", index=str(i + 1))
    return ElementTree.tostring(root, encoding="utf-8", xml_declaration=True)


def _pythonfmu(folder: Path) -> Path:
    from pythonfmu.builder import FmuBuilder

    return Path(FmuBuilder.build_FMU(HERE / "python_vessel.py", dest=folder))
