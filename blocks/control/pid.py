"""The PID controller."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from blocks.basic.common import NO_LIMIT, check_limits
from blocks.block import Block, Sizes
from blocks.errors import ParameterError, WiringError
from blocks.model.component import PortRef
from blocks.model.declare import AT_START, Input, Output, Parameter, State
from blocks.model.dependence import TIME, Pattern, Sources, each, whole
from blocks.model.derived import Derived
from blocks.model.examples import Example
from blocks.signal import AnySignal, Number, Signal, Time

Angles = Signal("Angles", ("n",), "rad")
AngularRates = Signal("AngularRates", ("n",), "rad/s")


def _has_filter(block: Any) -> bool:
    return block.derivative in ("error", "measurement")


class PIDLaw(Block, abstract=True):
    """What PID controllers have in common: all but where the gains come from."""

    sizes: ClassVar[tuple[str, ...]] = ("n",)
    reads_outputs = ("error",)

    reference = Input(AnySignal, "r, what is wanted")
    measurement = Input(AnySignal, "y, what is")
    feedforward = Input(AnySignal, "f, added before the limits", default=0.0)

    output = Output(AnySignal, "v within its limits", within=("lower", "upper"))
    error = Output(
        AnySignal,
        "e",
        feedthrough=("reference", "measurement"),
        like="reference",
        depends=each("reference", "measurement") | whole("angle"),
    )

    kp = Parameter(0.0, shape=("n",), unit=None, doc="proportional gain k_p")
    ki = Parameter(0.0, shape=("n",), unit=None, doc="integral gain k_i")
    kd = Parameter(0.0, shape=("n",), unit=None, doc="derivative gain k_d")
    filter_coefficient = Parameter(100.0, unit="rad/s", above=0.0, doc="bandwidth N of the derivative filter")
    lower = Parameter(-NO_LIMIT, shape=("n",), unit=None, doc="lower limit of the output")
    upper = Parameter(NO_LIMIT, shape=("n",), unit=None, doc="upper limit of the output")
    anti_windup = Parameter(
        "back_calculation",
        choices=("back_calculation", "clamping", "none"),
        doc="what keeps the integral from growing while the output is at a limit",
    )
    tracking_gain = Parameter(1.0, unit="1/s", at_least=0.0, doc="K_t of back-calculation")
    derivative = Parameter(
        "error",
        choices=("error", "measurement", "rate", "none"),
        structural=True,
        doc="what the derivative action acts on",
    )
    angle = Parameter(False, doc="reference and measurement are angles: take differences the short way round")
    bumpless = Parameter(
        True, fixed=AT_START, doc="start the derivative filter from the signal at the first instant, not from 0"
    )

    integral = State(AnySignal, "I, in units of the output")
    filter = State(AnySignal, "what the filter has followed since the start", private=True, when=_has_filter)
    filter_start = State(
        AnySignal, "the differentiated signal at the first instant", discrete=True, private=True, when=_has_filter
    )
    started = State(
        Number,
        "1 once the first instant has been seen",
        discrete=True,
        private=True,
        when=_has_filter,
        depends=whole("started", "bumpless"),
    )
    start_time = State(
        Time,
        "the first instant",
        discrete=True,
        private=True,
        when=_has_filter,
        depends=whole("start_time", "started", "bumpless", TIME),
    )

    angles = Derived("1 if differences are taken the short way round")
    action = Derived("`derivative`, see PID_LAW_DERIVATIVE_…")
    protection = Derived("`anti_windup`, see PID_LAW_ANTI_WINDUP_…")
    quantities = Derived("k_p, k_i, k_d (with a filter k_d N) and the limits of each", shape=("n", 5))


class PID(PIDLaw):
    """PID controller with parallel gains, of one quantity or of n at once that do not influence each other.

    v = k_p e + I + D + f,  output = v within [lower, upper],  e = r - y

    Integral:   dI/dt = k_i e + K_t (output - v)                            anti_windup="back_calculation"
                dI/dt = 0 while v is beyond a limit and k_i e drives it further, else k_i e          "clamping"
                dI/dt = k_i e                                                                            "none"
                dI/dt = 0 where k_i = 0, at a limit too: a P or PD controller has no memory
    Derivative: D(s) = k_d N s/(s + N) of e                                 derivative="error"
                D(s) = k_d N s/(s + N) of -y, so that steps of r do not pass through D          "measurement"
                D = -k_d ẏ with ẏ from the input `rate`, which only then exists                        "rate"
                D = 0 (a PI controller)                                                                  "none"

    r, y, f, ẏ: inputs `reference`, `measurement`, `feedforward` and `rate`, n; e: output `error`, n; k_p, k_i, k_d:
    `kp`, `ki`, `kd` in units of the output over those of the input, times s, n; I: state `integral`, in units of the
    output, n; N: `filter_coefficient`, rad/s; K_t: `tracking_gain`, 1/s. A good K_t is k_i/k_p, or the root of k_i/k_d.

    **Angles.** With `angle=True` (rad) e is taken the short way round, in [-π, π), and so is the difference that the
    derivative is made of: D does not kick where e jumps from π to -π.

    **Start.** The derivative filter starts from the signal that it finds at the first instant, so D starts at 0, and I
    starts from `initial_integral`. With `bumpless=False` the filter starts from 0, as Simulink's PID block does: the
    first output then has k_d N e in it. As I has the units of the output, a change of k_i or K_t makes no bump either.

    "clamping" makes the right-hand side discontinuous where v meets a limit, which adaptive solvers answer with small
    steps; the others do not.

    Raises ParameterError if an upper limit is below its lower limit, for a derivative gain without derivative action,
    and for values out of range.

    Source: Åström and Hägglund (2006), Advanced PID Control, ch. 3 (filter, anti-windup); the parallel form and its
    filter coefficient are those of Simulink's PID Controller block.
    """

    examples: ClassVar[tuple[Example, ...]] = (
        {"kp": 2.0, "ki": 0.5, "kd": 0.3, "lower": -3.0, "upper": 3.0},
        {"kp": 2.0, "kd": 0.3, "derivative": "measurement", "bumpless": False},
        {"kp": 2.0, "kd": 0.3, "derivative": "rate", "angle": True},
        {"kp": 2.0, "ki": 0.5, "derivative": "none", "anti_windup": "clamping", "upper": 1.0},
    )

    kernels = ("pid", "pid_unfiltered")
    positional: ClassVar[tuple[str, ...]] = ("kp", "ki", "kd")

    rate = Input(
        AnySignal,
        'ẏ, the measured rate of change of the measurement; with derivative="rate" only',
        when=lambda block: block.derivative == "rate",
    )

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """Without a derivative filter there is less to do."""
        return "pid" if _has_filter(self) else "pid_unfiltered"

    @property
    def input_ports(self) -> Mapping[str, Input]:
        """`rate` is there where it is used; angles and their rates have units."""
        ports = dict(super().input_ports)
        if self.angle:
            for name, signal in (("reference", Angles), ("measurement", Angles), ("rate", AngularRates)):
                if name in ports:
                    ports[name] = Input(signal, ports[name].doc, name=name)
        return ports

    def input_port(self, name: str) -> PortRef:
        """An input port by name. Raises WiringError if there is none, or none with this derivative action."""
        if name == "rate" and self.derivative != "rate":
            raise WiringError(
                f"{self._called()}.rate exists with derivative='rate' only, and derivative is '{self.derivative}'"
            )
        return super().input_port(name)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The sum of the terms that there are."""
        if output != "output":
            return super().output_sources(output, sizes)
        terms = each("reference", "measurement", "feedforward", "integral", "kp", "lower", "upper") | whole("angle")
        if _has_filter(self):
            return terms | self._filter_sources() | each("kd")
        return terms | each("rate", "kd") if self.derivative == "rate" else terms

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """With anti-windup the integral depends on all that the output does."""
        if state == "integral":
            terms = self.output_sources("output", sizes) or {}
            return {**terms, **each("ki"), **whole("anti_windup", "tracking_gain")}
        if state == "filter":
            return self._filter_sources()
        if state == "filter_start":
            return self._filtered() | each("filter_start") | whole("started", "start_time", "bumpless", TIME)
        return super().state_sources(state, sizes)

    def _filtered(self) -> dict[str, Pattern]:
        """What is differentiated."""
        return each("reference", "measurement") | whole("angle") if self.derivative == "error" else each("measurement")

    def _filter_sources(self) -> dict[str, Pattern]:
        """How far the differentiated signal is ahead of its filter."""
        own = each("filter", "filter_start") | whole("started", "bumpless", "filter_coefficient", "angle")
        return self._filtered() | own

    def validate(self) -> None:
        check_limits(self, "lower", "upper")
        if self.derivative == "none" and np.any(self.kd):
            raise ParameterError(
                f"{self._called()}.kd has no effect with derivative='none': set it to 0, or choose derivative='error', "
                f"'measurement' or 'rate'"
            )
