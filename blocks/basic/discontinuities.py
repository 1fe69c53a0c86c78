"""Discontinuities: saturation, dead zone, quantizer, rate limiter. What happens at a limit is located as an event."""

from __future__ import annotations

from blocks.basic.common import NO_LIMIT, ModeBlock, check_limits
from blocks.block import Block
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import TIME, each, whole
from blocks.model.derived import Crossing
from blocks.signal import AnySignal, Time


class Saturation(Block):
    """Limits: y = `lower` where u < `lower`, `upper` where u > `upper`, else u.

    u, y: input and output, n, in any unit; `lower`, `upper`: n, and no limit where not given.

    Raises ParameterError if a lower limit exceeds its upper limit.
    """

    examples = ({"lower": -0.5, "upper": 0.5},)

    kernel = "saturation"
    sizes = ("n",)
    positional = ("lower", "upper")

    u = Input(AnySignal, "any signal")
    y = Output(
        AnySignal,
        "the signal within its limits",
        like="u",
        depends=each("u", "lower", "upper"),
        within=("lower", "upper"),
    )
    lower = Parameter(-NO_LIMIT, shape=("n",), unit=None, doc="lower limit")
    upper = Parameter(NO_LIMIT, shape=("n",), unit=None, doc="upper limit")

    limits = Crossing("distance from the lower and the upper limit", shape=("n", 2))

    def validate(self) -> None:
        """Limits in order."""
        check_limits(self, "lower", "upper")


class DeadZone(Block):
    """A dead zone: y = 0 between `lower` and `upper`, u - `lower` below and u - `upper` above.

    u, y: input and output, n, in any unit; `lower`, `upper`: n.

    Raises ParameterError if a lower limit exceeds its upper limit.
    """

    kernel = "dead_zone"
    sizes = ("n",)
    positional = ("lower", "upper")

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "how far the signal is outside the zone", like="u", depends=each("u", "lower", "upper"))
    lower = Parameter(-1.0, shape=("n",), unit=None, doc="lower end of the zone")
    upper = Parameter(1.0, shape=("n",), unit=None, doc="upper end of the zone")

    limits = Crossing("distance from the lower and the upper limit", shape=("n", 2))

    def validate(self) -> None:
        """Limits in order."""
        check_limits(self, "lower", "upper")


class Quantizer(ModeBlock):
    """Steps of a resolution: y = q round(u/q), halves away from zero.

    u, y: input and output, n, in any unit; q: `interval`, n. The output changes at a major step or, with an adaptive
    solver, where the input crosses from one step to the next.

    Raises ParameterError if an interval is not positive.
    """

    examples = ({"interval": 0.25},)

    kernel = "quantizer"
    sizes = ("n",)
    positional = ("interval",)

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "the nearest multiple of the interval", like="u", depends=each("level"))
    interval = Parameter(shape=("n",), unit=None, above=0.0, doc="resolution q")
    level = State(AnySignal, "the present output", discrete=True, private=True, depends=each("u", "interval"))

    steps = Crossing("distance from the next step", shape=("n",))


_FOLLOWED = each("u", "output", "rising", "falling") | whole("time", TIME)


class RateLimiter(Block):
    """Follows its input no faster than allowed: -F ≤ dy/dt ≤ R, from `initial_output` on.

    y(t) = y_p + min(max(u - y_p, -F (t - t_p)), R (t - t_p)), with t_p, y_p: time and output of the last major step

    u, y: input and output, n, in any unit; R: `rising`, F: `falling`, both positive, n, in that unit per s. While the
    output lags behind, it is exact, and the instant at which it catches up is an event; an input that begins to be too
    fast is noticed at the next major step, so `step` or `max_step` of the run should resolve it.

    Raises ParameterError if a rate is not positive.
    """

    examples = ({"rising": 1.0, "falling": 2.0},)

    kernel = "rate_limiter"
    sizes = ("n",)
    positional = ("rising", "falling")
    uses_time = True

    u = Input(AnySignal, "any signal")
    y = Output(AnySignal, "the signal with limited slope", like="u", depends=_FOLLOWED)
    rising = Parameter(shape=("n",), unit=None, above=0.0, doc="greatest slope R, per second")
    falling = Parameter(shape=("n",), unit=None, above=0.0, doc="greatest downward slope F, per second, positive")
    output = State(
        AnySignal, "output at the last major step", discrete=True, depends=_FOLLOWED, start=each("initial_output")
    )
    lagging = State(
        AnySignal,
        "1 below the input, -1 above it, 0 with it",
        discrete=True,
        private=True,
        depends=_FOLLOWED,
        start={},
    )
    time = State(
        Time, "time of the last major step", discrete=True, private=True, depends=whole(TIME), start=whole(TIME)
    )

    gap = Crossing("between output and input, while the output lags behind", shape=("n",))
