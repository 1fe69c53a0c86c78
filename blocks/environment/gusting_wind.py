"""A wind with gusts by a published spectrum."""

from __future__ import annotations

from typing import ClassVar

from blocks.block import Block
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Output, Parameter
from blocks.model.dependence import TIME, rows
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.signal import Velocity

NODES = 513
"""Points of the table of the spectrum, as in gusting_wind.pxd."""

_FORM = ("speed", "spectrum", "drag_coefficient", "lower_frequency", "upper_frequency")


class GustingWind(Block):
    """A mean wind with gusts along it, by a spectrum, the same everywhere.

    wind = -(V_w + v)(cos β_w, sin β_w, 0),  v = Σ a cos(2π f t + ε),  ½ a² = ∫ S df over the band of the harmonic

    V_w: `speed`, mean over an hour 10 m above the surface, m/s; β_w: `direction` that the wind comes **from**, from
    north, clockwise, rad; `wind`: velocity of the air, where it blows to, north, east, down, 3, m/s, as with
    `UniformWind`; S: one-sided spectral density of the gusts, m²/s²/Hz, at the frequency f, Hz:

    - `spectrum="davenport"`: f S = 4 κ V_w² x²/(1 + x²)^(4/3), x = (1200 m) f/V_w
    - "harris": f S = 4 κ V_w² x/(2 + x²)^(5/6), x = (1800 m) f/V_w
    - "norsok": S = 320 (V_w/10)²/(1 + x^n)^(5/(3n)), x = 172 f (V_w/10)^(-3/4), n = 0.468, of winds over open sea

    κ: `drag_coefficient` of the surface, about 0.001 over calm water and 0.0026 over sea; "norsok" has none.

    **Bands** are between `lower_frequency` and `upper_frequency` and of equal energy. All energy between these is in
    them, for any number of `harmonics`: Σ a²/2 is σ² = ∫ S df (S straight between 513 frequencies), and σ is the
    calculated `standard_deviation`. A harmonic stands within its band at a frequency that is drawn by the energy
    there, so that gusts do not repeat; phases are uniform on (0, 2π). Both are drawn by the `seed`, and equal seeds
    give equal gusts, whatever the block is called. The published limits of "norsok" are those that are set.

    Gusts across the wind, vertical ones, and how gusts differ from place to place are left out.

    Raises ParameterError if a number is out of range or the frequencies are not in order.

    Sources: Davenport (1961), The spectrum of horizontal gustiness near the ground in high winds, Quarterly Journal of
    the Royal Meteorological Society 87; Harris (1971), The nature of the wind, CIRIA; Andersen and Løvseth (2006), The
    Frøya database and maritime boundary layer wind description, Marine Structures 19 (NORSOK); DNV-RP-C205 (2010),
    Environmental Conditions and Environmental Loads, ch. 2, has all three.
    """

    examples = variants(
        {"speed": 5.0, "direction": 0.7, "spectrum": "davenport", "harmonics": 12},
        {"spectrum": "harris"},
        {"spectrum": "norsok"},
    )

    kernel = "gusting_wind"
    uses_time = True
    sizes: ClassVar[tuple[str, ...]] = ("n",)
    positional = ("speed", "direction")

    wind = Output(
        Velocity,
        "velocity of the air, where it blows to",
        feedthrough=False,
        depends=dict.fromkeys((TIME, *_FORM, "direction", "seed"), rows("north east")),
        nominal=10.0,
    )
    speed = Parameter(unit="m/s", at_least=0.0, usually_at_most=100.0, doc="mean speed of the wind V_w")
    direction = Parameter(0.0, unit="rad", doc="where the wind comes from, β_w, from north, clockwise")
    spectrum = Parameter("norsok", choices=("davenport", "harris", "norsok"), doc="whose S")
    harmonics = Parameter(64, integer=True, at_least=1, at_most=10_000, structural=True, doc="number of bands")
    drag_coefficient = Parameter(0.0026, above=0.0, at_most=0.1, doc="κ, of the surface")
    lower_frequency = Parameter(1.0 / 600.0, unit="Hz", above=0.0, doc="least frequency")
    upper_frequency = Parameter(0.5, unit="Hz", above=0.0, doc="greatest frequency")
    seed = Parameter(0, integer=True, at_least=0, at_most=4294967295, doc="which of 2³² independent realisations")

    standard_deviation = CalculatedParameter(
        unit="m/s", doc="σ of the gusts, between the two frequencies", depends=_FORM
    )
    to_north = Derived("-cos β_w")
    to_east = Derived("-sin β_w")
    bands = Derived("ω, amplitude and phase of each harmonic, filled up to eights", shape=(3, "(n+7)//8*8"), unit=None)
    table = Derived("f, S(f) and its integral up to there", shape=(3, NODES), unit=None)

    def known_sizes(self) -> dict[str, int]:
        """How many harmonics there are is a parameter."""
        return super().known_sizes() | {"n": self.harmonics}

    def validate(self) -> None:
        """Frequencies in order."""
        if not self.upper_frequency > self.lower_frequency:
            raise ParameterError(
                f"{self._called()}.upper_frequency must be above lower_frequency, {self.lower_frequency:g} Hz, "
                f"not {self.upper_frequency:g}"
            )
