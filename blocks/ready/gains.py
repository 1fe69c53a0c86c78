"""Gains of the controllers, by rules from mass, damping and stiffness of the vessel at its speed.

    heading, depth, roll, pitch:  k_p = K - k, at least K/4,  K = (d + k_d) ω - m ω²,  k_d = max(2 m ω - d, m ω),
                                  k_i = k_p ω/10
    sway, where it is driven:     k_p = 2 m U/L, at most m × 1 1/s, on the velocity, so that it does not skid in turns
    speed:                        k_p = m/τ,  k_i = k_p/min(m/d, 4τ)

m, d, k: those of the motion at the cruise speed, the others held, d with the fins; so one pole is at ω, and the other
too or beyond; ω: as fast as half the greatest force allows for a step of 30°, of 1 m, or of 10° of roll and pitch, and
no faster than the hull goes its length, ω ≤ 2U/L; τ: as slow as half of what the drag leaves of the thrust takes to
reach U. Then all of them are made faster or slower together, until the margins of the loops with guidance and all else
closed are what is wanted.

Sources: Fossen (2021), Handbook of Marine Craft Hydrodynamics and Motion Control, 2nd ed., ch. 15 (pole placement);
Skogestad (2003), Simple analytic rules for model reduction and PID controller tuning, Journal of Process Control 13,
291-309 (speed).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from blocks.control.operating_point import OperatingPoint
from blocks.ready.craft import Craft, drag
from blocks.ready.drive import Drive

DAMPING = 1.0
SHARES = {"X": 0.6, "Y": 0.5, "Z": 0.6, "K": 0.3, "M": 0.5, "N": 0.4}
"""Of what the thrusters give, so that one axis leaves something for the others."""
_STEPS = {"N": np.radians(30.0), "Z": 1.0, "K": np.radians(10.0), "M": np.radians(10.0)}
_FASTEST = {"N": 3.0, "Z": 0.6, "K": 4.0, "M": 4.0}
_MOTIONS = {"X": "surge", "Y": "sway", "Z": "heave", "K": "roll", "M": "pitch", "N": "yaw"}


@dataclass(frozen=True)
class Axis:
    """A controller's numbers. `wish`: natural frequency in rad/s, of the speed 1/τ."""

    kp: float
    ki: float
    kd: float
    tracking: float
    lower: float
    upper: float
    wish: float
    inertia: float
    damping: float
    quadratic: float
    stiffness: float


def axis(vessel: Craft, drive: Drive, name: str, speed: float, slower: float = 1.0) -> Axis:
    """The gains of one axis; slower: by which factor it is slowed down."""
    point = OperatingPoint(vessel.vessel, speed, "keelblocks new")
    m, d, k = point.motion(_MOTIONS[name])
    lower, upper = (SHARES[name] * limit for limit in drive.limits[name])
    linear, quadratic = point.damping_law(_MOTIONS[name], d)
    if name == "X":
        upper = max(upper, 1.3 * drag(vessel.vessel, speed))
        spare = 0.5 * (upper - drag(vessel.vessel, speed))
        tau = slower * max(m * speed / spare, 0.5 * vessel.length / speed, 0.5)
        integral = min(m / d, 4.0 * tau) if d > 0.0 else 4.0 * tau
        kp = m / tau
        return Axis(kp, kp / integral, 0.0, 1.0 / integral, lower, upper, 1.0 / tau, m, linear, quadratic, 0.0)
    if name == "Y":
        pace = min(2.0 * speed / vessel.length, 1.0) / slower
        return Axis(pace * m, 0.0, 0.0, 0.0, lower, upper, pace, m, linear, quadratic, 0.0)
    half = 0.5 * min(upper, -lower)
    d += drive.damping.get(name, 0.0)
    pace = 2.0 * speed / vessel.length if name in "NZ" else _FASTEST[name]
    wish = min(np.sqrt(half / (_STEPS[name] * m)), pace, _FASTEST[name]) / slower
    kd = max(2.0 * DAMPING * wish * m - d, wish * m)
    stiff = (d + kd) * wish - m * wish**2
    kp = max(stiff - k, 0.25 * stiff)
    ki = 0.1 * wish * kp
    if name == "N" and drive.steers_under_way:
        lower, upper = drive.limits[name]  # a rudder shares its angle with no other axis
    return Axis(kp, ki, kd, 0.2 * wish, lower, upper, float(wish), m, linear, quadratic, k)
