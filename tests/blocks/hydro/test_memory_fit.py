"""The fit of a memory: radiation that oscillators make, a hemisphere, and data with faults."""

import numpy as np
import pytest
from hulme import HEMISPHERE

from blocks.hydro.errors import HydroError, HydroWarning
from blocks.hydro.memory import Memory
from blocks.hydro.memory_figures import memory_figure
from blocks.hydro.memory_fit import fit_memory
from blocks.hydro.oscillator_fit import Problem
from blocks.hydro.retardation import infinite_added_mass

KNOWN = Memory(
    frequencies=np.array([0.8, 1.4, 1.1, 1.8]),
    damping=np.array([[0.9, 0.3, 0, 0], [0.3, 1.2, 0, 0], [0, 0, 1.0, -0.2], [0, 0, -0.2, 1.5]]),
    coupling=1e3
    * np.array([[0, 0, 3.0, 0, 20.0, 0], [0, 0, -2.0, 0, 90.0, 0], [0, 2.0, 0, 9.0, 0, 0], [0, 1.0, 0, -30.0, 0, 0]]),
    infinite_added_mass=np.diag([1e5, 3e6, 5e6, 2e8, 6e9, 4e9]),
)
OMEGA = np.linspace(0.1, 3.5, 40)


def hemisphere() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """ω, A and B with a = g = 2/3 π ρ = 1."""
    number, added, damping = HEMISPHERE.T
    omega = np.sqrt(number)
    a, b = np.zeros((len(omega), 6, 6)), np.zeros((len(omega), 6, 6))
    a[:, 2, 2], b[:, 2, 2] = added, damping * omega
    return omega, a, b


def test_what_oscillators_radiate_is_found_again() -> None:
    # A_∞ that is known, sought, and 3 % off, as that of panels may be
    for given in (KNOWN.infinite_added_mass, None, 1.03 * KNOWN.infinite_added_mass):
        fit = fit_memory(OMEGA, KNOWN.added_mass(OMEGA), KNOWN.radiation_damping(OMEGA), given)
        assert fit.groups == (("Sway", "Roll"), ("Heave", "Pitch"))
        assert len(fit.pairs) == 6
        found, known = (np.diag(memory.infinite_added_mass)[1:5] for memory in (fit.memory, KNOWN))
        np.testing.assert_allclose(found, known, rtol=5e-3)
        assert min(pair.r_squared for pair in fit.pairs) > 0.9999
        assert max(pair.worst for pair in fit.pairs) < 0.012
        between = np.linspace(0.1, 3.5, 97)
        wanted = KNOWN.response(between)
        scale = np.sqrt(np.einsum("kii->ki", np.abs(wanted)).max(axis=0))
        apart = np.abs(fit.memory.response(between) - wanted)
        assert np.all(apart <= 0.015 * np.outer(scale, scale))
        assert max(fit.memory.poles().real) < 0.0
        assert fit.passivity > -1e-12
    assert "infinite frequency, beside the data's: Sway -2.9 %" in fit.text()


def test_a_hemisphere_in_heave() -> None:
    omega, added, damping = hemisphere()
    # A_∞/(2/3 π ρ a³) is exactly 1/2: a whole sphere in an infinite fluid, Hulme's table at the end.
    by_ogilvie, spread = infinite_added_mass(omega, added, damping)
    assert by_ogilvie[2, 2] == pytest.approx(0.5, abs=1e-3)
    assert spread[2, 2] < 1e-3
    fit = fit_memory(omega, added, damping)
    (heave,) = fit.pairs
    assert fit.memory.states <= 8
    assert fit.memory.infinite_added_mass[2, 2] == pytest.approx(0.5, abs=5e-4)
    assert heave.r_squared > 0.9999
    np.testing.assert_allclose(fit.memory.radiation_damping(omega)[:, 2, 2], damping[:, 2, 2], atol=5e-4)
    np.testing.assert_allclose(fit.memory.added_mass(omega)[1:, 2, 2], added[1:, 2, 2], atol=1e-3)
    # Hulme's 0.8310 at 0, where A has a logarithm that no system of finite order has
    assert fit.memory.added_mass(0.0)[0, 2, 2] == pytest.approx(0.8310, rel=0.02)


def test_the_fit_is_passive_where_the_data_are_not() -> None:
    # An irregular frequency, as panel methods have them, and damping below zero where it should vanish.
    omega, added, damping = hemisphere()
    spoilt, below = added.copy(), damping.copy()
    spoilt[19, 2, 2] += 0.3
    below[19, 2, 2] -= 0.2
    with pytest.warns(HydroWarning, match=r"radiation of Heave with R² = 0\.\d+ only, and is \d+ % of the greatest"):
        fit = fit_memory(omega, spoilt, below)
    assert fit.least_damping < -0.1
    assert fit.passivity > -1e-12
    others = np.arange(len(omega)) != 19
    apart = fit.memory.radiation_damping(omega[others])[:, 2, 2] - damping[others, 2, 2]
    assert np.abs(apart).max() < 0.02  # of 0.25


def test_retardation_and_states_are_those_of_the_response() -> None:
    times = np.linspace(0.0, 60.0, 12001)
    kernel = KNOWN.retardation(times)
    np.testing.assert_allclose(kernel[0], KNOWN.coupling.T @ KNOWN.coupling, rtol=1e-10, atol=1e-2)
    for k, w in enumerate(OMEGA[::10]):
        transform = np.trapezoid(kernel * np.exp(-1j * w * times)[:, None, None], times, axis=0)
        np.testing.assert_allclose(transform, KNOWN.response(OMEGA[::10])[k], rtol=5e-4, atol=2e4)
    system, drive, output = KNOWN.state_space()
    inside = np.linalg.solve(0.7j * np.eye(8) - system, drive + 0j)
    np.testing.assert_allclose(output @ inside, KNOWN.response(0.7)[0], rtol=1e-12, atol=1e-6)


def test_the_report_has_what_one_asks_for() -> None:
    fit = fit_memory(*hemisphere(), oscillators=3)
    lines = fit.text().splitlines()
    assert lines[0] == "memory: 3 oscillators, 6 states; Heave"
    assert lines[1].startswith("error, RMS: Heave 0.0")
    assert lines[1].endswith(" %")  # no tolerance was asked for
    assert "least damping +0.0e+00" in lines[2]
    assert lines[4].startswith("Heave          0.9999") or lines[4].startswith("Heave          1.0000")


def test_tolerance_holds_for_each_pair_and_progress_is_told() -> None:
    told: list[tuple[int, int]] = []
    fit = fit_memory(
        OMEGA, KNOWN.added_mass(OMEGA), KNOWN.radiation_damping(OMEGA), tolerance=0.02,
        progress=lambda done, total: told.append((done, total)),
    )  # fmt: skip
    assert told[0] == (0, 16)  # two groups, eight numbers of oscillators each
    assert told[-1] == (16, 16)
    assert [done for done, _ in told] == sorted(done for done, _ in told)
    assert max(fit.errors) <= 0.02
    assert "; 2 % was asked for" in fit.text()
    wanted, got = (memory.response(OMEGA) for memory in (KNOWN, fit.memory))
    got = got + 1j * OMEGA[:, None, None] * (fit.memory.infinite_added_mass - KNOWN.infinite_added_mass)
    scale = np.sqrt(np.einsum("kii->ki", wanted.real).max(axis=0).clip(1e-300))
    for i, j in ((1, 1), (3, 3), (1, 3), (2, 2), (4, 4), (2, 4)):
        missed = np.abs(got - wanted)[:, i, j] / (scale[i] * scale[j])
        assert np.sqrt(np.mean(missed**2)) < 0.022  # of large errors the root counts, so RMS is a little more


@pytest.mark.parametrize("effects", [False, True])
def test_the_jacobian_is_that_of_the_residuals(effects: bool) -> None:
    # Of few oscillators, far from the best, so that errors lie on both sides of the bend; by central differences.
    rng = np.random.default_rng(3)
    target = KNOWN.response(OMEGA)[:, 2:5:2, 2:5:2] / np.outer([3e3, 9e4], [3e3, 9e4])
    one = rng.normal(size=(len(OMEGA), 5, 2, 2)) + 1j * rng.normal(size=(len(OMEGA), 5, 2, 2))
    problem = Problem(OMEGA, target, 3, 0.1, True, 1.0 + rng.random((len(OMEGA), 2)), one if effects else None)
    start = problem.unknowns(
        np.array([0.5, 1.0, 1.5]), np.tril(rng.normal(size=(3, 3))), rng.normal(size=(3, 2)), np.zeros(3)
    )
    steps = 1e-6 * np.eye(len(start))
    slopes = np.array([(problem.residuals(start + step) - problem.residuals(start - step)) / 2e-6 for step in steps]).T
    np.testing.assert_allclose(problem.jacobian(start), slopes, atol=1e-7)


def test_what_errors_do_elsewhere_counts_as_it_is() -> None:
    # Five sums of errors of two degrees of freedom are kept as three, with the same sum of squares.
    rng = np.random.default_rng(4)
    draws = rng.normal(size=(4, len(OMEGA), 5, 2, 2))
    effects, error = draws[0] + 1j * draws[1], draws[2, :, 0] + 1j * draws[3, :, 0]
    error = error + error.transpose(0, 2, 1)
    problem = Problem(OMEGA, error, 1, 0.1, True, np.ones((len(OMEGA), 2)), effects)
    assert problem.effects is not None
    kept = np.einsum("krp,kp->kr", problem.effects, error[:, problem.rows, problem.columns])
    wanted = np.einsum("krij,kij->kr", effects, error)
    np.testing.assert_allclose(np.sum(np.abs(kept) ** 2, axis=1), np.sum(np.abs(wanted) ** 2, axis=1), rtol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"omega": OMEGA[::-1]}, "the frequencies must increase, and be finite and above 0: leave 0 and inf out"),
        ({"added_mass": np.zeros((40, 3, 3))}, r"added_mass must be 40×6×6, as there are 40 frequencies, not of"),
        ({"radiation_damping": np.full((40, 6, 6), np.nan)}, "radiation_damping at 0.1 rad/s is no number in Surge-S"),
        ({"radiation_damping": np.zeros((40, 6, 6))}, "nothing above 0 on its diagonal: there are no waves"),
        ({"infinite_added_mass": np.zeros(6)}, "infinite_added_mass must be 6×6"),
        ({"weights": np.full((40, 6), -1.0)}, "weights must be 40×6, a number of 0 or more for each frequency and deg"),
        ({"effects": np.zeros((40, 3, 6))}, "effects must be 40×r×6×6, of finite numbers, not 40×3×6"),
    ],
)
def test_data_that_will_not_do(change: dict[str, np.ndarray], message: str) -> None:
    data = {"omega": OMEGA, "added_mass": np.zeros((40, 6, 6)), "radiation_damping": KNOWN.radiation_damping(OMEGA)}
    with pytest.raises(HydroError, match=message):
        fit_memory(**(data | change))


def test_a_handful_of_frequencies_is_too_few() -> None:
    with pytest.raises(HydroError, match="at 8 frequencies or more, not 5"):
        fit_memory(OMEGA[:5], KNOWN.added_mass(OMEGA[:5]), KNOWN.radiation_damping(OMEGA[:5]))


def test_the_figure_has_a_row_for_each_degree_of_freedom() -> None:
    fit = fit_memory(OMEGA, KNOWN.added_mass(OMEGA), KNOWN.radiation_damping(OMEGA), oscillators=2)
    figure = memory_figure(fit, title="Fit")
    assert [ax.get_ylabel() for ax in figure.axes[::3]] == [
        "Sway: A, kg", "Roll: A, kg m²", "Heave: A, kg", "Pitch: A, kg m²",
    ]  # fmt: skip
    data, line = (np.asarray(one.get_ydata()) for one in figure.axes[0].lines[:2])
    np.testing.assert_allclose(data, KNOWN.added_mass(OMEGA)[:, 1, 1])
    assert line[-1] == pytest.approx(data[-1], rel=0.01)
    assert memory_figure(fit, ("Roll-Sway",)).axes[2].get_ylabel() == "K, kg m/s²"
    with pytest.raises(HydroError, match=r"'Rol' is no degree of freedom and no pair; did you mean 'Roll'\?"):
        memory_figure(fit, ("Rol",))
