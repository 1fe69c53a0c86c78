"""How long a user waits from the start of the process: `import blocks`, the first result of the benchmark model."""

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


def seconds(program: str) -> float:
    """Wall time of a fresh process."""
    began = time.perf_counter()
    subprocess.run([sys.executable, "-c", program], check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def measure(rounds: int) -> dict[str, dict[str, object]]:
    """Run every program by turns."""
    taken: dict[str, list[float]] = {name: [] for name in PROGRAMS}
    for program, _ in PROGRAMS.values():
        seconds(program)
    for _ in range(rounds):
        for name, (program, _) in PROGRAMS.items():
            taken[name].append(seconds(program))
    figures: dict[str, dict[str, object]] = {}
    for name, (_, target) in PROGRAMS.items():
        times = taken[name]
        figures[name] = spread(times, "s")
        if target:
            figures[name]["target"] = target
    return figures


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    show("From the start of the process", measure(options.rounds or ROUNDS), options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
