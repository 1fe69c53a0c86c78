"""Signal types: what a port carries."""

from __future__ import annotations

import pytest

from blocks import signal, units
from blocks.signal import AnySignal, Pose, Signal, Velocity

TYPES = {name: item for name, item in vars(signal).items() if isinstance(item, Signal)}


@pytest.mark.parametrize("name", TYPES)
def test_types_agree_with_themselves(name):
    kind = TYPES[name]
    assert len(set(kind.labels)) == len(kind.labels)
    if all(isinstance(d, int) for d in kind.shape) and kind.shape:
        (count,) = kind.shape
        assert len(kind.labels) == count, "elements of a type of fixed size have names"
        assert len(kind.units(count)) == count
    assert kind.frame in (None, "ned", "body")
    for unit in kind.unit if isinstance(kind.unit, tuple) else (kind.unit,):
        assert units.same(unit, unit)


def test_sname_symbols_and_order():
    assert "".join(signal.Wrench.labels) == "XYZKMN"
    assert "".join(signal.BodyVelocity.labels) == "uvwpqr"
    assert Pose.labels == ("x", "y", "z", "phi", "theta", "psi")


def test_a_type_in_words():
    assert str(Pose) == "Pose, 6, m, rad, ned"
    assert str(Velocity) == "Velocity, 3, m/s, ned"
    assert str(AnySignal) == "Any, n"
    assert str(signal.Angle) == "Angle, rad"
    assert str(Signal("Table", (2, 3), "m")) == "Table, 2×3, m"


def test_units_per_element():
    assert Pose.units(6)[3] == "rad"
    assert Velocity.units(3) == ("m/s",) * 3
    assert AnySignal.units(2) == (None, None)
