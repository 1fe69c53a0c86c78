"""Results of HAMS: its folder with Input and Output, of which Output/Wamit_format is read."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import xarray as xr

from blocks.hydro.dofs import FROM_UP, Array, signed_matrix
from blocks.hydro.errors import HydroError
from blocks.hydro.motions import with_known_rao
from blocks.hydro.readers.wamit import FIRST_COLUMNS, dimensional, numbered
from blocks.hydro.readers.wamit_inputs import About
from blocks.hydro.readers.waves import check_phases, other_phases
from blocks.hydro.text import Reader, lines_of, number, numbers_in

_KINDS = {1: "deep wavenumber", 2: "wavenumber", 3: "omega", 4: "period", 5: "wavelength"}


def read_hams(path: str | Path, *, rho: float | None = None, phases: str = "lag") -> xr.Dataset:
    """Results of HAMS as hydrodynamic data, from its folder, or a file in its Output/Wamit_format.

    Depth, what frequencies are given as, length and reference point are those of Input/ControlFile.in; density and
    gravity those in the heads of Output/Hydrostar_format, or `rho`, kg/m³; mass and stiffness, about the reference
    point, those of Input/Hydrostatic.in, where they are not all zero. Phases are those of e^(-iωt), lags;
    phases="lead" for files that were turned.

    Raises HydroError with file and line where something is missing or is no number.

    Source: HAMS by Liu (2019), J. Mar. Sci. Eng. 7(3), 81, with its manual of input and output.
    """
    hint = f'say phases="{other_phases(phases)}"'
    folder = _folder(Path(path))
    control = folder / "Input" / "ControlFile.in"
    about, kind = _control(control)
    _density(about, folder / "Output" / "Hydrostar_format")
    if rho is not None:
        about.rho = rho
    if about.rho <= 0.0:
        about.rho = 1025.0
        about.notes.append("the density of water stands in no file: 1025 kg/m3 was taken, see rho")
    results = folder / "Output" / "Wamit_format"
    stems = sorted({file.stem for file in results.glob("*.1")} | {file.stem for file in results.glob("*.3")})
    if not stems:
        raise HydroError(f"there is no .1 or .3 in {results}: did HAMS run to its end?")
    found = numbered(results / stems[0], kind, about.depth, about.g)
    for stem in stems[1:]:
        more = numbered(results / stem, kind, about.depth, about.g)
        found.loads |= more.loads
        if not len(found.omega):
            found.omega, found.added_mass, found.damping = more.omega, more.added_mass, more.damping
    if not len(found.omega):
        raise HydroError(f"there is no .1 in {results}: no added mass and damping to read")
    data = dimensional(found, about, phases=phases)
    for name, matrix in _hydrostatics(folder / "Input" / "Hydrostatic.in").items():
        data[name] = (("influenced_dof", "radiating_dof"), signed_matrix(matrix, FROM_UP))
    data.attrs |= {"title": folder.name, "source": f"HAMS, {folder}", "notes": "; ".join(about.notes)}
    check_phases(data, str(results), hint=hint)
    return with_known_rao(data)


def _folder(path: Path) -> Path:
    """The folder that has Input and Output. Raises HydroError if none is there."""
    for folder in (path, *path.parents)[:5]:
        if (folder / "Input" / "ControlFile.in").is_file():
            return folder
    raise HydroError(f"there is no Input/ControlFile.in at {path} or above; name the folder of a run of HAMS")


def _control(file: Path) -> tuple[About, str]:
    """Water, lengths and the kind of frequencies."""
    about = About()
    known: dict[str, list[float]] = {}
    for line in lines_of(file):
        match = re.match(r"\s*([A-Za-z][\w ]*?)\s+([-+.\d].*)$", line)
        if match:
            known[match.group(1).lower().replace(" ", "_")] = numbers_in(match.group(2))
    for name in ("waterdepth", "output_frequency_type"):
        if not known.get(name):
            raise HydroError(f"{file} does not say {name.capitalize()}")
    depth = known["waterdepth"][0]
    about.depth = depth if depth > 0.0 else np.inf
    given = known["output_frequency_type"][0]
    if given not in _KINDS:
        raise HydroError(f"{file}: Output_frequency_type must be 1 to 5, not {given:g}")
    kind = int(given)
    centre = known.get("reference_body_center", [0.0, 0.0, 0.0])
    if len(centre) < 3 or centre[0] or centre[1]:
        raise HydroError(f"{file}: the reference body center must be on the z-axis, where phases are measured")
    about.place = (0.0, 0.0, centre[2])
    length = known.get("reference_body_length", [1.0])
    about.length = length[0] if length and length[0] > 0.0 else 1.0
    assert _KINDS[kind] in FIRST_COLUMNS
    return about, _KINDS[kind]


def _density(about: About, folder: Path) -> None:
    """Density and gravity from the head of a file in HydroStar's format."""
    for file in sorted(folder.glob("*.rao"))[:1]:
        for line in lines_of(file)[:20]:
            for word, name in (("water density", "rho"), ("gravity", "g")):
                value = number(line.rpartition(":")[2].strip()) if word in line.lower() else None
                if value is not None and value > 0.0:
                    setattr(about, name, value)


def _hydrostatics(file: Path) -> dict[str, Array]:
    """Mass and stiffness, if the file is there and they are not zero."""
    found: dict[str, Array] = {}
    if not file.is_file():
        return found
    reader = Reader(file)
    while reader.at < len(reader.lines):
        line = reader.line().lower()
        for word, name in (("body mass matrix", "inertia_matrix"), ("hydrostatic restoring", "hydrostatic_stiffness")):
            if word in line:
                matrix = np.array(reader.matrix(f"the {word}"))
                if np.any(matrix):
                    found[name] = matrix
    return found
