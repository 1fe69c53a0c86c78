"""The JSON schema of scenarios: valid itself, and true to the reader."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import jsonschema
import pytest

from blocks.scenario import Scenario
from blocks.scenario.schema import schema
from blocks.yaml.reading import read

ROOT = Path(__file__).parents[2]
EXAMPLES = sorted((ROOT / "examples").glob("*.yaml"))


@pytest.fixture(scope="module")
def validator() -> Any:
    made = schema()
    jsonschema.Draft202012Validator.check_schema(made)
    return jsonschema.Draft202012Validator(made)


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_examples_are_valid(path: Path, validator: Any) -> None:
    text = path.read_text(encoding="utf-8")
    assert [error.message for error in validator.iter_errors(read(text, path.name).data)] == []


@pytest.mark.parametrize("path", EXAMPLES, ids=lambda path: path.stem)
def test_what_is_written_is_valid(path: Path, validator: Any) -> None:
    validator.validate(Scenario(Scenario.load(path).diagram.copy(), "written").to_data())


MISTAKES = [
    (("keelblocks",), 2),
    (("name",), "a b"),
    (("nme",), "x"),
    (("run", "stpe"), 0.1),
    (("run", "solver"), "rk5"),
    (("run", "every"), 0),
    (("diagram", "blocks", "a b"), {"type": "basic.Gain"}),
    (("diagram", "blocks", "pid", "type"), "control.PDI"),
    (("diagram", "blocks", "pid", "parameters", "kpp"), 1),
    (("diagram", "blocks", "pid", "parameters", "filter_coefficient"), -1),
    (("diagram", "blocks", "pid", "parameters", "derivative"), "erorr"),
    (("diagram", "blocks", "pid", "parameters", "angle"), 1),
    (("diagram", "blocks", "vessel", "parameters", "added_mass"), {"diag": [1, 2]}),
    (("diagram", "blocks", "vessel", "parameters", "centre_of_gravity"), [1, 2]),
    (("diagram", "blocks", "vessel", "vehicle"), None),  # without it, parameters are missing
    (("diagram", "blocks", "pid", "file"), "a.csv"),
    (("diagram", "blocks", "river", "file"), None),  # without it, there are no options
    (("diagram", "blocks", "river", "vehicle"), "minerva"),
    (("diagram", "blocks", "river", "parameters", "resolutoin"), 1),
    (("diagram", "blocks", "nested", "diagram", "conections"), {}),
    (("diagram", "connections", "a.b.c"), "pid.reference"),
]


@pytest.mark.parametrize(("place", "value"), MISTAKES, ids=[".".join(place) for place, _ in MISTAKES])
def test_mistakes_are_marked(place: tuple[str, ...], value: Any, validator: Any) -> None:
    data: dict[str, Any] = {
        "keelblocks": 1,
        "name": "x",
        "diagram": {
            "blocks": {
                "pid": {"type": "control.PID", "parameters": {"kp": 1, "tracking_gain": "3 1/s"}},
                "vessel": {
                    "type": "dynamics.Vessel6DOF",
                    "vehicle": "minerva",
                    "parameters": {"added_mass": {"diag": [1] * 6}},
                },
                "river": {"type": "environment.CurrentField", "file": "a.hdf", "parameters": {"resolution": "2 m"}},
                "nested": {"diagram": {"blocks": {"g": {"type": "basic.Gain"}}}},
            },
            "connections": {"vessel.nu[u]": ["pid.measurement"]},
        },
        "run": {"end": "5 s"},
    }
    validator.validate(data)
    item = data
    for key in place[:-1]:
        item = item.setdefault(key, {})
    if value is None:
        del item[place[-1]]
    else:
        item[place[-1]] = value
    assert not validator.is_valid(data)


def test_every_parameter_is_explained() -> None:
    for name, definition in schema()["$defs"].items():
        if name.startswith("parameters."):
            for parameter, form in definition["properties"].items():
                assert form.get("description"), f"{name}.{parameter}"
