"""Modules that have moved: until version 0.3 they import under their old names, too, and warn."""

from __future__ import annotations

import importlib
import sys
import warnings
from collections.abc import Sequence
from importlib.machinery import ModuleSpec
from types import ModuleType

GONE_IN = "0.3"

ROOMS = {
    "model": "calculated component declare dependence describe file_origin text_parameter wiring",
    "plan": "kernel place settings variation",
    "run": "checkpoint failure inputs probe recording result",
    "binary": "netcdf",
    "files": "tables",
}
"""Rooms, and the modules in them that lay beside them once."""

RENAMED = {
    "arrays_file": "files.arrays",
    "port": "model.component",
    "swarm_result": "swarm.result",
    "vehicle": "vehicles.vehicle",
    "vehicle_file": "vehicles.vehicle_file",
}

MOVED = {f"blocks.{name}": f"blocks.{room}.{name}" for room, names in ROOMS.items() for name in names.split()} | {
    f"blocks.{old}": f"blocks.{new}" for old, new in RENAMED.items()
}


class OldNames:
    """Finds and loads a module under the name that it had: a finder for `sys.meta_path`."""

    def find_spec(
        self, name: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The spec of a module that has moved."""
        return ModuleSpec(name, self) if name in MOVED else None  # type: ignore[arg-type]  # a loader without its base

    def create_module(self, spec: ModuleSpec) -> None:
        """Nothing of its own: `exec_module` puts the module that has moved in its place."""

    def exec_module(self, module: ModuleType) -> None:
        """Let the old name mean the module under its new one, so that its classes are the same."""
        old = module.__name__
        sys.modules[old] = importlib.import_module(MOVED[old])
        warnings.warn(
            f"{old} has moved to {MOVED[old]}; the old name goes in version {GONE_IN}", DeprecationWarning, stacklevel=2
        )
