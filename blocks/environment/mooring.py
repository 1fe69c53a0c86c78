"""Mooring lines as elastic catenaries."""

from __future__ import annotations

from blocks.block import Sizes
from blocks.environment.mooring_lines import MooringLines
from blocks.model.dependence import Sources, whole

_LINE = (
    "lines", "length", "axial_stiffness", "mass_per_length", "diameter", "weight", "seabed_friction", "depth",
    "density", "gravity",
)  # fmt: skip


class Mooring(MooringLines):
    """Mooring lines, tow lines and tethers as elastic catenaries, at rest in each instant.

    X = (H/w)(asinh(V/H) - asinh(V_a/H)) + H L/(EA),  V_a = V - w L
    Z = (T - T_a)/w + (V² - V_a²)/(2 EA w),  T² = H² + V²

    X, Z: horizontal distance of the fairlead from the anchor, and its height above it, m; H, V: pull of the line at
    the fairlead, horizontal and down, N; V_a: its vertical pull at the anchor, N; T, T_a: `tension` and
    `anchor_tension`, n, N; L: `length`, m; w: `weight` in water, N/m; EA: `axial_stiffness`, N, a number for each of n
    lines. `angle` = atan(V/H), n, rad. `disturbance`: the pull of all lines on the vessel, in body axes about its
    origin, N and N·m, 6.

    **On the floor**, at `depth` h, the part L_b = L - (V + V_b)/w lies, where V and V_b belong to branches of heights
    Z = z_anchor - z and Z_b = h - z_anchor over it: T = √((EA + H)² + 2 EA w Z) - EA, V² = T² - H². Then

    X = L_b + (H/w)(asinh(V/H) + asinh(V_b/H)) + H L/(EA) - μ w (L_b² - R²)/(2 EA),  R = max(L_b - H/(μ w), 0)

    μ: `seabed_friction`, of a line whose anchor lies on the floor: it holds the line back towards the
    anchor, so that T_a = max(H - μ w L_b, 0). `suspended` = L - L_b, n, m. A line that is longer than it need be lies
    in a heap, and hangs down from the fairlead: H = 0. A fairlead below the floor counts as on it.

    **Solved** in one unknown each, so that no start value is wanted and every place has its answer. A line that hangs
    free is the catenary of the chord that its mean stretch leaves over: with e = w L/(2 EA), λ from

    X = (λ + e)/sinh λ √(L² - Z'²),  Z' = Z tanh λ/(tanh λ + e),  H = w X/(2 (λ + e)),  V = w L/2 + w Z/(2 (tanh λ + e))

    whose right side falls with λ; on the floor X rises with H. The output is a function of the poses alone.

    **The other end** is at rest at `lines`' anchors, or moves with a second vessel: wire its pose to `anchor_eta`, in
    whose axes the anchors are then given, and `anchor_disturbance` to it. So a tow line or a tether is a line without
    `depth`. `nu`, `anchor_nu` and `current` are there for `MooringDynamics`, which has the same ports; here nothing
    depends on them: lines without inertia and drag, for motions that are slow beside the lines' own.

    A line that floats, w < 0, rises above its ends; the water's surface does not hold it.

    Raises ParameterError if a length or stiffness is not positive, if a line has neither weight nor mass, or an anchor
    is below the floor.

    Source: Jonkman (2007), Dynamics modeling and loads analysis of an offshore floating wind turbine, report
    NREL/TP-500-41958 (equations, with floor and friction); Irvine (1981), Cable Structures (elastic catenary).
    """

    kernel = "mooring"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Velocities do not count."""
        return ("eta", "anchor_eta")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On where both ends are."""
        return whole("eta", "anchor_eta", *_LINE)
