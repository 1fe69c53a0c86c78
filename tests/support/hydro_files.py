"""Hydrodynamic data that are made up, and the files that WAMIT, NEMOH, HAMS and VERES would have written of them.

Each writer says in its own words what its program's manual says: scales, axes, signs, phases. Nothing is taken from the
readers.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from blocks.hydro.dataset import assemble, moved
from blocks.hydro.motions import with_rao

RHO, G = 1025.0, 9.80665
UP = (1, -1, -1, 1, -1, -1)
"""Forward, starboard, down seen in forward, port, up."""
AFT = (-1, 1, -1, -1, 1, -1)
"""… in aft, starboard, up."""


def made_up(omega: tuple[float, ...] = (0.4, 0.7, 1.1), step: float = 45.0) -> xr.Dataset:
    """A hull whose sides are alike, with full matrices, and loads that long waves have right."""
    random = np.random.default_rng(5)
    w = np.array(omega)
    mass = np.zeros((len(w), 6, 6))
    for k in range(len(w)):
        draw = random.normal(size=(6, 6)) * 0.2
        mass[k] = draw + draw.T + np.diag([1.0, 4.0, 6.0, 5.0, 9.0, 7.0])
    scale = np.outer(*[np.array([1e6, 1e6, 1e6, 1e7, 1e7, 1e7]) ** 0.5] * 2)
    alike = np.add.outer(np.arange(6), np.arange(6)) % 2 == 0
    mass = mass * scale * alike
    damping = 0.3 * mass * np.where(np.isfinite(w), w, 0.0)[:, None, None]
    beta = np.radians(np.arange(0.0, 180.1, step))
    k = np.where(np.isfinite(w), w, 0.0) ** 2 / G
    load = np.zeros((len(w), len(beta), 6), dtype=complex)
    load[:, :, 0] = -1j * 6e6 * k[:, None] * np.cos(beta)
    load[:, :, 1] = -1j * 9e6 * k[:, None] * np.sin(beta)
    load[:, :, 2] = -2e6 * np.exp(-20.0 * k[:, None]) * (1.0 + 0.2j * np.cos(beta))
    load[:, :, 3] = 1e7 * k[:, None] * np.sin(beta) * (0.3 + 1j)
    load[:, :, 4] = 4e7 * k[:, None] * np.cos(beta) * (0.1 - 1j)
    load[:, :, 5] = 1e7 * k[:, None] * np.sin(2.0 * beta) * (1.0 + 0.5j)
    load[(w == 0.0) | ~np.isfinite(w)] = np.nan
    drift = np.stack([np.cos(beta) * 2e3, np.sin(beta) * 5e3, np.sin(2 * beta) * 4e4], -1) * k[:, None, None]
    drift[(w == 0.0) | ~np.isfinite(w)] = np.nan
    inertia = np.diag([2e6, 2e6, 2e6, 4e7, 6e7, 7e7]).astype(float)
    inertia[0, 4] = inertia[4, 0] = -3e6
    inertia[1, 3] = inertia[3, 1] = 3e6
    stiffness = np.zeros((6, 6))
    stiffness[2, 2], stiffness[3, 3], stiffness[4, 4] = 2e6, 4e7, 3e8
    stiffness[2, 4] = stiffness[4, 2] = 5e6
    data = assemble(
        omega=w, added_mass=mass, radiation_damping=damping, rho=RHO, g=G, wave_direction=beta,
        waves={"excitation_force": load, "mean_drift": drift},
        about={"inertia_matrix": inertia, "hydrostatic_stiffness": stiffness, "displaced_volume": 2e6 / RHO},
    )  # fmt: skip
    return with_rao(data)


def _degree(mode: int) -> int:
    return 0 if mode < 3 else 1


def write_wamit(
    folder: Path, name: str, data: xr.Dataset, length: float, *, endings: str = "1 3 4 8 hst frc gdf"
) -> None:
    """Numbered files: PER I J A B; PER BETA I MOD PHA RE IM; all without dimension, axes up, time as e^(iωt).

    Waves come from the other side than in `data`: the mirror image, so that headings run from 0 to 180.
    """
    wanted = endings.split()
    omega, beta = data["omega"].values, data["wave_direction"].values
    a, b = (data[part].values for part in ("added_mass", "radiation_damping"))
    lines: dict[str, list[str]] = {ending: [] for ending in wanted}
    mirror = (1, -1, 1, -1, 1, -1)
    for n, w in enumerate(omega):
        period = -1.0 if w == 0.0 else 0.0 if np.isinf(w) else 2.0 * np.pi / w
        for i in range(6):
            for j in range(6):
                unit = RHO * length ** (3 + _degree(i) + _degree(j))
                row = f"{period:13.6E} {i + 1:5d} {j + 1:5d} {UP[i] * UP[j] * a[n, i, j] / unit:13.6E}"
                if period > 0.0:
                    row += f" {UP[i] * UP[j] * b[n, i, j] / unit / w:13.6E}"
                lines.setdefault("1", []).append(row)
        if period <= 0.0:
            continue
        for m, angle in enumerate(beta):
            for ending, part, unit_of in (
                ("3", "excitation_force", lambda i: RHO * G * length ** (2 + _degree(i))),
                ("4", "rao", lambda i: length ** -_degree(i)),
            ):
                for i in range(6):
                    value = np.conj(data[part].values[n, m, i]) * UP[i] * mirror[i] / unit_of(i)
                    lines.setdefault(ending, []).append(
                        f"{period:13.6E} {np.degrees(angle):13.6E} {i + 1:5d} {abs(value):13.6E} "
                        f"{np.degrees(np.angle(value)):13.6E} {value.real:13.6E} {value.imag:13.6E}"
                    )
            for i, row in zip((0, 1, 5), data["mean_drift"].values[n, m], strict=True):
                value = row * UP[i] * mirror[i] / (RHO * G * length ** (1 + _degree(i)))
                lines.setdefault("8", []).append(
                    f"{period:13.6E} {np.degrees(angle):13.6E} {np.degrees(angle):13.6E} {i + 1:5d} "
                    f"{abs(value):13.6E} {0.0 if value >= 0 else 180.0:13.6E} {value:13.6E} {0.0:13.6E}"
                )
    c = data["hydrostatic_stiffness"].values
    lines["hst"] = [
        f"{i + 1:5d} {j + 1:5d} {UP[i] * UP[j] * c[i, j] / (RHO * G * length ** (2 + (i > 2) + (j > 2))):13.6E}"
        for i in range(6)
        for j in range(6)
    ]
    m = data["inertia_matrix"].values
    lines["frc"] = ["forces", "1 0 1 1 0 0 0 1 0", f"{RHO}", "0. 0. 1.5", "1"]
    lines["frc"] += [" ".join(f"{UP[i] * UP[j] * m[i, j]:.8E}" for j in range(6)) for i in range(6)]
    lines["frc"] += ["0", "0"]
    lines["gdf"] = ["a hull", f"{length} {G} ULEN GRAV", "0 1", "1"]
    for ending in wanted:
        (folder / f"{name}.{ending}").write_text("\n".join(lines[ending]) + "\n", encoding="utf-8")


def write_nemoh(folder: Path, data: xr.Dataset) -> None:
    """A run of NEMOH 3: SI, axes up, time as e^(-iωt), zones by motion and by direction."""
    results, mechanics = folder / "results", folder / "Mechanics"
    results.mkdir(parents=True)
    mechanics.mkdir()
    omega, beta = data["omega"].values, data["wave_direction"].values
    bar = "-" * 40
    dofs = ["1 1. 0. 0. 0. 0. 0.", "1 0. 1. 0. 0. 0. 0.", "1 0. 0. 1. 0. 0. 0."]
    turns = ["2 1. 0. 0. 0. 0. 0.", "2 0. 1. 0. 0. 0. 0.", "2 0. 0. 1. 0. 0. 0."]
    cal = [
        f"--- Environment {bar}", f"{RHO} ! RHO", f"{G} ! G", "0. ! DEPTH", "0. 0. ! XEFF YEFF",
        f"--- Description of floating bodies {bar}", "1 ! Number of bodies", f"--- Body 1 {bar}", "hull.dat ! mesh",
        "1000 900 ! points and panels", "6 ! degrees of freedom", *dofs, *turns, "6 ! forces", *dofs, *turns,
    ]  # fmt: skip
    (folder / "Nemoh.cal").write_text("\n".join(cal) + "\n", encoding="utf-8")
    text = 'VARIABLES="w (rad/s)"\n' + "".join(f'"A 1 {j + 1}" "B 1 {j + 1}"\n' for j in range(6))
    for motion in range(6):
        text += f'Zone t="Motion of body    1 in DoF {motion + 1:3d}",I={len(omega):6d},F=POINT\n'
        for n, w in enumerate(omega):
            row = [w]
            for load in range(6):
                row += [
                    UP[load] * UP[motion] * data[part].values[n, load, motion]
                    for part in ("added_mass", "radiation_damping")
                ]
            text += " ".join(f"{value:14.7E}" for value in row) + "\n"
    (results / "RadiationCoefficients.tec").write_text(text, encoding="utf-8")
    text = 'VARIABLES="w (rad/s)"\n'
    mirror = (1, -1, 1, -1, 1, -1)
    for m, angle in enumerate(beta):
        text += f'Zone t="Excitation force - beta = {np.degrees(angle):7.3f} deg",I={len(omega):6d},F=POINT\n'
        for n, w in enumerate(omega):
            row = [w]
            for i in range(6):
                value = data["excitation_force"].values[n, m, i] * UP[i] * mirror[i]
                row += [abs(value), np.angle(value)]
            text += " ".join(f"{value:14.7E}" for value in row) + "\n"
    (results / "ExcitationForce.tec").write_text(text, encoding="utf-8")
    for name, part in (("Kh.dat", "hydrostatic_stiffness"), ("Inertia.dat", "inertia_matrix")):
        matrix = data[part].values
        rows = (" ".join(f"{UP[i] * UP[j] * matrix[i, j]:15.7E}" for j in range(6)) for i in range(6))
        (mechanics / name).write_text("\n".join(rows) + "\n", encoding="utf-8")


def write_hams(folder: Path, data: xr.Dataset) -> None:
    """A run of HAMS: WAMIT's form with frequencies in rad/s and time as e^(-iωt), lengths of 1 m."""
    inside, results = folder / "Input", folder / "Output" / "Wamit_format"
    inside.mkdir(parents=True)
    results.mkdir(parents=True)
    control = """   --------------HAMS Control file---------------

   Waterdepth  -50.D0

   #Start Definition of Wave Frequencies
    Input_frequency_type        3
    Output_frequency_type       3
   #End Definition of Wave Frequencies

    Reference_body_center   0.000   0.000   0.000
    Reference_body_length   1.D0
"""
    (inside / "ControlFile.in").write_text(control, encoding="utf-8")
    write_wamit(results, "Buoy", data, 1.0, endings="1 3")
    for ending in ("1", "3"):
        file = results / f"Buoy.{ending}"
        rows = [line.split() for line in file.read_text(encoding="utf-8").splitlines()]
        for row in rows:
            row[0] = f"{2.0 * np.pi / float(row[0]):.8E}"
            if ending == "3":
                row[4], row[6] = f"{-float(row[4]):.6E}", f"{-float(row[6]):.6E}"
        file.write_text("\n".join(" ".join(row) for row in rows) + "\n", encoding="utf-8")
    text = " Center of Gravity:\n 0. 0. 0.\n"
    for title, part in (
        ("Body Mass Matrix", "inertia_matrix"), ("External Damping Matrix", None),
        ("Hydrostatic Restoring Matrix", "hydrostatic_stiffness"),
    ):  # fmt: skip
        matrix = np.zeros((6, 6)) if part is None else data[part].values
        text += f" {title}:\n" + "".join(
            " ".join(f"{UP[i] * UP[j] * matrix[i, j]:.6E}" for j in range(6)) + "\n" for i in range(6)
        )
    (inside / "Hydrostatic.in").write_text(text, encoding="utf-8")
    heads = folder / "Output" / "Hydrostar_format"
    heads.mkdir()
    (heads / "AddedMass_11.rao").write_text(
        f"# Project :\n#     Water density (rho)  :  {RHO:.4f}\n#     Gravity acceleration :  {G:.5f}\n",
        encoding="utf-8",
    )


def write_veres(folder: Path, name: str, data: xr.Dataset, *, lcg: float = 2.0) -> None:
    """.re7, .re8, .re1 and .re2 about a point `lcg` aft of midships in the waterline: SI, time as e^(iωt)."""
    about = moved(data, (-lcg, 0.0, 0.0), "there")
    omega = about["omega"].values
    degrees = 180.0 - np.degrees(about["wave_direction"].values[::-1])
    length, breadth, draught = 80.0, 16.0, 5.0
    words = [
        " HYDRODYNAMIC COEFFICIENTS (Version 2)",
        " Run name:",
        " Ship name: Made up",
        " Loading condition:",
        " ",
        " ",
    ]
    head = [f" {RHO:.8E} {G:.8E}", f" {length:.8E} {breadth:.8E} {draught:.8E}"]
    centre = [f" {lcg:.8E} {4.0:.8E}"]

    def matrix(values: Any) -> list[str]:
        return [" ".join(f"{AFT[i] * AFT[j] * values[i][j]:.8E}" for j in range(6)) for i in range(6)]

    none = [" ".join(["0.00000000E+00"] * 6)] * 6
    lines = [*words, *head, *centre, "    -1     2", f" 1 {len(degrees)} {len(omega)} 6"]
    lines += matrix(about["inertia_matrix"].values)
    lines.append(f" 0.0 0.0 0.0 {lcg} {draught}")
    for angle in degrees:
        lines.append(f" {angle:.2f}")
        for n, w in enumerate(omega):
            lines.append(f" {w:.7f}")
            for part in (about["added_mass"].values[n], about["radiation_damping"].values[n]):
                lines += [*matrix(part), *none]
            lines += [*matrix(about["hydrostatic_stiffness"].values), *none, " 0.8E+05 0.2E+08 0.3E-01"]
    (folder / f"{name}.re7").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for ending, part in (("re8", "excitation_force"), ("re1", "rao")):
        lines = [*words, *head, *centre, f" 1 {len(degrees)} {len(omega)} 6", f" 0.0 0.0 0.0 {lcg} {draught}"]
        table = about[part].values[:, ::-1]
        for m, angle in enumerate(degrees):
            lines.append(f" {angle:.2f}")
            for n, w in enumerate(omega):
                lines.append(f" {w:.7f}")
                for i in range(6):
                    value = np.conj(table[n, m, i]) * AFT[i]
                    lines.append(f"  {i + 1} {value.real:.8E} {value.imag:.8E}")
        (folder / f"{name}.{ending}").write_text("\n".join(lines) + "\n", encoding="utf-8")
    lines = [*words, *head, f" 1 {len(degrees)} {len(omega)}"]
    drift = about["mean_drift"].values[:, ::-1]
    unit = RHO * G * breadth**2
    for m, angle in enumerate(degrees):
        lines.append(f" 0.0 {angle:.2f}")
        for n, w in enumerate(omega):
            x, y, yaw = (drift[n, m, k] * AFT[(0, 1, 5)[k]] for k in range(3))
            lines.append(f" {w:.7f} {x / unit * length:.8E} {y / unit * length:.8E} {yaw / unit:.8E}")
    (folder / f"{name}.re2").write_text("\n".join(lines) + "\n", encoding="utf-8")


Writer = Callable[[Path, xr.Dataset], Path]


def wamit(folder: Path, data: xr.Dataset) -> Path:
    """The file to be named."""
    write_wamit(folder, "hull", data, 2.5)
    return folder / "hull.1"


def nemoh(folder: Path, data: xr.Dataset) -> Path:
    """The folder."""
    write_nemoh(folder / "run", data)
    return folder / "run"


def hams(folder: Path, data: xr.Dataset) -> Path:
    """The folder."""
    write_hams(folder / "case", data)
    return folder / "case"


def veres(folder: Path, data: xr.Dataset) -> Path:
    """The file to be named."""
    write_veres(folder, "hull", data)
    return folder / "hull.re7"


WRITERS: dict[str, Writer] = {"wamit": wamit, "nemoh": nemoh, "hams": hams, "veres": veres}
