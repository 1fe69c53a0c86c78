"""A surface craft of one or two hulls with two propellers side by side."""

from __future__ import annotations

import math

from blocks.errors import ScenarioError
from blocks.estimates import cross_flow_coefficient
from blocks.ready.estimates.entry import Estimate, Estimated, diagonal, digits
from blocks.ready.estimates.water import FRESH, G, friction

_BOLLARD = 1.5
"""Thrust at rest over that at top speed, chosen; a propeller gives less the faster it goes."""
_BLOCK = 0.5
"""C_B of small craft."""
_FASTEST = 1.2
"""The greatest Froude number: from about there craft plane."""
_RESIDUARY = 0.03
"""C_R on the wetted surface: what the trials of Otter, WAM-V and Lutra Prop leave beside friction, in the mean. It is
several times that of ships: small craft are driven at Froude numbers at which they make waves."""


def usv(
    length: float,
    mass: float,
    *,
    breadth: float | None = None,
    hulls: int = 1,
    thrust: float | None = None,
    top_speed: float | None = None,
) -> Estimated:
    """A surface craft from length, m, and mass, kg; breadth over all, m, its full thrust, N, and top speed, m/s.

    What is not given: a breadth of 0.4 L, or 0.5 L with two hulls; a top speed at the Froude number 0.4; the thrust
    that the drag takes there. Raises ScenarioError if these cannot be those of a craft that floats.
    """
    wide = breadth if breadth is not None else (0.5 if hulls == 2 else 0.4) * length
    beam = 0.25 * wide if hulls == 2 else wide
    draught = mass / (FRESH * _BLOCK * length * beam * hulls)
    if not 0.005 * length < draught < 1.2 * beam:
        low, high = (FRESH * _BLOCK * length * beam * hulls * t for t in (0.005 * length, 1.2 * beam))
        raise ScenarioError(
            f"a craft of {length:g} m by {wide:.3g} m and {mass:g} kg would float with a draught of {draught:.2g} m; "
            f"for this size {digits(low, 2):g} to {digits(high, 2):g} kg are plausible"
        )
    top = top_speed if top_speed is not None else digits(0.4 * math.sqrt(G * length), 2)
    if top > _FASTEST * math.sqrt(G * length):
        raise ScenarioError(
            f"a craft of {length:g} m planes at {top:g} m/s, and these estimates are for displacement speeds, up to "
            f"{digits(_FASTEST * math.sqrt(G * length), 2):g} m/s for this length"
        )
    volume = mass / FRESH
    each = volume / hulls
    wetted = hulls * (1.7 * length * draught + each / draught)
    coefficient = friction(top, length) * 1.2 + _RESIDUARY
    by_trial = thrust is not None and top_speed is not None
    x_uu = thrust / top**2 if by_trial and thrust is not None else 0.5 * FRESH * wetted * coefficient
    full = thrust if thrust is not None else _BOLLARD * x_uu * top**2
    spacing = wide - beam if hulls == 2 else 0.5 * wide
    cruise = digits(0.6 * top, 2)

    i_x, i_y, i_z = mass * (0.37 * wide) ** 2, mass * (0.25 * length) ** 2, mass * (0.25 * length) ** 2
    a_x = 2.7 * FRESH * volume ** (5.0 / 3.0) / length**2
    a_y = hulls * 0.5 * math.pi * FRESH * draught**2 * length
    a_z = hulls * math.pi / 8.0 * FRESH * beam**2 * length
    a_n, a_m, a_k = a_y * length**2 / 12.0, a_z * length**2 / 16.0, 0.2 * i_x
    drag = cross_flow_coefficient(min(beam, 8.0 * draught), draught) * hulls  # flat hulls as the flattest known
    y_vv = 0.5 * FRESH * draught * length * drag
    n_rr = 0.5 * FRESH * draught * length**4 / 32.0 * drag
    slender = math.pi * (draught / length) ** 2
    per_speed = 0.5 * FRESH * length**2 * cruise * hulls
    y_v = per_speed * slender * (1.0 + 0.4 * _BLOCK * beam / draught)
    n_r = per_speed * length**2 * slender * max(0.25 + 0.039 * beam / draught - 0.56 * beam / length, 0.1)
    n_r += 2.0 * x_uu * cruise * (0.5 * spacing) ** 2 if hulls == 2 else 0.0

    plane = hulls * 0.75 * length * beam
    inertia_t = 0.75 * length * beam**3 / 12.0 * 0.8 * hulls + (plane * (0.5 * spacing) ** 2 if hulls == 2 else 0.0)
    inertia_l = plane * length**2 / 14.0
    # buoyancy at 0.45 T and weight at 0.3 T above the waterline, from each other
    apart = 0.45 * draught + 0.3 * draught
    gm_t, gm_l = max(inertia_t / volume - apart, 0.05 * wide), inertia_l / volume - apart
    g33, g44, g55 = FRESH * G * plane, mass * G * gm_t, mass * G * gm_l
    d_w, d_p, d_q = (
        2.0 * ratio * math.sqrt(m * g)
        for ratio, m, g in ((0.3, mass + a_z, g33), (0.2, i_x + a_k, g44), (0.2, i_y + a_m, g55))
    )

    x_source = "thrust_at_top_speed" if by_trial else "estimate_ittc57"
    x_note = (
        "thrust over the square of the top speed" if by_trial
        else f"C_F at {top:g} m/s with a form factor of 1.2, C_R {_RESIDUARY:g} as small craft have it, wetted "
        "surface 1.7 L T + volume/T"
    )  # fmt: skip
    x_error = "±15 %" if by_trial else "a factor of 2"
    added = "surge by Soding; sway by strips, half of rho pi T^2; heave, pitch by strips; yaw sway times L^2/12"
    planar = {
        "mass": Estimate(digits(mass), "kg", "given"),
        "yaw_inertia": Estimate(digits(i_z), "kg*m^2", "estimate_fossen", "radius of gyration 0.25 L", "a factor of 2"),
        "added_mass": Estimate(diagonal(a_x, a_y, a_n), "", "estimate_newman", added, "a factor of 2"),
        "linear_damping": Estimate(
            diagonal(0.0, y_v, n_r), "", "estimate_clarke", f"at {cruise:.2g} m/s; regressions of ships", "a "
            "factor of 2.5"
        ),
        "nonlinear_damping": Estimate(
            [digits(x_uu), 0.0, digits(y_vv), 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, digits(n_rr)], "", x_source,
            f"surge: {x_note}; sway and yaw: cross flow (Hoerner), likely within a factor of 2", x_error,
        ),
    }  # fmt: skip
    whole = {
        "rigid_body_inertia": Estimate(
            diagonal(mass, mass, mass, i_x, i_y, i_z), "", "estimate_fossen", "radii of gyration 0.37 B, 0.25 L, "
            "0.25 L",
            "a factor of 2",
        ),
        "added_mass": Estimate(diagonal(a_x, a_y, a_z, a_k, a_m, a_n), "", "estimate_newman", added, "a factor of 2"),
        "linear_damping": Estimate(
            diagonal(0.0, y_v, d_w, d_p, d_q, n_r), "", "estimate_clarke",
            f"sway and yaw at {cruise:.2g} m/s; damping ratios of 0.3, 0.2 and 0.2 in heave, roll and pitch are chosen",
            "a factor of 2.5",
        ),
        "quadratic_damping": Estimate(
            diagonal(x_uu, y_vv, 0.0, 0.0, 0.0, n_rr), "", x_source,
            f"surge: {x_note}; sway and yaw: cross flow (Hoerner), likely within a factor of 2", x_error,
        ),
        "stiffness": Estimate(
            diagonal(0.0, 0.0, g33, g44, g55, 0.0), "", "estimate_fossen",
            f"water plane of 0.75 L B, metacentric heights {gm_t:.2g} m and {gm_l:.2g} m", "±30 %",
        ),
    }  # fmt: skip
    known = "given" if thrust is not None else "chosen"
    thrusters = {
        "spacing": Estimate(digits(spacing, 3), "m", "chosen", "half the breadth, or from hull to hull"),
        "thrust_limit_forward": Estimate(
            digits(0.5 * full),
            "N",
            known,
            "half of the full thrust" if thrust else f"1.5 times what the drag takes at {top:g} m/s",
        ),
        "thrust_limit_reverse": Estimate(digits(0.3 * full), "N", "chosen", "0.6 of that ahead"),
    }
    shape = "two hulls" if hulls == 2 else "one hull"
    return Estimated(
        "usv",
        f"Surface craft of {length:g} m and {mass:g} kg, estimated",
        f"A craft of {shape}, {length:g} m by {wide:.3g} m, {mass:g} kg, draught {draught:.2g} m, with two "
        "propellers side "
        "by side. Axes are NED and forward-starboard-down about the centre of gravity.",
        f"An estimate: nothing of it was measured. Displacement speeds, to {top:g} m/s.",
        {"length": length, "breadth": wide},
        {
            "planar": ("dynamics.Vessel3DOF", planar),
            "dynamics": ("dynamics.Vessel6DOF", whole),
            "thrusters": ("thrust.DifferentialThrust", thrusters),
        },
        {
            "drag ahead": "full thrust straight ahead until the speed is steady, and the pull at a bollard: "
            "--thrust and "
            "--top-speed",
            "turning": "a zigzag 20/20 and a turning circle, logged with heading, yaw rate and thrust: keelblocks lab "
            "identify",
            "mass": "push and coast: full ahead, then stop, with the speed logged; it gives mass with added mass, too",
            "roll": "an inclining test: a known weight moved to the side, and the heel",
        },
        cruise,
    )
