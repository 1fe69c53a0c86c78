"""The state of a `Simulator` as bytes: that of its engine, what blocks in Python hold, and the instant it stands at."""

from __future__ import annotations

import json
import zlib
from dataclasses import dataclass, field
from typing import Any

from blocks.errors import SimulationError

_BEGIN = b"keelblocks simulator 1 "
_CHECKSUM = 9
"""How long the checksum is, with the blank behind it: eight digits."""


@dataclass(frozen=True)
class SimulatorState:
    """What is needed to go on to the same bits.

    `time` is the instant that was asked for last, perhaps ahead of that to which `engine` belongs.
    """

    time: float
    engine: bytes
    blocks: dict[str, bytes] = field(default_factory=dict)
    parameters: dict[str, Any] = field(default_factory=dict)
    """What was set after the diagram was made: blocks check values against each other."""

    def to_bytes(self) -> bytes:
        """All of it."""
        sizes = {name: len(held) for name, held in self.blocks.items()}
        head = {"time": self.time.hex(), "blocks": sizes, "parameters": self.parameters}
        said = json.dumps(head).encode() + b"\n" + b"".join(self.blocks.values()) + self.engine
        return _BEGIN + _checksum(said) + said

    @classmethod
    def of(cls, stored: Any) -> SimulatorState:
        """Read it. Raises SimulationError if the bytes are no state; whose it is shows when an engine takes it up."""
        if not isinstance(stored, (bytes, bytearray, memoryview)):
            raise SimulationError(f"restore takes what save() gave, bytes, or the path of a file, not {stored!r}")
        stored = bytes(stored)
        said = stored[len(_BEGIN) + _CHECKSUM :]
        line, _, rest = said.partition(b"\n")
        try:
            if not stored.startswith(_BEGIN + _checksum(said)):
                raise ValueError
            head = json.loads(line)
            time, sizes, parameters = float.fromhex(head["time"]), head["blocks"], dict(head["parameters"])
            held = {}
            for name, size in sizes.items():
                if type(size) is not int or not 0 <= size <= len(rest):
                    raise ValueError
                held[name], rest = rest[:size], rest[size:]
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError):
            raise SimulationError("these bytes are not the state of a Simulator, or they are damaged") from None
        return cls(time, rest, held, parameters)


def _checksum(said: bytes) -> bytes:
    return b"%08x " % zlib.crc32(said)
