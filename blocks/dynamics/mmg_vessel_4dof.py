"""A ship by the MMG standard method that rolls."""

from __future__ import annotations

import numpy as np

from blocks.block import Sizes
from blocks.dynamics.mmg_hull import MMGHull
from blocks.dynamics.mmg_vessel import MMGVessel
from blocks.errors import ParameterError
from blocks.model.declare import Parameter, State
from blocks.model.dependence import Sources, between, rows, same
from blocks.model.derived import Derived
from blocks.signal import BodyVelocity, Pose

_SIZE = ("length", "draught", "displacement", "density")
_ROLL = (
    "roll_gyration",
    "added_roll_inertia",
    "metacentric_height",
    "gravity",
    "roll_damping",
    "quadratic_roll_damping",
)


class MMGVessel4DOF(MMGHull):
    """A ship's hull by the MMG standard method in surge, sway, roll and yaw.

    M ν̇ + f_c + f_d + f_h = τ + τ_d for (u, v, p, r)
    M = [m + m_x, 0, 0, 0; 0, m + m_y, -m z_G - m_y z_m, m x_G;
         0, -m z_G - m_y z_m, I_x + J_x, -m x_G z_G; 0, m x_G, -m x_G z_G, I_z + m x_G² + J_z]
    f_c = (-r (m (v + x_G r - z_G p) + m_y (v - z_m p)), (m + m_x) u r, -(m z_G + m_x z_m) u r, m x_G u r)
    f_d = -(X_H, Y, -z_H Y - B p - B_q |p| p, N_H + q L N_φ' φ),  Y = Y_H + q Y_φ' φ,  q = ½ρLdU²
    f_h = (0, 0, m g GM sin φ, 0),  ẋ = u cos ψ - v sin ψ,  ẏ = u sin ψ + v cos ψ,  φ̇ = p,  ψ̇ = r

    X_H, Y_H, N_H, masses, current and shallow water are those of `MMGVessel`; with derivatives for the drift angle
    m_y v r, m_x u r and m_x z_m u r are not in f_c, since X_H and Y_H have them; z_G: `centre_of_gravity_depth`, z_m:
    `added_mass_depth`, where m_x and m_y act, z_H: `hull_force_depth`, all below the body origin, m; I_x = m (k_xx² +
    z_G²), k_xx: `roll_gyration`; J_x = k m k_xx² + m_y z_m², k: `added_roll_inertia`; GM: `metacentric_height`; g:
    `gravity`; B = 2 ζ √(m g GM (I_x + J_x)), ζ: `roll_damping`; B_q: `quadratic_roll_damping`; (Y_φ', N_φ'):
    `heel_derivatives`, for φ in rad.

    **Axes** turn with the heading and do not roll, as manoeuvring models have them: v stays horizontal. Of what roll
    brings, terms of second order in φ, p and their products with sway and yaw are left out but for those that keep the
    energy. Depth and pitch stay what they are. Forces of rudders and waves roll the ship by their moment K.

    **A turn.** A ship that turns heels outwards: the hull's force acts at z_H below the centre of gravity. Heel in turn
    steers, by Y_φ' and N_φ'.

    Raises ParameterError as `MMGVessel` does.

    Sources: as of `MMGVessel`; Yasukawa, Sakuno and Yoshimura (2019), Practical maneuvering simulation method of ships
    considering the roll-coupling effect, Journal of Marine Science and Technology, doi 10.1007/s00773-019-00625-4 (the
    moment of the hull's force), and Son and Nomoto (1981), On the coupled motion of steering and rolling of a high
    speed container ship, J. Soc. Naval Arch. Japan 150, 232-244 (the motion in four degrees of freedom).
    """

    examples = tuple(
        example
        | {
            "centre_of_gravity_depth": 0.05,
            "metacentric_height": 0.125,
            "roll_gyration": 0.5,
            "added_roll_inertia": 0.2,
            "added_mass_depth": 0.2,
            "hull_force_depth": 0.25,
            "quadratic_roll_damping": 60.0,
            "heel_derivatives": [-0.01, 0.005],
        }
        for example in MMGVessel.examples
    )

    kernel = "mmg_vessel_4dof"
    faults = (*MMGHull.faults, "roll_gyration and the other masses make a singular matrix")

    centre_of_gravity_depth = Parameter(0.0, unit="m", doc="z_G, below the body origin")
    roll_gyration = Parameter(unit="m", above=0.0, doc="k_xx, about the centre of gravity")
    added_roll_inertia = Parameter(0.0, at_least=0.0, doc="k, added inertia in roll over m k_xx²")
    added_mass_depth = Parameter(0.0, unit="m", doc="z_m, where m_x and m_y act")
    hull_force_depth = Parameter(0.0, unit="m", doc="z_H, where Y_H acts")
    metacentric_height = Parameter(unit="m", above=0.0, doc="GM")
    roll_damping = Parameter(0.05, at_least=0.0, doc="ζ, of critical damping")
    quadratic_roll_damping = Parameter(0.0, unit="N*m*s^2", at_least=0.0, doc="B_q")
    heel_derivatives = Parameter(0.0, shape=(2,), labels=("Y_phi", "N_phi"), doc="Y_φ', N_φ', per rad of heel")
    gravity = Parameter(9.81, unit="m/s^2", above=0.0, doc="g")

    rolling = Derived("m, m z_G, m_x, m_y, m_y z_m, B, m g GM, ½ρLd Y_φ', ½ρL²d N_φ'", shape=(9,), unit=None)
    inverse_lateral = Derived("of M in sway, roll and yaw", shape=(3, 3), unit=None)

    eta_state = State(
        Pose,
        "η; depth and pitch stay what they are",
        depends={"nu": between({"x y": "u v", "phi": "p", "psi": "r"}), "eta": between({"x y": "psi"})},
        name="eta",
    )
    nu_state = State(BodyVelocity, "ν; heave velocity and pitch rate are 0", name="nu")

    def validate(self) -> None:
        """As of the hull; heel and roll rate may be there at the start."""
        nu, eta = np.array(self.values["initial_nu"]), np.array(self.values["initial_eta"])
        for name, values, labels in (("initial_nu", nu[[2, 4]], "w, q"), ("initial_eta", eta[[4]], "theta")):
            if np.any(values):
                raise ParameterError(
                    f"{self._called()}.{name}: a ship in surge, sway, roll and yaw has {labels} = 0, not "
                    f"{', '.join(f'{value:g}' for value in values)}"
                )
        self.check_hull()

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Sway, roll and yaw share their forces; the restoring moment goes by the heel."""
        if output == "nu_r":
            return {
                "nu": same("u v p r"), "current": between({"u v": "north east"}), "eta": between({"u v": "psi"})
            }  # fmt: skip
        if output == "restoring_force":
            own = ("displacement", "density", "metacentric_height", "gravity")
            return {"eta": between({"K": "phi"})} | dict.fromkeys(own, rows("K"))
        if output == "acceleration":
            return self.motion_sources("u_dot v_dot p_dot r_dot")
        if output == "damping_force":
            return self._damping()
        if output == "coriolis_force":
            return self._coriolis()
        return None

    def _damping(self) -> Sources:
        found = {
            "nu": between({"X Y N": "u v r", "K": "u v p r"}),
            "current": between({"X Y K N": "north east"}),
            "eta": between({"X": "psi", "Y K N": "phi psi"}),
            "resistance": rows("X"),
            "surge_derivatives": rows("X"),
            "sway_derivatives": rows("Y K"),
            "yaw_derivatives": rows("N"),
            "heel_derivatives": rows("Y K N"),
        }
        found |= dict.fromkeys((*_SIZE, "water_depth", "breadth"), rows("X Y K N"))
        own = (*_ROLL, "centre_of_gravity_depth", "added_mass_depth", "hull_force_depth")
        reached = "X Y K" if self.derivatives_of == "drift_angle" else "K"
        return found | dict.fromkeys(own, rows("K")) | {"added_mass": rows(reached)}

    def _coriolis(self) -> Sources:
        found = {
            "nu": between({"X": "v p r", "Y K N": "u r"}),
            "current": between({"X Y K": "north east"}),
            "eta": between({"X Y K": "psi"}),
            "centre_of_gravity": rows("X N"),
            "centre_of_gravity_depth": rows("X K"),
            "added_mass_depth": rows("X K"),
        }
        found |= dict.fromkeys(("length", "draught", "added_mass"), rows("X Y K"))
        return found | dict.fromkeys(("displacement", "density"), rows("X Y K N"))

    def motion_sources(self, motions: str) -> Sources:
        """What dν/dt depends on, with its elements by these labels."""
        surge, sway, roll, yaw = motions.split()
        side = f"{sway} {roll} {yaw}"
        applied = between({surge: "X", side: "Y K N"})
        moving = {
            "force": applied,
            "disturbance": applied,
            "nu": between({motions: "u v p r"}),
            "current": between({motions: "north east"}),
            "eta": between({surge: "psi", side: "phi psi"}),
        }
        both = (
            "water_depth",
            "breadth",
            "centre_of_gravity",
            "centre_of_gravity_depth",
            "added_mass",
            "added_mass_depth",
        )
        across = ("gyration", "sway_derivatives", "yaw_derivatives", "heel_derivatives", "hull_force_depth", *_ROLL)
        found = moving | dict.fromkeys((*_SIZE, *both), rows(motions)) | dict.fromkeys(across, rows(side))
        return found | dict.fromkeys(("resistance", "surge_derivatives"), rows(surge))

    def state_sources(self, state: str, sizes: Sizes) -> Sources | None:
        """The derivative of ν is the acceleration."""
        return self.motion_sources("u v p r") if state == "nu" else super().state_sources(state, sizes)
