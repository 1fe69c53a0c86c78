"""Ships by derivatives, from their vehicle files, beside the equations of their sources written out."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from published_ships import container_ship, mariner, naval_vessel, tanker

from blocks.dynamics import PolynomialVessel
from blocks.thrust import PolynomialRudder, PropellerRudder

Array = NDArray[np.float64]
RANDOM = np.random.default_rng(21)


def rates(vessel: PolynomialVessel, force: Any, u: float, v: float, p: float, r: float, phi: float = 0.0) -> Array:
    """dν/dt of surge, sway, roll and yaw."""
    ship = vessel.copy()
    ship.set(initial_nu=[u, v, 0, p, 0, r], initial_eta=[0, 0, 0, phi, 0, 0.3])
    return np.asarray(ship.evaluate(force=force).outputs["acceleration"])[[0, 1, 3, 5]]


def rudder_force(rudder: PolynomialRudder, nu: Any, angle: float, **more: float) -> Any:
    """τ of a rudder that has followed its command."""
    return rudder.evaluate(command=angle, nu_r=nu, **more).outputs["force"]


def test_the_mariner_accelerates_as_published() -> None:
    vessel = PolynomialVessel.from_vehicle("mariner")
    rudder = PolynomialRudder.from_vehicle("mariner", response="instant")
    for _ in range(20):
        u, v, r, angle = RANDOM.uniform([5.0, -1.5, -0.015, -0.6], [8.0, 1.5, 0.015, 0.6])
        force = rudder_force(rudder, [u, v, 0, 0, 0, r], angle)
        found = rates(vessel, force, u, v, 0.0, r)
        assert found[[0, 1, 3]] == pytest.approx(mariner(u, v, r, -angle), rel=1e-8, abs=1e-12)
        assert found[2] == 0.0


@pytest.mark.parametrize("depth", [1000.0, 60.0, 23.0])
def test_the_tanker_accelerates_as_published_in_any_depth(depth: float) -> None:
    vessel = PolynomialVessel.from_vehicle("esso_tanker", water_depth=depth)
    rudder = PolynomialRudder.from_vehicle("esso_tanker", response="instant", water_depth=depth)
    for _ in range(10):
        u, v, r, angle, n = RANDOM.uniform([3.0, -1.5, -0.01, -0.5, 0.4], [8.0, 1.5, 0.01, 0.5, 1.3])
        force = rudder_force(rudder, [u, v, 0, 0, 0, r], angle, shaft_command=n)
        found = rates(vessel, force, u, v, 0.0, r)
        assert found[[0, 1, 3]] == pytest.approx(tanker(u, v, r, -angle, n, depth), rel=1e-9, abs=1e-14)


def test_the_naval_vessel_accelerates_as_published() -> None:
    vessel = PolynomialVessel.from_vehicle("naval_vessel")
    for _ in range(20):
        state = RANDOM.uniform([4.0, -1.0, -0.1, -0.05, -0.4], [9.0, 1.0, 0.1, 0.05, 0.4])
        assert rates(vessel, np.zeros(6), *state) == pytest.approx(naval_vessel(*state), rel=1e-9, abs=1e-13)


def test_the_container_ship_accelerates_as_published() -> None:
    vessel = PolynomialVessel.from_vehicle("container")
    rudder = PropellerRudder.from_vehicle("container", response="instant")
    for _ in range(20):
        u, v, p, r, phi = RANDOM.uniform([5.0, -1.5, -0.02, -0.01, -0.3], [8.0, 1.5, 0.02, 0.01, 0.3])
        angle, n = RANDOM.uniform([-0.5, 0.8], [0.5, 1.4])
        force = rudder_force(rudder, [u, v, 0, p, 0, r], angle, shaft_command=n)
        published = container_ship(u, v, p, r, phi, angle, n)
        assert rates(vessel, force, u, v, p, r, phi) == pytest.approx(published, rel=1e-9, abs=1e-13)


@pytest.mark.parametrize("vehicle", ["container", "esso_tanker", "naval_vessel"])
@pytest.mark.parametrize("speed", [-8.0, -1.0, 1.0, 8.0])
def test_no_ship_is_pushed_by_its_own_resistance(vehicle: str, speed: float) -> None:
    """Astern too: u² in the sources, which are for ahead, made the container ship faster and faster."""
    vessel = PolynomialVessel.from_vehicle(vehicle)
    moving = [speed, 0.0, 0.0, 0.0, 0.0, 0.0]
    assert vessel.evaluate(states={"nu": moving}).outputs["damping_force"][0] * speed > 0.0
    if vehicle == "esso_tanker":
        rudder = PolynomialRudder.from_vehicle(vehicle, response="instant")
        stopped = rudder.evaluate(command=0.0, shaft_command=0.0, nu_r=moving).outputs["force"]
        assert stopped[0] * speed < 0.0
