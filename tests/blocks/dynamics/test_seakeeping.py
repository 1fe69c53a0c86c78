"""SeakeepingVessel against the frequency domain, the convolution, strip theory at speed, and conservation."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from seakeeping_hull import INFINITE, RIGID, STIFFNESS

from blocks.dynamics import SeakeepingVessel, Vessel6DOF
from blocks.errors import ParameterError
from blocks.lab.analysis import linearize
from blocks.run.result import Result

Sail = Callable[..., Result]
Array = NDArray[np.float64]

FREQUENCIES = np.array([2.5, 4.0, 3.0, 5.0])
DAMPING = np.array([[3.0, 1.0, 0, 0], [1.0, 4.0, 0, 0], [0, 0, 2.5, -0.8], [0, 0, -0.8, 3.0]])
COUPLING = np.array(
    [[1.0, 0, 12.0, 0, 2.0, 0], [2.0, 0, -4.0, 0, 6.0, 0], [0, 9.0, 0, -1.5, 0, 1.0], [0, 3.0, 0, 1.0, 0, 4.0]]
)
MEMORY: dict[str, Any] = {
    "memory_frequencies": FREQUENCIES,
    "memory_damping": DAMPING,
    "memory_coupling": COUPLING,
}
WAVES = np.array([0.3, 1.0, 2.0, 3.5, 6.0])


def vessel(**changes: Any) -> SeakeepingVessel:
    """A hull whose sides are alike, without viscosity."""
    return SeakeepingVessel(
        **({"rigid_body_inertia": RIGID, "added_mass": INFINITE, "stiffness": STIFFNESS} | MEMORY | changes)
    )


def radiation(omega: Array, infinite: Array = INFINITE, coupling: Array = COUPLING) -> NDArray[np.complex128]:
    """B_rad + iω A, from the docstring."""
    found = []
    for w in omega:
        inner = np.diag(FREQUENCIES**2 - w**2) + 1j * w * DAMPING
        found.append(1j * w * (coupling.T @ np.linalg.solve(inner, coupling) + infinite))
    return np.array(found)


def impedance(block: SeakeepingVessel, omega: Array) -> NDArray[np.complex128]:
    """Force over velocity at rest or about the initial speed, as the kernel has it."""
    system = linearize(block, inputs="force", outputs="nu", given={"force": np.zeros(6)})
    found = []
    for w in omega:
        mobility = system.C @ np.linalg.solve(1j * w * np.eye(len(system.A)) - system.A, system.B) + system.D
        found.append(np.linalg.inv(mobility))
    return np.array(found)


def test_without_coupling_it_is_a_vessel_without_memory_to_the_last_bit(sail: Sail) -> None:
    common: dict[str, Any] = {
        "rigid_body_inertia": RIGID,
        "added_mass": INFINITE,
        "linear_damping": np.diag([5.0, 9.0, 3.0, 1.0, 2.0, 4.0]),
        "quadratic_damping": np.diag([5.0, 50.0, 3.0, 1.0, 2.0, 9.0]),
        "stiffness": STIFFNESS,
        "initial_nu": [0.8, -0.3, 0.2, 0.1, -0.15, 0.3],
    }
    inputs = {"force": [9.0, 2.0, 5.0, 1.0, 2.0, 3.0], "current": [0.3, -0.2, 0.1]}
    silent = vessel(**common, memory_coupling=np.zeros((4, 6)))
    with_memory = sail(silent, 10.0, step=0.02, inputs=inputs)
    without = sail(Vessel6DOF(**common), 10.0, step=0.02, inputs=inputs)
    for name in ("eta", "nu", "acceleration", "damping_force", "coriolis_force", "restoring_force"):
        np.testing.assert_array_equal(with_memory.values(f"vessel.{name}"), without.values(f"vessel.{name}"))
    assert not np.any(with_memory.values("vessel.memory_force"))


def test_small_motions_are_those_of_the_frequency_domain() -> None:
    expected = radiation(WAVES) + 1j * WAVES[:, None, None] * RIGID + STIFFNESS / (1j * WAVES)[:, None, None]
    np.testing.assert_allclose(impedance(vessel(), WAVES), expected, rtol=1e-7, atol=1e-6)


def test_about_a_speed_radiation_is_that_of_strip_theory() -> None:
    # Salvesen, Tuck and Faltinsen (1970), table of zero-speed coefficients and speed, without terms of the stern. Surge
    # has no added mass there, and the weight no lever.
    speed = 2.0
    infinite, coupling = INFINITE.copy(), COUPLING.copy()
    infinite[0], infinite[:, 0], coupling[:, 0] = 0.0, 0.0, 0.0
    block = vessel(
        added_mass=infinite, memory_coupling=coupling, stiffness=np.zeros((6, 6)), initial_nu=[speed, 0, 0, 0, 0, 0]
    )
    selector = np.zeros((6, 6))
    selector[1, 5], selector[2, 4] = 1.0, -1.0  # ν = ξ' - U L ξ
    found = impedance(block, WAVES)
    for k, w in enumerate(WAVES):
        in_steady_axes = found[k] @ (np.eye(6) - speed / (1j * w) * selector) - 1j * w * RIGID
        added, damping = in_steady_axes.imag / w, in_steady_axes.real
        rest = radiation(WAVES[k : k + 1], infinite, coupling)[0]
        a, b = rest.imag / w, rest.real
        assert added[2, 4] == pytest.approx(a[2, 4] - speed * b[2, 2] / w**2, rel=1e-6)
        assert damping[2, 4] == pytest.approx(b[2, 4] + speed * a[2, 2], rel=1e-6)
        assert added[4, 2] == pytest.approx(a[2, 4] + speed * b[2, 2] / w**2, rel=1e-6)
        assert damping[4, 2] == pytest.approx(b[2, 4] - speed * a[2, 2], rel=1e-6)
        assert added[4, 4] == pytest.approx(a[4, 4] + speed**2 * a[2, 2] / w**2, rel=1e-6)
        assert damping[4, 4] == pytest.approx(b[4, 4] + speed**2 * b[2, 2] / w**2, rel=1e-6)
        assert damping[1, 5] == pytest.approx(b[1, 5] - speed * a[1, 1], rel=1e-6)
        assert added[3, 5] == pytest.approx(a[3, 5] + speed * b[1, 3] / w**2, rel=1e-6)
        assert added[5, 5] == pytest.approx(a[5, 5] + speed**2 * a[1, 1] / w**2, rel=1e-6)


def test_heave_decays_as_the_convolution_says(sail: Sail) -> None:
    # (M + A_∞) w' + ∫ K(t - t') w(t') dt' + C z = 0 by the trapezoidal rule: a second computation, without states.
    one = np.zeros((1, 6))
    one[0, 2] = 15.0
    omega, damping = 3.0, 2.4
    block = vessel(
        memory_frequencies=[omega],
        memory_damping=[[damping]],
        memory_coupling=one,
        added_mass=np.diag(np.diag(INFINITE)),
        initial_eta=[0, 0, 0.1, 0, 0, 0],
    )
    run = sail(block, 12.0, step=0.01)
    decay = damping / 2.0
    swing = np.sqrt(omega**2 - decay**2)

    def decayed(step: float) -> Array:
        times = np.arange(0.0, 12.0 + step / 2.0, step)
        kernel = 225.0 * np.exp(-decay * times) * (np.cos(swing * times) - decay / swing * np.sin(swing * times))
        z, w = np.zeros(len(times)), np.zeros(len(times))
        z[0] = 0.1
        mass, stiffness, force = 85.0, 900.0, -90.0
        for k in range(1, len(times)):
            past = step * (kernel[k:0:-1] @ w[:k] - 0.5 * kernel[k] * w[0])
            # w_k and z_k are unknown in the trapezoidal rule, and enter it linearly
            left = mass / step + 0.5 * (0.5 * step * kernel[0] + 0.5 * step * stiffness)
            right = mass / step * w[k - 1] + 0.5 * force - 0.5 * (past + stiffness * (z[k - 1] + 0.5 * step * w[k - 1]))
            w[k] = right / left
            z[k] = z[k - 1] + 0.5 * step * (w[k] + w[k - 1])
            force = -past - 0.5 * step * kernel[0] * w[k] - stiffness * z[k]
        return z

    coarse, fine = decayed(0.02), decayed(0.01)[::2]
    extrapolated = (4.0 * fine - coarse) / 3.0
    found = run.values("vessel.eta")[::2, 2]
    assert np.abs(coarse - fine).max() > 1e-5  # the rule is of second order, and seen to be
    np.testing.assert_allclose(found, extrapolated, atol=2e-7)


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_energy_only_leaves_by_the_waves(sail: Sail, attitude: str) -> None:
    # A free body that tumbles: kinetic energy with A_∞ falls by the work of μ, and Coriolis forces do none.
    block = vessel(
        stiffness=np.zeros((6, 6)),
        initial_nu=[0.8, -0.3, 0.2, 0.1, -0.15, 0.3],
        attitude=attitude,
        initial_memory="still",
    )
    run = sail(block, 12.0, step=0.005)
    nu, force = run.values("vessel.nu"), run.values("vessel.memory_force")
    assert np.ptp(nu[:, 3]) > 0.1
    energy = 0.5 * np.einsum("ti,ij,tj->t", nu, RIGID + INFINITE, nu)
    power = np.einsum("ti,ti->t", force, nu)
    work = np.concatenate([[0.0], np.cumsum(_simpson(power, 0.005))])
    np.testing.assert_allclose(energy[::2] + work, energy[0], rtol=1e-8)
    assert work.min() >= -1e-12  # passive: from rest, never more comes back than went in
    assert energy[-1] < 0.95 * energy[0]


def _simpson(values: Array, step: float) -> Array:
    """Integrals over pairs of steps."""
    pairs: Array = step / 3.0 * (values[:-2:2] + 4.0 * values[1:-1:2] + values[2::2])
    return pairs


def test_slow_motion_has_the_added_mass_of_zero_frequency(sail: Sail) -> None:
    block = vessel(stiffness=np.zeros((6, 6)), coriolis=False)
    expected = INFINITE + COUPLING.T @ np.diag(FREQUENCIES**-2) @ COUPLING
    np.testing.assert_allclose(block.zero_frequency_added_mass, expected, rtol=1e-14)
    force = np.array([1.0, 2.0, 0.5, 0.0, 0.0, 0.1])
    run = sail(block, 30.0, step=0.05, inputs={"force": force})
    np.testing.assert_allclose(
        run.values("vessel.acceleration")[-1], np.linalg.solve(RIGID + expected, force), rtol=1e-5, atol=1e-9
    )


def test_drifting_with_the_water_is_moving_in_still_water(sail: Sail) -> None:
    # ... also while waves that were made earlier are about, and by either attitude.
    current = np.array([0.4, -0.3, 0.2])
    force = [8.0, 2.0, 1.0, 0.5, 1.0, 4.0]
    level = np.diag([0.0, 0.0, 0.0, 40.0, 300.0, 0.0])
    still = sail(vessel(stiffness=level), 15.0, step=0.02, inputs={"force": force})
    afloat = {"attitude": "quaternion", "initial_memory": "still"}
    moved = vessel(stiffness=level, initial_nu=np.r_[current, np.zeros(3)], **afloat)
    drifting = sail(moved, 15.0, step=0.02, inputs={"force": force, "current": current})
    drift = np.outer(still.time, np.r_[current, np.zeros(3)])
    assert np.ptp(still.values("vessel.eta")[:, 5]) > 1.0
    apart = drifting.values("vessel.eta") - drift - still.values("vessel.eta")
    apart[:, 5] = np.angle(np.exp(1j * apart[:, 5]))
    assert np.abs(apart).max() < 2e-6


@pytest.mark.parametrize("attitude", ["euler", "quaternion"])
def test_a_vessel_under_way_keeps_its_way_and_one_that_is_set_going_makes_waves(sail: Sail, attitude: str) -> None:
    ahead = [2.0, 0, 0, 0, 0, 0]
    free = np.zeros((6, 6))
    fore_and_aft_alike = np.diag(np.diag(INFINITE))
    only_surge = COUPLING * np.array([1.0, 0, 0, 0, 0, 0])
    common = {"stiffness": free, "initial_nu": ahead, "attitude": attitude}
    hull = common | {"added_mass": fore_and_aft_alike, "memory_coupling": only_surge}
    under_way = sail(vessel(**hull), 30.0, step=0.05)
    np.testing.assert_allclose(under_way.values("vessel.nu"), np.broadcast_to(ahead, (601, 6)), atol=1e-13)
    set_going = sail(vessel(**hull, initial_memory="still"), 30.0, step=0.05).values("vessel.nu")[-1, 0]
    slow = 50.0 + 3.0 + only_surge[:, 0] @ (only_surge[:, 0] / FREQUENCIES**2)
    assert set_going == pytest.approx(2.0 * 53.0 / slow, rel=1e-6)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        (
            {"memory_damping": -DAMPING},
            r"memory_damping must take energy from all that moves, but the least eigenvalue of its symmetric part is "
            r"-4\.\d+; take the matrix as `blocks.hydro.fit_memory` gives it",
        ),
        (
            {"memory_coupling": COUPLING[:3]},
            "memory_damping has 4 entries, memory_coupling has 3: they must have the same",
        ),
        ({"memory_frequencies": [1.0, 0.0, 2.0, 3.0]}, r"memory_frequencies\[1\] must be > 0 rad/s, not 0"),
        ({"memory_coupling": 1.0}, r"memory_coupling must be an array of 4×6, not the single number 1"),
    ],
)
def test_oscillators_that_cannot_be_say_why(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(ParameterError, match=message):
        vessel(**changes)
