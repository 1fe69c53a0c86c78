"""A submerged hull that comes to the surface."""

from __future__ import annotations

import numpy as np

from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Pattern, Sources, elements, whole
from blocks.signal import Length, Number, Pose, Wrench


class Surfacing(Block):
    """What a hull loses of its buoyancy where it comes out of the water, for vehicles that dive.

    F = Σ ρ g V_i e(x_i) down at each part,  e = x² (3 - 2 x),  x = (r_i - z_i - ζ)/(2 r_i) within 0 and 1

    The hull in n parts, taken for spheres, of which e is the share above the water: V: `volumes`, n, m³; r: `radii`, n,
    m; z: how deep the middle of each is, from `centres` in body axes, n×3, m, and `eta`; ζ: `elevation` of the surface,
    positive up, m, such as that of `SeaSurface`; ρ: `density`, kg/m³; g: `gravity`, m/s². `disturbance`: F on the hull
    about its origin, in body axes, N and N·m, 6; `emerged`: share of the volume that is above the water.

    A `Vessel6DOF` has a constant buoyancy B = ρ g ∇, as under water. With this block, whose volumes add up to ∇, it
    floats where its weight says, and is righted there by the shape of its parts. `FloatingVehicle` is for those that
    never dive: its restoring force grows with the depth for ever. The force follows from a potential: it makes no
    energy. Added mass and damping stay those under water, and slamming is left out.

    Raises ParameterError if a volume or radius is not positive, or `centres` are not n×3.

    Source: Archimedes; the volume of a spherical cap of height h is π h² (3 r - h)/3.
    """

    examples = (
        {
            "centres": [[0.5, 0.0, 0.1], [0.0, 0.1, 0.0], [-0.5, 0.0, 0.05]],
            "volumes": [0.02, 0.03, 0.02],
            "radii": [0.9, 1.0, 0.8],
        },
    )

    kernel = "surfacing"
    sizes = ("n",)

    eta = Input(Pose, "η, pose of the vessel")
    elevation = Input(Length, "ζ of the surface over the datum of η, positive up", default=0.0)

    disturbance = Output(Wrench, "buoyancy that is lost, about the body origin", nominal=100.0)
    emerged = Output(Number, "share of the volume above the water")

    centres = Parameter(
        shape=("n", 3), unit="m", frame="body", labels=("x", "y", "z"), doc="middles of the parts, from the body origin"
    )
    volumes = Parameter(shape=("n",), unit="m^3", above=0.0, doc="V of each part")
    radii = Parameter(shape=("n",), unit="m", above=0.0, doc="r, half the height over which a part comes out")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    gravity = Parameter(9.81, unit="m/s^2", above=0.0, doc="g")

    def validate(self) -> None:
        """Places, not one number."""
        if np.ndim(self.centres) != 2:
            raise ParameterError(
                f"{self._called()}.centres must be an array of n×3, a row per part of the hull, not the single number "
                f"{self.centres:g}"
            )

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On depth and attitude; heading and place do not count."""
        found: dict[str, Pattern] = whole("elevation", "centres", "volumes", "radii") | {"eta": elements("z phi theta")}
        return found | whole("density", "gravity") if output == "disturbance" else found
