"""Vectors and matrices as scalars: sums from left to right, elements in their places, dependences of each by itself."""

from __future__ import annotations

import random

import numpy as np
import pytest
from formula_reference import expression

from blocks.basic import Formula
from blocks.plan import make_plan
from blocks.plan.dependencies import BlockDependencies

A = np.array([[1.1, -0.3, 2.0], [0.7, 5.0, -1.0]])
U, V = np.array([0.31, -1.7, 2.3]), np.array([4.1, 0.77, -0.9])


def summed(products):
    """From left to right."""
    total = products[0]
    for product in products[1:]:
        total = total + product
    return total


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("dot(u, v)", summed(U * V)),
        ("u @ v", summed(U * V)),
        ("A @ u", [summed(row * U) for row in A]),
        ("[u[0], u[1]] @ A", [summed(U[:2] * column) for column in A.T]),
        ("A @ transpose(A)", [[summed(a * b) for b in A] for a in A]),
        ("cross(u, v)", [U[1] * V[2] - U[2] * V[1], U[2] * V[0] - U[0] * V[2], U[0] * V[1] - U[1] * V[0]]),
        ("norm(u)", np.sqrt(summed(U * U))),
        ("sum(u)", summed(U)),
        ("hypot(u[0], v[1])", np.sqrt(U[0] * U[0] + V[1] * V[1])),
        ("transpose(A)", A.T),
        ("A[1, 0:2]", A[1, :2]),
        ("2*u - v/u", 2.0 * U - V / U),
        ("max(u, v, 0)", np.maximum(np.maximum(U, V), 0.0)),
        ("where(u > 0, u, -v)", np.where(U > 0, U, -V)),
        ("[[u[2], 1], [A[0, 2], t]]", [[U[2], 1.0], [A[0, 2], 0.5]]),
    ],
)
def test_elements_have_the_bits_of_numpy(text, wanted):
    block = Formula({"y": text}, inputs={"u": "[3]", "v": "[3]"}, parameters={"A": A.tolist()}, period=0.1)
    found = block.evaluate(0.5, u=U, v=V).outputs["y"]
    np.testing.assert_array_equal(found, wanted)


def test_outputs_of_different_feedthrough_are_computed_one_by_one():
    block = Formula(
        {"a": "2*x", "b": "x + u", "c": "x"}, inputs={"u": ""}, states={"x": "u/tau"}, parameters={"tau": "2 s"}
    )
    assert [block.feedthrough(name) for name in "abc"] == [(), ("u",), ()]
    assert [block.state_of(name) for name in "abc"] == [None, None, "x"]
    found = block.evaluate(u=3.0, states={"x": 0.5})
    assert (found.outputs["a"], found.outputs["b"], found.outputs["c"]) == (1.0, 3.5, 0.5)
    assert found.derivatives["x"] == 1.5


def test_dependences_are_those_that_are_seen():
    """Nothing else changes a result, and of sums and products all that stands there does."""
    chance = random.Random(4)
    for _ in range(6):
        names = ("u[0]", "u[1]", "u[2]", "v", "k")
        rows = [expression(chance, names, 4) for _ in range(6)]
        block = Formula(
            {"y": f"[{chr(44).join(rows)}]"},
            inputs={"u": "[3]", "v": ""},
            parameters={"k": chance.uniform(0.5, 2.0)},
            period=1.0,
        )  # fmt: skip
        plan = make_plan(block)
        (leaf,) = plan.flat.leaves
        declared = BlockDependencies(plan.flat, leaf).of("output", "y")
        for i, row in enumerate(rows):
            for j in range(3):
                assert bool(declared.inputs.get("u", [0] * 6)[i] >> j & 1) == (f"u[{j}]" in row)
            assert bool(declared.inputs.get("v", [0] * 6)[i]) == ("v" in row)
            assert bool(declared.parameters.get("k", [0] * 6)[i]) == ("k" in row)
