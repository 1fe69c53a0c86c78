"""From a wanted wrench to commands and back to a wrench: every family of thrusters, every vehicle that has some."""

import numpy as np
import pytest

from blocks import Block, library
from blocks.thrust import (
    DifferentialThrust,
    Foil,
    MeasuredThruster,
    Rudder,
    allocation_for,
)
from blocks.vehicles import describe, list_vehicles

ALLOCATED = {kind for cls in library().values() for kind in cls.sections_taken}
SECTIONS = [
    (vehicle, name)
    for vehicle in list_vehicles()
    for name, section in describe(vehicle).sections.items()
    if section.type in ALLOCATED
]
NU_R = np.array([0.4, 0.05, -0.03, 0.02, 0.01, -0.04])


def given_back(thrusters: Block, allocation: Block, wanted: np.ndarray, nu_r: np.ndarray) -> np.ndarray:
    inputs = {"nu_r": nu_r} if "nu_r" in allocation.input_ports else {}
    asked = allocation.evaluate(force=wanted, **inputs).outputs
    commands = {name: asked[name] for name in ("command", "angle") if name in allocation.output_ports}
    if thrusters.type_name() == "thrust.AirFan":
        commands = {name: value[0] for name, value in commands.items()}
    inputs = {"nu_r": nu_r} if "nu_r" in thrusters.input_ports else {}
    return np.asarray(thrusters.evaluate(**commands, **inputs).outputs["force"])


def reachable(thrusters: Block, nu_r: np.ndarray, part: float) -> np.ndarray:
    """A wrench that the thrusters can give: what they give at some command."""
    given = {"nu_r": nu_r} if "nu_r" in thrusters.input_ports else {}
    size = thrusters.known_sizes().get("n", 2 if isinstance(thrusters, DifferentialThrust) else 0)
    pattern = np.array([1.0, 0.7, 0.8, 0.9, 0.6, 0.75, 0.65, 0.85])
    command = part * pattern[:size] if size else part
    return np.asarray(thrusters.evaluate(command=command, **given).outputs["force"])


@pytest.mark.parametrize(("vehicle", "section"), SECTIONS)
def test_commands_give_the_wrench_that_was_wanted(vehicle: str, section: str) -> None:
    thrusters = library()[describe(vehicle).sections[section].type].from_vehicle(vehicle, section)
    if "response" in thrusters.values:
        thrusters.set(response="instant")
    allocation = allocation_for(thrusters)
    assert set(allocation.sources.values()) <= set(thrusters.sources.values())
    turns = isinstance(thrusters, (Rudder, Foil))
    nu_r = NU_R if turns or isinstance(thrusters, MeasuredThruster) else np.zeros(6)
    length = describe(vehicle).dimensions.metres("length") or 1.0
    nu_r = nu_r / np.repeat([1.0, max(length, 1.0)], 3)  # else the flow at a ship's stern would be from abeam
    wanted = reachable(thrusters, nu_r, 0.2)
    got = given_back(thrusters, allocation, wanted, nu_r)
    if turns:  # of a foil the moment counts that it is there for
        wanted, got = ((w[5] if section == "rudder" else w[4]) for w in (wanted, got))
    scale = np.abs(wanted).max()
    assert got == pytest.approx(wanted, abs=2e-6 * scale) or scale == 0.0
