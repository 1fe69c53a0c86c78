"""SeakeepingVessel with a slow motion: products of motions in waves go, those of a manoeuvre and of a speed stay."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from seakeeping_hull import INFINITE, RIGID, STIFFNESS

from blocks import Diagram, simulate
from blocks.basic import Sine
from blocks.dynamics import SeakeepingVessel
from blocks.lab.analysis import linearize
from blocks.run.result import Result

Sail = Callable[..., Result]
Array = NDArray[np.float64]

HULL: dict[str, Any] = {
    "rigid_body_inertia": RIGID,
    "added_mass": INFINITE,
    "linear_damping": np.diag([40.0, 120.0, 60.0, 9.0, 60.0, 60.0]),
    "memory_frequencies": [2.5, 4.0, 3.0],
    "memory_damping": [[3.0, 1.0, 0], [1.0, 4.0, 0], [0, 0, 2.5]],
    "memory_coupling": [[1.0, 0, 12.0, 0, 2.0, 0], [2.0, 0, -4.0, 0, 6.0, 0], [0, 9.0, 0, -1.5, 0, 1.0]],
}


def mean_of_waves(slow: float, speed: float, omega: float, height: float = 1.0) -> Array:
    """X, Z and M of f_c + f_m, over a period, of a hull on a steady course that a force in heave and pitch shakes."""
    shake = height * np.array([0.5, 0, 2.0, 0, 1.5, 0])
    vessel = SeakeepingVessel(**HULL, slow_motion_time=slow, integrate_pose=False, initial_nu=[speed, 0, 0, 0, 0, 0])
    diagram = Diagram()
    diagram.add("vessel", vessel)
    thrust = np.array([40.0 * speed, 0, 0, 0, 0, 0])
    force = diagram.add("force", Sine(shake, omega, [0.0, 0, 0.4, 0, 1.9, 0], offset=thrust))
    pose = diagram.add("pose", Sine(np.zeros(6), omega))
    diagram.connect(force.y, vessel.force)
    diagram.connect(pose.y, vessel.pose)
    period, points = 2.0 * np.pi / omega, 100
    run = simulate(diagram, 40 * period, step=period / points)
    both = run.values("vessel.coriolis_force") + run.values("vessel.memory_force")
    found: Array = both[-points - 1 : -1, [0, 2, 4]].mean(axis=0)
    return found


@pytest.mark.parametrize("speed", [0.0, 1.5])
def test_of_the_mean_force_of_waves_a_known_share_stays(speed: float) -> None:
    # Both factors of a product go through iωT/(1 + iωT), so of its mean 1 - ω²T²/(1 + ω²T²) stays. What comes with the
    # speed has no mean but that of calm water, which is taken off.
    omega, slow = 2.0, 1.5
    calm = mean_of_waves(0.0, speed, omega, 0.0)
    whole = mean_of_waves(0.0, speed, omega) - calm
    left = mean_of_waves(slow, speed, omega) - calm
    assert np.abs(whole).min() > 2e-4
    np.testing.assert_allclose(left / whole, 1.0 / (1.0 + (omega * slow) ** 2), rtol=2e-3)


def test_about_a_steady_speed_it_responds_as_the_whole() -> None:
    # The terms that go are of second order about any steady motion. The filters have their own poles, beside those.
    slow = 2.5
    start = {"initial_nu": [1.2, 0, 0, 0, 0, 0], "stiffness": STIFFNESS}
    parted, whole = (
        linearize(SeakeepingVessel(**HULL, **start, slow_motion_time=time), inputs="force", outputs="nu",
                  given={"force": np.zeros(6)})
        for time in (slow, 0.0)
    )  # fmt: skip
    for omega in (0.05, 0.4, 2.0):
        found, expected = (
            s.C @ np.linalg.solve(1j * omega * np.eye(len(s.A)) - s.A, s.B) + s.D for s in (parted, whole)
        )
        np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-12)
    poles = np.sort_complex(np.linalg.eigvals(parted.A))
    beside = np.sort_complex(np.r_[np.linalg.eigvals(whole.A), np.full(12, -1.0 / slow)])
    np.testing.assert_allclose(np.poly(poles), np.poly(beside), rtol=1e-6)


def test_a_turn_is_the_same_once_it_is_steady_and_nearly_so_before(sail: Sail) -> None:
    inputs = {"force": [60.0, -10.0, 0, 0, 0, 25.0]}
    start = {"initial_nu": [1.2, 0, 0, 0, 0, 0], "stiffness": STIFFNESS}
    runs = [
        sail(SeakeepingVessel(**HULL, **start, slow_motion_time=time), 60.0, step=0.02, inputs=inputs)
        for time in (0.0, 0.2, 1.0)
    ]
    whole, quick, slow = (run.values("vessel.nu") for run in runs)
    assert whole[-1, 5] > 0.2
    assert abs(whole[-1, 1]) > 0.05
    for parted in (quick, slow):
        np.testing.assert_allclose(parted[-1], whole[-1], rtol=1e-8, atol=1e-10)
    # What goes is a product of two changes within T, of second order in it while T is short beside the manoeuvre.
    apart = [np.abs(parted - whole).max() for parted in (quick, slow)]
    assert 0.0 < apart[0] < 0.2 * apart[1]
    assert apart[1] < 0.05 * np.abs(whole).max()


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_drifting_with_the_water_is_moving_in_still_water(sail: Sail, attitude: str) -> None:
    # Of waves is what changes of the velocity through the water, by whatever way the vessel goes over ground.
    current = np.array([0.4, -0.3, 0.2])
    common = {"stiffness": np.diag(np.r_[0.0, 0.0, 0.0, np.diag(STIFFNESS)[3:]]), "slow_motion_time": 1.5}
    force = [30.0, 2.0, 1.0, 0.5, 1.0, 20.0]
    still = sail(SeakeepingVessel(**HULL, **common), 15.0, step=0.02, inputs={"force": force})
    moved = SeakeepingVessel(
        **HULL, **common, initial_nu=np.r_[current, np.zeros(3)], attitude=attitude, initial_memory="still"
    )
    drifting = sail(moved, 15.0, step=0.02, inputs={"force": force, "current": current})
    apart = drifting.values("vessel.eta") - np.outer(still.time, np.r_[current, np.zeros(3)])
    apart -= still.values("vessel.eta")
    apart[:, 5] = np.angle(np.exp(1j * apart[:, 5]))
    assert np.ptp(still.values("vessel.eta")[:, 5]) > 1.0
    assert np.abs(apart).max() < 2e-6


def test_without_coriolis_forces_there_is_nothing_to_part(sail: Sail) -> None:
    start = {"initial_nu": [0.8, -0.3, 0.2, 0.1, -0.15, 0.3], "stiffness": STIFFNESS, "coriolis": False}
    whole, parted = (
        sail(SeakeepingVessel(**HULL, **start, slow_motion_time=time), 10.0, step=0.02).values("vessel.nu")
        for time in (0.0, 2.0)
    )
    np.testing.assert_array_equal(parted, whole)
