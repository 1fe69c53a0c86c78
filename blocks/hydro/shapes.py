"""Parametric hulls: a box barge, cylinder, hemisphere, spheroid, Wigley's hull, and a ship from its main dimensions."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError
from blocks.hydro.hull import Hull

_QUARTER = "xz yz"
_Surface = Callable[[Array, Array], Array]


def box(length: float, breadth: float, draught: float, *, panels: int = 600) -> Hull:
    """A barge with the form of a box, of about so many panels, finer towards its edges."""
    _positive(length=length, breadth=breadth, draught=draught)
    n, m, k = _divisions((length / 2.0, breadth / 2.0, draught), panels / 4.0)
    x, y = length / 2.0 * _towards_end(n), breadth / 2.0 * _towards_end(m)
    z = -draught * _towards_end(k)
    bottom = _grid(n, m, lambda i, j: np.stack([x[i], y[j], np.full(i.shape, -draught)], -1))
    side = _grid(n, k, lambda i, j: np.stack([x[i], np.full(i.shape, breadth / 2.0), z[j]], -1))
    end = _grid(m, k, lambda i, j: np.stack([np.full(i.shape, length / 2.0), y[i], z[j]], -1))
    name = f"box {length:g}x{breadth:g}x{draught:g}"
    return _joined((bottom, side, end), _QUARTER, name, f"box(length={length}, breadth={breadth}, draught={draught})")


def cylinder(radius: float, draught: float, *, panels: int = 600) -> Hull:
    """An upright circular cylinder."""
    _positive(radius=radius, draught=draught)
    around = 0.5 * np.pi * radius
    n, m, k = _divisions((around, radius, draught), panels / 4.0, faces=((0, 1), (0, 2)))
    angle = np.linspace(0.0, 0.5 * np.pi, n + 1)
    r, z = radius * _towards_end(m), -draught * _towards_end(k)
    side = _grid(n, k, lambda i, j: np.stack([radius * np.cos(angle[i]), radius * np.sin(angle[i]), z[j]], -1))
    bottom = _grid(
        n, m, lambda i, j: np.stack([r[j] * np.cos(angle[i]), r[j] * np.sin(angle[i]), np.full(i.shape, -draught)], -1)
    )
    name = f"cylinder {radius:g}x{draught:g}"
    return _joined((side, bottom), _QUARTER, name, f"cylinder(radius={radius}, draught={draught})")


def hemisphere(radius: float, *, panels: int = 600) -> Hull:
    """The lower half of a sphere that floats with its centre in the waterline."""
    return _ellipsoid(radius, radius, radius, panels, f"hemisphere {radius:g}", f"hemisphere(radius={radius})")


def spheroid(length: float, diameter: float, *, panels: int = 600) -> Hull:
    """The lower half of a spheroid that is as broad as it is deep, with its axis in the waterline."""
    made_from = f"spheroid(length={length}, diameter={diameter})"
    return _ellipsoid(
        length / 2.0, diameter / 2.0, diameter / 2.0, panels, f"spheroid {length:g}x{diameter:g}", made_from
    )


def _ellipsoid(a: float, b: float, c: float, panels: int, name: str, made_from: str) -> Hull:
    _positive(length=2.0 * a, breadth=2.0 * b, draught=c)
    girth = 0.5 * np.pi
    n, m, _ = _divisions((girth * (a + b) / 2.0, girth * (b + c) / 2.0, 1.0), panels / 4.0, faces=((0, 1),))
    along, down = np.linspace(0.0, girth, n + 1), np.linspace(0.0, girth, m + 1)

    def at(i: NDArray[np.int64], j: NDArray[np.int64]) -> Array:
        ring = np.cos(along[i])
        return np.stack([a * np.sin(along[i]), b * ring * np.cos(down[j]), -c * ring * np.sin(down[j])], -1)

    return _joined((_grid(n, m, at),), _QUARTER, name, made_from)


def wigley(
    length: float, breadth: float, draught: float, *, a2: float = 0.2, full: bool = False, panels: int = 600
) -> Hull:
    """One of Wigley's hulls as Journée tested them, 3 m long with L/T = 16.

    η = (1 - ζ²)(1 - ξ²)(1 + a₂ ξ²) [+ ζ² (1 - ζ⁸)(1 - ξ²)⁴],  ξ = 2x/L, ζ = -z/T, η = 2y/B

    I and III have L/B = 10, II and IV 5; I and II are full, with the second part: C_b 0.5607, without 0.4622.

    Source: Journée (1992), Experiments and calculations on 4 Wigley hull forms in head waves, TU Delft, report 0909.
    """
    _positive(length=length, breadth=breadth, draught=draught)

    def half_breadth(xi: Array, zeta: Array) -> Array:
        value: Array = (1.0 - zeta**2) * (1.0 - xi**2) * (1.0 + a2 * xi**2)
        return value + zeta**2 * (1.0 - zeta**8) * (1.0 - xi**2) ** 4 if full else value

    made_from = f"wigley(length={length}, breadth={breadth}, draught={draught}, a2={a2}, full={full})"
    return _from_offsets(half_breadth, length, breadth, draught, panels, f"wigley {length:g}x{breadth:g}", made_from)


def ship(
    length: float, breadth: float, draught: float, block_coefficient: float, *, midship: float = 0.98, panels: int = 900
) -> Hull:
    """A hull with these main dimensions and C_b, alike fore and aft, when no lines are at hand.

    η = (1 - |ξ|^p)(1 - ζ^q),  p = C_p/(1 - C_p), q = C_m/(1 - C_m), C_p = C_b/C_m,  ξ = 2x/L, ζ = -z/T, η = 2y/B

    Volume, midship section and waterplane, C_w = C_p, are those of the coefficients; bow, stern and bilge are of no
    ship in particular: motions come out as those of the dimensions, to be refined by real lines.
    midship: C_m, above C_b.
    """
    _positive(length=length, breadth=breadth, draught=draught)
    if not 0.3 <= block_coefficient < midship < 1.0:
        raise HydroError(
            f"a ship needs 0.3 <= C_b < C_m < 1, not C_b = {block_coefficient:g} with C_m = {midship:g}; "
            f"a box has no bilge: --box"
        )
    prismatic = block_coefficient / midship
    p, q = prismatic / (1.0 - prismatic), midship / (1.0 - midship)

    def half_breadth(xi: Array, zeta: Array) -> Array:
        value: Array = (1.0 - np.abs(xi) ** p) * (1.0 - zeta**q)
        return value

    name = f"ship {length:g}x{breadth:g}x{draught:g}"
    made_from = f"ship(length={length}, breadth={breadth}, draught={draught}, C_b={block_coefficient}, C_m={midship})"
    return _from_offsets(half_breadth, length, breadth, draught, panels, name, made_from)


def _from_offsets(
    half_breadth: Callable[[Array, Array], Array],
    length: float,
    breadth: float,
    draught: float,
    panels: int,
    name: str,
    made_from: str,
) -> Hull:
    """A hull of offsets, with panels alike in length along each section, however sharp its bilge."""
    girth = draught + breadth / 2.0
    n, m, _ = _divisions((length / 2.0, girth, 1.0), panels / 4.0, faces=((0, 1),))
    zeta = np.linspace(0.0, 1.0, 4001)
    zeta = np.unique(np.concatenate([zeta, 1.0 - (1.0 - zeta) ** 4]))
    station = 0.5 * length * np.sin(np.linspace(0.0, 0.5 * np.pi, n + 1))
    points = np.empty((n + 1, m + 1, 3))
    for row, x in enumerate(station):
        y = 0.5 * breadth * half_breadth(np.full(zeta.shape, 2.0 * x / length), zeta)
        if row == n:
            y = np.zeros_like(y)
        arc = np.concatenate([[0.0], np.cumsum(np.hypot(np.diff(y), draught * np.diff(zeta)))])
        wanted = np.linspace(0.0, arc[-1], m + 1)
        points[row] = np.stack(
            [np.full(m + 1, x), np.interp(wanted, arc, y), -draught * np.interp(wanted, arc, zeta)], -1
        )
        points[row, 0, 2], points[row, -1, 2] = 0.0, -draught
    return _joined((_grid(n, m, lambda i, j: points[i, j]),), _QUARTER, name, made_from)


def _positive(**lengths: float) -> None:
    for name, value in lengths.items():
        if not 0.0 < value < np.inf:
            raise HydroError(f"the {name} of a hull must be positive and finite, not {value:g} m")


def _divisions(
    sides: tuple[float, float, float], count: float, faces: tuple[tuple[int, int], ...] = ((0, 1), (0, 2), (1, 2))
) -> list[int]:
    """How many panels along each side, that all faces together have about `count` of them, near to square."""
    area = sum(sides[a] * sides[b] for a, b in faces)
    edge = np.sqrt(area / max(count, 1.0))
    return [max(2, round(side / edge)) for side in sides]


def _towards_end(n: int) -> Array:
    """0 to 1, with smaller steps towards 1, where flow turns around an edge."""
    t = np.linspace(0.0, 1.0, n + 1)
    steps: Array = 0.5 * t + 0.5 * np.sin(0.5 * np.pi * t)
    return steps


_At = Callable[[NDArray[np.int64], NDArray[np.int64]], Array]


def _grid(n: int, m: int, at: _At) -> tuple[Array, NDArray[np.int64]]:
    """Vertices and quadrilaterals of an n×m grid."""
    i, j = np.meshgrid(np.arange(n + 1), np.arange(m + 1), indexing="ij")
    number = i * (m + 1) + j
    quads = np.stack([number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]], -1)
    return at(i, j).reshape(-1, 3), quads.reshape(-1, 4)


def _joined(grids: tuple[tuple[Array, NDArray[np.int64]], ...], planes: str, name: str, made_from: str) -> Hull:
    """The grids as one hull, each with its normals outwards from the centre of the waterplane, without empty panels."""
    vertices, panels, offset = [], [], 0
    for points, quads in grids:
        a, b, c, d = (points[quads[:, k]] for k in range(4))
        vector = np.cross(c - a, d - b)
        centre = (a + b + c + d) / 4.0
        inwards = np.sum(vector * centre) < 0.0
        kept = quads[np.linalg.norm(vector, axis=1) > 1e-9 * np.abs(vector).max()]
        vertices.append(points)
        panels.append((kept[:, ::-1] if inwards else kept) + offset)
        offset += len(points)
    return Hull(np.vstack(vertices), np.vstack(panels), planes, name, made_from)
