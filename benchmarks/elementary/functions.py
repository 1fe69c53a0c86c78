"""The functions, their true values by mpmath, and the arguments at which they are tried.

Arguments of three kinds: `anywhere` in the numbers (every exponent is as likely), `missions` (where vessels and
controllers use a function) and `corners` (where reductions, breakpoints and ends of the range are).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

import mpmath
import numpy as np

from benchmarks.elementary.points import (
    LARGEST,
    LEAST,
    Array,
    Points,
    around,
    each_with_each,
    exponents,
    near_units,
    pairs,
    quotients,
    together,
    uniform,
)  # fmt: skip


@dataclass(frozen=True)
class Function:
    """One function.

    Attributes:
        module: the `.pxd` below `mathematics/elementary` that has it.
        truth: of mpmath.
        anywhere, missions: seeded points.
        corners: points that are always tried, (n,) or (n, 2).
    """

    name: str
    module: str
    truth: Callable[..., mpmath.mpf]
    anywhere: Points
    missions: Points
    corners: Array

    @property
    def arguments(self) -> int:
        """How many numbers it takes."""
        return self.corners.ndim

    def points(self, count: int, seed: int) -> Array:
        """All corners, then as many points of the two other kinds in equal parts."""
        random = np.random.default_rng([seed, *self.name.encode()])
        parts = [self.corners, self.anywhere(random, count - count // 2), self.missions(random, count // 2)]
        return np.concatenate(parts)


def atan2(y: float, x: float) -> mpmath.mpf:
    """As mpmath's, which has no signed zeros."""
    angle = mpmath.atan2(abs(y), x) if y or math.copysign(1.0, x) > 0.0 else mpmath.pi + 0
    return -angle if math.copysign(1.0, y) < 0.0 else angle


def cbrt(x: float) -> mpmath.mpf:
    """As mpmath's, and real below zero."""
    return mpmath.sign(x) * mpmath.cbrt(abs(x))


def _multiples_of_a_quarter_turn() -> Array:
    """Numbers near k pi/2 and k pi/4."""
    with mpmath.workprec(200):
        k = [*range(1, 200), *(2**n + d for n in range(8, 60) for d in (-1, 0, 1))]
        return np.array([float(n * mpmath.pi / 2) for n in k] + [float(n * mpmath.pi / 4) for n in range(1, 200, 2)])


def _nearest_multiples() -> Array:
    """Of the numbers with each exponent those that are nearest to a multiple of pi/2, by continued fractions.

    After Muller (2016), Elementary Functions, ch. 11.
    """
    bits = 1300
    with mpmath.workprec(2 * bits):
        quarter = int(mpmath.floor(mpmath.ldexp(mpmath.pi / 2, bits)))
    found = []
    for exponent in range(-52, 972):
        over, under = 1 << bits + exponent, quarter
        last, denominator = 1, 0  # of the convergents of 2^exponent / (pi/2)
        while under:
            whole, rest = divmod(over, under)
            last, denominator = denominator, whole * denominator + last
            over, under = under, rest
            if denominator >= 2**53:
                break
        found.append(math.ldexp(last, exponent))
    return np.array(found)


TINY = np.array([0.0, LEAST, 2.0**-1022, 2.0**-1000, 1e-200, 2.0**-512, *(2.0**-n for n in range(1, 60))])
HUGE = np.array([2.0**52, 2.0**53, 2.0**63, 2.0**64, 1e100, 2.0**1000, 2.0**1023, LARGEST])
TURNS = np.concatenate([
    around(np.concatenate([_multiples_of_a_quarter_turn(), TINY, HUGE, [0.785, 4.11e5, 1e5, 1.6e6, 1e22]])),
    _nearest_multiples(), -_nearest_multiples(),
])  # fmt: skip
UNIT = around(np.concatenate([TINY, 1.0 - TINY[TINY > 1e-17], [0.5, 0.975, math.sqrt(0.5), math.sqrt(0.75), 1.0]]))
UNIT = UNIT[np.abs(UNIT) <= 1.0]
SLOPES = np.array([1.0, 7 / 16, 11 / 16, 19 / 16, 39 / 16, math.sqrt(2.0) - 1.0, math.sqrt(2.0) + 1.0, 0.75, 4 / 3])
ARC = around(np.concatenate([TINY, HUGE, SLOPES]))
DIRECTIONS = np.concatenate([
    each_with_each(*[around(np.array([LEAST, 2.0**-1022, 1e-200, 1e-16, 1.0, 1e16, 1e300, LARGEST]))] * 2),
    np.column_stack([ARC, np.ones(len(ARC))]),
    np.column_stack([ARC, np.full(len(ARC), -3.0)]),
])  # fmt: skip
LN2 = math.log(2.0)
_POWERS = around(
    np.array([*TINY, 1.0, 709.78, 709.782712893384, *(0.5 * LN2 * k for k in range(1, 200, 7)), 0.5, 36.7, 22.0])
)
ENDS = around(
    np.array(
        [*_POWERS, 745.1332191019411, 744.4400719213812, 708.3964185322641, 710.4758600739439, 700.0, 37.4, 38.1, 56.0]
    )
)
POSITIVE = around(np.concatenate([
    TINY, HUGE, 1.0 + TINY, 1.0 - TINY[TINY < 0.6], [math.sqrt(0.5), math.sqrt(2.0), math.e], 10.0 ** np.arange(-30, 30)
]))  # fmt: skip
POSITIVE = POSITIVE[POSITIVE > 0.0]
BASES = around(
    np.array([LEAST, 2.0**-1022, 0.1, 0.5, math.sqrt(0.5), 1.0, math.sqrt(2.0), 2.0, 3.0, 10.0, 1e10, LARGEST])
)
BASES = BASES[BASES > 0.0]
POWER_OF = around(np.array([1e-300, 1e-17, 0.1, 1 / 3, 0.5, 1.0, 1.5, 2.0, 3.0, 10.0, 100.0, 1e6, 1e16]))

ANGLES = together(uniform(-0.6, 0.6), uniform(-2.0 * math.pi, 2.0 * math.pi), uniform(-300.0, 300.0))
"""Roll and pitch; headings and courses; phases of waves and signals."""
RATIOS = together(uniform(1e-9, 1.0), uniform(0.5, 100.0))
"""Uniform random numbers of noise; ratios of lengths and frequencies."""
TURN = exponents(-1074, 1024)
POSITIVES = exponents(-1074, 1024, signed=False)

FUNCTIONS = {
    function.name: function
    for function in (
        Function("sin", "trigonometric", mpmath.sin, TURN, ANGLES, TURNS),
        Function("cos", "trigonometric", mpmath.cos, TURN, ANGLES, TURNS),
        Function("tan", "trigonometric", mpmath.tan, TURN, uniform(-1.4, 1.4), TURNS),
        Function("asin", "inverse_trigonometric", mpmath.asin, exponents(-1074, 0), uniform(-1.0, 1.0), UNIT),
        Function("acos", "inverse_trigonometric", mpmath.acos, exponents(-70, 0), uniform(-1.0, 1.0), UNIT),
        Function(
            "atan",
            "inverse_trigonometric",
            mpmath.atan,
            exponents(-1074, 1024),
            together(uniform(-1.0, 1.0), uniform(-20.0, 20.0)),
            ARC,
        ),
        Function(
            "atan2",
            "inverse_trigonometric",
            atan2,
            together(quotients, pairs(exponents(-60, 60), exponents(-60, 60))),
            together(pairs(uniform(-5.0, 5.0), uniform(-5.0, 5.0)), pairs(uniform(-20.0, 20.0), uniform(2.0, 10.0))),
            DIRECTIONS,
        ),
        Function(
            "exp",
            "exponential",
            mpmath.exp,
            together(exponents(-60, 9), uniform(-745.2, 709.8)),
            uniform(-20.0, 2.0),
            ENDS,
        ),
        Function(
            "expm1",
            "exponential",
            mpmath.expm1,
            together(exponents(-1074, 9), uniform(-60.0, 709.8)),
            uniform(-5.0, 1.0),
            ENDS,
        ),
        Function("log", "logarithmic", mpmath.log, POSITIVES, RATIOS, POSITIVE),
        Function("log10", "logarithmic", mpmath.log10, POSITIVES, RATIOS, POSITIVE),
        Function(
            "pow",
            "power",
            mpmath.power,
            near_units,
            pairs(uniform(0.0, 10.0), uniform(-5.0, 5.0)),
            each_with_each(BASES, POWER_OF),
        ),
        Function("cbrt", "power", cbrt, exponents(-1074, 1024), uniform(-1000.0, 1000.0), around(POSITIVE)),
        Function("sinh", "hyperbolic", mpmath.sinh, exponents(-1074, 10), uniform(-5.0, 5.0), ENDS),
        Function("cosh", "hyperbolic", mpmath.cosh, exponents(-60, 10), uniform(-5.0, 5.0), ENDS),
        Function("tanh", "hyperbolic", mpmath.tanh, exponents(-1074, 10), uniform(-3.0, 3.0), ENDS),
    )
}
