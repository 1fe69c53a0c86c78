"""Messages of bags of ROS 2, MCAP or SQLite, as bytes. Runs in a child process, and imports nothing heavy."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np

from blocks.binary.limits import Budget, Unreadable

_Message = tuple[str, int, bytes]


def read_bag(source: str, most: float, topics: list[str]) -> dict[str, Any]:
    """Messages of some topics: `types` of all topics, `about` as Keelblocks has written it, `first` time of all, ns,
    and of each wanted topic its `times`, ns, its `content`, the bytes of all messages, and their `sizes`.

    Raises whatever the libraries raise.
    """
    path = Path(source)
    return _sqlite(path, most, topics) if path.suffix.lower() == ".db3" else _mcap(path, most, topics)


def _mcap(path: Path, most: float, topics: list[str]) -> dict[str, Any]:
    from mcap.reader import make_reader

    types: dict[str, str] = {}
    with path.open("rb") as stream:
        reader = make_reader(stream)
        summary = reader.get_summary()
        about = {one.name: dict(one.metadata) for one in reader.iter_metadata() if one.name == "keelblocks"}
        if summary is not None and summary.statistics is not None:
            first: int | None = summary.statistics.message_start_time
            for channel in summary.channels.values():
                schema = summary.schemas.get(channel.schema_id)
                types[channel.topic] = schema.name if schema is not None and channel.message_encoding == "cdr" else ""
            wanted: Any = topics
        else:
            first, wanted = None, None

        def messages() -> Iterator[_Message]:
            nonlocal first
            for schema, channel, message in reader.iter_messages(topics=wanted):
                first = message.log_time if first is None else min(first, message.log_time)
                types[channel.topic] = schema.name if schema and channel.message_encoding == "cdr" else ""
                yield channel.topic, message.log_time, message.data

        found = _collected(messages(), Budget(most), topics)
    return {"types": types, "about": about.get("keelblocks", {}), "first": first or 0, "messages": found}


def _sqlite(path: Path, most: float, topics: list[str]) -> dict[str, Any]:
    with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro&immutable=1", uri=True)) as bag:
        rows = bag.execute("SELECT id, name, type, serialization_format FROM topics").fetchall()
        types = {str(name): str(kind) if encoding == "cdr" else "" for _, name, kind, encoding in rows}
        names = {number: str(name) for number, name, _, _ in rows if str(name) in topics}
        first = bag.execute("SELECT MIN(timestamp) FROM messages").fetchone()[0]

        def messages() -> Iterator[_Message]:
            marks = ", ".join("?" for _ in names)
            query = f"SELECT topic_id, timestamp, data FROM messages WHERE topic_id IN ({marks})"
            for number, time, data in bag.execute(query, list(names)):
                if not isinstance(time, int) or not isinstance(data, bytes):
                    raise Unreadable(f"a message of {names[number]} is no time in ns with bytes")
                yield names[number], time, data

        found = _collected(messages(), Budget(most), topics)
    return {"types": types, "about": {}, "first": int(first or 0), "messages": found}


def _collected(messages: Iterable[_Message], budget: Budget, topics: list[str]) -> dict[str, Any]:
    times: dict[str, list[int]] = {topic: [] for topic in topics}
    parts: dict[str, list[bytes]] = {topic: [] for topic in topics}
    for topic, time, data in messages:
        if topic in times:
            budget.take(topic, (len(data) + 64,), 1)
            times[topic].append(time)
            parts[topic].append(data)
    return {
        topic: {
            "times": np.array(times[topic], np.int64),
            "sizes": np.array([len(part) for part in parts[topic]], np.int64),
            "content": np.frombuffer(b"".join(parts[topic]), np.uint8),
        }
        for topic in topics
        if times[topic]
    }
