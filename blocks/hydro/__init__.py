"""Hydrodynamic data of hulls: computed from a mesh, read from other programs' results, and made a vessel of."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from blocks.hydro.errors import HydroError, HydroWarning

if TYPE_CHECKING:
    from blocks.hydro.memory import Memory
    from blocks.hydro.memory_figures import memory_figure
    from blocks.hydro.memory_fit import MemoryFit, fit_memory
    from blocks.hydro.retardation import infinite_added_mass, retardation_functions
    from blocks.hydro.seakeeping import SeakeepingModel, vessel_parameters

__all__ = [
    "HydroError",
    "HydroWarning",
    "Memory",
    "MemoryFit",
    "SeakeepingModel",
    "fit_memory",
    "infinite_added_mass",
    "memory_figure",
    "retardation_functions",
    "vessel_parameters",
]

_WHERE = {
    "Memory": "memory",
    "MemoryFit": "memory_fit",
    "SeakeepingModel": "seakeeping",
    "fit_memory": "memory_fit",
    "infinite_added_mass": "retardation",
    "memory_figure": "memory_figures",
    "retardation_functions": "retardation",
    "vessel_parameters": "seakeeping",
}


def __getattr__(name: str) -> Any:
    """What takes long to load, when it is asked for."""
    if name in _WHERE:
        from importlib import import_module

        return getattr(import_module(f"blocks.hydro.{_WHERE[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
