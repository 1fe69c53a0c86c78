"""Parameters that the layout of a plan hangs on: those that are declared structural are those that turn out to be."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np
import pytest

from blocks import Block
from blocks.basic import Delay, MinMax, Selector, StateSpace, Sum, TransferFunction
from blocks.control import PID
from blocks.errors import KeelblocksError
from blocks.model.declare import Parameter
from blocks.plan import make_plan
from blocks.thrust import PropellerThrusters


def found_structural(block: Block, known: Mapping[str, int]) -> set[str]:
    """The parameters of which another value gives a block other ports, states, sizes or feedthrough.

    Enumerations and switches are tried in all their values, whole numbers at their limits, arrays with one added to
    each element. Words and whole numbers without limits count as such. Blocks of equal sample rate take period and
    offset of the first, so these do too.
    """
    found: set[str] = set()
    trial = block.copy()
    before = shape_of(trial, known)
    for name, parameter in block.all_parameters().items():
        value = block.values[name]
        word = isinstance(value, str) and not parameter.choices
        shared = block.sampled and name in ("period", "offset")
        open_ended = parameter.integer and (parameter.at_least is None or parameter.at_most is None)
        plain = parameter.tunable and parameter.structural is False
        others = () if plain and not (parameter.choices or parameter.switch) else other_values(parameter, value)
        if word or shared or open_ended or any(differs(trial, known, name, other, before) for other in others):
            found.add(name)
    return found


def other_values(parameter: Parameter, value: Any) -> Iterator[Any]:
    if parameter.choices:
        yield from (choice for choice in parameter.choices if choice != value)
    elif parameter.switch:
        yield not value
    elif parameter.integer:
        yield from (np.full(np.shape(value), limit) for limit in (parameter.at_least, parameter.at_most))
    else:
        yield np.asarray(value) + 1.0


def differs(trial: Block, known: Mapping[str, int], name: str, other: Any, before: tuple[object, ...]) -> bool:
    old = trial.values[name]
    try:
        trial.set(**{name: other})
        return shape_of(trial, known) != before
    except KeelblocksError:
        # Out of range says nothing about arrays; a choice that is refused belongs with the other parameters.
        return isinstance(other, (str, bool))
    finally:
        trial.values[name] = old


def shape_of(block: Block, known: Mapping[str, int]) -> tuple[object, ...]:
    """Everything about a block that a plan is laid out by."""
    sizes = {**known, **block.known_sizes()}
    return (
        block.kernel, sizes, block.kernel_sizes(sizes), block.work_size(sizes), block.crossing_count(sizes),
        tuple(block.input_ports), tuple(block.states),
        tuple((name, block.feedthrough(name)) for name in block.output_ports),
    )  # fmt: skip


def sizes_of(block: Block) -> Mapping[str, int]:
    shapes = {"u": (3,)} if isinstance(block, Selector) else None
    (sizes,) = make_plan(block, input_shapes=shapes).flat.sizes.values()
    return sizes


def test_structural_parameters_are_declared(sample):
    block = sample()
    declared = block.structural_parameters()
    assert declared == found_structural(block, sizes_of(block)), (
        f"{sample.name}: parameters that decide ports, states, sizes or feedthrough are declared with structural=True, "
        f"or with a function of the block, and no others are"
    )


def test_parameters_that_may_change_leave_ports_sizes_and_feedthrough_alone(sample):
    """Tunable numbers are not tried above: they may be set while an FMU runs."""
    block = sample()
    known = sizes_of(block)
    trial, before = block.copy(), shape_of(block, known)
    for name, parameter in block.all_parameters().items():
        number = not (parameter.integer or parameter.choices or parameter.switch)
        if parameter.tunable and number and parameter.structural is False:
            for other in (np.asarray(block.values[name]) + 1.0, np.asarray(block.values[name]) * 0.0):
                assert not differs(trial, known, name, other, before), f"{name} decides the layout"


@pytest.mark.parametrize(
    ("block", "name", "expected"),
    [
        (MinMax(count=3), "count", True),  # it decides the inputs
        (Selector([0, 2]), "indices", True),  # beyond the input there is nothing to read
        (Delay(3, period=0.1), "samples", True),  # it decides the states
        (Delay(3, period=0.1), "period", True),  # blocks of equal rate share it
        (Sum("+-"), "signs", True),
        (StateSpace([[0.0]], [[1.0]], [[1.0]]), "D", True),  # with it the output would depend on the input
        (StateSpace([[0.0]], [[1.0]], [[1.0]], [[1.0]]), "D", False),
        (StateSpace([[0.0]], [[1.0]], [[1.0]], [[1.0]]), "initial_x", False),
        (TransferFunction([0.0, 1.0], [1.0, 1.0]), "numerator", True),  # without the 0 there is feedthrough
        (TransferFunction([1.0, 1.0], [1.0, 1.0]), "numerator", False),
        (PID(1.0), "derivative", True),  # it decides the states
        (PID(1.0), "kp", False),
    ],
)
def test_parameters_that_shape_the_plan(block, name, expected):
    assert (name in block.structural_parameters()) is expected


def test_a_torque_model_can_be_chosen_where_there_are_coefficients(make_sample):
    thrusters = make_sample("thrust.PropellerThrusters")
    assert isinstance(thrusters, PropellerThrusters)
    assert "torque_model" in thrusters.structural_parameters()
    thrusters.set(torque_coefficient_forward=[0.0, 0.0, 0.0, 0.03])
    assert "torque_model" not in thrusters.structural_parameters()
