"""A formula gives the bits that its text has, operation by operation, whatever instructions it becomes."""

from __future__ import annotations

import math
import random

import numpy as np
from formula_reference import expression, value

from blocks.basic import Formula
from blocks.formula.functions import FUNCTIONS
from blocks.plan import make_plan

NAMES = ("u", "v", "w", "k", "c")
POINTS = (
    (0.3, -1.2, 2.5), (-0.7, 0.0, 1.0), (4.0, 4.0, -0.5), (0.999, -0.25, 30.0), (-3.2, 1e3, 1e-3), (math.nan, 1.0, 2.0),
    (-0.0, 1e200, -1e200),
)  # fmt: skip


def assert_same_bits(texts, parameters, points=POINTS):
    """Evaluated by the engine, sampled so that nothing is held, and by the tree."""
    with np.errstate(all="ignore"):
        _compare(texts, parameters, points)


def _compare(texts, parameters, points):
    outputs = {f"y{i}": text for i, text in enumerate(texts)}
    block = Formula(outputs, inputs=dict.fromkeys("uvw", ""), parameters=parameters, period=0.1)
    plan = make_plan(block)
    engine = plan.engine()
    places = [plan.outputs[f"{plan.flat.leaves[0].name}.{name}"].slice for name in outputs]
    for point in points:
        for place, number in zip(plan.inputs.values(), point, strict=True):
            engine.values[place.slice] = number
        engine.start(0.0)
        numbers = dict(zip(NAMES, (*point, *parameters.values()), strict=False))
        for (name, text), place in zip(outputs.items(), places, strict=True):
            wanted, given = value(block.equations.outputs[name], numbers), float(engine.values[place][0])
            same = (
                math.isnan(given) if math.isnan(wanted) else np.float64(given).tobytes() == np.float64(wanted).tobytes()
            )
            assert same, f"{text} with {numbers}: {given!r}, {wanted!r} by the tree"


def test_random_expressions():
    chance = random.Random(16)
    for _ in range(12):
        texts = [expression(chance, NAMES, chance.randint(1, 5)) for _ in range(24)]
        assert_same_bits(texts, {"k": chance.uniform(-2, 2), "c": chance.uniform(0, 3)})


def test_damping_in_any_order():
    """What is one instruction for one velocity, and what only looks like it."""
    linear = ("c*u", "u*c", "c*v", "u*u")
    quadratic = ("k*u*abs(u)", "u*k*abs(u)", "k*abs(u)*u", "abs(u)*u*k", "u*u*abs(u)", "k*u*abs(v)")
    forms = ("{a} + {b}", "{b} + {a}", "w - {a} - {b}", "w - {b} - {a}", "w + {a} - {b}", "w - {a} + {b}")
    texts = [form.format(a=a, b=b) for a in linear for b in quadratic for form in forms]
    chance = random.Random(5)
    points = [tuple(chance.uniform(-3, 3) for _ in "uvw") for _ in range(8)]
    assert_same_bits(texts, {"k": 1 / 3, "c": 0.1}, points)


def test_every_function_and_operator():
    texts = []
    for function in FUNCTIONS.values():
        if function.shapes == "elements":
            names = NAMES[: function.arity[0]]
            if function.called:
                texts.append(f"{function.name}({', '.join(names)})")
            else:
                texts.append(f" {function.sign} ".join(names) if len(names) > 1 else f"{function.sign} u")
    assert len(texts) > 40
    assert_same_bits([*texts, "u**2", "u**3*v", "u**-2", "v**0.5", "u**5", "(u > v) - (u == v)"], {"k": 0.7, "c": 1.2})
