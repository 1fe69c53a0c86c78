"""The sea that a wind has fully developed."""

from __future__ import annotations

from blocks.environment.sea import PeakedSea, SeaParameters
from blocks.model.declare import Parameter


class PiersonMoskowitzSea(PeakedSea):
    """A fully developed wind sea, after Pierson and Moskowitz.

    S(f) = A f⁻⁵ exp(-B f⁻⁴),  A = α g²/(2π)⁴,  B = β (g/(2π U))⁴,  α = 8.10e-3,  β = 0.74
    f_p = (4B/5)^¼,  H_s = 4 √(A/(4B)) = 2 √(α/β) U²/g

    S: spectral density, m²/Hz; U: `wind_speed` at 19.5 m above the sea, m/s; g: `gravity`, m/s². Bands, directions
    and phases as of every `IrregularSea`; `direction` is where the waves travel **to**.

    Raises ParameterError if the wind speed is not positive or another number is out of range.

    Source: Pierson and Moskowitz (1964), A proposed spectral form for fully developed wind seas based on the
    similarity theory of S. A. Kitaigorodskii, J. Geophys. Res. 69(24).
    """

    examples = (PeakedSea.examples[0] | {"wind_speed": 5.0},)

    kernel = "pierson_moskowitz_sea"
    positional = ("wind_speed",)

    wind_speed = Parameter(unit="m/s", above=0.0, doc="U, 19.5 m above the sea")

    follows = SeaParameters(("wind_speed", "gravity"), ("wind_speed", "gravity"), ("lower_limit", "upper_limit"))
    significant_height = follows.height_number()
    peak_period = follows.peak_number()
    mean_period, zero_crossing_period, steepness, repetition_period = follows.numbers()
