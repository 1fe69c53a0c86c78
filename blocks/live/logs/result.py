"""A result as MCAP."""

from __future__ import annotations

from collections.abc import Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.live.logs.automatic import topics_of
from blocks.live.logs.writer import LogWriter, epoch_of
from blocks.live.messages import publications
from blocks.live.messages.entries import topic_entries
from blocks.live.messages.outgoing import Read, Signals
from blocks.model.block import Block
from blocks.run.result import Result, save_as

_ROWS = 2048
"""Points in time whose messages are made at once."""


def save_mcap(
    result: Result,
    path: str | PathLike[str],
    *,
    topics: Mapping[str, Any] | None = None,
    blocks: Mapping[str, Block] | None = None,
) -> Path:
    """Write a result as MCAP, in messages of ROS 2.

    topics: which signals make which message on which topic, as under `topics` in a scenario,
    {"/odom": {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu"}}; without it every signal is there,
    and what signals make together. blocks: by name, `diagram.blocks()`, whose noise gives covariances; those of the
    run if not given.
    Raises LogError or ResultError if it cannot be written, MessageError for topics that do not fit what was recorded.
    """
    return save_as(path, {".mcap": lambda part: _write(result, part, topics, blocks)})


def write(result: Result, path: str) -> None:
    """What `result.save("run.mcap")` does."""
    _write(result, path, None, None)


def _write(result: Result, path: str, topics: Mapping[str, Any] | None, blocks: Mapping[str, Block] | None) -> None:
    signals = Signals(result.places, blocks or {})
    entries = topics_of(signals) if topics is None else topic_entries(topics)
    made = publications(entries, signals)
    start = float(result.attributes["start"])
    first = float(result.time[0]) if len(result) else start
    about: dict[str, str] = {
        key: str(result.attributes[key]) for key in ("status", "solver", "plan") if key in result.attributes
    }
    about |= {"version": str(result.attributes.get("keelblocks", "")), "start": repr(start)}
    about["step"] = repr(float(result.attributes["step"]))
    with Path(path).open("wb") as stream:
        writer = LogWriter(stream, made, about, epoch_of(min(first, start)))
        for begin in range(0, len(result), _ROWS):
            rows = slice(begin, begin + _ROWS)
            writer.write(writer.channels, result.time[rows], _reader(result, rows))
        writer.finish()


def _reader(result: Result, rows: slice) -> Read:
    return lambda name: result.values(name)[rows]
