"""Sources: constant, clock, step, ramp, sine, pulse and time series.

What jumps in time (step, pulse, held time series) does so at that very instant with every solver: fixed-step solvers
end a step there and take another back to their grid, adaptive ones locate it as an event. The step that ends at the
jump does not see beyond it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from blocks.basic.common import check_increasing, given_unit
from blocks.block import Block, Units
from blocks.errors import ParameterError
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import TIME, each, whole
from blocks.model.derived import Crossing
from blocks.signal import AnySignal, Number, Time


class Constant(Block):
    """A constant: y = c.

    y, c: output and `value`, n, in any unit. A single number fills whatever it is wired to.
    """

    kernel = "constant"
    levels = ("value",)
    sizes = ("n",)
    positional = ("value",)

    y = Output(AnySignal, "the constant", feedthrough=False, depends=each("value"))
    value = Parameter(0.0, shape=("n",), unit=None, doc="the constant c")

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """That in which it is given."""
        return given_unit(self)


class Clock(Block):
    """The time: y = t, s."""

    kernel = "clock"
    uses_time = True

    y = Output(Time, "the time of the simulation", feedthrough=False, depends=whole(TIME))


class Step(Block):
    """A step: y = `before` until `time`, and `after` from then on.

    y: output, n, in any unit; `before`, `after`: n; `time`: s. The instant is an event.
    """

    kernel = "step"
    levels = ("after", "before")
    sizes = ("n",)

    y = Output(AnySignal, "the level", feedthrough=False, depends=each("before", "after") | whole("passed"))
    time = Parameter(1.0, unit="s", doc="when the level changes")
    before = Parameter(0.0, shape=("n",), unit=None, doc="level before")
    after = Parameter(1.0, shape=("n",), unit=None, doc="level after")

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """That in which a level is given."""
        return given_unit(self)

    passed = State(
        Number,
        "1 once the time is reached",
        discrete=True,
        private=True,
        depends=whole("time", TIME),
        start=whole("time", TIME),
    )

    instant = Crossing("time less the instant of the step", unit="s")


class Ramp(Block):
    """A ramp: y = y_0 + a max(0, t - t_0).

    y: output, n, in any unit; a: `slope`, n, 1/s of it; t_0: `start_time`, s; y_0: `offset`, n. The start is an event.
    """

    kernel = "ramp"
    sizes = ("n",)
    positional = ("slope",)
    uses_time = True

    y = Output(AnySignal, "the ramp", feedthrough=False, depends=each("slope", "offset") | whole("start_time", TIME))
    slope = Parameter(1.0, shape=("n",), unit=None, doc="slope a, per second")
    start_time = Parameter(0.0, unit="s", doc="when the ramp begins, t_0")
    offset = Parameter(0.0, shape=("n",), unit=None, doc="level before the ramp, y_0")

    instant = Crossing("time less the start", unit="s")


class Sine(Block):
    """A sine: y = y_0 + A sin(ω t + φ).

    y: output, n, in any unit; A: `amplitude`, n; ω: `frequency`, rad/s, n; φ: `phase`, rad, n; y_0: `offset`, n.
    """

    kernel = "sine"
    levels = ("amplitude", "offset")
    sizes = ("n",)
    positional = ("amplitude", "frequency", "phase")
    uses_time = True

    y = Output(
        AnySignal,
        "the sine",
        feedthrough=False,
        depends=each("amplitude", "frequency", "phase", "offset") | whole(TIME),
    )
    amplitude = Parameter(1.0, shape=("n",), unit=None, doc="amplitude A")
    frequency = Parameter(1.0, shape=("n",), unit="rad/s", doc="angular frequency ω")
    phase = Parameter(0.0, shape=("n",), unit="rad", doc="phase φ at time 0")
    offset = Parameter(0.0, shape=("n",), unit=None, doc="mean y_0")

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """That in which the amplitude or the mean is given."""
        return given_unit(self)


class Pulse(Block):
    """A train of pulses: y = A while k T ≤ t - t_0 < (k + w) T, k = 0, 1, …; 0 otherwise.

    y: output, n, in any unit; A: `amplitude`, n; T: `period`, s; w: `width`, the part of the period that is on, between
    0 and 1; t_0: `delay`, s. Every edge is an event.

    Raises ParameterError if the period is not positive or the width is not between 0 and 1.
    """

    examples = ({"period": 0.4},)

    kernel = "pulse"
    levels = ("amplitude",)
    sizes = ("n",)

    y = Output(AnySignal, "the pulses", feedthrough=False, depends=each("amplitude") | whole("edges"))
    amplitude = Parameter(1.0, shape=("n",), unit=None, doc="height A of a pulse")
    period = Parameter(unit="s", above=0.0, doc="from one pulse to the next, T")
    width = Parameter(0.5, above=0.0, below=1.0, doc="part of the period that is on, w")
    delay = Parameter(0.0, unit="s", doc="when the first pulse begins, t_0")

    def output_units(self, output: str, inputs: Mapping[str, Units]) -> Units:
        """That in which the height is given."""
        return given_unit(self)

    edges = State(
        Number,
        "how many edges have passed",
        discrete=True,
        private=True,
        depends=whole("period", "width", "delay", TIME),
        start=whole("period", "width", "delay", TIME),
    )

    edge = Crossing("time less that of the next edge", unit="s")


class TimeSeries(Block):
    """A signal given at instants: recorded data, or inputs of a run.

    interpolation="linear":  y = y_k + (y_{k+1} - y_k) (t - t_k)/(t_{k+1} - t_k)  for t_k ≤ t < t_{k+1}
    interpolation="hold":    y = y_k

    Before the first instant y is the first row, after the last one the last row.

    t_k: `times`, m, s; y_k: `data`, m×n, in any unit, where one column may be given as a plain array; y: output, n.
    Every t_k is an event, so adaptive solvers step from one to the next.

    Raises ParameterError if the times do not increase or if there is not one row of data for each.
    """

    examples = (
        {"times": [0.0, 1.0, 3.0], "data": [0.0, 2.0, 1.0]},
        {"times": [0.0, 1.0, 3.0], "data": [0.0, 2.0, 1.0], "interpolation": "hold"},
    )

    kernel = "time_series"
    sizes = ("n", "m")
    positional = ("times", "data")
    uses_time = True

    y = Output(
        AnySignal,
        "the signal",
        feedthrough=False,
        depends=whole("times", "data", "interpolation", "interval", TIME),
    )
    times = Parameter(shape=("m",), unit="s", doc="instants t_k")
    data = Parameter(shape=("m", "n"), unit=None, doc="values y_k, a row per instant")
    interpolation = Parameter("linear", choices=("linear", "hold"), doc="what y is between two instants")

    interval = State(
        Number,
        "last instant that is reached",
        discrete=True,
        private=True,
        depends=whole("times", TIME),
        start=whole("times", TIME),
    )

    instant = Crossing("time less the next instant", unit="s")

    def set(self, **given: Any) -> None:
        """Change parameters; a plain array of data is one column."""
        data = given.get("data")
        if isinstance(data, (list, tuple, np.ndarray)) and len(data) and not any(map(_is_row, data)):
            given["data"] = [[value] for value in data]
        super().set(**given)

    def validate(self) -> None:
        """Increasing times, and data for them."""
        check_increasing(self, "times", at_least=1)
        if np.ndim(self.data) != 2:
            raise ParameterError(
                f"{self._called()}.data must have a row for each of the {len(self.times)} times, "
                f"not be the single number {self.data:g}"
            )


def _is_row(value: Any) -> bool:
    return isinstance(value, (list, tuple)) or (isinstance(value, np.ndarray) and value.ndim > 0)
