"""Results of NEMOH: Nemoh.cal, RadiationCoefficients.tec and ExcitationForce.tec, KH.dat and what lies beside them."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from blocks.hydro.dataset import assemble, moved
from blocks.hydro.dofs import FROM_UP, Array, Complex, signed_load, signed_matrix
from blocks.hydro.errors import HydroError
from blocks.hydro.motions import with_known_rao
from blocks.hydro.readers.waves import check_phases, once_around, other_phases, to_starboard, turned_headings
from blocks.hydro.text import Reader, lines_of, number, numbers_in, rows


def read_nemoh(path: str | Path, *, phases: str = "lag") -> xr.Dataset:
    """Results of NEMOH 2 or 3 as hydrodynamic data, from its folder, or its Nemoh.cal.

    In SI about the point that Nemoh.cal names for rotations, moved to the waterline above it, turned from axes forward,
    port, up; motions are about that point. Phases are those of e^(-iωt), lags, as NEMOH has them; phases="lead" for
    files that were turned. Stiffness is KH.dat's, and mass that of Mechanics/Inertia.dat, where they are there.

    Raises HydroError with file and line where something is missing or is no number.

    Source: Nemoh v3 manual, École Centrale de Nantes (2022); Babarit and Delhommeau (2015).
    """
    hint = f'say phases="{other_phases(phases)}"'
    given = Path(path)
    folder = given if given.is_dir() else given.parent
    if not given.is_dir() and given.suffix.lower() == ".tec" and folder.name.lower() == "results":
        folder = folder.parent
    case = _case(_found(folder, "Nemoh.cal"))
    omega, mass, damping = _radiation(_found(folder, "Results/RadiationCoefficients.tec", "RadiationCoefficients.tec"))
    try:
        forces = _found(folder, "Results/ExcitationForce.tec", "ExcitationForce.tec")
    except HydroError:
        degrees, excitation = np.empty(0), np.empty((len(omega), 0, 6), dtype=np.complex128)
    else:
        degrees, excitation = _excitation(forces, omega)
    kept = once_around(degrees)
    excitation = excitation[:, kept] if phases == "lag" else excitation[:, kept].conj()
    about: dict[str, Any] = {}
    for name, files in (
        ("hydrostatic_stiffness", ("Mechanics/Kh.dat", "Mesh/KH.dat", "KH.dat")),
        ("inertia_matrix", ("Mechanics/Inertia.dat",)),
    ):
        try:
            about[name] = signed_matrix(_six_by_six(_found(folder, *files)), FROM_UP)
        except _Missing:
            continue
    data = assemble(
        omega=omega,
        added_mass=signed_matrix(mass, FROM_UP),
        radiation_damping=signed_matrix(damping, FROM_UP),
        rho=case["rho"],
        g=case["g"],
        water_depth=case["depth"],
        wave_direction=turned_headings(degrees[kept]),
        waves={"excitation_force": signed_load(excitation, FROM_UP)} if len(degrees) else {},
        about=about,
        origin="the point that motions turn about, in the waterline",
        attributes={"title": folder.name or "nemoh", "source": f"NEMOH, {folder}"},
    )
    check_phases(data, str(folder), hint=hint)
    centre = np.array(case["centre"])
    if centre[2]:
        data = moved(data, (0.0, 0.0, centre[2]), data.attrs["origin"])
    return with_known_rao(to_starboard(data))


class _Missing(HydroError):
    """A file that is not there."""


def _found(folder: Path, *names: str) -> Path:
    """The first of these files that is there, in whatever case its name is written. Raises HydroError."""
    for name in names:
        here = folder
        for part in name.split("/"):
            near = {item.name.lower(): item for item in here.iterdir()} if here.is_dir() else {}
            here = near.get(part.lower(), here / part)
        if here.is_file():
            return here
    raise _Missing(f"there is no {names[0]} in {folder}; name the folder of a run of NEMOH")


def _case(file: Path) -> dict[str, Any]:
    """Water, and the point that rotations are about, from Nemoh.cal."""
    reader = Reader(file)
    reader.line()
    rho, g, depth = (reader.numbers(1, what)[0] for what in ("the density", "gravity", "the depth"))
    if rho <= 0.0 or g <= 0.0 or depth < 0.0:
        reader.fault(f"density {rho:g} and gravity {g:g} must be positive, and the depth {depth:g} not negative")
    place = reader.numbers(2, "XEFF YEFF")
    if place[0] or place[1]:
        reader.fault("waves must be measured at the origin, XEFF YEFF 0 0")
    reader.line()
    bodies = reader.counts(1, "the number of bodies")[0]
    if bodies != 1:
        reader.fault(f"there are {bodies} bodies, and one rigid body is read")
    for _ in range(3):
        reader.line()
    motions = reader.counts(1, "the number of degrees of freedom")[0]
    if motions != 6:
        reader.fault(f"there are {motions} degrees of freedom, and the six of a rigid body are read")
    centre = None
    for mode in range(6):
        kind, *rest = reader.numbers(7, "a degree of freedom")
        direction = [1.0 if axis == mode % 3 else 0.0 for axis in range(3)]
        if kind != (1 if mode < 3 else 2) or rest[:3] != direction:
            reader.fault("degrees of freedom must be surge, sway, heave, roll, pitch and yaw along the axes")
        if mode >= 3:
            if centre is not None and rest[3:6] != centre:
                reader.fault("rotations must all be about one point")
            centre = rest[3:6]
    if centre is None or centre[0] or centre[1]:
        reader.fault("rotations must be about a point on the z-axis, where phases are measured")
    return {"rho": rho, "g": g, "depth": depth or np.inf, "centre": centre}


def _zones(file: Path) -> list[tuple[str, list[list[float]]]]:
    """Zones of a Tecplot file: title and rows of numbers."""
    zones: list[tuple[str, list[list[float]]]] = []
    for place, line in enumerate(lines_of(file), 1):
        if line.lstrip().lower().startswith("zone"):
            zones.append((line, []))
        elif zones and line.strip():
            found = numbers_in(line)
            if len(found) != 13:
                raise HydroError(f"{file}, line {place}: a line of a zone has 13 numbers, not {len(found)}")
            zones[-1][1].append(found)
    if not zones or any(not values for _, values in zones):
        raise HydroError(f"{file} has no zones with numbers in them: is it a .tec file of NEMOH?")
    return zones


def _radiation(file: Path) -> tuple[Array, Array, Array]:
    zones = _zones(file)
    if len(zones) != 6:
        raise HydroError(f"{file} has {len(zones)} zones, and those of 6 degrees of freedom are wanted")
    tables = _equal(file, [np.array(values) for _, values in zones])
    omega = tables[0][:, 0]
    # zone i is the motion, the columns are loads: load, motion as the library has them
    mass = np.stack([table[:, 1::2] for table in tables], axis=2)
    damping = np.stack([table[:, 2::2] for table in tables], axis=2)
    return omega, mass, damping


def _equal(file: Path, tables: list[Array]) -> list[Array]:
    """The tables, which must be over the same frequencies."""
    for place, table in enumerate(tables, 1):
        if table.shape != tables[0].shape or np.any(
            np.abs(table[:, 0] - tables[0][:, 0]) > 1e-5 * tables[0][:, 0].max()
        ):
            raise HydroError(f"{file}: zone {place} has other frequencies than the first; was it cut short?")
    return tables


def _excitation(file: Path, omega: Array) -> tuple[Array, Complex]:
    zones = _zones(file)
    tables = _equal(file, [np.array(values) for _, values in zones])
    degrees = []
    for title, _ in zones:
        match = re.search(r"beta\s*=\s*(\S+?)\s*(?:deg|\")", title)
        direction = number(match.group(1)) if match else None
        if direction is None or not np.isfinite(direction):
            raise HydroError(f"{file}: the zone {title.strip()[:60]} does not say its direction, beta = … deg")
        degrees.append(direction)
    if len(tables[0]) != len(omega):
        raise HydroError(f"{file} has {len(tables[0])} frequencies, and radiation has {len(omega)}")
    loads = np.stack([table[:, 1::2] * np.exp(1j * table[:, 2::2]) for table in tables], axis=1)
    return np.array(degrees), loads


def _six_by_six(file: Path) -> Array:
    """A matrix of six lines of six numbers."""
    lines = [found[:6] for _, found in rows(file, 6, "a row of the matrix")]
    if len(lines) != 6:
        raise HydroError(f"{file} must have six lines of six numbers, and has {len(lines)}")
    return np.array(lines)
