"""Results of WAMIT in its numbered files: .1, .2 or .3, .4, .8, .9 or .7, .hst, and those beside them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from blocks.hydro.dataset import assemble, frequency, moved
from blocks.hydro.dofs import FROM_UP, Array, Complex, signed_load, signed_matrix
from blocks.hydro.errors import HydroError
from blocks.hydro.motions import with_known_rao
from blocks.hydro.readers import wamit_inputs, wamit_out
from blocks.hydro.readers.found import Found, table_of
from blocks.hydro.readers.waves import at_body, check_phases, once_around, other_phases, to_starboard, turned_headings
from blocks.hydro.text import mode, rows

FIRST_COLUMNS = ("period", "omega", "deep wavenumber", "wavenumber", "wavelength")
"""What the first column of numbered files may be."""


def read_wamit(
    path: str | Path,
    *,
    rho: float | None = None,
    first_column: str = "period",
    phases: str = "lead",
) -> xr.Dataset:
    """Results of WAMIT as hydrodynamic data, from NAME.out, or from NAME.1 and the files beside it.

    Scaled by the length and gravity of NAME.out or NAME.gdf and the density of NAME.out, NAME.frc or `rho`, kg/m³;
    turned from axes forward, port, up; phases, leads there, reversed; moved to the waterline above the body's origin,
    with phases towards the crest that passes there. Mass from NAME.frc. first_column: what frequencies are given as;
    phases: "lag" for files of other programs in this form.

    Raises HydroError with file and line where something is missing or is no number.

    Source: WAMIT User Manual, version 7.4, ch. 3 (definitions), 4 (input) and 5 (output).
    """
    file = Path(path)
    if first_column not in FIRST_COLUMNS:
        raise HydroError(f"first_column must be one of {', '.join(map(repr, FIRST_COLUMNS))}, not {first_column!r}")
    hint = f'say phases="{other_phases(phases)}"'
    about = wamit_inputs.about(file)
    if rho is not None:
        about.rho = rho
    notes = list(about.notes)
    found = numbered(file.with_suffix(""), first_column, about.depth, about.g)
    if not len(found.omega):
        out = file.with_suffix(".out")
        if not out.is_file():
            raise HydroError(f"there is neither {file.with_suffix('.1')} nor {out}: no added mass and damping to read")
        found = wamit_out.coefficients(out)
        notes.append("phases in .out are whole degrees; write .3 for finer ones")
    data = dimensional(found, about, phases=phases)
    data.attrs |= {
        "title": file.stem,
        "source": f"WAMIT{' ' + about.version if about.version else ''}, {file.name}",
        "notes": "; ".join(notes),
    }
    check_phases(data, str(file), hint=hint)
    return data


def numbered(stem: Path, first_column: str, depth: float, g: float) -> Found:
    """The numbered files of a name, as far as they are there."""
    found = Found()

    def omega(value: float) -> float:
        return _frequency(value, first_column, depth, g)

    one = stem.with_name(stem.name + ".1")
    if one.is_file():
        found.omega, found.added_mass, found.damping = _coefficients(one, omega)
    for ending, name in ((".2", "excitation_force"), (".3", "excitation_force"), (".4", "rao")):
        file = stem.with_name(stem.name + ending)
        if file.is_file():
            found.loads[name] = _responses(file, omega, drift=False)
    for ending in (".7", ".9", ".8"):
        file = stem.with_name(stem.name + ending)
        if file.is_file():
            found.loads["mean_drift"] = _responses(file, omega, drift=True)
    return found


def _frequency(value: float, kind: str, depth: float, g: float) -> float:
    """rad/s; periods of 0 are infinite frequencies and negative ones zero, and the other way round for frequencies."""
    if kind in ("period", "wavelength"):
        if value == 0.0:
            return float(np.inf)
        if value < 0.0:
            return 0.0
        if kind == "period":
            return 2.0 * np.pi / value
        return frequency(2.0 * np.pi / value, depth, g)
    if value < 0.0:
        return float(np.inf)
    if kind == "omega":
        return value
    if kind == "deep wavenumber":
        return frequency(value, np.inf, g)
    return frequency(value, depth, g)


def _coefficients(file: Path, omega_of: Callable[[float], float]) -> tuple[Array, Array, Array]:
    """From lines of PER I J A(I,J) and, but at zero and infinite frequency, B(I,J)."""
    tables: dict[float, tuple[Array, Array, set[tuple[int, int]]]] = {}
    for place, (first, *rest) in rows(file, 4, "a line of PER I J A B"):
        i, j = (mode(value, f"{file}, line {place}") for value in rest[:2])
        mass, damping, seen = tables.setdefault(omega_of(first), (np.zeros((6, 6)), np.zeros((6, 6)), set()))
        if (i, j) in seen:
            raise HydroError(f"{file}, line {place}: I {i + 1} J {j + 1} is given twice for PER {first:g}")
        seen.add((i, j))
        mass[i, j] = rest[2]
        damping[i, j] = rest[3] if len(rest) > 3 else 0.0
    if not tables:
        raise HydroError(f"{file} is empty; it must have lines of PER I J A B")
    all_pairs = set.union(*(seen for _, _, seen in tables.values()))
    for omega, (_, _, seen) in tables.items():
        if seen != all_pairs:
            i, j = sorted(all_pairs - seen)[0]
            raise HydroError(
                f"{file} has no line of I {i + 1} J {j + 1} at {omega:g} rad/s, as it has at others: was it cut short?"
            )
    ordered = sorted(tables)
    return (
        np.array(ordered),
        np.array([tables[omega][0] for omega in ordered]),
        np.array([tables[omega][1] for omega in ordered]),
    )


def _responses(file: Path, omega_of: Callable[[float], float], drift: bool) -> tuple[Array, Array, Complex]:
    """From lines of PER BETA I MOD PHA RE IM; of drift PER BETA1 BETA2 I MOD PHA RE IM, of which equal ones count."""
    cells: dict[tuple[float, float, int], complex] = {}
    columns = 8 if drift else 7
    for place, found in rows(file, columns, f"a line of PER BETA{'1 BETA2' if drift else ''} I MOD PHA RE IM"):
        if drift and found[1] != found[2]:
            continue
        i = mode(found[columns - 5], f"{file}, line {place}")
        key = (omega_of(found[0]), found[1], i)
        if key in cells:
            raise HydroError(f"{file}, line {place}: PER {found[0]:g} BETA {found[1]:g} I {i + 1} is given twice")
        cells[key] = complex(found[columns - 2], found[columns - 1])
    if not cells:
        raise HydroError(f"{file} is empty; it must have lines of {columns} columns")
    return table_of(cells, str(file))


def dimensional(found: Found, about: wamit_inputs.About, *, phases: str) -> xr.Dataset:
    """SI, and the axes and phases of the library."""
    rho, g, length = about.rho, about.g, about.length
    power = np.array([0, 0, 0, 1, 1, 1])
    scale = rho * length ** (3.0 + power[:, None] + power)
    omega = found.omega
    mass, damping = found.added_mass * scale, found.damping * scale
    damping = damping * np.where(np.isfinite(omega), omega, 0.0)[:, None, None]
    factors = {
        "excitation_force": rho * g * length ** (2.0 + power),
        "rao": length ** (-1.0 * power),
        "mean_drift": rho * g * length ** (1.0 + power),
    }
    waves: dict[str, Complex | Array] = {}
    degrees = next((table[1] for table in found.loads.values()), np.empty(0))
    for name, (own_omega, own_degrees, table) in found.loads.items():
        if not np.array_equal(own_degrees, degrees):
            raise HydroError(f"the headings of {name} are others than those of the loads before: {own_degrees} deg")
        full = np.full((len(omega), len(degrees), 6), np.nan + 0j)
        place = [np.flatnonzero(np.isclose(omega, w, rtol=1e-6)) for w in own_omega]
        for row, where in zip(table, place, strict=True):
            if len(where):
                full[where[0]] = row * factors[name]
        if not any(len(where) for where in place):
            raise HydroError(f"none of the frequencies of {name} is one of added mass and damping")
        waves[name] = full
    headings = np.empty(0)
    if len(degrees):
        kept = once_around(degrees)
        degrees = degrees[kept] - about.turned
        headings = turned_headings(degrees)
        near = at_body(omega, np.radians(degrees + about.turned), about.place[:2], about.depth, g)
        for name in list(waves):
            part = np.asarray(waves[name], dtype=np.complex128)[:, kept]
            if name == "mean_drift":
                waves[name] = part[:, :, [0, 1, 5]].real * FROM_UP[[0, 1, 5]]
                continue
            part = part * near if phases == "lead" else part * near.conj()
            waves[name] = signed_load(part.conj() if phases == "lead" else part, FROM_UP)
    known: dict[str, Any] = {}
    for name, matrix in about.matrices().items():
        known[name] = signed_matrix(matrix, FROM_UP)
    for name, centre in about.centres.items():
        known[name] = np.asarray(centre) * FROM_UP[:3]
    data = assemble(
        omega=omega,
        added_mass=signed_matrix(mass, FROM_UP),
        radiation_damping=signed_matrix(damping, FROM_UP),
        rho=rho,
        g=g,
        water_depth=about.depth,
        wave_direction=headings,
        waves=waves,
        about=known | about.scalars,
        origin="that of the body, in the waterline",
    )
    if about.place[2]:
        data = moved(data, (0.0, 0.0, about.place[2]), data.attrs["origin"])
    return with_known_rao(to_starboard(data))
