"""Sampled blocks: unit delay, delay, zero-order hold, discrete integrator.

They run at their own `period`, the first time at `offset` after the start, and hold their output in between.
"""

from __future__ import annotations

from collections.abc import Mapping

from blocks.basic.common import rate_units
from blocks.block import Block, Sizes, Units
from blocks.model.declare import AT_START, Input, Output, Parameter, State
from blocks.model.dependence import Sources, each, each_row, whole
from blocks.signal import AnySignal, Number, Signal


class UnitDelay(Block):
    """A delay by one sample: y[k] = u[k-1], y[0] = `initial_x`.

    u, y: input and output, n, in any unit; `period`, `offset`: s. The output does not depend on the input at the same
    instant, so a unit delay breaks an algebraic loop.
    """

    examples = ({"period": 0.1},)

    kernel = "unit_delay"
    sizes = ("n",)
    sampled = True

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "its last sample", feedthrough=False, like="u", depends=each("x"))
    x = State(AnySignal, "the last sample", discrete=True)


class Delay(Block):
    """A delay by several samples: y[k] = u[k-N], y[k] = `initial` for k < N.

    u, y: input and output, n, in any unit; N: `samples`; `initial`: n; `period`, `offset`: s. A dead time τ is N = τ/T
    samples of period T.

    Raises ParameterError unless N is a whole number of at least 1.
    """

    examples = ({"samples": 3, "period": 0.1},)

    kernel = "delay"
    sizes = ("n", "samples")
    positional = ("samples",)
    sampled = True

    u = Input(AnySignal, "any signal")
    y = Output(
        AnySignal,
        "the sample of N periods ago",
        feedthrough=False,
        like="u",
        depends=each_row("ring") | whole("oldest"),
    )
    samples = Parameter(integer=True, at_least=1, at_most=10_000_000, structural=True, doc="delay N in samples")
    initial = Parameter(0.0, shape=("n",), unit=None, fixed=AT_START, doc="output before the first sample is through")
    ring = State(
        Signal("Any", ("samples", "n")), "samples under way", discrete=True, private=True, start=whole("initial")
    )
    oldest = State(Number, "which of them is the oldest", discrete=True, private=True, start={})

    def known_sizes(self) -> dict[str, int]:
        """How many samples are under way is a parameter."""
        return super().known_sizes() | {"samples": self.samples}


class ZeroOrderHold(Block):
    """Samples its input and holds it: y(t) = u(t_k) for t_k ≤ t < t_{k+1}.

    u, y: input and output, n, in any unit; `period`, `offset`: s.
    """

    examples = ({"period": 0.1},)

    kernel = "zero_order_hold"
    sizes = ("n",)
    sampled = True

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "its present sample", like="u", depends=each("u"))


class DiscreteIntegrator(Block):
    """An integrator of samples, with one of three rules. In each of them x[k+1] = x[k] + T u[k], and

    method="forward":      y[k] = x[k]               (forward Euler; no direct feedthrough)
    method="trapezoidal":  y[k] = x[k] + T u[k]/2    (Tustin)
    method="backward":     y[k] = x[k] + T u[k]      (backward Euler)

    u: input, n, in any unit; x, y: state and output, n, in that unit times s; T: `period`, s.

    Source: Franklin, Powell and Workman (1998), Digital Control of Dynamic Systems, sec. 6.1.
    """

    examples = ({"period": 0.1}, {"period": 0.1, "method": "trapezoidal"}, {"period": 0.1, "method": "backward"})

    kernel = "discrete_integrator"
    sizes = ("n",)
    positional = ("method",)
    sampled = True

    u = Input(AnySignal, "rate of change")
    y = Output(AnySignal, "the integral")
    method = Parameter(
        "forward", choices=("forward", "trapezoidal", "backward"), doc="rule of integration", structural=True
    )
    x = State(AnySignal, "the sum so far", discrete=True)

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """None in the forward rule."""
        return () if self.method == "forward" else ("u",)

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On the sum, and on the input unless the rule is forward."""
        return each("x", *self.feedthrough(output))

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """Those of the input, times s."""
        return rate_units(inputs, 1)
