"""Jumps and kinks of formulas in continuous time: found as events, held between these, settled at once."""

from __future__ import annotations

import numpy as np
import pytest

from blocks import Diagram, simulate
from blocks.basic import Formula


def ended(block, until, state, **settings):
    """What a state is in the end."""
    diagram = Diagram()
    diagram.add("f", block)
    return simulate(diagram, until, record=f"f.{state}", **settings).values(f"f.{state}").ravel()[-1]


def test_an_instant_that_is_known_ahead_ends_a_step():
    """Whatever the solver: x' = 1 until then, -2 after it."""
    block = Formula(
        {"y": "x"}, parameters={"end": "1.25 s"}, states={"x": "1.0 if t < end else -2.0"}, initial_x="0 s"
    )  # fmt: skip
    for settings in ({"solver": "dopri5", "step": 0.5}, {"solver": "rk4", "step": 0.1}):
        assert ended(block.copy(), 2.0, "y", **settings) == pytest.approx(1.25 - 2.0 * 0.75, abs=1e-12)


def test_relations_of_states_are_located():
    """A fall under g, x = h - g t^2/2, whose flag rises where it passes c."""
    block = Formula(
        {"y": "n"}, parameters={"c": "3 m", "g": "9.81 m/s^2"},
        states={"x": "v", "v": "-g", "n": "1.0 if x < c else 0.0"},
        units={"n": "s"}, initial_x="10 m", initial_v="0 m/s",
    )  # fmt: skip
    end = ended(block, 1.5, "y", solver="dopri5", step=0.5, relative_tolerance=1e-10, absolute_tolerance=1e-12)
    passed = np.sqrt(2.0 * 7.0 / 9.81)
    assert end == pytest.approx(1.5 - passed, abs=1e-9)


@pytest.mark.parametrize("text", ["sign(u)", "floor(u)", "ceil(u)", "round(u)", "u % 0.4", "wrap(3*u)", "u >= 0.3"])
def test_jumps_are_as_sampled_once_modes_have_settled(text):
    held, sampled = Formula({"y": text}, inputs={"u": ""}), Formula({"y": text}, inputs={"u": ""}, period=0.1)
    assert held.program.modes
    assert held.program.crossings
    for u in (-2.2, -0.5, 0.0, 0.3, 1.7):
        before = held.evaluate(u=u)
        settled = held.evaluate(u=u, states=dict(before.updated))
        assert settled.outputs["y"] == pytest.approx(sampled.evaluate(u=u).outputs["y"], abs=1e-12)
        again = settled.updated
        assert all(np.array_equal(again[name], before.updated[name]) for name in again)


def test_nested_relations_settle_at_once():
    block = Formula({"y": "1.0 if floor(u) > 1 and not u > 5 else 0.0"}, inputs={"u": ""})
    first = block.evaluate(u=3.0).updated
    second = block.evaluate(u=3.0, states=dict(first)).updated
    assert all(np.array_equal(first[name], second[name]) for name in first)


def test_kinks_have_crossings_and_what_is_constant_has_none():
    assert (
        Formula({"y": "abs(u) + max(u, 1) + k*abs(k)"}, inputs={"u": ""}, parameters={"k": 1.0}).program.crossings == 2
    )
    assert Formula({"y": "abs(u) + floor(u)"}, inputs={"u": ""}, period=0.1).program.crossings == 0
    assert Formula({"y": "u if k > 0 else -u"}, inputs={"u": ""}, parameters={"k": 1.0}).program.modes == 0


def test_setup_follows_a_change_of_parameters():
    block = Formula({"y": "(k*2 + 1)*u + sqrt(k)"}, inputs={"u": ""}, parameters={"k": 4.0})
    assert block.evaluate(u=2.0).outputs["y"] == 20.0
    block.k = 9.0
    assert block.evaluate(u=2.0).outputs["y"] == 41.0
