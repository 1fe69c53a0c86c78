"""The machine: what Python and the kernel have to agree on, and how few instructions equations become."""

from __future__ import annotations

import re
from pathlib import Path

from blocks.basic import Formula
from blocks.formula.machine import FIELDS, INSTRUCTIONS, NUMBERS, REGISTERS

KERNELS = Path(__file__).parents[3] / "cython_kernels/basic"


def test_the_kernel_has_as_many_registers_and_fields_and_every_instruction():
    text = "".join((KERNELS / name).read_text(encoding="utf-8") for name in ("formula.pxd", "formula_machine.pxd"))
    assert re.findall(r"REGISTERS = (\d+)", text) == [str(REGISTERS)]
    assert re.findall(r"^    FIELDS = (\d+) ", text, re.M) == [str(FIELDS)]
    handled = re.findall(r"if operation == FORMULA_INSTRUCTION_(\w+):", text)
    assert sorted(handled) == sorted(name.upper() for name in INSTRUCTIONS)


def named(block):
    """The instructions of the outputs, by name."""
    numbers = block.program.numbers
    begin, end = numbers[numbers[7]], numbers[numbers[7] + 1]
    return [[*NUMBERS][numbers[at]] for at in range(begin, end, FIELDS)]


def test_products_and_sums_are_done_at_once():
    """As in the instructions' names: two operations and more for each that is decoded."""
    drag = Formula({"y": "k*u*abs(u) + d*u"}, inputs={"u": ""}, parameters={"k": 3.0, "d": 1.0})
    assert named(drag) == ["damping"]
    for text, name in (
        ("w*w - d*u - k*abs(u)*u", "subtract_damping"),
        ("w*w - k*u*abs(u) - u*d", "subtract_damping_quadratic_first"),
        ("w*w - d*u - k*u*abs(w)", "subtract_product3_abs"),
    ):
        block = Formula({"y": text}, inputs={"u": "", "w": ""}, parameters={"k": 3.0, "d": 1.0})
        assert named(block)[-1] == name
    row = Formula({"y": "A @ u"}, inputs={"u": "[3]"}, parameters={"A": [[1.0, 2.0, 3.0]]})
    assert named(row) == ["set_multiply", "add_product", "add_product"]


def test_what_follows_from_parameters_is_computed_once():
    block = Formula({"y": "sin(k)*exp(2*k)*u"}, inputs={"u": ""}, parameters={"k": 0.3})
    assert named(block) == ["set_multiply"]
