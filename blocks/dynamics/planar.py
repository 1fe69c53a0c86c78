"""What the vessels in the horizontal plane share."""

from __future__ import annotations

import numpy as np

from blocks.declare import State
from blocks.dynamics.vessel import Vessel
from blocks.errors import ParameterError
from blocks.signal import BodyVelocity, Pose


class PlanarVessel(Vessel, abstract=True):
    """A vessel that surges, sways and yaws only.

    Its states have six elements, so that it starts from what any other vessel starts from; heave, roll and pitch keep
    their initial value and have no velocity.
    """

    eta_state = State(Pose, "η; depth, roll and pitch stay what they are", name="eta")
    nu_state = State(BodyVelocity, "ν; heave velocity, roll and pitch rate are 0", name="nu")

    def validate(self) -> None:
        """Only surge, sway and yaw can be under way at the start, and the vessel is upright."""
        nu, eta = np.asarray(self.values["initial_nu"]), np.asarray(self.values["initial_eta"])
        for name, values, labels in (("initial_nu", nu[2:5], "w, p, q"), ("initial_eta", eta[3:5], "phi, theta")):
            if np.any(values):
                raise ParameterError(
                    f"{self._called()}.{name}: a vessel in the horizontal plane has {labels} = 0, not "
                    f"{', '.join(f'{value:g}' for value in values)}"
                )
