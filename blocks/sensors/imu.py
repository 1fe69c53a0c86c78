"""The inertial measurement unit."""

from __future__ import annotations

import numpy as np

from blocks.model.declare import AT_START, Input, Output, Parameter, State
from blocks.model.dependence import TIME, Sources, between, each, elements, rows, whole
from blocks.model.derived import Derived
from blocks.sensors.instrument import STEP, Instrument, lever_arm, ring
from blocks.signal import BodyAcceleration, BodyRate, BodyVelocity, Pose, Signal, SpecificForce

_SIX = Signal(
    "Inertial", (6,), (*("m/s^2",) * 3, *("rad/s",) * 3), "body", ("f_x", "f_y", "f_z", "omega_x", "omega_y", "omega_z")
)


class Imu(Instrument):
    """An inertial measurement unit: specific force and angular rate, three of each, in body axes.

    f_m = M_a f + b_a + d_a + N_a/√T N(0, 1)
    ω_m = M_g ω + b_g + d_g + N_g/√T N(0, 1)
    f = v̇ + ω̇ × l + ω × (v + ω × l) - Rᵀ (0, 0, g)

    f_m: `specific_force`, 3, m/s²; ω_m: `angular_rate`, 3, rad/s; v, ω: of `nu`; v̇, ω̇: of `acceleration`, the rates of
    change of ν in body axes; R: attitude of `eta`; l: `lever_arm` from the body origin to the unit, 3, m; g: `gravity`,
    m/s²; T: `period`, s. An unaccelerated vessel on an even keel shows f = (0, 0, -g). The rotation of the Earth,
    7·10⁻⁵ rad/s, is left out.

    M_a, M_g: `accelerometer_matrix`, `gyro_matrix`, 3×3, with scale factors on the diagonal, 1 if there is no error,
    and misalignments beside it; b_a, b_g: `accelerometer_bias`, `gyro_bias`, 3, constant.

    **White noise** by its density N_a, N_g, `accelerometer_noise_density`, (m/s²)/√Hz, `gyro_noise_density`,
    (rad/s)/√Hz: a sample has the standard deviation N/√T, and so the same noise is in an integral of samples whatever T
    is. N is the coefficient of velocity or angle random walk: an angle random walk of 0.3 °/√h is 0.005 (°/s)/√Hz. It
    is the density of two-sided spectra; where a data sheet means a one-sided one, divide by √2.

    **Bias instability**: d_a, d_g wander as first-order Gauss–Markov processes of standard deviation
    `accelerometer_drift`, m/s², or `gyro_drift`, rad/s, and correlation time τ `accelerometer_drift_time`,
    `gyro_drift_time`, s, from anywhere within their distribution on. In a time much shorter than τ that is a random
    walk of density σ √(2/τ).

    `delay` and `seed` are as in all instruments: `delay` whole samples late, until then showing `initial`; random
    numbers by seed, name of the block and number of the sample, however a run is split.

    Raises ParameterError if a parameter is out of range.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 11; IEEE Std 952 (1997),
    Specification format guide and test procedure for single-axis interferometric fiber optic gyros, annex C (noise);
    Brown and Hwang (2012), Introduction to Random Signals and Applied Kalman Filtering (Gauss–Markov processes).
    """

    examples = (
        {"period": 0.1, "lever_arm": [0.5, 0.2, -1.0], "accelerometer_noise_density": 0.01, "gyro_drift": 0.002},
        {"period": 0.1, "delay": 2},
    )

    kernel = "imu"

    eta = Input(Pose, "η; the attitude counts")
    nu = Input(BodyVelocity, "ν, velocity over ground")
    acceleration = Input(BodyAcceleration, "ν̇, its rate of change in body axes")

    specific_force = Output(
        SpecificForce,
        "f_m, measured",
        depends={
            "eta": elements("phi theta psi"),
            "drift": between({"x": "f_x", "y": "f_y", "z": "f_z"}),
        }
        | each("accelerometer_bias")
        | whole(
            "nu", "acceleration", "lever_arm", "gravity", "accelerometer_noise_density", "accelerometer_matrix", "seed",
            "sample",
        ),
    )  # fmt: skip
    angular_rate = Output(
        BodyRate,
        "ω_m, measured",
        feedthrough=("nu",),
        depends={"nu": elements("p q r"), "drift": between({"p": "omega_x", "q": "omega_y", "r": "omega_z"})}
        | each("gyro_bias")
        | whole("gyro_noise_density", "gyro_matrix", "seed", "sample"),
    )

    lever_arm = lever_arm("where the unit is")
    gravity = Parameter(9.81, unit="m/s^2", at_least=0.0, doc="g")
    accelerometer_noise_density = Parameter(
        0.0, unit="m/s**1.5", at_least=0.0, doc="N_a, (m/s²)/√Hz, of each; velocity random walk"
    )
    gyro_noise_density = Parameter(
        0.0, unit="rad/s**0.5", at_least=0.0, doc="N_g, (rad/s)/√Hz, of each; angle random walk"
    )
    accelerometer_bias = Parameter(0.0, shape=(3,), unit="m/s^2", labels=("x", "y", "z"), doc="b_a, constant")
    gyro_bias = Parameter(0.0, shape=(3,), unit="rad/s", labels=("p", "q", "r"), doc="b_g, constant")
    accelerometer_drift = Parameter(0.0, unit="m/s^2", at_least=0.0, doc="standard deviation of d_a, of each")
    gyro_drift = Parameter(0.0, unit="rad/s", at_least=0.0, doc="standard deviation of d_g, of each")
    accelerometer_drift_time = Parameter(300.0, unit="s", above=0.0, doc="τ of d_a")
    gyro_drift_time = Parameter(300.0, unit="s", above=0.0, doc="τ of d_g")
    accelerometer_matrix = Parameter(
        np.eye(3), shape=(3, 3), doc="M_a, scale factors and misalignments of the accelerometers"
    )
    gyro_matrix = Parameter(np.eye(3), shape=(3, 3), doc="M_g, scale factors and misalignments of the gyros")
    initial = Parameter(
        (0.0, 0.0, -9.81, 0.0, 0.0, 0.0),
        shape=(6,),
        unit=_SIX.unit,
        labels=_SIX.labels,
        fixed=AT_START,
        doc="specific force and angular rate that are shown before the first sample is through",
    )

    drift = State(
        _SIX,
        "d_a and d_g",
        discrete=True,
        private=True,
        start={"accelerometer_drift": rows("f_x f_y f_z"), "gyro_drift": rows("omega_x omega_y omega_z")}
        | whole("seed", TIME),
    )
    ring = ring(6, whole("initial"))

    accelerometer_sigma = Derived("standard deviation of the white noise of a sample", unit="m/s^2")
    gyro_sigma = Derived("standard deviation of the white noise of a sample", unit="rad/s")
    accelerometer_step = Derived(STEP, shape=(2,), unit=("1", "m/s^2"))
    gyro_step = Derived(STEP, shape=(2,), unit=("1", "rad/s"))

    def late_sources(self, output: str) -> Sources:
        """Three columns each."""
        first = 0 if output == "specific_force" else 3
        return self.ring_sources(6, [[first], [first + 1], [first + 2]])
