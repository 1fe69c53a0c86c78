"""Hydrodynamic data of hulls: computed from a mesh, read from other programs' results, and made a vessel of.

data = blocks.hydro.open("barge.stl", draught=2.5, gm=1.2)      # by Capytaine, extra `hydro`; kept, so once only
data = blocks.hydro.open("tanker.out")                          # WAMIT; NEMOH, HAMS and ShipX too
data["added_mass"].sel(radiating_dof="Heave", influenced_dof="Heave")
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from blocks.hydro.errors import HydroError, HydroWarning
from blocks.hydro.opening import open

if TYPE_CHECKING:
    from blocks.hydro.case import Case, prepared
    from blocks.hydro.figures import hydrodynamics_figure
    from blocks.hydro.files import load, save
    from blocks.hydro.hull import Hull
    from blocks.hydro.mesh_files import read_mesh
    from blocks.hydro.readers import read_results
    from blocks.hydro.vessel_file import vessel_file

__all__ = [
    "Case",
    "Hull",
    "HydroError",
    "HydroWarning",
    "hydrodynamics_figure",
    "load",
    "open",
    "prepared",
    "read_mesh",
    "read_results",
    "save",
    "vessel_file",
]

_WHERE = {
    "Case": "case",
    "Hull": "hull",
    "hydrodynamics_figure": "figures",
    "load": "files",
    "prepared": "case",
    "read_mesh": "mesh_files",
    "read_results": "readers",
    "save": "files",
    "vessel_file": "vessel_file",
}


def __getattr__(name: str) -> Any:
    """What takes long to load, when it is asked for."""
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(f"blocks.hydro.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
