"""The JSON schema of comparison files, for editors: that of study files, and what is shown."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from blocks.block import Block
from blocks.lab.comparison.figures import FIGURES
from blocks.lab.comparison.file_model import ComparisonFile
from blocks.study.schema import schema as study_schema
from blocks.yaml.kinds import FORMAT


def schema(blocks: Mapping[str, type[Block]] | None = None) -> dict[str, Any]:
    """The schema, in draft 2020-12, of comparisons of scenarios with these blocks, or with those of `library()`."""
    made = study_schema(blocks, ComparisonFile, f"Keelblocks comparison, format {FORMAT}")
    properties = made["properties"]
    first = {"keelblocks_comparison": properties.pop("keelblocks_comparison")}
    del properties["keelblocks_study"]
    made["properties"] = {**first, **properties}
    made["required"] = [*first, *made["required"]]
    figure = {"enum": list(FIGURES)}
    made["properties"]["figures"] = {
        "description": properties["figures"]["description"],
        "anyOf": [figure, {"type": "array", "items": figure}],
    }
    return made
