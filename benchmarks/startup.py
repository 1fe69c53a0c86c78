"""How long a user waits from the start of the process: `import blocks`, the first result of the benchmark model.

The last lines are processor time: until the first figure of a mission is written, and, by turns with that, until
matplotlib alone has written a figure with as many axes and legends.
"""

import os
import subprocess
import sys
import time

from benchmarks.report import arguments, show, spread

ROUNDS = 15
PROGRAMS = {
    "python, empty program": ("pass", None),
    "import numpy": ("import numpy", None),
    "import blocks": ("import blocks", "≤ 0.3"),
    "first result of the benchmark model": (
        "from benchmarks.diagram import diagram; from blocks import simulate; "
        "print(simulate(diagram(), 300.0, step=0.02, record=['vessel.eta', 'vessel.nu']).values('vessel.eta')[-1])",
        "≤ 0.5",
    ),
}


FIRST_FIGURE = """
import sys, tempfile, time
from pathlib import Path
replace = Path.replace
def told(path, target):
    done = replace(path, target)
    if Path(target).suffix == ".png":
        print(time.process_time(), flush=True)
    return done
Path.replace = told
from blocks.cli import main
with tempfile.TemporaryDirectory() as folder:
    sys.argv = ["keelblocks", "run", "examples/minerva_survey.yaml", "--quiet", "--output", folder]
    main()
"""
"""`keelblocks run`, which says when each figure is there."""

FIGURE_ALONE = """
import io, time
import numpy as np
from matplotlib.figure import Figure
figure, x = Figure(figsize=(14.0, 9.0), layout="constrained"), np.arange(1000.0)
for axes in figure.subplots(2, 4).flat:
    axes.plot(x, np.sin(x), label="a line")
    axes.legend()
figure.savefig(io.BytesIO(), format="png", dpi=100)
print(time.process_time())
"""
"""What any figure takes."""

ENVIRONMENT = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
"""Of the processes: what was compiled once is kept, as pip does it."""


def processor_time(program: str) -> float:
    """Processor time of a fresh process until a figure is written, as it says itself."""
    command = [sys.executable, "-c", program]
    done = subprocess.run(command, check=True, capture_output=True, text=True, env=ENVIRONMENT)
    return float(done.stdout.split()[0])


def seconds(program: str) -> float:
    """Wall time of a fresh process."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL, env=ENVIRONMENT)
    return time.perf_counter() - began


def measure(rounds: int) -> dict[str, dict[str, object]]:
    """Run every program by turns."""
    taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for program, _ in PROGRAMS.values():
        seconds(program)
    processor_time(FIRST_FIGURE)
    for _ in range(rounds):
        for name, (program, _) in PROGRAMS.items():
            taken[name].append(seconds(program))
    figures: dict[str, dict[str, object]] = {}
    for name, (_, target) in PROGRAMS.items():
        times = taken[name]
        figures[name] = spread(times, "s")
        if target:
            figures[name]["target"] = target
    drawn = [(processor_time(FIRST_FIGURE), processor_time(FIGURE_ALONE)) for _ in range(rounds)]
    missions, alone = zip(*drawn, strict=True)
    figures["first figure of a mission, processor time"] = {**spread(missions, "s"), "target": "≤ 2"}
    figures["a figure of matplotlib alone, processor time"] = spread(alone, "s")
    return figures


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    show("From the start of the process", measure(options.rounds or ROUNDS), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
