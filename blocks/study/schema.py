"""The JSON schema of study files, for editors: with every block that a level may be."""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from blocks.block import Block
from blocks.metrics import DEFINITIONS
from blocks.scenario.schema import plain
from blocks.scenario.schema import schema as scenario_schema
from blocks.study.design import DESIGNS, Grid
from blocks.study.file_model import VALUES, StudyFile
from blocks.study.metric import END_TIME
from blocks.yaml.kinds import FORMAT

_METRIC = rf"^\s*({END_TIME}|({'|'.join(DEFINITIONS)})\s*\(.*\))\s*$"
_LIST = {"type": "array", "minItems": 1, "items": {"$ref": "#/$defs/Level"}}
_BY_LABEL = {"type": "object", "minProperties": 1, "additionalProperties": {"$ref": "#/$defs/Level"}}
_SHARED = ("BlockEntry", "NestedEntry", "DiagramEntry", "SeriesEntry")
"""Definitions that are those of scenarios."""


def schema(
    blocks: Mapping[str, type[Block]] | None = None,
    model: type[StudyFile] = StudyFile,
    title: str = f"Keelblocks study, format {FORMAT}",
) -> dict[str, Any]:
    """The schema, in draft 2020-12, of studies of scenarios with these blocks, or with those of `library()`.

    model: of files that are studies and say more.
    """
    made = plain(model.model_json_schema(ref_template="#/$defs/{model}"))
    of_scenario = scenario_schema(blocks)["$defs"]
    shared = {name: part for name, part in of_scenario.items() if name in _SHARED or name.startswith("parameters.")}
    definitions = {**made["$defs"], **shared}
    del definitions["RunEntry"]
    run = definitions["StudyRunEntry"] = copy.deepcopy(of_scenario["RunEntry"])
    del run["properties"]["record"]
    run["properties"]["every"]["description"] = "metrics of what is recorded see every n-th point only"
    made["properties"]["run"] = {"$ref": "#/$defs/StudyRunEntry"}
    definitions["Level"] = {
        "description": "a number, text, a list, a block, a diagram, or parameters, inputs and components with values",
        "if": {"type": "object", "required": ["type"]},
        "then": {"$ref": "#/$defs/BlockEntry"},
        "else": {"if": {"type": "object", "required": ["diagram"]}, "then": {"$ref": "#/$defs/NestedEntry"}},
    }
    factor = definitions["FactorEntry"]
    factor["properties"]["levels"]["anyOf"] = [_LIST, _BY_LABEL]
    factor["oneOf"] = [{"required": [key]} for key in VALUES]
    definitions["MetricEntry"]["oneOf"] = [{"required": ["function", "needs"]}, {"required": ["statistic"]}]
    definitions["MetricEntry"]["properties"]["statistic"]["pattern"] = _METRIC
    definitions["DesignEntry"]["maxProperties"] = 1
    properties = made["properties"]
    properties["factors"]["additionalProperties"] = {"anyOf": [_LIST, {"$ref": "#/$defs/FactorEntry"}]}
    properties["metrics"]["additionalProperties"] = {
        "anyOf": [{"type": "string", "pattern": _METRIC}, {"$ref": "#/$defs/MetricEntry"}]
    }
    properties["design"] = {"anyOf": [{"const": Grid.name}, {"$ref": "#/$defs/DesignEntry"}]}
    names = definitions["SeedsEntry"]["properties"]["parameters"]["anyOf"]
    properties["seeds"] = {
        "description": "parameters that are seeds", "anyOf": [*names, {"$ref": "#/$defs/SeedsEntry"}],
    }  # fmt: skip
    assert {*definitions["DesignEntry"]["properties"], Grid.name} == set(DESIGNS)
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": title,
        **{key: value for key, value in made.items() if key != "$defs"},
        "$defs": definitions,
    }
