"""Tables of motion transfer functions: read from files, or tabulated."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike

from blocks.block import Block
from blocks.environment.files.wave_force_table import Array, read_response_table, tabulated
from blocks.errors import ParameterError
from blocks.model.declare import Parameter

_UNITS = {"omega": ("rad/s",), "heading": ("rad",), "phase": ("rad",), "amplitude": ("1", "rad/m")}
_SPEED = Parameter(unit="m/s")
ANGLES = ("rad", "deg")


def read_motion_table(
    path: str | Path, *, axes: str = "down", phases: str = "lag", angles: str = "rad"
) -> dict[str, Array]:
    """The parameters of a `MotionRAO` from a file: frequencies, headings, amplitude and phase.

    The layout is that of `read_wave_force_table`, without drift: `amplitude` in m/m in the lines of surge, sway and
    heave, in rad/m in those of roll, pitch and yaw, or with `angles="deg"` in degrees per metre.

    Raises ParameterError if the file cannot be read, something is missing or given twice, a value is no number, a unit
    does not fit, or there is drift in it.
    """
    if angles not in ANGLES:
        raise ParameterError(f"angles must be one of {', '.join(map(repr, ANGLES))}, not {angles!r}")
    table = read_response_table(path, axes, phases, _UNITS)
    if "mean_drift" in table:
        raise ParameterError(f"{path} has drift, which loads have and motions do not: take it for a WaveForceRAO")
    if angles == "deg":
        table["amplitude"] = table["amplitude"] * np.array([1.0] * 3 + [np.pi / 180.0] * 3)[:, None, None]
    return table


def tabulate_motion(
    motion: Block, frequencies: ArrayLike, headings: ArrayLike, speed: float, depth: float
) -> dict[str, Array]:
    """The parameters of a `MotionRAO` from the answers to single waves; see `MotionRAO.from_motion`."""
    forward = float(_SPEED.read(speed, "from_motion: speed"))
    wanted = "a motion in waves, such as a BoxShipMotion"
    velocity = np.array([forward, 0.0, 0.0, 0.0, 0.0, 0.0])
    return tabulated(motion, frequencies, headings, depth, "eta_w", "from_motion", wanted, velocity)
