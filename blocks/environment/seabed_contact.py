"""A hull on the floor: grounding, landing, and lying there."""

from __future__ import annotations

import numpy as np

from blocks.block import Block, Sizes
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Pattern, Sources, matrix, whole
from blocks.signal import BodyVelocity, Forces, Length, Pose, Signal, Wrench

_Shears = Signal("Shears", ("n", 3), "m", "ned")
_HOLD = ("friction", "shear_stiffness", "shear_time")
_PUSH = ("points", "depth", "slope", "stiffness", "damping")


class SeabedContact(Block):
    """The floor under a hull: it pushes, brakes and holds points of the hull that touch it.

    s = (z - h + r + g·(x, y)) / √(1 + |g|²),  N = k s max(1 + c ṡ, 0)  where s > 0
    F_t = -k_t (e + τ v_t),  no more than μ N
    ė = v_t - β e max(e·v_t, 0)/|e|² - max(1 - μ N/(k_t |e|), 0) e/τ,  on the floor;  ė = -e/τ above it

    (x, y, z): place of each of n `points`, which are given in body axes, m; s: how deep it is in the floor, m; h:
    `depth` of the floor at north = east = 0, m; r: `rise`, by how much it is higher, m; g: `slope`, its rise per metre
    to north and to east; k: `stiffness`, N/m; c: `damping`, s/m; v_t: velocity of the point along the floor, m/s; e:
    how far the ground there is sheared, north, east, down, m; k_t: `shear_stiffness`, N/m; τ: `shear_time`, s; μ:
    `friction`. β goes from 0 at k_t|e| = 0.8 μN to 1 at μN, and is never less than the part of F_t that μN takes away.
    `normal_force`: N, n, N; `clearance`: -s of the deepest point, that under the keel, m; `disturbance`: all of it on
    the hull about its origin, in body axes, N and N·m, 6.

    **Never pulls**: N ≥ 0, and a bounce loses energy: of a slow impact at v about the part c v of its velocity is lost,
    1 - e = c v·2/3 with the coefficient of restitution e. **Holds**: below 0.8 μN the ground is elastic, so that a hull
    stays for good where gravity and current do not overcome friction, on a slope below atan μ, and slides
    beyond, against its velocity. What the contact gives back is never more than what went into it.

    A ship has points along its keel and at its bilges, a vehicle its skids. Steps have to follow k with the mass on it:
    h < √(m/k), say.

    Raises ParameterError if a stiffness or the friction is out of range, or if `points` are not n×3.

    Sources: Hunt and Crossley (1975), Coefficient of restitution interpreted as damping in vibroimpact, Journal of
    Applied Mechanics 42, 440-445 (N, with exponent 1); Dupont, Hayward, Armstrong and Altpeter (2002), Single state
    elastoplastic friction models, IEEE Transactions on Automatic Control 47(5), 787-792 (e, here along a plane).
    """

    examples = (
        {
            "points": [[1.0, 0.3, 0.2], [1.0, -0.3, 0.2], [-1.0, 0.0, 0.25]],
            "depth": 0.4,
            "slope": [0.1, -0.2],
            "stiffness": 50.0,
            "damping": 0.8,
            "shear_stiffness": 40.0,
        },
    )

    kernel = "seabed_contact"
    sizes = ("n",)

    eta = Input(Pose, "η, pose of the vessel")
    nu = Input(BodyVelocity, "ν, velocity of the vessel over ground")
    rise = Input(Length, "r, how much higher the floor is than `depth` and `slope` say, such as a bank", default=0.0)

    disturbance = Output(Wrench, "what the floor does to the hull about the body origin", nominal=1e3)
    normal_force = Output(Forces, "N at each point", nominal=1e3)
    clearance = Output(Length, "water under the lowest point; negative where it is in the floor")

    points = Parameter(
        shape=("n", 3), unit="m", frame="body", labels=("x", "y", "z"), doc="of the hull, from the body origin"
    )
    depth = Parameter(unit="m", doc="h, below the datum of η")
    slope = Parameter(0.0, shape=(2,), labels=("north", "east"), doc="g, rise of the floor per metre")
    stiffness = Parameter(1e5, shape=("n",), unit="N/m", above=0.0, doc="k of each point")
    damping = Parameter(3.0, shape=("n",), unit="s/m", at_least=0.0, doc="c of each point")
    friction = Parameter(0.4, shape=("n",), at_least=0.0, doc="μ")
    shear_stiffness = Parameter(1e5, shape=("n",), unit="N/m", above=0.0, doc="k_t")
    shear_time = Parameter(0.1, unit="s", above=0.0, doc="τ, damping of the ground over its stiffness")

    shear = State(_Shears, "e", private=True, nominal=0.01)

    def validate(self) -> None:
        """Points, not one number."""
        if np.ndim(self.points) != 2:
            raise ParameterError(
                f"{self._called()}.points must be an array of n×3, a row per point of the hull, not the single number "
                f"{self.points:g}"
            )

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Clearance does not depend on the velocity."""
        return ("eta", "rise") if output == "clearance" else ("eta", "nu", "rise")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """On the place of the floor, and what holds along it."""
        if output == "clearance":
            return whole("eta", "rise", "points", "depth", "slope")
        where = whole("eta", "nu", "rise", *_PUSH)
        return where if output == "normal_force" else where | whole("shear", *_HOLD)

    def state_sources(self, state: str, sizes: Sizes) -> Sources:
        """Each point by itself."""
        own: dict[str, Pattern] = {"shear": matrix(np.kron(np.eye(sizes["n"]), np.ones((3, 3))))}
        return whole("eta", "nu", "rise", *_PUSH, *_HOLD) | own
