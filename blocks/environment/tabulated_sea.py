"""A sea with a spectrum from a table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import numpy as np

from blocks.basic.common import check_increasing
from blocks.environment.sea import IrregularSea, SeaParameters
from blocks.errors import ParameterError
from blocks.model.declare import Parameter
from blocks.model.derived import Derived


class TabulatedSea(IrregularSea):
    """A sea with a spectrum that was measured or forecast, given by points and straight in between.

    S(f): `densities` at `table_frequencies`, m, in m²/Hz and **Hz**; nothing outside of them. A spectrum over
    ω = 2π f in m²·s/rad has to be multiplied by 2π. H_s is 4 times the root of its integral, T_p belongs to the
    first of the greatest densities. Bands, directions and phases as of every `IrregularSea`; `direction` is where the
    waves travel **to**.

    Raises ParameterError if there are fewer than two frequencies, if they do not increase, if a density is negative or
    all of them are zero, or if another number is out of range.

    Definition: of the table by the user; of the waves see `IrregularSea`.
    """

    examples = (
        IrregularSea.examples[0] | {"table_frequencies": [0.1, 0.3, 0.4, 0.9], "densities": [0.02, 0.3, 0.2, 0.05]},
    )

    kernel = "tabulated_sea"
    sizes: ClassVar[tuple[str, ...]] = ("n", "m")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}
    positional = ("table_frequencies", "densities")

    table_frequencies = Parameter(shape=("m",), unit="Hz", at_least=0.0, doc="f, increasing")
    densities = Parameter(shape=("m",), unit="m^2/Hz", at_least=0.0, doc="S(f)")

    follows = SeaParameters(
        ("table_frequencies", "densities"), ("table_frequencies", "densities"), ("table_frequencies", "densities")
    )
    spectrum = Derived("f, S(f) and its integral up to there", shape=(3, "m"), unit=None)
    significant_height = follows.height_number()
    peak_period = follows.peak_number()
    mean_period, zero_crossing_period, steepness, repetition_period = follows.numbers()

    def validate(self) -> None:
        """Increasing frequencies, and some energy."""
        super().validate()
        check_increasing(self, "table_frequencies", at_least=2)
        if not np.any(self.densities):
            raise ParameterError(f"{self._called()}.densities must not all be 0: there would be no waves")
