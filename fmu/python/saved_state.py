"""The state of an instance as bytes: of the engine, of the instance, and what blocks written in Python remember."""

from __future__ import annotations

import pickle
import struct
from dataclasses import astuple, dataclass

from cython_kernels import engine as native
from fmu.python.model import PythonPart
from fmu.python.table import NOT_MEMORY

_MAGIC = b"KEELPYST"
_VERSION = 1
_HEAD = struct.Struct("<8sQ2i??6d2Q")
_CHECKED_FROM = 16
_RUNNER = ""  # what the runner of a block holds, among the block's attributes

Memory = list[dict[str, bytes]]


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


def pack(saved: Saved, engine: bytes, memory: Memory) -> bytes:
    """One string of bytes; nothing in it depends on this process."""
    kept = pickle.dumps(memory, protocol=4)
    body = _HEAD.pack(_MAGIC, 0, _VERSION, *astuple(saved), len(engine), len(kept)) + engine + kept
    return _HEAD.pack(_MAGIC, native.fnv1a_hash(body[_CHECKED_FROM:]), *_HEAD.unpack_from(body)[2:]) + engine + kept


def unpack(data: bytes) -> tuple[Saved, bytes, Memory]:
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
    return Saved(*fields), data[_HEAD.size : _HEAD.size + engine_size], pickle.loads(kept)


def remembered(parts: list[PythonPart]) -> tuple[Memory, list[str]]:
    """What blocks keep in attributes of their own, and the names of attributes that cannot be saved."""
    memory: Memory = []
    left_out = []
    for part in parts:
        own: dict[str, bytes] = {_RUNNER: part.runner.save()}
        for name, value in vars(part.block).items():
            if name not in NOT_MEMORY:
                try:
                    own[name] = pickle.dumps(value, protocol=4)
                except Exception:  # a lock, an open file, a function without a name
                    own[name] = b""
                    left_out.append(f"{part.name}.{name}")
        memory.append(own)
    return memory, left_out


def recall(parts: list[PythonPart], memory: Memory) -> None:
    """Give the blocks back what they kept."""
    for part, own in zip(parts, memory, strict=True):
        for name in set(vars(part.block)) - NOT_MEMORY - set(own):  # made since then
            delattr(part.block, name)
        part.runner.restore(own[_RUNNER])
        for name, value in own.items():
            if value and name != _RUNNER:
                setattr(part.block, name, pickle.loads(value))
