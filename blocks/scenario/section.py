"""A section of a scenario as a document of its own, for messages with the lines of its file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from blocks.scenario.scenario import Scenario
from blocks.yaml.places import ItemPath
from blocks.yaml.reading import Document, read, read_text


class Given(Document):
    """What was given in Python, which has no lines."""

    def where(self, item: ItemPath) -> str:
        """The start of a message about an item: the section's name."""
        return self.file


def section(scenario: Scenario, name: str, data: Any) -> Document:
    """A section, `data`, of the file that a scenario was read from, if there is one. Raises ScenarioError."""
    if scenario.path is None or not Path(scenario.path).is_file():
        return Given(name, "", data)
    return read(read_text(scenario.path, "a scenario"), str(scenario.path)).part((name,), data)
