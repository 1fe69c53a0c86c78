"""The motion of a vessel in waves, from a table of its motion transfer functions."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from blocks.basic.common import NO_LIMIT
from blocks.block import Block
from blocks.environment.files.motion_table import read_motion_table, tabulate_motion
from blocks.environment.headings import check_transfer, phases_in_degrees
from blocks.environment.wave_motion import WaveMotion
from blocks.errors import ParameterError
from blocks.model.declare import Parameter
from blocks.model.derived import Derived
from blocks.model.file_origin import file_constructor, with_table
from blocks.model.improbable import doubtful
from blocks.problems import Problem

_GREATEST = 1000.0
"""m/m: even surge in water that is shallow beside the wave, 1/tanh kh, is less."""
_GRAVITY = 9.81
_TILTED = 40.0
"""Rotation over the slope of waves in deep water: 1 in long waves, that in degrees 57; at resonance 1/(2 ζ)."""


class MotionRAO(WaveMotion):
    """The first-order motion of a vessel in waves, from tables over frequency and heading (motion RAOs).

    η_w,d = Σ a |H_d(ω, β)| cos(θ + ∠H_d(ω, β)),  θ = k_north x + k_east y - ω t + ε,  d = 1 … 6

    H: motion transfer functions of the body origin in surge, sway, heave, roll, pitch, yaw, forward, starboard, down,
    |H|: `amplitude`, 6×m×k, m/m and rad/m, ∠H: `phase`, 6×m×k, rad, at m `frequencies` of the waves at rest, rad/s, and
    k `headings`, rad; velocities, accelerations, the frequency of encounter and the total motion as of every
    `WaveMotion`. A `WaveForceRAO` gives forces to a vessel whose equations then move it; this block gives the motion
    itself, for vessels of which only that is known, and for slow models to which it is added.

    **Heading** β of a component is where it travels **to**, seen from the bow, clockwise: 0 following sea, π/2 towards
    starboard, π head sea. Headings from 0 to π are the table of a hull whose sides are alike: waves from the other side
    give the mirror image, with sway, roll and yaw reversed, and these are zero at both ends. Other headings close a
    turn.

    **Phase** is a lag: a motion with ∠H = π/2 has its greatest value a quarter of a period of encounter after the crest
    has passed the body origin. Tables with the lead, a |H| cos(ωt + φ), come in with φ reversed.

    **Between** the nodes real and imaginary parts of H are straight in frequency and in heading. **Outside** the table,
    for longer waves the translations are held and the rotations shrink as the slope of the waves does, by (ω/ω_1)²; for
    shorter ones H is zero.

    The vessel's way changes the frequency of encounter by itself. That H depends on speed is left out: take the table
    of the speed in question.

    Raises ParameterError if frequencies or headings do not increase, headings leave a gap, tables differ in size, or
    the table of half a turn has a lateral motion for waves from ahead or astern.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., sec. 10.2.3; Faltinsen
    (1990), Sea Loads on Ships and Offshore Structures, ch. 3, for the frequency of encounter.
    """

    examples = (
        {
            "frequencies": [0.2, 1.0, 3.0],
            "headings": [-2.4, -1.2, 0.1, 1.3, 2.6],
            "amplitude": 0.02 * np.arange(1.0, 91.0).reshape(6, 3, 5),
            "phase": (0.618 * np.arange(90.0) % 2.0 - 1.0).reshape(6, 3, 5),
        },
        {
            "frequencies": [0.2, 1.0, 3.0],
            "headings": [0.0, 0.7, 1.6, 2.5, np.pi],
            "amplitude": 0.02
            * np.arange(1.0, 91.0).reshape(6, 3, 5)
            * np.array([np.ones(5), np.array([0.0, 1.0, 1.0, 1.0, 0.0])] * 3)[:, None],
            "phase": (0.618 * np.arange(90.0) % 2.0 - 1.0).reshape(6, 3, 5),
        },
    )

    kernel = "motion_rao"
    sizes = ("n", "m", "k")
    least_sizes: ClassVar[Mapping[str, int]] = {"m": 2, "k": 2}

    frequencies = Parameter(shape=("m",), unit="rad/s", above=0.0, doc="increasing frequencies ω of the waves, at rest")
    headings = Parameter(shape=("k",), unit="rad", doc="increasing headings β that waves travel to: 0 to π, or a turn")
    amplitude = Parameter(
        shape=(6, "m", "k"), unit=None, at_least=0.0, doc="|H|, m/m in surge, sway and heave, rad/m in roll, pitch, yaw"
    )
    phase = Parameter(0.0, shape=(6, "m", "k"), unit="rad", doc="∠H, lag behind the crest at the body origin")

    intervals = Derived("of headings: k, or k - 1 where the last heading closes the table")
    turns = Derived("headings from the first one on, and a whole turn", shape=("k+1",), unit="rad")
    nodes = Derived(
        "of each frequency and heading: Re H of surge to yaw, 0, 0; Im H, 0, 0", shape=("m", "k", 16), unit=None
    )

    tables: ClassVar[dict[str, str]] = {"frequencies": "*", "headings": "*", "amplitude": "*", "phase": "*"}

    def validate(self) -> None:
        """A table over increasing frequencies, and over headings that close."""
        check_transfer(self, "move")

    def improbable(self) -> Iterator[Problem]:
        """Amplitudes that no motion has, as loads have them, and phases that may be degrees."""
        yield from super().improbable()
        yield from phases_in_degrees(self)
        greatest = float(np.max(np.asarray(self.amplitude)[:3]))
        if greatest > _GREATEST:
            yield doubtful(
                self,
                "amplitude",
                f": a motion of {greatest:.3g} m per metre of wave amplitude",
                "if these are loads, N/m, WaveForceRAO takes them",
            )
        slope = np.asarray(self.frequencies)[:, None] ** 2 / _GRAVITY
        steepest = float(np.max(np.asarray(self.amplitude)[3:] / slope))
        if greatest <= _GREATEST and steepest > _TILTED:
            yield doubtful(
                self,
                "amplitude",
                f": a rotation of {steepest:.3g} times the slope of the wave",
                'rotations are in rad/m; if degrees are meant, np.radians(…) in Python, and angles="deg" of a file',
            )

    @classmethod
    @file_constructor
    def from_file(
        cls, path: str | Path, *, axes: str = "down", phases: str = "lag", angles: str = "rad", **parameters: Any
    ) -> MotionRAO:
        """The block with the table of a CSV or NetCDF file; `parameters` are the others, and take precedence.

        `axes="up"`: the table has axes forward, port, up and counts headings counterclockwise, as WAMIT does.
        `phases="lead"`: its phases are those of a |H| cos(ωt + φ). `angles="deg"`: its rotations are in degrees per
        metre. For the layout see `read_motion_table`.

        Raises ParameterError if the file cannot be read or is not a complete table.
        """
        table = read_motion_table(path, axes=axes, phases=phases, angles=angles)
        try:
            return with_table(cls, path, table, parameters)
        except ParameterError as problem:
            raise ParameterError(f"{path}: {problem}") from None

    @classmethod
    def from_motion(
        cls,
        motion: Block,
        frequencies: ArrayLike,
        headings: ArrayLike,
        *,
        speed: float = 0.0,
        depth: float = NO_LIMIT,
        **parameters: Any,
    ) -> MotionRAO:
        """The block with the table of another motion in waves, such as a `BoxShipMotion`, at a forward `speed`, m/s.

        Single waves of unit amplitude in water of that `depth`, m, are put in, for each of the `frequencies`, rad/s,
        and `headings`, rad. Raises ParameterError if it has no ports `waves`, `eta`, `nu`, `eta_w`.
        """
        return cls(**(tabulate_motion(motion, frequencies, headings, speed, depth) | parameters))
