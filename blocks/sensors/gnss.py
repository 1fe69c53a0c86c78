"""The satellite receiver."""

from __future__ import annotations

from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import TIME, Sources, between, each, elements, rows, whole
from blocks.model.derived import Derived
from blocks.navigation.tangent_plane import ORIGIN, TangentPlane
from blocks.sensors.instrument import STEP, Instrument, lever_arm, ring
from blocks.signal import Angle, BodyVelocity, Length, Number, Pose, Position, Signal, Speed

_HELD = Signal("Fix", (5,), ("m", "m", "m", "rad", "m/s"), "ned", ("x", "y", "z", "course", "speed"))
_RANDOM = whole("seed", "sample", "available")
_AT = (
    {"eta": elements("x y z phi theta psi"), "held": elements("x y z")}
    | whole("lever_arm", "horizontal_noise", "vertical_noise", "bias", "drift")
    | _RANDOM
)
_MOVING = {"eta": elements("phi theta psi")} | whole("nu", "lever_arm", "velocity_noise") | _RANDOM
_PLACE, _MOTION = ("eta", "available"), ("eta", "nu", "available")
_COLUMNS = {
    "latitude": [[0, 1, 2, 5]],
    "longitude": [[0, 1, 2, 5]],
    "height": [[0, 1, 2, 5]],
    "position": [[0, 5], [1, 5], [2, 5]],
    "course": [[3, 5]],
    "speed": [[4, 5]],
    "valid": [[5]],
    "fix": [[5]],
}


class Gnss(Instrument, TangentPlane):
    """A satellite receiver: where its antenna is, on the Earth and in local coordinates, and how it moves over ground.

    p_m = p + R l + b + d + σ N(0, 1)
    course = atan2(v_E, v_N),  speed = √(v_N² + v_E²),  (v_N, v_E, ·) = R (v + ω × l) + σ_v (N(0, 1), N(0, 1), ·)

    p_m: `position`, north, east and down of the origin, 3, m, and the same as `latitude`, `longitude`, rad, and
    `height` above the ellipsoid, m, as with `GeodeticPosition`, which explains origin and ellipsoid; p, R: position
    and attitude of `eta`; v, ω: of `nu`; l: `lever_arm` from the body origin to the antenna, 3, m; `course` and `speed`
    over ground, rad, from -π to π, and m/s; b: `bias`, north, east, down, 3, m.

    **Noise**, new in each sample: σ is `horizontal_noise` north and east and `vertical_noise` down, m; σ_v is
    `velocity_noise` north and east, m/s. These are standard deviations along one axis. Of published figures, CEP (50 %)
    is 1.18 σ, DRMS 1.41 σ and 2DRMS 2.83 σ.

    **Correlated errors**, of satellites, atmosphere and reflections: d is a first-order Gauss–Markov process with the
    standard deviations `horizontal_drift` and `vertical_drift`, m, and the correlation time `drift_time`, s, exact from
    sample to sample, and starts anywhere within its distribution.

    **Outages.** A sample that is taken while `available` is below 0.5 gives no fix: `valid` is 0 and the other outputs
    stay at the last fix, the origin if there was none yet. `fix` counts the fixes. A filter that runs faster than the
    receiver tells new fixes by it.

    `delay` and `seed` are as in all instruments: `delay` whole samples late, without a fix until then; random numbers
    by seed, name of the block and number of the sample, however a run is split.

    Raises ParameterError if the latitude of the origin is beyond a pole or its longitude beyond ±2π, or if another
    parameter is out of range.

    Sources: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 11; Brown and Hwang (2012),
    Introduction to Random Signals and Applied Kalman Filtering (Gauss–Markov processes); NIMA (2000), TR8350.2 (Earth).
    """

    examples = (
        {
            "origin_latitude": 0.9,
            "origin_longitude": 0.08,
            "period": 0.2,
            "lever_arm": [0.5, 0.2, -1.0],
            "horizontal_noise": 0.5,
            "velocity_noise": 0.05,
            "horizontal_drift": 0.3,
            "vertical_drift": 0.4,
        },
        {"origin_latitude": 0.9, "origin_longitude": 0.08, "ellipsoid": "sphere", "period": 0.1, "delay": 2},
    )

    kernel = "gnss"
    positional = ("origin_latitude", "origin_longitude", "origin_height")
    reads_outputs = ("position", "course", "speed", "fix")

    eta = Input(Pose, "η")
    nu = Input(BodyVelocity, "ν, velocity over ground")
    available = Input(Number, "1 while satellites are received, else 0", default=1.0)

    latitude = Output(Angle, "φ, geodetic, positive north", feedthrough=_PLACE, depends=_AT | whole(*ORIGIN))
    longitude = Output(
        Angle,
        "λ, positive east, in [-π, π)",
        feedthrough=_PLACE,
        depends=_AT | whole(*ORIGIN, "origin_longitude"),
    )
    height = Output(Length, "h, above the ellipsoid", feedthrough=_PLACE, depends=_AT | whole(*ORIGIN))
    position = Output(
        Position,
        "p_m, north, east and down of the origin",
        feedthrough=_PLACE,
        depends={
            "eta": between({"x": "x phi theta psi", "y": "y phi theta psi", "z": "z phi theta"}),
            "horizontal_noise": rows("x y"),
            "vertical_noise": rows("z"),
            "held": between({"x": "x", "y": "y", "z": "z"}),
        }
        | each("bias", "drift")
        | whole("lever_arm")
        | _RANDOM,
    )
    course = Output(
        Angle, "direction of motion over ground", feedthrough=_MOTION, depends=_MOVING | {"held": elements("course")}
    )
    speed = Output(Speed, "speed over ground", feedthrough=_MOTION, depends=_MOVING | {"held": elements("speed")})
    valid = Output(Number, "1 if this sample is a fix, else 0", feedthrough=("available",), depends=whole("available"))
    fix = Output(Number, "number of fixes so far", feedthrough=("available",), depends=whole("available", "fixes"))

    lever_arm = lever_arm("where the antenna is")
    horizontal_noise = Parameter(0.0, unit="m", at_least=0.0, doc="σ north and east")
    vertical_noise = Parameter(0.0, unit="m", at_least=0.0, doc="σ down")
    velocity_noise = Parameter(0.0, unit="m/s", at_least=0.0, doc="σ_v north and east")
    bias = Parameter(0.0, shape=(3,), unit="m", frame="ned", labels=Position.labels, doc="b, constant error")
    horizontal_drift = Parameter(0.0, unit="m", at_least=0.0, doc="standard deviation of d north and east")
    vertical_drift = Parameter(0.0, unit="m", at_least=0.0, doc="standard deviation of d down")
    drift_time = Parameter(300.0, unit="s", above=0.0, doc="correlation time of d")

    fixes = State(Number, "number of the last fix", discrete=True, private=True, start={})
    held = State(_HELD, "the last fix", discrete=True, private=True, start={})
    drift = State(
        Position,
        "d",
        discrete=True,
        private=True,
        start={"horizontal_drift": rows("x y"), "vertical_drift": rows("z")} | whole("seed", TIME),
    )
    ring = ring(6, {})

    horizontal_step = Derived(STEP, shape=(2,), unit=("1", "m"))
    vertical_step = Derived(STEP, shape=(2,), unit=("1", "m"))

    def late_sources(self, output: str) -> Sources:
        """The columns of a fix; only the last one if there is no fix."""
        own = self.output_ports[output].depends or {}
        kept = {name: own[name] for name in (*ORIGIN, "origin_longitude", "held", "fixes") if name in own}
        return kept | self.ring_sources(6, _COLUMNS[output])
