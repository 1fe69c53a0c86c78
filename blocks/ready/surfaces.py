"""How a vehicle is steered and dived by control surfaces whose derivatives are known."""

from __future__ import annotations

import numpy as np

from blocks.ready.craft import Craft, Floats
from blocks.ready.drive import SHARE, Wires
from blocks.ready.text import Piece, Said, quantity


def angles_per_moment(effect: Floats, speed: float) -> Floats:
    """n×6: the least angles of n surfaces that make a pitch or a yaw moment, and no roll, at a speed."""
    moments = effect[:, 3:].T * speed * speed
    matrix = np.zeros((len(effect), 6))
    matrix[:, 4:] = np.linalg.pinv(moments)[:, 1:]
    matrix[np.abs(matrix) < 1e-9 * np.abs(matrix).max()] = 0.0
    return matrix


def greatest_moments(matrix: Floats, limits: Floats) -> dict[str, tuple[float, float]]:
    """How far pitch and yaw moment go within the angles."""
    found = {}
    for axis, column in (("M", matrix[:, 4]), ("N", matrix[:, 5])):
        used = column != 0.0
        if np.any(used):
            most = SHARE * float((limits[used] / np.abs(column[used])).min())
            found[axis] = (-most, most)
    return found


def steering(vessel: Craft, speed: float) -> tuple[list[Piece], Wires, dict[str, tuple[float, float]]]:
    """The surfaces, and the angles for the moments that are wanted; the greatest moments."""
    block = vessel.block("thrust.ControlSurfaces")
    effect = np.asarray(block.values["effect"], dtype=float)
    limits = np.broadcast_to(np.asarray(block.values["angle_limit"], dtype=float), (len(effect),))
    matrix = angles_per_moment(effect, speed or 1.0)
    rounded = np.array([[float(f"{value:.4g}") for value in row] for row in matrix])
    pieces = [
        Piece("moments", "control.ComposeWrench", comment="the moments that are wanted"),
        Piece(
            "angles",
            "basic.MatrixGain",
            {"matrix": Said(rounded, f"rad per N m, at {quantity(speed or 1.0, 'm/s', 3)}")},
            comment="the least angles that make them, without roll, at cruise speed",
        ),
        Piece("surfaces", "thrust.ControlSurfaces", vehicle=vessel.name),
    ]
    wires = [("moments.force", "angles.u"), ("angles.y", "surfaces.command"), ("vessel.nu_r", "surfaces.nu_r")]
    return pieces, wires, greatest_moments(matrix, limits)
