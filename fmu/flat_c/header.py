"""The header of a plan in C: structs with the names, units and meanings of inputs, outputs and parameters."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterable, Iterator

from fmu.description.variables import LARGEST, Variable
from fmu.flat_c.layout import Layout, Member

_WIDTH = 118
_COLUMN = 36
_HEADER = """\
/* {title}: {called} in C for controllers.
 *
{about} *
 * Written by Keelblocks{version}; how to compile it is in README.md. Steps of {step} s by {solver}. SI units, radians.
 *
 *     static {name}_model model;
 *
 *     (void){name}_init(&model);
 *     for (;;) {{
 *         model.inputs.… = …;
 *         if ({name}_step(&model) != {upper}_OK) {{
 *             …
 *         }}
 *         … = model.outputs.…;
 *     }}
 */

#ifndef {upper}_H
#define {upper}_H

#ifdef __cplusplus
extern "C" {{
#endif

#define {upper}_STEP {step}

/* What functions return. */
#define {upper}_OK 0
#define {upper}_STOPPED 2         /* the stop signal is on: the outputs are of this instant, and time stands */
#define {upper}_FAULT 3           /* a block cannot go on, see {name}_fault_text */
#define {upper}_NOT_FINITE 4      /* a state or an output is no finite number */
#define {upper}_UNSETTLED 5       /* modes keep changing at one instant */

"""
_MODEL = """\
/* All that there is of a running model. Its owner sets inputs and parameters, and leaves the rest alone. */
typedef struct {{
{members}    double time_of_outputs;             /* s */
    struct {{
        double t;                       /* s: how far states have gone on */
        double start;
        long long grid;                 /* how many steps have been begun */
        long long steps;
        int evaluated;
    }} clock;
    struct {{
        double t;
        int block;
        int part;
        int element;
        int fault;
    }} failure;
    int status;
    int dirty;
    int stale;
    int first_major;
    int fresh_derivatives;
    int faults[{blocks}];
    int due[{due}];
}} {name}_model;
"""
_DECLARED = """
/* Everything as it was written, and the initial state: {name}_set_defaults, then {name}_start. {upper}_OK or a
 * fault. */
int {name}_init({name}_model *model);

/* Inputs and parameters as they were written. */
void {name}_set_defaults({name}_model *model);

/* The initial state, with the parameters that there are: all of them may be changed ahead of it. {upper}_OK or a
 * fault. */
int {name}_start({name}_model *model);

/* Outputs of the present instant from the present inputs; then the states go on by {upper}_STEP, with these inputs
 * held. Returns what is defined above; after a fault nothing happens any more until {name}_init or {name}_start. */
int {name}_step({name}_model *model);

/* To be called after parameters have been changed between steps: the next step takes them. */
void {name}_parameters_changed({name}_model *model);

/* The instant of the outputs, in s. */
double {name}_time(const {name}_model *model);

/* The number of the block that could not go on, from 0, or -1. */
int {name}_fault(const {name}_model *model);

/* What is wrong, in words; "" where nothing is. */
const char *{name}_fault_text(const {name}_model *model);

#ifdef __cplusplus
}}
#endif

#endif
"""


_STRUCTS = ("inputs", "outputs", "parameters")
_OF_CUDA = ("ROWS", "BLOCK", "CONTRACTED")
"""Macros that CUDA C++ has besides: a model `waves` would replace the WAVES_ROWS of kernels."""


def names_of(name: str) -> set[str]:
    """What the header of a model of this name declares: functions, types and macros."""
    found = re.findall(r"\{(?:name|upper)\}_\w+", _HEADER + _MODEL + _DECLARED)
    found += [f"{{name}}_{kind}" for kind in _STRUCTS]
    found += [f"{{upper}}_{macro}" for macro in _OF_CUDA]
    return {text.format(name=name, upper=name.upper()) for text in found}


def header_text(layout: Layout, name: str, title: str, about: str, version: str) -> str:
    """The text of `<name>.h`."""
    settings = layout.plan.settings
    values = {"name": name, "upper": name.upper()}
    lines = "".join(f" * {line}\n" for line in textwrap.wrap(plain(about), 114))
    text = _HEADER.format(
        title=plain(title), called=f"{name}.h and {name}.c, a plan", about=lines, version=version and f" {version}",
        step=repr(float(settings.step)), solver=settings.solver, **values,
    )  # fmt: skip
    return text + structs_text(layout, name) + _DECLARED.format(**values)


def structs_text(layout: Layout, name: str) -> str:
    """The structs of inputs, outputs and parameters, and that of all that a running model is."""
    head = layout.structure.header
    those = (layout.inputs, layout.outputs, layout.parameters)
    meant = ("Set ahead of each step; held until set again.", "Of the instant that the last step began at.", "")
    text = ""
    for kind, members, said in zip(_STRUCTS, those, meant, strict=True):
        if members:
            text += _struct(f"{name}_{kind}", members, said)
    own = _model_members(layout, name)
    return text + _MODEL.format(members=own, name=name, blocks=max(1, head["blocks"]), due=head["rates"] + 1)


def _model_members(layout: Layout, name: str) -> str:
    head = layout.structure.header
    rest = layout.count - head["signals"] - head["parameters"]
    signals = head["signals"] - head["inputs"]
    lines = []
    if layout.inputs:
        lines.append(f"    {name}_inputs inputs;\n")
    if signals:
        lines.append(_line(f"    double signals[{signals}];", "outputs of blocks"))
    if layout.parameters:
        lines.append(f"    {name}_parameters parameters;\n")
    if rest:
        lines.append(_line(f"    double rest[{rest}];", "derived constants, states, and what steps need"))
    if layout.outputs:
        lines.append(f"    {name}_outputs outputs;\n")
    return "".join(lines)


def _struct(name: str, members: Iterable[Member], said: str) -> str:
    lines = "".join(line for member in members for line in _member(member))
    return (f"/* {said} */\n" if said else "") + f"typedef struct {{\n{lines}}} {name};\n\n"


def _member(member: Member) -> Iterator[str]:
    sizes = "".join(f"[{n}]" for n in member.shape)
    yield _line(f"    double {member.name}{sizes};", meaning(member))


def _line(declared: str, said: str) -> str:
    """A declaration with its comment behind it, or ahead of it where both are too long for a line."""
    if not said:
        return f"{declared}\n"
    line = f"{declared:<{_COLUMN}}/* {said} */"
    if len(line) <= _WIDTH:
        return f"{line}\n"
    wrapped = textwrap.wrap(said, _WIDTH - 10)
    return f"    /* {f'{chr(10)}     * '.join(wrapped)} */\n{declared}\n"


def meaning(member: Member) -> str:
    """What a member is, with unit, limits and choices, as a comment of C can hold it."""
    variable = member.variable
    if variable is None:
        return "not to be touched"
    unit = variable.place.unit
    units = ", ".join(dict.fromkeys(u or "1" for u in unit)) if isinstance(unit, tuple) else unit or ""
    if units == "1":
        units = ""
    parts = [variable.place.doc or ""]
    if variable.labels:
        parts.append(", ".join(variable.labels))
    if variable.choices:
        parts.append(", ".join(f"{i} = {choice}" for i, choice in enumerate(variable.choices)))
    elif variable.role == "parameter" and (limits := _limits(variable)):
        parts.append(limits)
    if variable.role == "parameter":
        if variable.variability == "constant":
            parts.append("as it is: the code is made for it")
        elif variable.variability == "fixed":
            parts.append("until the start")
    return plain(f"{units + ': ' if units else ''}{'; '.join(part for part in parts if part)}")


def _limits(variable: Variable) -> str:
    limits = variable.limits
    said = []
    if limits.low > -LARGEST:
        said.append(f"{'>' if limits.above else '>='} {limits.low:g}")
    if limits.high < LARGEST:
        said.append(f"{'<' if limits.below else '<='} {limits.high:g}")
    return " and ".join(said)


def plain(text: str) -> str:
    """Text that a comment of C can hold."""
    return " ".join(text.replace("*/", "* /").replace("/*", "/ *").split())
