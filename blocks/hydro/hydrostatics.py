"""Hydrostatics of the wetted hull, and the mass that floats it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from blocks.estimates.rigid_body import inertia_matrix
from blocks.hydro.dofs import Array
from blocks.hydro.errors import HydroError
from blocks.hydro.hull import Hull, PanelGeometry, triangle_rule

RADII = (0.35, 0.25, 0.25)
"""Of gyration in roll per breadth, in pitch and yaw per length, where they are not given."""


@dataclass(frozen=True)
class Hydrostatics:
    """Of an upright hull, in axes forward, port, up from the waterline.

    volume, m³; buoyancy: its centre, m; area of the waterplane, m², its centre (x, y), m, its second moments about
    that centre, across (of y², for roll) and along, m⁴; wetted surface, m²; bounds of the wetted part, m.
    """

    volume: float
    buoyancy: Array
    area: float
    flotation: Array
    across: float
    along: float
    wetted_surface: float
    low: Array
    high: Array

    @classmethod
    def of(cls, wetted: Hull) -> Hydrostatics:
        """Of panels below the waterline, by Gauss's theorem over them."""
        hull = wetted.whole()
        points, vectors = triangle_rule(hull)
        volume = float(np.mean(PanelGeometry.of(hull).volumes()))
        area, surface = float(-vectors[:, 2].sum()), float(np.linalg.norm(vectors, axis=1).sum())
        if area <= 1e-9 * surface:
            raise HydroError(f"{wetted.name} has no waterplane: it is under water, and floats at no draught")
        buoyancy = 0.5 * np.einsum("nk,nk->k", (points**2).mean(axis=1), vectors) / volume

        def moment(values: Array) -> float:
            return float(-(values.mean(axis=1) * vectors[:, 2]).sum())

        x, y = points[:, :, 0], points[:, :, 1]
        flotation = np.array([moment(x), moment(y)]) / area
        low, high = wetted.bounds
        return cls(
            volume=volume,
            buoyancy=buoyancy,
            area=area,
            flotation=flotation,
            across=moment(y**2) - area * flotation[1] ** 2,
            along=moment(x**2) - area * flotation[0] ** 2,
            wetted_surface=surface,
            low=low,
            high=high,
        )

    @property
    def length(self) -> float:
        """Of the wetted part, m."""
        return float(self.high[0] - self.low[0])

    @property
    def breadth(self) -> float:
        """Of the wetted part, m."""
        return float(self.high[1] - self.low[1])

    @property
    def draught(self) -> float:
        """Of the lowest point, m."""
        return float(-self.low[2])

    @property
    def metacentre(self) -> float:
        """The height of the transverse metacentre above the waterline, m: KM - T."""
        return float(self.buoyancy[2] + self.across / self.volume)

    def stiffness(self, rho: float, g: float, centre_of_gravity: Array) -> Array:
        """C about the origin, of a hull that floats in balance, 6×6, N/m, N, N·m, in axes forward, port, up.

        Source: Newman (1977), Marine Hydrodynamics, sec. 6.16.
        """
        x, y = self.flotation
        c = np.zeros((6, 6))
        c[2, 2] = self.area
        c[2, 3] = c[3, 2] = self.area * y
        c[2, 4] = c[4, 2] = -self.area * x
        arm = self.volume * (self.buoyancy[2] - centre_of_gravity[2])
        c[3, 3] = self.across + self.area * y**2 + arm
        c[4, 4] = self.along + self.area * x**2 + arm
        return rho * g * c


@dataclass(frozen=True)
class Loading:
    """How the hull is loaded: mass, kg, its centre in axes forward, port, up, m, and radii of gyration about it, m."""

    mass: float
    centre: Array
    radii: Array

    @classmethod
    def of(
        cls,
        water: Hydrostatics,
        rho: float,
        *,
        gm: float | None = None,
        kg: float | None = None,
        radii: tuple[float | None, float | None, float | None] = (None, None, None),
    ) -> Loading:
        """The loading that floats the hull upright: the mass of the displaced water, with its centre below or above
        that of buoyancy; its height by `gm`, the metacentric height, or `kg`, above the keel, m. Without either it lies
        in the waterline. Radii that are not given are 0.35 breadths in roll, the lower end of what ITTC recommends
        where nothing is known (7.5-02-07-02.1, Seakeeping experiments, sec. 2.3: 0.35 to 0.40 B), and 0.25 lengths in
        pitch and yaw, an assumption for common ships (a box has 0.29).

        Raises HydroError if both are given, or if the hull would not float upright.
        """
        if gm is not None and kg is not None:
            raise HydroError(
                "give the metacentric height or the height of the centre of gravity, --gm or --kg, not both"
            )
        height = water.metacentre - gm if gm is not None else kg - water.draught if kg is not None else 0.0
        metacentric = water.metacentre - height
        if metacentric <= 0.0:
            raise HydroError(
                f"the hull would capsize: its metacentric height is {metacentric:.3g} m, with the centre of gravity "
                f"{height:.3g} m above the waterline and the metacentre {water.metacentre:.3g} m; give --gm above 0",
                code="unstable-hull",
            )
        for name, value in zip(("roll", "pitch", "yaw"), radii, strict=True):
            if value is not None and not 0.0 < value < np.inf:
                raise HydroError(f"the radius of gyration in {name} must be positive, not {value:g} m")
        sizes = (water.breadth, water.length, water.length)
        chosen = [
            part * size if value is None else value for value, part, size in zip(radii, RADII, sizes, strict=True)
        ]
        return cls(
            mass=rho * water.volume,
            centre=np.array([water.buoyancy[0], water.buoyancy[1], height]),
            radii=np.array(chosen),
        )

    def inertia(self) -> Array:
        """M_RB about the origin, in axes forward, port, up."""
        return inertia_matrix(self.mass, self.radii, self.centre)
