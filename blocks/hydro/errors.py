"""What can be wrong with a hull, its mesh or its hydrodynamic data."""

from __future__ import annotations

from blocks.errors import KeelblocksError, KeelblocksWarning


class HydroError(KeelblocksError):
    """A mesh, hydrodynamic data or what they are asked for cannot be used."""

    code = "bad-hydrodynamics"


class HydroWarning(KeelblocksWarning):
    """Hydrodynamic data can be used, and something about them wants a look."""
