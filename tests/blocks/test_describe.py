"""Blocks as plain data: complete, and the same as the declaration."""

from __future__ import annotations

import json
from collections.abc import Callable

from blocks import Block
from blocks.basic import Sum
from blocks.control import PID
from blocks.dynamics import Vessel6DOF
from blocks.model.describe import describe_block, summary, unit_text


def test_every_block_is_described(sample: Callable[[], Block]) -> None:
    block = sample()
    data = describe_block(type(block))
    json.dumps(data)
    assert data["summary"]
    assert {parameter["name"] for parameter in data["parameters"]} == set(block.values)
    assert all(item["doc"] for kind in ("inputs", "outputs", "parameters") for item in data[kind])


def test_ports_parameters_and_states() -> None:
    data = describe_block(PID)
    assert data["type"] == "control.PID"
    assert [port["name"] for port in data["inputs"]] == ["reference", "measurement", "feedforward", "rate"]
    assert [port["required"] for port in data["inputs"]][:3] == [True, True, False]
    assert [state["name"] for state in data["states"]] == ["integral"]
    parameters = {parameter["name"]: parameter for parameter in data["parameters"]}
    assert parameters["filter_coefficient"]["range"] == "> 0"
    assert parameters["filter_coefficient"]["unit"] == "rad/s"
    assert parameters["filter_coefficient"]["default"] == 100.0
    assert parameters["derivative"]["choices"] == ["error", "measurement", "rate", "none"]
    assert parameters["kp"]["unit"] == "any"
    vessel = describe_block(Vessel6DOF)
    assert vessel["outputs"][0]["labels"] == ["x", "y", "z", "phi", "theta", "psi"]
    assert vessel["outputs"][0]["frame"] == "ned"
    assert next(p for p in vessel["parameters"] if p["name"] == "rigid_body_inertia")["required"]


def test_blocks_with_ports_that_vary_show_those_they_have_by_default() -> None:
    assert [port["name"] for port in describe_block(Sum)["inputs"]] == ["in1", "in2"]


def test_summary_is_the_first_sentence() -> None:
    assert (
        summary(PID)
        == "PID controller with parallel gains, of one quantity or of n at once that do not influence each other."
    )
    assert unit_text(("m", "m", "rad")) == "m rad"
    assert unit_text(None) == "any"
