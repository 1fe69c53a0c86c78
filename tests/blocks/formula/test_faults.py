"""What has no value stops a run, with the place in the text where it began; what nobody takes notice of does not."""

from __future__ import annotations

import numpy as np
import pytest

from blocks.basic import Formula
from blocks.errors import ParameterError, SimulationError

UV = {"u": "", "v": ""}


@pytest.mark.parametrize(
    ("text", "inputs", "message"),
    [
        ("k*u/v", (1.0, 0.0), 'y: k*u/v: division by zero'),
        ("2.0 + u/v*3.0", (1.0, 0.0), 'y: u/v: division by zero, in "2.0 + u/v*3.0"'),
        ("v - 1/(u - u)", (1.0, 2.0), 'y: 1/(u - u): division by zero, in "v - 1/(u - u)"'),
        ("u/v", (1e200, 1e-200), "y: u/v: a result beyond the largest number"),
        ("exp(u) + v", (1e4, 0.0), 'y: exp(u): a result beyond the largest number, in "exp(u) + v"'),
        ("log(u*v)", (1.0, -2.0), "y: log(u*v): the logarithm of a number that is not above 0"),
        ("log10(u)", (0.0, 0.0), "y: log10(u): the logarithm of a number that is not above 0"),
        ("1 + sqrt(u)", (-1.0, 0.0), 'y: sqrt(u): the root of a number below 0, in "1 + sqrt(u)"'),
        ("u**v", (-2.0, 0.5), "y: u**v: no such power: 0 to a number below 0, or one below 0 to a number that is not "),
        ("u**-2", (0.0, 0.0), "y: u**-2: division by zero"),
        ("asin(u)", (1.5, 0.0), "y: asin(u): asin of a number beyond 1"),
        ("acos(u)", (-1.5, 0.0), "y: acos(u): acos of a number beyond 1"),
        ("u % v", (1.0, 0.0), "y: u % v: division by zero"),
        ("u*v", (np.nan, 1.0), "y: u is not a number"),
        ("u*v", (1.0, np.inf), "y: v is infinite"),
        ("max(u, 1/v)", (1.0, 0.0), 'y: 1/v: division by zero, in "max(u, 1/v)"'),
        ("1.0 if u/v > 2 else 0.0", (1.0, 0.0), 'y: u/v: division by zero, in "1.0 if u/v > 2 else 0.0"'),
        ("u > 0 and 1/v > 0", (1.0, 0.0), 'y: 1/v: division by zero, in "u > 0 and 1/v > 0"'),
        ("(u + k/(k - 3)) * v", (1.0, 1.0), 'y: k/(k - 3): division by zero, in "(u + k/(k - 3)) * v"'),
    ],
)  # fmt: skip
@pytest.mark.parametrize("sampled", [True, False])
def test_the_fault_names_its_place(text, inputs, message, sampled):
    more = {"period": 0.1} if sampled else {}
    block = Formula({"y": text}, inputs=UV, parameters={"k": 3.0}, **more)
    with pytest.raises(SimulationError) as caught:
        block.evaluate(u=inputs[0], v=inputs[1])
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("text", "inputs", "value"),
    [
        ("0.0 if v == 0 else u/v", (1.0, 0.0), 0.0),
        ("where(u > 0, u, log(u))", (2.0, 0.0), 2.0),
        ("u < 0 and 1/v > 0", (1.0, 0.0), 0.0),
        ("u > 0 or 1/v > 0", (1.0, 0.0), 1.0),
        ("1/exp(u)", (1e4, 0.0), 0.0),
    ],
)
def test_what_is_not_chosen_does_not_count(text, inputs, value):
    block = Formula({"y": text}, inputs=UV, period=0.1)
    assert block.evaluate(u=inputs[0], v=inputs[1]).outputs["y"] == value


def test_derivatives_and_updates_say_their_own():
    falling = Formula({"h": "x"}, inputs={"u": "1/s"}, states={"x": "-u/x"}, units={"x": "1"}, initial_x=0.0)
    with pytest.raises(SimulationError, match=r"x: -u/x: division by zero"):
        falling.evaluate(u=1.0)
    counting = Formula({"n": "z"}, update={"z": "z + 1/(z - z)"}, period=0.1, initial_z=1.0)
    with pytest.raises(SimulationError, match=r'z: 1/\(z - z\): division by zero, in "z \+ 1/\(z - z\)"'):
        counting.evaluate()


def test_elements_and_helpers_are_named():
    block = Formula({"y": "q[1]"}, inputs={"nu": "[3]"}, let={"q": "nu/nu[0]"})
    with pytest.raises(SimulationError, match=r"q: nu/nu\[0\]: division by zero"):
        block.evaluate(nu=[0.0, 1.0, 2.0])
    with pytest.raises(SimulationError, match=r"nu\[1\] is not a number"):
        block.evaluate(nu=[1.0, np.nan, 2.0])


def test_what_is_too_large_for_the_machine_is_refused():
    with pytest.raises(ParameterError, match=r"more than 512 numbers at a time \(401 inputs, states, parameters"):
        Formula({"y": "u * 2 + u[0]"}, inputs={"u": "[400]"})
    rows = [[1.0] * 150] * 150
    with pytest.raises(ParameterError, match=r"operations on numbers, and a formula takes 16000 at most"):
        Formula({"y": "A @ (u*u)"}, inputs={"u": "[150]"}, parameters={"A": rows})
    deep = {f"a{i + 1}": f"u if u > {i} else u*a{i}" for i in range(1200)}
    with pytest.raises(ParameterError, match="the equations use one another too deeply"):
        Formula({"y": "a1200"}, inputs={"u": ""}, let={"a0": "u"} | deep, period=1.0)
