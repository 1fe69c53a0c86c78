"""The load of waves on a hull of any size, from a table of its force transfer functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from blocks.basic.common import NO_LIMIT
from blocks.block import Block, Sizes
from blocks.environment.files.wave_force_table import SLOW, read_wave_force_table, tabulate
from blocks.environment.headings import (
    check_central,
    check_ends,
    check_transfer,
    closes_itself,
    covers_half,
    phases_in_degrees,
)
from blocks.environment.sea import ROWS
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import TIME, WHOLE, Pattern, Sources, between, matrix, rows
from blocks.model.derived import Derived
from blocks.model.file_origin import file_constructor, with_table
from blocks.problems import Problem
from blocks.signal import Pose, Waves, Wrench

_WAVES = ("omega", "k_north", "k_east", "amplitude", "phase")
_SLOW = "X Y N"


class WaveForceRAO(Block):
    """The first-order load of waves and the slow drift, from tables over frequency and heading.

    τ_d = Σ a |H_d(ω, β)| cos(θ + ∠H_d(ω, β)) + τ_drift,d,  θ = k_north x + k_east y - ω t + ε
    τ_drift,d = Re[(Σ a s_d e^{iθ}) (Σ a |s_d| e^{iθ})*],  s = sign(D) √|D|,  d = X, Y, N

    a, ω, k, ε: of the components in `waves`, see `IrregularSea`; (x, y), ψ: place and heading of the body, from `eta`;
    H: force transfer functions (force RAOs) in surge, sway, heave, roll, pitch, yaw, |H|: `amplitude`, 6×m×k, N/m and
    N·m/m, ∠H: `phase`, 6×m×k, rad, at m `frequencies`, rad/s, and k `headings`, rad; D: `mean_drift`, 3×m×k, mean drift
    load in surge, sway and yaw per square of the amplitude, N/m² and N·m/m²; `disturbance`: τ, `drift`: its slow part,
    N and N·m, about the body origin, forward, starboard, down.

    **Heading** β of a component is where it travels **to**, seen from the bow, clockwise: 0 following sea, π/2 towards
    starboard, π head sea. It follows the vessel's heading of the moment. Headings from 0 to π are the table of a hull
    whose sides are alike: waves from the other side give the mirror image, with sway, roll and yaw reversed, and these
    are zero at both ends. Other headings close a turn.

    **Phase** is a lag: a load with ∠H = π/2 has its greatest value a quarter of a period after the crest has passed
    the body origin. Tables with the lead of the load, a |H| cos(ωt + φ), come in with φ reversed.

    **Between** the nodes real and imaginary parts of H, and s, are straight in frequency and in heading. **Outside**
    the table, for longer waves H is held and D zero, for shorter ones H is zero and D held.

    **Drift** is Newman's approximation with the geometric mean: each pair of components drifts with √(D_i D_j), with
    the sign of both, or not at all where the signs differ. It has difference frequencies only and the mean Σ a² D, and
    where D has one sign, it keeps that at all times. Without `mean_drift` it is zero.

    The vessel's way gives the frequency of encounter by itself; that H and D depend on speed is left out, so take a
    table of the speed in question.

    Raises ParameterError if frequencies or headings do not increase, headings leave a gap, tables differ in size, or
    the table of half a turn has a lateral load for waves from ahead or astern.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 10.2; Newman (1974),
    Second-order, slowly-varying forces on vessels in irregular waves, Proc. Int. Symp. on the Dynamics of Marine
    Vehicles and Structures in Waves, London; Faltinsen (1990), Sea Loads on Ships and Offshore Structures, ch. 5.
    """

    examples = (
        {
            "frequencies": [0.2, 1.0, 3.0],
            "headings": [-2.4, -1.2, 0.1, 1.3, 2.6],
            "amplitude": np.arange(1.0, 91.0).reshape(6, 3, 5),
            "phase": (0.618 * np.arange(90.0) % 2.0 - 1.0).reshape(6, 3, 5),
            "mean_drift": (0.382 * np.arange(45.0) % 2.0 - 1.0).reshape(3, 3, 5),
        },
        {
            "frequencies": [0.2, 1.0, 3.0],
            "headings": [0.0, 0.7, 1.6, 2.5, np.pi],
            "amplitude": np.arange(1.0, 91.0).reshape(6, 3, 5)
            * np.array([np.ones(5), np.array([0.0, 1.0, 1.0, 1.0, 0.0])] * 3)[:, None],
            "phase": (0.618 * np.arange(90.0) % 2.0 - 1.0).reshape(6, 3, 5),
            "mean_drift": (0.382 * np.arange(45.0) % 2.0 - 1.0).reshape(3, 3, 5)
            * np.array([np.ones(5), np.array([0.0, 1.0, 1.0, 1.0, 0.0]), np.array([0.0, 1.0, 1.0, 1.0, 0.0])])[:, None],
        },
    )

    kernel = "wave_force_rao"
    sizes = ("n", "m", "k")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2, "k": 2}
    uses_time = True

    waves = Input(Waves, "components of the sea")
    eta = Input(Pose, "η, pose of the vessel")
    disturbance = Output(Wrench, "τ, load on the vessel about the body origin, drift included", nominal=1e4)
    drift = Output(Wrench, "the part of it that drifts slowly; Z, K and M are zero", nominal=1e3)

    frequencies = Parameter(
        shape=("m",), unit="rad/s", at_least=0.0, doc="increasing frequencies ω of the waves, at rest"
    )
    headings = Parameter(shape=("k",), unit="rad", doc="increasing headings β that waves travel to: 0 to π, or a turn")
    amplitude = Parameter(
        shape=(6, "m", "k"),
        unit=None,
        at_least=0.0,
        doc="|H|, N/m in X, Y, Z and N·m/m in K, M, N, about the body origin",
    )
    phase = Parameter(0.0, shape=(6, "m", "k"), unit="rad", doc="∠H, lag behind the crest at the body origin")
    mean_drift = Parameter(0.0, shape=(3, "m", "k"), unit=None, doc="D of X and Y, N/m², and of N, N·m/m²")

    with_drift = Derived("1: there is some drift, 0: there is none")
    intervals = Derived("of headings: k, or k - 1 where the last heading closes the table")
    turns = Derived("headings from the first one on, and a whole turn", shape=("k+1",), unit="rad")
    nodes = Derived(
        "of each frequency and heading: Re H of X to N, 0, 0; Im H, 0, 0; D/√|D| of X, Y and N, 0",
        shape=("m", "k", 20),
        unit=None,
    )

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On where and how the vessel stands in the horizontal plane; drift on amplitudes and phases not of H."""
        some = rows(_SLOW)
        n = sizes["n"]
        wave_rows = np.repeat([row in _WAVES for row in ROWS], n)
        if output == "drift":
            lines = np.outer([1, 1, 0, 0, 0, 1], wave_rows)
            found: dict[str, Pattern] = dict.fromkeys((TIME, "frequencies", "headings", "mean_drift"), some)
            return found | {"waves": matrix(lines), "eta": between({_SLOW: "x y psi"})}
        found = dict.fromkeys((TIME, "frequencies", "headings", "amplitude", "phase"), WHOLE)
        return found | {
            "waves": matrix(np.tile(wave_rows, (6, 1))),
            "eta": between({"*": "x y psi"}),
            "mean_drift": some,
        }

    def validate(self) -> None:
        """A table over increasing frequencies, and over headings that close."""
        check_transfer(self, "push")
        drift = np.asarray(self.mean_drift)
        if drift.ndim != 3:
            if drift != 0.0:
                raise ParameterError(
                    f"{self._called()}.mean_drift must be an array of 3×m×k or 0, not the single number {drift:g}"
                )
        elif covers_half(self.headings):
            check_central(self, "mean_drift", drift, SLOW, "push")
        elif closes_itself(self.headings):
            check_ends(self, "mean_drift", drift)

    def improbable(self) -> Iterator[Problem]:
        """Phases that may be degrees."""
        yield from super().improbable()
        yield from phases_in_degrees(self)

    @classmethod
    @file_constructor
    def from_file(cls, path: str | Path, *, axes: str = "down", phases: str = "lag", **parameters: Any) -> WaveForceRAO:
        """The block with the table of a CSV or NetCDF file; `parameters` are the others, and take precedence.

        `axes="up"`: the table has axes forward, port, up and counts headings counterclockwise, as WAMIT does.
        `phases="lead"`: its phases are those of a |H| cos(ωt + φ). For the layout see `read_wave_force_table`.

        Raises ParameterError if the file cannot be read or is not a complete table.
        """
        table = read_wave_force_table(path, axes=axes, phases=phases)
        try:
            return with_table(cls, path, table, parameters)
        except ParameterError as problem:
            raise ParameterError(f"{path}: {problem}") from None

    @classmethod
    def from_load(
        cls, load: Block, frequencies: ArrayLike, headings: ArrayLike, *, depth: float = NO_LIMIT, **parameters: Any
    ) -> WaveForceRAO:
        """The block with the table of another load on an upright hull at its draught, such as a `WaveLoad`.

        Single waves of unit amplitude in water of that `depth` are put in, for each of the `frequencies`, rad/s, and
        `headings`, rad. With headings of half a turn a `WaveLoad` must have yaw_moment="corners": the published yaw
        moment is not zero in head sea. Raises ParameterError if the load has no ports `waves`, `eta`, `disturbance`.
        """
        return cls(**(tabulate(load, frequencies, headings, depth) | parameters))
