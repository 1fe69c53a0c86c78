"""The JSON schema of studies: valid itself, and true to the reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from blocks.study.schema import schema
from blocks.yaml.reading import read

ROOT = Path(__file__).parents[3]
EXAMPLES = sorted((ROOT / "examples" / "studies").glob("*.yaml"))

STUDY: dict[str, Any] = {
    "keelblocks_study": 1,
    "name": "all",
    "scenario": "lag.yaml",
    "run": {"end": "5 min", "solver": "LSODA"},
    "factors": {
        "speed": ["0.1 m/s", 0.2],
        "range": {"of": ["a.x", "b.x"], "range": {"start": "1 s", "stop": 3, "count": 3}},
        "circle": {"of": "current.direction", "circle": 6},
        "gains": {"levels": {"soft": {"pid.kp": 1}, "as it is": {}}},
        "vessel": {"levels": {"6 DOF": {"type": "dynamics.Vessel6DOF", "vehicle": "minerva"}}},
        "part": {"levels": {"lag": {"diagram": {"blocks": {"k": {"type": "basic.Integrator"}}}}}},
        "kp": {"log_uniform": [1, "10"]},
        "kind": {"levels": [1, 2], "sampled": True},
    },
    "metrics": {
        "y": "rms(vessel.eta[z])",
        "t": "end_time",
        "swing": {"function": "own.swing", "needs": "lag.y", "unit": "m"},
    },
    "design": {"sobol": 128},
    "seeds": {"parameters": ["sea.seed"], "common": True},
    "replicates": 10,
}


@pytest.fixture(scope="module")
def validator() -> Any:
    made = schema()
    own = {name: part for name, part in made["$defs"].items() if not name.startswith("parameters.")}
    jsonschema.Draft202012Validator.check_schema({**made, "$defs": own})  # the others are those of scenarios
    return jsonschema.Draft202012Validator(made)


def test_what_a_study_can_say_is_valid(validator: Any) -> None:
    validator.validate(STUDY)
    validator.validate({**STUDY, "design": "grid", "seeds": "sea.seed"})


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_valid(path: Path, validator: Any) -> None:
    text = path.read_text(encoding="utf-8")
    assert [error.message for error in validator.iter_errors(read(text, path.name).data)] == []


MISTAKES: list[tuple[tuple[str, ...], Any]] = [
    (("keelblocks_study",), 2),
    (("scenari",), "x"),
    (("factors",), {}),
    (("factors", "speed"), []),
    (("factors", "range", "range", "count"), 1),
    (("factors", "range", "circle"), 3),
    (("factors", "kp", "log_uniform"), [1]),
    (("factors", "vessel", "levels", "6 DOF", "type"), "dynamics.Vessel7DOF"),
    (("factors", "part", "levels", "lag", "diagram", "blocks"), {}),
    (("metrics", "y"), "rmse(vessel.eta[z])"),
    (("metrics", "swing", "needs"), []),
    (("metrics", "swing", "statistic"), "end_time"),
    (("design", "random"), 3),
    (("run", "record"), "lag.y"),
    (("run", "solver"), "rk5"),
    (("replicates",), 0),
]


@pytest.mark.parametrize(("place", "value"), MISTAKES, ids=[".".join(place) for place, _ in MISTAKES])
def test_mistakes_are_found(place: tuple[str, ...], value: Any, validator: Any) -> None:
    changed: Any = value
    for depth in range(len(place), 0, -1):
        around: Any = STUDY
        for key in place[: depth - 1]:
            around = around[key]
        changed = {**around, place[depth - 1]: changed}
    assert not validator.is_valid(changed)
