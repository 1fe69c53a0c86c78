"""An open frame with four horizontal thrusters at 45° and four vertical ones."""

from __future__ import annotations

import numpy as np

from blocks.errors import ScenarioError
from blocks.estimates import frame_added_mass, share_of_open_frame
from blocks.ready.estimates.entry import Estimate, Estimated, diagonal, digits
from blocks.ready.estimates.water import FRESH, G

_BLUNT = 1.1
"""C_D of a box across the flow, on the area of its front."""


def rov(
    length: float,
    breadth: float,
    height: float,
    mass: float,
    *,
    thrust: float | None = None,
    top_speed: float | None = None,
) -> Estimated:
    """A frame from its outer dimensions, m, and mass, kg; its full thrust ahead, N, and top speed, m/s.

    What is not given: a top speed of 1 m/s, the thrust that the drag takes there. Raises ScenarioError if the mass is
    more than the box around it displaces, or next to nothing.
    """
    box = length * breadth * height
    fill = mass / (FRESH * box)
    if not 0.03 < fill <= 1.0:
        raise ScenarioError(
            f"a box of {length:g} m by {breadth:g} m by {height:g} m displaces {FRESH * box:.3g} kg of water: a "
            "vehicle of "
            f"this size that floats just so has {0.1 * FRESH * box:.2g} to {0.7 * FRESH * box:.3g} kg, not {mass:g}"
        )
    top = top_speed if top_speed is not None else 1.0
    sides = np.array([length, breadth, height])
    open_ = share_of_open_frame(fill)
    added = [open_ * frame_added_mass(sides[i], sides[i - 1], sides[i - 2], FRESH) for i in range(3)]
    areas = [box / side for side in sides]
    quadratic = [0.5 * FRESH * _BLUNT * area for area in areas]
    by_trial = thrust is not None and top_speed is not None
    if by_trial and thrust is not None:
        quadratic[0] = thrust / top**2
    full = thrust if thrust is not None else quadratic[0] * top**2
    linear = [0.1 * value for value in quadratic]
    turning = [(1, 2), (0, 2), (0, 1)]  # the sides across the axes of roll, pitch and yaw
    inertia = [mass * (sides[i] ** 2 + sides[j] ** 2) / 16.0 for i, j in turning]
    moment = [(added[j] * sides[i] ** 2 + added[i] * sides[j] ** 2) / 12.0 for i, j in turning]
    around = [
        0.5 * FRESH * _BLUNT * box / (sides[i] * sides[j]) * (sides[i] ** 4 + sides[j] ** 4) / 32.0 for i, j in turning
    ]
    swing = [0.2 * value for value in around]
    apart = 0.05 * height
    each = full / (4.0 * np.sqrt(0.5))
    steps = np.linspace(-1.0, 1.0, 21)
    thrusts = each * np.abs(steps) * steps
    x, y = 0.34 * length, 0.2 * breadth
    reach_x, reach_y = 0.26 * length, 0.38 * breadth
    corners = [(a, b) for a in (1.0, -1.0) for b in (1.0, -1.0)]
    places: list[dict[str, list[float]]] = [{"at": [a * x, b * y, 0.0], "along": [a, -b, 0.0]} for a, b in corners]
    places += [{"at": [a * reach_x, b * reach_y, 0.0], "along": [0.0, 0.0, -1.0]} for a, b in corners]
    power = np.abs(thrusts) ** 1.5 / np.sqrt(2.0 * FRESH * np.pi * 0.25 * (0.18 * height + 0.03) ** 2) / 0.35
    error = "±15 %" if by_trial else "a factor of 4"
    dynamics = {
        "rigid_body_inertia": Estimate(
            diagonal(mass, mass, mass, *inertia), "", "estimate_fossen", "radii of gyration a quarter of the diagonal",
            "a factor of 2",
        ),
        "added_mass": Estimate(
            diagonal(*added, *moment), "", "estimate_dnv",
            f"square prisms with openings, {open_:.2f} of the closed box; turning: of sway, surge and heave "
            "times side^2/12",
            "a factor of 3",
        ),
        "linear_damping": Estimate(
            diagonal(*linear, *swing), "", "chosen", "a tenth of the quadratic one at 1 m/s, a fifth at 1 rad/s", "a "
            "factor of 3",
        ),
        "quadratic_damping": Estimate(
            diagonal(*quadratic, *around), "", "thrust_at_top_speed" if by_trial else "estimate_hoerner",
            "blunt box, C_D 1.1" + (", but surge by thrust and top speed" if by_trial else ""), error,
        ),
        "weight": Estimate(digits(mass * G), "N", "given"),
        "buoyancy": Estimate(digits(1.005 * mass * G), "N", "chosen", "0.5 % more than its weight"),
        "centre_of_gravity": Estimate([0.0, 0.0, 0.0], "m", "chosen", "the body origin"),
        "centre_of_buoyancy": Estimate(
            [0.0, 0.0, -digits(apart, 3)], "m", "chosen", "0.05 of the height above", "a factor of 5"
        ),
    }  # fmt: skip
    thrusters = {
        "thrusters": Estimate(
            [{**one, "at": [digits(value, 3) for value in one["at"]]} for one in places], "", "chosen",
            "four horizontal at 45 deg, four vertical",
        ),
        "commands": Estimate([digits(float(v), 3) for v in steps], "", "chosen", "part of the greatest"),
        "thrusts": Estimate(
            [digits(float(v), 4) for v in thrusts], "N", "given" if thrust is not None else "chosen",
            "a square law to the thrust that goes ahead at full, alike astern", "±30 %",
        ),
        "speeds": Estimate([digits(50.0 * float(v), 3) for v in steps], "rev/s", "chosen", "50 rev/s at full"),
        "powers": Estimate(
            [digits(float(v), 3) for v in power], "W", "chosen", "ideal power of a propeller over 0.35", "a factor of 2"
        ),
    }  # fmt: skip
    return Estimated(
        "rov",
        f"Frame of {length:g} by {breadth:g} by {height:g} m and {mass:g} kg, estimated",
        f"An open frame of {length:g} m by {breadth:g} m by {height:g} m, {mass:g} kg, with four horizontal "
        "thrusters at 45 "
        "deg and four vertical ones. Axes are NED and forward-starboard-down about the centre of gravity. No tether.",
        f"An estimate: nothing of it was measured. Slow motion, to {top:g} m/s.",
        {"length": length, "breadth": breadth, "height": height},
        {"dynamics": ("dynamics.Vessel6DOF", dynamics), "thrusters": ("thrust.MeasuredThruster", thrusters)},
        {
            "drag": "steady speeds ahead, sideways and down at known thrust: --thrust and --top-speed",
            "thrusters": "the pull at a bollard against the command, one thruster: thrust.MeasuredThruster reads "
            "the table",
            "righting moment": "a known weight hung on one side, and the heel; then free decay of roll and pitch",
            "added mass": "push and coast in each direction, logged: keelblocks lab identify",
        },
        digits(0.5 * top, 2),
    )
