"""The text of a scenario in a page, and where each parameter stands in it: the changed scenario can be copied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from blocks.scenario import Scenario
from studio.errors import ShareError


def text_of(scenario: Scenario | None, parameters: Sequence[Mapping[str, Any]]) -> dict[str, Any]:
    """The text, and for each parameter what is to be replaced there. Raises ShareError if there is no scenario."""
    if scenario is None:
        raise ShareError("only a page of a scenario can hold its YAML: share the scenario's file with --with-yaml")
    return {"yaml": scenario.to_yaml(), "edits": {}}
