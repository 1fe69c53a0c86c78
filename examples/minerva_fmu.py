"""The Minerva mission as FMUs: the whole of it, and its plant and autopilot coupled, beside the run in this process.

    keelblocks export examples/minerva_los.yaml --output build/fmu
    python examples/minerva_fmu.py [folder of the FMUs]

FMUs that are not there are exported first. FMPy runs them; the two parts exchange their outputs at communication points
(a Jacobi master), so they differ from the run by a coupling error of first order in the communication step.
"""

import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

import fmu
from blocks.scenario import Scenario
from fmu.compare import Difference, compare_parts, compare_whole, run_in_process

COMMUNICATION_STEPS = (0.1, 0.05)  # s
SHOWN = ("eta", "nu", "energy")  # the others jump where a leg ends, at instants that are not quite the same

scenario = Scenario.load(Path(__file__).with_name("minerva_los.yaml"))
given = scenario.plan().settings
settings, end = {"solver": given.solver, "step": given.step}, given.end
folder = Path(sys.argv[1] if len(sys.argv) > 1 else "build/fmu")
console = Console()


def exported(name: str) -> Path:
    """The FMU of the mission or of one of its parts."""
    path = folder / f"{name}.fmu"
    part = scenario.diagram if name == scenario.name else scenario.diagram[name]
    return path if path.exists() else fmu.export(part, path, end=end, **settings)


def show(title: str, columns: list[str], rows: list[tuple[str, ...]]) -> None:
    """Print a table."""
    table = Table(title=title, title_justify="left")
    for number, column in enumerate(columns):
        table.add_column(column, justify="right" if number > 1 else "left")
    for row in rows:
        table.add_row(*row)
    console.print(table)


run = run_in_process(scenario.diagram, end, **settings)

whole = compare_whole(exported(scenario.name), run, given.step)
show(
    f"{scenario.name}.fmu in FMPy, {end:g} s: difference from the run",
    ["output", "unit", "largest difference", "relative"],
    [(d.name, d.unit, f"{d.largest:.3g}", f"{d.relative:.3g}") for d in whole],
)

parts = {name: exported(name) for name in scenario.diagram.components}


def coupled(communication_step: float) -> dict[tuple[str, str], Difference]:
    """Differences of the coupled FMUs from the run, by output and unit."""
    found = compare_parts(scenario.diagram, parts, run, communication_step)
    return {(d.name, d.unit): d for d in found if d.name in SHOWN}


coarse, fine = (coupled(communication_step) for communication_step in COMMUNICATION_STEPS)
show(
    f"{' + '.join(f'{name}.fmu' for name in parts)}: RMS difference from the run",
    ["output", "unit", *(f"every {h:g} s" for h in COMMUNICATION_STEPS), "ratio"],
    [
        (*key, f"{coarse[key].rms:.3g}", f"{fine[key].rms:.3g}", f"{coarse[key].rms / fine[key].rms:.2f}")
        for key in coarse
        if fine[key].rms > 0.0
    ],
)

if max(d.relative for d in whole) > 1e-9 or any(fine[key].rms >= coarse[key].rms for key in coarse):
    sys.exit("the FMUs do not agree with the run in this process")
