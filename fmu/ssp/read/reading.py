"""`read_ssp`: the whole way from a file to a diagram."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import replace
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.diagram import Diagram
from blocks.errors import FmuError, did_you_mean
from blocks.files.writing import path_of
from fmu.ssp.read.building import Builder
from fmu.ssp.read.components import Opened, open_component
from fmu.ssp.read.description import DEFAULT, read_structure
from fmu.ssp.read.dictionaries import without_dictionaries
from fmu.ssp.read.flow import flow_of
from fmu.ssp.read.fmus import Fmus
from fmu.ssp.read.package import Package
from fmu.ssp.read.structure import ComponentNode


def read_ssp(
    path: str | PathLike[str],
    *,
    communication_step: float | str | None = None,
    variant: str | None = None,
    folder: str | PathLike[str] | None = None,
    **settings: Any,
) -> Diagram:
    """A System Structure Package (.ssp, SSP 1.0 or 2.0) as a diagram of FMU blocks, which can be run and changed.

    path: the file, or the folder that it was unpacked to.
    communication_step: how often the FMUs exchange values, in s; None: what Keelblocks noted of each FMU, what the file
        tells OMSimulator or libcosim, or else what the FMU says.
    variant: the name of another .ssd file in the package than SystemStructure.ssd.
    folder: where the FMUs are put, in the places that they have in the package; None: a folder that is removed when
        this process ends.
    settings: as for `FmuBlock`, for all FMUs: interface, feedthrough, isolate, timeout, …

    Systems become diagrams, components blocks, packages and descriptions that are components diagrams, and connectors
    "eta[1]" … "eta[6]" one port `eta`. Values of parameter bindings are converted to the units of the variables, inner
    bindings giving way to outer ones and earlier ones to later ones; names that no variable has are passed over, as the
    standard wants it. What a parameter of a system has goes along its connections to parameters and inputs inside; what
    an FMU calculates of its parameters goes by a wire. Connections convert units and keep their transformations.
    Connections to signal dictionaries become wires from what writes an entry to what reads it.

    Raises FmuError, which names the file and the reason: no zip file, no structure, an unknown type of component, a
    connection that leads nowhere or is none that SSP allows, a file that is missing or outside of the package, an FMU
    that cannot be used.
    Source: System Structure and Parameterization 1.0.1 (2022) and 2.0 (2024), Modelica Association.
    """
    with Package(path) as package:
        fmus = Fmus(_folder(folder))
        structure = read_structure(package, _variant(package, variant), fmus)
        system = without_dictionaries(structure.system, package)
        flow = flow_of(system, package, fmus)
        known = {} if structure.step is None else {"communication_step": structure.step}
        if communication_step is not None:
            settings = {"communication_step": communication_step} | settings

        def opened(node: ComponentNode, place: tuple[str, ...]) -> Opened:
            assert node.package is not None
            where = ".".join(place)
            file = fmus.file(node.package, node.source, where)
            return open_component(
                file, node, where, flow.values[place], flow.ports.get(place, []), {**known, **node.settings, **settings}
            )

        return Builder(replace(structure, system=system), package, flow, opened).build()


def _variant(package: Package, variant: str | None) -> str:
    known = package.variants()
    wanted = DEFAULT if variant is None else variant if variant.endswith(".ssd") else f"{variant}.ssd"
    if wanted not in known:
        near = did_you_mean(wanted, known) if known else ", which every SSP has"
        raise package.error(f"there is no {wanted} in it{near}")
    return wanted


def _folder(given: str | PathLike[str] | None) -> Path:
    if given is None:
        try:
            made = Path(tempfile.mkdtemp(prefix="keelblocks-ssp-"))
        except OSError as problem:
            raise FmuError(f"cannot put FMUs into a temporary folder: {problem}; folder=… names another one") from None
        atexit.register(shutil.rmtree, made, ignore_errors=True)  # copies of the diagram may need the FMUs until then
        return made
    folder = path_of(given, "the folder for FMUs", FmuError)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as problem:
        raise FmuError(f"cannot put FMUs into {folder}: {problem.strerror or problem}") from None
    return folder
