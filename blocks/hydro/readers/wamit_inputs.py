"""What stands beside WAMIT's results: NAME.out's header, NAME.gdf, NAME.frc and NAME.hst."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from blocks.estimates.rigid_body import inertia_matrix
from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError
from blocks.hydro.text import Reader, lines_of, mode, number, numbers_in, rows


@dataclass
class About:
    """Scales, water and the body, in WAMIT's axes and SI.

    length: ULEN, m; place: XBODY, YBODY, ZBODY, m; turned: PHIBODY, degrees; centres: of gravity and buoyancy from the
    body's origin, m.
    """

    rho: float = 0.0
    g: float = 9.80665
    length: float = 1.0
    depth: float = np.inf
    place: tuple[float, float, float] = (0.0, 0.0, 0.0)
    turned: float = 0.0
    version: str = ""
    centres: dict[str, list[float]] = field(default_factory=dict)
    scalars: dict[str, float] = field(default_factory=dict)
    restoring: dict[tuple[int, int], float] = field(default_factory=dict)
    inertia: Array | None = None
    radii: Array | None = None
    notes: list[str] = field(default_factory=list)

    def matrices(self) -> dict[str, Array]:
        """`inertia_matrix` and `hydrostatic_stiffness`, as far as they are known."""
        found: dict[str, Array] = {}
        if self.restoring:
            stiffness = np.zeros((6, 6))
            for (i, j), value in self.restoring.items():
                power = 2 + (i > 2) + (j > 2)
                stiffness[i, j] = self.rho * self.g * self.length**power * value
                if i < j and (j, i) not in self.restoring:
                    stiffness[j, i] = stiffness[i, j]
            found["hydrostatic_stiffness"] = stiffness
        if self.inertia is not None:
            found["inertia_matrix"] = self.inertia
        elif self.radii is not None and "displaced_volume" in self.scalars:
            mass = self.rho * self.scalars["displaced_volume"]
            centre = self.centres.get("centre_of_gravity", [0.0, 0.0, 0.0])
            about_origin = inertia_matrix(mass, np.zeros(3), centre)
            about_origin[3:, 3:] = np.sign(self.radii) * mass * self.radii**2
            found["inertia_matrix"] = about_origin
        return found


def about(file: Path) -> About:
    """All that the files of a name tell. Raises HydroError if there is a file that cannot be understood."""
    found = About()
    out, gdf, frc, hst = (file.with_suffix(ending) for ending in (".out", ".gdf", ".frc", ".hst"))
    if gdf.is_file():
        lines = lines_of(gdf)
        words = numbers_in(lines[1]) if len(lines) > 1 else []
        if len(words) >= 2 and words[0] > 0.0 and words[1] > 0.0:
            found.length, found.g = words[0], words[1]
    if out.is_file():
        _header(found, out)
    if frc.is_file():
        _force_control(found, frc)
    if hst.is_file():
        for place, (i, j, value, *_) in rows(hst, 3, "a line of I J C(I,J)"):
            where = f"{hst}, line {place}"
            found.restoring[mode(i, where), mode(j, where)] = value
    if found.rho <= 0.0:
        found.rho = 1025.0
        found.notes.append("the density of water stands in no file: 1025 kg/m3 was taken, see rho")
    if not out.is_file() and not gdf.is_file():
        found.notes.append("neither .out nor .gdf is there: ULEN 1, g 9.80665 m/s2 and deep water were taken")
    return found


def _after(line: str, *words: str) -> float | None:
    """The number behind words such as "Gravity:"."""
    for word in words:
        match = re.search(re.escape(word) + r"\s*=?\s*(\S+)", line, re.IGNORECASE)
        if match:
            return number(match.group(1))
    return None


def _header(found: About, out: Path) -> None:
    """What .out says before the results of the first period."""
    lines = lines_of(out)
    for place, line in enumerate(lines):
        if "Wave period" in line and "=" in line:
            break
        if match := re.search(r"WAMIT\s+Version\s+([\w.]+)", line):
            found.version = match.group(1)
        for word, name in (("Gravity:", "g"), ("Length scale:", "length"), ("Water density:", "rho")):
            value = _after(line, word)
            if value is not None and value > 0.0:
                setattr(found, name, value)
        if "Water depth:" in line:
            found.depth = _after(line, "Water depth:") or np.inf
        if "XBODY" in line:
            values = [_after(line, name) for name in ("XBODY", "YBODY", "ZBODY", "PHIBODY")]
            if None in values:
                raise HydroError(f"{out}, line {place + 1}: XBODY, YBODY, ZBODY and PHIBODY must be numbers")
            x, y, z, turned = (float(value or 0.0) for value in values)
            found.place, found.turned = (x, y, z), turned
        if "BODY NUMBER" in line.upper() and re.search(r"N\s*=\s*2\b", line):
            raise HydroError(f"{out} has several bodies; take one of them")
        if "Volumes (VOLX" in line:
            volumes = numbers_in(line.partition(":")[2])
            if len(volumes) >= 3:
                found.scalars["displaced_volume"] = float(np.median(volumes[:3]))
                if np.ptp(volumes[:3]) > 0.01 * abs(np.median(volumes[:3])):
                    found.notes.append(f"volumes from x, y and z differ: {volumes[:3]} m3; the mesh has a hole")
        for word, name in (("Center of Buoyancy", "centre_of_buoyancy"), ("Center of Gravity", "centre_of_gravity")):
            if word in line:
                values_ = numbers_in(line.partition(":")[2])
                if len(values_) >= 3:
                    found.centres[name] = values_[:3]
        if "C(3,3),C(3,4)" in line.replace(" ", ""):
            for row, (pairs, text) in enumerate(
                zip(
                    (((2, 2), (2, 3), (2, 4)), ((3, 3), (3, 4), (3, 5)), ((4, 4), (4, 5))),
                    lines[place : place + 3],
                    strict=False,
                )
            ):
                values_ = numbers_in(text.partition(":")[2])
                if len(values_) < len(pairs):
                    raise HydroError(f"{out}, line {place + row + 1}: {len(pairs)} restoring coefficients are wanted")
                found.restoring |= dict(zip(pairs, values_, strict=False))


def _force_control(found: About, frc: Path) -> None:
    """Mass from NAME.frc: form 1 with the height of the centre and radii, form 2 with density and matrices."""
    reader = Reader(frc)
    reader.line()
    reader.numbers(4, "IOPTN")
    first = reader.numbers(1, "VCG or RHO")
    second = reader.numbers(3, "radii of gyration or the centre of gravity")
    third = reader.numbers(1, "radii of gyration or IMASS")
    if len(third) >= 3:
        radii = [second[:3], third[:3], reader.numbers(3, "radii of gyration")[:3]]
        found.radii = np.array(radii)
        x, y, _ = found.centres.get("centre_of_buoyancy", [0.0, 0.0, 0.0])  # above which it lies, in balance
        found.centres["centre_of_gravity"] = [x, y, first[0]]
        return
    if first[0] > 0.0:
        found.rho = first[0]
    found.centres["centre_of_gravity"] = second[:3]
    if third[0] == 1.0:
        found.inertia = np.array(reader.matrix("the mass matrix"))
    for what in ("damping", "stiffness"):
        if reader.at < len(reader.lines) and reader.numbers(1, f"whether there is {what}")[0] == 1.0:
            reader.matrix(f"the external {what}")
            found.notes.append(f"external {what} in {frc.name} is in the motions of .4, and not in the vessel")
