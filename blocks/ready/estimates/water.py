"""The water that vehicles are estimated for."""

from __future__ import annotations

from blocks.estimates import ittc_friction

FRESH = 1000.0
SEA = 1025.0
VISCOSITY = 1.1e-6
"""Kinematic, of water at 16 °C, m²/s."""
G = 9.81


def friction(speed: float, length: float) -> float:
    """C_F of the ITTC-57 line."""
    return ittc_friction(speed * length / VISCOSITY)
