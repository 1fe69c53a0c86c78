"""Members side by side in the lanes of the processor's vectors, against one at a time by the engine, on one core.

Both go by turns in one process, and the ratio of what stood side by side is what counts. What they give is compared to
the last bit before anything is timed. `--rounds 1` takes about a minute and a half.
"""

import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from benchmarks import diagram, lab, learning, sea
from benchmarks.model import BenchmarkError
from benchmarks.report import arguments, processor, show, spread
from blocks import Diagram, Scenario, Swarm
from blocks.basic import Constant
from blocks.compiled.side_by_side import instructions
from blocks.errors import KeelblocksError
from blocks.live.learning import ScenarioVectorEnv
from blocks.live.learning.registration import task_file

ROUNDS = 7
MEMBERS = 64
MISSION = Path(__file__).parents[1] / "examples" / "minerva_los.yaml"
ENVIRONMENTS = 1024
SECONDS = 1.0
"""Of wall time that each measurement of learners takes."""


def closed_loop(seconds: float = 120.0) -> Callable[[bool], Any]:
    """The benchmark model, with gains and begins that differ."""
    spread_out = np.linspace(0.0, 1.0, MEMBERS)
    poses = np.zeros((MEMBERS, 6))
    poses[:, 1] = 10.0 * spread_out
    numbers = {"heading.kp": 100.0 * (1.0 + spread_out), "vessel.initial_eta": poses}
    return _swarm(Swarm(diagram.diagram(), MEMBERS, parameters=numbers), seconds, 0.02, "vessel.eta")


def mission() -> Callable[[bool], Any]:
    """Minerva's mission, with lookahead distances that differ: each turns to its waypoints at instants of its own."""
    numbers = {"autopilot.guidance.lookahead": np.linspace(0.8, 1.6, 16)}
    return _swarm(Swarm(Scenario.load(MISSION).diagram, 16, parameters=numbers), 100.0, 0.01, "plant.vessel.eta")


def smarty(seconds: float = 60.0) -> Callable[[bool], Any]:
    """SMARTY among 75 waves, with thrusts that differ."""
    whole = Diagram("smarty")
    vehicle = whole.add("smarty", sea.diagram(15, 5))
    force = whole.add("force", Constant(np.zeros(6)))
    whole.connect(force.y, vehicle.force)
    pushes = np.zeros((16, 6))
    pushes[:, 0] = np.linspace(0.0, 4.0, 16)
    return _swarm(Swarm(whole, 16, parameters={"force.value": pushes}), seconds, sea.STEP, "smarty.vessel.eta")


def _swarm(swarm: Swarm, end: float, step: float, seen: str) -> Callable[[bool], Any]:
    def run(compiled: bool) -> Any:
        done = swarm.run(end, step=step, record=[], summarise=[seen], threads=1, compiled=compiled)
        return done.attributes["wall_seconds"], done.statistic(seen, "mean").tobytes()

    return run


def studies() -> Callable[[bool], Any]:
    """1 000 closed loops of 600 s with their table: the comparison of `benchmarks/lab.py`, in this process."""

    def run(compiled: bool) -> Any:
        began = time.perf_counter()
        compared = lab.comparison().run("serial", compiled=compiled)
        return time.perf_counter() - began, compared.outcome.records.metrics.tobytes()

    return run


def against(rounds: int, run: Callable[[bool], Any]) -> tuple[list[float], list[float]]:
    """Times by the engine and side by side, by turns."""
    if run(False)[1] != run(True)[1]:
        raise BenchmarkError("members side by side differ from the engine's")
    pairs = [(run(False)[0], run(True)[0]) for _ in range(rounds)]
    return [a for a, _ in pairs], [b for _, b in pairs]


def learners(rounds: int) -> dict[str, dict[str, Any]]:
    """Environment steps per second of the Otter that learns to follow a path, on one thread."""
    file = task_file("OtterPathFollowing")
    many = {c: ScenarioVectorEnv(file, num_envs=ENVIRONMENTS, threads=1, compiled=c) for c in (False, True)}
    seen = {c: env.reset(seed=1)[0] for c, env in many.items()}
    if not np.array_equal(seen[False], seen[True]):
        raise BenchmarkError("learners side by side see something else")
    rates: dict[bool, list[float]] = {False: [], True: []}
    shares = []
    for _ in range(rounds):
        for c, env in many.items():
            rate, share, seen[c] = learning.vector(env, seen[c], SECONDS)
            rates[c].append(rate)
            if c:
                shares.append(share)
    ratios = [b / a for a, b in zip(rates[False], rates[True], strict=True)]
    return {
        "learners: environment steps over the engine's": spread(ratios, "×") | {"target": "≥ 4"},
        "learners: share of the engine, side by side": spread(shares, "") | {"target": "≥ 0.6"},
    }


def measure(rounds: int) -> dict[str, dict[str, Any]]:
    """Everything, by turns."""
    figures: dict[str, dict[str, Any]] = {}
    for name, make, target in (
        ("benchmark model", closed_loop, 4.0),
        ("Minerva's mission", mission, 3.0),
        ("SMARTY among 75 waves", smarty, 1.5),
    ):
        alone, together = against(rounds, make())
        ratios = [a / b for a, b in zip(alone, together, strict=True)]
        figures[f"{name}: members per second over the engine's"] = spread(ratios, "×") | {"target": f"≥ {target:g}"}
    alone, together = against(max(1, rounds // 3), studies())
    ratios = [b / a for a, b in zip(alone, together, strict=True)]
    figures["1 000 closed loops of 600 s: time over the engine's"] = spread(ratios, "×") | {"target": "≤ 0.35"}
    return figures | learners(rounds)


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    name, (width, _) = instructions()
    try:
        figures = measure(options.rounds or ROUNDS)
    except (BenchmarkError, KeelblocksError) as problem:
        print(problem, file=sys.stderr)
        return 2
    show(f"{width} members side by side ({name}), on {processor()}", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
