"""Mathematics: gain, sum, product, functions, angles, comparison.

Where an output jumps (sign, rounding, comparison) it changes at a major step or, with an adaptive solver, at the
instant itself, which is located as an event; kinks (absolute value, minimum and maximum) are located too.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

import numpy as np

from blocks.basic.common import ModeBlock, NumberedPorts, numbered_inputs
from blocks.basic.letters import Letters
from blocks.block import Block, Sizes, Units
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Sources, each, whole
from blocks.model.derived import Crossing
from blocks.signal import AnySignal, Signal
from blocks.unit_products import product

Angles = Signal("Angles", ("n",), "rad")


class Gain(Block):
    """A factor, element by element: y_i = K_i u_i.

    u, y: input and output, n, in any unit; K: `gain`, n, or one number for all elements.
    """

    kernel = "gain"
    sizes = ("n",)
    positional = ("gain",)

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "its multiple", depends=each("u", "gain"))
    gain = Parameter(1.0, shape=("n",), unit=None, doc="factor K, per element or one for all")

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of the input, times that in which the gain is given."""
        gain = self.given_units.get("gain", "1")
        return tuple(unit and product((unit, 1), (gain, 1)) for unit in inputs["u"])


class MatrixGain(Block):
    """A matrix: y = K u.

    u: input, columns of K, in any unit; y: output, rows of K; K: `matrix`, rows × columns.

    Raises ParameterError if K is not a matrix.
    """

    examples = ({"matrix": [[1.0, 2.0], [3.0, 4.0], [0.0, 1.0]]},)

    kernel = "matrix_gain"
    sizes = ("rows", "columns")
    positional = ("matrix",)

    u = Input(Signal("Any", ("columns",)), "any signal")
    y = Output(Signal("Any", ("rows",)), "the product", depends=whole("u", "matrix"))
    matrix = Parameter(shape=("rows", "columns"), unit=None, doc="matrix K, row by row")

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """That of the input, where all its elements have the same, times that in which the matrix is given."""
        units = set(inputs["u"])
        unit = units.pop() if len(units) == 1 else None
        return (unit and product((unit, 1), (self.given_units.get("matrix", "1"), 1)),) * len(self.matrix)

    def validate(self) -> None:
        """A matrix indeed."""
        if np.ndim(self.matrix) != 2:
            raise ParameterError(
                f"{self._called()}.matrix must be an array of rows×columns, not the single number {self.matrix:g}; "
                f"a Gain multiplies all elements by one number"
            )


class Sum(NumberedPorts, Block):
    """A sum: y = Σ_j s_j u_j, element by element.

    u_j: inputs `in1`, `in2`, …, n, all in the unit of the first; s_j: +1 or -1 by the letters of `signs`, of which
    there is one per input: "+-" is in1 - in2; y: output, n.

    Raises ParameterError for other letters than + and -.
    """

    examples = ({"signs": "+-"}, {"signs": "-++"})

    kernel = "sum"
    alike = True
    sizes = ("n", "inputs")
    positional = ("signs",)

    y = Output(AnySignal, "the sum", like="in1")
    signs = Letters("++", {"+": 1.0, "-": -1.0}, size="inputs", doc="sign of each input")

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """One input per sign."""
        return numbered_inputs(len(self.signs), "a term")

    def known_sizes(self) -> dict[str, int]:
        """The number of inputs follows from the signs."""
        return super().known_sizes() | {"inputs": len(self.signs)}

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Element by element on each input."""
        return each(*self.input_ports)


class Product(NumberedPorts, Block):
    """A product: y = Π_j u_j or 1/u_j, element by element.

    u_j: inputs `in1`, `in2`, …, n, in any unit, multiplied ("*") or divided by ("/") by the letters of `operations`, of
    which there is one per input: "*/" is in1/in2; y: output, n. A division by zero stops the run.

    Raises ParameterError for other letters than * and /.
    """

    examples = ({"operations": "*/"}, {"operations": "***"})

    kernel = "product"
    sizes = ("n", "inputs")
    positional = ("operations",)

    y = Output(AnySignal, "the product")
    operations = Letters("**", {"*": 1.0, "/": -1.0}, size="inputs", doc="operation of each input")

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """One input per operation."""
        return numbered_inputs(len(self.operations), "a factor")

    def known_sizes(self) -> dict[str, int]:
        """The number of inputs follows from the operations."""
        return super().known_sizes() | {"inputs": len(self.operations)}

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Element by element on each input."""
        return each(*self.input_ports)

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """The product of those of the inputs, with their operations."""
        powers = [1 if letter == "*" else -1 for letter in self.operations]
        parts = list(zip(*inputs.values(), strict=False))
        return tuple(product(*zip(units, powers, strict=True)) if None not in units else None for units in parts)


class MinMax(NumberedPorts, Block):
    """The least or the greatest of several inputs, element by element.

    u_j: inputs `in1`, `in2`, … as many as `count`, n, all in the unit of the first; y: output, n.

    Raises ParameterError for fewer than two inputs.
    """

    examples = ({"function": "min"}, {"function": "max", "count": 3})

    kernel = "min_max"
    alike = True
    sizes = ("n", "count")
    positional = ("function",)

    y = Output(AnySignal, "the extreme", like="in1")
    function = Parameter("min", choices=("min", "max"), doc="which extreme")
    count = Parameter(2, integer=True, at_least=2, at_most=1000, structural=True, doc="number of inputs")

    extremes = Crossing("distance of each input from the extreme of the others", shape=("n", "count"))

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """As many as `count`."""
        return numbered_inputs(self.count, "a candidate")

    def known_sizes(self) -> dict[str, int]:
        """The number of inputs is a parameter."""
        return super().known_sizes() | {"count": self.count}

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Element by element on each input."""
        return each(*self.input_ports) | whole("function")


class Function(Block):
    """An elementary function, element by element: y = f(u).

    u, y: input and output, n; angles are in rad. f: `function`, among abs, sqrt, square, reciprocal, exp, log
    (natural), log10, sin, cos, tan, asin, acos, atan, sinh, cosh, tanh. Outside its domain a function has no number,
    which stops the run. For functions that jump see `Sign` and `Rounding`.
    """

    examples = ({"function": "abs"}, {"function": "sin"}, {"function": "square"})

    kernel = "function"
    sizes = ("n",)
    positional = ("function",)

    u = Input(AnySignal, "the argument")
    y = Output(AnySignal, "f(u)", depends=each("u"))
    function = Parameter(
        "abs",
        choices=(
            "abs", "sqrt", "square", "reciprocal", "exp", "log", "log10", "sin", "cos", "tan", "asin", "acos", "atan",
            "sinh", "cosh", "tanh",
        ),
        doc="which function f", structural=True,
    )  # fmt: skip

    kink = Crossing("of the absolute value", shape=("n",), when=lambda block: block.function == "abs")

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """The unit to a power, an angle, or none."""
        power = _POWERS.get(self.function)
        if power is not None:
            return tuple(unit and product((unit, power)) for unit in inputs["u"])
        return ("rad" if self.function in ("asin", "acos", "atan") else "1",) * len(inputs["u"])


_POWERS = {"abs": Fraction(1), "sqrt": Fraction(1, 2), "square": Fraction(2), "reciprocal": Fraction(-1)}


class Atan2(Block):
    """The angle of a vector: y = atan2(u1, u2), rad, in [-π, π].

    u1: component across the zero direction, u2: component along it, n each, in equal units; y: output, n. For
    components in NED, atan2(east, north) is the course from north.
    """

    kernel = "atan2"
    sizes = ("n",)

    u1 = Input(AnySignal, "component across the zero direction")
    u2 = Input(AnySignal, "component along the zero direction")
    y = Output(Angles, "the angle", depends=each("u1", "u2"))


class WrapAngle(Block):
    """The same direction as an angle in one turn: y = u - 2π k with a whole number k.

    range="symmetric": y in [-π, π), for errors and headings to port and starboard
    range="positive":  y in [0, 2π), for compass headings

    u, y: input and output, n, rad. The jumps are events.
    """

    kernel = "wrap_angle"
    sizes = ("n",)
    positional = ("range",)

    u = Input(Angles, "any angle")
    y = Output(Angles, "the angle within one turn", depends=each("u") | whole("range"))
    range = Parameter("symmetric", choices=("symmetric", "positive"), doc="which turn")

    jump = Crossing("0 where the angle is at an end of its range", shape=("n",))


class _Held(ModeBlock, abstract=True):
    """The base of blocks whose output jumps: it is a mode, which changes at events only."""

    sizes = ("n",)

    jump = Crossing("0 where the output jumps", shape=("n",))


class Sign(_Held):
    """The sign: y = 1 where u > 0, -1 where u < 0, 0 where u = 0.

    u: input, n, in any unit; y: output, n.
    """

    kernel = "sign"

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "1, 0 or -1", depends=each("level"))
    level = State(AnySignal, "the present output", discrete=True, private=True, depends=each("u"))


class Rounding(_Held):
    """A whole number near the input, element by element.

    function="round": the nearest, halves away from zero; "floor": the next below; "ceil": the next above; "truncate":
    the next towards zero.

    u, y: input and output, n, in any unit. For steps of another size see `Quantizer`.
    """

    kernel = "rounding"
    positional = ("function",)

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "whole numbers", like="u", depends=each("level"))
    function = Parameter("round", choices=("round", "floor", "ceil", "truncate"), doc="which whole number")
    level = State(AnySignal, "the present output", discrete=True, private=True, depends=each("u") | whole("function"))


class Compare(_Held):
    """A comparison, element by element: y = 1 where "u1 relation u2" holds, 0 where it does not.

    u1, u2: inputs, n, in equal units; `relation`: "<", "<=", "==", "!=", ">=" or ">"; y: output, n. `MinMax` of such
    outputs is "and" (min) or "or" (max).
    """

    kernel = "compare"
    alike = True
    positional = ("relation",)

    u1 = Input(AnySignal, "left side")
    u2 = Input(AnySignal, "right side", default=0.0)
    y = Output(AnySignal, "1 or 0", depends=each("level"))
    relation = Parameter(">=", choices=("<", "<=", "==", "!=", ">=", ">"), doc="what is asked of u1 and u2")
    level = State(
        AnySignal, "the present output", discrete=True, private=True, depends=each("u1", "u2") | whole("relation")
    )
