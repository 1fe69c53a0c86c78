"""Dependencies: what the description says is what the FMU does. Every input is moved, and every output watched."""

from __future__ import annotations

import numpy as np
import pytest

import fmu
from blocks import Diagram
from blocks.basic import Delay, Gain, MinMax, Selector, StateSpace, Sum
from blocks.control import PID
from blocks.flatten import Leaf
from blocks.guidance import CourseLine
from fmu.structure import structural_parameters


def dependencies(one, unknowns):
    """Names of the known variables that each unknown depends on."""
    return {u.variable.name: {known.name for known in u.dependencies} for u in unknowns}


@pytest.mark.parametrize("name", ["plant", "autopilot", "mixed", "fragile"])
def test_outputs_depend_on_no_other_inputs_than_declared(exported, tool, name):
    one = tool(exported(name)).instantiate()
    inputs = [n for n, v in one.variables.items() if v.causality == "input"]
    outputs = one.outputs()
    base = dict(zip(inputs, np.linspace(0.3, 0.9, len(inputs)), strict=True))
    one.set(base)
    one.initialize()
    declared = dependencies(one, one.description.outputs)
    assert set(declared) == set(outputs)
    for moved in inputs:
        one.set(base)
        before = one.get(*outputs)
        one.set({moved: base[moved] + 0.05})
        for output, old, new in zip(outputs, before, one.get(*outputs), strict=True):
            if new != old:
                assert moved in declared[output], f"{output} depends on {moved}"


@pytest.mark.parametrize("name", ["guided_vessel", "plant", "autopilot", "mixed", "fragile"])
def test_initial_values_depend_on_nothing_else_than_declared(exported, tool, name):
    one = tool(exported(name)).instantiate()
    known = {
        n: float(v.start) for n, v in one.variables.items()
        if v.causality in ("input", "parameter") and v.type == "Real"
    }  # fmt: skip
    known |= {n: 0.5 for n, v in one.variables.items() if v.causality == "input"}
    outputs = one.outputs()
    one.set(known)
    one.slave.setupExperiment(startTime=0.0)
    one.slave.enterInitializationMode()
    before = one.get(*outputs)
    declared = dependencies(one, one.description.initialUnknowns)
    assert set(declared) == set(outputs)
    for moved, value in known.items():
        one.set({moved: value + 0.03125})
        for output, old, new in zip(outputs, before, one.get(*outputs), strict=True):
            if new != old:
                assert moved in declared[output], f"the initial {output} depends on {moved}"
        one.set({moved: value})


def test_dependencies_are_exact_where_ports_are(exported, tool):
    plant = tool(exported("plant"))
    for known in dependencies(plant, plant.description.outputs).values():
        assert known == set()  # η and ν are states: no force acts on them at once
    autopilot = tool(exported("autopilot"))
    found = dependencies(autopilot, autopilot.description.outputs)
    pose = {f"eta[{i}]" for i in range(1, 7)}
    assert found["cross_track_error"] == pose
    assert found["force[1]"] == pose | {f"nu[{i}]" for i in range(1, 7)}
    fragile = tool(exported("fragile"))
    found = dependencies(fragile, fragile.description.outputs)
    assert found == {
        "y": {"u"}, "total": set(), "mixed[1]": {"v[1]", "v[2]"}, "mixed[2]": {"v[1]", "v[2]"},
        "mixed[3]": {"v[1]", "v[2]"},
    }  # fmt: skip


def test_wires_that_take_elements_narrow_the_dependencies(tmp_path, tool):
    diagram = Diagram("narrow")
    guidance = diagram.add("guidance", CourseLine())
    turn = diagram.add("turn", Sum("+-"))
    diagram.inputs(eta=guidance.eta)
    diagram.connect(diagram.input_port("eta")["psi"], turn.in1)
    diagram.connect(guidance.heading, turn.in2)
    level = diagram.add("level", Gain(2.0))
    diagram.connect(diagram.input_port("eta")["z"], level.u)
    diagram.outputs(level=level.y, turn=turn.y)
    one = tool(fmu.export(diagram, tmp_path / "narrow.fmu"))
    found = dependencies(one, one.description.outputs)
    assert found["level"] == {"eta[3]"}
    assert found["turn"] == {f"eta[{i}]" for i in range(1, 7)}


@pytest.mark.parametrize(
    ("block", "name", "expected"),
    [
        (MinMax(count=3), "count", True),  # it decides the inputs
        (Selector([0, 2]), "indices", True),  # beyond the input there is nothing to read
        (Delay(3, period=0.1), "samples", True),  # it decides the states
        (Delay(3, period=0.1), "period", True),  # blocks of equal rate share it
        (Sum("+-"), "signs", True),
        (StateSpace([[0.0]], [[1.0]], [[1.0]]), "D", True),  # with it the output depends on the input
        (StateSpace([[0.0]], [[1.0]], [[1.0]], [[1.0]]), "initial_x", False),
        (PID(1.0), "derivative", True),  # it decides the states
        (PID(1.0), "kp", False),
    ],
)
def test_parameters_that_shape_the_plan(block, name, expected):
    leaf = Leaf("block", block, sizes=block.known_sizes() | {"n": 3})
    assert (name in structural_parameters(leaf)) is expected
