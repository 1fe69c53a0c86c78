"""The open-loop manoeuvres of Minerva: balances of forces, Galilean invariance, and decays in closed form."""

from __future__ import annotations

import re
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from scipy.integrate import solve_ivp
from scipy.optimize import brentq, fsolve

from blocks.report import animate

EXAMPLE = Path(__file__).parents[2] / "examples" / "minerva_manoeuvres.py"
RHO, WEIGHT = 1025.0, 4925.56575  # kg/m³, N
INERTIA = dict(zip("uvwpqr", (753.0, 762.0, 786.0, 157.26, 156.02, 107.31), strict=True))
LINEAR = dict(zip("uvwpqr", (29.0, 41.0, 254.0, 34.0, 59.0, 45.0), strict=True))
QUADRATIC = dict(zip("uvwpqr", (292.0, 584.0, 635.0, 84.0, 148.0, 100.0), strict=True))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The names of the example, run once with few frames, and the folder that it wrote into."""
    folder = tmp_path_factory.mktemp("minerva")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        patch.setitem(animate.__kwdefaults__, "fps", 0.5)
        return runpy.run_path(str(EXAMPLE)) | {"folder": folder}


def damping(axis: str, velocity: float) -> float:
    return LINEAR[axis] * velocity + QUADRATIC[axis] * abs(velocity) * velocity


def thrust(revolutions: float, speed: float, diameter: float = 0.22, loss: float = 0.72) -> float:
    """Of one propeller that turns ahead, with the published cubic."""
    advance = speed / (revolutions * diameter)
    coefficient = ((0.5 * advance - 0.66) * advance - 0.25) * advance + 0.24
    return RHO * diameter**4 * loss * coefficient * revolutions**2


def test_straight_ahead_thrust_and_damping_are_in_balance(study: Any) -> None:
    """Two propellers toed in by 10°: T = 2 · 0.985 f(0.985 u) = D(u)."""
    speed = brentq(lambda u: 1.97 * thrust(12.0, 0.985 * u) - damping("u", u), 0.1, 2.0, xtol=1e-12)
    nu = study["runs"]["surge"].values("vessel.nu")[-1]
    assert nu[0] == pytest.approx(speed, rel=1e-6)
    np.testing.assert_allclose(nu[1:], 0.0, atol=1e-12)
    assert study["steady"](study["AHEAD"], [0.7, 0, 0, 0, 0, 0])[0] == pytest.approx(speed, rel=1e-10)


def test_the_turn_is_the_solution_of_three_equations(study: Any) -> None:
    """m₂₂ v r + τ_X = D(u), -m₁₁ u r + τ_Y = D(v), (m₁₁ - m₂₂) u v + τ_N = D(r)."""

    def rest(motion: Any) -> list[float]:
        u, v, r = motion
        port, starboard = (
            thrust(n, 0.985 * u - side * (0.174 * v - 0.335 * r)) for n, side in ((14.0, 1.0), (9.0, -1.0))
        )
        return [
            0.985 * (port + starboard) + INERTIA["v"] * v * r - damping("u", u),
            -0.174 * (port - starboard) - INERTIA["u"] * u * r - damping("v", v),
            0.335 * (port - starboard) + (INERTIA["u"] - INERTIA["v"]) * u * v - damping("r", r),
        ]

    u, v, r = fsolve(rest, [0.4, -0.2, 0.2], xtol=1e-12)
    nu = study["runs"]["turn"].values("vessel.nu")[-1]
    np.testing.assert_allclose(nu[[0, 1, 5]], [u, v, r], rtol=1e-6)
    assert study["turning_circle"](study["runs"]["turn"]) == pytest.approx(np.hypot(u, v) / r, rel=1e-4)
    assert r > 0.0 > v  # to starboard, with more revolutions to port; the bow points into the circle


def test_heave_and_sway_find_their_balance_in_a_current(study: Any) -> None:
    down = brentq(lambda w: 2.0 * thrust(10.0, w, loss=0.58) - damping("w", w), 0.01, 1.0, xtol=1e-12)
    sideways = brentq(lambda v: 60.0 - damping("v", v), 0.01, 1.0, xtol=1e-12)
    runs = study["runs"]
    assert runs["heave"].values("vessel.nu_r[w]")[-1] == pytest.approx(down, rel=1e-4)
    assert runs["sway"].values("vessel.nu_r[v]")[-1] == pytest.approx(sideways, rel=1e-4)
    np.testing.assert_allclose(runs["heave"].values("vessel.nu")[-1, 1], 0.1, rtol=0.02)
    assert runs["heave"].values("vessel.nu_r[v]")[0] == pytest.approx(-0.1)


@pytest.mark.parametrize("revolutions", [[0, 10, 10, 0, 0], [3, 6, 5, 14, 9]], ids=["heave", "everything"])
def test_a_vehicle_that_drifts_with_the_water_does_in_it_what_it_does_in_still_water(
    study: Any, revolutions: list[float]
) -> None:
    """Galilean invariance, also where the vehicle turns and heels; over ground the current is added."""
    speed, towards, end = 0.3, 0.7, 20.0
    flow = speed * np.array([np.cos(towards), np.sin(towards), 0.0])
    still = study["go"](study["minerva"](revolutions), end)
    carried = study["go"](study["minerva"](revolutions, initial_nu=[*flow, 0, 0, 0]), end, speed, towards)
    np.testing.assert_allclose(carried.values("vessel.nu_r"), still.values("vessel.nu_r"), atol=1e-9)
    drift = carried.values("vessel.eta") - still.values("vessel.eta")
    np.testing.assert_allclose(drift[:, :3], still.time[:, None] * flow, atol=1e-8)
    np.testing.assert_allclose(drift[:, 3:], 0.0, atol=1e-9)
    assert np.abs(still.values("vessel.nu")[-1]).max() > 0.1


def test_the_forces_are_in_balance_at_each_instant(study: Any) -> None:
    """With M and the damping of the vehicle file in figures, not as the vessel reports them."""
    mass = np.diag(list(INERTIA.values()))
    np.testing.assert_allclose(study["MASS"], mass, rtol=1e-15)
    for name, run in study["runs"].items():
        terms = study["forces"](run)
        assert list(terms) == ["thrust τ", "inertia -M ν̇", "Coriolis -f_c", "damping -f_d", "restoring -f_h"]
        largest = np.abs(np.array(list(terms.values()))).max()
        np.testing.assert_allclose(sum(terms.values()), 0.0, atol=1e-12 * largest, err_msg=name)
        assert study["imbalance"](run) < 1e-12
        nu_r = run.values("vessel.nu_r")
        wanted = [[damping(axis, value) for axis, value in zip("uvwpqr", row, strict=True)] for row in nu_r[::99]]
        np.testing.assert_allclose(run.values("vessel.damping_force")[::99], wanted, atol=1e-12 * largest)


def test_the_acceleration_is_the_rate_of_change_of_the_velocity(study: Any) -> None:
    run = study["runs"]["dive"]
    nu, rate = run.values("vessel.nu"), run.values("vessel.acceleration")
    change = (nu[2:] - nu[:-2]) / (run.time[2:] - run.time[:-2])[:, None]
    np.testing.assert_allclose(change[5:], rate[6:-1], atol=2e-5)


def test_coasting_follows_the_closed_form(study: Any) -> None:
    for name, axis, start in (("surge", "u", 0.8), ("yaw", "r", 0.6)):
        run = study["runs"][f"{name} decay"]
        exact = solve_ivp(
            lambda _, x, axis=axis: -damping(axis, x[0]) / INERTIA[axis], (0.0, 40.0), [start], t_eval=run.time[::50],
            rtol=1e-10, atol=1e-12,
        ).y[0]  # fmt: skip
        np.testing.assert_allclose(run.values(f"vessel.nu[{axis}]")[::50], exact, rtol=1e-6, atol=1e-11)
        closed = study["decay"](run.time[::50], start, LINEAR[axis] / INERTIA[axis], QUADRATIC[axis] / INERTIA[axis])
        np.testing.assert_allclose(closed, exact, rtol=1e-7, atol=1e-11)


@pytest.mark.parametrize(("axis", "angle", "pitch"), [("p", "phi", False), ("q", "theta", True)])
def test_small_heels_swing_with_the_linear_period_and_decrement(study: Any, axis: str, angle: str, pitch: bool) -> None:
    """I φ̈ + d φ̇ + W BG φ = 0 with BG = 0.27 m."""
    alpha = LINEAR[axis] / (2.0 * INERTIA[axis])
    omega = np.sqrt(WEIGHT * 0.27 / INERTIA[axis] - alpha**2)
    run = study["released"](1e-4, pitch=pitch)
    swing = run.values(f"vessel.eta[{angle}]") / 1e-4
    exact = np.exp(-alpha * run.time) * (np.cos(omega * run.time) + alpha / omega * np.sin(omega * run.time))
    np.testing.assert_allclose(swing, exact, atol=1e-3)
    assert study["period"](run, f"vessel.eta[{angle}]") == pytest.approx(2.0 * np.pi / omega, rel=1e-4)
    others = np.delete(run.values("vessel.nu"), 4 if pitch else 3, axis=1)
    np.testing.assert_allclose(others, 0.0, atol=1e-12)


def test_simulated_and_balanced_numbers_agree(study: Any) -> None:
    """Heel by 10° swings slower than a small one by θ²/16, 0.2 %, and as it is damped; all else is exact."""
    rows = study["comparison"]()
    assert len(rows) == 14
    for manoeuvre, quantity, simulated, wanted in rows:
        heel = "period" in quantity or (quantity == "time to half, s" and manoeuvre == "")
        assert simulated == pytest.approx(wanted, rel=0.006 if heel else 1e-4), (manoeuvre, quantity)


def test_the_page_shows_what_comes_out(study: Any) -> None:
    """Each number, to its last digit: what is simulated, and what is so in balance."""
    page = (EXAMPLE.parents[1] / "docs" / "minerva_manoeuvres.md").read_text(encoding="utf-8")
    two_numbers = re.compile(r"\| \d+\.\d+[^|]*\| \d+\.\d+[^|]*\|$")
    cells = [line.split("|")[3:5] for line in page.splitlines() if two_numbers.search(line)]
    rows = study["comparison"]()
    assert len(cells) == len(rows)
    for shown, (manoeuvre, quantity, *numbers) in zip(cells, rows, strict=True):
        for text, number in zip(shown, numbers, strict=True):
            digits = re.match(r" (\d+\.(\d+))", text)
            assert digits, text
            assert round(number, len(digits[2])) == pytest.approx(float(digits[1])), (manoeuvre, quantity)


def test_figures_and_animation_are_there(study: Any) -> None:
    for name in ("minerva_manoeuvres.png", "minerva_forces.png"):
        assert (study["folder"] / name).read_bytes().startswith(b"\x89PNG")
    with Image.open(study["folder"] / "minerva_dive.gif") as film:
        assert film.n_frames == 4
