"""What stands in MCAP files, as plain data. Runs in a child process, and imports nothing heavy."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from blocks.binary.limits import Budget


def read_mcap(source: str, most: float) -> dict[str, Any]:
    """Every number of every message, "topic.field.field": times of logging, s, and values.

    Raises whatever the libraries raise.
    """
    from mcap.reader import make_reader

    budget = Budget(most)
    series: dict[str, tuple[list[float], list[float]]] = {}
    with Path(source).open("rb") as stream:
        for _, channel, message, content in make_reader(stream, decoder_factories=_decoders()).iter_decoded_messages():
            for field, value in _fields(channel.topic.strip("/").replace("/", "."), content):
                budget.take(field, (), 64)
                times, values = series.setdefault(field, ([], []))
                times.append(message.log_time * 1e-9)
                values.append(value)
    return {name: [np.array(times), np.array(values)] for name, (times, values) in series.items()}


def _decoders() -> list[Any]:
    decoders: list[Any] = [_JsonDecoders()]
    try:
        from mcap_ros2.decoder import DecoderFactory

        decoders.append(DecoderFactory())
    except ImportError:
        pass
    return decoders


class _JsonDecoders:
    """Decodes messages in JSON."""

    def decoder_for(self, encoding: str, schema: Any) -> Any:
        return json.loads if encoding == "json" else None


def _fields(name: str, content: Any) -> list[tuple[str, float]]:
    """All numbers in a message, with their dotted names."""
    if isinstance(content, bool) or content is None or isinstance(content, (str, bytes)):
        return []
    if isinstance(content, (int, float)):
        return [(name, float(content))]
    if isinstance(content, Mapping):
        return [pair for key, value in content.items() for pair in _fields(f"{name}.{key}", value)]
    if isinstance(content, (list, tuple, np.ndarray)):
        return [pair for i, value in enumerate(content) for pair in _fields(f"{name}[{i}]", value)]
    slots = getattr(content, "__slots__", ())
    return [pair for key in slots for pair in _fields(f"{name}.{key}", getattr(content, key))]
