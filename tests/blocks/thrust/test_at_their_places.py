"""Whatever pushes at a point of the hull: the flow there is v + ω×r, the wrench (F, r×F), of new blocks, too."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from blocks.block import Block, library
from blocks.plan import make_plan

BEHIND_A_HULL = {"thrust.MMGPropulsion"}
"""The flow there is the hull's, and so is part of the force."""


def _at_a_place() -> list[str]:
    """Blocks with a wrench and one velocity of the hull, and `position` or `positions` of what pushes."""
    return [
        name
        for name, cls in library().items()
        if cls.__module__.startswith("blocks.")
        and name not in BEHIND_A_HULL
        and {"position", "positions"} & {*cls.all_parameters()}
        and "force" in cls.declared_outputs
        and (hasattr(cls, "nu") or hasattr(cls, "nu_r"))
    ]


def _moved(block: Block, place: np.ndarray) -> Block:
    """A copy with all that pushes at one place."""
    found = block.copy()
    name = "position" if "position" in block.all_parameters() else "positions"
    found.set(**{name: np.broadcast_to(place, np.shape(getattr(block, name)))})
    return found


def _inputs(block: Block, random: np.random.Generator) -> dict[str, Any]:
    """Random values of all inputs but the velocity of the hull."""
    return {
        name: random.uniform(-1.0, 1.0, place.shape)
        for name, place in make_plan(block.copy()).inputs.items()
        if name not in ("nu", "nu_r")
    }


def _evaluate(block: Block, nu: np.ndarray, inputs: dict[str, Any]) -> dict[str, Any]:
    velocity = "nu" if "nu" in block.input_ports else "nu_r"
    return block.evaluate(**{velocity: nu}, **inputs).outputs


def test_they_are_all_here() -> None:
    found = {"thrust.AirFan", "thrust.AzimuthThrusters", "thrust.Foil", "thrust.Rudder", "thrust.Sail", "thrust.Tether"}
    assert found <= {*_at_a_place()}


@pytest.mark.parametrize("name", _at_a_place())
def test_turning_is_moving_at_the_place(name: str, make_sample: Any) -> None:
    """A hull that turns does to a thing at r what one does that moves with v + ω×r: each axis alone, then all."""
    random = np.random.default_rng(5)
    rates = [*np.vstack([np.eye(3), -np.eye(3)]), *random.uniform(-1.0, 1.0, (6, 3))]
    differs = np.zeros(3, dtype=bool)
    for rate in rates:
        place, velocity = random.uniform(-2.0, 2.0, (2, 3))
        block = _moved(make_sample(name), place)
        inputs = _inputs(block, random)
        turning = _evaluate(block, np.r_[velocity, rate], inputs)
        moving = _evaluate(block, np.r_[velocity + np.cross(rate, place), np.zeros(3)], inputs)
        straight = _evaluate(block, np.r_[velocity, np.zeros(3)], inputs)
        for output, value in turning.items():
            np.testing.assert_allclose(value, moving[output], rtol=1e-9, atol=1e-9, err_msg=output)
        differs |= (rate != 0.0) & any(not np.allclose(turning[one], straight[one], rtol=1e-6) for one in turning)
    assert differs.all()


@pytest.mark.parametrize("name", _at_a_place())
def test_the_moment_is_that_of_the_force_at_the_place(name: str, make_sample: Any) -> None:
    random = np.random.default_rng(6)
    for _ in range(5):
        place = random.uniform(-2.0, 2.0, 3)
        block = _moved(make_sample(name), place)
        force = _evaluate(block, random.uniform(-1.0, 1.0, 6), _inputs(block, random))["force"]
        np.testing.assert_allclose(force[3:], np.cross(place, force[:3]), rtol=1e-9, atol=1e-9)
        assert np.abs(force[:3]).max() > 1e-6
