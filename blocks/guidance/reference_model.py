"""The reference model: a smooth way from where something is to where it is wanted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.basic.common import NO_LIMIT, ModeBlock
from blocks.block import Sizes
from blocks.errors import WiringError
from blocks.model.component import PortRef
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import TIME, Sources, each, whole
from blocks.signal import AnySignal, Number, Signal, Time

Angles = Signal("Angles", ("n",), "rad")
AngularRates = Signal("AngularRates", ("n",), "rad/s")
AngularAccelerations = Signal("AngularAccelerations", ("n",), "rad/s^2")


def _is_measured(block: Any) -> bool:
    return str(block.start) == "measured"


class ReferenceModel(ModeBlock):
    """Reference model of third order with limits of rate and acceleration, of one quantity or of n at once.

    d³x/dt³ + (2ζ + 1) ω d²x/dt² + (2ζ + 1) ω² dx/dt + ω³ x = ω³ r      while nothing is limited

    dx/dt = v within ±v_max,  dv/dt = a,  da/dt = (2ζ + 1) ω (a_c - a),  a_c = ω (v_c - v) within ±a_max
    v_c = min(c |e|, v_max) sgn e,  e = r - x,  c = ω/(2ζ + 1)
    where |e| > s = 0.7 a_max/c²:  v_c = min(√(1.4 a_max (|e| - s/2)), v_max) sgn e

    r: `setpoint`, n; x: `reference`, v: `rate`, a: `acceleration`, n, in units of the setpoint, over s and s²; ω:
    `frequency`, rad/s, n; ζ: `damping`, n; v_max: `rate_limit`, a_max: `acceleration_limit`, n, none unless given.

    The poles are -ω and those of a mass-spring-damper of ω and ζ. Steps of r come out with continuous acceleration.

    **Limits.** They stand inside the feedback, on the rate and the acceleration that are wanted, so that nothing winds
    up behind them. The last line lets the rate fall in time: without it a reference that may only brake gently would
    overshoot. With ζ ≥ 1 a step from rest never does, and where a_c is within its limits the last line has no effect.
    Acceleration and rate never exceed their limits; for ζ < 3/2 v may be beyond v_max by a little, 0.4 % of it with ζ =
    1, for which time `rate` stays at v_max.

    **Angles.** With `angle=True` (rad) e is taken the short way round, and `reference` is within [-π, π), as headings
    of guidance are.

    **Start.** x starts from `initial_reference`, or with `start="measured"` from what the input `measurement`, which
    only then exists, is at the first instant: a loop that is closed there gets no bump. `initial_reference` is then
    added to it.

    Raises ParameterError for values out of range.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.2 (the model, and that
    its rate and acceleration are limited); Teel (1992), Global stabilization and restricted tracking for multiple
    integrators with bounded controls, Systems & Control Letters 18 (limits inside the feedback).
    """

    kernels = ("reference_model", "reference_model_measured")
    examples = (
        {"frequency": [1.0, 2.0], "rate_limit": 0.4, "acceleration_limit": [0.3, 0.5]},
        {"frequency": 1.5, "angle": True},
        {"frequency": [1.0, 2.0], "damping": 0.8, "start": "measured", "acceleration_limit": 0.3},
    )

    sizes = ("n",)
    positional = ("frequency", "damping")

    setpoint = Input(AnySignal, "r, what is wanted")
    measurement = Input(AnySignal, 'what is, at the start; with start="measured" only', when=_is_measured)

    reference = Output(AnySignal, "x", feedthrough=False)
    rate = Output(AnySignal, "v within its limits", feedthrough=False, depends=each("rate", "rate_limit"))
    acceleration = Output(AnySignal, "a", feedthrough=False, depends=each("acceleration"))

    frequency = Parameter(shape=("n",), unit="rad/s", above=0.0, doc="natural frequency ω")
    damping = Parameter(1.0, shape=("n",), above=0.0, doc="damping ratio ζ")
    rate_limit = Parameter(NO_LIMIT, shape=("n",), unit=None, above=0.0, doc="greatest rate v_max")
    acceleration_limit = Parameter(NO_LIMIT, shape=("n",), unit=None, above=0.0, doc="greatest acceleration a_max")
    angle = Parameter(False, doc="the setpoint is an angle: go the short way round")
    start = Parameter(
        "initial",
        choices=("initial", "measured"),
        structural=True,
        doc="whether the reference starts from a parameter or from a measurement",
    )

    reference_state = State(AnySignal, "x, with a measured start less the measurement", name="reference")
    rate_state = State(AnySignal, "v", name="rate", depends=each("acceleration"))
    acceleration_state = State(AnySignal, "a", name="acceleration")
    begun = State(AnySignal, "the measurement at the start", discrete=True, private=True, when=_is_measured)
    started = State(
        Number,
        "1 once the first instant has been seen",
        discrete=True,
        private=True,
        when=_is_measured,
        depends=whole("started"),
    )
    start_time = State(
        Time,
        "the first instant",
        discrete=True,
        private=True,
        when=_is_measured,
        depends=whole("start_time", "started", TIME),
    )

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """With a measured start there is a mode."""
        return "reference_model_measured" if _is_measured(self) else "reference_model"

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """`measurement` is there where it is used; angles have units."""
        ports = dict(super().input_ports)
        if self.angle:
            ports = {name: Input(Angles, port.doc, name=name) for name, port in ports.items()}
        return ports

    @property
    def output_ports(self) -> Mapping[str, Output]:
        """Angles and their rates have units."""
        ports = dict(self.declared_outputs)
        for name, signal in _ANGULAR.items() if self.angle else ():
            port = ports[name]
            ports[name] = Output(signal, port.doc, feedthrough=False, depends=port.depends, name=name)
        return ports

    def input_port(self, name: str) -> PortRef:
        """An input port by name. Raises WiringError if there is none, or none with this start."""
        if name == "measurement" and not _is_measured(self):
            raise WiringError(
                f"{self._called()}.measurement exists with start='measured' only, and start is '{self.start}'"
            )
        return super().input_port(name)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The reference counts from the measurement where there is one."""
        return (
            each("reference", "begun") | whole("angle")
            if output == "reference"
            else super().output_sources(output, sizes)
        )

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """Each quantity on its own."""
        if state == "reference":
            return each("rate", "rate_limit")
        if state == "acceleration":
            limits = each("rate_limit", "acceleration_limit")
            return (
                each("setpoint", "reference", "begun", "rate", "acceleration", "frequency", "damping")
                | limits
                | whole("angle")
            )
        if state == "begun":
            return each("measurement", "begun") | whole("started", "start_time", TIME)
        return super().state_sources(state, sizes)


_ANGULAR = {"reference": Angles, "rate": AngularRates, "acceleration": AngularAccelerations}
