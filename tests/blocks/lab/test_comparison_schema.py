"""The JSON schema of comparisons: true to the reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from blocks.lab.comparison.file_model import ComparisonFile
from blocks.lab.comparison.schema import schema
from blocks.yaml.reading import read

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples" / "comparisons").glob("*.yaml"))

COMPARISON: dict[str, Any] = {
    "keelblocks_comparison": 1,
    "name": "all",
    "scenario": "otter.yaml",
    "factors": {"lookahead": {"of": "guidance.lookahead", "levels": ["4 m", 6]}, "current.direction": {"circle": 3}},
    "metrics": {
        "error": "rms(guidance.cross_track_error, leg=all)",
        "settling": "settling_time(vessel.eta[psi], guidance.heading, band=0.05)",
        "time": "duration()",
        "end": "end_time",
    },
    "figures": ["tracks", "pareto"],
    "show": {"compare": "lookahead", "levels": {"lookahead": ["4 m"]}, "members": [0, 1]},
    "objectives": ["settling", "time"],
    "best": {"time": "greatest"},
    "parts": {"vessel": "vessel"},
}


@pytest.fixture(scope="module")
def validator() -> Any:
    return jsonschema.Draft202012Validator(schema())


def test_what_a_comparison_can_say_is_valid(validator: Any) -> None:
    validator.validate(COMPARISON)
    validator.validate({**COMPARISON, "figures": "boxes"})
    assert set(schema()["properties"]) == set(ComparisonFile.model_fields) - {"keelblocks_study"}


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_valid(path: Path, validator: Any) -> None:
    text = path.read_text(encoding="utf-8")
    assert [error.message for error in validator.iter_errors(read(text, path.name).data)] == []


@pytest.mark.parametrize(
    "change",
    [
        {"keelblocks_comparison": 2}, {"keelblocks_study": 1}, {"metrics": {"a": "stedy(x.y)"}}, {"metrics": {}},
        {"figures": ["track"]}, {"show": {"compere": "x"}}, {"show": {"levels": {"x": []}}}, {"objectives": ["error"]},
        {"best": {"time": "most"}}, {"parts": {"boat": "x"}},
    ],
    ids=str,
)  # fmt: skip
def test_mistakes_are_found(change: dict[str, Any], validator: Any) -> None:
    assert not validator.is_valid({**COMPARISON, **change})
    assert not validator.is_valid({key: value for key, value in COMPARISON.items() if key != "metrics"})
