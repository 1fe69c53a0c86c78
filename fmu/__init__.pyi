"""What the package offers, and where it stands."""

from .exporting.export import export as export
from .foreign.importer import FmuBlock as FmuBlock
from .foreign.importer import FmuWarning as FmuWarning
from .notices import ExportError as ExportError
from .notices import ExportWarning as ExportWarning
from .notices import FmuError as FmuError
from .python.requirements import PythonNeeded as PythonNeeded
from .python.requirements import Requirements as Requirements
from .python.requirements import requirements as requirements
from .ssp.osp import export_osp as export_osp
from .ssp.read import read_ssp as read_ssp
from .ssp.ssp import export_ssp as export_ssp
