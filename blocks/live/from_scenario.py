"""Sources and sinks that `live:` in a scenario names."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from blocks.errors import ScenarioError
from blocks.live.recorder import Recorder
from blocks.live.udp import UdpSink, UdpSource
from blocks.scenario import Scenario
from blocks.study.functions import function_named


def attached_by(scenario: Scenario, folder: Path | None = None) -> tuple[dict[str, Any], dict[str, Any]]:
    """Sources and sinks by name. Files are written to `folder`, the present one if it is not given.

    Raises ScenarioError for a class or function that is not there, or cannot be made with its arguments.
    """
    given = scenario.live
    sources = {name: _source(name, entry) for name, entry in (given.get("sources") or {}).items()}
    sinks = {name: _sink(name, entry, folder or Path()) for name, entry in (given.get("sinks") or {}).items()}
    if given.get("log"):
        sinks["log"] = Recorder((folder or Path()) / given["log"])
    return sources, sinks


def _source(name: str, entry: dict[str, Any]) -> Any:
    return UdpSource(entry["udp"]) if "udp" in entry else _made(f"live.sources.{name}", entry)


def _sink(name: str, entry: dict[str, Any], folder: Path) -> Any:
    options = {key: entry[key] for key in ("signals", "rate") if key in entry}
    if "udp" in entry:
        return UdpSink(entry["udp"], **options)
    if "file" in entry:
        return Recorder(folder / entry["file"], **options)
    return _made(f"live.sinks.{name}", entry)


def _made(where: str, entry: dict[str, Any]) -> Any:
    """An object of a class, or a function."""
    found = function_named(entry["python"], command="live", error=ScenarioError)
    if not isinstance(found, type):
        if entry.get("arguments"):
            raise ScenarioError(f"{where}: arguments go with a class, and {entry['python']} is a function")
        return found
    try:
        return found(**(entry.get("arguments") or {}))
    except Exception as problem:  # whatever the user's code raises
        raise ScenarioError(f"{where}: {entry['python']}(…) failed: {type(problem).__name__}: {problem}") from problem
