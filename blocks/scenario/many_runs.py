"""Settings of runs that a file makes of a scenario in numbers: the members of a study, the trials of a tuning."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.plan.settings import Settings
from blocks.scenario.building import Builder
from blocks.scenario.inputs import checked_inputs
from blocks.scenario.model import RunEntry
from blocks.scenario.reading import SETTINGS
from blocks.scenario.scenario import Scenario
from blocks.yaml.reading import Document


def settings_of_runs(
    document: Document, builder: Builder, scenario: Scenario, entry: RunEntry, changes: Mapping[str, Any], file: str
) -> dict[str, Any]:
    """The settings of the scenario, of the file's `run`, and instead of them `changes`.

    What a scenario records, and how often, is for its own result. `file`: what the file is, such as "a study".
    Raises ScenarioError.
    """
    own = {key: value for key, value in entry.model_dump().items() if value not in (None, {})}
    if "record" in own:
        raise document.error(
            ("run", "record"),
            f"{file} records nothing but what metrics need: leave 'record' out, and name the signals in metrics",
        )
    if "inputs" in own:
        own["inputs"] = checked_inputs(builder, own["inputs"])
    of_scenario = {key: value for key, value in scenario.settings.items() if key not in ("record", "every")}
    run = {**of_scenario, **own, **{key: value for key, value in changes.items() if value is not None}}
    for key in own:
        if key in SETTINGS:
            with builder.document.at(("run", key)):
                Settings(**{key: own[key]})
    if "end" not in run:
        raise document.error(("run",), "'end' is missing under run: say when the runs end")
    return run
