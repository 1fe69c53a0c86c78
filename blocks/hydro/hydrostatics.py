"""Hydrostatics of the wetted hull, and the mass that floats it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from blocks.hydro.degrees import Array, rigid_body_inertia
from blocks.hydro.errors import HydroError
from blocks.hydro.hull import Hull, PanelGeometry

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
        g = PanelGeometry.of(hull)
        volume = float(np.mean(g.volumes()))
        n = g.normals * g.areas[:, None]
        # second-order rule on triangles: the mean over the middles of their edges is exact for squares
        points, weights = _middles(hull)
        buoyancy = (
            np.array(
                [
                    np.sum(
                        weights[:, :, None] * 0.5 * points[:, :, k : k + 1] ** 2 * _vectors(hull)[:, None, k : k + 1]
                    )
                    for k in range(3)
                ]
            )
            / volume
        )
        nz = -_vectors(hull)[:, 2]
        area = float(-n[:, 2].sum())
        if area <= 0.0:
            raise HydroError(f"{wetted.name} has no waterplane: it is under water, and floats at no draught")

        def moment(i: int, j: int) -> float:
            value = points[:, :, i] * (points[:, :, j] if j >= 0 else 1.0)
            return float(np.sum(weights * value * nz[:, None]))

        flotation = np.array([moment(0, -1), moment(1, -1)]) / area
        low, high = wetted.bounds
        return cls(
            volume=volume,
            buoyancy=buoyancy,
            area=area,
            flotation=flotation,
            across=moment(1, 1) - area * flotation[1] ** 2,
            along=moment(0, 0) - area * flotation[0] ** 2,
            wetted_surface=float(g.areas.sum()),
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


def _vectors(hull: Hull) -> Array:
    """Half the cross product of each of two triangles per panel: 2k×3."""
    a, b, c, d = (hull.vertices[hull.panels[:, k]] for k in range(4))
    return 0.5 * np.vstack([np.cross(b - a, c - a), np.cross(c - a, d - a)])


def _middles(hull: Hull) -> tuple[Array, Array]:
    """The middles of the edges of both triangles of each panel, 2k×3×3, and weights of a third."""
    a, b, c, d = (hull.vertices[hull.panels[:, k]] for k in range(4))
    one = 0.5 * np.stack([a + b, b + c, c + a], 1)
    two = 0.5 * np.stack([a + c, c + d, d + a], 1)
    return np.vstack([one, two]), np.full((2 * len(a), 3), 1.0 / 3.0)


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
        in the waterline. Radii that are not given are 0.35 breadths in roll, 0.25 lengths in pitch and yaw, as towing
        tanks take where nothing is known.

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
        return rigid_body_inertia(self.mass, self.centre, self.radii)
