"""`FmuBlock`, the importer of Keelblocks itself: `python -m benchmarks.cross_check.importers.fmu_block FOLDER OUT`."""

from __future__ import annotations

import sys
from importlib.metadata import version
from pathlib import Path

import numpy as np

from benchmarks.cross_check.importers.importer import SOLVER_TOLERANCE, Importer, run_program
from benchmarks.cross_check.rules import TOOL, Columns, Exported, read


class OwnImporter(Importer):
    """The FMU as a block, run by `simulate`."""

    def missing(self) -> str:
        return ""

    def version(self) -> str:
        return version(TOOL.lower())

    def run(self, one: Exported, scratch: Path) -> Columns:
        out = scratch / "out.csv"
        run_program([sys.executable, "-m", __name__, str(one.folder), str(out)], scratch)
        return read(out)


def main(folder: Path, out: Path) -> None:
    """Run the FMU of a folder and write what came of it."""
    from blocks import simulate
    from fmu import FmuBlock
    from fmu.exporting.reference_results import table

    one = Exported(folder)
    options, points = one.options, one.points
    interval = options["OutputIntervalLength"]
    block = FmuBlock(one.fmu, interval, interface=one.place.interface, tolerance=SOLVER_TOLERANCE, feedthrough=False)
    inputs = {name: (points, values, "hold") for name, values in _ports(one.held_inputs()).items()}
    run = simulate(block, options["StopTime"], step=interval, start=options["StartTime"], inputs=inputs)
    names = [name for name in one.reference if name != "time"]
    columns = []
    for name in names:
        port, bracket, index = name.partition("[")
        values = np.asarray(run.values(f"{block.name or one.place.model}.{port}"))
        columns.append(values[:, int(index.removesuffix("]")) - 1] if bracket and values.ndim > 1 else values)
    out.write_bytes(table(names, zip(np.asarray(run.time), zip(*columns, strict=True), strict=True)))


def _ports(held: Columns) -> Columns:
    """Elements as the ports that they are of: "command[1]" and "command[2]" are `command`."""
    ports: dict[str, list[np.ndarray]] = {}
    for name, values in held.items():
        ports.setdefault(name.partition("[")[0], []).append(values)
    return {name: np.column_stack(columns) for name, columns in ports.items()}


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
