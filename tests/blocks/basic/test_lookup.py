"""Lookup tables agree with NumPy and SciPy inside, and do outside what they were told to."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.interpolate import RegularGridInterpolator

from blocks.basic import LookupTable1D, LookupTable2D
from blocks.errors import ParameterError

X = np.array([-1.0, -0.3, 0.0, 0.1, 2.0, 7.5])
F = np.array([3.0, -1.0, 0.5, 0.25, 8.0, -2.0])
ROWS = np.array([0.0, 1.0, 1.5, 4.0])
COLUMNS = np.array([-2.0, 0.5, 3.0])
TABLE = np.random.default_rng(0).normal(size=(4, 3))


def test_one_dimension_agrees_with_numpy():
    u = np.linspace(-3.0, 9.0, 241)
    np.testing.assert_allclose(LookupTable1D(X, F).evaluate(u=u).outputs["y"], np.interp(u, X, F), atol=1e-14)


def test_breakpoints_give_their_values_exactly():
    np.testing.assert_array_equal(LookupTable1D(X, F).evaluate(u=X).outputs["y"], F)


def test_linear_extrapolation_goes_on_in_the_last_interval():
    y = LookupTable1D(X, F, extrapolation="linear").evaluate(u=[-2.0, 9.5]).outputs["y"]
    np.testing.assert_allclose(y, [3.0 + 4.0 / 0.7, -2.0 - 2.0 * 10.0 / 5.5], rtol=1e-14)


def test_two_dimensions_agree_with_scipy():
    u1, u2 = (axis.ravel() for axis in np.meshgrid(np.linspace(0.0, 4.0, 23), np.linspace(-2.0, 3.0, 19)))
    expected = RegularGridInterpolator((ROWS, COLUMNS), TABLE)(np.column_stack([u1, u2]))
    y = LookupTable2D(ROWS, COLUMNS, TABLE).evaluate(u1=u1, u2=u2).outputs["y"]
    np.testing.assert_allclose(y, expected, atol=1e-13)


def test_two_dimensions_outside():
    u1, u2 = (axis.ravel() for axis in np.meshgrid(np.linspace(-1.0, 6.0, 15), np.linspace(-4.0, 5.0, 15)))
    interpolator = RegularGridInterpolator((ROWS, COLUMNS), TABLE, bounds_error=False, fill_value=None)
    linear = LookupTable2D(ROWS, COLUMNS, TABLE, extrapolation="linear").evaluate(u1=u1, u2=u2).outputs["y"]
    np.testing.assert_allclose(linear, interpolator(np.column_stack([u1, u2])), atol=1e-12)
    clipped = LookupTable2D(ROWS, COLUMNS, TABLE).evaluate(u1=u1, u2=u2).outputs["y"]
    inside = np.column_stack([np.clip(u1, 0.0, 4.0), np.clip(u2, -2.0, 3.0)])
    np.testing.assert_allclose(clipped, interpolator(inside), atol=1e-13)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (
            lambda: LookupTable1D([0.0, 2.0, 1.0], [0.0, 1.0, 2.0]),
            r"LookupTable1D\.breakpoints must increase from element to element, but \[1\] is 2 and \[2\] is 1",
        ),
        (lambda: LookupTable1D([0.0], [1.0]), r"breakpoints must be an array of at least 2 elements, not 1"),
        (lambda: LookupTable1D([0.0, 1.0], [1.0, 2.0, 3.0]), "breakpoints has 2 entries, table has 3"),
        (lambda: LookupTable2D([0.0, 1.0], [3.0, 2.0], np.zeros((2, 2))), r"LookupTable2D\.columns must increase"),
        (lambda: LookupTable2D([0.0, 1.0], [2.0, 3.0], np.zeros((3, 2))), "rows has 2 entries, table has 3"),
        (lambda: LookupTable2D([0.0, 1.0], [2.0, 3.0], 1.0), r"table must be an array of 2×2, not the single number 1"),
    ],
)
def test_bad_tables_are_refused(make, message):
    with pytest.raises(ParameterError, match=message):
        make()
