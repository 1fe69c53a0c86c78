"""The container ship KCS: the published equations written anew, its revolutions, and its manoeuvres."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from blocks import Diagram, simulate
from blocks.dynamics import MMGVessel
from blocks.lab.analysis import trim
from blocks.lab.manoeuvres import turning_circle, zigzag
from blocks.thrust import MMGPropulsion

LENGTH, DRAUGHT, SPEED, REVOLUTIONS = 230.0, 10.8, 24 * 1852 / 3600, 1.925
CONDITIONS: dict[str, Any] = {
    "inputs": {"revolutions": [REVOLUTIONS]}, "approach": "10 s", "step": 0.25, "length": LENGTH,
    "rudder": "propulsion.angle[0]",
}  # fmt: skip


def kcs(**propulsion: Any) -> Diagram:
    ship = Diagram("kcs")
    vessel = ship.add("vessel", MMGVessel.from_vehicle("kcs", initial_nu=[SPEED, 0, 0, 0, 0, 0]))
    screw = ship.add("propulsion", MMGPropulsion.from_vehicle("kcs", **propulsion))
    ship.connect(vessel.nu_r, screw.nu_r)
    ship.connect(screw.force, vessel.force)
    ship.inputs(revolutions=screw.command, rudder=screw.rudder)
    return ship


def published(_: float, state: Any, delta: float) -> list[float]:
    """d(u, v, r, ψ, north, east)/dt in metres; forces in primes, as public codes have them."""
    u, v, r, psi, _, _ = state
    speed, area = np.hypot(u, v), LENGTH * DRAUGHT
    b, w = np.arctan2(-v, u), r * LENGTH / speed
    x = -0.0167 - 0.0549 * b**2 - 0.1084 * b * w - 0.0120 * w**2 - 0.0417 * b**4
    y = 0.2252 * b + 0.0398 * w + 1.7179 * b**3 - 0.4832 * b**2 * w + 0.8341 * b * w**2 - 0.0050 * w**3
    n = 0.1111 * b - 0.0465 * w + 0.1752 * b**3 - 0.6168 * b**2 * w + 0.0512 * b * w**2 - 0.0387 * w**3
    advance = u * 0.645 / (REVOLUTIONS * 7.9)
    k_t = 0.5228 - 0.4390 * advance - 0.0609 * advance**2
    x += 0.793 * k_t * 7.9**4 * REVOLUTIONS**2 / (0.5 * area * speed**2)
    gain = 1 + 0.633 * (np.sqrt(1 + 8 * k_t / (np.pi * advance**2)) - 1)
    u_r = 0.956 * 0.645 * u * np.sqrt(0.7979 * gain**2 + 1 - 0.7979)
    at_rudder = b + 0.755 * w
    v_r = (0.492 if at_rudder > 0 else 0.338) * speed * at_rudder  # as Yasukawa and Yoshimura (2015) have it
    normal = 45.279 / area * 3.005 * (u_r**2 + v_r**2) / speed**2 * np.sin(delta - np.arctan2(v_r, u_r))
    x -= 0.742 * normal * np.sin(delta)
    y -= 1.361 * normal * np.cos(delta)
    n -= (-0.5 + 0.361 * -0.436) * normal * np.cos(delta)
    m, x_g = 52070.0, -3.404
    force = 0.5 * area * speed**2 * np.array([x, y, n * LENGTH])
    force += [m * (v * r + x_g * r**2), -m * u * r, -m * x_g * u * r]
    m_x, m_y = 0.5 * area * LENGTH * np.array([0.00627, 0.15516])
    inertia = m * ((0.25 * LENGTH) ** 2 + x_g**2) + 0.5 * area * LENGTH**3 * 0.009269
    mass = np.array([[m + m_x, 0, 0], [0, m + m_y, m * x_g], [0, m * x_g, inertia]])
    rates = np.linalg.solve(mass, force)
    c, s = np.cos(psi), np.sin(psi)
    return [*rates, r, u * c - v * s, u * s + v * c]


@pytest.mark.parametrize("delta", np.radians([35.0, -10.0]))
def test_a_turn_is_that_of_the_published_equations(delta: float) -> None:
    """Written anew and integrated by SciPy, for 200 s; the rudder is there at once."""
    ship = kcs(response="instant")
    run = simulate(ship, 200.0, step=0.1, inputs={"revolutions": [REVOLUTIONS], "rudder": [delta]}, every=100)
    found = solve_ivp(
        published, (0.0, 200.0), [SPEED, 0, 0, 0, 0, 0], t_eval=run.time, args=(delta,), rtol=1e-11, atol=1e-11
    )
    eta = run.values("vessel.eta")
    np.testing.assert_allclose(eta[:, [5, 0, 1]], found.y[3:].T, rtol=1e-6, atol=1e-4)
    assert abs(eta[-1, 5]) > 1.0


def test_its_revolutions_hold_the_speed() -> None:
    """115.5 rpm at 24 kn, as the set has them."""
    straight = {"vessel.nu[u]": SPEED, "vessel.nu[v]": 0, "vessel.nu[r]": 0, "vessel.eta[psi]": 0}
    point = trim(kcs(), straight, free=["revolutions"], given={"rudder": [0.0]}, guess={"revolutions[0]": 1.5})
    assert point["revolutions"][0] == pytest.approx(115.5 / 60, rel=2e-3)


def test_it_manoeuvres_as_ships_of_its_kind_do() -> None:
    """A ship that was built to steer: IMO's bounds are met, to port it turns tighter, as γ_R has it."""
    starboard, port = turning_circle(kcs(), "35 deg", turn="200 deg", **CONDITIONS).measures.values()
    assert 2.5 < port.advance / LENGTH < starboard.advance / LENGTH < 4.5
    assert 2.5 < port.tactical_diameter / LENGTH < starboard.tactical_diameter / LENGTH < 5.0
    for order, most in (("10 deg", 14.3), ("20 deg", 25.0)):
        for test in zigzag(kcs(), order, sides=("starboard", "port"), **CONDITIONS).measures.values():
            assert 3.0 < np.degrees(test.overshoot_angles[0]) < most
