"""OMSimulator, by a script as its authors submitted to the cross-check for 2.1.1. It is in no registry: not run yet."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path

import numpy as np

from benchmarks.cross_check.importers.importer import SOLVER_TOLERANCE, Failed, Importer, Refused, run_program
from benchmarks.cross_check.rules import Columns, Exported, read

SYSTEMS = {"cs": "oms_system_wc", "me": "oms_system_sc"}
SCRIPT = """\
oms_setTempDirectory("{scratch}")
oms_newModel("model")
oms_addSystem("model.root", {system})
oms_addSubModel("model.root.fmu", "{fmu}")
oms_setResultFile("model", "out.csv")
oms_setLoggingInterval("model", {interval})
oms_setStartTime("model", {start})
oms_setStopTime("model", {stop})
oms_setTolerance("model", {tolerance})
{step}
oms_instantiate("model")
oms_initialize("model")
oms_simulate("model")
oms_terminate("model")
oms_delete("model")
"""


class OMSimulator(Importer):
    """`OMSimulator script.lua`."""

    def missing(self) -> str:
        wanted = "the program OMSimulator on the path, from openmodelica.org"
        return "" if shutil.which("OMSimulator") else wanted

    def version(self) -> str:
        said = subprocess.run(["OMSimulator", "--version"], capture_output=True, text=True, check=False).stdout
        number = re.search(r"\d+(\.\d+)+", said)
        return number[0] if number else "unknown"

    def run(self, one: Exported, scratch: Path) -> Columns:
        if one.inputs is not None:
            raise Refused("inputs over time are not written into its script here")
        options, interval = one.options, one.options["OutputIntervalLength"]
        sizes = f"1e-12, 1e-12, {interval!r}" if one.place.interface == "me" else f"{interval!r}"
        kind = "Variable" if one.place.interface == "me" else "Fixed"
        script = SCRIPT.format(
            scratch=scratch, system=SYSTEMS[one.place.interface], fmu=one.fmu, interval=repr(interval),
            start=repr(options["StartTime"]), stop=repr(options["StopTime"]), tolerance=repr(SOLVER_TOLERANCE),
            step=f'oms_set{kind}StepSize("model", {sizes})',
        )  # fmt: skip
        (scratch / "script.lua").write_text(script, encoding="utf-8")
        flags = ["--stripRoot=true", "--skipCSVHeader=true", "--suppressPath=true"]
        run_program(["OMSimulator", *flags, "script.lua"], scratch)
        return _at_points(read(scratch / "out.csv"), one)


def _at_points(found: Columns, one: Exported) -> Columns:
    """Of rows at the same time, as at events, the last; variables without the name of the FMU."""
    time, points = found["time"], one.points
    rows = np.searchsorted(time, points + 1e-9, side="right") - 1
    if not np.allclose(time[rows], points, rtol=0.0, atol=1e-9):
        raise Failed("there are no rows at some communication points")
    return {name.removeprefix("fmu."): values[rows] for name, values in found.items()} | {"time": points}
