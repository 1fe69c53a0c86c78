"""What every vehicle of the library has to be: complete, cited, and a body that physics allows."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from blocks.block import library
from blocks.dynamics import Vessel3DOF
from blocks.vehicles.vehicle import check, describe, list_vehicles

WANTED = {
    "minerva", "tito_neri", "lutra_prop", "lutra_airboat", "usv_rudder_boat", "usv_sailboat", "smarty", "flat_fish",
    "otter", "remus100", "bluerov2_heavy", "bluerov2_heavy_wu2018", "wam_v", "wam_v_vrx2", "supply", "osv", "semisub",
    "clarke_ship", "otter_payload", "npsauv", "dsrv", "torpedo",
    "container", "esso_tanker", "frigate", "mariner", "naval_vessel", "zeefakkel", "kvlcc2", "kvlcc2_l7", "kcs",
}  # fmt: skip

SHIPS = {"container", "esso_tanker", "frigate", "mariner", "naval_vessel", "zeefakkel"}
"""By derivatives, or by Nomoto's equation."""

NO_BREADTH = {"mariner", "esso_tanker", "frigate"}
"""Sources of manoeuvring models that have no more than the length."""

NOT_PASSIVE_ALONE = {
    ("remus100", "bare_hull"), ("npsauv", "dynamics"), ("dsrv", "dynamics"), ("torpedo", "dynamics"),
    ("clarke_ship", "dynamics"),
}  # fmt: skip
"""The lift of a slender body turns it across the flow; fins are another section. Derivatives without those of the
Coriolis forces do so, too."""

VESSELS = [
    (name, section)
    for name in list_vehicles()
    for section, content in describe(name).sections.items()
    if content.type in ("dynamics.Vessel6DOF", "dynamics.ComplexVessel6DOF", "dynamics.Vessel3DOF")
]
every_vehicle = pytest.mark.parametrize("name", list_vehicles())
every_vessel = pytest.mark.parametrize(("name", "section"), VESSELS)


def read(name: str, section: str) -> Any:
    return library()[describe(name).sections[section].type].from_vehicle(name, section)


def test_all_vehicles_are_there() -> None:
    assert set(list_vehicles()) == WANTED


def test_the_page_on_vehicles_has_all_of_them() -> None:
    page = Path(__file__).parents[3].joinpath("docs", "vehicles.md").read_text(encoding="utf-8")
    for name in list_vehicles():
        assert f"\n| `{name}` | " in page


@every_vehicle
def test_sections_suit_their_blocks_and_range_and_faults_are_stated(name: str) -> None:
    check(name)
    vehicle = describe(name)
    assert len(vehicle.validity) > 40
    assert vehicle.faults
    assert any(content.type.startswith("dynamics.") for content in vehicle.sections.values())


@every_vessel
def test_a_vessel_comes_from_every_section(name: str, section: str) -> None:
    assert np.ndim(read(name, section).mass_matrix) == 2


@every_vehicle
def test_every_reference_is_used_or_named_with_its_year(name: str) -> None:
    vehicle = describe(name)
    for key, text in vehicle.references.items():
        assert key == "keelblocks" or any(ch.isdigit() for ch in text), f"{key} has no year, version or commit"
    used = {entry.source for section in vehicle.sections.values() for entry in section.parameters.values()}
    assert used <= set(vehicle.references)


@every_vehicle
def test_what_the_library_chose_itself_says_why(name: str) -> None:
    for section, content in describe(name).sections.items():
        for parameter, entry in content.parameters.items():
            assert entry.source != "keelblocks" or entry.note, f"{section}.{parameter}"


@every_vehicle
def test_outer_dimensions_are_positive_and_cited(name: str) -> None:
    vehicle = describe(name)
    if name == "flat_fish":  # no published number was at hand
        assert not vehicle.dimensions.entries
        return
    length, breadth = vehicle.dimensions.metres("length"), vehicle.dimensions.metres("breadth")
    assert length is not None
    assert length > 0.0
    if name in NO_BREADTH:
        assert breadth is None
    else:
        assert breadth is not None
        assert breadth > 0.0
    for dimension, entry in vehicle.dimensions.entries.items():
        assert entry.source in vehicle.references
        assert entry.source != "keelblocks" or entry.note, dimension


@every_vehicle
def test_outer_dimensions_are_those_that_blocks_take(name: str) -> None:
    vehicle = describe(name)
    for content in vehicle.sections.values():
        if content.type == "dynamics.FloatingVehicle":
            assert vehicle.dimensions.metres("length") == content.parameters["length"].value
            assert vehicle.dimensions.metres("breadth") == content.parameters["breadth"].value


@every_vessel
def test_inertia_is_symmetric_and_positive_definite(name: str, section: str) -> None:
    vessel = read(name, section)
    mass = np.asarray(vessel.mass_matrix)
    np.testing.assert_allclose(mass, mass.T, atol=1e-9)
    assert np.linalg.eigvalsh(mass).min() > 0.0
    assert np.linalg.eigvalsh(np.asarray(vessel.added_mass)).min() >= -1e-12


@every_vessel
def test_rigid_bodies_are_possible(name: str, section: str) -> None:
    """No moment of inertia about the centre of gravity exceeds the sum of the other two."""
    vessel = read(name, section)
    if isinstance(vessel, Vessel3DOF):
        x, y = vessel.centre_of_gravity
        assert vessel.yaw_inertia > vessel.mass * (x * x + y * y)
        return
    inertia = np.asarray(vessel.rigid_body_inertia)
    np.testing.assert_allclose(inertia, inertia.T, atol=1e-9)
    mass = inertia[0, 0]
    if name != "flat_fish":  # its matrix has the added mass in it
        np.testing.assert_allclose(np.diag(inertia)[:3], mass, rtol=1e-12)
        x, y, z = inertia[1, 5] / mass, inertia[2, 3] / mass, inertia[0, 4] / mass
        steiner = mass * np.diag([y * y + z * z, x * x + z * z, x * x + y * y])
        about_centre = np.diag(inertia[3:, 3:] - steiner)
        assert about_centre.min() > 0.0
        if name != "tito_neri":  # roll and pitch are placeholders
            assert 2.0 * about_centre.max() <= about_centre.sum() * (1.0 + 1e-3)


@every_vessel
def test_damping_takes_energy_and_gives_none(name: str, section: str) -> None:
    vessel = read(name, section)
    if (name, section) in NOT_PASSIVE_ALONE:
        return
    linear = np.asarray(vessel.linear_damping)
    assert np.linalg.eigvalsh(linear + linear.T).min() >= -1e-12
    size = len(linear)
    moving = np.random.default_rng(7).normal(size=(200, size))
    for nu in moving:
        full = nu if size == 6 else np.array([nu[0], nu[1], 0.0, 0.0, 0.0, nu[2]])
        force = vessel.evaluate(states={"nu": full}).outputs["damping_force"]
        assert force @ full >= 0.0


@every_vessel
def test_bodies_that_float_come_back_and_none_is_driven_at_rest(name: str, section: str) -> None:
    vessel = read(name, section)
    if isinstance(vessel, Vessel3DOF):
        return
    stiffness = np.asarray(vessel.stiffness)
    np.testing.assert_array_equal(stiffness, stiffness.T)
    assert np.linalg.eigvalsh(stiffness).min() >= -1e-9
    rest = np.broadcast_to(np.asarray(vessel.equilibrium), (6,))  # where a payload is carried
    upright = vessel.evaluate(states={"eta": rest}).outputs["restoring_force"]
    assert np.abs(upright[:2]).max() < 1e-9
    assert np.abs(upright[3:]).max() < 1e-9
    net = vessel.buoyancy - vessel.weight
    assert upright[2] == pytest.approx(net, abs=1e-9)
    assert abs(net) <= 0.05 * max(vessel.weight, 1.0)
    for angle, moment in ((3, 3), (4, 4)):
        eta = rest.copy()
        eta[angle] += 0.1
        back = vessel.evaluate(states={"eta": eta}).outputs["restoring_force"][moment]
        assert back >= 0.0  # on the left of the equation of motion
        if name not in ("tito_neri", "flat_fish"):
            assert back > 0.0
