"""Layered standards of FMI that an FMU is to have: what is asked for, and the files of each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError
from fmu.description.maps import DESCRIPTION, STANDARD, Map, has_table, maps
from fmu.description.maps import VERSION as STRUCT_VERSION
from fmu.description.model import Model
from fmu.exporting.arguments import check_choice
from fmu.exporting.component import component_files
from fmu.exporting.manifest import manifest
from fmu.exporting.reference_results import reference_results

LAYERED = ("ref", "struct", "wasm")
"""FMI-LS-REF: results of the default experiment; FMI-LS-STRUCT: what lookup tables are made of; FMI-LS-WASM: a
component of WebAssembly."""


def check_layered(chosen: Sequence[str], fmi: str, arrays: bool) -> None:
    """Raise ExportError for a layered standard that there is not, or not for FMUs of this kind."""
    if not chosen:
        return
    check_choice("layered standard", tuple(chosen), LAYERED)
    for name in chosen:
        if name != "ref" and fmi != "3.0":
            raise ExportError(f"the layered standard {name} is of FMI 3.0, not of {fmi}: fmi='3.0' (--fmi 3.0)")
    if "struct" in chosen and not arrays:
        raise ExportError("the layered standard struct is of arrays: leave arrays=False (--no-arrays) out, or struct")


def tables_of(chosen: Sequence[str], model: Model) -> list[Map]:
    """The lookup tables that have a terminal, if that is asked for. Raises ExportError if there are none."""
    if "struct" not in chosen:
        return []
    found = maps(model.variables)
    if not found:
        raise ExportError(
            f"the layered standard struct is of lookup tables, and '{model.name}' shows the parameters of none: leave "
            "it out"
        )
    return found


def layered_of_parts(chosen: Sequence[str], parts: Mapping[str, Diagram | Block]) -> Mapping[str, Sequence[str]]:
    """What each of several FMUs is to have, by its name: struct where there are lookup tables, if any part has some."""
    tables = {name for name, part in parts.items() if has_table(part)}
    return {
        name: [standard for standard in chosen if standard != "struct" or name in tables or not tables]
        for name in parts
    }


def refuse_layered(chosen: Sequence[str], what: str) -> None:
    """Raise ExportError where an FMU is one that these standards are not written for."""
    if chosen:
        raise ExportError(f"layered standards ({', '.join(chosen)}) are for FMUs without {what}: leave them out")


def layered_files(
    chosen: Sequence[str], model: Model, fmi: str, sources: Callable[[], Mapping[str, bytes]]
) -> dict[str, bytes]:
    """The files of these standards, by their paths. sources: gives those of a source-code FMU.

    Raises ExportError if one cannot be made.
    """
    files: dict[str, bytes] = {}
    if "ref" in chosen:
        files |= reference_results(model, fmi)
    if "struct" in chosen:
        files[f"extra/{STANDARD}/fmi-ls-manifest.xml"] = manifest(STANDARD, STRUCT_VERSION, DESCRIPTION)
    if "wasm" in chosen:
        files |= component_files(model.identifier, model.interfaces, sources())
    return files
