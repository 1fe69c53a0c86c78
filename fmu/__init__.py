"""Everything that speaks FMI: take a diagram or a block away as an FMU, and use an FMU as a block.

`fmu.export(diagram, "minerva.fmu", step=0.02)`, `fmu.FmuBlock("pump.fmu", communication_step=0.01)`; whole systems of
FMUs by `fmu.export_ssp(diagram, "minerva.ssp")`, `fmu.export_osp(diagram, "minerva_osp")`, `fmu.read_ssp("pump.ssp")`.
"""

from blocks.errors import ExportError, FmuError
from fmu.exporting.export import export
from fmu.foreign.importer import FmuBlock, FmuWarning
from fmu.notices import ExportWarning
from fmu.python.requirements import PythonNeeded, Requirements, requirements
from fmu.ssp.osp import export_osp
from fmu.ssp.read import read_ssp
from fmu.ssp.ssp import export_ssp

__all__ = [
    "ExportError",
    "ExportWarning",
    "FmuBlock",
    "FmuError",
    "FmuWarning",
    "PythonNeeded",
    "Requirements",
    "export",
    "export_osp",
    "export_ssp",
    "read_ssp",
    "requirements",
]
