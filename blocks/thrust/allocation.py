"""Allocation of a wanted wrench to propellers."""

from __future__ import annotations

from typing import Any, ClassVar

from blocks.block import Sizes
from blocks.errors import ParameterError
from blocks.model.calculated import CalculatedParameter
from blocks.model.component import PortRef
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Sources, whole
from blocks.model.examples import variants
from blocks.signal import BodyVelocity, Forces, Revolutions, Wrench
from blocks.thrust.bounded_allocation import MOST_BOUNDED, MOST_SPREAD_WEIGHTS, Available, check_spread, wants_bounds
from blocks.thrust.propellers import PropellerSet


def _is_bounded(block: Any) -> bool:
    return bool(block.limits == "bounded")


class ThrustAllocation(PropellerSet):
    """Allocation of a wanted wrench to propellers, and the shaft speeds that give the thrusts.

    f = T_W⁺ τ,  T_W⁺ = W⁻¹ Tᵀ (T W⁻¹ Tᵀ)⁺,  W = diag(weights)
    n_i = sgn(f_i) m_i,  ρ D_i⁴ θ_i max(K_T(J_i), κ K_T(0)) m_i² = |f_i|,  J_i = v_a,i / (m_i D_i)

    τ: `force`, N and N·m, 6; f: `thrust`, N, n; n_i: `command`, rev/s, n; `weights`: what a newton of each thruster
    costs, n; κ: `inversion_floor`; all else as in `PropellerThrusters`, and the same functions of the same kernel.

    **Wrench to thrusts.** f has the least Σ w_i f_i² of all that give τ. Components of τ that no thruster reaches (the
    pitch moment of a vehicle without thrusters for it) are left out. If thrusters are too few to reach the components
    of τ one by one, f comes as near to τ as it can, counting newtons and newton metres alike.

    **Thrusts to shaft speeds.** The published wiring of the Simulink library uuv takes thrusts for revolutions; here
    the thrust curve is inverted, exactly, with the advance speed from `nu_r`. Where that is not connected it counts as
    zero: bollard pull. A propeller that water drives from ahead gives no thrust before n > v_a/(J_0 D), K_T(J_0) = 0,
    so an exact inverse jumps as a wanted thrust changes sign, and a loop closed over it chatters. Hence K_T is counted
    with κ K_T(0) at least: n is then continuous, rises with f and vanishes with it, and small thrusts turn out smaller
    than wanted at speed. κ = 1 inverts the bollard curve wherever K_T falls below it.

    **Limits.** n is held within -`speed_limit_reverse` and `speed_limit_forward`. With `limits="clip"` that is all:
    `thrust` is what was wanted before, and what one thruster cannot give is lost. With "bounded", where some f_i are
    beyond what the thruster gives at its limits and the advance speed of the moment, the others help out:

    f minimises |T f - τ|² within the limits and, where that leaves a choice, fᵀ W f

    for at most 24 thrusters, whose weights should be within a factor of 10⁴. The choice is made by adding a share of
    10⁻⁸ of fᵀ W f to the first term, so that f is good to some seven digits along it. Newtons and newton metres count
    alike. The active-set method is that of `scipy.optimize.lsq_linear` with `method="bvls"`, to whose results the tests
    hold it. It is in the kernel because SciPy cannot be called at compiled speed, nor from an FMU on a machine without
    Python.

    **Failed thrusters.** With "bounded" there is an input `available`, 1 unless connected: where it falls to 0 during
    a run the others take over at once, as well as they can; with values between, a thruster gives that part of its
    limits.

    Raises ParameterError as `PropellerThrusters` does, and for too many thrusters.

    Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 11; Stark and Parker
    (1995), Bounded-variable least-squares: an algorithm and applications, Computational Statistics 10 (limits).
    """

    kernels = ("thrust_allocation", "thrust_allocation_bounded")
    examples = variants(
        PropellerSet.examples[0],
        {"limits": "bounded", "speed_limit_forward": [0.8, 0.3], "speed_limit_reverse": [0.6, 0.3]},
    )

    sections_taken: ClassVar = {"thrust.PropellerThrusters": dict}

    faults = ("the last number of thrust_coefficient_forward or thrust_coefficient_reverse, K_T(0), is not positive",)

    force = Input(Wrench, "τ, the wanted forces and moments about the body origin")
    nu_r = Input(BodyVelocity, "ν_r, velocity of the hull through the water", default=0.0)

    available = Input(
        Available,
        "a, of each thruster 1 if it works, 0 if it has failed, between: in part; with limits='bounded' only",
        default=1.0,
        when=_is_bounded,
    )

    command = Output(Revolutions, "wanted shaft speeds n, within the limits, negative astern")
    thrust = Output(Forces, "f, the wanted thrusts; within the limits if bounded")

    weights = Parameter(1.0, shape=("n",), above=0.0, doc="w, cost of thrust; the greater, the less a thruster is used")
    inversion_floor = Parameter(
        0.5, above=0.0, at_most=1.0, doc="κ, the least K_T(J)/K_T(0) that the inversion counts on"
    )

    limits = Parameter(
        "clip",
        choices=("clip", "bounded"),
        structural=True,
        doc="what is done about limits: hold each command within its own, or find the best thrusts within all",
    )

    pseudo_inverse = CalculatedParameter(
        shape=("n", 6),
        unit=None,
        doc="T_W⁺, from the wanted wrench to the thrusts",
        depends=("allocation_matrix", "weights"),
    )

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """With limits or without."""
        return "thrust_allocation" if self.limits == "clip" else "thrust_allocation_bounded"

    def feedthrough(self, output: str) -> tuple[str, ...]:
        """Without bounds the thrusts are those of the wrench alone."""
        if self.limits == "clip":
            return ("force",) if output == "thrust" else ("force", "nu_r")
        return ("force", "nu_r", "available")

    def output_sources(self, output: str, sizes: Sizes) -> Sources:
        """Every command on all of the wrench, and on the velocity of the hull; so are thrusts within bounds."""
        if output == "thrust" and self.limits == "clip":
            return whole("force", "allocation_matrix", "weights")
        own = ("weights", "loss_forward", "loss_reverse", "speed_limit_forward", "speed_limit_reverse")
        found = whole(*self.feedthrough(output), *own, *self.thrust_parameters())
        return found | whole("inversion_floor") if output == "command" else found

    def input_port(self, name: str) -> PortRef:
        """An input port by name. Raises WiringError, which says what `available` wants."""
        if name == "available" and self.limits == "clip":
            raise wants_bounds(self._called())
        return super().input_port(name)

    def validate(self) -> None:
        """No more thrusters than the kernel has room for."""
        super().validate()
        count = self.known_sizes().get("n", 1)
        if self.limits == "bounded":
            check_spread(self, "weights", MOST_SPREAD_WEIGHTS)
        if self.limits == "bounded" and count > MOST_BOUNDED:
            raise ParameterError(
                f"{self._called()}.limits='bounded' takes at most {MOST_BOUNDED} thrusters, not {count}; "
                f"limits='clip' takes any number"
            )
