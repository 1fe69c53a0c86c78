"""Tools that check FMUs without running them: FMPy's validation, and that of the FMU Manipulation Toolbox."""

from __future__ import annotations

import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from benchmarks.cross_check.importers.importer import Failed, Importer, run_program
from benchmarks.cross_check.rules import Exported

TOOLBOX = "fmu_manipulation_toolbox"


class FMPyValidation(Importer):
    """`fmpy validate`."""

    only_checks = True

    def missing(self) -> str:
        return ""

    def version(self) -> str:
        return version("fmpy")

    def run(self, one: Exported, scratch: Path) -> None:
        run_program([sys.executable, "-m", "fmpy", "validate", str(one.fmu)], scratch)


_WRONG = ("WARNING", "ERROR", "CRITICAL", "FATAL")


class ToolboxCheck(Importer):
    """`fmutool -check`, whose exit code says nothing, but whose words begin with WARNING or ERROR."""

    only_checks = True

    def missing(self) -> str:
        return "" if find_spec(TOOLBOX) else "fmu-manipulation-toolbox: pip install 'keelblocks[container]'"

    def version(self) -> str:
        return version(TOOLBOX)

    def run(self, one: Exported, scratch: Path) -> None:
        start = f"from {TOOLBOX}.cli.fmutool import fmutool; fmutool()"
        said = run_program([sys.executable, "-c", start, "-input", str(one.fmu), "-check"], scratch)
        wrong = [line.strip() for line in said.splitlines() if line.startswith(_WRONG)]
        if wrong:
            raise Failed("; ".join(wrong)[:300])
