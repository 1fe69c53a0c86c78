"""What the vessels in the horizontal plane share."""

from __future__ import annotations

from typing import ClassVar

import numpy as np

from blocks.block import Sizes
from blocks.dynamics.vessel import Vessel
from blocks.errors import ParameterError
from blocks.model.declare import State
from blocks.model.dependence import Sources, between, rows, same
from blocks.signal import BodyVelocity, Pose


class PlanarVessel(Vessel, abstract=True):
    """A vessel that surges, sways and yaws only.

    Its states have six elements, so that it starts from what any other vessel starts from; heave, roll and pitch keep
    their initial value and have no velocity.
    """

    decoupled: ClassVar[bool] = False
    """True if M and D are diagonal."""

    eta_state = State(
        Pose,
        "η; depth, roll and pitch stay what they are",
        depends={"nu": between({"x y": "u v", "psi": "r"}), "eta": between({"x y": "psi"})},
        name="eta",
    )
    nu_state = State(BodyVelocity, "ν; heave velocity, roll and pitch rate are 0", name="nu")

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The derivative of ν is the acceleration."""
        return self.motion_sources("u v r") if state == "nu" else super().state_sources(state, sizes)

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Heave, roll and pitch depend on nothing, and nothing does on them; a current is turned by the heading."""
        if output == "nu_r":
            return {
                "nu": same("u v r"), "current": between({"u v": "north east"}), "eta": between({"u v": "psi"})
            }  # fmt: skip
        if output == "restoring_force":
            return {}
        if output == "acceleration":
            return self.motion_sources("u_dot v_dot r_dot")
        return super().output_sources(output, sizes)

    def motion_sources(self, motions: str) -> Sources:
        """What dν/dt depends on, with its elements by these labels."""
        surge, sway, yaw = motions.split()
        applied = between({surge: "X", sway: "Y", yaw: "N"}) if self.decoupled else between({motions: "X Y N"})
        return {
            "force": applied,
            "disturbance": applied,
            "nu": between({motions: "u v r"}),
            "current": between({motions: "north east"}),
            "eta": between({motions: "psi"}),
        } | {name: rows(motions) for name in type(self).parameters}

    def validate(self) -> None:
        """Only surge, sway and yaw can be under way at the start, and the vessel is upright."""
        nu, eta = np.asarray(self.values["initial_nu"]), np.asarray(self.values["initial_eta"])
        for name, values, labels in (("initial_nu", nu[2:5], "w, p, q"), ("initial_eta", eta[3:5], "phi, theta")):
            if np.any(values):
                raise ParameterError(
                    f"{self._called()}.{name}: a vessel in the horizontal plane has {labels} = 0, not "
                    f"{', '.join(f'{value:g}' for value in values)}"
                )
