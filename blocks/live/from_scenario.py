"""Sources and sinks that `live:` in a scenario names."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from blocks.errors import KeelblocksError, ScenarioError
from blocks.live.logs.recorder import McapRecorder
from blocks.live.recorder import Recorder
from blocks.live.udp import UdpSink, UdpSource
from blocks.scenario import Scenario


def attached_by(scenario: Scenario, folder: Path | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Sources and sinks by name. Files are written to `folder`, the present one if it is not given.

    Raises ScenarioError for a class or function that is not there, or cannot be made with its arguments.
    """
    given = scenario.live
    sources = _each("sources", given.get("sources"), _source)
    sinks = _each("sinks", given.get("sinks"), lambda entry: _sink(entry, folder or Path(), scenario))
    if given.get("log"):
        sinks |= _each("log", {"log": {"file": given["log"]}}, lambda entry: _sink(entry, folder or Path(), scenario))
    return sources, sinks


def _each(where: str, entries: dict[str, Any] | None, make: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
    """What the entries name; what is wrong with one is told with its name."""
    made = {}
    for name, entry in (entries or {}).items():
        try:
            made[name] = make(entry)
        except KeelblocksError as problem:
            raise ScenarioError(f"live.{where}{f'.{name}' if name != where else ''}: {problem}") from problem.__cause__
    return made


def _source(entry: dict[str, Any]) -> Any:
    return UdpSource(entry["udp"]) if "udp" in entry else _made(entry)


def _sink(entry: dict[str, Any], folder: Path, scenario: Scenario) -> Any:
    options = {key: entry[key] for key in ("signals", "rate") if key in entry}
    if "udp" in entry:
        return UdpSink(entry["udp"], **options)
    if "file" not in entry:
        return _made(entry)
    path = folder / entry["file"]
    if not path.resolve().is_relative_to(folder.resolve()):
        raise ScenarioError(f"{entry['file']} is not in the folder of the result, where a scenario's files are written")
    if path.suffix.lower() == ".mcap":
        return McapRecorder(path, **options, topics=scenario.topics)
    return Recorder(path, **options)


def _made(entry: dict[str, Any]) -> Any:
    """An object of a class, or a function."""
    from blocks.study.functions import function_named

    name, arguments = entry["python"], entry.get("arguments") or {}
    found = function_named(name, command="live", error=ScenarioError)
    if not isinstance(found, type):
        if arguments:
            raise ScenarioError(f"arguments go with a class, and {name} is a function")
        return found
    try:
        return found(**arguments)
    except Exception as problem:  # whatever the user's code raises
        raise ScenarioError(f"{name}(…) failed: {type(problem).__name__}: {problem}") from problem
