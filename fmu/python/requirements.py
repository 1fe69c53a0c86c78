"""What an FMU of a component needs where it runs."""

from __future__ import annotations

import ast
import sys
from dataclasses import dataclass

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import KeelblocksWarning
from blocks.python_block import PythonBlock
from fmu.description.model import version
from fmu.python.modules import Carried, carry

OLDEST_PYTHON = (3, 10)


class PythonNeeded(KeelblocksWarning):
    """An FMU will need Python where it runs. Said before it is written."""


@dataclass(frozen=True)
class Requirements:
    """What an FMU needs where it runs. `print(fmu.requirements(diagram))` says it in words."""

    blocks: tuple[str, ...] = ()
    """The blocks that are written in Python, by name; none: the FMU needs nothing but the C library."""
    python: str = ""
    """The oldest Python that understands their source, "3.10"."""
    packages: tuple[tuple[str, str], ...] = ()
    """(distribution, version) to install in that Python: Keelblocks, and what the blocks import."""
    modules: tuple[str, ...] = ()
    """Modules of the user whose source travels in the FMU."""

    @property
    def needs_python(self) -> bool:
        """True if there are blocks written in Python."""
        return bool(self.blocks)

    @property
    def command(self) -> str:
        """What installs the packages: "pip install keelblocks==0.1.0 numpy==2.1.3"."""
        return "pip install " + " ".join(self.pins()) if self.packages else ""

    def pins(self) -> list[str]:
        """The packages as lines of a requirements.txt."""
        return [f"{name}=={version}" if version else name for name, version in self.packages]

    def __str__(self) -> str:
        if not self.blocks:
            return "needs nothing but the C library"
        names = [f"{name} {version}".strip() for name, version in self.packages]
        many = len(self.blocks) > 1
        shown = ", ".join(self.blocks[:8]) + (f" and {len(self.blocks) - 8} more" if len(self.blocks) > 8 else "")
        return (
            f"needs Python ≥ {self.python} with {', '.join(names)}, because the block{'s' * many} {shown} "
            f"{'are' if many else 'is'} written in Python"
        )


def requirements(component: Diagram | Block) -> Requirements:
    """What an FMU of a diagram or a block needs where it runs; nothing is written.

    Raises ExportError if a block written in Python cannot be in an FMU.
    """
    blocks = python_blocks(component)
    return requirements_of(blocks, carry(blocks)) if blocks else Requirements()


def python_blocks(component: Diagram | Block) -> list[tuple[str, PythonBlock]]:
    """(name, block) of all blocks that are written in Python."""
    blocks = {"": component} if isinstance(component, Block) else component.blocks()
    return [(path or type(block).__name__, block) for path, block in blocks.items() if isinstance(block, PythonBlock)]


def requirements_of(blocks: list[tuple[str, PythonBlock]], carried: Carried) -> Requirements:
    """What these blocks need, once it is known what travels with them."""
    return Requirements(
        blocks=tuple(name for name, _ in blocks),
        python=oldest_python([module.source for module in carried.modules.values()]),
        packages=(("keelblocks", version()), *sorted(carried.packages.items())),
        modules=tuple(sorted(carried.modules)),
    )


def oldest_python(sources: list[str]) -> str:
    """The oldest Python, from the oldest that Keelblocks runs on, whose grammar has all that these sources use."""
    for minor in range(OLDEST_PYTHON[1], sys.version_info.minor):
        try:
            for source in sources:
                ast.parse(source, feature_version=(3, minor))
        except SyntaxError:
            continue
        return f"3.{minor}"
    return f"3.{sys.version_info.minor}"
