"""The benchmark model as FMUs: written by hand in C, exported by Keelblocks, and packed by PythonFMU."""

import subprocess
import zipfile
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import fmu
from benchmarks import model
from benchmarks.compiling import c_compiler
from benchmarks.diagram import diagram
from cython_kernels.plain_c.compilers import ENGINE_FLAGS
from fmu.runtime import fmi_platform
from fmu.runtime.build.runtimes import fmi_headers

HERE = Path(__file__).parent


@dataclass(frozen=True)
class Contender:
    """An FMU, and the names of the variables x, y, psi, u, v, r in it."""

    name: str
    path: Path
    variables: tuple[str, ...]


def contenders(folder: Path) -> list[Contender]:
    """All three, made in a folder."""
    exported = fmu.export(diagram(), folder / "keelblocks.fmu", step=model.STEP)
    eta_nu = tuple(f"vessel.{vector}[{i}]" for vector in ("eta", "nu") for i in (1, 2, 6))
    return [
        Contender("hand-written C", _handwritten(folder), model.STATE_NAMES),
        Contender("Keelblocks", exported, eta_nu),
        Contender("PythonFMU", _pythonfmu(folder), model.STATE_NAMES),
    ]


def _handwritten(folder: Path) -> Path:
    library = folder / "handwritten.so"
    command = [*c_compiler(), "-std=gnu99", *ENGINE_FLAGS, "-fPIC", "-shared"]
    source = str(HERE / "handwritten.c")
    subprocess.run([*command, f"-I{fmi_headers()}", source, "-o", str(library), "-lm"], check=True)
    path = folder / "handwritten.fmu"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("modelDescription.xml", _description())
        archive.write(library, f"binaries/{fmi_platform()[0]}/handwritten.so")
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
