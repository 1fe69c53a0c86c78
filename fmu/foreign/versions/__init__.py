"""The versions of FMI, as an instance is called: `calls_of` gives the dialect, `fmpy_class` what FMPy has for it."""

from __future__ import annotations

from typing import Any

from fmpy.fmi2 import FMU2Model, FMU2Slave
from fmpy.fmi3 import FMU3Model, FMU3Slave

from fmu.foreign.spec import Spec
from fmu.foreign.versions.dialect import Dialect
from fmu.foreign.versions.fmi1 import Fmi1CoSimulation, Fmi1ModelExchange, Model, Slave
from fmu.foreign.versions.fmi2 import Fmi2
from fmu.foreign.versions.fmi3 import Fmi3

__all__ = ["calls_of", "fmpy_class"]

_DIALECTS: dict[tuple[int, str], tuple[type[Dialect], Any]] = {
    (1, "cs"): (Fmi1CoSimulation, Slave), (1, "me"): (Fmi1ModelExchange, Model),
    (2, "cs"): (Fmi2, FMU2Slave), (2, "me"): (Fmi2, FMU2Model),
    (3, "cs"): (Fmi3, FMU3Slave), (3, "me"): (Fmi3, FMU3Model),
}  # fmt: skip


def fmpy_class(spec: Spec) -> Any:
    """FMPy's class for an FMU."""
    return _DIALECTS[spec.fmi, spec.interface][1]


def calls_of(fmu: Any, spec: Spec) -> Dialect:
    """The dialect of an FMU that has been loaded."""
    return _DIALECTS[spec.fmi, spec.interface][0](fmu, spec)
