"""Time kernels and plain C by turns."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from ctypes import CDLL
from dataclasses import dataclass
from statistics import median
from typing import Any, TypeAlias

from benchmarks.kernels.case import Case, Pair
from benchmarks.model import BenchmarkError

LIMIT = 1.5
"""A kernel that takes longer than so many times its plain counterpart is to be mended."""

NANOSECONDS = 1.5e5
"""How long one measurement takes, about: much shorter than the turns that a system gives to processes."""

TRIES = 3
"""Measurements per round, of which the best counts: one may fall into another process's turn."""


PLACES = 5
SHIFT = 136
"""Rounds are spread over so many places of the results in memory, so many numbers apart: a number that is read waits
for one that was just written where only higher bits of their addresses differ."""

Round: TypeAlias = tuple[dict[str, float], dict[str, float]]
"""Nanoseconds per call of each function, of the kernel and in plain C."""


@dataclass(frozen=True)
class Timing:
    """How long the functions of a block take, by kernel and in plain C: median nanoseconds of a call of each.

    The ratio is that of all functions of the block together, of one call of each: its median over the rounds, the least
    and the greatest.
    """

    case: Case
    kernel: dict[str, float]
    plain: dict[str, float]
    ratio: float
    least: float
    most: float

    @property
    def is_slow(self) -> bool:
        """True if the kernel has to be mended."""
        return self.ratio > LIMIT

    def figures(self) -> dict[str, Any]:
        """For the JSON."""
        spread = {"value": self.ratio, "unit": "×", "least": self.least, "most": self.most, "target": f"≤ {LIMIT:g}"}
        functions = {name: {"kernel": ours, "plain": self.plain[name]} for name, ours in self.kernel.items()}
        return spread | {"kernel": self.case.block.kernel, "nanoseconds": functions}


def check(library: CDLL, cases: Iterable[Case]) -> None:
    """Raises BenchmarkError that tells of all cases in which kernel and plain C do not agree."""
    problems = []
    for case in cases:
        try:
            with case.open(library) as pair:
                pair.check()
        except BenchmarkError as problem:
            problems.append(str(problem))
    if problems:
        raise BenchmarkError("\n".join(problems))


def measure(library: CDLL, cases: Sequence[Case], rounds: int) -> Iterator[Timing]:
    """One timing after the other."""
    for case in cases:
        each = -(-rounds // PLACES)
        yield _summary(case, [found for place in range(PLACES) for found in _measure_at(place, library, case, each)])


def _measure_at(place: int, library: CDLL, case: Case, rounds: int) -> Iterator[Round]:
    with case.open(library, SHIFT * place) as pair:
        pair.settle()
        many = {function: _calls(pair, function) for function in pair.functions}
        for _ in range(rounds):
            ours, theirs = {}, {}
            for function, count in many.items():
                ours[function] = min(pair.time_kernel(function, count) for _ in range(TRIES))
                theirs[function] = min(pair.time_plain(function, count) for _ in range(TRIES))
            yield ours, theirs


def _summary(case: Case, rounds: Sequence[Round]) -> Timing:
    ratios = [sum(ours.values()) / sum(theirs.values()) for ours, theirs in rounds]
    functions = list(rounds[0][0])
    return Timing(
        case=case,
        kernel={function: median(ours[function] for ours, _ in rounds) for function in functions},
        plain={function: median(theirs[function] for _, theirs in rounds) for function in functions},
        ratio=median(ratios),
        least=min(ratios),
        most=max(ratios),
    )


def _calls(pair: Pair, function: str) -> int:
    """How many calls take long enough to be measured."""
    many = 64
    while (taken := many * pair.time_plain(function, many)) < 0.25 * NANOSECONDS:
        many *= 2
    return max(1, round(many * NANOSECONDS / taken))
