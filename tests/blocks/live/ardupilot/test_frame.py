"""The bytes of ArduPilot's JSON interface: packets in, lines out."""

from __future__ import annotations

import ast
import json
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fake_ardupilot import packet, seen

from blocks.live.ardupilot import frame
from blocks.live.ardupilot.frame import LONGEST, Sensors, Servos

LEVEL = np.array([1.5, -2.25, 0.125, 0.0, 0.0, 0.0])


def servos(command: np.ndarray, channel: int = 1, **other: float) -> Servos:
    given = {"least": 1100, "trim": 1500, "most": 1900, "low": -60.0, "neutral": 0.0, "high": 120.0} | other
    return Servos([(command, channel, *given.values())])


def read(found: Servos, data: bytes) -> bool:
    buffer = bytearray(LONGEST + 1)
    buffer[: len(data)] = data[: len(buffer)]
    return found.read(buffer, min(len(data), len(buffer)))


def sensors(
    eta: Any = LEVEL, nu: Any = (0.0,) * 6, gyro: Any = (0, 0, 0), force: Any = (0, 0, -9.81), **more: Any
) -> Any:
    arrays = {key: np.array(value, dtype=float) for key, value in more.items() if key != "ranges"}
    arrays |= {"ranges": [np.array(value, dtype=float) for value in more.get("ranges", ())]}
    return Sensors(*(np.array(value, dtype=float) for value in (eta, nu, gyro, force)), **arrays)


def test_a_packet_is_read_byte_by_byte() -> None:
    """Little-endian: magic 18458, 400 frames per second, frame 258, and sixteen pulse widths."""
    command = np.zeros(1)
    found = servos(command, channel=2)
    data = bytes.fromhex("1a48 9001 02010000 dc05 6c07" + "dc05" * 14)
    assert read(found, data)
    assert (found.frame_rate, found.frame_count, found.channels) == (400, 258, 16)
    found.apply()
    assert command[0] == 120.0  # 0x076c = 1900 µs
    assert read(found, bytes.fromhex("8173 e803 ffffffff" + "dc05" * 31 + "4c04"))
    assert (found.frame_rate, found.frame_count, found.channels) == (1000, 2**32 - 1, 32)


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x1a",
        packet(1, [1500])[:-1],
        packet(1, [1500]) + b"\0",
        packet(1, [1500], magic=18459),
        packet(1, [1500], magic=29569),
        packet(1, [1500] * 17, magic=18458),
        packet(1, [1500], rate=0),
        packet(1, [1500] * 32) + bytes(60000),
    ],
)
def test_other_packets_change_nothing(data: bytes) -> None:
    command = np.zeros(1)
    found = servos(command)
    assert read(found, packet(7, [1700]))
    assert not read(found, data)
    found.apply()
    assert (found.frame_count, command[0]) == (7, 60.0)


@pytest.mark.parametrize(
    ("pulse", "other", "wanted"),
    [
        (1500, {}, 0.0),
        (1700, {}, 60.0),
        (1300, {}, -30.0),
        (1, {}, -60.0),
        (65535, {}, 120.0),
        (0, {"neutral": 5.0}, 5.0),  # no output
        (1400, {"trim": 1300, "neutral": 10.0}, 10.0 + 110.0 / 6.0),
        (1500, {"least": 1100, "trim": 1100}, 60.0),  # one-sided
        (1000, {"least": 1100, "trim": 1100}, 0.0),
        (1500, {"trim": 1900}, -30.0),
    ],
)
def test_commands_are_linear_between_three_pulse_widths(pulse: int, other: dict[str, float], wanted: float) -> None:
    command = np.zeros(1)
    found = servos(command, **other)
    assert read(found, packet(1, [pulse]))
    found.apply()
    assert command[0] == pytest.approx(wanted, abs=1e-12)


def test_a_channel_that_a_packet_does_not_have_is_at_rest() -> None:
    command = np.ones(1)
    found = servos(command, channel=20)
    assert read(found, packet(1, [1900] * 32))
    found.apply()
    assert command[0] == 120.0
    assert read(found, packet(2, [1900] * 16))
    found.apply()
    assert command[0] == 0.0


def test_numbers_are_written_to_a_billionth() -> None:
    generator = np.random.default_rng(5)
    edges = [0.0, -0.0, 4e-10, -4e-10, 6e-10, 0.999999999, 0.9999999996, -1.0, 1e-9, 8.9e9, 1234567.000000001, 10.0]
    for value in [*edges, *(generator.standard_normal(300) * 10.0 ** generator.integers(-9, 9, 300))]:
        line = sensors([value, 0, 0, 0, 0, 0]).line(abs(value))
        found = json.loads(line)
        assert found["position"][0] == pytest.approx(value, abs=5.1e-10, rel=1e-15)
        assert found["timestamp"] == pytest.approx(abs(value), abs=5.1e-10, rel=1e-15)
        assert b"-0," not in line


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf, 9.1e9])
def test_what_is_no_number_for_ardupilot_is_refused(value: float) -> None:
    with pytest.raises(ValueError, match="not finite"):
        sensors(nu=[value, 0, 0, 0, 0, 0]).line(1.0)


def test_ardupilot_finds_every_key() -> None:
    """It looks from the left, so that order matters; no field may hide another one."""
    eta, nu = [10.0, 20.0, 30.0, 0.1, -0.2, 2.0], [1.0, 0.5, -0.25, 0.0, 0.0, 0.0]
    more = {"voltage": 24.5, "current": 3.5, "wind": [2, 3, 0], "ranges": [7, 8, 9, 1, 2, 3]}
    line = sensors(eta, nu, [0.01, 0.02, 0.03], [0.4, 0.5, -9.7], **more).line(12.5)
    found = seen(line)
    assert found["timestamp"] == 12.5
    assert (found["imu.gyro"], found["imu.accel_body"]) == ([0.01, 0.02, 0.03], [0.4, 0.5, -9.7])
    assert (found["position"], found["attitude"]) == (eta[:3], eta[3:])
    assert (found["battery.voltage"], found["battery.current"]) == (24.5, 3.5)
    assert found["velocity_wind"] == [2, 3, 0]
    assert [found[f"rng_{number}"] for number in range(1, 7)] == [7, 8, 9, 1, 2, 3]
    assert len(found) == 18
    phi, theta, psi = eta[3:]
    about = [
        np.array([[1, 0, 0], [0, np.cos(phi), -np.sin(phi)], [0, np.sin(phi), np.cos(phi)]]),
        np.array([[np.cos(theta), 0, np.sin(theta)], [0, 1, 0], [-np.sin(theta), 0, np.cos(theta)]]),
        np.array([[np.cos(psi), -np.sin(psi), 0], [np.sin(psi), np.cos(psi), 0], [0, 0, 1]]),
    ]
    rotation = about[2] @ about[1] @ about[0]
    assert found["velocity"] == pytest.approx(rotation @ nu[:3], abs=1e-9)
    w, x, y, z = found["quaternion"]
    assert np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    ) == pytest.approx(rotation, abs=1e-8)
    json.loads(line)


@pytest.mark.parametrize(
    ("heading", "speed", "wind", "direction", "strength"),
    [
        (0.0, 0.0, [-5, 0, 0], 0.0, 5.0),  # a north wind ahead
        (0.0, 0.0, [0, -5, 0], 90.0, 5.0),  # an east wind on the starboard beam
        (90.0, 0.0, [-5, 0, 0], -90.0, 5.0),  # heading east, a north wind is on port
        (0.0, 3.0, [0, 0, 0], 0.0, 3.0),  # in a calm the wind is one's own
        (0.0, 4.0, [0, -4, 0], 45.0, 4.0 * math.sqrt(2.0)),
    ],
)
def test_the_wind_vane_turns_with_the_boat(
    heading: float, speed: float, wind: list[float], direction: float, strength: float
) -> None:
    """Clockwise from the bow, where the apparent wind comes from."""
    eta = [0, 0, 0, 0, 0, math.radians(heading)]
    found = seen(sensors(eta, [speed, 0, 0, 0, 0, 0], wind=wind).line(0.0))
    assert math.degrees(found["windvane.direction"]) == pytest.approx(direction, abs=1e-6)
    assert found["windvane.speed"] == pytest.approx(strength, abs=1e-9)


def test_the_longest_line_is_whole() -> None:
    wide = -5123456789.123456789
    more = {"voltage": wide, "current": wide, "wind": [wide] * 3, "ranges": [wide] * 6}
    line = sensors([wide] * 3 + [-0.123456789] * 3, [wide] * 3 + [0] * 3, [wide] * 3, [wide] * 3, **more).line(5e9)
    assert len(seen(line)) == 18
    assert json.loads(line)["rng_6"] == pytest.approx(wide, rel=1e-15)


def test_arrays_have_to_fit() -> None:
    with pytest.raises(ValueError, match="6 numbers are wanted, not 3"):
        sensors(eta=[1.0, 2.0, 3.0])


def test_its_types_name_all_that_it_has() -> None:
    stated = ast.parse(Path(frame.__file__).with_name("frame.pyi").read_text(encoding="utf-8")).body
    for one in (item for item in stated if isinstance(item, ast.ClassDef)):
        names = {part.name for part in one.body if isinstance(part, ast.FunctionDef)}
        names |= {ast.unparse(part.target) for part in one.body if isinstance(part, ast.AnnAssign)}
        assert names - {"__init__"} == {name for name in vars(getattr(frame, one.name)) if not name.startswith("_")}
