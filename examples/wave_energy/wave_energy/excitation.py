"""The force of a sea on a float that is held still."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np

from blocks import Block, Input, Output, Parameter
from blocks.errors import ParameterError
from blocks.model.derived import Derived
from blocks.model.file_origin import file_constructor, with_table
from blocks.signal import Force, Waves
from wave_energy.hydrodynamics import read_hydrodynamics


class HeaveExcitation(Block):
    """The heave force of a sea on an axisymmetric float that is held still, from its transfer function.

    F = Σ a |X(ω)| cos(θ + ∠X(ω)),  θ = k_north x + k_east y - ω t + ε

    a, ω, k, ε: of the components in `waves`; (x, y): `place` of the float, north and east, m; |X|: `amplitude`, N/m,
    and ∠X: `phase`, rad, at m `frequencies`, rad/s; F: `force`, positive up, N. An axisymmetric float takes waves from
    everywhere alike, so that X depends on the frequency alone.

    Between the frequencies of the table the real and imaginary parts of X are straight; outside it is held for longer
    waves, and zero for shorter ones.

    Raises ParameterError if the frequencies do not increase.

    Source: Falnes (2002), Ocean Waves and Oscillating Systems, ch. 5.
    """

    examples = ({"frequencies": [0.5, 1.0, 2.0], "amplitude": [7e5, 5e5, 2e5], "phase": [0.0, -0.1, -0.6]},)

    kernel = "heave_excitation"
    sizes = ("n", "m")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2}
    uses_time = True

    waves = Input(Waves, "components of the sea")
    force = Output(Force, "F, positive up", nominal=1e5)
    frequencies = Parameter(shape=("m",), unit="rad/s", at_least=0.0, doc="increasing frequencies ω of the table")
    amplitude = Parameter(shape=("m",), unit="N/m", at_least=0.0, doc="|X| at these")
    phase = Parameter(0.0, shape=("m",), unit="rad", doc="∠X, lag behind the crest at the float")
    place = Parameter(0.0, shape=(2,), unit="m", frame="ned", labels=("north", "east"), doc="where the float is moored")

    real = Derived("of X", shape=("m",), unit="N/m")
    imaginary = Derived("of X", shape=("m",), unit="N/m")

    def validate(self) -> None:
        """A table over increasing frequencies."""
        if np.any(np.diff(self.frequencies) <= 0.0):
            raise ParameterError(f"HeaveExcitation.frequencies must increase, not be {self.frequencies}")

    @classmethod
    @file_constructor
    def from_file(cls, path: str | Path, **parameters: Any) -> HeaveExcitation:
        """The block with the force of a table of hydrodynamic coefficients, see `read_hydrodynamics`."""
        table = read_hydrodynamics(path)
        read = {"frequencies": table.omega, "amplitude": table.force, "phase": table.phase}
        return with_table(cls, path, read, parameters)
