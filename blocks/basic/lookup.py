"""Lookup tables: functions given by points."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from blocks.basic.common import check_increasing
from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import each, whole
from blocks.signal import AnySignal


class LookupTable1D(Block):
    """A piecewise linear function of one variable: y = f_k + (f_{k+1} - f_k) (u - b_k)/(b_{k+1} - b_k).

    u, y: input and output, n, in any unit, each element looked up on its own; b_k: `breakpoints`, m; f_k: `table`, m;
    k: the interval that u is in. Outside the breakpoints y stays at the end value (extrapolation="clip") or goes on in
    the straight line of the last interval ("linear").

    Raises ParameterError if there are fewer than two breakpoints, if they do not increase, or if the table has another
    length.
    """

    examples = ({"breakpoints": [0.0, 1.0, 3.0], "table": [1.0, 2.0, -1.0]},)

    kernel = "lookup_table_1d"
    sizes = ("n", "m")
    positional = ("breakpoints", "table")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}

    u = Input(AnySignal, "where to look")
    y = Output(AnySignal, "the value there", depends=each("u") | whole("breakpoints", "table", "extrapolation"))
    breakpoints = Parameter(shape=("m",), unit=None, doc="increasing abscissae b_k")
    table = Parameter(shape=("m",), unit=None, doc="values f_k")
    extrapolation = Parameter("clip", choices=("clip", "linear"), doc="what the function does outside")

    def validate(self) -> None:
        """Increasing breakpoints."""
        check_increasing(self, "breakpoints", at_least=2)


class LookupTable2D(Block):
    """A bilinear function of two variables: linear in u1 along `rows` and in u2 along `columns` of a table.

    u1, u2, y: inputs and output, n, in any unit, each pair of elements looked up on its own; `rows`, m, `columns`, k:
    increasing breakpoints of u1 and u2; `table`, m×k. Outside them each variable stays at its end
    (extrapolation="clip") or goes on in the last interval ("linear").

    Raises ParameterError if there are fewer than two breakpoints, if they do not increase, or if the table has another
    shape.
    """

    examples = ({"rows": [0.0, 1.0], "columns": [0.0, 2.0], "table": [[1.0, 2.0], [3.0, 5.0]]},)

    kernel = "lookup_table_2d"
    sizes = ("n", "m", "k")
    positional = ("rows", "columns", "table")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}

    u1 = Input(AnySignal, "where to look along the rows")
    u2 = Input(AnySignal, "where to look along the columns")
    y = Output(
        AnySignal,
        "the value there",
        depends=each("u1", "u2") | whole("rows", "columns", "table", "extrapolation"),
    )
    rows = Parameter(shape=("m",), unit=None, doc="increasing values of u1, one per row")
    columns = Parameter(shape=("k",), unit=None, doc="increasing values of u2, one per column")
    table = Parameter(shape=("m", "k"), unit=None, doc="values, row by row")
    extrapolation = Parameter("clip", choices=("clip", "linear"), doc="what the function does outside")

    def validate(self) -> None:
        """Increasing breakpoints and a table for them."""
        check_increasing(self, "rows", at_least=2)
        check_increasing(self, "columns", at_least=2)
        if np.ndim(self.table) != 2:
            raise ParameterError(
                f"{self._called()}.table must be an array of {len(self.rows)}×{len(self.columns)}, "
                f"not the single number {self.table:g}"
            )
