"""All importing tools, those too that are not there."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.cross_check.importers.c_host import ARM_LIBRARIES, CHost
from benchmarks.cross_check.importers.casadi_builder import CasADi
from benchmarks.cross_check.importers.checkers import FMPyValidation, ToolboxCheck
from benchmarks.cross_check.importers.cosimulators import CoSimulator
from benchmarks.cross_check.importers.fmpy_command import FMPy
from benchmarks.cross_check.importers.fmu_block import OwnImporter
from benchmarks.cross_check.importers.importer import Importer
from benchmarks.cross_check.importers.omsimulator import OMSimulator
from benchmarks.cross_check.rules import INTERFACES, PLATFORMS, VERSIONS
from fmu import runtime

__all__ = ["importers"]

_ALL = tuple((version, interface) for version in VERSIONS for interface in INTERFACES)


def importers() -> Sequence[Importer]:
    """Each once for each kind of machine that it runs."""
    here = (runtime.fmi_platform()[0],)
    return (
        FMPy("FMPy", here, _ALL),
        CoSimulator("libcosim", here, (("2.0", "cs"),), "libcosim", "libcosimpy"),
        CoSimulator("Ecos", here, (("2.0", "cs"), ("3.0", "cs")), "ecos", "ecospy", ("tbb",)),
        CasADi("CasADi", here, (("2.0", "me"), ("3.0", "me"))),
        OMSimulator("OMSimulator", here, (("2.0", "cs"), ("2.0", "me"))),
        OwnImporter("FmuBlock", here, _ALL),
        CHost("C host", here, _ALL),
        CHost("C host in Wine", ("win64",), _ALL, "x86_64-windows", ("wine64",), "wine64"),
        CHost(
            "C host in QEMU", ("aarch64-linux",), _ALL, "aarch64-linux", ("qemu-aarch64", "-L", str(ARM_LIBRARIES)),
            "qemu-user libc6-arm64-cross",
        ),
        FMPyValidation("fmpy validate", PLATFORMS, _ALL),
        ToolboxCheck("fmutool -check", PLATFORMS, _ALL),
    )  # fmt: skip
