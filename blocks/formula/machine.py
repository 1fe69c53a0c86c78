"""The instructions of the machine that runs formulas, in the one place where they have numbers.

The machine has registers r and an accumulator s. An instruction computes s from s and registers a, b, c and e, and
stores it in a register, too. `cython_kernels/basic/formula_machine.pxd` says what each does; the build makes an enum
of the names for it.
"""

from __future__ import annotations

from dataclasses import dataclass

REGISTERS = 512
"""Of which each call has so many on its stack; the last one takes what nobody reads."""

MOST_NODES = 16_000
"""Operations on numbers, with the numbers that are read, of all equations of a block."""

FIELDS = 6
"""Numbers of an instruction: its own, the register that takes the result, and four that are read, or -1."""


@dataclass(frozen=True)
class Instruction:
    """operands: how many registers it reads; accumulator: whether it reads s.

    undefined: why it may give no number; overflows: whether its result may be too large for one.
    """

    name: str
    operands: int
    accumulator: bool = True
    undefined: str = ""
    overflows: bool = True


_ZERO = "division by zero"
_ALL = (
    Instruction("set", 1, False, overflows=False),
    Instruction("set_add", 2, False),
    Instruction("set_subtract", 2, False),
    Instruction("set_multiply", 2, False),
    Instruction("set_divide", 2, False, _ZERO),
    Instruction("set_add_product", 3, False),
    Instruction("set_subtract_product", 3, False),
    Instruction("set_abs", 1, False, overflows=False),
    Instruction("product3", 3, False),
    Instruction("product3_abs", 3, False),
    Instruction("set_add_product3", 4, False),
    Instruction("set_subtract_product3", 4, False),
    Instruction("add", 1),
    Instruction("subtract", 1),
    Instruction("subtract_from", 1),
    Instruction("multiply", 1),
    Instruction("multiply_abs", 1),
    Instruction("divide", 1, True, _ZERO),
    Instruction("divide_into", 1, True, _ZERO),
    Instruction("add_product", 2),
    Instruction("subtract_product", 2),
    Instruction("subtract_from_product", 2),
    Instruction("multiply_add", 2),
    Instruction("multiply_subtract", 2),
    Instruction("add_product3", 3),
    Instruction("subtract_product3", 3),
    Instruction("add_product3_abs", 3),
    Instruction("subtract_product3_abs", 3),
    Instruction("damping", 3, False),
    Instruction("subtract_damping", 3),
    Instruction("subtract_damping_quadratic_first", 3),
    Instruction("negative", 0, overflows=False),
    Instruction("abs", 0, overflows=False),
    Instruction("min", 1, overflows=False),
    Instruction("max", 1, overflows=False),
    Instruction("less", 1, overflows=False),
    Instruction("less_equal", 1, overflows=False),
    Instruction("greater", 1, overflows=False),
    Instruction("greater_equal", 1, overflows=False),
    Instruction("equal", 1, overflows=False),
    Instruction("not_equal", 1, overflows=False),
    Instruction("and", 1, overflows=False),
    Instruction("or", 1, overflows=False),
    Instruction("not", 0, overflows=False),
    Instruction("where", 2, overflows=False),
    Instruction("side", 2, overflows=False),
    Instruction("sqrt", 0, True, "the root of a number below 0", overflows=False),
    Instruction("cbrt", 0, overflows=False),
    Instruction("exp", 0),
    Instruction("expm1", 0),
    Instruction("log", 0, True, "the logarithm of a number that is not above 0", overflows=False),
    Instruction("log10", 0, True, "the logarithm of a number that is not above 0", overflows=False),
    Instruction("power", 1, True, "no such power: 0 to a number below 0, or one below 0 to a number that is not whole"),
    Instruction("sinh", 0),
    Instruction("cosh", 0),
    Instruction("tanh", 0, overflows=False),
    Instruction("sin", 0, overflows=False),
    Instruction("cos", 0, overflows=False),
    Instruction("tan", 0, overflows=False),
    Instruction("asin", 0, True, "asin of a number beyond 1", overflows=False),
    Instruction("acos", 0, True, "acos of a number beyond 1", overflows=False),
    Instruction("atan", 0, overflows=False),
    Instruction("atan2", 1, overflows=False),
    Instruction("sign", 0, overflows=False),
    Instruction("floor", 0, overflows=False),
    Instruction("ceil", 0, overflows=False),
    Instruction("round", 0, overflows=False),
    Instruction("turns", 0, overflows=False),
)

INSTRUCTIONS = {instruction.name: instruction for instruction in _ALL}
NAMES = (*INSTRUCTIONS,)
NUMBERS = {name: number for number, name in enumerate(NAMES)}
"""The number of each instruction."""
