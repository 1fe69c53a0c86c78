"""What `environment:` says, checked, with the place of every item for messages."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

from blocks.errors import KeelblocksError, ParameterError, ScenarioError, shown
from blocks.scenario.environment_model import EnvironmentEntry
from blocks.scenario.expression import Expression
from blocks.scenario.scenario import Scenario
from blocks.scenario.section import Given, section
from blocks.units import to_unit
from blocks.yaml.findings import Words, validated
from blocks.yaml.reading import Document


class Declaration:
    """A checked declaration. Raises ScenarioError for what does not fit, with file and line where it stands in one."""

    def __init__(
        self, given: Mapping[str, Any], document: Document | None = None, entry: EnvironmentEntry | None = None
    ) -> None:
        if not isinstance(given, Mapping):
            raise ScenarioError(
                f"an environment is a mapping with observation, action, reward and others, not {shown(given)}"
            )
        self.document = document or Given("environment", "", dict(given))
        self.entry = validated(self.document, EnvironmentEntry, _WORDS) if entry is None else entry

    @classmethod
    def of(cls, scenario: Scenario, given: Mapping[str, Any] | None = None) -> Declaration:
        """That of a scenario, or the one given instead."""
        if given is not None:
            return cls(given)
        if not scenario.environment:
            raise ScenarioError(
                f"{scenario.path or 'scenario ' + scenario.name}: there is no 'environment' in it: say what a learner "
                f"sees (observation), does (action) and is rewarded for (reward)"
            )
        return cls(scenario.environment, section(scenario, "environment", scenario.environment))

    def without(self, section: str, name: str) -> Declaration:
        """The same without an entry of a section, which may be empty then."""
        left = {one: entry for one, entry in getattr(self.entry, section).items() if one != name}
        return self.but(**{section: left})

    def but(self, **sections: Any) -> Declaration:
        """The same with other entries."""
        return Declaration(self.document.data or {}, self.document, self.entry.model_copy(update=sections))

    def at(self, *item: str | int) -> AbstractContextManager[None]:
        """Give errors the place of an item."""
        return self.document.at(item, f"{'.'.join(map(str, item))}: ")

    def error(self, *item: str | int, message: str) -> KeelblocksError:
        """An error about an item."""
        return self.document.error(item, f"{'.'.join(map(str, item))}: {message}")

    def expression(self, text: str | float, *item: str | int) -> Expression:
        """An expression of an item."""
        with self.at(*item):
            return Expression(text)

    def seconds(self, name: str) -> float:
        """A time of the declaration, s."""
        with self.at(name):
            value = getattr(self.entry, name)
            found = to_unit(value, "s") if isinstance(value, str) else float(value)
            if not 0.0 < found < float("inf"):
                raise ParameterError(f"it must be > 0 s, not {value}")
        return found


_WORDS = Words(name=lambda item: ".".join(map(str, ("environment", *item))))
