"""The C of a model for Modelica: the engine and the kernels of its plan, and the functions that are called."""

from __future__ import annotations

import re
from collections.abc import Iterable

from fmu.flat_c.header import plain, structs_text
from fmu.flat_c.layout import Layout
from fmu.flat_c.model import code_text, layout_checks
from fmu.flat_c.names import identifiers
from fmu.modelica.functions import Argument, Function
from fmu.modelica.subject import Subject

_TOP = """\
/* {title}: what {package}.{model} calls.
 *
 * The engine and the kernels of Keelblocks for one plan, and the functions of an external object of Modelica around it,
 * written by Keelblocks {version}. The compiler of a Modelica tool includes it; all names begin with {name}. It
 * allocates memory for each object, and needs nothing but the C library and ModelicaUtilities.h.
 */

#ifndef {upper}_INCLUDED
#define {upper}_INCLUDED

#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include "ModelicaUtilities.h"

#ifdef __FAST_MATH__
#error "other numbers would come of -ffast-math: compile without it"
#endif
#if defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ == 2)
#error "other numbers would come of the x87: compile with -msse2 -mfpmath=sse"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wunused-function"
#elif defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wunused-function"
#endif

/* Views of blocks are read by number and by name: so may their structs be, whatever the tool's compiler is told. */
#ifdef __GNUC__
#define {plan_upper}_VIEW __attribute__((may_alias))
#else
#define {plan_upper}_VIEW
#endif

#define {plan_upper}_OK 0
#define {plan_upper}_STOPPED 2
#define {plan_upper}_FAULT 3
#define {plan_upper}_NOT_FINITE 4
#define {plan_upper}_UNSETTLED 5

"""
_END = """
#if defined(__clang__)
#pragma clang diagnostic pop
#elif defined(__GNUC__)
#pragma GCC diagnostic pop
#endif
#endif
"""
_COMMON = """
/* ---- The functions that {model} calls. */

/* All that an object has. */
typedef struct {{
    {plan}_model model;
{members}}} {name}_object;

/* End what is going on with a message, which names the model and the instant; does not return. */
static void {name}_fail({name}_object *o, int status, double t)
{{
    o->model.status = status;
    ModelicaFormatError("{model} at %.9g s: %s", t, {plan}_fault_text(&o->model));
}}

/* Whether all of these are finite numbers. */
static int {name}_all_finite(const double *from, size_t n)
{{
    double wrong = 0.0;
    size_t i;
    for (i = 0; i < n; i += 1) {{
        wrong += from[i] * 0.0;
    }}
    return wrong == 0.0;
}}

/* Show values, or end with a message where one is no finite number. */
static void {name}_show({name}_object *o, double t, size_t from, double *to, size_t n, int complete)
{{
    const double *const v = values(&o->model) + from;
    if ((complete != 0) && ({name}_all_finite(v, n) == 0)) {{
        {name}_fail(o, {plan_upper}_NOT_FINITE, t);
    }}
    (void)memcpy(to, v, n * sizeof(double));
}}

static void {name}_free(void *plan)
{{
    free(plan);
}}
"""
_OF_TOOL = """
/* Take values of the tool; what is computed from them is to be computed again if they are others. */
static void {name}_put({name}_object *o, size_t to, const double *from, size_t n)
{{
    double *const v = values(&o->model) + to;
    if ((n > 0u) && (memcmp(v, from, n * sizeof(double)) != 0)) {{
        (void)memcpy(v, from, n * sizeof(double));
        o->model.dirty = 1;
    }}
}}

/* Outputs and derivatives at an instant with what was put there; it may be any, as often as the tool's solver wants. */
static void {name}_evaluate({name}_object *o, double t, int complete)
{{
    int status = {plan_upper}_OK;
    if (o->model.clock.t != t) {{
        o->model.clock.t = t;
        o->model.dirty = 1;
    }}
    if (o->model.dirty != 0) {{
        (void)memset(o->model.faults, 0, sizeof o->model.faults);
        o->model.clock.evaluated = 0;
        status = plan_refresh(&o->model);
        if (status != {plan_upper}_OK) {{
            o->model.dirty = 1;         /* what failed is not kept */
            if (complete != 0) {{
                {name}_fail(o, status, t);
            }}
        }}
    }}
}}
"""
_OF_STEPS = """
/* Take values of the tool at a sample. They may come in parts and more than once: the last ones count. */
static void {name}_put({name}_object *o, size_t to, const double *from, size_t n)
{{
    double *const v = values(&o->before) + to;
    if ((n > 0u) && (memcmp(v, from, n * sizeof(double)) != 0)) {{
        (void)memcpy(v, from, n * sizeof(double));
        o->evaluated = 0;
    }}
}}

/* Outputs at the present sample. */
static int {name}_refresh({name}_object *o)
{{
    int status = {plan_upper}_OK;
    if (o->evaluated == 0) {{
        o->model = o->before;
        o->model.dirty = 1;
        status = plan_refresh(&o->model);
        o->evaluated = status == {plan_upper}_OK;
    }}
    return status;
}}

/* The states go on to the next sample, with the inputs of the present one held. */
static int {name}_go_on({name}_object *o)
{{
    {plan}_model *const m = &o->model;
    int status = {name}_refresh(o);
    while (status == {plan_upper}_OK) {{        /* as often as samples of blocks are due within a step */
        (void)pass_grid(m);
        status = is_stopped(m) ? {plan_upper}_STOPPED : integrate(m, 1e300);
        if ((status != {plan_upper}_OK) || (m->clock.t >= (grid_time(m) - tolerance(m)))) {{
            break;
        }}
        status = plan_refresh(m);
    }}
    o->before = o->model;
    o->evaluated = 0;
    o->sample += 1;
    return status;
}}

/* Go to the sample at an instant, with the inputs that were taken before. A signal that ends the run holds it. A
 * simulation that begins after the first sample begins there. */
static void {name}_arrive({name}_object *o, double t)
{{
    int status = {plan_upper}_OK;
    if ((o->begun == 0) && (t > (o->start + (0.5 * STEP)))) {{
        o->start = t;
        status = plan_initialise(&o->model, t);
        o->before = o->model;
    }}
    o->begun = 1;
    while ((status == {plan_upper}_OK) && ((o->start + ((o->sample + 0.5) * STEP)) <= t)) {{
        status = {name}_go_on(o);
    }}
    if ((status != {plan_upper}_OK) && (status != {plan_upper}_STOPPED)) {{
        {name}_fail(o, status, t);
    }}
}}

/* Evaluate the present sample with the inputs that are known. */
static void {name}_evaluate({name}_object *o, double t, int complete)
{{
    const int status = {name}_refresh(o);
    if ((status != {plan_upper}_OK) && (complete != 0)) {{
        {name}_fail(o, status, t);
    }}
}}
"""
_NEW = """
static {head}
{{
    {name}_object *const o = ({name}_object *)calloc(1, sizeof({name}_object));
    double *v;
    int status;
    if (o == NULL) {{
        ModelicaError("{model}: there is not enough memory");
    }}
    {plan}_set_defaults(&o->model);
    v = values(&o->model);
    (void)v;
{body}    return o;
}}
"""
_FUNCTION = """
/* {doc} */
static {head}
{{
    {name}_object *const o = ({name}_object *)plan;
{body}}}
"""


def c_text(subject: Subject, functions: Iterable[Function], package: str, version: str) -> str:
    """The text of `<name>.h`, which the C of a Modelica tool includes."""
    layout, plan = subject.layout, subject.c_of_plan
    words = {
        "name": subject.c, "upper": subject.c.upper(), "plan": plan, "plan_upper": plan.upper(), "package": package,
        "model": subject.name, "title": plain(subject.model.name), "version": version,
    }  # fmt: skip
    own = "" if subject.by_tool else f"    {plan}_model before;      /* as it came to the present sample */\n"
    own += "" if subject.by_tool else "    double start;\n    double sample;\n    int evaluated;\n    int begun;\n"
    engine = "".join([
        structs_text(layout, plan), f"\ntypedef {plan}_model Plan;\n\n", layout_checks(layout, plan),
        _static(code_text(layout, plan), plan),
    ])  # fmt: skip
    engine = _STRUCT.sub(rf"struct {plan.upper()}_VIEW \1{{", engine)
    called = "".join([
        _COMMON.format(members=own, **words), (_OF_TOOL if subject.by_tool else _OF_STEPS).format(**words),
        *(_function(subject, function, words) for function in functions),
    ])  # fmt: skip
    return f"{_TOP.format(**words)}{_with_prefix(engine, called, plan)}{_END}"


def _static(text: str, name: str) -> str:
    """The functions of a header for controllers as functions of this file."""
    return re.sub(rf"^(int|void|double|const char \*){name}_", r"static \g<0>", text, flags=re.M)


_STRUCT = re.compile(r"\bstruct ((?:\w+ )?)\{")
_DEFINED = (
    re.compile(r"^ *# *define +(\w+)", re.M),
    re.compile(r"^typedef (?!struct|enum|union)[^;{]*?(\w+)(?:\[[^\]]*\])?;", re.M),
    re.compile(r"^\} *(\w+);", re.M),
    re.compile(r"^(?:typedef )?(?:struct|union|enum) (\w+)", re.M),
    re.compile(r"^static [^=;({]*?(\w+)(?:\[|\(| =)", re.M),
)
_TOKENS = re.compile(r'"(?:\\.|[^"\\])*"|/\*.*?\*/|\b[A-Za-z_]\w*', re.S)
"""Words of C, and strings and comments, which stay as they are."""
_ENUMERATED = re.compile(r"^(?:typedef )?enum[^{;]*\{([^}]*)\}", re.M)


def _with_prefix(engine: str, called: str, prefix: str) -> str:
    """Both with a prefix to all that the engine declares outside of functions: files of several models are included."""
    found = {name for pattern in _DEFINED for name in pattern.findall(engine)}
    for inside in _ENUMERATED.findall(engine):
        found |= {item.split("=")[0].strip() for item in re.sub(r"/\*.*?\*/", "", inside, flags=re.S).split(",")}
    found = {name for name in found if name and not name.lower().startswith(f"{prefix}_")}
    return _TOKENS.sub(lambda m: f"{prefix}_{m[0]}" if m[0] in found else m[0], engine + called)


def _function(subject: Subject, function: Function, words: dict[str, str]) -> str:
    names = identifiers(
        [argument.name for argument in (*function.inputs, *function.outputs)], ("plan", "t", "o", "v", "status", "i")
    )
    inputs, outputs = (_renamed(those, names) for those in (function.inputs, function.outputs))
    renamed = Function(function.kind, function.name, function.c, function.doc, inputs, outputs, function.complete)
    if function.kind == "constructor":
        return _NEW.format(head=renamed.c_head, body=_new_body(subject, renamed, words["plan_upper"]), **words)
    complete = int(function.complete)
    lines = [] if subject.by_tool else [f"    {subject.c}_arrive(o, t);\n"]
    lines += [f"    {subject.c}_put(o, {a.place}u, {_address(a)}, {a.count}u);\n" for a in inputs]
    if function.kind == "start":
        lines.append(_START.format(**words))
    else:
        lines.append(f"    {subject.c}_evaluate(o, t, {complete});\n")
    if function.kind == "rates":
        lines.append(_RATES.format(**words))
    if function.returned:
        lines.append(_stop_lines(subject.layout, subject.by_tool))
    else:
        lines += [f"    {subject.c}_show(o, t, {a.place}u, {a.name}, {a.count}u, {complete});\n" for a in outputs]
    return _FUNCTION.format(doc=function.doc, head=renamed.c_head, body="".join(lines), **words)


_FAILED = """\
    if (status != {upper}_OK) {{
        const double t = o->model.clock.t;
        const char *text;
        o->model.status = status;
        text = {plan}_fault_text(&o->model);
        free(o);
        ModelicaFormatError("{model} at %.9g s: %s", t, text);
    }}
"""
_START = """\
    {{
        int status = plan_initialise(&o->model, t);
        if (status != {plan_upper}_OK) {{
            {name}_fail(o, status, t);
        }}
    }}
"""


_RATES = """\
    find_derivatives(&o->model);
    if (faulty(&o->model)) {{
        {name}_fail(o, {plan_upper}_FAULT, t);
    }}
"""


def _stop_lines(layout: Layout, by_tool: bool) -> str:
    """What is given back of the signal that ends a run."""
    place = layout.structure.header["stop"]
    if place < 0:
        return "    return 0.0;\n"
    return f"    return values(&o->model)[{place}]{'' if by_tool else ' > 0.5 ? 1.0 : 0.0'};\n"


def _renamed(arguments: Iterable[Argument], names: dict[str, str]) -> tuple[Argument, ...]:
    return tuple(Argument(names[a.name], a.place, a.shape, a.type, a.modelica_type) for a in arguments)


def _address(argument: Argument) -> str:
    return argument.name if argument.shape else f"&{argument.name}"


def _new_body(subject: Subject, function: Function, upper: str) -> str:
    name = subject.c
    arguments = [*function.inputs]
    start = None if subject.by_tool else arguments.pop(0).name
    lines = [_stored(argument) for argument in arguments]
    lines.append(f"    status = plan_initialise(&o->model, {start or repr(subject.layout.plan.settings.start)});\n")
    lines.append(_FAILED.format(name=name, upper=upper, plan=subject.c_of_plan, model=subject.name))
    if start:
        lines.append(f"    o->start = {start};\n    o->before = o->model;\n")
    return "".join(lines)


def _stored(argument: Argument) -> str:
    """A parameter's way into the values: items of enumerations count from 0 there."""
    to, n = argument.place, argument.count
    if argument.type == "Real":
        return f"    (void)memcpy(v + {to}, {_address(argument)}, {n}u * sizeof(double));\n"
    less = " - 1" if argument.type == "Enumeration" else ""
    if not argument.shape:
        return f"    v[{to}] = (double)({argument.name}{less});\n"
    return "".join(f"    v[{to + i}] = (double)({argument.name}[{i}]{less});\n" for i in range(n))
