"""A ship by the MMG standard method."""

from __future__ import annotations

from blocks.block import Sizes
from blocks.dynamics.mmg_hull import MMGHull
from blocks.model.dependence import Sources, between, rows

_EXAMPLE = {
    "length": 7.0, "draught": 0.46, "displacement": 3.27, "density": 1000.0, "centre_of_gravity": 0.25,
    "added_mass": [0.022, 0.223, 0.011], "resistance": 0.022,
    "surge_derivatives": [-0.04, 0.002, 0.011, 0.771],
    "sway_derivatives": [-0.315, 0.083, -1.607, 0.379, -0.391, 0.008],
    "yaw_derivatives": [-0.137, -0.049, -0.03, -0.294, 0.055, -0.013],
}  # fmt: skip
_OF_DRIFT = {
    "derivatives_of": "drift_angle",
    "surge_derivatives": [-0.055, -0.108, -0.012, -0.042],
    "sway_derivatives": [0.225, 0.040, 1.718, -0.483, 0.834, -0.005],
    "yaw_derivatives": [0.111, -0.047, 0.175, -0.617, 0.051, -0.039],
}


class MMGVessel(MMGHull):
    """A ship's hull in the horizontal plane by the MMG standard method, from polynomials of captive model tests.

    (m + m_x) u̇ - (m + m_y) v r - m x_G r² = X,  (m + m_y) v̇ + (m + m_x) u r + m x_G ṙ = Y
    (I_z + m x_G² + J_z) ṙ + m x_G (v̇ + u r) = N,  η̇ = R(ψ) ν
    X_H = ½ρLdU² (σ (-R_0' + X_vv' v'² + X_rr' r'² + X_vvvv' v'⁴) + X_vr' v' r')
    Y_H = ½ρLdU² (Y_v' v' + Y_vvv' v'³ + Y_vrr' v' r'² + σ (Y_r' r' + Y_vvr' v'² r' + Y_rrr' r'³))
    N_H = ½ρL²dU² (σ (N_v' v' + N_vvv' v'³ + N_vrr' v' r'²) + N_r' r' + N_vvr' v'² r' + N_rrr' r'³)
    U² = u² + v²,  v' = v/U,  r' = r L/U,  σ = √2 u/U within ±1

    (X, Y, N): the hull's, `force` and `disturbance`; u, v: at midship, which is the body origin, through the water; m =
    ρ ∇: ∇ `displacement`, ρ `density`; x_G: `centre_of_gravity`; I_z = m (k_zz)², k_zz/L: `gyration`; m_x, m_y, J_z:
    `added_mass` times ½ρL²d, ½ρL²d, ½ρL⁴d; L: `length`, d: `draught`; R_0': `resistance`; the derivatives:
    `surge_derivatives`, `sway_derivatives`, `yaw_derivatives`, dimensionless, with the signs in which they are
    published: `damping_force` is -(X_H, Y_H, N_H). In a `current` u, v are those through the water, and the mass keeps
    its momentum over ground. The Munk moment is in N_v', as the tests have it.

    **Drift angle.** Many sets are published for the drift angle β = atan2(-v, u): X_ββ', X_βr' - m_y', X_rr', X_ββββ',
    Y_β', Y_r' - m_x', Y_βββ', Y_ββr', Y_βrr', Y_rrr', and so in yaw (Yoshimura and Masumoto). With
    `derivatives_of="drift_angle"` they are given in this order, with the published signs; v' then is -β, seen from
    the nearer end, within ±π/2, and since these sets have them, m_y v r and m_x u r are not in the equations above.

    **Propellers and rudders** are in `force`: `thrust.MMGPropulsion` is those of the method; any other thruster will
    do.

    **Validity.** For |β| ≤ 45°, ahead, this is the published form to the letter: σ = 1. It is fitted to drift angles
    and yaw rates as turning circles have them. Beyond, terms that a hull alike fore and aft has not in pure sway fade
    with σ, and change sign astern: sway gives no thrust ahead, and resistance is against the motion. Where r' > 2 cubic
    terms have U = |r| L/2 in their denominators, so that all forces go to zero with the velocities. Neither is
    measured.

    **Shallow water.** With a `water_depth` H and a `breadth` each derivative is multiplied by its `depth_factors`, with
    h = d/H, C_B = ∇/(LBd): Y_v' by (1 - h)^(-n) - h, n = 0.4 C_B B/d; N_r' by the same with n = 1.5 - 14.28 d/L; Y_r',
    N_vvr', N_vrr' by cubics in h (Kijima and Nakiri); N_v', the cubic terms in sway and yaw, and surge by functions of
    H/d - 1 (Ankudinov et al.). Added mass, resistance, wake and rudder stay those of deep water. In deep water all
    factors go to 1; below H = 1.2 d some grow without bound, and the forces of
    KVLCC2 no longer take energy from every motion: checks warn.

    Raises ParameterError for a depth that is not above the draught, for one without a breadth, for derivatives that
    have a dimension or are of another prime system, and for a positive Y_v'.

    Sources: Yasukawa and Yoshimura (2015), Introduction of MMG standard method for ship maneuvering predictions,
    Journal of Marine Science and Technology 20, 37-52 (equations of motion, hull); Kijima and Nakiri (1990), Prediction
    method of ship manoeuvrability in deep and shallow waters, MARSIM & ICSM 90, Tokyo, and Ankudinov et al. (1990),
    ibid., as both are collected by Taimuri et al. (2020), Ocean Engineering 218, 108103, and computed by mmgdynamics
    (shallow water); Yoshimura and Masumoto (2012), Hydrodynamic database and manoeuvring prediction method with medium
    high-speed merchant ships and fishing vessels, MARSIM 2012 (polynomials of the drift angle).
    """

    examples = (
        _EXAMPLE | {"water_depth": 3.0, "breadth": 1.27},
        _EXAMPLE | {"water_depth": 0.7, "breadth": 1.27},
        _EXAMPLE | _OF_DRIFT | {"water_depth": 3.0, "breadth": 1.27},
    )

    kernel = "mmg_vessel"

    def output_sources(self, output: str, sizes: Sizes) -> Sources | None:
        """Forces in surge, sway and yaw depend on each other's velocities."""
        if output == "acceleration":
            return self.motion_sources("u_dot v_dot r_dot")
        if output not in ("damping_force", "coriolis_force"):
            return super().output_sources(output, sizes)
        if output == "coriolis_force":
            moving = {
                "nu": between({"X": "v r", "Y N": "u r"}),
                "current": between({"X Y": "north east"}),
                "eta": between({"X Y": "psi"}),
            }
            own = dict.fromkeys(("length", "draught", "added_mass"), rows("X Y"))
            own |= dict.fromkeys(("displacement", "density"), rows("X Y N"))
            return moving | own | {"centre_of_gravity": rows("X N")}
        moving = {
            "nu": between({"X Y N": "u v r"}),
            "current": between({"X Y N": "north east"}),
            "eta": between({"X Y N": "psi"}),
        }
        own = dict.fromkeys(("length", "draught", "displacement", "density", "water_depth", "breadth"), rows("X Y N"))
        own |= {"resistance": rows("X"), "surge_derivatives": rows("X")}
        if self.derivatives_of == "drift_angle":
            own["added_mass"] = rows("X Y")
        return moving | own | {"sway_derivatives": rows("Y"), "yaw_derivatives": rows("N")}

    def motion_sources(self, motions: str) -> Sources:
        """A hull alike on both sides: surge takes its force alone, sway and yaw share theirs."""
        surge, sway, yaw = motions.split()
        turning = f"{sway} {yaw}"
        applied = between({surge: "X", turning: "Y N"})
        own = {"resistance": rows(surge), "surge_derivatives": rows(surge), "gyration": rows(turning)}
        own |= {"sway_derivatives": rows(turning), "yaw_derivatives": rows(turning)}
        return {**super().motion_sources(motions), "force": applied, "disturbance": applied, **own}
