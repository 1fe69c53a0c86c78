"""The elementary functions of the engine against the true values, and against the C library's speed.

`accuracy` tries each function at a million seeded points and all hard corners against mpmath (a minute a function
with gmpy2, ten without); it ends with 1 if one is more than 1 ulp off. `speed` times calls beside the C library's, in
one process by turns, at arguments as missions have them: calls that wait for the one before, and calls that do not.
Both take the functions from the sources as they are now.
"""

import argparse
import json
import sys
from dataclasses import asdict
from statistics import median

from benchmarks.elementary.accuracy import accuracy
from benchmarks.elementary.functions import FUNCTIONS
from benchmarks.elementary.library import BOTH, values
from benchmarks.elementary.speed import ROUNDS, speeds
from benchmarks.model import BenchmarkError
from benchmarks.report import machine
from blocks.errors import did_you_mean

MOST = 1.0
"""What a function may be off [ulp]."""


def main() -> int:
    """Measure and print."""
    options = _arguments()
    try:
        return _accuracy(options) if options.what == "accuracy" else _speed(options)
    except BenchmarkError as problem:
        print(problem, file=sys.stderr)
        return 2


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("accuracy", "speed"))
    parser.add_argument("functions", nargs="*", metavar="FUNCTION", help=f"of {', '.join(FUNCTIONS)} (default: all)")
    parser.add_argument("--points", type=int, default=1_000_000, metavar="N", help="of accuracy (default: a million)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the points (default: 1)")
    parser.add_argument("--library", action="store_true", help="accuracy of the C library instead")
    parser.add_argument("--rounds", type=int, default=ROUNDS, metavar="N", help=f"of speed (default: {ROUNDS})")
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    options = parser.parse_args()
    known = [*FUNCTIONS, *([BOTH] if options.what == "speed" else [])]
    for name in options.functions:
        if name not in known:
            parser.error(f"there is no function {name}{did_you_mean(name, known)}")
    options.functions = options.functions or known
    return options


def _accuracy(options: argparse.Namespace) -> int:
    found = {}
    if not options.json:
        print(f"{machine()}\n\n{'function':12s} {'points':>9s} {'ulp':>7s}  {'not nearest':>11s}  at")
    for name in options.functions:
        points = FUNCTIONS[name].points(options.points, options.seed)
        found[name] = seen = accuracy(FUNCTIONS[name], points, values(name, points, own=not options.library))
        if not options.json:
            at = ", ".join(map(repr, seen.at))
            print(f"{name:12s} {seen.points:9d} {seen.ulps:7.4f}  {100.0 * seen.above_half:9.3f} %  {at}", flush=True)
    if options.json:
        print(json.dumps({name: asdict(seen) for name, seen in found.items()}, indent=2))
    return int(any(not seen.ulps <= MOST for seen in found.values()))


def _speed(options: argparse.Namespace) -> int:
    found = []
    if not options.json:
        print(f"{machine()}\n\n{'':12s} {'calls that do not wait [ns]':^31s} {'calls that wait [ns]':^31s}")
        print(f"{'function':12s}" + f" {'own':>8s} {'library':>8s} {'own/library':>12s} " * 2 + f"  {'mean':>5s}")
    for seen in speeds(options.functions, options.rounds):
        found.append(seen)
        if not options.json:
            first = f"{seen.own:8.2f} {seen.library:8.2f} {seen.ratio:12.2f} "
            second = f"{seen.own_chained:8.2f} {seen.library_chained:8.2f} {seen.ratio_chained:12.2f} "
            print(f"{seen.name:12s} {first} {second}  {seen.ratio_of_both:5.2f}", flush=True)
    ratios = [seen.ratio_of_both for seen in found if seen.name != BOTH]
    if options.json:
        print(json.dumps([asdict(seen) for seen in found], indent=2))
    elif ratios:
        print(f"\nmedian of the means over {len(ratios)} functions: {median(ratios):.2f}, greatest: {max(ratios):.2f}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
