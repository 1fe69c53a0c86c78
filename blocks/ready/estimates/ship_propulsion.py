"""The propeller and the rudder of an estimated ship."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from blocks import estimates
from blocks.estimates.ship_resistance import VISCOSITY
from blocks.ready.estimates.entry import Estimate, digits
from blocks.ready.estimates.water import SEA

_BLADES, _AREA = 4, 0.6
"""Chosen: what most single-screw merchant ships have, about."""
_PITCHES = [0.6 + 0.05 * k for k in range(13)]


@dataclass(frozen=True)
class Propulsion:
    """A propeller for a resistance at a speed."""

    diameter: float
    pitch_ratio: float
    area_ratio: float
    blades: int
    wake: float
    deduction: float
    shaft_speed: float
    """That the top speed takes, rev/s."""
    parameters: dict[str, Any]
    """Of `PropellerThrusters`, as far as the series has them."""


def propulsion(resistance: float, speed: float, length: float, draught: float, block: float) -> Propulsion:
    """The propeller of 0.7 T whose pitch takes the least power at a resistance, N, and speed, m/s."""
    wake = estimates.wake_fraction(block)
    deduction = estimates.thrust_deduction(wake)
    diameter, thrust = 0.7 * draught, resistance / (1.0 - deduction)
    best: tuple[float, float, float] | None = None
    for pitch in _PITCHES:
        k_t, k_q = estimates.open_water(pitch, _AREA, _BLADES)
        turns = _turns(k_t, thrust, (1.0 - wake) * speed, diameter)
        torque = float(np.polyval(k_q, (1.0 - wake) * speed / (turns * diameter)))
        if torque > 0.0 and (best is None or torque * turns**3 < best[0]):
            best = torque * turns**3, pitch, turns
    assert best is not None
    _, pitch, turns = best
    along = math.hypot((1.0 - wake) * speed, 0.75 * math.pi * turns * diameter)
    reynolds = 2.073 * _AREA / _BLADES * diameter * along / VISCOSITY
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", estimates.EstimateWarning)  # of models, whose Re is less
        found = estimates.propeller_parameters(diameter, pitch, _AREA, _BLADES, reynolds=reynolds)
    turns = _turns(found["thrust_coefficient_forward"], thrust, (1.0 - wake) * speed, diameter)
    return Propulsion(diameter, pitch, _AREA, _BLADES, wake, deduction, turns, found)


def _turns(k_t: Sequence[float], thrust: float, advance: float, diameter: float) -> float:
    """The shaft speed that makes a thrust, rev/s."""
    low, high = advance / (1.5 * diameter), 100.0 * advance / diameter
    for _ in range(100):
        n = 0.5 * (low + high)
        made = SEA * diameter**4 * float(np.polyval(k_t, advance / (n * diameter))) * n * n
        low, high = (n, high) if made < thrust else (low, n)
    return 0.5 * (low + high)


def rudder(
    length: float, breadth: float, draught: float, block: float, high: float, drive: Propulsion
) -> dict[str, Estimate]:
    """The parameters of the rudder, each with its source; high: KG, m."""
    hull = estimates.rudder_hull_force(block)
    area = estimates.rudder_area(length, breadth, draught)
    height = 0.8 * draught
    slope = estimates.rudder_lift_slope(height, area / height)
    return {
        "position": Estimate(
            [digits(-0.5 * length, 3), 0.0, digits(high - 0.4 * draught, 3)], "m", "chosen", "at the stern, 0.4 T up"
        ),
        "area": Estimate(digits(area, 3), "m^2", "estimate_rudder", "L T/100 (1 + 25 (B/L)^2)", "±30 %"),
        "lift_coefficient": Estimate(
            digits(0.5 * slope * (1.0 + hull), 3),
            "1",
            "estimate_fujii",
            f"lift slope {slope:.3g} per rad, height "
            f"0.8 T; {1.0 + hull:.3g} times for what the hull adds (Kijima et al. 1990)",
            "±25 %",
        ),
        "drag_coefficient": Estimate(0.6, "1", "chosen"),
        "density": Estimate(SEA, "kg/m^3", "chosen", "sea water"),
        "angle_limit": Estimate(0.6109, "rad", "chosen", "35 deg"),
        "propeller_diameter": Estimate(digits(drive.diameter, 3), "m", "chosen", "behind the propeller"),
        "slipstream_share": Estimate(digits(min(drive.diameter / height, 1.0), 3), "1", "chosen", "D over its height"),
    }
