"""FMUs within FMUs: a diagram that holds some leaves as a container, one FMU with them inside.

Containers are of the room above this one, `fmu.container`, which exports what is ours of them by what is here; so it is
imported by name, when there is one to write.
"""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError
from fmu.foreign.importer import FmuBlock
from fmu.foreign.within import fmu_blocks


def holds_fmus(component: Diagram | Block, communication_step: float | str | None) -> bool:
    """Whether a component holds FMUs.

    Raises ExportError if it is itself one, and for a communication step where there are none.
    """
    if isinstance(component, FmuBlock):
        raise ExportError(f"{component._called()} is an FMU already: {component.file} is the file that is wanted")
    if fmu_blocks(component):
        return True
    if communication_step is not None:
        raise ExportError(
            "communication_step (--communication-step) is how often FMUs in a diagram exchange values, and there is "
            "none in it: leave it out; the tool that runs the FMU chooses its steps"
        )
    return False


def container_of(component: Diagram, title: str, identifier: str, asked: Mapping[str, Any]) -> bytes:
    """A diagram that holds FMUs as one; `asked` are the arguments of `export`. Raises ExportError."""
    content: bytes = import_module("fmu.container.export").container(component, title, identifier, asked)
    return content
