"""FMUs in a model of OpenModelica's import: what it writes is Modelica, and what it calls is not refused."""

from __future__ import annotations

import re
from pathlib import Path

import fmpy
import numpy as np
import pytest
from openmodelica import Imported, declared_names, modelica, number
from pymoca import parser
from pymoca.parser import ModelicaSyntaxError
from subjects import SUBJECTS

import fmu
from blocks.scenario import Scenario
from fmu.identifiers import NEVER

EXAMPLES = Path(__file__).parents[3] / "examples"
FIXED = re.compile(r"(^|\.)initial(_|$|\[)|(^|\.)(bumpless|start_on|limits\[\d\]|together)$")
"""The parameters that stay fixed, which docs/fmus.md lists."""


def problems(description):
    """What makes no Modelica of the names that an FMU shows."""
    names = declared_names(description)
    twice = {name for name in names if names.count(name) > 1} if len(set(names)) < len(names) else set()
    wrong = [name for name in names if not re.fullmatch(r"[A-Za-z_][A-Za-z0-9_]*", name) or name in NEVER]
    for declared in description.typeDefinitions:
        items = [item.name for item in declared.items or ()]
        wrong += [item for item in items if not re.fullmatch(r"[A-Za-z_]\w*", item, re.ASCII) or item in NEVER]
        twice |= {item for item in items if items.count(item) > 1}
    return sorted(twice), wrong


def test_an_import_is_legal_modelica(subject, version, export):
    assert problems(fmpy.read_model_description(export(subject, version))) == ([], [])


@pytest.mark.parametrize("name", ["otter_los", "minerva_survey"])
def test_an_example_is_legal_modelica(name, tmp_path):
    diagram = Scenario.load(EXAMPLES / f"{name}.yaml").diagram
    for version in ("2.0", "3.0"):
        path = fmu.export(diagram, tmp_path / f"{name}.fmu", step=0.05, fmi=version, local_variables=True)
        assert problems(fmpy.read_model_description(path)) == ([], [])


@pytest.mark.parametrize(
    "name",
    [
        "control.PID", "basic.Step", "basic.Compare", "basic.MinMax", "environment.WindLoad", "sensors.Compass",
        "guidance.ReferenceModel", "environment.BretschneiderSea", "autopilot",
    ],
)  # fmt: skip
def test_a_parser_reads_what_is_written(name, export):
    subject = next(subject for subject in SUBJECTS if subject.name == name)
    text = modelica(fmpy.read_model_description(export(subject, "2.0")))
    assert parser.parse(text).classes


def test_a_parser_takes_no_keyword_for_a_name():
    """So that no legal name gets another; that there is a time already is no matter of syntax."""
    for word in sorted(NEVER - {"time"}):
        with pytest.raises(ModelicaSyntaxError):
            parser.parse(f"model A\n  Real {word};\nend A;")


def test_all_parameters_are_set_after_the_initialization_or_before(subject, export):
    """With what they are, as text gives it: nothing is refused, and after the initialization nothing changes."""
    path, runs = export(subject, "2.0"), []
    for options in ({"digits": 17}, {"digits": 16}, {"digits": 15, "early": True}):
        one = Imported(path, **options)
        runs.append(one.run(3, subject.step).shown)
        one.close()
    np.testing.assert_allclose(runs[1], runs[0], rtol=1e-9, atol=1e-9)


def test_parameters_that_may_change_do_so_in_mid_run(subject, export):
    """Real ones by a part in a thousand; enumerations and switches to each other value. Nothing of it stays."""
    one = Imported(export(subject, "2.0"), digits=17)
    one.run(3, subject.step)
    one.model.enterEventMode()
    before = one.get()
    for variable in one.parameters():
        assert (variable.variability == "fixed") == (FIXED.search(variable.name) is not None), variable.name
        if variable.variability != "tunable":
            continue
        for value in other_values(variable):
            one.set(variable, value)
            assert np.isfinite(one.get()).all(), f"{variable.name} = {value}"
        one.set(variable, number(variable))
    assert one.get() == before
    one.close()


def other_values(variable):
    """Values of a parameter that should do."""
    start = number(variable)
    if variable.type == "Enumeration":
        return [float(item.value) for item in variable.declaredType.items]
    if variable.type == "Boolean":
        return [1.0 - start]
    if variable.type == "Integer":
        return [start]
    value = 0.999 * start if start else 1e-6
    low, high = (float(v) if v is not None else None for v in (variable.min, variable.max))
    return [value if (low is None or value >= low) and (high is None or value <= high) else start]
