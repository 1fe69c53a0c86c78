"""The steering gear and the shaft of rudders with a propeller."""

from __future__ import annotations

import math
from typing import Any

from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Sources, whole
from blocks.signal import Angle, BodyVelocity, Signal, Wrench

ShaftSpeed = Signal("ShaftSpeed", unit="rev/s")


def _has_shaft(block: Any) -> bool:
    return bool(block.has_shaft)


def _has_lag(block: Any) -> bool:
    return bool(block.lags)


def _has_both(block: Any) -> bool:
    return bool(block.lags and block.has_shaft)


class RudderGear(Block, abstract=True):
    """A rudder, and where it has one a propeller, that follow their commands."""

    command = Input(Angle, "wanted angle δ_c, positive for a turn to starboard")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water")
    shaft_command = Input(ShaftSpeed, "wanted revolutions n_c, where it has a propeller", when=_has_shaft)

    force = Output(Wrench, "τ, on the hull about the body origin")
    angle = Output(Angle, "δ, positive for a turn to starboard", within=("-angle_limit", "angle_limit"))
    speed = Output(
        ShaftSpeed, "n, where it has a propeller", within=("-speed_limit", "speed_limit"), when=_has_shaft
    )  # fmt: skip

    angle_limit = Parameter(
        math.radians(35.0), unit="rad", at_least=0.0, at_most=math.pi, doc="greatest angle δ to either side"
    )
    speed_limit = Parameter(100.0, unit="rev/s", at_least=0.0, doc="greatest revolutions, ahead and astern")
    response = Parameter(
        "instant",
        choices=("instant", "first_order", "rate_limited"),
        structural=True,
        doc="how the rudder follows its command; if not at once, the shaft follows by first order",
    )
    time_constant = Parameter(1.0, unit="s", above=0.0, doc="T_δ; not used if instant")
    rate_limit = Parameter(0.04, unit="rad/s", above=0.0, doc="of dδ/dt; used if rate-limited only")
    shaft_time_constant = Parameter(10.0, unit="s", above=0.0, doc="T_n; not used if instant")

    angle_state = State(Angle, "δ", when=_has_lag, name="angle")
    speed_state = State(ShaftSpeed, "n", when=_has_both, name="speed")

    @property
    def has_shaft(self) -> bool:
        """Whether there is a propeller with it."""
        return True

    @property
    def lags(self) -> bool:
        """Whether it takes time to follow."""
        return bool(self.values["response"] != "instant")

    @property
    def angle_sources(self) -> tuple[str, ...]:
        """What δ is, by name."""
        return ("angle",) if self.lags else ("command", "angle_limit")

    @property
    def shaft_sources(self) -> tuple[str, ...]:
        """What n is, by name."""
        return ("speed",) if self.lags else ("shaft_command", "speed_limit")

    def force_sources(self) -> Sources:
        """What the force depends on."""
        raise NotImplementedError

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Commands count at once only if the response is instant."""
        sources = self.output_sources(output, {})
        return tuple(name for name in ("command", "nu_r", "shaft_command") if name in sources)

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Angle and speed by themselves, and the force."""
        if output == "force":
            return self.force_sources()
        return whole(*(self.angle_sources if output == "angle" else self.shaft_sources))

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Each on its command."""
        if state == "speed":
            return whole("shaft_command", "speed_limit", "speed", "shaft_time_constant")
        limit = ("rate_limit",) if self.response == "rate_limited" else ()
        return whole("command", "angle_limit", "angle", "time_constant", *limit)

    def validate(self) -> None:
        """What it starts from has to be within the limits."""
        for name, limit, unit in (("angle", self.angle_limit, "rad"), ("speed", self.speed_limit, "rev/s")):
            initial = float(self.values.get(f"initial_{name}", 0.0))
            if abs(initial) > limit:
                raise ParameterError(
                    f"{self._called()}.initial_{name} must be within ±{limit:g} {unit}, not {initial:g}"
                )
