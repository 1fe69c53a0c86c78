"""The C file of a plan for controllers: engine, kernels, tables and the functions of the header."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Iterable

import numpy as np

from blocks.compiled.calls import LISTS, Calls
from blocks.compiled.source import functions_of, has
from blocks.compiled.structure import BlockRecord, Structure
from blocks.errors import ExportError
from cython_kernels.plain_c.engine_parts import EngineC
from cython_kernels.plain_c.generated import READABLE_ENGINE_C
from fmu.flat_c.arithmetic import with_own_arithmetic
from fmu.flat_c.calls import calls_text
from fmu.flat_c.engine import ENTRY_POINTS, specialise
from fmu.flat_c.functions import functions_text
from fmu.flat_c.header import names_of, plain
from fmu.flat_c.layout import Layout
from fmu.flat_c.pieces import Function, Item, Pieces, words

_TOP = """\
/* {title}: see {name}.h.
 *
 * The engine and the kernels of Keelblocks for one plan, written by Keelblocks{version}. To be compiled with
 * -ffp-contract=off (one rounding per operation), which gives the numbers of `simulate` bit for bit, and with
 * -fno-strict-aliasing (views of blocks are read by number and by name).
 */

#include "{name}.h"
#include <stddef.h>
#include <string.h>

#ifdef __FAST_MATH__
#error "other numbers would come of -ffast-math: compile without it"
#endif
#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 2)
#error "other numbers would come of the x87: compile with -msse2 -mfpmath=sse"
#endif

typedef {name}_model Plan;

/* Doubles are of 64 bits, and the members of the model stand where the tables below have them. */
{layout}
"""
_VALUES = """\
/* The values of a plan, one array: inputs and other signals, parameters, derived constants, states and the rest. */
static inline double *values(Plan *s)
{
    return (double *)s;
}
"""
_OTHERS = """
Plan Header Task Clock Failure Recorder Detour Summary KernelEntry KernelLibrary Kernel GoOn Finder KB_COMPILED kb_calls
kb_arithmetic kb_set_arithmetic kb_take_ieee_arithmetic kb_put_arithmetic_back
"""
_LEFT_OUT = frozenset(_OTHERS.split())
"""Types and macros of the engine that a plan in C has others for, or none."""


_LONG = re.compile(r"^( +)long (t\d+(?:, t\d+)*;)$", re.M)
"""Whole constants on their way, small ones: Cython has them in a `long`, which an `int` is assigned from."""


@functools.lru_cache(maxsize=1)
def readable_engine() -> EngineC:
    """The C of the engine for people, taken apart."""
    return EngineC(READABLE_ENGINE_C.read_text(encoding="utf-8"))


def model_text(layout: Layout, name: str, title: str, version: str) -> str:
    """The text of `<name>.c`."""
    top = _TOP.format(
        title=plain(title), name=name, version=version and f" {version}", layout=layout_checks(layout, name)
    )
    return f"{top}{code_text(layout, name)}"


def code_text(layout: Layout, name: str) -> str:
    """Engine, kernels and tables of a plan, and the functions of its header, behind the structs of the header."""
    structure = layout.structure
    engine = readable_engine()
    pieces = Pieces(engine.only(structure.kernels))
    calls = Calls(
        structure,
        {kernel: engine.functions(kernel) for kernel in structure.kernels},
        has(structure),
    )
    lists = {one: calls.of(one) for one in LISTS}
    given = layout.given
    signals = given[structure.header["inputs"] : structure.header["signals"]]
    specialise(pieces, structure, {one: len(found) for one, found in lists.items()}, bool(np.any(signals)))
    text_of = {f"call_{one}": calls_text(calls, one, found, pieces) for one, found in lists.items()}
    for function, text in text_of.items():
        match = re.fullmatch(r"(static .*?\)) \{\n(.*)\}\n", text, re.S)
        assert match
        pieces.functions[function] = Function("the plan", f"/* {_SAID[function]} */\n", match[1], function, match[2])
    items, functions = pieces.needed(ENTRY_POINTS)
    own = functions_text(layout, name)
    tables = _tables(layout, given, {word for function in functions for word in function.words} | words(own))
    inside = "".join([
        *(item.text for item in _own_items(items)), "\n", tables, "\n", _VALUES, "\n",
        *(f"{function.head};\n" for function in functions), "\n", *_with_banners(pieces, functions), "\n",
    ])  # fmt: skip
    text, arithmetic = with_own_arithmetic(_out_of_the_way(inside, names_of(name)) + own)
    text = _LONG.sub(r"\1int \2", text)
    return f"{arithmetic}\n{text}"


def _out_of_the_way(text: str, declared: set[str]) -> str:
    """What has a name that the header declares gets another one: a model `gain` and the function `gain_outputs`."""
    clashing = sorted(words(text) & declared)
    return re.sub(rf"\b({'|'.join(clashing)})\b", r"\1_", text) if clashing else text


def layout_checks(layout: Layout, name: str) -> str:
    """Declarations that no compiler takes if the model stands in memory otherwise than it is meant."""
    head = layout.structure.header
    wanted = {"doubles_have_64_bits": "sizeof(double) == 8u"}
    if layout.parameters:
        wanted["parameters_are_there"] = f"offsetof({name}_model, parameters) == {head['signals']}u * sizeof(double)"
    if layout.outputs:
        wanted["values_are_there"] = f"offsetof({name}_model, outputs) == {layout.count}u * sizeof(double)"
    return "".join(f"typedef char {what}[({truth}) ? 1 : -1];\n" for what, truth in wanted.items())


_SAID = {
    "call_setups": "Derive constants from parameters.",
    "call_starts": "Initial states that are not those of parameters.",
    "call_majors": "All outputs, in the order in which they need each other.",
    "call_continuous": "All outputs that are not sampled.",
    "call_minors": "The outputs that derivatives depend on.",
    "call_derivatives": "Derivatives of the states.",
    "call_modes": "Modes of blocks that are not sampled.",
    "call_samples": "The next states of sampled blocks.",
    "call_crossings": "Zero crossings.",
    "call_jumps": "How far off the instants are at which signals jump.",
}


def _own_items(items: Iterable[Item]) -> list[Item]:
    """Each once, without types that a plan in C has others for."""
    found: dict[str, Item] = {}
    for item in items:
        if not item.names <= _LEFT_OUT and not item.names & _LEFT_OUT:
            found.setdefault(item.text.strip(), item)
    return [*found.values()]


def _with_banners(pieces: Pieces, functions: Iterable[Function]) -> Iterable[str]:
    file = ""
    for function in functions:
        if function.file != file:
            file = function.file
            yield "\n" + pieces.banners.get(file, "/* ---- The calls of the kernels of this plan. */\n")
        yield "\n" + function.text


def _tables(layout: Layout, given: np.ndarray, used: set[str]) -> str:
    """The constants of a plan, those that something uses."""
    structure, head = layout.structure, layout.structure.header
    offsets = ", ".join(f"{name} = {at}" for name, at in layout.offsets.items())
    parts = [f"/* Where in the values states and what steps need begin. */\nenum {{ {offsets} }};\n"]
    parts += [f"#define STEP {layout.plan.settings.step!r}\n"]
    states = [(b.number, b.x.place, b.x.count) for b in structure.blocks if b.x.count]
    crossings = [(b.g.place, b.g.count) for b in _with_jumps(structure)]
    inputs = given[: head["inputs"]]
    tables = {
        "GIVEN": ("double", "start values of signals", given[: head["signals"]]),
        "INPUTS": ("double", "start values of inputs", inputs),
        "PARAMETERS": ("double", "values of parameters", given[head["signals"] :]),
        "RATES": ("int", "where period and offset of each sample rate stand", structure.rates),
        "COPIES": ("int", "initial states: from, to, how many", structure.copies),
    }  # fmt: skip
    for name, (kind, said, values) in tables.items():
        if name in used and len(values):
            numbers = [_number(value) for value in values] if kind == "double" else [str(value) for value in values]
            parts.append(
                f"/* {said[0].upper()}{said[1:]}. */\nstatic const {kind} {name}[] = {{\n{_rows(numbers)}}};\n"
            )
    for name, said, rows, width in (
        ("STATES", "Continuous states: block, where they stand, how many.", states, 3),
        ("JUMPS", "Where instants of jumps stand, and how many.", crossings, 2),
    ):
        if name in used and rows:
            lines = "".join(f"    {{{', '.join(map(str, row))}}},\n" for row in rows)
            parts.append(f"/* {said} */\nstatic const int {name}[][{width}] = {{\n{lines}}};\n")
    return "\n".join(parts)


def _with_jumps(structure: Structure) -> list[BlockRecord]:
    return [block for block in structure.blocks if "jumps" in functions_of(block.kernel)]


def _number(value: float) -> str:
    """A number in C that is read as the same one."""
    value = float(value)
    if not math.isfinite(value):
        raise ExportError(f"a parameter or a start value is {value}, and code has finite ones: give one")
    return repr(value)


def _rows(numbers: list[str]) -> str:
    lines, line = [], "   "
    for number in numbers:
        if len(line) + len(number) + 2 > 118:
            lines.append(line)
            line = "   "
        line += f" {number},"
    return "".join(f"{text}\n" for text in [*lines, line])
