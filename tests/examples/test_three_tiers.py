"""The three tiers on FlatFish, and the results that the library which they come from has published of itself."""

from __future__ import annotations

import itertools
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.optimize import approx_fprime

from blocks import Diagram, Result, simulate
from blocks.basic import Constant
from blocks.dynamics import Vessel6DOF
from blocks.errors import ParameterError

EXAMPLE = Path(__file__).parents[2] / "examples" / "three_tiers.py"
UNIT = {"rigid_body_inertia": np.eye(6), "linear_damping": np.eye(6)}


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The names of the example, run once, and the folder that it wrote into."""
    folder = tmp_path_factory.mktemp("tiers")
    with pytest.MonkeyPatch.context() as patch:
        patch.chdir(folder)
        return runpy.run_path(str(EXAMPLE)) | {"folder": folder}


def push(vessel: Vessel6DOF, end: float, force: Any = (0.0,) * 6, **settings: Any) -> Result:
    """A run under a constant force."""
    diagram = Diagram()
    diagram.add("vessel", vessel)
    diagram.add("force", Constant(np.asarray(force)))
    diagram.connect("force.y", "vessel.force")
    return simulate(diagram, end, **settings)


def at(result: Result, signal: str, time: float) -> Any:
    return result.values(signal)[np.searchsorted(result.time, time - 1e-6)]


# --- what each tier leaves out ---------------------------------------------------------------------------------------


def test_the_work_of_the_pushes_is_what_moves_and_what_the_water_took(study: Any) -> None:
    for result in study["results"].values():
        work, dissipated = result.values("work.energy"), result.values("dissipated.energy")
        assert work[-1] > 1500.0
        np.testing.assert_allclose(work, dissipated + study["kinetic_energy"](result), atol=1e-6)
        assert np.diff(dissipated).min() >= 0.0


def test_coriolis_forces_do_no_work_but_move_energy_between_motions(study: Any) -> None:
    for tier in ("INTERMEDIATE", "COMPLEX"):
        result = study["results"][tier]
        force, nu = result.values("vessel.coriolis_force"), result.values("vessel.nu")
        assert np.abs(force * nu).max() > 50.0
        np.testing.assert_allclose(result.values("power.coriolis_power"), 0.0, atol=1e-12)
    assert not study["results"]["SIMPLE"].values("vessel.coriolis_force").any()


def test_a_simple_vehicle_moves_as_it_is_pushed_and_in_no_other_way(study: Any) -> None:
    result = study["results"]["SIMPLE"]
    nu = result.values("vessel.nu")
    assert not nu[:, 3:5].any()  # never pushed in roll and pitch
    assert not nu[result.time <= 50.0, 1].any()
    assert not nu[result.time <= 70.0, 2].any()


def test_its_surge_and_its_turn_have_closed_forms(study: Any) -> None:
    """M u' = τ - d u - q u²: from rest to the root u_1 beside u_2 < 0; a steady turn is at such a root."""
    result, fish = study["results"]["SIMPLE"], study["fish"]
    m, d, q = fish.rigid_body_inertia[0, 0], fish.linear_damping[0, 0], fish.quadratic_damping[0, 0]
    second, first = sorted(np.roots([q, d, -60.0]).real)
    decay = np.exp(-q * (first - second) * 50.0 / m)
    expected = first * (1.0 - decay) / (1.0 - decay * first / second)
    assert at(result, "vessel.nu[u]", 50.0) == pytest.approx(expected, rel=1e-9)
    rate = max(np.roots([fish.quadratic_damping[5, 5], fish.linear_damping[5, 5], -25.0]).real)
    assert at(result, "vessel.nu[r]", 50.0) == pytest.approx(rate, rel=1e-6)


def test_coriolis_forces_swing_the_stern_out_and_take_the_way_off(study: Any) -> None:
    """In a turn to starboard the vehicle slides to port, and the difference of the inertias turns it further in."""
    simple, full = study["results"]["SIMPLE"], study["results"]["INTERMEDIATE"]
    turning = (full.time > 20.0) & (full.time < 50.0)
    assert full.values("vessel.nu[v]")[turning].min() < -0.7
    rates = (run.values("vessel.nu[r]")[turning].max() for run in (full, simple))
    assert next(rates) > 1.5 * next(rates)
    assert at(full, "vessel.nu[u]", 50.0) < 0.2 < 1.1 < at(simple, "vessel.nu[u]", 50.0)
    assert np.degrees(full.values("vessel.eta[phi]")[-1]) < -60.0  # from v and w together, pushed by neither
    ends = {tier: run.values("vessel.eta")[-1, :3] for tier, run in study["results"].items()}
    assert np.linalg.norm(ends["SIMPLE"] - ends["INTERMEDIATE"]) > 15.0
    assert 0.5 < np.linalg.norm(ends["COMPLEX"] - ends["INTERMEDIATE"]) < 2.0


def test_complex_without_cross_terms_is_intermediate(study: Any) -> None:
    matrices = study["damping_matrices"](study["fish"].quadratic_damping, 0.0)
    vessel = Vessel6DOF.complex(matrices, **study["shared"])
    found = simulate(study["manoeuvre"](vessel), study["END"], step=study["STEP"])
    for signal in ("vessel.eta", "vessel.nu", "vessel.damping_force"):
        np.testing.assert_allclose(
            found.values(signal), study["results"]["INTERMEDIATE"].values(signal), rtol=1e-9, atol=1e-9
        )


def strips(v: float, r: float, across: float, length: float) -> tuple[float, float]:
    """Sway force and yaw moment of the drag across a hull, strip by strip."""

    def drag(x: float) -> float:
        return across / length * abs(v + x * r) * (v + x * r)

    parts = [-length / 2, *([-v / r] if r and abs(v / r) < length / 2 else []), length / 2]
    pieces = list(itertools.pairwise(parts))
    force = sum(quad(drag, *piece)[0] for piece in pieces)
    return force, sum(quad(lambda x: x * drag(x), *piece)[0] for piece in pieces)


def test_the_cross_terms_are_those_of_the_drag_across_the_hull(study: Any) -> None:
    vessel, fish, length = study["TIERS"]["COMPLEX"], study["fish"], study["LENGTH"]

    def damping(v: float = 0.0, w: float = 0.0, q: float = 0.0, r: float = 0.0) -> Any:
        linear = fish.linear_damping @ [0.0, v, w, 0.0, q, r]
        return vessel.evaluate(states={"nu": [0.0, v, w, 0.0, q, r]}).outputs["damping_force"] - linear

    across = fish.quadratic_damping[1, 1]
    own = fish.quadratic_damping[5, 5] * 0.2**2
    assert damping(v=0.7, r=0.2)[5] - own == pytest.approx(strips(0.7, 0.2, across, length)[1], rel=1e-12)
    slope = approx_fprime([0.0], lambda v: strips(v[0], -0.3, across, length)[0], 1e-6)[0]
    assert damping(v=1e-6, r=-0.3)[1] / 1e-6 == pytest.approx(slope, rel=1e-5)
    # Nose up, the bow moves up through the water: w - x q, and the moment is -∫ x …
    across = fish.quadratic_damping[2, 2]
    own = fish.quadratic_damping[4, 4] * 0.2**2
    assert damping(w=0.7, q=0.2)[4] - own == pytest.approx(-strips(0.7, -0.2, across, length)[1], rel=1e-12)
    slope = approx_fprime([0.0], lambda w: strips(w[0], 0.3, across, length)[0], 1e-6)[0]
    assert damping(w=1e-6, q=-0.3)[2] / 1e-6 == pytest.approx(slope, rel=1e-5)
    for nu in np.random.default_rng(4).normal(size=(50, 6)):
        assert nu @ vessel.evaluate(states={"nu": nu}).outputs["damping_force"] > 0.0


def test_as_published_the_vehicle_cannot_go_straight_with_coriolis_forces() -> None:
    """It rises by 12 N, and the difference of the inertias pitches it over: nothing rights it."""
    ahead = [60.0, 0.0, 0.0, 0.0, 0.0, 0.0]
    over = push(Vessel6DOF.from_vehicle("flat_fish", coriolis=True, attitude="quaternion"), 20.0, ahead, step=0.02)
    assert np.degrees(np.abs(over.values("vessel.eta[theta]")).max()) > 80.0
    level = push(Vessel6DOF.from_vehicle("flat_fish"), 20.0, ahead, step=0.02)
    assert not level.values("vessel.eta[theta]").any()


def test_the_table_and_the_figure_are_there(study: Any) -> None:
    table = study["report"](study["results"], dict.fromkeys(study["TIERS"], 1.0))
    assert [column.header for column in table.columns] == ["FlatFish", "SIMPLE", "INTERMEDIATE", "COMPLEX"]
    assert (study["folder"] / "three_tiers.png").read_bytes().startswith(b"\x89PNG")


# --- published by the library ----------------------------------------------------------------------------------------
# rock-control/control-uwv_dynamic_model: test/test_calc.cpp and test/test.cpp; its component for Rock,
# tidewise/control-orogen-uwv_dynamic_model: test/test_model.rb and test/test_base.rb. Tolerances here are tighter where
# the result is known in closed form. The body that turns freely, of Andrle and Crassidis (2013), is in
# tests/blocks/dynamics/test_vessel_6dof_motion.py.

ONE_EACH = [np.eye(6)[i][:, None] * np.eye(6)[i] for i in range(6)]


@pytest.mark.parametrize("tier", ["simple", "intermediate", "complex"])
def test_surge_of_a_unit_body_comes_to_one_in_every_tier(tier: str) -> None:
    """Published: 1 within 1 % after 200 steps of 0.01 s; in closed form 2 (1 - e⁻⁶)/(2 + e⁻⁶)."""
    damping = {"damping_matrices": ONE_EACH} if tier == "complex" else {"quadratic_damping": np.eye(6)}
    run = push(getattr(Vessel6DOF, tier)(**UNIT, **damping), 2.0, [2.0, 0, 0, 0, 0, 0], step=0.001)
    assert run.values("vessel.nu[u]")[-1] == pytest.approx(0.996286474190, abs=1e-12)


def test_a_buoyant_body_rises_at_one() -> None:
    """Weight 1, buoyancy 3, no force: published 1 within 1 % after 2 s, with z up."""
    body = Vessel6DOF.simple(**UNIT, quadratic_damping=np.eye(6), weight=1.0, buoyancy=3.0)
    assert push(body, 2.0, step=0.001).values("vessel.nu[w]")[-1] == pytest.approx(-0.996286474190, abs=1e-12)


def test_constant_yaw_for_an_hour() -> None:
    """0.1 rad/s: roll and pitch stay exactly 0, yaw is 360 rad."""
    body = Vessel6DOF.complex(
        np.zeros((6, 6, 6)), rigid_body_inertia=np.eye(6), attitude="quaternion", initial_nu=[0, 0, 0, 0, 0, 0.1]
    )
    eta = push(body, 3600.0, step=0.01, record="vessel.eta", every=360_000).values("vessel.eta")[-1]
    assert not eta[:5].any()
    assert eta[5] == pytest.approx(np.remainder(360.0 + np.pi, 2 * np.pi) - np.pi, abs=1e-9)


def test_acceleration_in_surge_follows_from_mass_and_damping() -> None:
    """Mass 10, 42 N: at every step published within 1 %, and within 10 % of the difference quotient."""
    body = {**UNIT, "rigid_body_inertia": np.diag([10.0, 1, 1, 1, 1, 1])}
    run = push(Vessel6DOF.simple(**body, quadratic_damping=np.eye(6)), 2.0, [42.0, 0, 0, 0, 0, 0], step=0.01)
    u, acceleration = run.values("vessel.nu[u]"), run.values("vessel.acceleration")[:, 0]
    np.testing.assert_allclose(acceleration, (42.0 - (1.0 + np.abs(u)) * u) / 10.0, rtol=1e-13)
    np.testing.assert_allclose(acceleration[1:], np.diff(u) / 0.01, rtol=0.1)
    decay = np.exp(-1.3 * run.time)  # towards 6 m/s, the root of u² + u = 42
    np.testing.assert_allclose(u, 42.0 * (1.0 - decay) / (7.0 + 6.0 * decay), rtol=1e-9)


def test_without_damping_in_heave_a_vertical_speed_stays() -> None:
    """The set simple_case_no_vertical_damping: published within 0.001 m/s, of an estimator that is told the depth."""
    undamped = np.diag([1.0, 1, 0, 1, 1, 1])
    body = Vessel6DOF.simple(
        rigid_body_inertia=np.eye(6), linear_damping=undamped, quadratic_damping=undamped, weight=1.0, buoyancy=1.0,
        initial_nu=[0, 0, 0.1, 0, 0, 0],
    )  # fmt: skip
    run = push(body, 1.0, step=0.01)
    np.testing.assert_array_equal(run.values("vessel.nu[w]"), 0.1)
    assert run.values("vessel.eta[z]")[-1] == pytest.approx(0.1, rel=1e-12)


def test_what_it_refuses_is_refused_here() -> None:
    with pytest.raises(ParameterError, match=r"weight must be ≥ 0 N, not -1"):
        Vessel6DOF.simple(rigid_body_inertia=np.eye(6), weight=-1.0)
    with pytest.raises(ParameterError, match=r"buoyancy must be ≥ 0 N, not -1"):
        Vessel6DOF.simple(rigid_body_inertia=np.eye(6), buoyancy=-1.0)
    for matrices in (np.zeros((2, 6, 6)), np.zeros((4, 6, 6))):
        with pytest.raises(ParameterError, match=r"damping_matrices must be an array of 6×6×6"):
            Vessel6DOF.complex(matrices, rigid_body_inertia=np.eye(6))
    with pytest.raises(ParameterError, match=r"no parameter 'damping_matrices'"):
        Vessel6DOF.simple(rigid_body_inertia=np.eye(6), damping_matrices=np.zeros((6, 6, 6)))
    with pytest.raises(ParameterError, match=r"rigid_body_inertia \+ added_mass"):
        Vessel6DOF.simple(rigid_body_inertia=np.zeros((6, 6)))
    with pytest.raises(ParameterError, match=r"must be finite, not array"):
        push(Vessel6DOF.simple(rigid_body_inertia=np.eye(6)), 1.0, [2.0, 0, 0, 0, np.nan, 0], step=0.01)
