"""How true identification is: bias and coverage over many logs, and what the interval of a log does.

Prints the tables of docs/identification.md. The first one: `examples/identification/otter.yaml` with the logs of
`examples/identify_otter.py --logs`, made anew with the noise of each seed; per parameter the mean error in standard
errors, and how many of the 95 % intervals hold the truth. The second one: the added mass in surge, from the trial push
and coast with commands that are held for 0.2 s, logged at several intervals; taken as linear, and as the data tell.
Nothing is timed; equal seeds give equal figures.
"""

import runpy
import shutil
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks.report import over_seeds, show
from blocks import simulate
from blocks.lab.identification import Identification, Identified, Log, identify
from blocks.run.pieces import usable_cores

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"
SEEDS = 100
INTERVALS = (0.02, 0.05, 0.1, 0.2)
HELD_FOR = 0.2
SURGE = "added_mass[X,u]"


def example() -> dict[str, Any]:
    """What `examples/identify_otter.py` defines."""
    return runpy.run_path(str(EXAMPLES / "identify_otter.py"))


def identified(seed: int) -> Identified:
    """What the file of the example finds in logs with the noise of a seed."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        shutil.copy(EXAMPLES / "identification" / "otter.yaml", folder)
        example()["write_logs"](folder, seed)
        return Identification.load(folder / "otter.yaml").run()


def fitted(seed: int) -> list[tuple[float, float, bool]]:
    """Of each parameter its error, its standard error, and whether the interval holds the truth."""
    found, rows = identified(seed), []
    for name, truth in example()["TRUTH"].items():
        low, high = found.intervals[name]
        rows.append((found.values[name] - truth, found.deviations[name], low <= truth <= high))
    return rows


def coverage(seeds: Sequence[int], workers: int) -> dict[str, dict[str, Any]]:
    """By parameter the mean error in standard errors, the scatter of errors likewise, and the intervals that hold."""
    with ProcessPoolExecutor(workers) as pool:
        rows = np.array(list(pool.map(fitted, seeds)), dtype=np.float64)
    figures: dict[str, dict[str, Any]] = {}
    for number, name in enumerate(example()["TRUTH"]):
        errors, deviations, inside = rows[:, number].T
        figures[f"{name}: mean error"] = {"value": float((errors / deviations).mean()), "unit": "SE"}
        figures[f"{name}: scatter"] = {"value": float((errors / deviations).std()), "unit": "SE"}
        figures[f"{name}: intervals that hold the truth"] = {"value": float(inside.sum()), "unit": f"of {len(seeds)}"}
    return figures


def surge(interval: float, interpolation: dict[str, str] | None) -> float:
    """The added mass in surge from one trial that is logged at an interval."""
    made = example()
    time = interval * np.arange(round(120.0 / interval) + 1)
    thrust = 75.0 * (1.0 + made["square"](HELD_FOR * np.floor(time / HELD_FOR + 1e-6), 12.0))
    force = np.zeros((len(time), 6))
    force[:, 0] = thrust
    rest = {"current": np.zeros(3), "disturbance": np.zeros(6)}
    run = simulate(made["OTTER"], time[-1], step=interval, inputs={"force": (time, force, "hold"), **rest})
    noise = made["NOISE"]["u"] * np.random.default_rng(1).normal(size=len(time))
    columns = {"time": time, "thrust": thrust, "u": run.values("vessel_3dof.nu[u]") + noise}
    log = Log.of(columns, {"thrust": "N", "u": "m/s"}, interpolation=interpolation)
    found = identify(
        made["forgetful"](), log, inputs={"force[X]": "thrust"}, outputs={"nu[u]": "u"},
        parameters={SURGE: None, "linear_damping[X,u]": None},
    )  # fmt: skip
    return found.values[SURGE]


def intervals() -> dict[str, dict[str, Any]]:
    """The added mass in surge by the interval of the log."""
    figures: dict[str, dict[str, Any]] = {}
    for interval in INTERVALS:
        for how, said in (("linear", {"thrust": "linear"}), ("as the data tell", None)):
            figures[f"{interval:g} s, {how}"] = {"value": surge(interval, said), "unit": "kg"}
    return figures


def tables(figures: dict[str, dict[str, Any]], seeds: int) -> str:
    """Both tables as they stand in docs/identification.md."""
    lines = ["| | mean error, SE | scatter, SE | 95 % intervals that hold the truth |", "|---|---|---|---|"]
    for name in example()["TRUTH"]:
        mean, scatter, inside = (
            figures[f"{name}: {what}"]["value"] for what in ("mean error", "scatter", "intervals that hold the truth")
        )
        called = name.replace("|", r"\|")
        lines.append(f"| `{called}` | {mean:+.2f} | {scatter:.2f} | {inside:.0f} of {seeds} |")
    truth = example()["TRUTH"][SURGE]
    lines += ["", "| interval of the log | taken as linear | as the data tell | true |", "|---|---|---|---|"]
    for interval in INTERVALS:
        both = [figures[f"{interval:g} s, {how}"]["value"] for how in ("linear", "as the data tell")]
        lines.append(f"| {interval:g} s | {both[0]:.2f} kg | {both[1]:.2f} kg | {truth:.2f} kg |")
    return "\n".join(lines)


def main() -> int:
    """Compute and print."""
    parser = over_seeds(__doc__, SEEDS)
    parser.add_argument("--workers", type=int, default=usable_cores(), metavar="N", help="how many processes at once")
    options = parser.parse_args()
    figures = coverage(range(options.seeds), options.workers) | intervals()
    if options.json:
        show("", figures, True)
    else:
        print(tables(figures, options.seeds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
