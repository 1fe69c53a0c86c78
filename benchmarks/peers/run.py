"""Measure the peers against the hand-written C loop: ``python -m benchmarks.peers.run [--json]``.

A ratio holds for the machine and the hour it was measured in; nothing here asserts one. What is checked is that every
contender ends where the benchmark model has to. Exit code 0: all that could be run did; 1: one failed or ended
elsewhere; 2: the benchmark itself cannot run. A peer that is not installed is reported as such and is no failure.
"""

import argparse
import json
import math
import os
import platform
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version

from benchmarks import c_loop
from benchmarks.comparison import Comparison, compare
from benchmarks.model import END, STEP, TOLERANCE, BenchmarkError, Run, check_end_state, step_count
from benchmarks.peers import PEERS, Peer, PeerNotInstalledError

TRIAL_END = 3.0  # s of simulated time, long enough to tell how long a whole run will take
MEASURING_TIME = 5.0  # s of wall time that a peer is measured for at least, where MOST_ROUNDS allow it
MOST_ROUNDS = 51
REFERENCES_PER_ROUND = 5


@dataclass(frozen=True)
class Report:
    """What became of one peer; `reason` says why where `status` is not "measured", and the figures are then None."""

    name: str
    integration: str
    status: str
    reason: str | None = None
    version: str | None = None
    end: float | None = None
    steps: int | None = None
    rounds: int | None = None
    microseconds_per_step: float | None = None
    c_microseconds_per_step: float | None = None
    ratio_to_c: float | None = None
    ratio_range: tuple[float, float] | None = None
    end_state_difference: float | None = None

    @property
    def failed(self) -> bool:
        """Whether the peer ran and did not solve the benchmark model."""
        return self.status in ("failed", "different result")


def plan(run: Run, end: float, rounds: int, budget: float) -> tuple[float, int]:
    """Return the end time and the number of rounds that suit a peer's speed, from a short trial run.

    The end is `end`, or as many whole steps less as keep one run within `budget` [s] of wall time. A peer whose runs
    are short is run more often than `rounds`, since a single short run says little.
    """
    trial = run(min(TRIAL_END, end))
    seconds_per_step = trial.seconds / trial.steps
    end = min(end, max(1, math.floor(budget / seconds_per_step)) * STEP)
    enough = math.ceil(MEASURING_TIME / (seconds_per_step * step_count(end)))
    return end, max(rounds, min(enough, MOST_ROUNDS))


def measure(peer: Peer, end: float, rounds: int, budget: float) -> Report:
    """Measure one peer; whatever goes wrong with it becomes part of the report."""
    try:
        run = peer.load()
        end, rounds = plan(run, end, rounds, budget)
        comparison = compare(run, c_loop.run, end, rounds, REFERENCES_PER_ROUND)
    except PeerNotInstalledError as error:
        return Report(peer.distribution, peer.integration, "not installed", reason=str(error))
    except Exception as error:
        return Report(peer.distribution, peer.integration, "failed", reason=f"{type(error).__name__}: {error}")
    return _measured(peer, end, rounds, comparison)


def _measured(peer: Peer, end: float, rounds: int, comparison: Comparison) -> Report:
    difference = comparison.end_state_difference
    taken, expected = comparison.outcome.steps, step_count(end)
    reasons = []
    if difference > TOLERANCE:
        reasons.append(f"ended {difference:.1e} from the C loop, {TOLERANCE:.0e} allowed")
    if taken != expected:
        reasons.append(f"recorded {taken} steps of {STEP:g} s, expected {expected}")
    return Report(
        peer.distribution,
        peer.integration,
        "different result" if reasons else "measured",
        reason="; ".join(reasons) or None,
        version=version(peer.distribution),
        end=end,
        steps=taken,
        rounds=rounds,
        microseconds_per_step=comparison.microseconds_per_step,
        c_microseconds_per_step=comparison.reference_microseconds_per_step,
        ratio_to_c=comparison.ratio,
        ratio_range=comparison.ratio_range,
        end_state_difference=difference if math.isfinite(difference) else None,  # JSON knows no infinity
    )


def as_table(reports: Sequence[Report]) -> str:
    """Lay the reports out for a terminal."""
    lines = [f"{'':10} {'version':>8} {'µs/step':>9} {'× C loop':>9} {'(range)':>15} {'end state off':>15}"]
    for report in reports:
        if report.ratio_to_c is None or report.ratio_range is None:
            lines.append(f"{report.name:10} {report.status}: {report.reason}")
            continue
        low, high = report.ratio_range
        off = "diverged" if report.end_state_difference is None else f"{report.end_state_difference:.1e}"
        lines.append(
            f"{report.name:10} {report.version:>8} {report.microseconds_per_step:9.3f} {report.ratio_to_c:9.4g}"
            f" {f'({low:.4g}–{high:.4g})':>15} {off:>15}  {report.integration}"
        )
        if report.reason is not None:
            lines.append(f"{'':10} {report.status}: {report.reason}")
    return "\n".join(lines)


def positive(text: str) -> float:
    """Read a command-line number that has to be finite and above zero."""
    number = float(text)
    if not (math.isfinite(number) and number > 0.0):
        raise argparse.ArgumentTypeError(f"expected a finite number above 0, got {text}")
    return number


def parse(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Read the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.peers.run", description="Measure the peers against the C loop."
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument("--end", type=positive, default=END, help="simulated time in s (default %(default)g)")
    parser.add_argument(
        "--rounds", type=int, default=3, help="least number of runs of each peer; medians count (default %(default)s)"
    )
    parser.add_argument(
        "--budget",
        type=positive,
        default=20.0,
        help="wall time in s above which a run is shortened (default %(default)g)",
    )
    parser.add_argument(
        "--only", choices=[peer.distribution for peer in PEERS], action="append", help="a peer to run; may be repeated"
    )
    options = parser.parse_args(arguments)
    if options.rounds < 1:
        parser.error(f"--rounds {options.rounds}: expected at least 1")
    return options


def main(arguments: Sequence[str] | None = None) -> int:
    """Measure, print, and return the exit code."""
    options = parse(arguments)
    try:
        step_count(options.end)
        check_end_state("the C loop", c_loop.run(END).end_state)
    except BenchmarkError as error:
        print(error, file=sys.stderr)
        return 2
    uncontracted = compare(c_loop.run_uncontracted, c_loop.run, options.end, rounds=21)
    peers = [peer for peer in PEERS if options.only is None or peer.distribution in options.only]
    reports = []
    for peer in peers:
        print(f"measuring {peer.distribution} …", file=sys.stderr)
        reports.append(measure(peer, options.end, options.rounds, options.budget))
    if options.json:
        figures = {
            "machine": {
                "processor": platform.machine(),
                "cpus": os.cpu_count(),
                "system": platform.system(),
                "python": platform.python_version(),
            },
            "step": STEP,
            "end": options.end,
            "c_loop": {
                "microseconds_per_step": uncontracted.reference_microseconds_per_step,
                "uncontracted_microseconds_per_step": uncontracted.microseconds_per_step,
                "uncontracted_ratio": uncontracted.ratio,
            },
            "peers": [asdict(report) for report in reports],
        }
        print(json.dumps(figures, indent=2))
    else:
        print(
            f"C loop -O3: {uncontracted.reference_microseconds_per_step:.3f} µs per RK4 step; "
            f"with -ffp-contract=off × {uncontracted.ratio:.3f}"
        )
        print(as_table(reports))
    return 1 if any(report.failed for report in reports) else 0


if __name__ == "__main__":
    sys.exit(main())
