"""FMUs within FMUs, which are not written."""

from __future__ import annotations

from pathlib import Path

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError
from fmu.importer import FmuBlock


def refuse_fmus(component: Diagram | Block) -> None:
    """Raise ExportError, naming them, if a component holds FMUs: an FMU that carries others is not written."""
    blocks = {"": component} if isinstance(component, Block) else component.blocks()
    found = {path or "it": block for path, block in blocks.items() if isinstance(block, FmuBlock)}
    if found:
        names = ", ".join(f"{path} ({Path(block.file).name})" for path, block in found.items())
        one = len(found) == 1
        raise ExportError(
            f"{names} {'is an FMU' if one else 'are FMUs'} already, and an FMU cannot carry another one: export the "
            f"other parts, and connect them to {'it' if one else 'them'} where they are co-simulated"
        )
