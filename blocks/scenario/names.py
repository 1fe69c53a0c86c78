"""Names under `run` that have to be in the diagram: what is recorded, what ends the run, which inputs have values."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterator, Mapping
from typing import Any, Protocol

from blocks.diagram import Diagram
from blocks.errors import KeelblocksError, ScenarioError, SimulationError, WiringError
from blocks.plan.flatten import Flat
from blocks.yaml.places import ItemPath


class HasSettings(Protocol):
    """A scenario, as far as it is asked for here."""

    diagram: Diagram
    settings: dict[str, Any]


def name_faults(scenario: HasSettings, flat: Flat) -> Iterator[tuple[ItemPath, KeelblocksError]]:
    """Names of outputs and inputs that the diagram does not have, and inputs that have no value, with their places."""
    settings = scenario.settings
    outputs = {f"{leaf.name}.{name}" for leaf in flat.leaves for name in leaf.outputs} | set(flat.outputs)
    inputs: Mapping[str, Any] = scenario.diagram.input_ports
    recorded = settings.get("record") or []
    for number, name in enumerate([recorded] if isinstance(recorded, str) else recorded):
        if not any(fnmatch.fnmatchcase(one, name) for one in (*outputs, *inputs)):
            text = f"record: no output '{name}'"
            yield (
                ("run", "record", number),
                SimulationError(text, code="unknown-output", wrong=name, valid=[*inputs, *outputs]),
            )
    stop = settings.get("stop")
    if stop is not None and stop not in outputs:
        yield ("run", "stop"), WiringError(f"no output '{stop}'", code="unknown-output", wrong=stop, valid=outputs)
    values = settings.get("inputs") or {}
    for name in values:
        if name not in inputs:
            text = f"no input '{name}'"
            yield ("run", "inputs", name), SimulationError(text, code="unknown-input", wrong=name, valid=inputs)
    for name, port in inputs.items():
        if port.default is None and name not in values:
            text = f"the input '{name}' needs a value: inputs: {{{name}: …}} under run"
            yield ("run",), ScenarioError(text, code="missing-input", port=name)
