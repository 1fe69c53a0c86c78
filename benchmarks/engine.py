"""The closed loop of the benchmark model through the general engine, against the same loop written by hand in C.

Both are run by turns in one process, and the ratio of their medians is what counts: absolute times depend on the
machine and on what else it does. `python -m benchmarks.peers.run` measures other simulators against the same C loop.
"""

import sys

from benchmarks import c_loop, diagram
from benchmarks.model import END, BenchmarkError, Outcome, check_end_state
from benchmarks.report import arguments, show, spread

ROUNDS = 60


def measure(rounds: int) -> dict[str, dict[str, object]]:
    """Run engine and C loop by turns and compare them."""
    check_end_state("the engine", diagram.run(END).end_state)
    check_end_state("the C loop", c_loop.run(END).end_state)
    engine: list[Outcome] = []
    hand_written: list[Outcome] = []
    for _ in range(rounds):
        engine.append(diagram.run(END))
        hand_written.append(c_loop.run(END))
    ours = [outcome.microseconds_per_step for outcome in engine]
    theirs = [outcome.microseconds_per_step for outcome in hand_written]
    ratios = [a / b for a, b in zip(ours, theirs, strict=True)]
    return {
        "engine, per RK4 step": spread(ours, "µs"),
        "hand-written C (cc -O3), per RK4 step": spread(theirs, "µs"),
        "engine over C, median of the rounds": spread(ratios, "×") | {"target": "≤ 1.3"},
        "engine over C, fastest round of each": {"value": min(ours) / min(theirs), "unit": "×"},
    }


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    try:
        figures = measure(options.rounds or ROUNDS)
    except BenchmarkError as problem:
        print(problem, file=sys.stderr)
        return 2
    show("The benchmark model for 300 s, RK4, 0.02 s, six states recorded at every step", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
