"""Meshes from files: STL, WAMIT's GDF, NEMOH's and HAMS's own."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from blocks.files.writing import path_of
from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError
from blocks.hydro.hull import Hull
from blocks.hydro.text import Reader, content_of

_TRIANGLE = np.dtype([("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attributes", "<u2")])


def read_mesh(path: str | Path) -> Hull:
    """A hull from a file: .stl, .gdf (WAMIT), .pnl (HAMS), .dat, .nemoh or .mar (NEMOH).

    Coordinates are taken as they stand: axes forward, port, up, m. Raises HydroError if it cannot be read.
    """
    file = path_of(path, "a mesh", HydroError)
    reader = _READERS.get(file.suffix.lower())
    if reader is None:
        raise HydroError(
            f"{file}: a mesh ends in {', '.join(_READERS)}, not '{file.suffix}'",
            code="unknown-ending",
            wrong=file.suffix.lower(),
            valid=list(_READERS),
        )
    vertices, panels, planes = reader(file)
    return Hull(vertices, panels, planes, file.stem, f"mesh {file.name}")


_Mesh = tuple[Array, NDArray[np.int64], str]


def _merged(corners: Array) -> tuple[Array, NDArray[np.int64]]:
    """Vertices that are shared and panels of three or four corners each, from k×3×3 or k×4×3 coordinates."""
    flat = corners.reshape(-1, 3)
    finite = flat[np.isfinite(flat).all(axis=1)]
    size = float(np.ptp(finite, axis=0).max()) if len(finite) else 1.0
    grid = max(size, 1e-30) * 1e-7
    with np.errstate(over="ignore", invalid="ignore"):
        keys = np.round(np.nan_to_num(flat, posinf=0.0, neginf=0.0) / grid).astype(np.int64)
    _, first, number = np.unique(keys, axis=0, return_index=True, return_inverse=True)
    sides = corners.shape[-2]
    panels = number.reshape(-1, sides)
    if sides == 3:
        panels = np.hstack([panels, panels[:, 2:]])
    return flat[first], panels.astype(np.int64)


def _solid(corners: Array, where: Path) -> tuple[Array, NDArray[np.int64]]:
    """The same, without panels that have no area."""
    if not np.all(np.isfinite(corners)):
        raise HydroError(f"{where}: the coordinates of vertices must be finite numbers")
    vertices, panels = _merged(corners)
    ordered = np.sort(panels, axis=1)
    distinct = 1 + np.count_nonzero(np.diff(ordered, axis=1), axis=1)
    kept = panels[distinct >= 3]
    if not len(kept):
        raise HydroError(f"{where} has no panel with an area")
    return vertices, kept


def _stl(where: Path) -> _Mesh:
    """Binary or ASCII."""
    content = content_of(where, "mesh")
    count = int.from_bytes(content[80:84], "little") if len(content) >= 84 else -1
    if count >= 0 and len(content) >= 84 + count * _TRIANGLE.itemsize and count * _TRIANGLE.itemsize > 0:
        corners = np.frombuffer(content, _TRIANGLE, count, 84)["corners"].astype(np.float64)
        return *_solid(corners, where), ""
    if content.lstrip()[:5].lower() != b"solid":
        told = f"its header tells of {count} triangles" if count >= 0 else "it is too short"
        raise HydroError(f"{where} is not an STL file: it begins with no 'solid', and as a binary one {told}")
    numbers = re.findall(rb"vertex\s+(\S+)\s+(\S+)\s+(\S+)", content, re.IGNORECASE)
    try:
        corners = np.array(numbers, dtype=object).astype(bytes).astype(np.float64)
    except ValueError:
        raise HydroError(f"{where}: behind 'vertex' must stand three numbers") from None
    if not len(corners) or len(corners) % 3:
        raise HydroError(f"{where} must have three vertices for each facet, and has {len(corners)} in all")
    return *_solid(corners.reshape(-1, 3, 3), where), ""


def _gdf(where: Path) -> _Mesh:
    """WAMIT's low-order panels: a title, ULEN and GRAV, ISX and ISY, the number of panels, then four corners each."""
    lines = Reader(where, "mesh")
    lines.line()
    _, gravity = lines.numbers(2, "ULEN GRAV")[:2]  # WAMIT scales results with ULEN, not the geometry
    symmetric_x, symmetric_y = lines.whole(2, "ISX ISY")[:2]
    (count,) = lines.whole(1, "NPAN")[:1]
    if symmetric_x not in (0, 1) or symmetric_y not in (0, 1):
        lines.fault(f"ISX and ISY must be 0 or 1, not {symmetric_x} {symmetric_y}: higher-order geometry is no panels")
    numbers = np.array(list(lines.rest("a line of coordinates")))
    if count < 1 or len(numbers) != 12 * count:
        raise HydroError(
            f"{where} announces {count} panels, of 12 coordinates each, and has {len(numbers)} coordinates"
        )
    unit = 0.3048 if abs(gravity - 32.2) < 0.2 else 1.0  # by which one sees feet
    vertices, panels = _solid(numbers.reshape(-1, 4, 3) * unit, where)
    return _inwards(vertices, panels, symmetric_x == 1, symmetric_y == 1)


def _inwards(vertices: Array, panels: NDArray[np.int64], in_x: bool, in_y: bool) -> _Mesh:
    """A mesh with its mirrors; WAMIT's panels seen from the water run counterclockwise, with normals out of it."""
    panels = panels[:, ::-1].copy()
    if in_x and not in_y:
        return *_mirrored_aft(vertices, panels), ""
    return vertices, panels, "xz yz" if in_x else "xz" if in_y else ""


def _nemoh(where: Path) -> _Mesh:
    """NEMOH's: "2 0 or 1", numbered vertices to a line of 0, panels to another; 1 is port and starboard alike."""
    lines = Reader(where, "mesh")
    header = lines.whole(2, "the first line")
    vertices, panels = [], []
    while (row := lines.numbers(1, "a vertex"))[0] != 0.0:
        if len(row) < 4:
            lines.fault("a vertex wants its number and three coordinates")
        vertices.append(row[1:4])
    while (numbers := lines.whole(1, "a panel"))[0] != 0:
        if len(numbers) < 4:
            lines.fault("a panel wants the numbers of four vertices")
        panels.append(numbers[:4])
    return _numbered(vertices, panels, "xz" if header[1] == 1 else "", where)


def _pnl(where: Path) -> _Mesh:
    """HAMS's: sizes and mirrors, numbered vertices, numbered panels with their count of corners."""
    lines = Reader(where, "mesh")
    while "#" not in lines.line():
        pass
    lines.at = 3
    count, nodes, in_x, in_y = lines.whole(4, "panels, nodes, X- and Y-symmetry")[:4]
    _find(lines, "node")
    vertices = [lines.numbers(4, "a node")[1:4] for _ in range(_sane(nodes, lines))]
    _find(lines, "panel")
    panels = []
    for _ in range(_sane(count, lines)):
        number, corners, *which = lines.whole(5, "a panel")
        if corners not in (3, 4) or len(which) < corners:
            lines.fault(f"panel {number} must have 3 or 4 vertices")
        panels.append([*which[:3], which[3] if corners == 4 else which[2]])
    return _numbered(vertices, panels, "xz yz" if in_x and in_y else "xz" if in_y else "yz" if in_x else "", where)


def _sane(count: int, lines: Reader) -> int:
    if not 0 < count <= len(lines.lines):
        lines.fault(f"{count} of them are announced, and the file has {len(lines.lines)} lines")
    return count


def _find(lines: Reader, word: str) -> None:
    """Skip to the line behind one that speaks of nodes or panels."""
    while word not in lines.line().lower():
        pass


def _numbered(vertices: list[list[float]], panels: list[list[int]], planes: str, where: Path) -> _Mesh:
    """A mesh of vertices and panels that name them from 1, with normals outwards."""
    if not vertices or not panels:
        raise HydroError(f"{where} has {len(vertices)} vertices and {len(panels)} panels")
    numbers = np.array(panels, dtype=np.int64)
    if numbers.min() < 1 or numbers.max() > len(vertices):
        worst = int(numbers.max() if numbers.max() > len(vertices) else numbers.min())
        raise HydroError(f"{where}: a panel names vertex {worst}, and there are {len(vertices)}")
    merged, kept = _solid(np.array(vertices, dtype=np.float64)[numbers - 1], where)
    if planes == "yz":
        return *_mirrored_aft(merged, kept), ""
    return merged, kept, planes


def _mirrored_aft(vertices: Array, panels: NDArray[np.int64]) -> tuple[Array, NDArray[np.int64]]:
    other = vertices * np.array([-1.0, 1.0, 1.0])
    return np.vstack([vertices, other]), np.vstack([panels, panels[:, ::-1] + len(vertices)])


_READERS: dict[str, Callable[[Path], _Mesh]] = {
    ".stl": _stl, ".gdf": _gdf, ".pnl": _pnl, ".dat": _nemoh, ".nemoh": _nemoh, ".mar": _nemoh,
}  # fmt: skip
ENDINGS = tuple(_READERS)
