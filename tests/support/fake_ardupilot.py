"""ArduPilot's side of its JSON interface, from its documentation and sources: what it sends, how it reads a line."""

from __future__ import annotations

import re
import socket
import struct
from collections.abc import Sequence
from typing import Any

KEYS = [
    ("", "timestamp", 1), ("imu", "gyro", 3), ("imu", "accel_body", 3), ("", "position", 3), ("", "attitude", 3),
    ("", "quaternion", 4), ("", "velocity", 3), *(("", f"rng_{number}", 1) for number in range(1, 7)),
    ("", "velocity_wind", 3), ("windvane", "direction", 1), ("windvane", "speed", 1), ("battery", "voltage", 1),
    ("battery", "current", 1),
]  # fmt: skip
"""Section, key and how many numbers, in the order of SIM_JSON.h."""

_NUMBER = re.compile(rb"-?\d+(\.\d+)?")


def packet(count: int, pulses: Sequence[int], rate: int = 400, *, magic: int | None = None) -> bytes:
    """A packet of servo outputs: little-endian, 16 channels or 32."""
    channels = 32 if len(pulses) > 16 else 16
    magic = magic or {16: 18458, 32: 29569}[channels]
    return struct.pack(f"<HHI{channels}H", magic, rate, count, *pulses, *[0] * (channels - len(pulses)))


def seen(line: bytes) -> dict[str, Any]:
    """What ArduPilot reads of an answer: it takes the text between two ends of lines, and the first place of a key.

    A section is looked for from the left, its key behind it, and two characters later the number begins. So a key that
    begins another one has to stand ahead of it.
    """
    assert line.startswith(b"\n")
    assert line.endswith(b"\n")
    row = line[1:-1]
    assert b"\n" not in row
    found: dict[str, Any] = {}
    for section, key, count in KEYS:
        first = row.find(section.encode())
        first = row.find(key.encode(), first + len(section) + 1) if first >= 0 else -1
        if first < 0:
            continue
        rest = row[first + len(key) + 2 :]
        if count == 1:
            number = _NUMBER.match(rest)
            assert number, (key, rest[:30])
            value: Any = float(number[0])
        else:
            assert rest.startswith(b"["), (key, rest[:30])
            value = [float(text) for text in rest[1 : rest.index(b"]")].split(b",")]
            assert len(value) == count
        found[f"{section}.{key}" if section else key] = value
    return found


class Autopilot:
    """An autopilot in lockstep with a vehicle that is served in the same thread by `serve`."""

    def __init__(self, vehicle: Any, rate: int = 400) -> None:
        self.vehicle, self.rate = vehicle, rate
        self.socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self.socket.settimeout(2.0)
        self.count = 0

    def send(self, data: bytes) -> None:
        """A datagram for the vehicle."""
        self.socket.sendto(data, self.vehicle.address)

    def frame(self, pulses: Sequence[int]) -> dict[str, Any]:
        """One frame: send the outputs, let the vehicle answer, read it."""
        self.send(packet(self.count, pulses, self.rate))
        assert self.vehicle.exchange()
        self.count += 1
        return self.answer()

    def answer(self) -> dict[str, Any]:
        """The next answer."""
        return seen(self.socket.recv(65000))

    def close(self) -> None:
        """Go, as when its process ends."""
        self.socket.close()
