"""A hull from a vehicle's dimensions and mass, where there is no mesh of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from blocks.hydro.errors import HydroError
from blocks.hydro.hull import Hull
from blocks.hydro.shapes import ship
from blocks.units import to_unit
from blocks.vehicles import describe

_Radii = tuple[float | None, float | None, float | None]


def hull_of_vehicle(vehicle: str, *, draught: float, rho: float, panels: int = 900) -> tuple[Hull, _Radii]:
    """A ship's hull of a vehicle's length and breadth that floats its mass at the draught, and its radii of gyration.

    The block coefficient follows: C_b = m/(ρ L B T). Length and breadth are those of the vehicle file, mass and radii
    those of its `rigid_body_inertia` or `mass`.

    Raises HydroError if the file lacks one of these, or no ship has such a block coefficient.
    """
    read = describe(vehicle)
    length, breadth = (_size(vehicle, read, name) for name in ("length", "breadth"))
    mass, radii = _mass(vehicle, read)
    coefficient = mass / (rho * length * breadth * draught)
    try:
        hull = ship(length, breadth, draught, coefficient, panels=panels)
    except HydroError:
        raise HydroError(
            f"{vehicle} has {mass:g} kg on {length:g} m by {breadth:g} m: at a draught of {draught:g} m its block "
            f"coefficient would be {coefficient:.3g}, and a ship's is 0.3 to 0.97; is that its draught, or has it two "
            f"hulls?"
        ) from None
    return hull, radii


def _size(vehicle: str, read: Any, name: str) -> float:
    value = read.dimensions.metres(name)
    if value is None:
        raise HydroError(f"the file of {vehicle} states no {name} under dimensions; name a mesh or main dimensions")
    return float(value)


def _mass(vehicle: str, read: Any) -> tuple[float, _Radii]:
    """Mass and radii of gyration about the origin, from the first section that has them."""
    for section in read.sections.values():
        entry = section.parameters.get("rigid_body_inertia")
        if entry is not None:
            value = entry.value
            matrix = np.diag(value["diag"]) if isinstance(value, dict) else np.asarray(value, dtype=np.float64)
            if matrix.shape == (6, 6):
                mass = float(matrix[0, 0])
                about_centre = _about_centre(matrix)
                radii = [float(np.sqrt(part / mass)) if part > 0.0 else None for part in about_centre]
                return mass, (radii[0], radii[1], radii[2])
        entry = section.parameters.get("mass")
        if entry is not None and isinstance(entry.value, (int, float)):
            return float(entry.value) * to_unit(f"1 {entry.unit or 'kg'}", "kg"), (None, None, None)
    raise HydroError(
        f"the file of {vehicle} states neither rigid_body_inertia nor mass; name a mesh or main dimensions"
    )


def _about_centre(matrix: np.ndarray) -> np.ndarray:
    """Moments of inertia about the centre of gravity."""
    mass = matrix[0, 0]
    x, y, z = matrix[1, 5] / mass, matrix[2, 3] / mass, matrix[0, 4] / mass
    moments = np.diag(matrix)[3:] - mass * np.array([y**2 + z**2, x**2 + z**2, x**2 + y**2])
    return np.asarray(moments)
