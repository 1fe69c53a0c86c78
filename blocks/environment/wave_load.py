"""The load of waves on a small vessel, by the pressure that they would have without it."""

from __future__ import annotations

from blocks.block import Block, Sizes
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import TIME, Sources, rows, whole
from blocks.signal import Pose, Waves, Wrench


class WaveLoad(Block):
    """The first-order load of waves on a vessel that is small beside their length: the Froude-Krylov force.

    p(x, y) = ρ g Σ a f(z) cos(k_x x + k_y y - ω t + ε),  f(z) = cosh k(h - z)/cosh kh, e^(-kz) in deep water
    X = -(p_fore - p_aft) A_x
    Y = -(p_sb - p_ps) A_y
    Z = -p_centre A_z
    K = -(p_sb - p_ps) (A_z/2) (B/4)
    M = (p_fore - p_aft) (A_z/2) (L/4)
    N = (p_fore - p_aft) (A_y/2) (L/4)

    `waves`: the components of a sea, see `IrregularSea`; p_fore, p_aft: pressure a quarter of the `length` L ahead and
    astern of the `centre`; p_sb, p_ps: a quarter of the `breadth` B to starboard and port, Pa; z: depth of all five,
    `pressure_depth` below the `centre`, which moves with `eta`, m, but never less than 0; A_x, A_y, A_z:
    `areas` under water across the vessel, along it, and of the water plane, m²; ρ: `density`, kg/m³; g: `gravity`,
    m/s²; `disturbance`: (X, Y, Z, K, M, N) about the body origin, N and N·m.

    The pressure is taken where the vessel is at the time, so that its way gives the frequency of encounter by itself.
    What the vessel does to the waves, diffraction and radiation, is left out: good while wave lengths are some five
    times the length of the vessel and more.

    **Signs.** NED and forward-starboard-down. A crest at the centre lifts, Z < 0; one at the bow pushes astern, X < 0,
    and raises the bow, M > 0; one to starboard pushes to port, Y < 0, and heels to port, K < 0. Sources whose axes
    point upward print some of these with the other sign.

    **Yaw.** The published N above turns any vessel in head sea, even one that is the same on both sides. With
    `yaw_moment="corners"` it is the moment of the side pressures at the four corners,
    N = -[(p_sb - p_ps)_fore - (p_sb - p_ps)_aft] (A_y/2) (L/4), which is zero in head and in beam sea.

    Raises ParameterError if a length, an area, the density or gravity is out of range.

    Source: Thomas, Bossens and Tarapore (2021), ASVLite: a high-performance simulator for autonomous surface vehicles,
    eq. 10 to 12 (with L/4 as the arm of pitch, where a print has B/4); Faltinsen (1990), Sea Loads on Ships and
    Offshore Structures, ch. 2 and 3.
    """

    examples = (
        {"length": 2.0, "breadth": 0.8, "areas": [0.2, 0.5, 1.4], "centre": [0.2, 0.1, -0.1], "pressure_depth": 0.1},
        {"length": 2.0, "breadth": 0.8, "areas": [0.2, 0.5, 1.4], "yaw_moment": "corners"},
    )

    kernel = "wave_load"
    sizes = ("n",)
    uses_time = True

    waves = Input(Waves, "components of the sea")
    eta = Input(Pose, "η, pose of the vessel")
    disturbance = Output(Wrench, "load on the vessel about the body origin", nominal=10.0)

    length = Parameter(unit="m", above=0.0, doc="L, at the waterline")
    breadth = Parameter(unit="m", above=0.0, doc="B, at the waterline")
    areas = Parameter(
        shape=(3,), unit="m^2", at_least=0.0, labels=("A_x", "A_y", "A_z"), doc="across, along, and water plane"
    )
    centre = Parameter(
        0.0, shape=(3,), unit="m", frame="body", labels=("x", "y", "z"), doc="centre of the water plane in the body"
    )
    pressure_depth = Parameter(0.0, unit="m", doc="how far below the centre the pressure is taken")
    yaw_moment = Parameter("published", choices=("published", "corners"), doc="how the yaw moment is found")
    density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")
    gravity = Parameter(9.81, unit="m/s^2", above=0.0, doc="g")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """All of it on the waves and on where the vessel is; a force off the origin has moments about it."""
        found = whole("waves", "eta", TIME, "areas", "centre", "pressure_depth", "density", "gravity")
        return found | {"length": rows("X M N"), "breadth": rows("Y K N"), "yaw_moment": rows("N")}
