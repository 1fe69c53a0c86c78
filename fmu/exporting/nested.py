"""FMUs within FMUs, which are not written."""

from __future__ import annotations

from pathlib import Path

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError
from fmu.foreign.importer import FmuBlock
from fmu.foreign.within import fmu_blocks


def refuse_fmus(component: Diagram | Block) -> None:
    """Raise ExportError, naming them, if a component holds FMUs: an FMU that carries others is not written."""
    found = {path or "it": block for path, block in fmu_blocks(component).items()}
    if isinstance(component, FmuBlock):
        raise ExportError(f"{component._called()} is an FMU already: {component.file} is the file that is wanted")
    if found:
        names = ", ".join(f"{path} ({Path(block.file).name})" for path, block in found.items())
        raise ExportError(
            f"{names} {'is an FMU' if len(found) == 1 else 'are FMUs'} already, and an FMU cannot carry another one: "
            f"export the whole as a system, with {'it' if len(found) == 1 else 'them'} inside: fmu.export_ssp or "
            f"fmu.export_osp, keelblocks export --format ssp or osp"
        )
