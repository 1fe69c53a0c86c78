"""Analysis of models: operating points, linear systems about them, their modes and margins.

point = trim(plant, {"vessel.nu[u]": "1 m/s"}, free="command")
system = linearize(plant, point)
print(system)
print(margins(linearize(loop, at="60 s", opened="heading.output")))
"""

from typing import TYPE_CHECKING, Any

from blocks.lab.analysis.errors import AnalysisError
from blocks.lab.analysis.linear_system import LinearSystem
from blocks.lab.analysis.linearization import linearize
from blocks.lab.analysis.margins import Margins, margins
from blocks.lab.analysis.point import OperatingPoint
from blocks.lab.analysis.root_locus import RootLocus, root_locus
from blocks.lab.analysis.trim import TrimError, trim

if TYPE_CHECKING:
    from blocks.lab.analysis.figures import bode_figure, eigenvalue_figure, root_locus_figure, step_figure

__all__ = [
    "AnalysisError",
    "LinearSystem",
    "Margins",
    "OperatingPoint",
    "RootLocus",
    "TrimError",
    "bode_figure",
    "eigenvalue_figure",
    "linearize",
    "margins",
    "root_locus",
    "root_locus_figure",
    "step_figure",
    "trim",
]


def __getattr__(name: str) -> Any:
    """The figures, imported when they are asked for: matplotlib takes long to load."""
    if name in __all__ and name.endswith("_figure"):
        from blocks.lab.analysis import figures

        return getattr(figures, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
