"""A hull, the water, its loading and what is to be computed of it: one case, computed once and kept."""

from __future__ import annotations

import contextlib
import hashlib
import json
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import numpy as np
import xarray as xr

from blocks.files.cache import cache_folder
from blocks.hydro import cutting, mesh_checks, remesh
from blocks.hydro.dataset import assemble, frequency, wavenumber
from blocks.hydro.dofs import FROM_UP, Array, signed_matrix
from blocks.hydro.errors import HydroError
from blocks.hydro.files import load, save
from blocks.hydro.hull import Hull, PanelGeometry
from blocks.hydro.hydrostatics import Hydrostatics, Loading
from blocks.hydro.motions import with_rao
from blocks.hydro.panel_method import Progress, capytaine, first_irregular_frequency, solve

FORMAT = 1
"""Of what is kept: goes up when the same case would give other numbers."""
_PANELS = 900
_MADE_FOR_PANELS = (".gdf", ".pnl", ".dat", ".nemoh", ".mar")
_UNEVEN = 2.5
"""Times the middle radius of panels, or as many panels as wanted: beyond, triangles are made anew."""
_FAR_OFF = 1.5
"""Times as many panels as were asked for."""


def prepared(
    hull: Hull,
    *,
    draught: float | None = None,
    scale: float = 1.0,
    origin: str = "midships",
    panels: int | None = None,
    even: bool | None = None,
) -> Hull:
    """A hull as the panel method takes it: wetted, closed, one side where both are alike, of even panels.

    draught: how deep its lowest point lies, m, else the waterline is the z = 0 of the mesh; scale: 0.001 for mm;
    origin: "midships", the middle of the wetted length in the waterline, or "mesh", that of the mesh in the waterline;
    panels: about how many; even: whether triangles are made anew, if not given where they are uneven or too many.

    Raises HydroError with what is wrong with the mesh: its unit, holes, inverted panels, no part of it under water.
    """
    if origin not in ("midships", "mesh"):
        raise HydroError(f"origin must be 'midships' or 'mesh', not {origin!r}")
    if not 0.0 < scale < np.inf:
        raise HydroError(f"the scale of a mesh must be positive, not {scale:g}")
    hull = mesh_checks.in_order(hull.scaled(scale))
    if draught is not None:
        low, high = hull.bounds
        if draught <= 0.0:
            raise HydroError(f"the draught must be positive, not {draught:g} m")
        if draught > (high[2] - low[2]) * (1.0 + 1e-6):
            raise HydroError(
                f"{hull.name} is {high[2] - low[2]:.4g} m high, less than the draught of {draught:g} m: it would be "
                f"under water; is the scale right?",
                code="draught-above-depth",
            )
        hull = hull.moved((0.0, 0.0, -draught - low[2]))
    hull = cutting.one_side(cutting.wetted(hull))
    if origin == "midships":
        low, high = hull.bounds
        middle = 0.5 * (low[0] + high[0])
        hull = hull.moved((-middle, 0.0, 0.0)) if abs(middle) > 1e-9 * (high[0] - low[0]) else hull
    wanted = panels or _PANELS
    if even or (even is None and _uneven(hull, wanted, _UNEVEN if panels is None else _FAR_OFF)):
        mesh_checks.no_twins(mesh_checks.afloat(hull))  # as it was drawn: large panels may close a hole
        hull = _remade(hull, wanted)
    return mesh_checks.axes_seen(mesh_checks.no_twins(mesh_checks.afloat(hull)))


def _remade(hull: Hull, wanted: int) -> Hull:
    """Even panels. Raises HydroError if the hull is thinner than they are."""
    made = remesh.even(hull, wanted)
    try:
        return mesh_checks.no_twins(made)
    except HydroError:
        size = float(np.median(PanelGeometry.of(made).radii)) * 2.0
        raise HydroError(
            f"{hull.name} is thinner somewhere than about {wanted} panels are large, {size:.2g} m: take more of them, "
            f"--panels",
            code="panels-too-coarse",
        ) from None


def _uneven(hull: Hull, wanted: int, most: float) -> bool:
    """Whether panels are those of a drawing rather than of a panel method."""
    if not hull.made_from.startswith("mesh") or hull.made_from.endswith(_MADE_FOR_PANELS):
        return False
    geometry = PanelGeometry.of(hull)
    even = np.sqrt(geometry.areas.sum() * 2 ** len(hull.planes.split()) / wanted)
    return bool(hull.count > most * wanted or geometry.radii.max() > _UNEVEN * even)


def default_frequencies(hull: Hull, g: float, water_depth: float = np.inf, count: int = 36) -> Array:
    """0, from waves of 20 lengths to where a hull so broad hardly makes any, ω² B/2g = 3.5, or its panels end, inf."""
    low, high = hull.bounds
    length, breadth = high[0] - low[0], high[1] - low[1]
    least = np.sqrt(2.0 * np.pi * g / (20.0 * length))
    most = min(np.sqrt(7.0 * g / breadth), mesh_checks.shortest_wave(hull, g)[1])
    if most < 2.0 * least:
        raise HydroError(
            f"the panels of {hull.name} are too coarse: they resolve waves down to "
            f"{mesh_checks.shortest_wave(hull, g)[0]:.3g} m; take more of them, --panels",
            code="panels-too-coarse",
        )
    if np.isfinite(water_depth):  # Capytaine's Green function begins at kh = 0.1 there
        least = max(least, frequency(0.1 / water_depth, water_depth, g) * 1.001)
        return np.concatenate([np.linspace(least, max(most, 2.0 * least), count), [np.inf]])
    return np.concatenate([[0.0], np.linspace(least, most, count), [np.inf]])


@dataclass(frozen=True)
class Case:
    """What is computed: a prepared hull in water of a depth, m, at frequencies, rad/s, and headings, rad.

    Headings are each 15° from 0 to 180°, where they are not given, and all around if the hull's sides are not alike.
    gm, kg, radii: as `Loading.of` takes them, m; roll_damping: besides radiation, of critical; drift: whether mean
    drift is wanted; lid: against irregular frequencies.
    """

    hull: Hull
    rho: float = 1025.0
    g: float = 9.81
    water_depth: float = np.inf
    omega: tuple[float, ...] = ()
    headings: tuple[float, ...] = ()
    gm: float | None = None
    kg: float | None = None
    radii: tuple[float | None, float | None, float | None] = (None, None, None)
    roll_damping: float = 0.0
    drift: bool = True
    lid: bool = True

    def __post_init__(self) -> None:
        for name, value in (("rho", self.rho), ("g", self.g), ("water_depth", self.water_depth)):
            if not value > 0.0:
                raise HydroError(f"{name} must be positive, not {value:g}")
        if not self.omega:
            usual = default_frequencies(self.hull, self.g, self.water_depth)
            object.__setattr__(self, "omega", tuple(float(w) for w in usual))
        if not self.headings:
            first = 0.0 if "xz" in self.hull.planes.split() else -165.0
            object.__setattr__(self, "headings", tuple(float(b) for b in np.radians(np.arange(first, 181.0, 15.0))))
        least = frequency(0.1 / self.water_depth, self.water_depth, self.g) if np.isfinite(self.water_depth) else 0.0
        if min(self.omega) < least:
            raise HydroError(
                f"in water of {self.water_depth:g} m frequencies begin at {least:.3g} rad/s, kh = 0.1, not "
                f"{min(self.omega):g}: longer waves are beyond the panel method",
                code="waves-too-long",
            )
        draught = -float(self.hull.bounds[0][2])
        if self.water_depth <= draught:
            raise HydroError(
                f"the water is {self.water_depth:g} m deep and the hull draws {draught:.4g} m: it is aground",
                code="aground",
            )
        if not 0.0 <= self.roll_damping < 1.0:
            raise HydroError(f"roll_damping is a part of critical damping, 0 to 1, not {self.roll_damping:g}")

    @property
    def settings(self) -> dict[str, Any]:
        """All but the hull, as it is written beside the results."""
        values = {one.name: getattr(self, one.name) for one in fields(self) if one.name != "hull"}
        return values | {"method": "direct"}

    def key(self) -> str:
        """A fingerprint of all that decides on the numbers."""
        said = json.dumps([FORMAT, capytaine().__version__, self.hull.digest(), self.settings], sort_keys=True)
        return hashlib.sha256(said.encode()).hexdigest()[:16]

    def kept(self) -> Path:
        """Where the results are kept."""
        return cache_folder() / "hydro" / f"{self.key()}.nc"

    def _origin(self) -> str:
        """Where the body origin is, in words."""
        low, high = self.hull.bounds
        middle = 0.5 * float(low[0] + high[0])
        if abs(middle) <= 1e-6 * (high[0] - low[0]):
            return "midships, on the centreline, in the waterline"
        side = "aft" if middle > 0.0 else "ahead"
        return f"that of the mesh, {abs(middle):.4g} m {side} of midships, on the centreline, in the waterline"

    def warnings(self) -> list[str]:
        """What is to be looked at before one computes."""
        said: list[str] = []
        if not 500.0 <= self.rho <= 2000.0:
            said.append(f"the water has {self.rho:g} kg/m³: was another unit meant, such as '1.025 t/m^3'?")
        waves = [w for w in self.omega if 0.0 < w < np.inf]
        length, most = mesh_checks.shortest_wave(self.hull, self.g)
        short = 2.0 * np.pi / wavenumber(max(waves), self.water_depth, self.g)[0] if waves else np.inf
        if short < 0.99 * length:
            said.append(
                f"panels are too coarse for waves of {short:.3g} m: these want radii up to 1/8 of that, and resolve "
                f"{length:.3g} m; trust results up to {most:.3g} rad/s, or take more panels"
            )
        irregular = first_irregular_frequency(self.hull, self.g)
        if not self.lid and waves and max(waves) > irregular:
            said.append(f"without a lid there may be irregular frequencies from {irregular:.3g} rad/s on")
        if self.hull.count > 6000:
            said.append(f"{self.hull.count} panels take long, and {16e-9 * 2.0 * self.hull.count**2:.2g} GB")
        return said

    def compute(self, progress: Progress | None = None, *, cache: bool = True) -> tuple[xr.Dataset, bool]:
        """The data, and whether they were there already. What is computed is kept. Raises HydroError."""
        file = self.kept()
        if cache and file.is_file():
            try:
                return load(file), True
            except HydroError:
                file.unlink(missing_ok=True)
        made = self._computed(progress)
        if cache:
            with contextlib.suppress(HydroError):  # a cache that cannot be written to keeps nothing
                save(made, file)
        return made, False

    def _computed(self, progress: Progress | None) -> xr.Dataset:
        water = Hydrostatics.of(self.hull)
        load_ = Loading.of(water, self.rho, gm=self.gm, kg=self.kg, radii=self.radii)
        found = solve(
            self.hull, np.array(self.omega), np.array(self.headings), rho=self.rho, g=self.g,
            water_depth=self.water_depth, lid=self.lid, drift=self.drift, progress=progress,
        )  # fmt: skip
        down = FROM_UP[:3]
        inertia = signed_matrix(load_.inertia(), FROM_UP)
        stiffness = signed_matrix(water.stiffness(self.rho, self.g, load_.centre), FROM_UP)
        data = assemble(
            omega=found.omega, added_mass=found.added_mass, radiation_damping=found.radiation_damping,
            rho=self.rho, g=self.g, water_depth=self.water_depth, wave_direction=found.headings,
            waves={
                "Froude_Krylov_force": found.Froude_Krylov_force,
                "diffraction_force": found.diffraction_force,
                "excitation_force": found.excitation_force,
            },
            about={
                "inertia_matrix": inertia, "hydrostatic_stiffness": stiffness,
                "centre_of_gravity": load_.centre * down, "centre_of_buoyancy": water.buoyancy * down,
                "displaced_volume": water.volume, "draught": water.draught, "length": water.length,
                "breadth": water.breadth,
            },
            origin=self._origin(),
            attributes={
                "title": self.hull.name, "source": f"Capytaine {capytaine().__version__}, direct method",
                "hull": self.hull.made_from, "mesh_hash": self.hull.digest(), "panels": self.hull.count,
                "notes": "; ".join(self.hull.notes), "settings": json.dumps(self.settings), "key": self.key(),
                "format": FORMAT,
            },
        )  # fmt: skip
        damping = np.zeros((6, 6))
        if self.roll_damping:
            damping[3, 3] = roll_damping(data, self.roll_damping)
        data = with_rao(data, damping)
        if self.drift:
            order = ("omega", "wave_direction", "radiating_dof")
            drift = found.drift(data["rao"].transpose(*order).values, self.rho, self.g, self.water_depth)
            data["mean_drift"] = xr.DataArray(
                drift, dims=("omega", "wave_direction", "drift_dof"), attrs={"units": "N/m2, N m/m2"}
            )
        return data


def roll_damping(data: xr.Dataset, part: float) -> float:
    """A part of the critical damping of roll, N·m·s: 2 ζ √((I_x + A_44) C_44), A_44 at the lowest frequency."""
    lowest = data["added_mass"].isel(omega=0)
    mass = float(data["inertia_matrix"][3, 3]) + float(lowest[3, 3])
    return float(2.0 * part * np.sqrt(mass * float(data["hydrostatic_stiffness"][3, 3])))
