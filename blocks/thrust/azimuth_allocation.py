"""Allocation of a wanted wrench to thrusters that turn."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from blocks.block import Sizes
from blocks.errors import ParameterError
from blocks.model.component import PortRef
from blocks.model.declare import Input, Output, Parameter
from blocks.model.dependence import Sources, whole
from blocks.model.derived import Derived
from blocks.signal import Forces, Signal, Wrench
from blocks.thrust.azimuths import AzimuthSet
from blocks.thrust.bounded_allocation import MOST_BOUNDED, Available, wants_bounds

MOST_TURNING = MOST_BOUNDED // 2
"""Each has two parts. As AZIMUTH_MOST in `cython_kernels/thrust/azimuth_allocation_bounded.pxd`."""

_Angles = Signal("Angles", ("n",), "rad")
_Settings = Signal("Settings", ("n",))
_WRENCH = ("force", "positions", "weights", "angle_min", "angle_max")
_REVERSIBLE = (*_WRENCH, "speed_limit_reverse")


def _fan(given: Mapping[str, Any]) -> dict[str, Any]:
    """The numbers of an `AirFan`, which is told its thrust: one newton is one of the speed."""
    limit = given.get("angle_limit", np.pi)
    return {
        "positions": [given["position"]],
        "thrust_coefficient": [[1.0, 0.0, 0.0]],
        "speed_limit_forward": [given["thrust_limit_forward"]],
        "speed_limit_reverse": [given.get("thrust_limit_reverse", 0.0)],
        "angle_min": [-limit],
        "angle_max": [limit],
    }


class AzimuthAllocation(AzimuthSet):
    """Allocation of a wanted wrench to `AzimuthThrusters`: their speeds and angles.

    (X_1, Y_1, X_2, …) = W⁻¹ T_eᵀ (T_e W⁻¹ T_eᵀ)⁺ τ
    f_i = √(X_i² + Y_i²),  α_i = atan2(Y_i, X_i),  n_i = the speed at which the thrust curve is f_i

    τ: `force`, N and N·m, 6; X, Y: ahead and starboard parts of each thrust, the *extended thrust*; T_e: its wrench; W:
    `weights` for both parts of a thruster; f: `thrust`, N, n; α: `angle`, rad, n; n: `command`, n, in the unit of the
    speed limits. All else is as in `AzimuthThrusters`, which takes `command` and `angle` as they are.

    **Ranges.** A thruster whose range does not contain α pushes astern at the opposite angle, if it can turn there and
    is reversible; otherwise it goes to the stop along which it can give most of its part of τ, and gives that. A
    thruster that is fixed, with `angle_min` = `angle_max`, has one part only.

    **Limits.** n is held within the speed limits. With `limits="clip"` that is all: `thrust` is what was wanted before,
    and what one thruster cannot give, for its speed limits or its range, is lost. With "bounded" the others help out: a
    thruster that is asked for too much keeps the direction nearest to what was wanted and becomes one unknown within
    its limits, and the parts of all are found anew by bounded least squares as in `ThrustAllocation`; this is repeated
    until no other one is asked for too much. Of these rounds, at most one more than there are thrusters, the one that
    comes nearest to τ counts, so it is never farther from τ than with "clip"; `thrust` then is what is given. The
    problem is not convex, and it is not the best of all solutions that is found. Newtons and newton metres count alike.

    **Failed thrusters.** With "bounded" there is an input `available`, 1 unless connected: where it falls to 0 during
    a run the others take over at once, as well as they can; with values between, a thruster gives that part of its
    limits.

    Water from ahead does not count: the thrust curve is that of bollard pull, and has to rise up to the speed limits.
    Where nothing is wanted of a thruster its angle is 0, or one within its range, and angles turn fast while wanted
    forces are small: let `AzimuthThrusters` limit the rate.

    Raises ParameterError as `AzimuthThrusters` does, if a thrust curve does not rise up to the limits, and for more
    than 12 thrusters with `limits="bounded"`.

    Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 11 (extended
    thrust); Sørdalen (1997), Optimal thrust allocation for marine vessels, Control Engineering Practice 5; Johansen and
    Fossen (2013), Control allocation - a survey, Automatica 49 (redistributed pseudo-inverse).
    """

    kernels = ("azimuth_allocation", "azimuth_allocation_bounded")
    examples = (
        AzimuthSet.examples[0] | {"angle_max": [0.9, 0.4], "speed_limit_forward": [1.5, 0.1]},
        AzimuthSet.examples[0] | {"angle_min": [2.0, 1.8], "angle_max": [3.0, 2.9], "speed_limit_reverse": 0.0},
        AzimuthSet.examples[0] | {"angle_max": [0.9, 0.4], "speed_limit_forward": [1.5, 0.1], "limits": "bounded"},
    )

    sections_taken: ClassVar = {"thrust.AzimuthThrusters": dict, "thrust.AirFan": _fan}

    force = Input(Wrench, "τ, the wanted forces and moments about the body origin")
    available = Input(
        Available,
        "a, of each thruster 1 if it works, 0 if it has failed, between: in part; with limits='bounded' only",
        default=1.0,
        when=lambda block: block.limits == "bounded",
    )

    command = Output(
        _Settings,
        "wanted speeds n, within the limits, negative astern",
        depends=whole(*_REVERSIBLE, "speed_limit_forward", "thrust_coefficient"),
    )
    angle = Output(_Angles, "wanted angles α, within their ranges", depends=whole(*_REVERSIBLE))
    thrust = Output(Forces, "f, the wanted thrusts", depends=whole(*_REVERSIBLE))

    weights = Parameter(1.0, shape=("n",), above=0.0, doc="w, cost of thrust; the greater, the less a thruster is used")
    limits = Parameter(
        "clip",
        choices=("clip", "bounded"),
        structural=True,
        doc="what is done about limits: hold each thruster within its own, or let the others help out",
    )

    pseudo_inverse = Derived(
        "from the wanted wrench to the ahead and starboard part of each thrust",
        shape=("2*n", 6),
        unit=None,
    )
    columns = Derived("wrench of both parts of each thruster per newton", shape=(6, "2*n"), unit=None)
    costs = Derived("`weights` of both parts of each thruster", shape=("2*n",))

    @property
    def kernel(self) -> str:  # type: ignore[override]
        """With limits or without."""
        return "azimuth_allocation" if self.limits == "clip" else "azimuth_allocation_bounded"

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """With limits, all on all of them."""
        if self.limits == "clip":
            return super().output_sources(output, sizes)
        return whole(*_REVERSIBLE, "available", "speed_limit_forward", "thrust_coefficient")

    def input_port(self, name: str) -> PortRef:
        """An input port by name. Raises WiringError, which says what `available` wants."""
        if name == "available" and self.limits == "clip":
            raise wants_bounds(self._called())
        return super().input_port(name)

    def validate(self) -> None:
        """Thrust curves that can be inverted, and no more thrusters than the kernel has room for."""
        super().validate()
        count = len(self.positions)
        if self.limits == "bounded" and count > MOST_TURNING:
            raise ParameterError(
                f"{self._called()}.limits='bounded' takes at most {MOST_TURNING} thrusters, not {count}; "
                f"limits='clip' takes any number"
            )
        ahead, astern = np.asarray(self.speed_limit_forward), np.asarray(self.speed_limit_reverse)
        limits = np.broadcast_to(np.maximum(ahead, astern), len(self.thrust_coefficient))
        for i, ((c1, c2, c3), limit) in enumerate(zip(self.thrust_coefficient, limits, strict=True)):
            n = np.linspace(0.0, limit, 101)[1:]
            if np.any(c1 + 2.0 * c2 * n + 3.0 * c3 * n**2 <= 0.0):
                raise ParameterError(
                    f"{self._called()}.thrust_coefficient[{i}] must give a thrust that rises with the speed up to the "
                    f"limit of {limit:g}, so that there is one speed for each thrust"
                )
