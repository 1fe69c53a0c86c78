"""The heading filter."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.model.declare import AT_START, Input, Output, Parameter, State
from blocks.model.dependence import Sources, each, matrix, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.navigation.covariance import covariance_of
from blocks.signal import Angle, AngularRate, Number, Signal

_ESTIMATE = Signal("HeadingEstimate", (3,), ("rad", "rad/s", "rad/s"), None, ("psi", "r", "bias"))
_NOISE = ("compass_noise", "gyro_noise_density")
_WALK = ("yaw_acceleration_density", "gyro_bias_walk")


def _varies(block: Any) -> bool:
    return bool(block.gain == "time_varying")


def _is_steady(block: Any) -> bool:
    return not _varies(block)


class HeadingFilter(Block):
    """A Kalman filter for heading, yaw rate and gyro bias, from a compass and a gyro.

    ψ̇ = r,  ṙ = w_r,  ḃ = w_b                  x = (ψ, r, b), over a period T:  x⁺ = F x,  P⁺ = F P Fᵀ + Q
    compass = ψ + v_c,  gyro = r + b + v_g      x = x⁻ + K (z - H x⁻),  K = P⁻ Hᵀ (H P⁻ Hᵀ + diag(σ_c², N_g²/T))⁻¹

    ψ: `heading`, in [-π, π), rad; r: `yaw_rate`, rad/s; b: `gyro_bias`, rad/s; P: `covariance` of the three, 3×3; σ_c:
    `compass_noise`, rad, as `Compass.noise`; N_g: `gyro_noise_density`, (rad/s)/√Hz, as `Imu.gyro_noise_density`; w_r,
    w_b: white noises of the densities `yaw_acceleration_density`, (rad/s²)/√Hz, and `gyro_bias_walk`, (rad/s)/√s; T:
    `period`, s, also that of the instruments. What the compass says beyond the prediction is taken the short way round.

    Outputs are the estimates with the sample of the same instant in them. A sample that is taken while `compass_valid`
    is below 0.5 is left out. `gyro` is the last element of the angular rate of an `Imu`, r, which is taken for ψ̇: roll
    and pitch should be small.

    The vessel is not modelled. w_r stands for all that turns it: by rudders, propellers and waves the yaw rate changes
    by q √T in T seconds. A smaller q smooths more, and is late where the vessel begins to turn.

    **gain="time_varying"** starts from `initial_estimate` and `initial_standard_deviation`: the heading is unknown at
    first, so the first sample of the compass gives it. P keeps symmetric and positive (Joseph's form).
    **gain="steady"** uses the gain that this one settles at, computed once; it costs a sixth, and starts slower.
    Without the compass only the gyro then corrects, by its own gain.

    Raises ParameterError if a noise is not positive, or, for a steady gain, one of the densities of w_r and w_b is 0.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 11; Bar-Shalom, Li and
    Kirubarajan (2001), Estimation with Applications to Tracking and Navigation, ch. 5; Brown and Hwang (2012),
    Introduction to Random Signals and Applied Kalman Filtering.
    """

    kernels = ("heading_filter", "heading_filter_steady")
    examples = variants(
        {
            "compass_noise": 0.05,
            "gyro_noise_density": 0.01,
            "period": 0.1,
            "initial_standard_deviation": [0.5, 0.2, 0.1],
        },
        {"gain": "steady"},
    )

    sampled = True
    reads_outputs = ("heading", "yaw_rate", "gyro_bias", "covariance")

    compass = Input(Angle, "measured heading")
    gyro = Input(AngularRate, "measured yaw rate")
    compass_valid = Input(Number, "1 if the compass has a new sample, else 0", default=1.0)

    heading = Output(Angle, "ψ, in [-π, π)")
    yaw_rate = Output(AngularRate, "r")
    gyro_bias = Output(AngularRate, "b")
    covariance = Output(
        covariance_of(_ESTIMATE), "P, of ψ, r and b, with this sample in it", feedthrough=("compass_valid",)
    )

    compass_noise = Parameter(unit="rad", above=0.0, doc="σ_c, standard deviation of a sample")
    gyro_noise_density = Parameter(unit="rad/s**0.5", above=0.0, doc="N_g, (rad/s)/√Hz")
    yaw_acceleration_density = Parameter(0.05, unit="rad/s**1.5", at_least=0.0, doc="q of w_r, (rad/s²)/√Hz")
    gyro_bias_walk = Parameter(1e-5, unit="rad/s**1.5", at_least=0.0, doc="density of w_b, (rad/s)/√s")
    gain = Parameter("time_varying", choices=("time_varying", "steady"), structural=True, doc="the gain K")
    initial_standard_deviation = Parameter(
        (math.pi, 0.1, 0.01),
        shape=(3,),
        unit=_ESTIMATE.unit,
        labels=_ESTIMATE.labels,
        at_least=0.0,
        fixed=AT_START,
        doc="of the initial estimate; not used with a steady gain",
    )

    estimate = State(
        _ESTIMATE, "ψ, r and b predicted for the next sample", discrete=True, start=each("initial_estimate")
    )
    spread = State(
        covariance_of(_ESTIMATE),
        "P predicted for the next sample",
        discrete=True,
        private=True,
        when=_varies,
        start={"initial_standard_deviation": matrix(np.eye(3).reshape(9, 1))},
    )

    compass_gain = Derived(
        "what a residual of the compass changes in the estimate", shape=(3,), unit=("1", "1/s", "1/s"), when=_is_steady
    )
    gyro_gain = Derived(
        "what a residual of the gyro changes in the estimate", shape=(3,), unit=("s", "1", "1"), when=_is_steady
    )
    steady_spread = Derived(
        "P with a sample of both in it", shape=(3, 3), unit=covariance_of(_ESTIMATE).unit, when=_is_steady
    )

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """With a steady gain there is less to do."""
        return "heading_filter" if _varies(self) else "heading_filter_steady"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """A steady covariance depends on nothing."""
        return () if output == "covariance" and not _varies(self) else super().feedthrough(output)

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """All of an estimate on all that is measured, through the gain."""
        gain = whole(*_NOISE, "spread") if _varies(self) else whole(*_NOISE, *_WALK)
        if output == "covariance":
            return gain | whole("compass_valid") if _varies(self) else gain
        return gain | whole("compass", "compass_valid", "gyro", "estimate")

    def validate(self) -> None:
        """Without process noise there is no steady gain but 0."""
        still = [name for name in _WALK if self.values[name] == 0.0]
        if not _varies(self) and still:
            raise ParameterError(
                f"{self._called()}.{still[0]} must be > 0 with gain='steady', not 0: the gain would settle at 0, and "
                f"what it estimates would stay what it was; gain='time_varying' is for what does not change"
            )
