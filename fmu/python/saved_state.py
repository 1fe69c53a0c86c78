"""The state of an instance as bytes: of the engine, of the instance, and what blocks written in Python remember.

It may come from strangers, or from another FMU: nothing in it is run, and what does not fit is refused.
"""

from __future__ import annotations

import json
import math
import struct
from dataclasses import astuple, dataclass
from typing import Any

from cython_kernels import engine as native
from fmu.python.model import PythonPart
from fmu.python.plain_memory import Reader, Unsavable, Writer
from fmu.python.table import NOT_MEMORY

_MAGIC = b"KEELPYST"
_VERSION = 2
_HEAD = struct.Struct("<8sQ2i??6d2Q")
_CHECKED_FROM = 16
STATES = (1, 2, 4, 8, 16, 32)
"""Of an instance: see `fmu.python.instance`."""
_RESTORE_ERRORS = (
    ValueError,
    KeyError,
    IndexError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
    MemoryError,
)


@dataclass
class Saved:
    """What is saved besides the bytes of the engine."""

    state: int
    restart: bool
    stopped: bool
    start: float
    stop: float
    relative_tolerance: float
    absolute_tolerance: float
    engine_relative_tolerance: float
    engine_absolute_tolerance: float


@dataclass
class Memory:
    """What one block keeps: the bytes of its runner, its attributes, and those of them that could not be saved."""

    runner: bytes
    attributes: dict[str, Any]
    left_out: list[str]


def pack(saved: Saved, engine: bytes, memory: str) -> bytes:
    """One string of bytes; nothing in it depends on this process."""
    kept = memory.encode()
    body = _HEAD.pack(_MAGIC, 0, _VERSION, *astuple(saved), len(engine), len(kept)) + engine + kept
    return _HEAD.pack(_MAGIC, native.fnv1a_hash(body[_CHECKED_FROM:]), *_HEAD.unpack_from(body)[2:]) + engine + kept


def unpack(data: bytes) -> tuple[Saved, bytes, bytes]:
    """What was packed. Raises ValueError, saying why, if that is not what these bytes are."""
    if len(data) < _HEAD.size:
        raise ValueError("it is truncated")
    magic, checksum, version, *fields, engine_size, memory_size = _HEAD.unpack_from(data)
    if magic != _MAGIC:
        raise ValueError("it is not a state of such an FMU")
    if version != _VERSION:
        raise ValueError("it was saved by another version")
    if len(data) != _HEAD.size + engine_size + memory_size:
        raise ValueError("it is truncated")
    if native.fnv1a_hash(data[_CHECKED_FROM:]) != checksum:
        raise ValueError("it is damaged")
    kept = data[_HEAD.size + engine_size :]
    saved = Saved(*fields)
    if saved.state not in STATES or not _plausible(saved):
        raise ValueError("it says of itself what cannot be")
    return saved, data[_HEAD.size : _HEAD.size + engine_size], kept


def _plausible(saved: Saved) -> bool:
    tolerances = (
        saved.relative_tolerance, saved.absolute_tolerance, saved.engine_relative_tolerance,
        saved.engine_absolute_tolerance,
    )  # fmt: skip
    return math.isfinite(saved.start) and saved.stop > saved.start and all(0.0 < t < math.inf for t in tolerances)


def remembered(parts: list[PythonPart]) -> tuple[str, list[str]]:
    """What blocks keep in attributes of their own, as text, and the names of attributes that cannot be saved."""
    memory: list[dict[str, Any]] = []
    left_out = []
    for part in parts:
        writer = Writer(_package(part))
        numbers: dict[str, int | None] = {}
        for name, value in vars(part.block).items():
            if name not in NOT_MEMORY:
                try:
                    numbers[name] = writer.add(value)
                except Unsavable:  # a lock, an open file, a function, an object of another library
                    numbers[name] = None
                    left_out.append(f"{part.name}.{name}")
        memory.append({"runner": part.runner.save().hex(), "attributes": numbers, "nodes": writer.nodes})
    return json.dumps(memory), left_out


def recalled(parts: list[PythonPart], kept: bytes) -> list[Memory]:
    """What the blocks kept. Raises ValueError if that is not what these bytes are."""
    try:
        stored = json.loads(kept)
        if len(stored) != len(parts):
            raise ValueError("its blocks are others")
        return [_memory(part, own) for part, own in zip(parts, stored, strict=True)]
    except _RESTORE_ERRORS as problem:
        raise ValueError(f"it holds no values of attributes: {problem}") from None


def _memory(part: PythonPart, own: dict[str, Any]) -> Memory:
    reader, numbers = Reader(_package(part), own["nodes"]), own["attributes"]
    if not all(isinstance(name, str) for name in numbers) or NOT_MEMORY & set(numbers):
        raise ValueError("an attribute in it is none of a block's own")
    attributes = {name: reader.value(number) for name, number in numbers.items() if number is not None}
    return Memory(bytes.fromhex(own["runner"]), attributes, [name for name in numbers if numbers[name] is None])


def _package(part: PythonPart) -> str:
    return type(part.block).__module__.partition(".")[0]


def recall(parts: list[PythonPart], memory: list[Memory]) -> None:
    """Give the blocks back what they kept."""
    for part, own in zip(parts, memory, strict=True):
        for name in set(vars(part.block)) - NOT_MEMORY - set(own.attributes) - set(own.left_out):  # made since then
            delattr(part.block, name)
        part.runner.restore(own.runner)
        for name, value in own.attributes.items():
            setattr(part.block, name, value)
