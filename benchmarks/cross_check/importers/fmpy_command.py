"""FMPy, by its command."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

from benchmarks.cross_check.importers.importer import SOLVER_TOLERANCE, Importer, run_program
from benchmarks.cross_check.rules import Columns, Exported, read

NAMES = {"cs": "CoSimulation", "me": "ModelExchange"}


class FMPy(Importer):
    """`fmpy simulate`, which comes with Keelblocks."""

    def missing(self) -> str:
        return ""

    def version(self) -> str:
        return version("fmpy")

    def run(self, one: Exported, scratch: Path) -> Columns:
        options, out = one.options, scratch / "out.csv"
        command = [
            sys.executable, "-m", "fmpy", "simulate", str(one.fmu), "--interface-type", NAMES[one.place.interface],
            "--start-time", repr(options["StartTime"]), "--stop-time", repr(options["StopTime"]),
            "--output-interval", repr(options["OutputIntervalLength"]), "--dont-record-events",
            "--relative-tolerance", repr(SOLVER_TOLERANCE), "--output-file", str(out),
            "--output-variables", *(name for name in one.reference if name != "time"),
        ]  # fmt: skip
        if one.inputs is not None:
            command += ["--input-file", str(one.inputs_file)]
        run_program(command, scratch)
        return read(out)
