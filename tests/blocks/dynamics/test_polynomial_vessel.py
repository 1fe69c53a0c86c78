"""Ships by derivatives: what names mean, systems, symmetry, currents, energy, and what is refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from blocks import Diagram, Simulator, simulate
from blocks.basic import Constant
from blocks.dynamics import PolynomialVessel
from blocks.errors import ParameterError
from blocks.thrust import PolynomialRudder, PropellerRudder

Array = NDArray[np.float64]
LENGTH, DRAUGHT, RHO, MASS = 40.0, 2.5, 1025.0, 450e3
SHIP: dict[str, Any] = {
    "length": LENGTH,
    "draught": DRAUGHT,
    "density": RHO,
    "mass": MASS,
    "roll_inertia": 3e6,
    "yaw_inertia": 4.5e7,
    "centre_of_gravity": [-1.2, -0.4],
    "metacentric_height": 0.8,
}
SECOND_ORDER = {
    "X_udot": -2e4, "Y_vdot": -3e5, "Y_rdot": 1e5, "K_pdot": -6e5, "K_vdot": 2e4, "N_rdot": -3e7, "X_|u|u": -900.0,
    "X_vr": 2e5, "X_rr": 1e5, "Y_|u|v": -3e4, "Y_ur": 2e5, "Y_|v|v": -5e4, "K_uv": 2e4, "K_|p|p": -4e6, "N_|u|r": -2e6,
    "N_uv": -3e5, "N_r|v|": -3e6,
}  # fmt: skip
"""In SI, of a boat of 40 m: forces that go with the square of velocity, whatever system they are written in."""


def in_system(system: str) -> PolynomialVessel:
    """The same ship with its derivatives in a system."""
    if system == "SI":
        return PolynomialVessel(SECOND_ORDER, system=system, **SHIP)
    area = 0.5 * RHO * LENGTH * {"prime_I": LENGTH, "prime_II": DRAUGHT}.get(system, 0.0)
    unit = area if area else MASS / LENGTH  # N per (m/s)²: bis has m g over g L
    given = {}
    for name, value in SECOND_ORDER.items():
        axis, product = name.split("_", 1)
        angular = sum(product.count(rate) for rate in "pr") - ("phi" in product)
        given[name] = value / unit / LENGTH ** ((axis in "KN") + angular)
        if "dot" in product:
            given[name] /= LENGTH
    return PolynomialVessel(given, system=system, **SHIP)


def rates(vessel: PolynomialVessel, nu: Any, phi: float = 0.0, force: Any = 0.0, current: Any = 0.0) -> Array:
    """dν/dt."""
    found = vessel.evaluate(
        states={"nu": nu, "eta": [0, 0, 0, phi, 0, 0.4]},
        force=np.broadcast_to(force, 6),
        current=np.broadcast_to(current, 3),
    )
    return np.asarray(found.outputs["acceleration"])


@pytest.mark.parametrize("system", ["prime_I", "prime_II", "bis"])
def test_a_ship_moves_alike_in_every_system(system: str) -> None:
    one, other = in_system("SI"), in_system(system)
    for nu in ([4.0, 0.5, 0.0, 0.02, 0.0, 0.03], [1.0, -0.8, 0.0, -0.05, 0.0, 0.01]):
        assert rates(other, nu, 0.1) == pytest.approx(rates(one, nu, 0.1), rel=1e-11, abs=1e-15)


def test_similar_ships_of_one_prime_set_turn_alike_in_their_own_time() -> None:
    """Accelerations by U²/L and U²/L² are the same at twice the length and any speed."""
    scale, faster = 2.0, 1.7
    mariner = PolynomialVessel.from_vehicle("mariner")
    larger = mariner.copy()
    larger.set(
        length=scale * mariner.length,
        mass=scale**3 * mariner.mass,
        yaw_inertia=scale**5 * mariner.yaw_inertia,
        centre_of_gravity=scale * np.asarray(mariner.centre_of_gravity),
        reference_speed=faster * mariner.reference_speed,
    )
    nu = np.array([7.0, 0.6, 0.0, 0.0, 0.0, 0.008])
    faster_nu = nu * np.array([faster, faster, 0.0, 0.0, 0.0, faster / scale])
    unit = faster**2 / scale * np.array([1.0, 1.0, 1.0, 1.0, 1.0, 1.0 / scale])
    assert rates(larger, faster_nu) == pytest.approx(rates(mariner, nu) * unit, rel=1e-11, abs=1e-15)


@pytest.mark.parametrize("name", ["container", "naval_vessel"])
def test_ships_are_alike_on_both_sides(name: str) -> None:
    vessel = PolynomialVessel.from_vehicle(name)
    nu = np.array([7.0, 0.4, 0.0, 0.02, 0.0, -0.01])
    mirror = np.array([1.0, -1.0, 1.0, -1.0, 1.0, -1.0])
    assert rates(vessel, nu * mirror, -0.2) == pytest.approx(rates(vessel, nu, 0.2) * mirror, rel=1e-12, abs=1e-15)


def test_a_current_carries_the_ship_along_and_does_no_more() -> None:
    """Rolling and turning, its motion through the water is the same."""
    start = np.array([5.0, 0.3, 0.0, 0.03, 0.0, 0.05])
    runs = []
    for current in ([0.0, 0.0, 0.0], [1.0, -0.7, 0.0]):
        north, east, _ = current
        vessel = in_system("SI")
        vessel.set(
            initial_nu=start + np.array([north, math.cos(0.2) * east, 0, 0, 0, 0]), initial_eta=[0, 0, 0, 0.2, 0, 0]
        )
        diagram = Diagram()
        diagram.add("vessel", vessel)
        source = diagram.add("current", Constant(np.array(current)))
        force = diagram.add("force", Constant(np.array([2e4, 0, 0, 0, 0, 1e5])))
        diagram.connect(source.y, vessel.current)
        diagram.connect(force.y, vessel.force)
        runs.append(simulate(diagram, 60.0, step=0.05))
    still, carried = runs
    assert carried.values("vessel.nu_r") == pytest.approx(still.values("vessel.nu_r"), abs=2e-6)
    drift = carried.values("vessel.eta") - still.values("vessel.eta")
    assert drift[-1] == pytest.approx([60.0, -42.0, 0.0, 0.0, 0.0, 0.0], abs=1e-4)


def test_coriolis_forces_do_no_work_and_a_ship_without_drag_keeps_its_energy() -> None:
    vessel = PolynomialVessel(
        {"K_phi": 0.0}, **SHIP, initial_nu=[3.0, 0.6, 0, 0.1, 0, 0.2], initial_eta=[0, 0, 0, 0.2, 0, 0]
    )
    found = vessel.evaluate(states={"nu": [3.0, 0.6, 0, 0.1, 0, 0.2]}).outputs
    assert float(np.dot(found["coriolis_force"], [3.0, 0.6, 0, 0.1, 0, 0.2])) == pytest.approx(0.0, abs=1e-9)
    run = simulate(vessel, 30.0, step=0.01, inputs={"force": np.zeros(6)})
    u, v, _, p, _, r = run.values("polynomial_vessel.nu").T
    phi = run.values("polynomial_vessel.eta")[:, 3]
    m, (x_g, z_g) = MASS, SHIP["centre_of_gravity"]
    energy = 0.5 * (m * (u * u + v * v) + SHIP["roll_inertia"] * p * p + SHIP["yaw_inertia"] * r * r)
    energy += m * v * (x_g * r - z_g * p) + 0.5 * m * 9.81 * 0.8 * phi * phi
    assert np.ptp(energy) < 1e-7 * energy[0]
    assert np.ptp(phi) > 0.1


def test_a_ship_rolls_with_the_period_of_its_inertia_and_metacentric_height() -> None:
    """T = 2π √((I_x - K_ṗ)/(m g GM)), with nothing that couples roll with sway."""
    ship = SHIP | {"centre_of_gravity": [0.0, 0.0]}
    vessel = PolynomialVessel({"K_pdot": -6e5}, **ship, initial_eta=[0, 0, 0, 0.1, 0, 0])
    period = 2.0 * math.pi * math.sqrt((3e6 + 6e5) / (MASS * 9.81 * 0.8))
    run = simulate(vessel, period, step=period / 400.0, inputs={"force": np.zeros(6)})
    roll = run.values("polynomial_vessel.eta")[:, 3]
    assert roll[[0, 100, 200, 300, 400]] == pytest.approx([0.1, 0.0, -0.1, 0.0, 0.1], abs=1e-6)


def test_corrections_multiply_derivatives_by_name() -> None:
    vessel = PolynomialVessel.from_vehicle("container")
    changed = dict(zip((term.name for term in vessel.terms_in_words), [1.0] * 60, strict=False))
    assert vessel.correction_of("Nvvr") == f"correction[{list(changed).index('N_vvr')}]"
    correction = np.ones(len(changed))
    correction[[list(changed).index(name) for name in ("N_vvr", "Y_vdot")]] = 1.3
    given = {term.name: term.coefficient for term in vessel.terms_in_words}
    other = vessel.copy()
    vessel.set(correction=correction)
    other.set(derivatives=given | {"N_vvr": 1.3 * given["N_vvr"], "Y_vdot": 1.3 * given["Y_vdot"]})
    nu = [7.0, 0.4, 0.0, 0.02, 0.0, -0.01]
    assert rates(vessel, nu, 0.1) == pytest.approx(rates(other, nu, 0.1), rel=1e-13)


def test_names_are_read_as_they_are_printed() -> None:
    vessel = PolynomialVessel({"Y_{v|v|}": -1.0, "Nrv": 2.0, "K_φφφ": -1.0, "X_uu": -1.0, "Y_0": 0.1}, **SHIP)
    assert [term.name for term in vessel.terms_in_words] == ["Y_|v|v", "N_vr", "K_phiphiphi", "X_uu", "Y_0"]
    rudder = PolynomialRudder({"N_cc|β|β|δ|": 1.0, "X_δδ": -1.0})
    assert [term.name for term in rudder.terms_in_words] == ["N_cc|b||d|b", "X_dd"]


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"derivatives": {"Y_vx": 1.0}}, "has no derivative 'Y_vx': 'x' stands for nothing.*did you mean"),
        ({"derivatives": {"M_q": 1.0}}, "it begins with the force or moment, X, Y, K, N"),
        ({"derivatives": {"Y_vvvr": 1.0}}, "Y_vvvr is of order 4, and polynomials here go to the third"),
        ({"derivatives": {"Y_vr": 1.0, "Y_rv": 2.0}}, "has Y_vr twice, as Y_vr and as Y_rv"),
        ({"derivatives": {"Y_d": 1.0}}, "'delta' does not count here; a hull has .*thrust.PolynomialRudder"),
        ({"derivatives": {"Y_udot": 1.0}}, "surge has X_udot alone"),
        ({"derivatives": {"Y_vvdot": 1.0}}, "an added mass is multiplied by nothing but ζ"),
        ({"derivatives": {"Y_v": "stiff"}}, "Y_v must be a plain number"),
        ({"derivatives": {}}, "not empty"),
        ({"derivatives": {"Y_vz": 1.0}, "water_depth": 2.0}, "water_depth must be above the draught of 2.5 m, not 2 m"),
        ({"derivatives": {"Y_vz": 1.0}, "draught": 0.0}, r"draught must be above 0: ζ = T/\(h - T\), in Y_vz"),
        ({"system": "prime_I", "length": 0.0}, 'length must be above 0: system="prime_I" wants it'),
        ({"correction": [1.0, 2.0]}, "correction must be a single number or one for each of the 17 derivatives"),
        ({"derivatives": {"Y_vdot": 1e5}}, "Y_vdot must not be positive, not 100000: .*; -100000 is meant"),
        ({"derivatives": {"K_vdot": -9e6}}, "not positive definite"),
        ({"derivatives": {"Y_vdotrdot": -1.0}}, "an added mass is multiplied by nothing but ζ"),
        ({"derivatives": {"Y_uvz(z-0.8)": 1.0}}, r"a power of ζ or of one ζ less a number: zz, or \(z-0.8\)"),
        ({"derivatives": {"Y_uv(z-0.8.1)": 1.0}}, r"'\(z-0.8.1\)' stands for nothing"),
        ({"derivatives": {"Y_v": -1.0}, "initial_eta": [0, 0, 0, 0.1, 0, 0]}, "whose derivatives know no roll"),
        ({"derivatives": {"Y_phi": -1.0}, "initial_nu": [0, 0, 1, 0, 0, 0]}, "has w, q = 0, not 1, 0"),
    ],
)
def test_what_is_wrong_is_said(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(ParameterError, match=said):
        PolynomialVessel(**({"derivatives": SECOND_ORDER, **SHIP} | changed))


@pytest.mark.parametrize(("taken", "meant"), [("prime_II", "prime_I"), ("SI", "prime_I"), ("bis", "prime_I")])
def test_a_set_in_the_wrong_system_is_noticed(taken: str, meant: str) -> None:
    """Its added mass in sway would be that of no ship."""
    right = in_system(meant)
    given = {term.name: term.coefficient for term in right.terms_in_words}
    with pytest.raises(ParameterError, match=f'In the system {meant} it would be .*system="{meant}"'):
        PolynomialVessel(given, system=taken, **SHIP)


def test_rudders_say_what_is_wrong_with_them() -> None:
    with pytest.raises(ParameterError, match='turns the ship to port with δ > 0: derivatives_turn_to="port"'):
        PolynomialRudder({"N_d": -1.0})
    with pytest.raises(ParameterError, match="the speed c of the flow at the rudder comes as its square, cc"):
        PolynomialRudder({"N_cd": 1.0})
    with pytest.raises(ParameterError, match="an acceleration does not count here; a rudder has"):
        PolynomialRudder({"N_rdot": 1.0})
    with pytest.raises(ParameterError, match=r"initial_angle must be within ±0.3 rad, not 0.4"):
        PolynomialRudder({"N_d": 1.0}, response="first_order", angle_limit=0.3, initial_angle=0.4)
    with pytest.raises(ParameterError, match="wake_fraction must be < 1"):
        PropellerRudder.from_vehicle("container", wake_fraction=1.2)


def test_the_water_may_become_shallow_on_the_way_but_not_too_shallow() -> None:
    vessel = PolynomialVessel.from_vehicle("esso_tanker", initial_nu=[5.0, 0.5, 0, 0, 0, 0])
    with Simulator(vessel, step=0.1, inputs={"force": np.zeros(6)}) as simulator:
        simulator.advance(1.0)
        nu = simulator["polynomial_vessel.nu"].copy()
        simulator["polynomial_vessel.water_depth"] = "24 m"
        simulator.refresh()
        shallow = vessel.copy()
        shallow.set(water_depth=24.0)
        expected = shallow.evaluate(states={"nu": nu}, force=np.zeros(6)).outputs["acceleration"]
        assert simulator["polynomial_vessel.acceleration"] == pytest.approx(expected, rel=1e-9)
        with pytest.raises(ParameterError, match=r"water_depth must be above the draught of 18.46 m, not 18 m"):
            simulator["polynomial_vessel.water_depth"] = "18 m"


def test_a_ship_that_nothing_rights_is_warned_of() -> None:
    given = SECOND_ORDER | {"K_uv": 2e4}
    (problem,) = PolynomialVessel(given, **SHIP | {"metacentric_height": 0.0}).improbable()
    assert "metacentric_height is 0 m, and no derivative in K has phi" in problem.message
    assert not list(PolynomialVessel(given | {"K_phi": -1e6}, **SHIP | {"metacentric_height": 0.0}).improbable())
    assert not list(PolynomialVessel(given, **SHIP).improbable())


@pytest.mark.parametrize("name", ["Y_v", "N_r", "Y_|v|v", "N_|r|r", "N_ur"])
def test_derivatives_that_drive_are_warned_of(name: str) -> None:
    own = SECOND_ORDER | {name: 1.0}
    (told,) = PolynomialVessel(own, **SHIP).improbable()
    assert f"{name} = 1 drives the motion that it goes with" in told.message
    assert not list(PolynomialVessel(own | {name: -1.0}, **SHIP).improbable())


def test_no_added_mass_in_sway_is_warned_of() -> None:
    without = {name: value for name, value in SECOND_ORDER.items() if name != "Y_vdot"}
    assert any("have no Y_vdot" in told.message for told in PolynomialVessel(without, **SHIP).improbable())
