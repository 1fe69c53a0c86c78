"""A torpedo with one propeller, a rudder and stern planes."""

from __future__ import annotations

import math

from blocks.errors import ScenarioError
from blocks.estimates import spheroid_factors
from blocks.ready.estimates.entry import Estimate, Estimated, diagonal, digits
from blocks.ready.estimates.water import FRESH, G, friction

_FULLNESS = 0.82
"""Volume over that of the cylinder around it, of a body with a parallel middle and faired ends."""
_CROSS = 1.1
"""C_D of a cylinder across the flow."""


def auv(
    length: float,
    diameter: float,
    *,
    mass: float | None = None,
    thrust: float | None = None,
    top_speed: float | None = None,
) -> Estimated:
    """A torpedo from length and diameter, m; its mass, kg, full thrust, N, and top speed, m/s.

    What is not given: a mass that floats just so, a top speed of 2.5 m/s, the thrust that the drag takes there. Raises
    ScenarioError if it is no torpedo, or its mass is far from what it displaces.
    """
    if not 3.0 <= length / diameter <= 15.0:
        raise ScenarioError(
            f"a body of {length:g} m by {diameter:g} m is {length / diameter:.2g} times as long as thick; these "
            "estimates "
            "are for torpedoes of 3 to 15 times: a box is an rov"
        )
    displaced = FRESH * _FULLNESS * 0.25 * math.pi * diameter**2 * length
    weight = mass if mass is not None else displaced / 1.01
    if not 0.6 < weight / displaced < 1.4:
        raise ScenarioError(
            f"a body of {length:g} m by {diameter:g} m displaces about {displaced:.3g} kg of water, and cannot "
            "be trimmed "
            f"with a mass of {weight:g} kg: {0.8 * displaced:.3g} to {1.1 * displaced:.3g} kg are plausible"
        )
    top = top_speed if top_speed is not None else 2.5
    cruise = digits(0.6 * top, 2)
    slim = diameter / length
    wetted = 0.88 * math.pi * diameter * length
    form = 1.0 + 1.5 * slim**1.5 + 7.0 * slim**3
    by_trial = thrust is not None and top_speed is not None
    x_uu = (
        thrust / top**2
        if by_trial and thrust is not None
        else 0.5 * FRESH * wetted * friction(top, length) * form * 1.3
    )
    full = thrust if thrust is not None else x_uu * top**2
    k1, k2, k_turn = spheroid_factors(length, diameter)
    around = weight * (length**2 + diameter**2) / 20.0
    i_x, i_y = weight * diameter**2 / 8.0, weight * (0.25 * length) ** 2
    a_x, a_y, a_n = k1 * weight, k2 * weight, k_turn * around
    y_vv = 0.5 * FRESH * _CROSS * diameter * length
    n_rr = 0.5 * FRESH * _CROSS * diameter * length**4 / 32.0
    lift = 0.5 * FRESH * diameter**2 * 0.003 * (180.0 / math.pi) / slim * cruise
    arm = 0.15 * length
    hull = [[0.0] * 6 for _ in range(6)]
    hull[1][1], hull[2][2] = digits(lift), digits(lift)
    hull[4][2], hull[5][1] = digits(arm * lift), -digits(arm * lift)
    hull[3][3] = digits(0.3 * i_x * 6.0)
    low = 0.1 * diameter
    area, slope = 0.052 * length * diameter, 3.1
    aft = -0.47 * length
    wheel = 0.7 * diameter
    share = 0.45 * FRESH * wheel**4
    # thrust at top speed: rho D^4 (0.45 n^2 - 0.5 n J n) with J = 0.9 u/(n D)
    half = 0.5 * 0.5 * FRESH * wheel**3 * 0.9 * top
    fastest = (half + math.sqrt(half**2 + share * full)) / share
    if thrust is not None and not by_trial:
        fastest = math.sqrt(full / share)
    error = "±15 %" if by_trial else "±50 %"
    fin = {
        "position": Estimate([digits(aft, 3), 0.0, 0.0], "m", "chosen", "0.03 L ahead of the stern"),
        "area": Estimate(digits(area, 3), "m^2", "chosen", "two fins, 0.052 L D, as REMUS 100 has them", "±50 %"),
        "lift_coefficient": Estimate(slope / 2.0, "1", "estimate_prestero", "lift slope 3.1 per rad", "-50 and +20 %"),
        "drag_coefficient": Estimate(0.7, "1", "chosen"),
        "density": Estimate(FRESH, "kg/m^3", "chosen", "fresh water"),
        "angle_limit": Estimate(0.5236, "rad", "chosen", "30 deg"),
    }
    sections: dict[str, tuple[str, dict[str, Estimate]]] = {
        "dynamics": ("dynamics.Vessel6DOF", {
            "rigid_body_inertia": Estimate(
                _about(weight, low, i_x, i_y), "", "estimate_fossen", "radius of gyration 0.25 L; centre of "
                "gravity 0.1 D "
                "below the axis", "±20 %",
            ),
            "added_mass": Estimate(
                diagonal(a_x, a_y, a_y, 0.0, a_n, a_n), "", "estimate_lamb",
                f"spheroid: k_1 {k1:.3f}, k_2 {k2:.3f}, k' {k_turn:.3f} of the mass", "±25 %; turning, half of "
                "what it is, for fins are not in it",
            ),
            "linear_damping": Estimate(
                hull, "", "estimate_prestero", f"lift of the hull at {cruise:g} m/s, 0.15 L aft; roll is "
                "chosen", "±50 %"
            ),
            "quadratic_damping": Estimate(
                diagonal(x_uu, y_vv, y_vv, 0.0, n_rr, n_rr), "",
                "thrust_at_top_speed" if by_trial else "estimate_hoerner",
                "surge: " + ("thrust over the square of the top speed" if by_trial else "streamlined body, 1.3 "
                "times for "
                "fins and openings") + "; else cross flow of a cylinder, C_D 1.1, likely within ±30 %; turning "
                "without fins, a tenth of what REMUS has", error,
            ),
            "weight": Estimate(digits(weight * G), "N", "given" if mass is not None else "chosen"),
            "buoyancy": Estimate(digits(1.01 * weight * G), "N", "chosen", "1 % more than its weight"),
            "centre_of_gravity": Estimate([0.0, 0.0, digits(low, 3)], "m", "chosen", "0.1 D below the axis", "±50 %"),
            "centre_of_buoyancy": Estimate([0.0, 0.0, 0.0], "m", "chosen", "the body origin"),
        }),
        "rudder": ("thrust.Rudder", fin),
        "stern_planes": ("thrust.Foil", {"cant": Estimate(1.570796, "rad", "chosen", "level"), **fin}),
        "propeller": ("thrust.PropellerThrusters", {
            "allocation_matrix": Estimate([[1.0], [0.0], [0.0], [0.0], [0.0], [0.0]], "", "chosen", "on the axis"),
            "diameter": Estimate([digits(wheel, 3)], "m", "chosen", "0.7 D"),
            "density": Estimate(FRESH, "kg/m^3", "chosen", "fresh water"),
            "thrust_coefficient_forward": Estimate([0.0, 0.0, -0.5, 0.45], "", "chosen", "0.45 (1 - J/0.9)", "±30 %"),
            "thrust_coefficient_reverse": Estimate([0.0, 0.0, 0.0, 0.4], "", "chosen"),
            "torque_model": Estimate("coefficients", "", "chosen"),
            "torque_coefficient_forward": Estimate([0.0, 0.0, -0.06, 0.07], "", "chosen", "", "±40 %"),
            "torque_coefficient_reverse": Estimate([0.0, 0.0, 0.0, 0.07], "", "chosen"),
            "advance_range_forward": Estimate([0.0, 0.85], "1", "chosen"),
            "advance_range_reverse": Estimate([0.0, 0.85], "1", "chosen"),
            "loss_forward": Estimate([1.0], "1", "chosen"),
            "loss_reverse": Estimate([1.0], "1", "chosen"),
            "wake_fraction": Estimate([0.1], "1", "chosen"),
            "speed_limit_forward": Estimate(digits(fastest), "rev/s", "chosen", f"for {top:g} m/s"),
            "speed_limit_reverse": Estimate(digits(fastest), "rev/s", "chosen"),
        }),
    }  # fmt: skip
    return Estimated(
        "auv",
        f"Torpedo of {length:g} m by {diameter:g} m, estimated",
        f"A body of revolution of {length:g} m, {diameter:g} m thick, {digits(weight, 3):g} kg, with one "
        "propeller, a rudder "
        "and stern planes. Axes are NED and forward-starboard-down about the centre of buoyancy.",
        f"An estimate: nothing of it was measured. Ahead at about {cruise:g} m/s, for which the lift of the hull "
        "is taken.",
        {"length": length, "breadth": diameter, "height": diameter},
        sections,
        {
            "drag ahead": "steady runs at two or three shaft speeds, and the pull at a bollard: --thrust and "
            "--top-speed",
            "fins": "a horizontal zigzag and a turning circle at cruise speed: keelblocks lab identify",
            "pitch": "a step of depth, and steady pitch at two speeds: they give the righting moment and the trim",
        },
        cruise,
    )


def _about(mass: float, low: float, i_x: float, i_y: float) -> list[list[float]]:
    """M_RB about the axis, the centre of gravity below it."""
    found = [[0.0] * 6 for _ in range(6)]
    for i in range(3):
        found[i][i] = digits(mass)
    around = mass * low**2
    found[3][3], found[4][4], found[5][5] = digits(i_x + around), digits(i_y + around), digits(i_y)
    found[0][4] = found[4][0] = digits(mass * low)
    found[1][3] = found[3][1] = -digits(mass * low)
    return found
