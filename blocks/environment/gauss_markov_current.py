"""A current that wanders about a mean."""

from __future__ import annotations

from blocks.basic.common import NO_LIMIT, check_limits
from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.declare import Output, Parameter, State
from blocks.model.dependence import TIME, between, rows, whole
from blocks.model.derived import Derived
from blocks.signal import Number, Signal, Velocity

_Beside = Signal("Beside", (3,), ("m/s", "rad", "m/s"), None, ("speed", "direction", "vertical"))
_DEVIATIONS = ("speed_deviation", "direction_deviation", "vertical_deviation")


class GaussMarkovCurrent(Block):
    """A current whose speed, direction and vertical velocity wander about their means, the same everywhere.

    current = (V_c cos β_c, V_c sin β_c, w_c)
    dv/dt + μ v = w,  v = V_c - V̄_c, β_c - β̄_c, w_c - w̄_c,  μ = 1/τ,  S_w = 2 μ σ²
    v_{k+1} = e^{-T/τ} v_k + σ √(1 - e^{-2T/τ}) N(0, 1)

    V̄_c: `speed`, m/s; β̄_c: `direction` that the water flows **to**, from north, clockwise, rad; w̄_c: `vertical`,
    positive down, m/s; σ: `speed_deviation`, m/s, `direction_deviation`, rad, `vertical_deviation`, m/s, standard
    deviations; τ: `speed_time`, `direction_time`, `vertical_time`, correlation times, s; w: white noise of the
    two-sided spectral density S_w; T: `period`, s; `current`: velocity of the water, north, east, down, 3, m/s, held
    from sample to sample.

    The third line is the exact solution of the second from sample to sample, so that σ and τ are right for any period.
    The processes begin anywhere within their distributions. Autocorrelation: σ² e^{-|t|/τ}.

    **Limits.** V_c is held between `lowest_speed` and `highest_speed`; at a limit it waits, and leaves as soon as the
    noise points back. Where σ is not small beside the distance to a limit, mean and deviation are no longer what is
    given. Without negative speeds a current of small mean does not turn about by itself: its direction says where to.

    Random numbers are functions of `seed`, the block's name and the number of the sample, counted from time 0: a run
    repeats exactly, however it is interrupted and resumed.

    Raises ParameterError if a deviation is negative, a correlation time or the period is not positive, or the speed is
    not within its limits.

    Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 8.3; Brown and Hwang (2012),
    Introduction to Random Signals and Applied Kalman Filtering (the exact step).
    """

    examples = (
        {
            "speed": 0.3,
            "direction": 0.7,
            "vertical": 0.1,
            "speed_deviation": 0.1,
            "direction_deviation": 0.2,
            "vertical_deviation": 0.05,
            "lowest_speed": 0.25,
            "highest_speed": 0.4,
            "period": 0.5,
        },
    )

    kernel = "gauss_markov_current"
    sampled = True
    positional = ("speed", "direction")

    current = Output(
        Velocity,
        "velocity of the water",
        feedthrough=False,
        depends={
            "speed": rows("north east"),
            "direction": rows("north east"),
            "vertical": rows("down"),
            "beside": between({"north east": "speed direction", "down": "vertical"}),
        },
    )
    speed = Parameter(0.0, unit="m/s", at_least=0.0, doc="mean speed V̄_c")
    direction = Parameter(0.0, unit="rad", doc="where the water flows to in the mean, β̄_c, from north, clockwise")
    vertical = Parameter(0.0, unit="m/s", doc="mean vertical velocity w̄_c, positive down")
    speed_deviation = Parameter(0.0, unit="m/s", at_least=0.0, doc="σ of the speed")
    direction_deviation = Parameter(0.0, unit="rad", at_least=0.0, doc="σ of the direction")
    vertical_deviation = Parameter(0.0, unit="m/s", at_least=0.0, doc="σ of the vertical velocity")
    speed_time = Parameter(600.0, unit="s", above=0.0, doc="τ of the speed, 1/μ")
    direction_time = Parameter(600.0, unit="s", above=0.0, doc="τ of the direction, 1/μ")
    vertical_time = Parameter(600.0, unit="s", above=0.0, doc="τ of the vertical velocity, 1/μ")
    lowest_speed = Parameter(0.0, unit="m/s", at_least=0.0, doc="V_min")
    highest_speed = Parameter(NO_LIMIT, unit="m/s", above=0.0, doc="V_max")
    seed = Parameter(0, integer=True, at_least=0, at_most=4294967295, doc="which of 2³² independent realisations")

    sample = State(Number, "number of the sample", discrete=True, private=True, start=whole(TIME))
    beside = State(
        _Beside,
        "what speed, direction and vertical velocity are beside their means",
        discrete=True,
        private=True,
        start={name: rows(label) for name, label in zip(_DEVIATIONS, _Beside.labels, strict=True)}
        | dict.fromkeys(("speed", "lowest_speed", "highest_speed"), rows("speed"))
        | whole("seed", TIME),
    )

    steps = Derived("of each process what is kept from sample to sample, and the deviation of what comes", shape=(3, 2))

    def validate(self) -> None:
        """A mean within limits in order."""
        check_limits(self, "lowest_speed", "highest_speed")
        if not self.lowest_speed <= self.speed <= self.highest_speed:
            raise ParameterError(
                f"{self._called()}.speed must be within lowest_speed and highest_speed, "
                f"{self.lowest_speed:g} to {self.highest_speed:g} m/s, not {self.speed:g}"
            )
