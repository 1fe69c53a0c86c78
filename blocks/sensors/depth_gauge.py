"""The depth gauge."""

from __future__ import annotations

from blocks.model.declare import AT_START, Input, Output, Parameter
from blocks.model.dependence import elements, whole
from blocks.sensors.instrument import Instrument, lever_arm, ring
from blocks.signal import Length, Pose


class DepthGauge(Instrument):
    """A depth gauge, which measures the pressure of the still water at a point of the vehicle.

    d_m = k (z - l_x sin θ + l_y cos θ sin φ + l_z cos θ cos φ) + b + σ N(0, 1)

    d_m: `depth` of the gauge, positive down, m; z, φ, θ: of `eta`; l: `lever_arm` from the body origin to the gauge, m;
    k: `scale`, the density of the water over the one that the gauge reckons with, 1025/1000 for a gauge set to fresh
    water at sea; b: `bias`, m; σ: `noise`, standard deviation of a sample, m. Waves and tides are not felt.

    `delay` and `seed` are as in all instruments: `delay` whole samples late, until then showing `initial`; random
    numbers by seed, name of the block and number of the sample, however a run is split.

    Raises ParameterError if a parameter is out of range.

    Source: Fossen (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, ch. 11.
    """

    examples = ({"period": 0.1, "lever_arm": [0.5, 0.2, 0.3]}, {"period": 0.1, "delay": 1})

    kernel = "depth_gauge"

    eta = Input(Pose, "η; depth, roll and pitch count")
    depth = Output(
        Length,
        "d_m, measured, positive down",
        depends={"eta": elements("z phi theta")} | whole("noise", "bias", "scale", "lever_arm", "seed", "sample"),
    )

    noise = Parameter(0.0, unit="m", at_least=0.0, doc="σ, standard deviation of a sample")
    bias = Parameter(0.0, unit="m", doc="b, constant error")
    scale = Parameter(1.0, above=0.0, doc="k, density of the water over the one that the gauge reckons with")
    lever_arm = lever_arm("where the gauge is")
    initial = Parameter(0.0, unit="m", fixed=AT_START, doc="depth that is shown before the first sample is through")

    ring = ring(1, whole("initial"))
