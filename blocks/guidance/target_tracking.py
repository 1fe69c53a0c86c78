"""Guidance to a target that moves."""

from __future__ import annotations

from blocks.block import Block, Sizes
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Sources, elements, whole
from blocks.signal import Angle, Length, Pose, Position, Speed, Velocity

_OWN = {"eta": elements("x y"), "target": elements("x y")} | whole("offset", "approach_speed", "approach_distance")


class TargetTracking(Block):
    """Guidance to a target that moves: constant bearing, or pure pursuit.

    v_d = v_t - U p̃/√(|p̃|² + Δ²)  "constant_bearing";  v_d = -U p̃/√(|p̃|² + Δ²)  "pure_pursuit"
    p̃ = p - (p_t + o), over the water;  ψ_d = atan2 of v_d, ψ where |v_d| ≤ 10⁻⁶ U;  u_d = |v_d|;  z_d = z_t + o_z

    p, ψ: position, m, and heading, rad, of `eta`; p_t: `target`, north, east, down, m; v_t: `target_velocity`, north,
    east, down, m/s; o: `offset`, m, the place beside the target that is aimed at; U: `approach_speed`, m/s, the
    greatest at which the target is approached; Δ: `approach_distance`, m: nearer than this the approach slows down;
    v_d: the velocity over ground that is wanted, m/s; ψ_d: `heading`, its course, rad; u_d: `speed`, m/s; z_d: `depth`,
    m; `distance`: |p̃|, m.

    With constant bearing the target stays where it is seen, and the vessel meets it: speed and course of the target are
    its own from then on. Pure pursuit aims at where the target is, and stays behind one that moves, by the distance at
    which |v_d| is its speed; it needs no velocity of the target. Next to a target at rest the course that is wanted
    turns about quickly: to stay there, go over to `StationKeeping` or `control.DynamicPositioning`.

    Raises ParameterError if the speed is negative or the distance is not positive.

    Source: Breivik and Fossen (2008), Guidance laws for planar motion control, 47th IEEE CDC (both laws); Fossen
    (2011), Handbook of Marine Craft Hydrodynamics and Motion Control, sec. 10.1 (target tracking).
    """

    examples = (
        {"approach_speed": 1.5, "approach_distance": 3.0, "offset": [1.0, -2.0, 0.5]},
        {"approach_speed": 1.5, "approach_distance": 3.0, "law": "pure_pursuit"},
        {"approach_speed": 10000000.0, "approach_distance": 1000000000.0},
        {"approach_speed": 0.0, "approach_distance": 3.0, "law": "pure_pursuit"},
    )

    kernel = "target_tracking"

    eta = Input(Pose, "position and attitude of the vehicle")
    target = Input(Position, "p_t, where the target is")
    target_velocity = Input(Velocity, "v_t, of the target over ground", default=0.0)

    heading = Output(Angle, "course ψ_d that is wanted")
    speed = Output(Speed, "desired speed over ground u_d")
    depth = Output(
        Length, "desired depth z_d", feedthrough=("target",), depends={"target": elements("z")} | whole("offset")
    )
    distance = Output(
        Length, "to the place that is aimed at, |p̃|", feedthrough=("eta", "target"),
        depends={"eta": elements("x y"), "target": elements("x y")} | whole("offset"),
    )  # fmt: skip

    law = Parameter(
        "constant_bearing", choices=("constant_bearing", "pure_pursuit"), structural=True,
        doc="meet the target, or follow it",
    )  # fmt: skip
    offset = Parameter(
        0.0,
        shape=(3,),
        unit="m",
        frame="ned",
        labels=("x", "y", "z"),
        doc="from the target to the place that is aimed at, o",
    )
    approach_speed = Parameter(unit="m/s", at_least=0.0, doc="greatest speed of approach U")
    approach_distance = Parameter(10.0, unit="m", above=0.0, doc="Δ, nearer than which the approach slows down")

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """In pure pursuit the target's velocity does not count."""
        if output in ("depth", "distance"):
            return ("target",) if output == "depth" else ("eta", "target")
        own = ("eta", "target")
        return (*own, "target_velocity") if self.law == "constant_bearing" else own

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """What the velocity that is wanted follows from."""
        if output in ("depth", "distance"):
            return super().output_sources(output, sizes)
        found = dict(_OWN)
        if output == "heading":  # where there is no course the own heading is kept
            found["eta"] = elements("x y psi")
        if self.law == "constant_bearing":
            found |= {"target_velocity": elements("north east")}
        return found
