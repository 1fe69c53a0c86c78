"""A ship with one propeller and a rudder behind it."""

from __future__ import annotations

import math

import numpy as np

from blocks import estimates
from blocks.errors import ScenarioError
from blocks.estimates.validity import check_hull
from blocks.ready.estimates.entry import Estimate, Estimated, diagonal, digits
from blocks.ready.estimates.ship_propulsion import Propulsion, propulsion, rudder
from blocks.ready.estimates.water import SEA, G

_SERVICE = 0.18
"""Froude number of the top speed that is not given."""
_FASTEST = 0.25
"""Beyond, waves take half of the power, and no formula here knows of them."""
_STABILITY = 0.05
"""GM_T over B, chosen: ships have 0.03 to 0.08."""
_STATIONS = 21


def ship(
    length: float, breadth: float, draught: float, block_coefficient: float, *, top_speed: float | None = None
) -> Estimated:
    """A ship from length between perpendiculars, breadth and draught, m, and block coefficient; top speed, m/s.

    What is not given: a top speed at the Froude number 0.18. Raises ParameterError if these cannot be a hull's, and
    ScenarioError if it is no ship, or too fast for these estimates.
    """
    check_hull(length, breadth, draught, block_coefficient)
    _check_ship(length, breadth, draught, block_coefficient)
    top = top_speed if top_speed is not None else digits(_SERVICE * math.sqrt(G * length), 2)
    if top > _FASTEST * math.sqrt(G * length):
        raise ScenarioError(
            f"a ship of {length:g} m makes waves at {top:g} m/s that these estimates do not know; they are for up to "
            f"{digits(_FASTEST * math.sqrt(G * length), 2):g} m/s for this length"
        )
    cruise = digits(0.8 * top, 2)
    hull = (length, breadth, draught, block_coefficient)
    volume = block_coefficient * length * breadth * draught
    mass = SEA * volume
    surface, form = estimates.wetted_surface(*hull), estimates.form_factor(*hull)
    x_uu = estimates.quadratic_resistance(top, length, surface, form)
    drive = propulsion(x_uu * top * top, top, length, draught, block_coefficient)

    derivatives = estimates.clarke(*hull)
    planar = derivatives.added_mass(estimates.surge_added_mass(length, volume))
    planar[1, 2] = planar[2, 1] = 0.5 * (planar[1, 2] + planar[2, 1])  # of both, for inertia is symmetric
    damping = derivatives.damping(cruise, planar)
    across = estimates.cross_flow_coefficient(min(breadth, 8.0 * draught), draught)
    floating = estimates.hydrostatics(*hull, centre_of_gravity=0.0)
    high = floating.transverse_height - _STABILITY * breadth
    floating = estimates.hydrostatics(*hull, centre_of_gravity=high)
    strips = _strips(*hull)
    i_x, i_y = mass * (0.37 * breadth) ** 2, mass * (0.25 * length) ** 2
    whole, resisting = np.zeros((6, 6)), np.zeros((6, 6))
    for i in (2, 3, 4):
        whole[i, i] = strips[i, i]
    for target, source in ((whole, planar), (resisting, damping)):
        for a, i in enumerate((0, 1, 5)):
            for b, j in enumerate((0, 1, 5)):
                target[i, j] = source[a, b]
    inertia = np.diag([mass, mass, mass, i_x, i_y, i_y])
    swinging = estimates.damping_from_times(inertia + whole, floating.stiffness, (1.0, 1.0, 1.0), (0.2, 0.05, 0.2))
    for i in (2, 3, 4):
        resisting[i, i] = swinging[i, i]
    course = derivatives.stability(mass)

    drag = (
        f"C_F at {top:g} m/s with 1 + k {form:.3g}, wetted surface {surface:.4g} m², roughness 150 µm; waves are "
        "not in it"
    )
    turning = "regression of ships that were towed, less the Coriolis forces of the added mass"
    crossing = {
        "cross_flow_length": Estimate(digits(length), "m", "given"),
        "cross_flow_draught": Estimate(digits(draught), "m", "given"),
        "cross_flow_sway_coefficient": Estimate(
            digits(across, 3), "1", "estimate_hoerner", f"by B/(2T) {0.5 * breadth / draught:.3g}", "±40 %"
        ),
        "cross_flow_density": Estimate(SEA, "kg/m^3", "chosen", "sea water"),
    }
    sections: dict[str, tuple[str, dict[str, Estimate]]] = {
        "planar": ("dynamics.Vessel3DOF", {
            "mass": Estimate(digits(mass), "kg", "given", "displaced: density of sea water times C_b L B T"),
            "yaw_inertia": Estimate(digits(i_y), "kg*m^2", "estimate_fossen", "radius of gyration 0.25 L", "±15 %"),
            "added_mass": Estimate(
                _rows(planar), "", "estimate_clarke",
                "sway and yaw, Y_rdot and N_vdot their mean; surge 2.7 rho V^(5/3)/L^2 by Soding", "±30 %",
            ),
            "linear_damping": Estimate(_rows(damping), "", "estimate_clarke", f"at {cruise:g} m/s: {turning}", "±40 %"),
            "nonlinear_damping": Estimate(
                [digits(x_uu), *[0.0] * 9], "", "estimate_holtrop", f"X_|u|u: {drag}", "±25 %",
            ),
            **crossing,
        }),
        "dynamics": ("dynamics.Vessel6DOF", {
            "rigid_body_inertia": Estimate(
                diagonal(mass, mass, mass, i_x, i_y, i_y), "", "estimate_fossen",
                "radii of gyration 0.37 B, 0.25 L, 0.25 L", "±15 %",
            ),
            "added_mass": Estimate(
                _rows(whole), "", "estimate_lewis",
                f"heave, roll, pitch: {_STATIONS} Lewis sections; surge, sway, yaw as in planar", "±30 %",
            ),
            "linear_damping": Estimate(
                _rows(resisting), "", "estimate_clarke",
                f"sway and yaw at {cruise:g} m/s: {turning}; damping ratios of heave, roll and pitch 0.2, 0.05 and 0.2 "
                "are chosen", "±40 %",
            ),
            "quadratic_damping": Estimate(
                diagonal(x_uu, 0.0, 0.0, 0.0, 0.0, 0.0), "", "estimate_holtrop", f"surge: {drag}", "±25 %"
            ),
            "stiffness": Estimate(
                _rows(floating.stiffness), "", "estimate_munro_smith",
                f"C_wp (1 + 2 C_b)/3; GM_T of {floating.transverse_height:.3g} m, 0.05 B, is chosen, GM_L "
                f"{floating.longitudinal_height:.3g} m", "±20 %; roll a factor of 2",
            ),
            **crossing,
        }),
        "rudder": ("thrust.Rudder", rudder(length, breadth, draught, block_coefficient, high, drive)),
        "propeller": ("thrust.PropellerThrusters", _propeller(drive, top)),
    }  # fmt: skip
    periods = floating.periods(inertia + whole)
    keeps = "keeps her course by herself" if course > 0.0 else "does not keep her course without a hand on the wheel"
    return Estimated(
        "ship",
        f"Ship of {length:g} m by {breadth:g} m by {draught:g} m, C_b {block_coefficient:g}, estimated",
        f"A ship of {length:g} m between perpendiculars, {breadth:g} m wide, with a draught of {draught:g} m and "
        f"{digits(mass, 4):g} kg, one propeller of {drive.diameter:.3g} m and a rudder behind it. By these numbers she "
        f"{keeps}; periods of heave, roll and pitch {periods[0]:.2g}, {periods[1]:.2g} and {periods[2]:.2g} s. Axes "
        "are NED and forward-starboard-down about midship, at the height of the centre of gravity, which lies there.",
        f"An estimate: nothing of it was measured. Deep water, ahead at about {cruise:g} m/s, for which sway and yaw "
        f"are taken, up to {top:g} m/s; drift angles of harbour manoeuvres by cross flow alone.",
        {"length": length, "breadth": breadth},
        sections,
        {
            "turning": "a turning circle at 35° and a zigzag 10/10, with the rudder angle: keelblocks lab identify",
            "resistance": "speed over shaft speed and power on a measured mile, both ways",
            "stability": "an inclining test, or the roll period in still water: it gives GM_T",
            "stopping": "a crash stop: it tells the thrust astern",
        },
        cruise,
    )


def _check_ship(length: float, breadth: float, draught: float, block: float) -> None:
    """Raise ScenarioError for hulls that are far from any ship."""
    for what, ratio, least, most in (
        ("L/B", length / breadth, 2.0, 14.0),
        ("B/T", breadth / draught, 1.0, 12.0),
        ("the block coefficient", block, 0.35, 1.0),
    ):
        if not least <= ratio <= most:
            raise ScenarioError(
                f"a hull of {length:g} m by {breadth:g} m by {draught:g} m with C_b {block:g} is no ship: {what} is "
                f"{ratio:.3g}, and ships have {least:g} to {most:g}"
            )


def _rows(matrix: np.ndarray) -> list[list[float]]:
    return [[digits(float(value)) + 0.0 for value in row] for row in matrix]


def _strips(length: float, breadth: float, draught: float, block: float) -> np.ndarray:
    """Added mass of a hull whose waterline has the area C_wp L B, and each section the coefficient C_b/C_wp."""
    full = (1.0 + 2.0 * block) / 3.0
    x = np.linspace(-0.5 * length, 0.5 * length, _STATIONS)
    sharp = min(full / (1.0 - full), 60.0) if full < 1.0 else 60.0
    breadths = breadth * (1.0 - np.abs(2.0 * x / length) ** sharp)
    coefficient = min(block / full, 0.995)
    return estimates.strip_added_mass(
        [float(v) for v in x], [float(v) for v in breadths], [draught] * _STATIONS, [coefficient] * _STATIONS
    )


def _propeller(drive: Propulsion, top: float) -> dict[str, Estimate]:
    """The parameters of the propeller, each with its source."""
    series = f"B-series: {drive.blades} blades, A_e/A_0 {drive.area_ratio:g}, P/D {drive.pitch_ratio:.2g}"
    chosen = "the series has none astern: 0.7 of K_T(0) and K_Q(0) ahead"
    found = drive.parameters
    shaft = f"1.2 times what {top:g} m/s takes"
    return {
        "allocation_matrix": Estimate(
            [[1.0], [0.0], [0.0], [0.0], [0.0], [0.0]],
            "",
            "chosen",
            "on the centreline; the little that its thrust pitches the hull is left out",
        ),
        "diameter": Estimate([digits(drive.diameter, 3)], "m", "chosen", "0.7 T"),
        "density": Estimate(SEA, "kg/m^3", "chosen", "sea water"),
        "thrust_coefficient_forward": Estimate(
            _digits(found["thrust_coefficient_forward"]), "", "estimate_wageningen", series, "±5 % of such a propeller"
        ),
        "thrust_coefficient_reverse": Estimate(
            _digits(found["thrust_coefficient_reverse"]), "", "chosen", chosen, "±30 %"
        ),
        "torque_model": Estimate("coefficients", "", "chosen"),
        "torque_coefficient_forward": Estimate(
            _digits(found["torque_coefficient_forward"]), "", "estimate_wageningen", series, "±5 % of such a propeller"
        ),
        "torque_coefficient_reverse": Estimate(
            _digits(found["torque_coefficient_reverse"]), "", "chosen", chosen, "±30 %"
        ),
        "advance_range_forward": Estimate(
            _digits(found["advance_range_forward"], 3), "1", "estimate_wageningen", "to where K_T is 0"
        ),
        "advance_range_reverse": Estimate(_digits(found["advance_range_reverse"], 3), "1", "chosen", "as ahead"),
        "loss_forward": Estimate(
            [digits(1.0 - drive.deduction, 3)], "1", "estimate_deduction", f"1 - t, t {drive.deduction:.3g}", "±5 %"
        ),
        "loss_reverse": Estimate([0.9], "1", "chosen", "the jet hits the hull", "±10 %"),
        "wake_fraction": Estimate([digits(drive.wake, 3)], "1", "estimate_taylor", "0.5 C_b - 0.05", "±0.05"),
        "speed_limit_forward": Estimate([digits(1.2 * drive.shaft_speed, 3)], "rev/s", "chosen", shaft),
        "speed_limit_reverse": Estimate([digits(0.8 * drive.shaft_speed, 3)], "rev/s", "chosen", "two thirds of it"),
    }


def _digits(values: list[float], count: int = 4) -> list[float]:
    return [digits(value, count) for value in values]
