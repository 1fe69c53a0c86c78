"""Dynamic positioning."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from blocks.basic.common import NO_LIMIT, check_limits
from blocks.block import Block, Sizes
from blocks.control.operating_point import OperatingPoint
from blocks.control.pole_placement import Poles, who
from blocks.dynamics.inertia import MOTIONS
from blocks.errors import ParameterError
from blocks.model.declare import Input, Output, Parameter, State
from blocks.model.dependence import Sources, between, rows, whole
from blocks.model.derived import Derived
from blocks.model.examples import variants
from blocks.signal import BodyAcceleration, BodyVelocity, Pose, Signal, Wrench

PoseError = Signal("PoseError", (6,), Pose.unit, "body", ("surge", "sway", "heave", "roll", "pitch", "yaw"))
NedWrench = Signal("NedWrench", (6,), Wrench.unit, "ned", Wrench.labels)

_GAINS = ("kp", "kd", "mass_matrix", "damping")
_PLANAR = [0, 1, 5]

_MATRICES = ("kp", "ki", "kd", "mass_matrix", "damping")


class DynamicPositioning(Block):
    """Dynamic positioning: nonlinear PID of position and attitude in body axes, for all axes together.

    v = K_p e + K_d (ν_d - ν) + Jᵀ z + M ν̇_d + D ν_d,  τ = v within [lower, upper], each axis on its own
    ż = J (K_i e + K_t (τ - v)),  0 in rows of K_i that are 0
    e = J_Θ⁻¹ (η_d - η), angles the short way round, in [-π, π)

    η_d: `pose`, η: `eta`, m and rad, 6; ν: `nu`, m/s and rad/s, 6; ν_d: `velocity`, ν̇_d: `acceleration`, in body axes,
    6, which a reference gives, 0 unless connected; τ: `force`, N and N·m, 6; e: `error`, 6; K_p, K_i, K_d: `kp`, `ki`,
    `kd`, n×n; M: `mass_matrix`, D: `damping`, n×n, of the model ahead, 0 unless given; lower, upper: n; z: state
    `integral`, the wrench in north, east and down that holds against what is steady there, N and N·m, 6; K_t:
    `tracking_gain`, 1/s, n, back-calculation; 0 is no anti-windup.

    **n = 3 or 6**, by the size of the gains: surge, sway and yaw, or all degrees of freedom. With 3, J turns about the
    vertical by ψ, roll and pitch do not count, and `force` has no other elements. With 6, J = diag(R, R) with the full
    attitude, and J_Θ⁻¹ takes rates of Euler angles to body rates; it has no singular attitude, and e is right for small
    errors of roll and pitch.

    **Body axes.** Gains are those of surge, sway and so on, so poles stay where they are while the vessel turns. With
    equal gains in surge and sway this is τ = -Jᵀ(K_p η̃ + K_i ∫η̃ dt) - K_d ν̃, η̃ = η - η_d, as in the source. The
    integral is one of force in NED axes: it goes on to hold against a current when the heading changes.

    Raises ParameterError if gains are not 3×3 or 6×6, if an upper limit is below its lower limit, and for values out of
    range.

    Source: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15 (Algorithm 15.2);
    Sørensen (2011), A survey of dynamic positioning control systems, Annual Reviews in Control 35(1), 123-136.
    """

    examples = variants(
        {"lower": -3.0, "upper": 3.0, "tracking_gain": 0.6} | dict.fromkeys(_MATRICES, np.diag([3.0, 4.0, 2.0])),
        dict.fromkeys(_MATRICES, np.diag([3.0, 4.0, 2.0, 1.0, 2.0, 3.0])),
    )

    kernel = "dynamic_positioning"
    sizes = ("n",)
    positional = ("kp", "ki", "kd")

    pose = Input(Pose, "η_d, what is wanted")
    eta = Input(Pose, "η, position and attitude")
    nu = Input(BodyVelocity, "ν, velocity over ground")
    velocity = Input(BodyVelocity, "ν_d, what is wanted, in the body axes of the vessel", default=0.0)
    acceleration = Input(BodyAcceleration, "ν̇_d, its rate of change", default=0.0)

    force = Output(Wrench, "τ within its limits")
    error = Output(PoseError, "e, in body axes", feedthrough=("pose", "eta"))

    kp = Parameter(shape=("n", "n"), unit=None, doc="K_p, N and N·m per m and rad")
    ki = Parameter(0.0, shape=("n", "n"), unit=None, doc="K_i, N and N·m per m s and rad s")
    kd = Parameter(0.0, shape=("n", "n"), unit=None, doc="K_d, N and N·m per m/s and rad/s")
    mass_matrix = Parameter(0.0, shape=("n", "n"), unit=None, doc="M of the model ahead, with added mass, kg and kg·m²")
    damping = Parameter(0.0, shape=("n", "n"), unit=None, doc="D of the model ahead, N and N·m per m/s and rad/s")
    lower = Parameter(-NO_LIMIT, shape=("n",), unit=None, doc="lower limits of the force, N and N·m")
    upper = Parameter(NO_LIMIT, shape=("n",), unit=None, doc="upper limits of the force, N and N·m")
    tracking_gain = Parameter(1.0, shape=("n",), unit="1/s", at_least=0.0, doc="K_t of back-calculation")

    integral = State(NedWrench, "z, in north, east and down")

    acts = Derived("1 for each degree of freedom with integral action, else 0", shape=("n",))

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """With three degrees of freedom heave, roll and pitch count nowhere."""
        planar = sizes["n"] == 3
        if output == "error":
            if planar:
                return {
                    "pose": between({"surge sway": "x y", "yaw": "psi"}),
                    "eta": between({"surge sway": "x y psi", "yaw": "psi"}),
                }
            wanted = {"surge sway heave": "x y z", "roll": "phi psi", "pitch yaw": "theta psi"}
            here = {
                "surge": "x y z theta psi",
                "sway heave": "x y z phi theta psi",
                "roll pitch yaw": "phi theta psi",
            }
            return {"pose": between(wanted), "eta": between(here)}
        return self._force_sources(planar)

    def _force_sources(self, planar: bool) -> dict[str, Any]:
        """Every axis depends on all others through the matrices."""
        if not planar:
            held = {"integral": between({"X Y Z": "X Y Z", "K M N": "K M N"})}
            return whole("pose", "eta", "nu", "velocity", "acceleration", *_GAINS, "lower", "upper") | held
        moving = {name: between({"X Y N": "x y psi"}) for name in ("pose", "eta")}
        moving |= {name: between({"X Y N": "u v r"}) for name in ("nu", "velocity")}
        moving["acceleration"] = between({"X Y N": "u_dot v_dot r_dot"})
        held = {"integral": between({"X Y": "X Y", "N": "N"})}
        return moving | held | {name: rows("X Y N") for name in (*_GAINS, "lower", "upper")}

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """With anti-windup the integral depends on all that the force does; it is turned into NED axes."""
        planar = sizes["n"] == 3
        own = {name: rows("X Y N") if planar else rows("*") for name in ("ki", "tracking_gain")}
        return self._force_sources(planar) | own

    def known_sizes(self) -> dict[str, int]:
        """Gains are matrices, for three or six degrees of freedom."""
        found = super().known_sizes()
        if np.ndim(self.kp) != 2 or found["n"] not in (3, 6):
            given = "×".join(map(str, np.shape(self.kp))) or f"the single number {self.kp:g}"
            raise ParameterError(
                f"{self._called()}.kp must be a matrix of 3×3, for surge, sway and yaw, or of 6×6, not {given}; a "
                f"diagonal one may be given as {{'diag': […]}}"
            )
        return found

    def validate(self) -> None:
        """The limits are in order; a single number is no matrix, but for 0."""
        check_limits(self, "lower", "upper")
        for name in ("ki", "kd", "mass_matrix", "damping"):
            if np.ndim(self.values[name]) != 2 and self.values[name] != 0.0:
                raise ParameterError(
                    f"{self._called()}.{name} must be a matrix, as kp is, not the single number "
                    f"{self.values[name]:g}; a diagonal one may be given as {{'diag': […]}}"
                )

    @classmethod
    def by_pole_placement(
        cls,
        vessel: Block,
        natural_frequency: ArrayLike | str,
        damping_ratio: ArrayLike | str = 1.0,
        *,
        degrees_of_freedom: int = 3,
        integral_pole: ArrayLike | str | None = None,
        speed: float | str = 0.0,
        rule: str = "exact",
        **parameters: Any,
    ) -> DynamicPositioning:
        """The controller that gives each motion of a vessel the poles of its own (s² + 2ζω s + ω²)(s + a).

        vessel: a block of `blocks.dynamics`; natural_frequency: ω, rad/s, damping_ratio: ζ, integral_pole: a, rad/s, a
        number for all or one for each degree of freedom; a is ω/10 unless given, 0 for no integral action;
        degrees_of_freedom: 3 or 6; speed: the surge speed about which damping is taken, m/s, 0 for positioning; rule:
        "exact", or "fossen" for K_p = M ω² - G, K_d = 2 M ζω - D, K_i = M ω² a; parameters: any others of the block.

        M, D and the stiffness G are full matrices, so that coupled motions come apart. Raises ParameterError if the
        vessel's own damping or stiffness is more than these poles need.
        """
        name = who(cls)
        if degrees_of_freedom not in (3, 6):
            raise ParameterError(f"{name}: degrees_of_freedom must be 3 or 6, not {degrees_of_freedom!r}")
        count = int(degrees_of_freedom)
        motions = _PLANAR if count == 3 else list(range(6))
        point = OperatingPoint(vessel, speed, name)
        poles = Poles.read(name, count, natural_frequency, damping_ratio, integral_pole, rule)
        mass, damping, stiffness = point.matrices(motions)
        gains = poles.gains(mass, damping, stiffness, tuple(MOTIONS[j] for j in motions), point.called)
        found = {
            "kp": gains.kp,
            "ki": gains.ki,
            "kd": gains.kd,
            "mass_matrix": mass,
            "damping": damping,
            "tracking_gain": np.where(gains.tracking > 0.0, gains.tracking, 1.0),
        }
        return cls(**(found | parameters))
