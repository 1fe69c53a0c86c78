"""A sea of given height and period."""

from __future__ import annotations

from blocks.environment.sea import PeakedSea, SeaParameters
from blocks.model.declare import Parameter
from blocks.model.examples import variants


class BretschneiderSea(PeakedSea):
    """A sea of given height and period, after Bretschneider; also called ITTC, ISSC or modified Pierson-Moskowitz.

    S(f) = (5/16) H_s² f_p⁴ f⁻⁵ exp(-(5/4) (f_p/f)⁴)

    S: spectral density, m²/Hz; H_s: `significant_height`, m; T: `period`, s, which is by `period_kind` the peak period
    T_p = 1/f_p ("peak"), T_1 = m_0/m_1 = 0.772 T_p ("mean") or T_z = √(m_0/m_2) = 0.710 T_p ("zero-crossing") of the
    whole spectrum. Bands, directions and phases as of every `IrregularSea`; `direction` is where the waves travel
    **to**.

    Raises ParameterError if the height is negative, the period not positive, or another number out of range.

    Source: Bretschneider (1959), Wave variability and wave spectra for wind-generated gravity waves, US Army Corps of
    Engineers, Beach Erosion Board, Tech. Memo. 118; Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion
    Control, 2nd ed., sec. 10.2.
    """

    examples = variants(
        PeakedSea.examples[0] | {"significant_height": 0.5, "period": 3.0}, {"directions": 1, "bands": "equal-step"}
    )

    kernel = "bretschneider_sea"
    positional = ("significant_height", "period")

    significant_height = Parameter(unit="m", at_least=0.0, doc="H_s")
    period = Parameter(unit="s", above=0.0, doc="T, see `period_kind`")
    period_kind = Parameter("peak", choices=("peak", "mean", "zero-crossing"), doc="which period is given")

    follows = SeaParameters(("significant_height",), ("period", "period_kind"), ("lower_limit", "upper_limit"))
    peak_period = follows.peak_number()
    mean_period, zero_crossing_period, steepness, repetition_period = follows.numbers()
