"""Saved states: what follows is the same to the last bit, in the same instance or another."""

from __future__ import annotations

import math
import struct

import pytest
from fmpy.fmi1 import FMICallException

from cython_kernels.engine import fnv1a_hash


def test_a_restored_state_goes_on_bit_for_bit(exported, tool):
    for name in ("guided_vessel", "mixed"):
        one = tool(exported(name)).begin()
        names = one.outputs()
        one.run(37, *names)
        state = one.slave.getFMUstate()
        here = one.get(*names)
        ahead = one.run(60, *names, first=37)
        one.slave.setFMUstate(state)
        assert one.get(*names) == here
        assert one.run(60, *names, first=37) == ahead
        one.slave.freeFMUstate(state)


def test_a_serialized_state_goes_on_in_another_instance(exported, tool):
    one = tool(exported("mixed")).begin()
    names = one.outputs()
    one.set({"push": 0.7, "lag.time_constant[1]": 0.3})
    one.run(23, *names)
    state = one.slave.getFMUstate()
    stored = one.slave.serializeFMUstate(state)
    ahead = one.run(40, *names, first=23)
    other = tool(exported("mixed")).instantiate()
    taken = other.slave.deSerializeFMUstate(stored)
    other.slave.setFMUstate(taken)
    assert other.get("push", "lag.time_constant[1]") == [0.7, 0.3]
    assert other.run(40, *names, first=23) == ahead
    one.slave.freeFMUstate(state)
    other.slave.freeFMUstate(taken)


def test_values_that_were_set_but_not_used_yet_belong_to_the_state(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 1.0})
    one.initialize()
    one.set({"u": 4.0})
    state = one.slave.getFMUstate()
    one.set({"u": 8.0})
    one.slave.setFMUstate(state)
    assert one.get("y") == [0.25]
    one.slave.freeFMUstate(state)


def test_the_place_in_the_life_and_the_experiment_belong_to_the_state(exported, tool):
    one = tool(exported("mixed")).begin(stop=1.0)
    state = one.slave.getFMUstate()
    one.slave.terminate()
    one.slave.reset()
    with pytest.raises(FMICallException):
        one.step(0.0)
    one.slave.setFMUstate(state)
    one.run(50, "position")
    with pytest.raises(FMICallException):
        one.step(1.0)
    assert "beyond the stop time 1 s" in one.messages[-1]
    one.slave.freeFMUstate(state)


def test_a_failed_run_can_be_taken_up_again_from_a_state(exported, tool):
    one = tool(exported("fragile")).instantiate()
    one.set({"u": 1.0})
    one.initialize()
    one.step(0.0)
    state = one.slave.getFMUstate()
    one.set({"u": 0.0})
    with pytest.raises(FMICallException):
        one.step(0.02)
    one.slave.setFMUstate(state)
    one.step(0.02)
    assert one.get("total") == [pytest.approx(0.04)]
    one.slave.freeFMUstate(state)


def test_a_state_is_overwritten_when_it_is_given_again(exported, tool):
    one = tool(exported("mixed")).begin()
    one.run(5, "position")
    state = one.slave.getFMUstate()
    count = one.allocated
    one.slave.fmi2GetFMUstate(one.slave.component, state)
    assert one.allocated == count
    one.slave.freeFMUstate(state)


def test_foreign_and_damaged_states_are_refused(exported, tool):
    one = tool(exported("mixed")).begin()
    other = tool(exported("guided_vessel")).begin()
    state = one.slave.getFMUstate()
    stored = bytes(one.slave.serializeFMUstate(state))
    for wrong, text in (
        (stored[:20], "truncated"),
        (stored[:-8], "truncated"),
        (b"x" * len(stored), "it is not a state of such an FMU"),
        (stored[:30] + bytes([stored[30] ^ 1]) + stored[31:], "damaged"),
    ):
        with pytest.raises(FMICallException):
            one.slave.deSerializeFMUstate(wrong)
        assert text in one.messages[-1]
    with pytest.raises(FMICallException):
        other.slave.deSerializeFMUstate(stored)
    assert "it belongs to another model" in other.messages[-1]
    flipped = one.slave.deSerializeFMUstate(stored[:-4] + bytes([stored[-4] ^ 1]) + stored[-3:])
    with pytest.raises(FMICallException):
        one.slave.setFMUstate(flipped)
    assert "damaged" in one.messages[-1]
    one.step(0.0)
    for kept in (state, flipped):
        one.slave.freeFMUstate(kept)


VERSION, INTERFACE, STATE, RESTART, EXPERIMENT = 24, 28, 32, 36, 64  # bytes of fields of SavedInstance
IMPOSSIBLE = [
    *((VERSION, "<i", 2, "another version"), (INTERFACE, "<i", 1, "the other interface"), (RESTART, "<i", 2, "no run")),
    *((STATE, "<i", value, "no run") for value in (0, -1, 3, 1 << 20)),
    *((EXPERIMENT + 8 * i, "<d", math.inf, "no run") for i in range(4)),
    *((EXPERIMENT + 8 * i, "<d", 0.0, "no run") for i in (2, 3)),
]


@pytest.mark.parametrize(("place", "form", "value", "reason"), IMPOSSIBLE)
def test_a_state_that_no_run_reaches_is_refused_though_its_checksum_fits(exported, tool, place, form, value, reason):
    one = tool(exported("mixed")).begin(stop=10.0)
    state = one.slave.getFMUstate()
    stored = bytes(one.slave.serializeFMUstate(state))
    plan = (one.folder / "resources" / "plan.bin").read_bytes()
    behind = stored.index(plan[16:24])  # the state of the plan begins with the checksum of the plan
    forged = bytearray(stored)
    struct.pack_into(form, forged, place, value)
    struct.pack_into("<Q", forged, 8, fnv1a_hash(bytes(forged[16:behind])))
    with pytest.raises(FMICallException):
        one.slave.deSerializeFMUstate(bytes(forged))
    assert reason in one.messages[-1]
    one.slave.freeFMUstate(state)
