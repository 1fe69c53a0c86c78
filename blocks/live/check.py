"""Check what a scenario says under `live:`, before anything runs, and without ROS 2 or ArduPilot."""

from __future__ import annotations

import fnmatch
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from blocks.errors import KeelblocksError, ScenarioError, SimulationError
from blocks.live.messages import publications, subscriptions
from blocks.live.messages.entries import input_entries, topic_entries
from blocks.live.messages.outgoing import Signals
from blocks.plan.place import Place
from blocks.plan.surface import Surface
from blocks.run.named import element_of
from blocks.scenario.live_model import LiveEntry
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document


def live_faults(live: LiveEntry, surface: Surface, document: Document) -> list[ScenarioError]:
    """What does not fit the diagram, with the lines of `document`, which is the section."""
    found = _Finding(surface, document)
    found.names(("show",), live.show, {**surface.signals, **surface.parameters}, "signal", "unknown-output")
    found.names(("change",), live.change, surface.settable, "input or parameter", "unknown-input")
    for name, sink in (live.sinks or {}).items():
        of = "signal", "unknown-output"
        if sink.file:
            found.names(("sinks", name, "signals"), sink.signals, surface.signals, *of, patterns=True)
        else:
            found.names(("sinks", name, "signals"), sink.signals, {**surface.signals, **surface.parameters}, *of)
    ros2 = live.ros2
    found.topics(("topics",), live.topics)
    if ros2 is not None:
        found.topics(("ros2", "topics"), ros2.topics)
        found.subscribed(("ros2", "inputs"), ros2.inputs)
    if live.ardupilot is not None:
        from blocks.live.ardupilot.wiring import wiring_faults

        for item, fault in wiring_faults(_Still(surface), live.ardupilot):
            found.faults.append(document.located(fault, ("ardupilot", *item)))
    return found.faults


class _Finding:
    def __init__(self, surface: Surface, document: Document) -> None:
        self.surface, self.document = surface, document
        self.faults: list[ScenarioError] = []

    def names(
        self,
        item: ItemPath,
        given: Any,
        places: Mapping[str, Place],
        what: str,
        code: str,
        patterns: bool = False,
    ) -> None:
        """Names of quantities, or elements of them, and where patterns are taken those that fit none."""
        listed = isinstance(given, list)
        for number, name in enumerate(given if listed else [given] if given is not None else []):
            with self.document.noting(self.faults, (*item, number) if listed else item):
                bare = name.partition("[")[0]
                if patterns and any(fnmatch.fnmatchcase(one, name) for one in places):
                    continue
                if patterns or bare not in places:
                    wrong = name if patterns else bare
                    raise SimulationError(f"no {what} '{wrong}'", code=code, wrong=wrong, valid=places)
                if "[" in name:
                    element_of(places[bare], name)

    def topics(self, item: ItemPath, given: Any) -> None:
        """Topics that are published."""
        signals = Signals(self.surface.signals, self.surface.blocks)
        for name, entry in (given or {}).items():
            with self.document.noting(self.faults, (*item, name)):
                publications(topic_entries({name: entry}), signals)

    def subscribed(self, item: ItemPath, given: Any) -> None:
        """Topics that give inputs, of which two may want the same one."""
        settable = self.surface.settable
        shapes = {name: place.shape for name, place in settable.items()}
        taken: dict[str, Any] = {}
        for name, entry in (given or {}).items():
            with self.document.noting(self.faults, (*item, name)):
                taken[name] = input_entries({name: entry})[name]
                try:
                    made = subscriptions(taken, shapes)
                except KeelblocksError:
                    del taken[name]
                    raise
                for one in made[-1].inputs:
                    if "[" in one:
                        element_of(settable[one.partition("[")[0]], one)


@dataclass(frozen=True)
class _Still:
    """What has the inputs and outputs of a simulator, and does not run."""

    plan: Surface

    @cached_property
    def inputs(self) -> dict[str, NDArray[np.float64]]:
        return {name: np.zeros(place.shape) for name, place in self.plan.inputs.items()}

    @cached_property
    def outputs(self) -> dict[str, NDArray[np.float64]]:
        return {name: np.zeros(place.shape) for name, place in self.plan.outputs.items()}
