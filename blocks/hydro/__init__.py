"""Hydrodynamic data of hulls: computed from a mesh, read from other programs' results, and made a vessel of.

data = blocks.hydro.open("barge.stl", draught=2.5, gm=1.2)      # by Capytaine, extra `hydro`; kept, so once only
data = blocks.hydro.open("tanker.out")                          # WAMIT; NEMOH, HAMS and ShipX too
data["added_mass"].sel(radiating_dof="Heave", influenced_dof="Heave")
model = blocks.hydro.vessel_parameters(data, roll_damping_ratio=0.05)
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
    from blocks.hydro.memory import Memory
    from blocks.hydro.memory_figures import memory_figure
    from blocks.hydro.memory_fit import MemoryFit, fit_memory
    from blocks.hydro.mesh_files import read_mesh
    from blocks.hydro.readers import read_results
    from blocks.hydro.retardation import infinite_added_mass, retardation_functions
    from blocks.hydro.seakeeping import SeakeepingModel, vessel_parameters
    from blocks.hydro.vessel_file import vessel_file

__all__ = [
    "Case",
    "Hull",
    "HydroError",
    "HydroWarning",
    "Memory",
    "MemoryFit",
    "SeakeepingModel",
    "fit_memory",
    "hydrodynamics_figure",
    "infinite_added_mass",
    "load",
    "memory_figure",
    "open",
    "prepared",
    "read_mesh",
    "read_results",
    "retardation_functions",
    "save",
    "vessel_file",
    "vessel_parameters",
]

_WHERE = {
    "Case": "case",
    "Hull": "hull",
    "Memory": "memory",
    "MemoryFit": "memory_fit",
    "SeakeepingModel": "seakeeping",
    "fit_memory": "memory_fit",
    "hydrodynamics_figure": "figures",
    "infinite_added_mass": "retardation",
    "load": "files",
    "memory_figure": "memory_figures",
    "prepared": "case",
    "read_mesh": "mesh_files",
    "read_results": "readers",
    "retardation_functions": "retardation",
    "save": "files",
    "vessel_file": "vessel_file",
    "vessel_parameters": "seakeeping",
}


def __getattr__(name: str) -> Any:
    """What takes long to load, when it is asked for."""
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(f"blocks.hydro.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
