"""The vessel in six degrees of freedom, and the one with a damping matrix per velocity."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from blocks.block import Sizes
from blocks.dynamics.conditions import (
    by_euler_angles,
    by_quaternion,
    has_no_derivatives,
    has_no_fading,
    has_no_stiffness,
    integrates_pose,
    takes_pose,
)
from blocks.dynamics.cross_flow import STRIPS, incomplete_cross_flow, strip_parameter
from blocks.dynamics.inertia import MOTIONS, check_inertia
from blocks.dynamics.products_of_velocities import VelocityProducts, unit_per_product
from blocks.dynamics.vessel import Vessel
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.declare import Input, Parameter, State
from blocks.model.dependence import Pattern, Sources, between, each, elements, rows, same, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.problems import Problem
from blocks.signal import BodyVelocity, Pose, Position, Quaternion
from blocks.units import INERTIA, LINEAR_DAMPING, QUADRATIC_DAMPING, STIFFNESS

_MOTION = (
    "force", "disturbance", "current", "nu", "rigid_body_inertia", "added_mass", "weight", "buoyancy",
    "centre_of_gravity", "centre_of_buoyancy", "coriolis",
)  # fmt: skip
"""What the acceleration depends on besides the attitude; every motion on all of it, as M⁻¹ has no zeros in general."""

_UNITS = tuple(unit_per_product(row, i, column) for i in range(6) for row in range(6) for column in range(6))

EULER_RATES: Sources = {
    "nu": between({"x y z": "u v w", "phi": "p q r", "theta psi": "q r"}),
    "eta": between({"x y": "phi theta psi", "z phi theta psi": "phi theta"}),
}
"""dη/dt. That of θ is q cos φ - r sin φ, which the kernel computes as a quotient with cos θ in it."""


class RigidBody6DOF(Vessel, abstract=True):
    """What the 6-DOF vessels have in common, whatever their damping."""

    sizes: ClassVar[tuple[str, ...]] = ("stiffness_terms", STRIPS)
    faults = (
        "rigid_body_inertia + added_mass is singular: every motion needs a positive inertia",
        "the pitch angle has reached ±90°, where Euler angles have no rates: hold pitch by a controller, or go slower "
        "(`keelblocks lab design` names the mode that grew); if it is meant to pitch so far, use "
        'attitude="quaternion"',
    )

    rigid_body_inertia = Parameter(shape=(6, 6), unit=INERTIA, doc="M_RB about the body origin")
    added_mass = Parameter(0.0, shape=(6, 6), unit=INERTIA, doc="M_A, positive: -X_udot and so on")
    linear_damping = Parameter(
        0.0, shape=(6, 6), unit=LINEAR_DAMPING, usually_at_least=0.0, doc="D_l, positive: -X_u and so on"
    )
    quadratic_damping = Parameter(
        0.0, shape=(6, 6), unit=QUADRATIC_DAMPING, usually_at_least=0.0, doc="D_q, positive: -X_|u|u and so on"
    )
    weight = Parameter(0.0, unit="N", at_least=0.0, doc="W = m g")
    buoyancy = Parameter(0.0, unit="N", at_least=0.0, doc="B = ρ ∇ g")
    centre_of_gravity = Parameter(0.0, shape=(3,), unit="m", frame="body", labels=("x", "y", "z"), doc="r_g")
    centre_of_buoyancy = Parameter(0.0, shape=(3,), unit="m", frame="body", labels=("x", "y", "z"), doc="r_b")
    coriolis = Parameter(True, doc="Coriolis and centripetal forces f_c")
    attitude = Parameter(
        "euler",
        choices=("euler", "quaternion"),
        structural=integrates_pose,
        doc="how the attitude is held as a state",
    )
    stiffness = Parameter(
        0.0,
        shape=(6, 6),
        unit=STIFFNESS,
        structural=has_no_stiffness,
        doc="G, positive for a body that returns to its equilibrium",
    )
    equilibrium = Parameter(
        0.0, shape=(6,), unit=Pose.unit, frame="ned", labels=Pose.labels, doc="η_0, where G has no force"
    )
    integrate_pose = Parameter(True, structural=True, doc="false: position and attitude are the input pose")
    cross_flow_length = Parameter(0.0, unit="m", at_least=0.0, doc="L of the strips; 0: no cross-flow drag")
    cross_flow_middle = Parameter(0.0, unit="m", frame="body", doc="x_m, of their middle")
    cross_flow_draught = strip_parameter("T, of the hull or of each strip from aft to fore", unit="m", default=0.0)
    cross_flow_sway_coefficient = strip_parameter("C_y, of T L", default=0.0)
    cross_flow_breadth = strip_parameter("B, likewise", unit="m", default=0.0)
    cross_flow_heave_coefficient = strip_parameter("C_z, of B L", default=0.0)
    cross_flow_density = Parameter(1025.0, unit="kg/m^3", above=0.0, doc="density of the water ρ")

    pose = Input(
        Pose,
        "η if it is not integrated: position and attitude, as they are measured or prescribed",
        when=takes_pose,
    )

    eta_state = State(Pose, "η", when=by_euler_angles, depends=EULER_RATES, name="eta")
    position = State(
        Position,
        "of the body origin",
        private=True,
        when=by_quaternion,
        depends={"nu": elements("u v w")} | whole("quaternion"),
        start=whole("initial_eta"),
    )
    quaternion = State(
        Quaternion,
        "attitude, scalar first",
        initial=(1.0, 0.0, 0.0, 0.0),
        private=True,
        when=by_quaternion,
        depends={"nu": elements("p q r")} | whole("quaternion"),
        start=whole("initial_eta"),
    )
    nu_state = State(BodyVelocity, "ν", start=each("initial_nu"), name="nu")

    inverse_mass = Derived("M⁻¹, column by column", shape=(6, 6), unit=None)
    rigid_body_columns = Derived("M_RB, column by column", shape=(6, 6), unit=INERTIA)
    added_columns = Derived("M_A, column by column", shape=(6, 6), unit=INERTIA)
    linear_columns = Derived("D_l, column by column", shape=(6, 6), unit=LINEAR_DAMPING)
    quadratic_columns = Derived("D_q, column by column", shape=(6, 6), unit=QUADRATIC_DAMPING)
    net_weight = Derived("W - B", unit="N")
    moment_arm = Derived("W r_g - B r_b", shape=(3,), unit="N*m")
    mass_matrix = CalculatedParameter(
        shape=(6, 6), unit=INERTIA, doc="M = M_RB + M_A", depends=("rigid_body_inertia", "added_mass")
    )
    with_coriolis = Derived("1: with Coriolis forces, 0: without")
    with_stiffness = Derived("1: with a stiffness, 0: without")
    stiffness_columns = Derived("G, column by column", shape=(6, 6), unit=STIFFNESS)
    rest = Derived("η_0", shape=(6,), unit=Pose.unit)
    with_damping_matrices = Derived("0: without, 1: with six damping matrices, 3: with H, 5: with κ, 7: with all")


class Vessel6DOF(RigidBody6DOF):
    """A rigid body in water, in six degrees of freedom.

    M ν̇ + f_c + f_d + f_h = τ + τ_d,  M = M_RB + M_A
    f_c = C_RB(ν) ν + C_A(ν_r) ν_r - M_A ν̇_c
    f_d = D_l ν_r + D_q (|ν_r| ∘ ν_r) + f_x
    f_h = -((W - B) k, (W r_g - B r_b) × k) + G e,  k = Rᵀ (0, 0, 1)
    e = (R_z(ψ)ᵀ (x - x_0, y - y_0), z - z_0, φ - φ_0, θ - θ_0, ψ - ψ_0)
    ν_r = ν - ν_c,  ν_c = (Rᵀ v_c, 0),  ν̇_c = (-ω × Rᵀ v_c, 0)
    ṗ = R v, and the attitude as below

    ν = (v, ω) = (u, v, w, p, q, r): `nu`, m/s and rad/s, 6; η = (p, φ, θ, ψ): `eta`, m and rad, 6; M_RB:
    `rigid_body_inertia`, M_A: `added_mass`, D_l: `linear_damping`, D_q: `quadratic_damping`, each a full 6×6 matrix
    about the body origin, positive for a body that has mass and is slowed down; ∘: element by element; W: `weight`,
    B: `buoyancy`, N; r_g: `centre_of_gravity`, r_b: `centre_of_buoyancy`, m, 3; G: `stiffness`, 6×6, about η_0 =
    (x_0, …, ψ_0): `equilibrium`, m and rad, 6; v_c: `current`, m/s, north, east, down, 3; R: rotation from body axes
    to NED, R_z(ψ): about the vertical alone.

    **Tiers.** `Vessel6DOF.simple(…)` leaves the Coriolis forces out, `Vessel6DOF.intermediate(…)` has them, and
    `Vessel6DOF.complex(damping_matrices=…)` has them and a damping (Σᵢ |ν_rᵢ| D_i) ν_r: a `ComplexVessel6DOF`.

    **Coriolis.** C(ν) is made from any 6×6 matrix M by C = [0, -S(a); -S(a), -S(b)], (a, b) = M ν, S the cross-product
    matrix. It is skew-symmetric, so f_c does no work. With `coriolis=False` all of f_c is left out, as simple models
    do.

    **Current.** Steady and irrotational; it is turned by the full attitude. As seen from a body that turns it does
    change, which is the last term of f_c: a body that drifts with the water goes straight while it turns.

    **Cross-flow drag.** f_x is that of `CrossFlowDrag` with the sign turned, by the same strips: L:
    `cross_flow_length`, x_m: `cross_flow_middle`, m; T: `cross_flow_draught`, B: `cross_flow_breadth`, m, C_y:
    `cross_flow_sway_coefficient`, C_z: `cross_flow_heave_coefficient`, each one number or one for each strip from aft
    to fore; ρ: `cross_flow_density`, kg/m³. Without a length there is none, and it costs nothing. What D_q has in sway,
    heave, pitch and yaw comes on top of it.

    **Stiffness.** G is linear, for small φ - φ_0 and θ - θ_0; it acts in coordinates that turn with the heading, so a
    floating body may go anywhere, and one that is moored is pulled back to where it was. It adds to weight and
    buoyancy and must not count anything twice: either W = B = 0 and G has it all, the metacentric terms
    ρ g ∇ GM included; or W = B with r_g and r_b, right for large angles, and G has the water plane's terms alone.
    Without a stiffness it costs nothing.

    **Attitude.** `attitude="euler"` has the states `eta` and `nu` and stops at a pitch of ±90°, where zyx Euler angles
    have no rates. `attitude="quaternion"` has the states `position`, `quaternion` (scalar first) and `nu` and no such
    place; then φ and ψ of `eta` lie within ±π. Both start from `initial_eta` and `initial_nu`. The quaternion is
    divided by its norm where it is used, so its norm has no influence on the motion, and the norm is drawn back to
    one with a time constant of 1 s, slow enough for any solver. With `integrate_pose=False` position and attitude come
    in by the input `pose` (6, as η), `eta` passes them on, and only velocities are integrated: for a pose that is
    measured or prescribed. Then `attitude` and `initial_eta` have no meaning.

    Raises ParameterError if M is singular or not positive definite.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 2 (kinematics), 3
    (rigid body, Theorem 3.2 for C), 4 (restoring forces), 6 and 10.3 (added mass, damping and current; cross-flow drag:
    sec. 6.4); vessel-parallel coordinates: 1st ed. (2011), sec. 7.5.
    """

    kernels = ("vessel_6dof_euler", "vessel_6dof_quaternion", "vessel_6dof_velocity")
    examples = variants(
        {
            "rigid_body_inertia": np.diag([20.0, 20.0, 20.0, 3.0, 4.0, 5.0]),
            "added_mass": np.diag([5.0, 15.0, 20.0, 1.0, 2.0, 3.0]),
            "linear_damping": np.diag([10.0, 20.0, 30.0, 4.0, 5.0, 6.0]),
            "weight": 196.0,
            "buoyancy": 198.0,
            "centre_of_gravity": [0.0, 0.0, 0.05],
            "initial_nu": [0.4, 0.1, -0.1, 0.02, 0.01, 0.05],
        },
        {"attitude": "quaternion"},
        {"coriolis": False},
        {"stiffness": np.diag([3.0, 2.0, 50.0, 4.0, 5.0, 1.0]), "equilibrium": [0.3, 0.2, 0.1, 0.02, 0.01, 0.1]},
        {"stiffness": np.diag([3.0, 2.0, 50.0, 4.0, 5.0, 1.0]), "attitude": "quaternion"},
        {"integrate_pose": False},
        {"integrate_pose": False, "stiffness": np.diag([3.0, 2.0, 50.0, 4.0, 5.0, 1.0])},
        {"cross_flow_length": 1.5, "cross_flow_draught": [0.1, 0.3], "cross_flow_sway_coefficient": 0.9,
         "cross_flow_breadth": 0.4, "cross_flow_heave_coefficient": [1.1, 1.2], "cross_flow_middle": 0.1},
    )  # fmt: skip

    model: ClassVar[str] = "vessel_6dof"
    damping_parameters: ClassVar[tuple[str, ...]] = ("linear_damping", "quadratic_damping")
    cross_flow_planes: ClassVar[tuple[tuple[str, str], ...]] = (
        ("draught", "sway_coefficient"), ("breadth", "heave_coefficient"),
    )  # fmt: skip

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """One for each way to hold the attitude."""
        return f"{self.model}_{self.attitude if self.integrate_pose else 'velocity'}"

    def known_sizes(self) -> dict[str, int]:
        """Whether there is a stiffness; one strip where no list is given."""
        return {STRIPS: 1} | super().known_sizes() | {"stiffness_terms": int(np.any(self.stiffness))}

    def resizable_sizes(self) -> dict[str, list[str]]:
        """None: strips are what a hull is divided into."""
        return {}

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """A pose from outside counts wherever a pose does."""
        found = super().feedthrough(output)
        within = self.integrate_pose or output in ("nu", "acceleration")
        return found if within else (*found, "pose")

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """The attitude counts where a current or the weight is turned into body axes."""
        by_quaternion = self.integrate_pose and self.attitude == "quaternion"
        pose = "eta" if self.integrate_pose else "pose"
        turned = whole("quaternion") if by_quaternion else {pose: elements("phi theta psi")}
        held = whole("position", "quaternion") if by_quaternion else whole(pose)
        springs = held | whole("stiffness", "equilibrium") if np.any(self.stiffness) else {}
        if output == "eta":
            return {"position": same("x y z"), "quaternion": rows("phi theta psi")} if by_quaternion else each(pose)
        if output == "nu_r":
            relative = {"current": rows("u v w")} | each("nu")
            if by_quaternion:
                return relative | {"quaternion": rows("u v w")}
            return relative | {pose: between({"u": "theta psi", "v w": "phi theta psi"})}
        if output == "restoring_force":
            moments = {"centre_of_gravity": rows("K M N"), "centre_of_buoyancy": rows("K M N")}
            down = whole("quaternion") if by_quaternion else {pose: between({"X": "theta", "Y Z K M N": "phi theta"})}
            return down | moments | whole("weight", "buoyancy") | springs
        crossing = self._cross_flow_sources(output)
        if output == "damping_force":
            return turned | whole("current", "nu", *self.damping_parameters) | crossing
        if output == "coriolis_force":
            return turned | whole("current", "nu", "rigid_body_inertia", "added_mass", "coriolis")
        return turned | whole(*_MOTION, *self.damping_parameters) | springs | crossing  # the acceleration

    def _cross_flow_sources(self, output: str) -> dict[str, Pattern]:
        """What cross-flow drag depends on, of the damping force; every acceleration on all of it."""
        sway, heave = (tuple(f"cross_flow_{name}" for name in plane) for plane in self.cross_flow_planes)
        both = tuple(f"cross_flow_{name}" for name in ("length", "middle", "density"))
        if output != "damping_force":
            return whole(*sway, *heave, *both)
        return (
            dict.fromkeys(sway, rows("Y N")) | dict.fromkeys(heave, rows("Z M")) | dict.fromkeys(both, rows("Y Z M N"))
        )

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The derivative of ν is the acceleration; those of position and attitude are as declared."""
        return self.output_sources("acceleration", sizes) if state == "nu" else super().state_sources(state, sizes)

    def validate(self) -> None:
        """M has to be positive definite."""
        mass = np.asarray(self.rigid_body_inertia) + np.asarray(self.added_mass)
        check_inertia(mass, f"{self._called()}.rigid_body_inertia + added_mass", MOTIONS)

    def improbable(self) -> Iterator[Problem]:
        """Half of what cross-flow drag takes."""
        yield from super().improbable()
        yield from incomplete_cross_flow(self, self.cross_flow_planes)

    @staticmethod
    def simple(**parameters: Any) -> Vessel6DOF:
        """Linear and quadratic damping, and no Coriolis forces: M ν̇ + D_l ν_r + D_q (|ν_r| ∘ ν_r) + f_h = τ + τ_d."""
        return Vessel6DOF(**_tier("simple", False, parameters))

    @staticmethod
    def intermediate(**parameters: Any) -> Vessel6DOF:
        """The same with Coriolis forces: M ν̇ + f_c + D_l ν_r + D_q (|ν_r| ∘ ν_r) + f_h = τ + τ_d."""
        return Vessel6DOF(**_tier("intermediate", True, parameters))

    @staticmethod
    def complex(damping_matrices: ArrayLike, **parameters: Any) -> ComplexVessel6DOF:
        """Coriolis forces and six damping matrices: M ν̇ + f_c + (Σᵢ |ν_rᵢ| D_i) ν_r + f_h = τ + τ_d.

        damping_matrices: D_1 … D_6, 6×6×6, as in `ComplexVessel6DOF`.
        """
        return ComplexVessel6DOF(**_tier("complex", True, parameters | {"damping_matrices": damping_matrices}))


class ComplexVessel6DOF(Vessel6DOF):
    """A `Vessel6DOF` whose damping has a matrix of its own for each velocity, and lift by hydrodynamic derivatives.

    f_d = (D_l E + Σᵢ |ν_rᵢ| D_i) ν_r + D_q (|ν_r| ∘ ν_r) - H (u_r², u_r v_r, u_r w_r, …, r²) + f_x,  i = 1 … 6
    E = diag(exp(-κ_i U)),  U = √(u_r² + v_r² + w_r²)

    D_i: `damping_matrices`, 6×6×6, the first index is i; ν_r: `nu_r`, m/s and rad/s, 6; D_l: `linear_damping`, D_q:
    `quadratic_damping`, 6×6, both 0 in the model as published; H: `derivatives`, 6×21; κ: `linear_fading`, s/m, 6. So
    every force may hang on the product of any two velocities, as sway force does on |v| r. D_q alone is the case that
    column i of D_i is column i of D_q, and the rest 0; it is added there before the run and costs nothing. Everything
    else is as in `Vessel6DOF`.

    **Derivatives** are for lift and cross-coupling, which turn their sign with either velocity, as polynomials of
    underwater vehicles have them: Y = Y_uv u_r v_r + …, with the signs of the sources, as they stand beside τ. They are
    given by name, `{Y_uv: -28.6, N_ur: -3.93}`, in SI; one of a prime system is multiplied by ½ ρ L² for two linear
    velocities, by L more for each angular one, and by L for a moment. f_c has the products that come with M_A, so these
    are taken off derivatives that contain them: off Z_uq of a body without cross terms in M_A the -X_u̇ in them, and so
    on. `derivatives_of_coriolis(added_mass)` of `blocks.dynamics` says which.

    **Fading.** Linear damping of a hull that sails is less than that at rest; κ takes it away with speed, 3 s/m in
    the models of Fossen, where D_q or a polynomial holds at speed.

    Raises ParameterError as `Vessel6DOF` does, and at a derivative that there is not.

    Source: uwv_dynamic_model (Rock robotics), its model COMPLEX, after McFarland and Whitcomb (2013), Comparative
    experimental evaluation of a new adaptive identifier for underwater vehicles, IEEE ICRA. Healey and Lienard (1993),
    Multivariable sliding-mode control for autonomous diving and steering of unmanned underwater vehicles, IEEE Journal
    of Oceanic Engineering 18(3), 327-339 (H). Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control,
    2nd ed., for the rest.
    """

    sizes = (*Vessel6DOF.sizes, "derivative_terms", "fading_terms")

    kernels = ("vessel_6dof_complex_euler", "vessel_6dof_complex_quaternion", "vessel_6dof_complex_velocity")
    examples = variants(
        Vessel6DOF.examples[0]
        | {"damping_matrices": [(0.5 + 0.1 * i) * np.diag([8.0, 9.0, 10.0, 2.0, 3.0, 4.0]) for i in range(6)]},
        {"attitude": "quaternion", "stiffness": np.diag([3.0, 2.0, 50.0, 4.0, 5.0, 1.0])},
        {"integrate_pose": False},
        {"derivatives": {"X_vr": 3.0, "Y_uv": -9.0, "Y_wp": -2.0, "Z_uw": -8.0, "M_uw": 2.5, "N_uv": -1.5, "N_ur": -4}},
        {"linear_fading": [3.0, 3.0, 2.0, 0.0, 0.0, 1.0]},
        {"cross_flow_length": 1.5, "cross_flow_draught": 0.3, "cross_flow_sway_coefficient": 0.9},
    )

    model = "vessel_6dof_complex"
    damping_parameters = ("linear_damping", "quadratic_damping", "damping_matrices", "derivatives", "linear_fading")

    damping_matrices = Parameter(
        0.0, shape=(6, 6, 6), unit=_UNITS, usually_at_least=0.0, doc="D_1 … D_6, of |u|, |v|, |w|, |p|, |q|, |r|"
    )
    derivatives = VelocityProducts(has_no_derivatives)
    linear_fading = Parameter(
        0.0,
        shape=(6,),
        unit="s/m",
        at_least=0.0,
        structural=has_no_fading,
        labels=BodyVelocity.labels,
        doc="κ, by which each column of D_l fades with speed",
    )
    damping_columns = Derived(
        "D_1 … D_6, each column by column, with column i of D_q added to column i of D_i; -H, column by column; κ",
        shape=(58, 6),
        unit=None,
    )

    def known_sizes(self) -> dict[str, int]:
        """Whether there are derivatives, and damping that fades."""
        own = {"derivative_terms": int(np.any(self.derivatives)), "fading_terms": int(np.any(self.linear_fading))}
        return super().known_sizes() | own


def _tier(name: str, coriolis: bool, parameters: Mapping[str, Any]) -> dict[str, Any]:
    """The parameters with `coriolis`, which is what the tier decides. Raises ParameterError if it is given."""
    if "coriolis" in parameters:
        raise ParameterError(
            f"Vessel6DOF.{name} is the model {'with' if coriolis else 'without'} Coriolis forces: leave coriolis out, "
            f"or make a Vessel6DOF(coriolis=…)"
        )
    return {**parameters, "coriolis": coriolis}
