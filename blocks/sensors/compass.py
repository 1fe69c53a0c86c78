"""The compass."""

from __future__ import annotations

import numpy as np

from blocks.errors import ParameterError
from blocks.model.declare import AT_START, Input, Output, Parameter
from blocks.model.dependence import elements, whole
from blocks.sensors.instrument import Instrument, ring
from blocks.signal import Angle, Pose


class Compass(Instrument):
    """A compass, magnetic or gyro: the heading with deviation, bias and noise.

    ψ_m = c + b + σ N(0, 1),  wrapped,  c + δ(c) = ψ
    δ(c) = A + B sin c + C cos c + D sin 2c + E cos 2c

    ψ_m: `heading`, in [-π, π), rad; ψ: true heading, of `eta`; b: `bias`, rad; σ: `noise`, standard deviation of a
    sample, rad; δ: deviation of the vessel's own iron, positive east, by its coefficients A, B, C, D, E, `deviation`,
    rad, as of a deviation table, with the heading c that the compass itself shows.

    A magnetic compass that is not corrected for a variation V, positive east, has a bias of -V. Roll and pitch are not
    felt.

    `delay` and `seed` are as in all instruments: `delay` whole samples late, until then showing `initial`; random
    numbers by seed, name of the block and number of the sample, however a run is split.

    Raises ParameterError if deviations are so large that two headings would be shown alike (|B| + |C| + 2 |D| + 2 |E|
    of 1 rad or more), or a parameter is out of range.

    Sources: NGA (2004), Handbook of Magnetic Compass Adjustment (coefficients); Fossen (2011), Handbook of Marine Craft
    Hydrodynamics and Motion Control, ch. 11.
    """

    examples = (
        {"period": 0.1, "noise": 0.02, "deviation": [0.02, 0.05, -0.04, 0.03, 0.01]},
        {"period": 0.1, "delay": 2},
    )

    kernel = "compass"

    eta = Input(Pose, "η; the heading ψ counts")
    heading = Output(
        Angle,
        "ψ_m, measured, in [-π, π)",
        depends={"eta": elements("psi")} | whole("noise", "bias", "deviation", "seed", "sample"),
    )

    noise = Parameter(0.0, unit="rad", at_least=0.0, doc="σ, standard deviation of a sample")
    bias = Parameter(0.0, unit="rad", doc="b, constant error")
    deviation = Parameter(0.0, shape=(5,), unit="rad", labels=("A", "B", "C", "D", "E"), doc="coefficients of δ")
    initial = Parameter(0.0, unit="rad", fixed=AT_START, doc="heading that is shown before the first sample is through")

    ring = ring(1, whole("initial"))

    def validate(self) -> None:
        """The heading has to grow with the heading that is shown."""
        _, b, c, d, e = np.abs(np.asarray(self.deviation)).tolist()
        slope = b + c + 2.0 * (d + e)
        if slope >= 1.0:
            raise ParameterError(
                f"{self._called()}.deviation changes too fast with the heading: |B| + |C| + 2|D| + 2|E| must be below "
                f"1 rad, not {slope:g}; deviations are in rad, 5° are 0.087 or '5 deg'"
            )
