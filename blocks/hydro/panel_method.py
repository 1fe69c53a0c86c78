"""Radiation and diffraction of a hull by Capytaine, a panel method for linear potential flow."""

from __future__ import annotations

import logging
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from zipfile import BadZipFile

import numpy as np

from blocks.hydro.dofs import DOFS, FROM_UP, Array, Complex, signed_load, signed_matrix
from blocks.hydro.errors import HydroError
from blocks.hydro.far_field import Kochin, mean_drift
from blocks.hydro.hull import Hull, PanelGeometry

Progress = Callable[[int, int], None]
"""Called with the frequencies that are done and all of them."""


@dataclass(frozen=True)
class Solved:
    """What was found at all frequencies, in axes forward, starboard, down; NaN where there is none, at 0 and inf."""

    omega: Array
    headings: Array
    added_mass: Array
    radiation_damping: Array
    Froude_Krylov_force: Complex
    diffraction_force: Complex
    kochin: tuple[Kochin | None, ...]

    @property
    def excitation_force(self) -> Complex:
        """The load of waves on the hull at rest."""
        return self.Froude_Krylov_force + self.diffraction_force

    def drift(self, motion: Complex, rho: float, g: float, water_depth: float) -> Array:
        """Mean drift D in surge, sway and yaw with such motions, n×m×3, in axes forward, starboard, down."""
        found = np.full((len(self.omega), len(self.headings), 3), np.nan)
        for k, far in enumerate(self.kochin):
            if far is not None:
                up = signed_load(motion[k], FROM_UP)
                found[k] = mean_drift(far, up, rho, g, water_depth) * FROM_UP[[0, 1, 5]]
        return found


def capytaine() -> Any:
    """The package. Raises HydroError with how to get it, if it is not there."""
    try:
        import capytaine as package
    except ImportError:
        raise HydroError(
            "computing a hull's hydrodynamics needs Capytaine: pip install 'keelblocks[hydro]'; results of WAMIT, "
            "NEMOH, HAMS and ShipX are read without it",
            code="missing-package",
        ) from None
    return package


def solve(
    hull: Hull,
    omega: Sequence[float] | Array,
    headings: Sequence[float] | Array,
    *,
    rho: float,
    g: float,
    water_depth: float = np.inf,
    lid: bool = True,
    drift: bool = True,
    progress: Progress | None = None,
) -> Solved:
    """Solve radiation in all six degrees of freedom and diffraction of waves with these headings, hull at rest.

    By the direct method, for potentials, with a lid on the waterplane inside, against irregular frequencies. omega may
    have 0 and inf, of radiation alone; headings are where waves travel to, clockwise from the bow's direction, rad.

    Raises HydroError if Capytaine is not installed.
    """
    package = capytaine()
    frequencies = np.asarray(omega, dtype=np.float64)
    betas = np.asarray(headings, dtype=np.float64)
    body = _body(package, hull, lid)
    with _quiet():
        solver = package.BEMSolver(method="direct", green_function=_green_function(package))
    n, m = len(frequencies), len(betas)
    mass, damping = np.zeros((n, 6, 6)), np.zeros((n, 6, 6))
    froude, diffracted = np.full((n, m, 6), np.nan + 0j), np.full((n, m, 6), np.nan + 0j)
    kochin: list[Kochin | None] = []
    water = {"rho": rho, "g": g, "water_depth": water_depth}
    with _quiet():
        for k, w in enumerate(frequencies):
            radiated: list[Any] = []
            for j, dof in enumerate(DOFS):
                problem = package.RadiationProblem(body=body, omega=float(w), radiating_dof=dof, **water)
                result = solver.solve(problem, keep_details=True, _check_wavelength=False)
                radiated.append(result)
                mass[k, :, j] = [result.added_masses[name] for name in DOFS]
                damping[k, :, j] = [result.radiation_dampings[name] for name in DOFS]
            waves: list[Any] = []
            if 0.0 < w < np.inf:
                for j, beta in enumerate(betas):
                    problem = package.DiffractionProblem(
                        body=body, omega=float(w), wave_direction=-float(beta), **water
                    )
                    result = solver.solve(problem, keep_details=True, _check_wavelength=False)
                    waves.append(result)
                    diffracted[k, j] = [result.forces[name] for name in DOFS]
                    incident = package.bem.airy_waves.froude_krylov_force(problem)
                    froude[k, j] = [incident[name] for name in DOFS]
            kochin.append(Kochin.of(body, radiated, waves, -betas) if drift and waves else None)
            if progress is not None:
                progress(k + 1, n)
    return Solved(
        omega=frequencies,
        headings=betas,
        added_mass=signed_matrix(mass, FROM_UP),
        radiation_damping=signed_matrix(np.where(np.isfinite(damping), damping, 0.0), FROM_UP),
        Froude_Krylov_force=signed_load(froude, FROM_UP),
        diffraction_force=signed_load(diffracted, FROM_UP),
        kochin=tuple(kochin),
    )


def _green_function(package: Any) -> Any:
    """Capytaine's, with the table that it keeps in its cache.

    Capytaine writes the table in place: who reads it at that moment, or after a process that was stopped while it
    wrote, falls over it. So it is made beside its place here, also anew if it cannot be read, and moved there.
    """
    folder = Path(package.tools.cache_on_disk.cache_directory())
    if any(folder.glob("tabulation*.npz")):
        with suppress(OSError, EOFError, BadZipFile, zlib.error):
            return package.Delhommeau(tabulation_cache_dir=str(folder))
    try:
        with TemporaryDirectory(dir=folder, prefix="making_", ignore_cleanup_errors=True) as scratch:
            made = package.Delhommeau(tabulation_cache_dir=scratch)
            for table in Path(scratch).iterdir():
                table.replace(folder / table.name)
            return made
    except OSError:  # a cache that cannot be written to keeps nothing
        return package.Delhommeau(tabulation_cache_dir=None)


def _body(package: Any, hull: Hull, lid: bool) -> Any:
    """The hull as Capytaine has it, with its mirrors, six degrees of freedom about the origin, and a lid."""
    with _quiet():
        mesh = package.Mesh(hull.vertices, hull.panels, name=hull.name)
        for plane, name in (("yz", "yOz"), ("xz", "xOz")):
            if plane in hull.planes.split():
                mesh = package.ReflectionSymmetricMesh(mesh, plane=name)
        size = float(np.median(PanelGeometry.of(hull).radii))
        inside = mesh.generate_lid(faces_max_radius=size) if lid else None
        if inside is not None and inside.nb_faces == 0:
            inside = None
        return package.FloatingBody(
            mesh=mesh,
            lid_mesh=inside,
            dofs=package.rigid_body_dofs(rotation_center=(0.0, 0.0, 0.0)),
            name=hull.name,
        )


def first_irregular_frequency(hull: Hull, g: float) -> float:
    """Where a panel method without a lid may fail first, rad/s: of sloshing in a box as long and broad.

    Source: Journée and Massie (2001), Offshore Hydromechanics, sec. 7.5 (the box).
    """
    low, high = hull.bounds
    length, breadth, draught = high[0] - low[0], high[1] - low[1], -low[2]
    k = np.pi * np.hypot(1.0 / length, 1.0 / breadth)
    return float(np.sqrt(g * k / np.tanh(k * draught)))


@contextmanager
def _quiet() -> Iterator[None]:
    """Without Capytaine's remarks, which are made here in the words of the hull's checks."""
    log = logging.getLogger("capytaine")
    before = log.level
    log.setLevel(logging.ERROR)
    try:
        yield
    finally:
        log.setLevel(before)
