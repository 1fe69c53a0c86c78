"""Outputs for a diagram that declares none: the signals that its report shows."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from blocks.diagram import Diagram
from blocks.report.mission import find_parts

_SHOWN = {
    "vessel": ("eta", "nu"),
    "guidance": ("cross_track_error", "waypoint", "finished", "phase", "following", "aborted"),
    "thrusters": ("speed", "power"),
    "meter": ("energy",),
}
"""Outputs of the blocks that a report is about."""


def add_outputs(diagram: Diagram, options: Mapping[str, Any] | None = None) -> dict[str, str]:
    """Declare what the report shows as outputs of a diagram that has none; returns their sources by name.

    These are the pose and velocity of the vessel, the errors of the guidance, speeds and power of the thrusters, the
    energy, and the signals of `plots`. `options` are those of `report` in a scenario. Nothing happens to a diagram that
    has outputs, or of which a report knows nothing. Raises ScenarioError if `options` name what is not there.
    """
    found: dict[str, str] = {}
    if diagram.output_ports:
        return found
    for kind, source in _shown(diagram, options or {}):
        port = source.partition("[")[0].rpartition(".")[2]
        name = port
        if name in found or name in diagram.input_ports:
            name = f"{kind}_{port}"
        if name not in found and name not in diagram.input_ports and source not in found.values():
            found[name] = source
    for name, source in found.items():
        _declare(diagram, name, source)
    return found


def _shown(diagram: Diagram, options: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    blocks, parts = diagram.blocks(), find_parts(diagram, options)
    for kind, ports in _SHOWN.items():
        name = getattr(parts, kind)
        for port in ports if name else ():
            if port in blocks[name].output_ports:
                yield kind, f"{name}.{port}"
    for signal in options.get("plots") or ():
        name, _, port = signal.partition("[")[0].rpartition(".")
        if name in blocks and port in blocks[name].output_ports:
            yield name.replace(".", "_"), f"{name}.{port}"


def _declare(diagram: Diagram, name: str, source: str) -> None:
    """Declare an output, and outputs of the diagrams around a block that is further down."""
    path, _, port = source.rpartition(".")
    owner_path, _, inner = path.rpartition(".")
    if owner_path:
        owner = diagram[owner_path]
        assert isinstance(owner, Diagram)
        known = {(ref.block.name, ref.name): out for out, ref in owner.boundary_outputs.items() if ref.start is None}
        shown = known.get((inner, port))
        if shown is None:
            shown = _free(port, owner)
            owner.outputs(**{shown: f"{inner}.{port}"})
        _declare(diagram, name, f"{owner_path}.{shown}")
        return
    diagram.outputs(**{name: source})


def _free(wanted: str, owner: Diagram) -> str:
    taken, name, number = {*owner.output_ports, *owner.input_ports}, wanted, 2
    while name in taken:
        name, number = f"{wanted}_{number}", number + 1
    return name
