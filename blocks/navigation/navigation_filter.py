"""The navigation filter."""

from __future__ import annotations

import math

import numpy as np

from blocks.block import Block
from blocks.model.declare import AT_START, Input, Output, Parameter, State
from blocks.model.dependence import Pattern, between, each, elements, matrix, rows, same, whole
from blocks.navigation.covariance import covariance_of
from blocks.signal import (
    Angle,
    AngularRate,
    BodyVelocity,
    Length,
    LinearVelocity,
    Number,
    Pose,
    Position,
    Signal,
    Velocity,
)

_ESTIMATE = Signal(
    "NavigationEstimate",
    (6,),
    ("m", "m", "rad", "rad/s", "m/s", "m/s"),
    "ned",
    ("x", "y", "psi", "bias", "north", "east"),
)
_VALID = ("gnss_valid", "gnss_fix", "compass_valid")
_GAIN = ("gnss_noise", "compass_noise", "lever_arm")
_MEASURED = ("position", *_VALID, "compass", "gyro")
_HEADING = ("compass", "gyro", "last_gyro", "begun")


def _corrected(where: str) -> dict[str, Pattern]:
    """What the elements of an output depend on that are corrected by measurements."""
    at = rows(where)
    found = dict.fromkeys((*_VALID, *_HEADING, *_GAIN, "spread", "last_fix"), at)
    return found | {"position": between({where: "x y"})}


class NavigationFilter(Block):
    """An extended Kalman filter for position, heading and current: what a vessel knows of itself by its instruments.

    ṗ = R(ψ) (v_r + w_v) + c,  ψ̇ = ω - b + w_g,  ḃ = w_b,  ċ = w_c            x = (p, ψ, b, c)
    position = p + R(ψ) l + v_p,  compass = ψ + v_c

    p: position, north and east, m; ψ: heading, rad; b: bias of the gyro, rad/s; c: current, north and east, m/s; v_r:
    `velocity`, measured, through the water, surge and sway, m/s; ω: `gyro`, measured yaw rate, rad/s; R: rotation by
    the heading; l: `lever_arm` from the body origin to the antenna of the receiver, m, of which two count.

    **Noises** as the instruments have them, so that both take the same numbers: v_p is `gnss_noise`, m, north and east,
    as `Gnss.horizontal_noise`; v_c `compass_noise`, rad, as `Compass.noise`; w_g `gyro_noise_density`, (rad/s)/√Hz, as
    `Imu.gyro_noise_density`; w_v `log_noise`, m/s, surge and sway, as `DopplerLog.noise`, all standard deviations of a
    sample but the third. What changes by chance: b by `gyro_bias_walk`, (rad/s)/√s, c by `current_walk`, (m/s)/√s.

    **Each sample**, every T = `period`: x⁻ and P⁻, predicted from the last one, are corrected by
    x = x⁻ + K (z - h(x⁻)), K = P⁻ Hᵀ (H P⁻ Hᵀ + R)⁻¹, H = ∂h/∂x, by the compass first and then by the position,
    linearised about the heading that is then known, with Joseph's form of P, which stays symmetric and positive. Angles
    are compared the short way round. This is what the outputs show. Then p moves on by T (R(ψ + T (ω - b)/2) v_r + c),
    ψ by T (ω⁺ + ω - 2 b)/2 with the ω⁺ of the next sample, and P⁻ = F P Fᵀ + Q, F = ∂x⁺/∂x with ω⁺ = ω.

    **Outputs have the ports of a vessel**, so that guidance and control connect to the filter as they would to it:
    `eta` with x, y, ψ, and z from `depth`; `nu` over ground, with u, v, w and the yaw rate ω - b; `current`, as of the
    environment. Roll, pitch and their rates are 0. `covariance` is P, 6×6, `gyro_bias` b.

    **When a fix counts**: if `gnss_valid` is 1 (0.5 or more), and `gnss_fix` is greater than that of the fix before, so
    that a filter which runs faster than the receiver uses no fix twice. Without `gnss_fix` every sample is a new fix;
    0 is the number before the first one. In an outage the filter goes on by dead reckoning, with the current that it
    has found. `compass_valid` does the same for the compass. Fixes are taken to be of this instant: a receiver that is
    τ late puts the vessel τ times its speed astern. Compass, gyro and log are to have the period of the filter.

    At first the position is known to a kilometre, the heading not at all and the current to 0.5 m/s:
    `initial_estimate`, `initial_standard_deviation`. The first samples give position and heading. Current and an error
    of the log are one to this filter, as long as the heading does not change.

    Raises ParameterError if a noise of a measurement is not positive or another parameter is out of range.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 11; Bar-Shalom, Li and
    Kirubarajan (2001), Estimation with Applications to Tracking and Navigation, ch. 5 and 10; Brown and Hwang (2012),
    Introduction to Random Signals and Applied Kalman Filtering.
    """

    examples = (
        {
            "gnss_noise": 0.8,
            "compass_noise": 0.05,
            "gyro_noise_density": 0.01,
            "log_noise": 0.05,
            "period": 0.1,
            "lever_arm": [0.5, 0.2, -1.0],
            "initial_standard_deviation": [2.0, 3.0, 0.4, 0.02, 0.3, 0.2],
        },
    )

    kernel = "navigation_filter"
    sampled = True
    reads_outputs = ("eta", "nu", "current", "gyro_bias", "covariance")

    position = Input(Position, "measured position of the antenna; north and east count")
    gnss_valid = Input(Number, "1 if the receiver has a fix, else 0", default=1.0)
    gnss_fix = Input(Number, "number of the fix, 0 before the first; -1 if they have none", default=-1.0)
    compass = Input(Angle, "measured heading")
    compass_valid = Input(Number, "1 if the compass has a new sample, else 0", default=1.0)
    gyro = Input(AngularRate, "measured yaw rate")
    velocity = Input(LinearVelocity, "measured velocity through the water, in body axes")
    depth = Input(Length, "measured depth, for z of eta", default=0.0)

    eta = Output(
        Pose,
        "position and heading, z from depth",
        feedthrough=(*_MEASURED, "depth"),
        depends=_corrected("x y psi") | {"estimate": between({"x y psi": "x y psi"}), "depth": rows("z")},
    )
    nu = Output(
        BodyVelocity,
        "velocity over ground, in body axes",
        feedthrough=(*_MEASURED, "velocity"),
        depends=_corrected("u v r")
        | {
            "estimate": between({"u v": "x y psi north east", "r": "x y psi bias"}),
            "velocity": same("u v w"),
        },
    )
    current = Output(
        Velocity,
        "c, where the water flows to",
        feedthrough=_MEASURED,
        depends=_corrected("north east") | {"estimate": between({"north": "x y psi north", "east": "x y psi east"})},
    )
    gyro_bias = Output(
        AngularRate,
        "b",
        feedthrough=_MEASURED,
        depends=whole(*_VALID, *_HEADING, *_GAIN, "spread", "last_fix")
        | {"position": elements("x y"), "estimate": elements("x y psi bias")},
    )
    covariance = Output(
        covariance_of(_ESTIMATE),
        "P, of p, ψ, b and c, with this sample in it",
        feedthrough=(*_VALID, "compass", "gyro"),
        depends=whole(*_VALID, *_HEADING, *_GAIN, "spread", "last_fix") | {"estimate": elements("psi")},
    )

    gnss_noise = Parameter(unit="m", above=0.0, doc="standard deviation of a fix, north and east")
    lever_arm = Parameter(
        0.0, shape=(3,), unit="m", frame="body", labels=("x", "y", "z"), doc="l, where the antenna is in body axes"
    )
    compass_noise = Parameter(unit="rad", above=0.0, doc="standard deviation of a sample of the compass")
    gyro_noise_density = Parameter(unit="rad/s**0.5", at_least=0.0, doc="(rad/s)/√Hz")
    gyro_bias_walk = Parameter(1e-5, unit="rad/s**1.5", at_least=0.0, doc="density of w_b, (rad/s)/√s")
    log_noise = Parameter(
        unit="m/s", at_least=0.0, doc="standard deviation of a sample of the velocity through the water"
    )
    current_walk = Parameter(
        0.002,
        unit="m/s**1.5",
        at_least=0.0,
        doc="density of w_c, (m/s)/√s: the current changes by 0.015 m/s in a minute",
    )
    initial_standard_deviation = Parameter(
        (1000.0, 1000.0, math.pi, 0.01, 0.5, 0.5),
        shape=(6,),
        unit=_ESTIMATE.unit,
        labels=_ESTIMATE.labels,
        at_least=0.0,
        fixed=AT_START,
        doc="of the initial estimate",
    )

    estimate = State(_ESTIMATE, "x predicted for the next sample", discrete=True, start=each("initial_estimate"))
    spread = State(
        covariance_of(_ESTIMATE),
        "P predicted for the next sample",
        discrete=True,
        private=True,
        start={"initial_standard_deviation": matrix(np.eye(6).reshape(36, 1))},
    )
    last_fix = State(Number, "number of the last fix that was used", discrete=True, private=True, start={})
    last_gyro = State(AngularRate, "ω of the last sample", discrete=True, private=True, start={})
    begun = State(Number, "1 once there is a last sample", discrete=True, private=True, start={})
