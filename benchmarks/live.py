"""What running beside a clock costs: a turn of `run_realtime` against the same steps alone, and how late turns are.

The model is `examples/otter_los.yaml`. A clock on which waiting takes no time shows the cost of a turn by itself; on
the real clock, lateness is that of the machine: its scheduler, and whatever else runs on it.
"""

import sys
import time
from pathlib import Path

from benchmarks.report import arguments, show, spread
from blocks import Simulator
from blocks.realtime.loop import RealTime
from blocks.run.timing import Timing
from blocks.scenario import Scenario

SCENARIO = Path(__file__).parents[1] / "examples" / "otter_los.yaml"
ROUNDS = 7
TURNS = 20000
SECONDS = 10.0
"""Of real time, for lateness."""


class FreeClock:
    """A clock on which waiting costs nothing."""

    now = 0.0

    def __call__(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds


def simulator(step: float) -> Simulator:
    made: Simulator = Scenario.load(SCENARIO).simulator(record=[], outputs=["vessel.eta"], stop=None, step=step)
    made.start()
    return made


def bare() -> float:
    """Microseconds per `advance` of one step."""
    made = simulator(0.05)
    began = time.perf_counter()
    for number in range(1, TURNS + 1):
        made.advance(until=number * 0.05)
    return 1e6 * (time.perf_counter() - began) / TURNS


def paced(**attached: object) -> float:
    """Microseconds per turn of one step."""
    clock = FreeClock()
    loop = RealTime(simulator(0.05), end=TURNS * 0.05, clock=clock, sleep=clock.sleep, **attached)
    began = time.perf_counter()
    loop.run()
    return 1e6 * (time.perf_counter() - began) / TURNS


def with_others() -> float:
    """Microseconds per turn with a source that does nothing, and a sink that reads a heading."""
    return paced(sources=[lambda made, t: None], sinks=[lambda made, t: made["vessel.eta"][5]])


def real(rate: float) -> Timing:
    """Some seconds on the real clock."""
    return RealTime(simulator(1.0 / rate), end=SECONDS, rate=rate).run()


def main() -> int:
    """Measure and print."""
    options = arguments(__doc__).parse_args()
    taken: dict[str, list[float]] = {}
    for _ in range(options.rounds or ROUNDS):
        for name, measure in (
            ("advance alone", bare),
            ("a turn", paced),
            ("a turn with a source and a sink", with_others),
        ):
            taken.setdefault(name, []).append(measure())
    costs = [turn - alone for turn, alone in zip(taken["a turn"], taken["advance alone"], strict=True)]
    figures = {name: spread(values, "µs") for name, values in taken.items()}
    figures["pacing, per turn"] = spread(costs, "µs")
    for rate in (50.0, 200.0):
        timing = real(rate)
        quantiles = timing.lateness_median, timing.lateness_99, timing.lateness_greatest
        for name, value in zip(("half of the turns", "99 %", "at most"), quantiles, strict=True):
            figures[f"late at {rate:g} Hz, {name}"] = {"value": 1e6 * value, "unit": "µs"}
        figures[f"overruns at {rate:g} Hz, of {timing.turns}"] = {"value": timing.overruns, "unit": ""}
    show("Beside a clock", figures, options.json)
    return 0


if __name__ == "__main__":
    sys.exit(main())
