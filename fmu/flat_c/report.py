"""What a step of the C costs: operations on its longest path, and memory."""

from __future__ import annotations

import math
import subprocess
from dataclasses import dataclass

from pycparser import c_ast, c_parser

from blocks.compiled.source import functions_of
from blocks.errors import LibraryError
from blocks.libraries.compiling import commands_for
from blocks.plan.settings import FIXED_STEP
from cython_kernels.plain_c.lanes.reading import preprocessed
from cython_kernels.plain_c.platforms import local
from fmu.flat_c.intervals import Intervals
from fmu.flat_c.layout import Layout
from fmu.flat_c.operations import Operations
from fmu.notices import warn

MODE_ROUNDS = 100
"""How often modes may change at one instant, see `MODE_ITERATIONS` of the engine."""

_SETUP = ("plan_setup",)


@dataclass(frozen=True)
class Cost:
    """Operations on doubles of one step at most. usual: where modes change once and no parameters; setup: what the
    change of a parameter adds; greatest: with that, and modes that change as often as they may.

    unbounded: loops of which no bound is known, and which are counted once. bytes_of_model: where a double has 8 bytes
    and an `int` 4, which is every target that is known here.
    """

    usual: dict[str, int]
    setup: dict[str, int]
    greatest: dict[str, int]
    steps_within: int | None
    unbounded: tuple[str, ...]
    bytes_of_model: int
    bytes_of_constants: int


def cost_of(layout: Layout, name: str, header: str, source: str) -> Cost | str:
    """What a step costs; where that cannot be told, why not."""
    try:
        command = commands_for(local(), named=False)[0]
        text = preprocessed(header + source.replace(f'#include "{name}.h"\n', ""), command)
        tree = c_parser.CParser().parse(text)
    except (LibraryError, OSError):
        return "there was no C preprocessor where this was written"
    except (subprocess.CalledProcessError, c_parser.ParseError) as problem:
        why = problem.stderr if isinstance(problem, subprocess.CalledProcessError) else str(problem)
        place = why.strip().partition("\n")[0]
        warn(
            f"the C of {name} was written, but Keelblocks cannot read it to count its operations ({place}), and it may "
            "not compile: that is a bug of Keelblocks, please report it with the scenario"
        )
        return f"Keelblocks could not read this C ({place}), a bug of it to be reported"
    counter = Operations(tree)
    counter.around = _around(counter, tree, layout)
    within = steps_within(layout)
    found = {}
    unbounded: dict[str, None] = {}
    often = {f"{name}_step": within or 1, "evaluate": 2}
    for key, function, rounds, without in (
        ("usual", f"{name}_step", often, _SETUP),
        ("setup", _SETUP[0], often, ()),
        ("greatest", f"{name}_step", often | {"evaluate": MODE_ROUNDS}, ()),
    ):
        found[key], those = counter.of(function, rounds, without)
        unbounded |= dict.fromkeys(those)
    if within is None:
        unbounded["instants between two steps, at which signals jump or are sampled"] = None
    return Cost(
        found["usual"], found["setup"], found["greatest"], within, tuple(unbounded), bytes_of_model(layout),
        _bytes_of_constants(layout),
    )  # fmt: skip


def _around(counter: Operations, tree: c_ast.FileAST, layout: Layout) -> Intervals:
    """What is known everywhere: sizes of blocks, and names of constants."""
    around = Intervals(counter.types)
    for record, leaf in zip(layout.structure.blocks, layout.plan.flat.leaves, strict=True):
        around.blocks[record.number] = (
            {name: int(n) for name, n in layout.plan.flat.sizes[leaf].items()}, record.numbers,
        )  # fmt: skip
    for node in tree.ext:
        inner = node
        while inner is not None and not isinstance(inner, c_ast.Enum):
            inner = getattr(inner, "type", None)
        value = -1
        for item in inner.values.enumerators if inner is not None and inner.values else ():
            given = around.value(item.value) if item.value is not None else None
            value = given[0] if given else value + 1
            around.enumerators[item.name] = value
    return around


def steps_within(layout: Layout) -> int | None:
    """How many steps of the solver one call makes at most: one, where samples are due at the ends of steps."""
    settings, structure = layout.plan.settings, layout.structure
    if any("jumps" in functions_of(kernel) for kernel in structure.kernels):
        return None
    given = layout.given
    total = 1
    for period, offset in structure.rates.reshape(-1, 2):
        if not all(_is_multiple(float(given[place]), settings.step) for place in (period, offset)):
            total += math.ceil(settings.step / float(given[period])) + 1
    return total


def _is_multiple(value: float, step: float) -> bool:
    return abs(value / step - round(value / step)) < 1e-9


def bytes_of_model(layout: Layout) -> int:
    """How many bytes the struct of a model takes, where a double has 8 and an `int` 4."""
    head = layout.structure.header
    outputs = sum(member.count for member in layout.outputs)
    doubles = layout.count + outputs + 1 + 2 + 1
    whole = 2 * 2 + 2 + 4 + 5 + max(1, head["blocks"]) + head["rates"] + 1
    return int(8 * doubles + (4 * whole + 7) // 8 * 8)


def _bytes_of_constants(layout: Layout) -> int:
    head, structure = layout.structure.header, layout.structure
    tables = 8 * (head["inputs"] + head["parameters"]) + 4 * (structure.rates.size + structure.copies.size)
    return int(tables + 4 * sum(len(block.numbers) for block in structure.blocks))


def cost_text(cost: Cost | str, solver: str) -> str:
    """A part of the README."""
    if isinstance(cost, str):
        return f"The operations of a step were not counted: {cost}.\n"
    assert solver in FIXED_STEP
    rows = "".join(
        f"| {what} | {cost.usual[what]} | {cost.setup[what]} | {cost.greatest[what]} |\n" for what in cost.usual
    )
    said = "".join(f"- {item}\n" for item in cost.unbounded)
    text = f"""\
A call of the step function takes at most so many operations on doubles, found by going through the C with the dearer of
two branches and all loops at their bounds:

| operations | where modes change once | more, after a change of parameters | with both, modes {MODE_ROUNDS} times |
|---|---:|---:|---:|
{rows}
The model takes {cost.bytes_of_model} bytes of RAM, and its tables {cost.bytes_of_constants} bytes of constants.
"""
    if cost.steps_within and cost.steps_within > 1:
        text += (
            f"A call makes up to {cost.steps_within} steps of the solver: samples are due between the ends of steps.\n"
        )
    if said:
        text += f"\nWithout a bound, and counted once:\n\n{said}"
    return text
