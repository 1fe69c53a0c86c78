"""A sea that the wind is still developing."""

from __future__ import annotations

from blocks.environment.sea import PeakedSea, SeaParameters
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Parameter
from blocks.model.examples import variants


class JonswapSea(PeakedSea):
    """A sea of limited fetch, after the Joint North Sea Wave Project: Bretschneider's with a higher peak.

    S(f) = C f⁻⁵ exp(-(5/4) (f_p/f)⁴) γ^exp(-(f/f_p - 1)²/(2σ²)),  σ = 0.07 for f ≤ f_p, 0.09 above

    γ = 5 for T_p/√H_s ≤ 3.6,  exp(5.75 - 1.15 T_p/√H_s) up to 5,  1 above, with `peak_enhancement="dnv"`

    S: spectral density, m²/Hz; f_p = 1/T_p; T_p: `peak_period`, s; γ: `peakedness`, 1 to 7, on the average 3.3, or by
    DNV's rule; it is shown as `gamma`; C such that the `significant_height` is H_s, m. Bands, directions and phases as
    of every `IrregularSea`; `direction` is where the waves travel **to**.

    Raises ParameterError if the height is negative, the period not positive, or another number out of range.

    Source: Hasselmann et al. (1973), Measurements of wind-wave growth and swell decay during the Joint North Sea Wave
    Project, Deutsche Hydrographische Zeitschrift A8(12); DNV-RP-C205 (2010), sec. 3.5.5, the rule in 3.5.5.5.
    """

    examples = variants(
        PeakedSea.examples[0] | {"significant_height": 0.5, "peak_period": 3.0, "placement": "middle"},
        {"peak_enhancement": "dnv"},
    )

    kernel = "jonswap_sea"
    positional = ("significant_height", "peak_period", "peakedness")

    significant_height = Parameter(unit="m", at_least=0.0, doc="H_s")
    peak_period = Parameter(unit="s", above=0.0, doc="T_p")
    peakedness = Parameter(3.3, at_least=1.0, at_most=100.0, doc="γ, height of the peak over that without it")

    peak_enhancement = Parameter("given", choices=("given", "dnv"), doc="γ: the peakedness, or DNV's rule")

    follows = SeaParameters(
        ("significant_height",),
        ("peak_period",),
        ("lower_limit", "upper_limit", "significant_height", "peak_period", "peakedness", "peak_enhancement"),
    )
    mean_period, zero_crossing_period, steepness, repetition_period = follows.numbers()
    gamma = CalculatedParameter(
        doc="γ", depends=("significant_height", "peak_period", "peakedness", "peak_enhancement")
    )
