"""Estimates of ships beside ships that were measured, and what is refused or warned of."""

from __future__ import annotations

import math

import numpy as np
import pytest

from blocks.dynamics import Vessel3DOF
from blocks.errors import ParameterError
from blocks.estimates import (
    EstimateWarning,
    clarke,
    cross_flow_coefficient,
    damping_from_times,
    form_factor,
    hydrostatics,
    inoue,
    ittc_friction,
    norrbin,
    quadratic_resistance,
    resistance,
    rudder_area,
    rudder_hull_force,
    rudder_lift_slope,
    thrust_deduction,
    wagner_smitt,
    wake_fraction,
    wetted_surface,
)

MARINER = (160.93, 23.17, 8.23, 0.60)
"""Chislett and Strøm-Tejsen (1965), Hy-5: derivatives 10⁻⁵, m′ = 798 and m′ x′_G = -18.4 taken out of Y_r and N_r."""
MARINER_MEASURED = {"Y_v": -1160, "Y_r": 299, "N_v": -264, "N_r": -184, "Y_vdot": -748, "N_rdot": -43.8}
KVLCC2 = (320.0, 58.0, 20.8, 0.81)
"""Yasukawa and Yoshimura (2015), table 3, over ½ρLd: times d/L; Y_r less m′_x, which stands with the mass there."""
KVLCC2_MEASURED = {
    name: 1e5 * 20.8 / 320.0 * value
    for name, value in {
        "Y_v": -0.315, "Y_r": 0.083 - 0.022, "N_v": -0.137, "N_r": -0.049, "Y_vdot": -0.223, "N_rdot": -0.011
    }.items()
}  # fmt: skip


@pytest.mark.parametrize(("ship", "measured", "within"), [
    (MARINER, MARINER_MEASURED, {"N_v": 2.0}),
    (KVLCC2, KVLCC2_MEASURED, {}),
])  # fmt: skip
@pytest.mark.parametrize("estimate", [clarke, inoue, norrbin, wagner_smitt])
def test_derivatives_are_near_those_of_ships_that_were_measured(estimate, ship, measured, within) -> None:
    """Clarke within 10 % below and 30 % above, all within a factor of 1.7; but N_v of the Mariner, twice as large."""
    found = estimate(*ship)
    for name, value in measured.items():
        ours = 1e5 * getattr(found, name)
        if ours:
            assert 1.0 / 1.7 < ours / value < within.get(name, 1.7), name
            if estimate is clarke and name not in within:
                assert 0.9 < ours / value < 1.3, name


def test_they_are_those_that_the_source_prints_for_an_example() -> None:
    """By hand for L/B 7, B/T 2.5, C_b 0.7: p = π/306.25."""
    found = clarke(175.0, 25.0, 10.0, 0.7)
    p = math.pi / 306.25
    hand = {
        "Y_v": 1.7, "Y_r": -0.5 + 2.2 / 7.0 - 0.2, "N_v": 0.5 + 2.4 / 17.5, "N_r": 0.25 + 0.0975 - 0.08,
        "Y_vdot": 1.28 - 5.1 / 49.0, "Y_rdot": 0.67 / 7.0 - 0.020625, "N_vdot": 1.1 / 7.0 - 0.1025,
        "N_rdot": 1.0 / 12.0 + 0.02975 - 0.33 / 7.0,
    }  # fmt: skip
    for name, value in hand.items():
        assert getattr(found, name) == pytest.approx(-p * value, rel=1e-12), name


def test_trim_by_the_stern_steadies() -> None:
    """Inoue et al. (1981): N_v falls, N_r and Y_v grow."""
    even, trimmed = inoue(*KVLCC2), inoue(*KVLCC2, trim=3.0)
    assert abs(trimmed.N_v) < abs(even.N_v)
    assert abs(trimmed.N_r) > abs(even.N_r)
    assert trimmed.stability(3.2e8) > even.stability(3.2e8)


def test_a_vessel_feels_the_derivatives_and_nothing_twice() -> None:
    """Y and N of a vessel with D and M_A, its Coriolis forces among them, are Y_v v + Y_r r and N_v v + N_r r."""
    found, speed, density = clarke(*MARINER), 7.7, 1025.0
    added = found.added_mass(surge=4e5)
    vessel = Vessel3DOF(
        mass=1e-6, yaw_inertia=1e-3, added_mass=added, linear_damping=found.damping(speed, added)
    )  # fmt: skip
    for v, r in ((0.01, 0.0), (0.0, 1e-4)):
        outputs = vessel.evaluate(states={"nu": [speed, v, 0, 0, 0, r]}).outputs
        force = -np.asarray(outputs["damping_force"]) - np.asarray(outputs["coriolis_force"])
        half, length = 0.5 * density * MARINER[0] ** 2 * speed, MARINER[0]
        assert force[1] == pytest.approx(half * (found.Y_v * v + length * found.Y_r * r), rel=1e-6)
        assert force[5] == pytest.approx(half * length * (found.N_v * v + length * found.N_r * r), rel=1e-5)


def test_friction_and_resistance() -> None:
    assert ittc_friction(1e7) == pytest.approx(0.003)  # 0.075/25
    assert ittc_friction(1e9) == pytest.approx(0.075 / 49.0)
    assert ittc_friction(1.0) == ittc_friction(1e4)
    ahead, astern = (resistance(u, 100.0, 2000.0, 1.2) for u in (5.0, -5.0))
    assert astern == -ahead < 0.0  # it never drives
    assert resistance(0.0, 100.0, 2000.0) == 0.0
    smooth = resistance(5.0, 100.0, 2000.0, 1.0, roughness=0.0, density=1000.0, viscosity=1e-6)
    assert smooth == pytest.approx(500.0 * 2000.0 * 25.0 * ittc_friction(5e8))
    assert quadratic_resistance(5.0, 100.0, 2000.0, 1.2) == pytest.approx(ahead / 25.0)
    half = resistance(2.5, 100.0, 2000.0, 1.2)
    assert 0.85 < quadratic_resistance(5.0, 100.0, 2000.0, 1.2) * 6.25 / half < 0.97


@pytest.mark.parametrize("ship", [MARINER, KVLCC2, (120.0, 20.0, 6.0, 0.7)])
def test_another_formula_gives_the_same_surface(ship: tuple[float, float, float, float]) -> None:
    """That of Denny and Mumford, 1.7 L T + ∇/T, within 6 %; a form factor as ships have it."""
    length, breadth, draught, block = ship
    assert wetted_surface(*ship) == pytest.approx(length * (1.7 * draught + block * breadth), rel=0.06)
    assert 1.1 < form_factor(*ship) < 1.4


def test_a_box_afloat_is_exact() -> None:
    """KB = T/2, BM = B²/(12 T), and periods of a box with the mass that it displaces."""
    box = hydrostatics(60.0, 12.0, 3.0, 1.0, centre_of_gravity=2.5, density=1000.0, gravity=10.0)
    assert (box.centre_of_buoyancy, box.transverse_radius, box.longitudinal_radius) == pytest.approx((1.5, 4.0, 100.0))
    assert (box.transverse_height, box.longitudinal_height) == pytest.approx((3.0, 99.0))
    mass = 2.16e6
    assert box.stiffness[2, 2] == pytest.approx(mass * 10.0 / 3.0)
    inertia = np.diag([mass, mass, mass, mass * 16.0, mass * 225.0, mass * 225.0])
    periods = box.periods(inertia)
    assert periods == pytest.approx([2.0 * math.pi * math.sqrt(x) for x in (0.3, 16.0 / 30.0, 225.0 / 990.0)])


def test_damping_from_times_damps_so() -> None:
    mass, spring = np.diag([10.0, 20.0, 30.0, 4.0, 5.0, 6.0]), np.diag([0.0, 0.0, 30.0, 4.0, 20.0, 0.0])
    found = damping_from_times(mass, spring, times=(5.0, 10.0, 2.0), ratios=(0.2, 0.05, 0.1))
    np.testing.assert_allclose(np.diag(found), [2.0, 2.0, 12.0, 0.4, 2.0, 3.0])
    for i, ratio in ((2, 0.2), (3, 0.05), (4, 0.1)):
        roots = np.roots([mass[i, i], found[i, i], spring[i, i]])
        assert -roots[0].real / abs(roots[0]) == pytest.approx(ratio)
    with pytest.raises(ParameterError, match="craft under water has no stiffness in heave"):
        damping_from_times(mass, np.zeros((6, 6)), (1.0, 1.0, 1.0))
    with pytest.raises(ParameterError, match="time constant of sway must be above 0 s, not -1"):
        damping_from_times(mass, spring, (1.0, -1.0, 1.0))


def test_cross_flow_falls_with_the_breadth() -> None:
    """Hoerner (1965): a plate 2, a square and a circle of hull between, barges about 0.6."""
    drags = [cross_flow_coefficient(2.0 * half, 1.0) for half in (0.01, 0.5, 1.0, 2.0, 4.0)]
    assert drags == sorted(drags, reverse=True)
    assert drags[0] == pytest.approx(1.97, abs=0.01)
    assert drags[-1] == pytest.approx(0.56, abs=0.01)
    with pytest.warns(EstimateWarning, match="half_breadth/draught from 0 to 4.01, and here it is 5"):
        assert cross_flow_coefficient(10.0, 1.0) == pytest.approx(drags[-1], rel=1e-4)


def test_sterns_of_ships() -> None:
    assert wake_fraction(0.8) == pytest.approx(0.35)
    assert wake_fraction(0.3, screws=2) == 0.0
    assert thrust_deduction(0.35) == pytest.approx(0.21)
    assert rudder_hull_force(0.81) == pytest.approx(0.355, abs=1e-3)  # measured: 0.312
    assert 0.014 < rudder_area(*KVLCC2[:3]) / (320.0 * 20.8) < 0.02  # as builders have them
    assert rudder_lift_slope(15.8, 8.65) == pytest.approx(2.747, abs=0.02)  # KVLCC2, f_α of the MMG method


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ((160.0, 23.0, 8.0, 1.2), "block_coefficient must be > 0 and ≤ 1, not 1.2: it is the volume displaced"),
        ((8.0, 23.0, 160.0, 0.6), "breadth is 23 m and length 8 m: a hull is longer than it is wide or deep"),
        ((160.0, 23.0, 200.0, 0.6), "draught is 200 m and length 160 m"),
        ((160.0, 23.0, 0.0, 0.6), "draught must be a number above 0, not 0.0"),
    ],
)
@pytest.mark.parametrize("estimate", [clarke, inoue, norrbin, wetted_surface, form_factor, hydrostatics])
def test_what_cannot_be_a_hull_is_refused(estimate, wrong, told) -> None:
    with pytest.raises(ParameterError, match=told):
        estimate(*wrong)


def test_hulls_beyond_the_data_are_warned_of() -> None:
    with pytest.warns(EstimateWarning, match="clarke is for L/B from 4.5 to 9, and here it is 2"):
        clarke(20.0, 10.0, 3.0, 0.6)
    with pytest.raises(ParameterError, match="the hull would capsize"):
        hydrostatics(60.0, 12.0, 3.0, 1.0, centre_of_gravity=9.0)
    with pytest.raises(ParameterError, match="must be from the block coefficient"):
        hydrostatics(60.0, 12.0, 3.0, 0.8, waterplane_coefficient=0.5)
    with pytest.raises(ParameterError, match="screws must be 1 or 2, not 3"):
        wake_fraction(0.7, 3)
