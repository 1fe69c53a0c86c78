"""Everything that speaks FMI: take a diagram or a block away as an FMU.

`fmu.export(diagram, "minerva.fmu", step=0.02)`
"""

from blocks.errors import ExportError
from fmu.export import export

__all__ = ["ExportError", "export"]
