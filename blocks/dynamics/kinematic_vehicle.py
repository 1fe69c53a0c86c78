"""A vehicle without hydrodynamics."""

from __future__ import annotations

from blocks.block import Sizes
from blocks.dynamics.vessel import Vessel
from blocks.dynamics.vessel_6dof import EULER_RATES
from blocks.model.declare import Parameter, State
from blocks.model.dependence import Sources, between, each, rows, whole
from blocks.signal import BodyVelocity, Pose

_MOBILITY = ("m/(N*s)",) * 3 + ("rad/(N*m*s)",) * 3


class KinematicVehicle(Vessel):
    """A vehicle that does as it is told: the wrench is a commanded velocity, which it takes on with a short lag.

    T ν̇_r + ν_r = b ∘ (τ + τ_d),  ν = ν_r + (Rᵀ v_c, 0),  ṗ = R v,  Euler angles as in `Vessel6DOF`

    ν: `nu`, m/s and rad/s, 6; ν_r: `nu_r`, through the water; τ: `force`, τ_d: `disturbance`, N and N·m, 6; b:
    `mobility`, velocity per force, 6; T: `response_time`, s; v_c: the steady `current`, m/s; ∘: element by element.

    For work on guidance that wants no hydrodynamics. As all vessels it takes a `force`; b makes a velocity of it, which
    is the steady velocity of a vessel whose linear damping is 1/b, so a controller that suits that vessel suits this
    one. To command velocities themselves, leave b at 1 and wire them to `force`. Motions whose b is 0 stay at rest in
    the water: by default roll and pitch. The lag keeps loops through a controller from being algebraic.

    f_d = ν_r / b, where b is not 0, is what the steady motion takes; `coriolis_force` and `restoring_force` are 0.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 2 (kinematics).
    """

    examples = ({"mobility": [0.5, 0.4, 0.3, 0.05, 0.04, 0.2], "response_time": 0.3},)

    kernel = "kinematic_vehicle"
    faults = ("the pitch angle has reached ±90°, where Euler angles have no rates",)

    mobility = Parameter(
        (1.0, 1.0, 1.0, 0.0, 0.0, 1.0),
        shape=(6,),
        unit=_MOBILITY,
        at_least=0.0,
        labels=BodyVelocity.labels,
        doc="b, steady velocity per force or moment",
    )
    response_time = Parameter(0.1, unit="s", above=0.0, doc="T")

    eta_state = State(Pose, "η", depends=EULER_RATES, name="eta")
    nu_state = State(BodyVelocity, "ν", name="nu")

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """The Coriolis force is 0."""
        return () if output == "coriolis_force" else super().feedthrough(output)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Each motion has its own command; a current is turned by the attitude, and so is its rate of change."""
        if output in ("coriolis_force", "restoring_force"):
            return {}
        if output == "nu_r":
            tilted = {"eta": between({"u": "theta psi", "v w": "phi theta psi"})}
            return {"current": rows("u v w")} | each("nu") | tilted
        if output == "damping_force":
            tilted = {"eta": between({"X": "theta psi", "Y Z": "phi theta psi"})}
            return {"current": rows("X Y Z")} | each("nu", "mobility") | tilted
        if output == "acceleration":
            return self._acceleration_sources("u_dot v_dot w_dot p_dot q_dot r_dot")
        return super().output_sources(output, sizes)

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The derivative of ν is the acceleration."""
        return self._acceleration_sources("u v w p q r") if state == "nu" else super().state_sources(state, sizes)

    def _acceleration_sources(self, motions: str) -> Sources:
        u, v, w, p, q, r = motions.split()
        moving = {u: "u q r", v: "v p r", w: "w p q", p: "p", q: "q", r: "r"}
        linear = f"{u} {v} {w}"
        return (
            {"nu": between(moving), "current": rows(linear), "eta": between({linear: "phi theta psi"})}
            | each("force", "disturbance")
            | whole("mobility", "response_time")
        )
