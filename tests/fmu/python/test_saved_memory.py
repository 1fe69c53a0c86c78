"""What blocks written in Python keep in attributes, in saved states: plain data, of which nothing is run."""

from __future__ import annotations

import enum
import json
import os
import pickle
import random
import threading
from collections import deque
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from fmpy.fmi1 import FMICallException
from python_models import moody

import fmu
from cython_kernels import engine as native
from fmu.python import saved_state
from fmu.python.plain_memory import Reader, Unsavable, Writer

HERE = __name__.partition(".")[0]


class Mode(enum.Enum):
    """Of a block."""

    IDLE = 1
    BUSY = 2


@dataclass(frozen=True)
class Target:
    """A plain object, of attributes only."""

    place: Any
    mode: Mode


class Custom:
    """Says how it is saved."""

    def __reduce__(self) -> Any:
        return (os.mkdir, ("reduced",))


def again(value: Any) -> Any:
    writer = Writer(HERE)
    number = writer.add(value)
    return Reader(HERE, json.loads(json.dumps(writer.nodes))).value(number)


PLAIN = [
    None, True, 0, -(2**200), 0.1, -0.0, float("inf"), 1e-320, 3 - 4j, "", "ψ\udc80", b"\xff", [], [1, [2.5, "x"]],
    (),     (1, (2,)), {1, 2}, frozenset("a"), {}, {"a": 1, 2: [3], (4, 5): None}, deque([1, 2], 5), Mode.BUSY,
    Target([1.0, {"k": Mode.IDLE}], Mode.BUSY), np.float32(0.1), np.int8(-3), np.datetime64("2024-01-01T00:00"),
]  # fmt: skip


@pytest.mark.parametrize("value", PLAIN, ids=repr)
def test_plain_values_come_back(value: Any) -> None:
    found = again(value)
    assert type(found) is type(value)
    assert repr(found) == repr(value)


@pytest.mark.parametrize(
    "array",
    [
        np.arange(6.0).reshape(2, 3), np.asfortranarray(np.arange(6.0).reshape(2, 3)), np.zeros((0, 4), dtype="i2"),
        np.array("text"), np.array(["a", "bc"]), np.arange(8)[::2], np.array([True, False]),
    ],
)  # fmt: skip
def test_arrays_come_back_in_their_order(array: Any) -> None:
    found = again(array)
    np.testing.assert_array_equal(found, array)
    assert (found.dtype, found.shape, found.flags.writeable) == (array.dtype, array.shape, True)
    assert found.flags.f_contiguous == (array.flags.f_contiguous or array.size == 4)


@pytest.mark.parametrize("bits", ["PCG64", "PCG64DXSM", "MT19937", "Philox", "SFC64"])
def test_generators_go_on(bits: str) -> None:
    generator = np.random.Generator(getattr(np.random, bits)(5))
    generator.random(7)
    assert again(generator).random(9).tolist() == generator.random(9).tolist()
    plain = random.Random(3)
    plain.gauss(0.0, 1.0)
    assert again(plain).gauss(0.0, 1.0) == plain.gauss(0.0, 1.0)


def test_what_was_one_thing_is_one_thing_again() -> None:
    inner: list[Any] = [1.0]
    ring: dict[str, Any] = {"a": inner, "b": inner}
    ring["self"] = ring
    found = again(ring)
    assert found["a"] is found["b"]
    assert found["self"] is found


@pytest.mark.parametrize(
    "value",
    [
        threading.Lock(), print, lambda: 0, np.array([{}]), np.zeros(1, dtype="i4,f4"), Custom(), SimpleNamespace(a=1),
        Path("x"), Mode, pytest,
    ],
)  # fmt: skip
def test_others_are_left_out_and_leave_nothing_behind(value: Any) -> None:
    writer = Writer(HERE)
    for given in (value, [1, {"deep": (2, value)}]):
        with pytest.raises(Unsavable):
            writer.add(given)
    assert writer.nodes == []


def test_what_is_nested_too_deep_is_left_out() -> None:
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    with pytest.raises(Unsavable):
        Writer(HERE).add(deep)


@pytest.mark.parametrize(
    "node",
    [
        ["object", "os", "_wrap_close", []], ["object", "subprocess", "Popen", []], ["member", "enum", "Enum", "x"],
        ["object", HERE, "Custom", []], ["object", HERE, "Mode", []], ["object", HERE, "Mode.__class__", []],
        ["object", HERE, "os.system", []], ["object", HERE, "Path", []], ["member", HERE, "Mode", "NONE"],
        ["generator", "default_rng", 0], ["array", "|O8", [1], False, "AAAAAAAAAAA="], ["run", 1], [],
        ["array", "<f8", [-1], False, ""], ["array", "<f8", [10**15], False, ""], ["list", [99]], ["list", [-1]],
        ["tuple", [0]], ["int", "x"], ["bool", 1],
        ["str", None], ["bytes", "?"], ["dict", [[0]]], ["random", 0], "none", None,
    ],
    ids=str,
)  # fmt: skip
def test_forged_nodes_are_refused(node: Any) -> None:
    part = SimpleNamespace(block=Target(0, Mode.IDLE), runner=None)
    stored = [{"runner": "", "attributes": {"place": 0}, "nodes": [node]}]
    with pytest.raises(ValueError, match="it holds no values of attributes"):
        saved_state.recalled([part], json.dumps(stored).encode())  # type: ignore[list-item]


def test_a_generator_that_stands_outside_of_its_buffer_is_refused() -> None:
    writer = Writer(HERE)
    number = writer.add(np.random.Generator(np.random.MT19937(1)))
    text = json.dumps(writer.nodes)
    assert text.count(hex(623)) == 1
    with pytest.raises(ValueError, match="a generator in it stands at 1000000"):
        Reader(HERE, json.loads(text.replace(hex(623), hex(10**6)))).value(number)


@pytest.fixture(scope="module")
def path(tmp_path_factory: pytest.TempPathFactory) -> Path:
    with pytest.warns(fmu.PythonNeeded):
        return fmu.export(moody(), tmp_path_factory.mktemp("moody") / "moody.fmu", step=0.1)


class Bomb:
    """A pickle that makes a folder when it is read."""

    def __reduce__(self) -> Any:
        return (os.mkdir, (str(Path("exploded").absolute()),))


def resealed(state: bytes, kept: bytes) -> bytes:
    """A state with another memory, and the checksum of that."""
    head = saved_state._HEAD
    magic, _, *fields, engine_size, _ = head.unpack_from(state)
    rest = state[head.size : head.size + engine_size] + kept
    body = head.pack(magic, 0, *fields, engine_size, len(kept)) + rest
    return head.pack(magic, native.fnv1a_hash(body[16:]), *fields, engine_size, len(kept)) + rest


@pytest.mark.parametrize("protocol", [0, 4])
def test_a_pickle_in_a_state_is_not_run(path: Path, tool: Any, protocol: int) -> None:
    one = tool(path).begin()
    one.run(3, "y")
    held = one.slave.getFMUState()
    good = one.slave.serializeFMUstate(held)
    memory = saved_state._HEAD.unpack_from(good)[-1]
    same = resealed(good, good[-memory:])
    assert same == good, "so the checksum of a forged state holds"
    for payload in (Bomb(), [{"": b"", "calls": pickle.dumps(Bomb(), protocol=protocol)}]):
        with pytest.raises(FMICallException):
            one.slave.deSerializeFMUstate(resealed(good, pickle.dumps(payload, protocol=protocol)))
        assert "the state cannot be used: it holds no values of attributes" in one.messages[-1]
    assert not Path("exploded").exists()
    pickle.loads(pickle.dumps(Bomb()))
    assert Path("exploded").exists(), "or the bomb is none"
    one.slave.freeFMUState(held)


def test_a_state_of_an_instance_that_cannot_be_is_refused(path: Path, tool: Any) -> None:
    one = tool(path).begin()
    held = one.slave.getFMUState()
    good = one.slave.serializeFMUstate(held)
    one.slave.freeFMUState(held)
    head = saved_state._HEAD
    fields = list(head.unpack_from(good))
    for place, value in ((3, 99), (6, float("nan")), (8, -1.0), (10, float("inf"))):
        forged = fields[:]
        forged[place] = value
        body = head.pack(*forged) + good[head.size :]
        forged[1] = native.fnv1a_hash(body[16:])
        with pytest.raises(FMICallException):
            one.slave.deSerializeFMUstate(head.pack(*forged) + good[head.size :])
        assert "the state cannot be used: it says of itself what cannot be" in one.messages[-1]
