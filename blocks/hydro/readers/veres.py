"""Results of ShipX (VERES): NAME.re7 with those beside it, .re8, .re1, .re2 and .hyd."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from blocks.hydro.dataset import assemble, moved
from blocks.hydro.dofs import FROM_AFT, Array, Complex, signed_load, signed_matrix
from blocks.hydro.errors import HydroError
from blocks.hydro.motions import with_known_rao
from blocks.hydro.readers.waves import check_phases
from blocks.hydro.text import Reader, lines_of, mode, number

_SIZES, _MOST = "numbers of speeds, headings, frequencies and degrees of freedom", 10_000


@dataclass(frozen=True)
class _Head:
    """What all files begin with: water, main dimensions, the centre of gravity aft of L/2 and above the baseline."""

    rho: float
    g: float
    length: float
    breadth: float
    draught: float
    lcg: float = 0.0
    vcg: float = 0.0


def read_veres(path: str | Path, *, speed: float | None = None) -> xr.Dataset:
    """Results of VERES as hydrodynamic data, from NAME.re7 and the files of that name beside it.

    At one speed, m/s, the least if not given. Turned from axes aft, starboard, up and headings from ahead; phases,
    leads there, reversed; moved from the centre of motions to midships in the waterline. Waves are those of the
    headings from 0 to 180 deg; drift, .re2, is scaled by ρ g B²/L. Strip theory knows no added mass in surge: it is
    zero if the file has it so.

    Raises HydroError with file and line where something is missing or is no number.

    Source: Fathi (2004), ShipX Vessel Responses, VERES User's Manual, Marintek (files); signs and scales as MSS reads
    them, Perez and Fossen, MSS Hydro.
    """
    file = Path(path)
    names = {ending: file.with_suffix("." + ending) for ending in ("re7", "re8", "re1", "re2", "hyd")}
    if not names["re7"].is_file():
        raise HydroError(f"there is no {names['re7']}: added mass and damping are in .re7")
    head, about, omega, mass, damping, stiffness = _coefficients(names["re7"], speed)
    degrees: Array = np.empty(0)
    waves: dict[str, Any] = {}
    place = np.array([-head.lcg, 0.0, 0.0])
    for ending, name in (("re8", "excitation_force"), ("re1", "rao")):
        if not names[ending].is_file():
            continue
        own, own_degrees, own_omega, table, where = _responses(names[ending], about["speed"])
        _same(names[ending], head, own)
        place = np.array([-where[0], 0.0, -(where[1] - head.draught)])
        if len(degrees) and not np.array_equal(degrees, own_degrees):
            raise HydroError(f"{names[ending]} has other headings than the files before: {own_degrees} deg")
        degrees = own_degrees
        waves[name] = signed_load(_on(omega, own_omega, table, names[ending]).conj(), FROM_AFT)
    if names["re2"].is_file():
        own, own_degrees, own_omega, drift = _drift(names["re2"], about["speed"])
        _same(names["re2"], head, own)
        if len(degrees) and not np.array_equal(degrees, own_degrees):
            raise HydroError(f"{names['re2']} has other headings than the files before: {own_degrees} deg")
        degrees = own_degrees
        waves["mean_drift"] = _on(omega, own_omega, drift, names["re2"]).real * FROM_AFT[[0, 1, 5]]
    about_hull: dict[str, Any] = {
        "inertia_matrix": signed_matrix(about["inertia"], FROM_AFT),
        "hydrostatic_stiffness": signed_matrix(stiffness, FROM_AFT),
        "displaced_volume": about["inertia"][0][0] / head.rho,
        "draught": head.draught,
        "length": head.length,
        "breadth": head.breadth,
        "centre_of_gravity": np.array([0.0, 0.0, head.draught - head.vcg]),
    }
    notes = (
        ["added mass and damping in surge are zero in .re7, as in strip theory"] if not np.any(mass[:, 0, 0]) else []
    )
    notes += _compare_hydrostatics(names["hyd"], about_hull)
    data = assemble(
        omega=omega,
        added_mass=signed_matrix(mass, FROM_AFT),
        radiation_damping=signed_matrix(damping, FROM_AFT),
        rho=head.rho,
        g=head.g,
        forward_speed=about["speed"],
        wave_direction=np.pi - np.radians(degrees),
        waves=waves,
        about=about_hull,
        origin="the centre of motions",
        attributes={
            "title": about["title"] or file.stem,
            "source": f"VERES, {names['re7'].name}",
            "notes": "; ".join(notes),
        },
    )
    check_phases(data, str(file), hint="are the files those of VERES?")
    data = moved(data, -place, "midships (L/2), on the centreline, in the waterline")
    return with_known_rao(data)


def _head(reader: Reader, centre: bool) -> _Head:
    """Six lines of words, then numbers."""
    for _ in range(6):
        reader.line()
    rho, g = reader.numbers(2, "density and gravity")[:2]
    length, breadth, draught = reader.numbers(3, "Lpp, B and T")[:3]
    if min(rho, g, length, breadth, draught) <= 0.0:
        reader.fault("density, gravity and main dimensions must be positive")
    lcg, vcg = reader.numbers(2, "LCG and VCG")[:2] if centre else (0.0, 0.0)
    return _Head(rho, g, length, breadth, draught, lcg, vcg)


def _same(file: Path, one: _Head, other: _Head) -> None:
    """Refuse files of different ships."""
    for name in ("rho", "g", "length", "breadth", "draught"):
        a, b = getattr(one, name), getattr(other, name)
        if abs(a - b) > 1e-4 * abs(a):
            raise HydroError(f"{file} is of another ship or water than .re7: its {name} is {b:g}, there {a:g}")


def _speeds(reader: Reader, wanted: float | None, speeds: list[float]) -> int:
    """Which of the speeds of a file is meant."""
    near = [k for k, value in enumerate(speeds) if wanted is None or abs(value - wanted) < 1e-3]
    if not near:
        listed = ", ".join(f"{value:g}" for value in speeds)
        raise HydroError(f"{reader.path} has no speed of {wanted:g} m/s; it has {listed}")
    return min(near, key=lambda k: speeds[k])


def _coefficients(file: Path, wanted: float | None) -> tuple[_Head, dict[str, Any], Array, Array, Array, Array]:
    """Added mass, damping and stiffness by frequency, of beam sea, where frequency of encounter and of waves agree."""
    reader = Reader(file)
    title = next((line.partition(":")[2].strip() for line in reader.lines[:6] if "ship name" in line.lower()), "")
    head = _head(reader, centre=True)
    second = len(reader.numbers(2, "the version, or sizes")) < 4
    if not second:
        reader.at -= 1
    count_v, count_h, count_w, _ = reader.counts(4, _SIZES, _MOST)
    inertia = reader.matrix("the mass matrix")
    found: list[tuple[float, Array, Array, Array, Array]] = []
    for _ in range(count_v):
        speed = reader.numbers(1, "a speed")[0]
        tables: dict[float, list[tuple[float, Array, Array, Array]]] = {}
        for _ in range(count_h):
            heading = reader.numbers(1, "a heading")[0]
            for _ in range(count_w):
                w = reader.numbers(1, "a frequency")[0]
                matrices = [np.array(reader.matrix("a matrix")) for _ in range(6 if second else 3)]
                reader.numbers(1, "viscous roll damping")
                a, b, c = matrices[::2] if second else matrices
                tables.setdefault(heading, []).append((w, a, b, c))
        heading = min(tables, key=lambda value: abs(value - 90.0))
        rows = tables[heading]
        found.append((
            speed, np.array([row[0] for row in rows]), np.array([row[1] for row in rows]),
            np.array([row[2] for row in rows]), np.array([row[3] for row in rows]),
        ))  # fmt: skip
    speed, omega, mass, damping, stiffness = found[_speeds(reader, wanted, [one[0] for one in found])]
    return head, {"speed": speed, "inertia": inertia, "title": title}, omega, mass, damping, stiffness[0]


def _responses(file: Path, speed: float) -> tuple[_Head, Array, Array, Complex, tuple[float, float]]:
    """Transfer functions, .re1 or .re8: headings, frequencies, values; and the point they are of, aft and up."""
    reader = Reader(file)
    head = _head(reader, centre=True)
    count_v, count_h, count_w, modes = reader.counts(4, _SIZES, _MOST)
    found: list[tuple[float, Array, Array, Complex, tuple[float, float]]] = []
    for _ in range(count_v):
        own, _, _, x, z = reader.numbers(5, "speed, sinkage, trim and the point of motions")[:5]
        degrees, omega = np.zeros(count_h), np.zeros(count_w)
        table = np.zeros((count_w, count_h, 6), dtype=np.complex128)
        for h in range(count_h):
            degrees[h] = reader.numbers(1, "a heading")[0]
            for k in range(count_w):
                omega[k] = reader.numbers(1, "a frequency")[0]
                for _ in range(modes):
                    which, real, imaginary = reader.numbers(3, "degree of freedom, real and imaginary part")[:3]
                    table[k, h, mode(which, reader.where)] = complex(real, imaginary)
        found.append((own, degrees, omega, table, (x, z)))
    own, degrees, omega, table, place = found[_speeds(reader, speed, [one[0] for one in found])]
    return head, degrees, omega, table, place


def _drift(file: Path, speed: float) -> tuple[_Head, Array, Array, Complex]:
    """Added resistance and drift, .re2, N/m² and N·m/m²."""
    reader = Reader(file)
    head = _head(reader, centre=False)
    count_v, count_h, count_w = reader.counts(3, _SIZES, _MOST)
    scale = head.rho * head.g * head.breadth**2 * np.array([1.0 / head.length, 1.0 / head.length, 1.0])
    found: list[tuple[float, Array, Array, Complex]] = []
    for _ in range(count_v):
        degrees, omega = np.zeros(count_h), np.zeros(count_w)
        table = np.zeros((count_w, count_h, 3), dtype=np.complex128)
        own = 0.0
        for h in range(count_h):
            own, degrees[h] = reader.numbers(2, "speed and heading")[:2]
            for k in range(count_w):
                omega[k], *values = reader.numbers(4, "a frequency and three coefficients")[:4]
                table[k, h] = np.array(values) * scale
        found.append((own, degrees, omega, table))
    own, degrees, omega, table = found[_speeds(reader, speed, [one[0] for one in found])]
    return head, degrees, omega, table


def _on(omega: Array, own: Array, table: Complex, file: Path) -> Complex:
    """A table on the frequencies of .re7; NaN where it has none."""
    full = np.full((len(omega), *table.shape[1:]), np.nan + 0j)
    for row, w in zip(table, own, strict=True):
        where = np.flatnonzero(np.abs(omega - w) < 1e-3 * w)
        if len(where):
            full[where[0]] = row
    if np.all(np.isnan(full.real)):
        raise HydroError(f"none of the frequencies of {file} is one of .re7")
    return full


def _compare_hydrostatics(file: Path, about: dict[str, Any]) -> list[str]:
    """Whether .hyd tells of the same ship: its metacentric height beside that of the stiffness."""
    if not file.is_file():
        return []
    for line in lines_of(file):
        if "GMt" in line:
            height = number(line.split()[-1].rstrip("*"))
            own = float(about["hydrostatic_stiffness"][3, 3]) / (9.81 * float(about["inertia_matrix"][0, 0]))
            if height is not None and abs(own - height) > 0.05 * max(abs(height), 0.1):
                return [f"GM is {height:g} m in {file.name} and {own:.3g} m by the stiffness in .re7"]
    return []
