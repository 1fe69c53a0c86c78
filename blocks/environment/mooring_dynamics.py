"""Mooring lines of lumped masses."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from blocks.basic.common import NO_LIMIT
from blocks.block import Sizes
from blocks.environment.mooring_lines import BY_WEIGHT, TWO_LINES, MooringLines
from blocks.errors import ParameterError
from blocks.model.declare import AT_START, Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, each, elements, matrix, whole
from blocks.model.derived import Derived
from blocks.model.examples import Example
from blocks.signal import Pose, Signal

_Nodes = Signal("Nodes", ("n", "m", 3), "m", "ned")
_NodeVelocities = Signal("NodeVelocities", ("n", "m", 3), "m/s", "ned")
_SHAPE = (
    "lines", "length", "axial_stiffness", "mass_per_length", "diameter", "weight", "depth", "seabed_stiffness",
    "density", "gravity", "initial_eta", "initial_anchor_eta",
)  # fmt: skip
_PULL = (
    "lines", "length", "axial_stiffness", "mass_per_length", "diameter", "weight", "density", "gravity",
    "damping_ratio", "normal_drag", "tangential_drag",
)  # fmt: skip
_FLOOR = ("depth", "seabed_stiffness", "seabed_damping", "seabed_friction", "friction_speed")

_SOFT: Example = {
    "segments": 4,
    "mass_per_length": [5.0, 4.0],
    "axial_stiffness": 300.0,
    "damping_ratio": 0.4,
    "normal_drag": 0.3,
    "seabed_stiffness": 300.0,
    "seabed_damping": 100.0,
    "friction_speed": 1.0,
}
"""For steps of some 0.05 s."""


class MooringDynamics(MooringLines):
    """Mooring lines of lumped masses: with inertia, drag, current and the floor.

    [m l + ρ V (C_an (I - q qᵀ) + C_at q qᵀ)] r̈ = T_above - T_below + w l e_D + D + B
    T = max(EA max(|Δr|/l - 1, 0) + B_A (d|Δr|/dt)/l, 0) Δr/|Δr|,  B_A = ζ l √(EA m)
    D = ½ ρ l d (C_dn |v_n| v_n + π C_dt |v_t| v_t),  v = v_c - ṙ
    B = -N (e_D + μ v_s/√(|v_s|² + v_0²)),  N = d l max(k_b s + c_b ṡ min(10 s/s_0, 1), 0),  s = z - h > 0

    Each of n lines is cut into N `segments` of length l = L/N, with nodes r between them, north, east, down, m, whose
    ends are anchor and fairlead; q: direction of the line at a node; V = π d² l/4; v_n, v_t: parts of v across and
    along q; v_s: velocity on the floor, m/s; s: how deep a node is in the floor, s_0 = w/(k_b d): how deep it lies
    there, m. m: `mass_per_length`, kg/m; d: `diameter`, m; w: `weight`, N/m; EA: `axial_stiffness`, N; C_an, C_at:
    `normal_added_mass`, `tangential_added_mass`; C_dn, C_dt: `normal_drag`, `tangential_drag`; ζ: `damping_ratio` of a
    segment; h: `depth`, m; k_b: `seabed_stiffness`, Pa/m; c_b: `seabed_damping`, Pa·s/m; μ: `seabed_friction`, v_0:
    `friction_speed`, m/s; ρ: `density`; v_c: `current`, m/s.

    Ports are those of `Mooring`, by which it can be replaced, and the velocities `nu` and `anchor_nu` of ends that
    move count here: segments and drag are damped by them. The pull on the vessel is that of the last segment, its
    half of the weight and of the drag on it included; `tension`: its size. `suspended`: unstretched length of what is
    more than d/10 above the floor, and `nodes`: r. **It starts** at rest, where the segments hang and lie in still
    water with the vessel at `initial_eta`: give it the vessel's `initial_eta`. Friction holds nothing that is at rest.

    **Step.** Tension waves want steps of less than about 2/ω, ω = (2/l) √(EA/m), and nodes on the floor less than
    2 m/(c_b d) and 2 v_0/(μ g): `greatest_step`, s. A solver with steps of its own finds that by itself.

    Bending and twisting, breaking, and the loss of buoyancy above the water's surface are left out.

    Raises ParameterError if a length, stiffness, mass or diameter is not positive, or an anchor is below the floor. A
    run stops if a segment is stretched to 100 times its length, as it is where the step is too long.

    Source: Hall and Goupee (2015), Validation of a lumped-mass mooring line model with DeepCwind semisubmersible model
    test data, Ocean Engineering 104, 590-603; friction by a speed below which it grows, in place of a holding state.
    """

    examples: ClassVar[tuple[Example, ...]] = tuple(one | _SOFT for one in (TWO_LINES, BY_WEIGHT))

    feels_velocity = True

    kernel = "mooring_dynamics"
    sizes = ("n", "m")
    faults = (
        "a mooring line is stretched to 100 times its length, as it is if the step is longer than l √(m/EA) with the "
        "length l of a segment, or too long for nodes on the floor: `greatest_step` in Python",
    )

    nodes = Output(_Nodes, "r of the nodes between the ends, from the anchor on", state="node", nominal=100.0)

    segments = Parameter(20, integer=True, at_least=2, at_most=1000, structural=True, doc="N of each line")
    damping_ratio = Parameter(0.8, shape=("n",), at_least=0.0, doc="ζ of a segment along the line")
    normal_drag = Parameter(1.2, shape=("n",), at_least=0.0, doc="C_dn")
    tangential_drag = Parameter(0.05, shape=("n",), at_least=0.0, doc="C_dt")
    normal_added_mass = Parameter(1.0, shape=("n",), at_least=0.0, doc="C_an")
    tangential_added_mass = Parameter(0.0, shape=("n",), at_least=0.0, doc="C_at")
    seabed_stiffness = Parameter(3e6, unit="Pa/m", above=0.0, doc="k_b, per area of the line seen from above")
    seabed_damping = Parameter(3e5, unit="Pa*s/m", at_least=0.0, doc="c_b")
    friction_speed = Parameter(0.05, unit="m/s", above=0.0, doc="v_0, above which friction is nearly full")
    initial_eta = Parameter(
        0.0, shape=(6,), unit=Pose.unit, labels=Pose.labels, doc="pose of the vessel at the start", fixed=AT_START
    )
    initial_anchor_eta = Parameter(
        0.0, shape=(6,), unit=Pose.unit, labels=Pose.labels, doc="that of what holds the anchors", fixed=AT_START
    )

    node = State(_Nodes, "r", private=True, start=whole(*_SHAPE), nominal=100.0)
    node_velocity = State(_NodeVelocities, "ṙ", private=True, start={})

    part = Derived("l, length of a segment", shape=("n",), unit="m")
    spring = Derived("EA/l", shape=("n",), unit="N/m")
    internal_damping = Derived("B_A/l", shape=("n",), unit="N*s/m")
    across = Derived("inverse of the mass of a node across the line", shape=("n",), unit="1/kg")
    along = Derived("what is to be added to it along the line", shape=("n",), unit="1/kg")
    normal_force = Derived("½ ρ l d C_dn", shape=("n",), unit="kg/m")
    tangential_force = Derived("½ ρ π l d C_dt", shape=("n",), unit="kg/m")
    touching = Derived("10/s_0", shape=("n",), unit="1/m")
    rest = Derived("r at rest", shape=("n", "m", 3), unit="m")
    row = Derived("what finds the rest of one line: see nodes_at_rest.pxd", shape=("m", 7), unit=None)

    def known_sizes(self) -> dict[str, int]:
        """How many nodes are between the ends of a line."""
        return super().known_sizes() | {"m": int(self.segments) - 1}

    def validate(self) -> None:
        """Inertia, too."""
        super().validate()
        for name, what in (("mass_per_length", "`mass` per length, kg/m"), ("diameter", "`diameter`, m")):
            if np.any(self._each(name) <= 0.0):
                i = int(np.argmax(self._each(name) <= 0.0))
                raise ParameterError(
                    f"{self._called()}.lines[{i}] has no {what}, which lines with inertia and drag need; Mooring does "
                    f"without"
                )

    @property
    def greatest_step(self) -> float:
        """About the longest step of a solver with fixed steps, s: by tension waves, and by nodes on the floor."""
        mass = self._each("mass_per_length")
        rates = [2.0 * self.segments / self._each("length") * np.sqrt(self._each("axial_stiffness") / mass)]
        if self.depth < NO_LIMIT:
            rates.append(self.seabed_damping * self._each("diameter") / mass)
            rates.append(self._each("seabed_friction") * self.gravity / self.friction_speed)
        return float(2.0 / np.max(rates))

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """At each end on its own motion, and on the water's."""
        if output == "suspended":
            return ("eta", "anchor_eta")
        if output in ("anchor_disturbance", "anchor_tension"):
            return ("anchor_eta", "anchor_nu", "current")
        return () if output == "nodes" else ("eta", "nu", "current")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """At each end on the node beside it, of the own line where there is a number for each."""
        if output == "nodes":
            return None
        if output == "suspended":
            upright = elements("z phi theta")
            heights = np.kron(np.eye(sizes["n"]), np.tile([0, 0, 1], sizes["m"]))
            found: dict[str, Pattern] = {"node": matrix(heights), "eta": upright, "anchor_eta": upright}
            return found | whole("lines", "depth", "length", "diameter")
        beside = np.zeros(3 * sizes["m"])
        if output in ("anchor_disturbance", "anchor_tension"):
            beside[:3] = 1
        else:
            beside[-3:] = 1
        own = np.kron(np.eye(sizes["n"]), beside)
        pattern = matrix(np.tile(own.sum(axis=0), (6, 1)) if output.endswith("disturbance") else own)
        return {"node": pattern, "node_velocity": pattern} | whole(*self.feedthrough(output), *_PULL)

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Of a node on its neighbours, on the ends beside the first and the last, and on the water."""
        if state == "node":
            return each("node_velocity")
        n, m = sizes["n"], sizes["m"]
        near = np.kron(np.eye(n), np.abs(np.subtract.outer(np.arange(m), np.arange(m))) <= 1)
        neighbours = matrix(np.kron(near, np.ones((3, 3))))
        first, last = ([row == which for _ in range(n) for row in range(m)] for which in (0, m - 1))
        at_anchor, at_fairlead = (matrix(np.kron(np.reshape(rows, (-1, 1)), np.ones((3, 6)))) for rows in (first, last))
        ends = {"eta": at_fairlead, "nu": at_fairlead, "anchor_eta": at_anchor, "anchor_nu": at_anchor}
        moving = {"node": neighbours, "node_velocity": neighbours, **ends}
        return (
            moving
            | whole("current", "normal_added_mass", "tangential_added_mass", *_FLOOR, *_PULL)
            | {"lines": matrix(np.kron(np.reshape(np.logical_or(first, last), (-1, 1)), np.ones((3, 1))))}
        )
