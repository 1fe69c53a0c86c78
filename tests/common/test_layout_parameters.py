"""Parameters that the layout of a plan hangs on; that no others do is a trial of every block."""

from __future__ import annotations

import pytest

from blocks.basic import Delay, MinMax, Selector, StateSpace, Sum, TransferFunction
from blocks.control import PID
from blocks.thrust import PropellerThrusters


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
