"""Kernels against the same mathematics written by hand in plain C, at equal flags.

Kernels are extracted as C and compiled with the plain C of plain/*.c by one compiler with the flags of the build. First
both are called with the same numbers and have to agree, then they are timed by turns. A block is all its functions:
outputs, derivatives and update are called once each.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from ctypes import CDLL
from itertools import compress
from textwrap import fill

from rich.console import Console
from rich.progress import track

from benchmarks.kernels.case import Case
from benchmarks.kernels.cases import all_cases
from benchmarks.kernels.library import FLAGS, load
from benchmarks.kernels.measuring import LIMIT, Timing, check, measure
from benchmarks.model import BenchmarkError
from benchmarks.report import arguments, machine
from blocks.errors import did_you_mean

ROUNDS = 25
DERIVATIVE = ("dynamics.Vessel6DOF", "derivatives", 150.0)
"""The block and function that have a target of their own [ns]."""


def main() -> int:
    """Measure and print."""
    parser = arguments(__doc__)
    parser.add_argument("--block", metavar="NAME", help="one block only, such as Vessel6DOF or dynamics.Vessel6DOF")
    parser.add_argument("--check", action="store_true", help="only see whether kernels and plain C agree")
    options = parser.parse_args()
    try:
        library = load()
        cases, without = divided(library, chosen(all_cases(), options.block))
        timings = run(library, cases, options)
    except BenchmarkError as problem:
        print(problem, file=sys.stderr)
        return 2
    if options.json:
        found = {"machine": machine(), "flags": FLAGS, "figures": figures(timings), "without plain C": without}
        json.dump(found, sys.stdout, indent=2)
        print()
        return 0
    if options.check:
        print(f"kernels and plain C agree: {len(cases)} instances of {len({case.name for case in cases})} blocks")
    elif timings:
        show(timings)
    if without:
        print("\n" + fill(f"no plain C ({len(without)}): {', '.join(without)}", 120))
    return 0


def divided(library: CDLL, cases: Sequence[Case]) -> tuple[list[Case], list[str]]:
    """Cases with plain C, and the names of blocks without."""
    beside = [case.has_plain(library) for case in cases]
    without = dict.fromkeys(case.name for case, has in zip(cases, beside, strict=True) if not has)
    return list(compress(cases, beside)), list(without)


def run(library: CDLL, cases: Sequence[Case], options: argparse.Namespace) -> list[Timing]:
    """Check all cases, then time them, with a bar that says how far it is."""
    console = Console(stderr=True)
    check(library, track(cases, "checking", console=console, transient=True))
    if options.check:
        return []
    timings = measure(library, cases, options.rounds or ROUNDS)
    shown = track(timings, "measuring", total=len(cases), console=console, transient=True)
    return sorted(shown, key=lambda timing: -timing.ratio)


def chosen(cases: list[Case], name: str | None) -> list[Case]:
    """Those of the block of that name. Raises BenchmarkError if there is none."""
    if name is None:
        return cases
    found = [case for case in cases if name in (case.name, case.name.partition(".")[2])]
    if not found:
        names = {known for case in cases for known in (case.name, case.name.partition(".")[2])}
        raise BenchmarkError(f"there is no block '{name}'{did_you_mean(name, names)}")
    return found


def figures(timings: Sequence[Timing]) -> dict[str, object]:
    """All of it, by block and variant."""
    found: dict[str, object] = {timing.case.title: timing.figures() for timing in timings}
    block, function, target = DERIVATIVE
    for timing in timings:
        if timing.case.title == block:
            value = {"value": timing.kernel[function], "unit": "ns", "target": f"≤ {target:g} ns"}
            found[f"{block}, {function}"] = value
    return found


def show(timings: Sequence[Timing]) -> None:
    """A table, the worst first."""
    print(f"Kernels against plain C, {' '.join(FLAGS)}\n{machine()}\n")
    width = max(len(timing.case.title) for timing in timings)
    print(f"{'block':{width}s} {'kernel':>10s} {'plain C':>10s} {'ratio':>7s}")
    for timing in timings:
        ours, theirs = sum(timing.kernel.values()), sum(timing.plain.values())
        spread = f"[{timing.least:.2f} … {timing.most:.2f}]"
        flag = f"  above {LIMIT:g}" if timing.is_slow else ""
        print(f"{timing.case.title:{width}s} {ours:>7.1f} ns {theirs:>7.1f} ns {timing.ratio:>7.2f}  {spread}{flag}")
    slow = sum(timing.is_slow for timing in timings)
    print(f"\n{len(timings)} instances, {slow} above {LIMIT:g}")
    block, function, target = DERIVATIVE
    for timing in timings:
        if timing.case.title == block:
            print(f"{block}, {function}: {timing.kernel[function]:.1f} ns (target: ≤ {target:g} ns)")


if __name__ == "__main__":
    sys.exit(main())
