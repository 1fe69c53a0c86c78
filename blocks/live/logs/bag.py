"""Bags as inputs of a diagram: what was logged on a topic, over time."""

from __future__ import annotations

import importlib.util
import math
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.binary.limits import Unreadable
from blocks.binary.reading import read
from blocks.errors import did_you_mean, shown
from blocks.files.writing import is_file, is_folder, path_of
from blocks.live.logs.cdr_reading import deserialize
from blocks.live.logs.message_values import value_of
from blocks.live.logs.writer import BagError
from blocks.live.messages.contents import Message, MessageError
from blocks.live.messages.definitions import short_name

ENDINGS = (".mcap", ".db3")

_NEAR = 1e-9
"""Seconds: times of logs are whole nanoseconds."""


@dataclass(frozen=True)
class Topic:
    """What was logged on a topic: times, s, increasing, and messages, each number an array over them."""

    type: str
    times: NDArray[np.float64]
    message: Message


def bag_inputs(
    path: str | PathLike[str], inputs: Mapping[str, Any], *, interpolation: str = "hold"
) -> dict[str, tuple[Any, ...]]:
    """Inputs of a run from a bag, as `simulate` takes them: `simulate(diagram, 60, inputs=bag_inputs("run.mcap", …))`.

    path: an MCAP file, or a bag of rosbag 2, a .db3 or a folder with such files. inputs: the topic that gives each
    input, {"force": "/force"}, or what of its messages, in the axes of Keelblocks: {"speed": {"topic": "/odom",
    "value": "nu[u]", "interpolation": "linear"}}. interpolation: what is between two messages where nothing else is
    said, "hold" or "linear".

    Time is that of the run in logs of Keelblocks, and in others s since the first message in the bag. Of several
    messages at one instant the last counts. Raises BagError if the bag cannot be read, or has not what is wanted.
    """
    if not isinstance(inputs, Mapping):
        raise BagError(f"inputs are topics by name, {{'force': '/force'}}, not {shown(inputs)}")
    wanted: dict[str, Mapping[str, Any]] = {}
    for name, given in inputs.items():
        entry = {"topic": given} if isinstance(given, str) else given
        if not isinstance(entry, Mapping) or not isinstance(entry.get("topic"), str):
            raise BagError(f"input '{name}' needs a topic, '/force' or {{'topic': '/force'}}, not {shown(given)}")
        for key in entry:
            if key not in _KEYS:
                raise BagError(f"input '{name}': unknown key '{key}'", code="unknown-name", wrong=str(key), valid=_KEYS)
        if not isinstance(entry.get("value"), str | None):
            raise BagError(f"input '{name}': value is a name, such as 'nu[u]', not {shown(entry['value'])}")
        wanted[name] = entry
    topics = read_topics(path, [entry["topic"] for entry in wanted.values()])
    return {
        name: (*_series(path, topics[entry["topic"]], entry), entry.get("interpolation", interpolation))
        for name, entry in wanted.items()
    }


_KEYS = ("topic", "value", "interpolation")


def read_series(path: str, topic: str | None = None, value: str | None = None) -> tuple[Any, Any]:
    """Times and values of a topic, for inputs of scenarios that name a file. Raises BagError."""
    if topic is None:
        raise BagError(f"{path}: say which topic of it gives the input: {{file: {Path(path).name}, topic: /force}}")
    entry = {"topic": topic, "value": value}
    return _series(path, read_topics(path, [topic])[topic], entry)


def _series(path: str | PathLike[str], topic: Topic, entry: Mapping[str, Any]) -> tuple[Any, Any]:
    try:
        return topic.times, value_of(topic.type, topic.message, entry.get("value"))
    except MessageError as problem:
        raise BagError(f"{path}: topic {entry['topic']}: {problem}") from None


def read_topics(path: str | PathLike[str], topics: Iterable[str]) -> dict[str, Topic]:
    """What a bag has of these topics. Raises BagError."""
    given = path_of(path, "a bag", BagError)
    wanted = list(dict.fromkeys(topics))
    parts = [_read(file, wanted) for file in _files(given)]
    types: dict[str, str] = {}
    for part in parts:
        types |= part["types"]
    first = min(int(part["first"]) for part in parts)
    about: Mapping[str, str] = next((part["about"] for part in parts if part["about"]), {})
    found = {}
    for topic in wanted:
        logged = [part["messages"][topic] for part in parts if topic in part["messages"]]
        if topic not in types or not logged:
            raise BagError(
                f"{given} has no messages on the topic '{topic}'", code="unknown-name", wrong=topic, valid=types
            )
        found[topic] = _topic(f"{given}: topic {topic}", short_name(types[topic]), logged, _clock(about, first))
    return found


def _topic(where: str, kind: str, logged: list[Any], clock: Callable[[NDArray[np.int64]], Any]) -> Topic:
    if not kind:
        raise BagError(f"{where}: its messages are not encoded as CDR, as ROS 2 does")
    nanoseconds, sizes, content = (
        np.concatenate([part[key] for part in logged]) for key in ("times", "sizes", "content")
    )
    try:
        message = deserialize(kind, content, sizes)
    except MessageError as problem:
        raise BagError(f"{where}: {problem}") from None
    times = clock(nanoseconds)
    order = np.argsort(times, kind="stable")
    last = np.append(np.diff(times[order]) > 0.0, True)
    return Topic(kind, times[order][last], _ordered(message, order[last]))


def _ordered(content: Any, rows: NDArray[np.intp]) -> Any:
    if isinstance(content, dict):
        return {key: _ordered(item, rows) for key, item in content.items()}
    return content[rows] if isinstance(content, np.ndarray) else content


def _clock(about: Mapping[str, str], first: int) -> Callable[[NDArray[np.int64]], NDArray[np.float64]]:
    """From nanoseconds of a bag to the time of the run, s: in logs of Keelblocks to the bits that it had."""
    try:
        start, step, epoch = float(about["start"]), float(about["step"]), int(about["epoch"])
    except (KeyError, ValueError):
        return lambda nanoseconds: np.asarray((nanoseconds - first) / 1e9)
    if not (math.isfinite(start) and 0.0 < step < math.inf and 0 <= epoch < 2**33):
        return lambda nanoseconds: np.asarray((nanoseconds - first) / 1e9)

    def times(nanoseconds: NDArray[np.int64]) -> NDArray[np.float64]:
        near = (nanoseconds - epoch * 1_000_000_000) / 1e9
        grid = start + np.rint((near - start) / step) * step
        return np.where(np.abs(grid - near) <= _NEAR, grid, near)

    return times


def _files(path: Path) -> list[Path]:
    """The files of a bag."""
    if is_folder(path):
        inside = sorted(file for file in path.iterdir() if file.suffix.lower() in ENDINGS and is_file(file))
        if not inside:
            raise BagError(f"{path} is no bag: there is no file in it that ends in {' or '.join(ENDINGS)}")
        return inside
    if not is_file(path):
        beside = [other.name for other in path.parent.iterdir()] if is_folder(path.parent) else []
        raise BagError(f"there is no file {path}{did_you_mean(path.name, beside) if beside else ''}")
    if path.suffix.lower() not in ENDINGS:
        raise BagError(f"{path}: a bag is a folder, or ends in {' or '.join(ENDINGS)}")
    return [path]


def _read(file: Path, topics: list[str]) -> dict[str, Any]:
    if file.suffix.lower() == ".mcap" and importlib.util.find_spec("mcap") is None:
        raise BagError("MCAP needs the package mcap: pip install 'keelblocks[mcap]'")
    try:
        found: dict[str, Any] = read(file, "read_bag", topics)
    except (OSError, Unreadable) as problem:
        raise BagError(f"{file} cannot be read as a bag, it may be cut short or damaged: {problem}") from None
    return found
