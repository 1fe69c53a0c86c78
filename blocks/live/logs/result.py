"""A result as MCAP."""

from __future__ import annotations

import contextlib
import fnmatch
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from blocks.live.logs.automatic import topics_of
from blocks.live.logs.writer import BagError, LogWriter, epoch_of
from blocks.live.messages import publications
from blocks.live.messages.contents import MessageError, MissingSignalError
from blocks.live.messages.entries import topic_entries
from blocks.live.messages.outgoing import Read, Signals
from blocks.plan.place import Place
from blocks.run.result import Result, ResultError, save_as

_ROWS = 2048
"""Points in time whose messages are made at once."""


def save_mcap(
    result: Result,
    path: str | PathLike[str],
    *,
    topics: Mapping[str, Any] | None = None,
    signals: str | Iterable[str] | None = None,
) -> Path:
    """Write a result as MCAP, in messages of ROS 2.

    topics: which signals make which message on which topic, as under `live: topics:` in a scenario, {"/odom":
    {"type": "nav_msgs/Odometry", "eta": "vessel.eta", "nu": "vessel.nu"}}; without it those of the scenario that ran,
    or else what signals of one block make together. signals: those that have a topic each besides, "*" and "?" as in
    file names; all if not given, [] for none.
    Raises BagError or ResultError if it cannot be written, MessageError for topics that do not fit what was recorded.
    """
    return save_as(path, {".mcap": lambda part: _write(result, part, topics, signals)})


def write(result: Result, path: str) -> None:
    """What `result.save("run.mcap")` does. Raises ResultError, and OSError."""
    try:
        _write(result, path, None, None)
    except (BagError, MessageError) as problem:
        raise ResultError(str(problem)) from None


def _write(result: Result, path: str, topics: Mapping[str, Any] | None, signals: str | Iterable[str] | None) -> None:
    recorded = Signals(result.places, result.blocks)
    wanted = topics if topics is not None or result.topics is None else _of_scenario(result.topics, recorded)
    made = publications(topics_of(Signals(_chosen(result, signals)), wanted), recorded)
    start = float(result.attributes["start"])
    first = float(result.time[0]) if len(result) else start
    about: dict[str, str] = {key: str(result.attributes[key]) for key in ("status", "solver", "plan")}
    about |= {"version": str(result.attributes.get("keelblocks", "")), "start": repr(start)}
    about["step"] = repr(float(result.attributes["step"]))
    with Path(path).open("wb") as stream:
        writer = LogWriter(stream, made, about, epoch_of(min(first, start)))
        for begin in range(0, len(result), _ROWS):
            rows = slice(begin, begin + _ROWS)
            writer.write(writer.channels, result.time[rows], _reader(result, rows))
        writer.finish()


def _chosen(result: Result, signals: str | Iterable[str] | None) -> dict[str, Place]:
    """The quantities that have a topic of their own. Raises BagError."""
    if signals is None:
        return result.places
    found: dict[str, Place] = {}
    for name in [signals] if isinstance(signals, str) else signals:
        matching = fnmatch.filter(result.places, name)
        if not matching:
            raise BagError(f"'{name}' was not recorded", code="unknown-output", wrong=name, valid=result.places)
        found |= {each: result.places[each] for each in matching}
    return found


def _of_scenario(topics: Mapping[str, Any], recorded: Signals) -> dict[str, Any]:
    """The topics whose signals were recorded, all of them."""
    found = {}
    for name, entry in topics.items():
        with contextlib.suppress(MissingSignalError):
            publications(topic_entries({name: entry}), recorded)
            found[name] = entry
    return found


def _reader(result: Result, rows: slice) -> Read:
    return lambda name: result.values(name)[rows]
