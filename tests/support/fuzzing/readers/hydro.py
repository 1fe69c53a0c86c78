"""Hydrodynamics of hulls: meshes, results of WAMIT, NEMOH, HAMS and VERES, and our own data."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from hydro_files import WRITERS, made_up

from blocks.hydro.case import prepared
from blocks.hydro.files import load, save
from blocks.hydro.mesh_files import read_mesh
from blocks.hydro.readers import read_results
from fuzzing.mutate.hdf5 import hdf5
from fuzzing.mutate.raw import raw
from fuzzing.mutate.text import text
from fuzzing.reader import EXAMPLES, Reader

_CUBE = [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
_SIDES = [(1, 5, 7, 3), (2, 4, 8, 6), (1, 2, 6, 5), (3, 7, 8, 4), (1, 3, 4, 2), (5, 6, 8, 7)]


def _meshes(folder: Path) -> Mapping[str, bytes]:
    corners = "\n".join(" ".join(map(str, _CUBE[k - 1])) for side in _SIDES for k in side)
    nodes = "\n".join(f"{k} {x} {y} {z}" for k, (x, y, z) in enumerate(_CUBE, 1))
    panels = "\n".join(" ".join(map(str, side)) for side in _SIDES)
    numbered = "\n".join(f"{k} 4 {' '.join(map(str, side))}" for k, side in enumerate(_SIDES, 1))
    return {
        "barge.stl": (EXAMPLES / "barge.stl").read_bytes(),
        "cube.gdf": f"cube\n1.0 9.81\n0 0\n6\n{corners}\n".encode(),
        "cube.dat": f"2 0\n{nodes}\n0 0 0 0\n{panels}\n0 0 0 0\n".encode(),
        "cube.pnl": (
            f"--- Mesh\n\n # Number of Panels, Nodes\n 6 8 0 0\n\n # Node Coordinates\n{nodes}\n\n"
            f" # Panel Relations\n{numbered}\n"
        ).encode(),
    }


def _mesh(path: Path) -> Any:
    return prepared(read_mesh(path), draught=1.0, panels=60)


def _run(program: str, ending: str) -> Any:
    """One file of a run is damaged; the others are beside it."""

    def seeds(folder: Path) -> Mapping[str, bytes]:
        WRITERS[program](folder, made_up((0.5, 1.0)))
        return {
            str(file.relative_to(folder)): file.read_bytes()
            for file in sorted(folder.rglob("*"))
            if file.is_file() and file.name.endswith(ending)
        }

    return seeds


def _data(folder: Path) -> Mapping[str, bytes]:
    return {"data.nc": save(made_up((0.5, 1.0)), folder / "data.nc").read_bytes()}


READERS = (
    Reader("mesh", _meshes, _mesh, text, 4),
    Reader("binary mesh", _meshes, _mesh, raw, 3),
    Reader("wamit", _run("wamit", ".1"), read_results, text, 3),
    Reader("wamit waves", _run("wamit", ".3"), lambda path: read_results(path.with_suffix(".1")), text, 3),
    Reader("nemoh", _run("nemoh", ".tec"), read_results, text, 3),
    Reader("hams", _run("hams", ".1"), read_results, text, 3),
    Reader("veres", _run("veres", ".re7"), read_results, text, 2),
    Reader("hydrodynamic data", _data, load, hdf5, 3),
)
