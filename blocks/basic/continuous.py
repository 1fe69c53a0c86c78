"""Blocks with continuous states: integrators, lag, derivative, transfer function, state space."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from blocks.basic.common import NO_LIMIT, AnyScalar, ModeBlock, check_limits, rate_units
from blocks.block import Block, Sizes, Units
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Sources, each, matrix, whole
from blocks.model.derived import Crossing, Derived
from blocks.signal import AnySignal, Signal


class Integrator(Block):
    """An integrator: dx/dt = u, y = x.

    u: input, n, in any unit; x, y: state and output, n, in that unit times s. For limits see `LimitedIntegrator`.
    """

    kernel = "integrator"
    sizes = ("n",)

    u = Input(AnySignal, "rate of change")
    y = Output(AnySignal, "the integral", state="x")
    x = State(AnySignal, "the integral", depends=each("u"))

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of the input, times s."""
        return rate_units(inputs, 1)


class LimitedIntegrator(ModeBlock):
    """An integrator that does not wind up: dx/dt = 0 at a limit while u drives x further, else u; y = x.

    u: input, n, in any unit; x, y: state and output, n, in that unit times s; `lower`, `upper`: n. Reaching a limit and
    leaving it are events. With fixed steps x may pass the limit by what the last step brought; y does not.

    Raises ParameterError if a lower limit exceeds its upper limit or the initial value is outside.
    """

    examples = ({"lower": -0.5, "upper": 0.5},)

    kernel = "limited_integrator"
    sizes = ("n",)
    positional = ("lower", "upper")

    u = Input(AnySignal, "rate of change")
    y = Output(
        AnySignal,
        "the integral within its limits",
        feedthrough=False,
        depends=each("x", "lower", "upper"),
        within=("lower", "upper"),
    )
    lower = Parameter(-NO_LIMIT, shape=("n",), unit=None, doc="lower limit")
    upper = Parameter(NO_LIMIT, shape=("n",), unit=None, doc="upper limit")
    x = State(AnySignal, "the integral", depends=each("u", "held"))
    held = State(
        AnySignal,
        "1 at the upper limit, -1 at the lower one, else 0",
        discrete=True,
        private=True,
        depends=each("u", "x", "lower", "upper"),
    )

    turning = Crossing("0 where a limit is reached, or left", shape=("n",))

    def validate(self) -> None:
        """Limits in order, and the start between them."""
        check_limits(self, "lower", "upper")
        check_limits(self, "lower", "initial_x")
        check_limits(self, "initial_x", "upper")

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of the input, times s."""
        return rate_units(inputs, 1)


class FirstOrderLag(Block):
    """A first-order lag: T dx/dt = u - x, y = x, the transfer function 1/(T s + 1).

    u, x, y: input, state and output, n, in any unit; T: `time_constant`, s, n.

    Raises ParameterError if a time constant is not positive.
    """

    examples = ({"time_constant": 0.5},)

    kernel = "first_order_lag"
    sizes = ("n",)
    positional = ("time_constant",)

    u = Input(AnySignal, "what is followed")
    y = Output(AnySignal, "what follows", like="u", state="x")
    time_constant = Parameter(shape=("n",), unit="s", above=0.0, doc="time constant T")
    x = State(AnySignal, "what follows", depends=each("u", "x", "time_constant"))


class Derivative(Block):
    """A filtered derivative: y = (u - x)/T, T dx/dt = u - x, the transfer function s/(T s + 1).

    u, x: input and state, n, in any unit; y: output, n, in that unit per s; T: `time_constant`, s, n, which has to be a
    few times the solver's step. For no transient at the start let `initial_x` be the first value of u.

    Raises ParameterError if a time constant is not positive.
    """

    examples = ({"time_constant": 0.5},)

    kernel = "derivative"
    sizes = ("n",)
    positional = ("time_constant",)

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "its rate of change", depends=each("u", "x", "time_constant"))
    time_constant = Parameter(shape=("n",), unit="s", above=0.0, doc="time constant T of the filter")
    x = State(AnySignal, "the filtered signal", depends=each("u", "x", "time_constant"))


def _begins_with_zero(block: Any) -> bool:
    """True if the numerator could come to be of a higher degree, and with that bring direct feedthrough."""
    return len(_polynomial(block.numerator)) < len(np.atleast_1d(block.numerator))

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of the input, by s."""
        return rate_units(inputs, -1)


class TransferFunction(Block):
    """A transfer function with one input and one output: y(s)/u(s) = (b_0 s^m + … + b_m)/(a_0 s^k + … + a_k), m ≤ k.

    u, y: input and output, in any unit; b, a: `numerator` and `denominator`, highest power first. Realised in
    controllable canonical form, so x_1 is u filtered by the denominator alone, and x_2, x_3, … are its derivatives:

    dx_i/dt = x_{i+1},  dx_k/dt = u - (a_k x_1 + … + a_1 x_k)/a_0,  y = c x + d u,  d = b_0/a_0 if m = k, else 0

    Without d the output does not depend on the input at the same instant.

    Raises ParameterError if the numerator is of higher degree than the denominator (such a function has no states to
    realise it; use `Derivative`), if the denominator begins with 0, or if it is a single number (use `Gain`).

    Source: Kailath (1980), Linear Systems, sec. 2.1 (controller canonical form).
    """

    examples = (
        {"numerator": [1.0, 2.0], "denominator": [1.0, 0.5, 1.0]},
        {"numerator": [2.0, 1.0, 0.0], "denominator": [1.0, 0.5, 1.0]},
    )

    kernel = "transfer_function"
    sizes = ("m", "k")
    positional = ("numerator", "denominator")

    u = Input(AnyScalar, "any signal")
    y = Output(AnyScalar, "the response")
    numerator = Parameter(
        shape=("m",),
        unit=None,
        structural=_begins_with_zero,
        doc="coefficients b, highest power first",
    )
    denominator = Parameter(shape=("k",), unit=None, doc="coefficients a, highest power first")
    x = State(Signal("Any", ("order",)), "state in controllable canonical form")

    d = Derived("direct feedthrough d")
    c = Derived("c of the controllable canonical form, with a monic denominator, lowest power first", shape=("k-1",))
    a = Derived("its denominator a, lowest power first", shape=("k-1",))

    def known_sizes(self) -> dict[str, int]:
        """Lengths of the polynomials, and the order."""
        sizes = super().known_sizes()
        sizes.setdefault("m", 1)
        order = sizes.setdefault("k", 1) - 1
        if sizes.setdefault("order", order) != order:
            raise ParameterError(
                f"{self._called()}.initial_x must have {order} elements, as the denominator is of degree {order}, "
                f"not {sizes['order']}"
            )
        return sizes

    def validate(self) -> None:
        """A proper transfer function with a state."""
        denominator = np.atleast_1d(self.denominator)
        degree = len(_polynomial(self.numerator)) - 1
        order = len(denominator) - 1
        if order < 1:
            raise ParameterError(
                f"{self._called()}.denominator must have at least two coefficients, not one; "
                f"a constant factor is a Gain"
            )
        if denominator[0] == 0.0:
            raise ParameterError(f"{self._called()}.denominator must not begin with 0: leave leading zeros out")
        if degree > order:
            raise ParameterError(
                f"{self._called()} is not proper: its numerator is of degree {degree}, its denominator of degree "
                f"{order}, and must be at least of the same degree; for a rate of change use a Derivative"
            )

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Only if numerator and denominator are of one degree."""
        return ("u",) if len(_polynomial(self.numerator)) == len(self.denominator) else ()

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On all states, and on the input if there is direct feedthrough."""
        return whole("x", "numerator", "denominator", *self.feedthrough(output))

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """A chain: each on the next, and the last on the input and all of them."""
        last = np.zeros((sizes["order"], 1))
        last[-1] = 1.0
        chain = np.eye(sizes["order"], k=1) + last
        return {"x": matrix(chain), "u": matrix(last), "denominator": matrix(last)}

    def resizable_sizes(self) -> dict[str, list[str]]:
        """None: the lengths of the polynomials decide the order and the feedthrough."""
        return {}


def _polynomial(coefficients: Any) -> Any:
    """Without leading zeros."""
    return np.trim_zeros(np.atleast_1d(coefficients), "f")


def _is_zero(block: Any) -> bool:
    """True if there is no feedthrough matrix: another one would bring direct feedthrough."""
    return not np.any(block.D)


class StateSpace(Block):
    """A linear system: dx/dt = A x + B u, y = C x + D u.

    u, y: input, m, and output, p, in any unit; x: state, n; A: n×n, B: n×m, C: p×n, D: p×m. Single numbers are 1×1, but
    D = 0 has the shape that it needs. Without D the output does not depend on the input at the same instant.

    Raises ParameterError if A is not square or the shapes do not go together.
    """

    examples = (
        {"A": [[0.0, 1.0], [-1.0, -0.5]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0]], "D": [[0.5]]},
        {"A": [[0.0, 1.0], [-1.0, -0.5]], "B": [[0.0], [1.0]], "C": [[1.0, 0.0]]},
    )

    kernel = "state_space"
    sizes = ("n", "m", "p")
    positional = ("A", "B", "C", "D")

    u = Input(Signal("Any", ("m",)), "any signal")
    y = Output(Signal("Any", ("p",)), "the response")
    A = Parameter(shape=("n", "n"), unit=None, doc="system matrix")
    B = Parameter(shape=("n", "m"), unit=None, doc="input matrix")
    C = Parameter(shape=("p", "n"), unit=None, doc="output matrix")
    D = Parameter(0.0, shape=("p", "m"), unit=None, structural=_is_zero, doc="feedthrough matrix")
    x = State(Signal("Any", ("n",)), "state", depends=whole("x", "u", "A", "B"))

    direct = Derived("1 if D has an element that is not 0")

    def known_sizes(self) -> dict[str, int]:
        """States, inputs and outputs, by the shapes of A, B and C."""
        (n, columns), (rows_b, m), (p, columns_c) = (np.shape(np.atleast_2d(v)) for v in (self.A, self.B, self.C))
        called = self._called()
        if n != columns:
            raise ParameterError(f"{called}.A must be square, not {n}×{columns}")
        if rows_b != n:
            raise ParameterError(f"{called}.B must have {n} rows, one per state as A, not {rows_b}")
        if columns_c != n:
            raise ParameterError(f"{called}.C must have {n} columns, one per state as A, not {columns_c}")
        shape = np.shape(self.D) or ((1, 1) if self.D != 0.0 else (p, m))
        if shape != (p, m):
            raise ParameterError(
                f"{called}.D must be an array of {p}×{m}, as many rows as C and columns as B, not {shape[0]}×{shape[1]}"
            )
        initial = np.shape(self.values["initial_x"])
        if initial not in ((), (n,)):
            raise ParameterError(f"{called}.initial_x must have {n} elements, one per state, not {initial[0]}")
        return {"n": n, "m": m, "p": p}

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Only if D is not 0."""
        return ("u",) if np.any(self.D) else ()

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On all states, and on all inputs if there is direct feedthrough."""
        return whole("x", "C", "D", *self.feedthrough(output))
