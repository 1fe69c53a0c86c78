"""A sea of wind waves and swell."""

from __future__ import annotations

from blocks.environment.sea import PeakedSea, SeaParameters
from blocks.model.declare import Parameter
from blocks.model.examples import variants


class TorsethaugenSea(PeakedSea):
    """A sea of wind waves and swell in open water, after Torsethaugen and Haver: a spectrum with two peaks.

    S(f) ∝ H₁² T₁ A_γ G(f T₁) γ^exp(-(f T₁ - 1)²/(2σ²)) + H₂² T₂ G(f T₂),  G(x) = x⁻⁴ exp(-x⁻⁴)
    A_γ = (1 + 1.1 (ln γ)^1.19)/γ,  σ = 0.07 for f T₁ ≤ 1, 0.09 above,  T_f = 6.6 H_s^⅓
    H₁ = r H_s,  H₂ = √(1 - r²) H_s,  T₁ = T_p

    Wind sea, T_p ≤ T_f: r = 0.7 + 0.3 exp(-(2 e)²),  e = (T_f - T_p)/(T_f - 2 √H_s) ≤ 1,  T₂ = T_f + 2,
    γ = 35 (2π H₁/(g T_p²))^0.857.
    Swell, T_p > T_f: r = 0.6 + 0.4 exp(-(e/0.3)²),  e = (T_p - T_f)/(25 - T_f) ≤ 1,  T₂ = 6.6 H₂^⅓,
    γ = 35 (2π H_s/(g T_f²))^0.857 (1 + 6 e).

    **In full**, `form="full"`: with N = 0.5 √H_s + 3.2 and M = 4 instead of 4 and 4,

    G(x) = G_0 x^-N exp(-(N/M) x^-M),  1/G_0 = (1/M) (N/M)^(-(N-1)/M) Γ((N-1)/M)
    A_γ = (1 + f_1 (ln γ)^f_2)/γ,  f_1 = 4.1 (N - 2 M^0.28 + 5.3)^(0.96 - 1.45 M^0.1)
    f_2 = (2.2 M^-3.3 + 0.57) N^(0.53 - 0.58 M^0.37) + 0.94 - 1.04 M^-1.9

    both γ times 1 + 3.5 exp(-H_s), and of the wind sea beside a swell M = 4 (1 - 0.7 exp(-H_s/3)) and T₂ = (16 s 0.4^N/
    (G_0 H₂²))^(-1/(N-1)), at least 2.5 s, with s = 0.08 (1 - exp(-H_s/3)), at least 0.01.

    S: spectral density, m²/Hz; H_s: `significant_height`, m; T_p: `peak_period`, s; H_i, T_i: height and peak period of
    the primary and the secondary system, m and s; γ at least 1. The limits of the frequency are multiples of the lower
    and the higher of the two peak frequencies, of which that of a secondary system with less than 0.1 % of the energy
    does not count. Bands, directions and phases as of every `IrregularSea`, both systems about one `direction`, where
    the waves travel **to**; for crossing seas see DNV-RP-C205.

    The coefficients hold for the Norwegian shelf, H_s up to 11 m and T_p from 3.5 to 19 s.

    Raises ParameterError if the height is negative, the period not positive, or another number out of range.

    Source: Torsethaugen and Haver (2004), Simplified double peak spectral model for ocean waves, Proc. ISOPE,
    2004-JSC-193, table 1; DNV-RP-C205 (2010), sec. 3.5.5. In full: Torsethaugen (1996), Model for a doubly peaked wave
    spectrum, SINTEF STF22 A96204, as in WAFO and MSS, which agree; the least period and s as in DNV-RP-C205, app. A.
    """

    examples = variants(
        PeakedSea.examples[0] | {"significant_height": 3.0, "peak_period": 6.0},
        {"significant_height": 2.0, "peak_period": 12.0},
        {"form": "full"},
        {"significant_height": 2.0, "peak_period": 12.0, "form": "full"},
    )

    kernel = "torsethaugen_sea"
    positional = ("significant_height", "peak_period")

    significant_height = Parameter(unit="m", at_least=0.0, usually_at_most=11.0, doc="H_s")
    peak_period = Parameter(unit="s", above=0.0, usually_at_most=19.0, doc="T_p, of the primary system")

    form = Parameter("simplified", choices=("simplified", "full"), doc="of 2004, or that of 1996 with all its terms")

    follows = SeaParameters(
        ("significant_height",),
        ("peak_period",),
        ("lower_limit", "upper_limit", "significant_height", "peak_period", "gravity", "form"),
    )
    mean_period, zero_crossing_period, steepness, repetition_period = follows.numbers()
