"""Polynomials with the least greatest error, by the exchange of Remez (1934): where the coefficients come from.

`python -m benchmarks.elementary.minimax` prints those of asin and atan, each to be multiplied with x^3.
"""

from __future__ import annotations

import sys
from collections.abc import Callable

import mpmath
from mpmath import mpf

Real = Callable[[mpf], mpf]


def minimax(function: Real, least: float, greatest: float, degree: int, weight: Real) -> tuple[list[mpf], mpf]:
    """Coefficients, the constant first, and the greatest |weight (polynomial - function)| on the interval."""
    middle, half = mpf(least + greatest) / 2, mpf(greatest - least) / 2
    count = degree + 2
    points = [middle - half * mpmath.cos(mpmath.pi * (i + mpf(1) / 2) / count) for i in range(count)]
    grid = [middle - half * mpmath.cos(mpmath.pi * i / (60 * count)) for i in range(60 * count + 1)]
    for _ in range(12):
        rows = mpmath.matrix(
            [[*(x**j for j in range(degree + 1)), (-1) ** i / weight(x)] for i, x in enumerate(points)]
        )
        *found, level = mpmath.lu_solve(rows, mpmath.matrix([function(x) for x in points]))
        errors = [weight(x) * (mpmath.polyval(found[::-1], x) - function(x)) for x in grid]
        points = _alternating(grid, errors)[:count]
        if len(points) < count or max(map(abs, errors)) < abs(level) * mpf("1.001"):
            break
    return found, max(map(abs, errors))


def _alternating(grid: list[mpf], errors: list[mpf]) -> list[mpf]:
    """Where the error is greatest between its zeros."""
    best = [0]
    for i, error in enumerate(errors):
        if error * errors[best[-1]] < 0:
            best.append(i)
        elif abs(error) > abs(errors[best[-1]]):
            best[-1] = i
    return [grid[i] for i in best]


def beyond_the_first(function: Real) -> Real:
    """(f(x) - x) / x^3 as a function of x^2, for an odd f with f'(0) = 1."""

    def of_square(z: mpf) -> mpf:
        x = mpmath.sqrt(z)
        return (function(x) - x) / (x * z)

    return of_square


def main() -> int:
    """Print what the kernels use."""
    with mpmath.workprec(400):
        for name, function, greatest, degree in (
            ("atan", mpmath.atan, (mpmath.sqrt(2) - 1) ** 2, 10),
            ("asin", mpmath.asin, mpf("0.25"), 11),
        ):
            found, error = minimax(beyond_the_first(function), 1e-12, greatest, degree, lambda z: z)
            print(f"{name}, x^2 to {float(greatest):.6f}, degree {degree}: {float(error):.2g} of x")
            print("\n".join(f"    {float(coefficient):.20e}" for coefficient in found))
    return 0


if __name__ == "__main__":
    sys.exit(main())
