"""The functions of the header in C: how a controller drives the engine, and what its faults mean."""

from __future__ import annotations

from fmu.flat_c.layout import Layout

_FUNCTIONS = """\
/* ---- What {name}.h declares. */

void {name}_set_defaults({name}_model *model)
{{
    (void)memset(model, 0, sizeof *model);
    model->failure.block = -1;
{defaults}}}

int {name}_start({name}_model *model)
{{
    model->status = plan_initialise(model, {start});
    model->time_of_outputs = model->clock.t;
    return model->status;
}}

int {name}_init({name}_model *model)
{{
    {name}_set_defaults(model);
    return {name}_start(model);
}}

/* Show the outputs of this instant; {upper}_NOT_FINITE if one of them is no finite number. */
static int show_outputs({name}_model *model)
{{
{outputs}}}

int {name}_step({name}_model *model)
{{
    int status = model->status;
    int first = 1;
    if ((status != {upper}_OK) && (status != {upper}_STOPPED)) {{
        return status;
    }}
    model->dirty = 1;                   /* inputs may be others */
    do {{                                /* as often as samples are due within a step */
        status = plan_refresh(model);
        if ((status == {upper}_OK) && (first != 0)) {{
            status = show_outputs(model);
            first = 0;
        }}
        if (status == {upper}_OK) {{
            (void)pass_grid(model);
            status = is_stopped(model) ? {upper}_STOPPED : integrate(model, 1e300);
        }}
    }} while ((status == {upper}_OK) && (model->clock.t < (grid_time(model) - tolerance(model))));
    model->status = status;
    return status;
}}

void {name}_parameters_changed({name}_model *model)
{{
    model->stale = 1;
}}

double {name}_time(const {name}_model *model)
{{
    return model->time_of_outputs;
}}

int {name}_fault(const {name}_model *model)
{{
    return ((model->status == {upper}_FAULT) || (model->status == {upper}_NOT_FINITE)) ? model->failure.block : -1;
}}

const char *{name}_fault_text(const {name}_model *model)
{{
    const char *text = "";
    switch (model->status) {{
    case {upper}_FAULT:
        text = "a block cannot go on";
{texts}        break;
    case {upper}_NOT_FINITE:
        text = "an output is no finite number";
{states}        break;
    case {upper}_UNSETTLED:
        text = "modes keep changing: an update of a block undoes itself again and again";
        break;
    default:
        break;
    }}
    return text;
}}
"""


def functions_text(layout: Layout, name: str) -> str:
    """The functions that `<name>.h` declares."""
    head = layout.structure.header
    defaults = ""
    if layout.inputs:
        defaults += "    (void)memcpy(&model->inputs, INPUTS, sizeof model->inputs);\n"
    if layout.parameters:
        defaults += "    (void)memcpy(&model->parameters, PARAMETERS, sizeof model->parameters);\n"
    return _FUNCTIONS.format(
        name=name, upper=name.upper(), start=repr(float(layout.plan.settings.start)), defaults=defaults,
        outputs=_outputs(layout, name), texts=_fault_texts(layout), states=_state_texts(layout),
        blocks=head["blocks"],
    )  # fmt: skip


def _outputs(layout: Layout, name: str) -> str:
    lines = ["    model->time_of_outputs = model->clock.t;\n"]
    if not layout.outputs:
        return "".join([*lines, f"    return {name.upper()}_OK;\n"])
    lines.insert(0, "    const double *const v = values(model);\n    double wrong = 0.0;\n    size_t i;\n")
    total = 0
    for member in layout.outputs:
        target = f"model->outputs.{member.name}"
        if not member.shape:
            lines.append(f"    {target} = v[{member.place}];\n")
        elif member.count:
            lines.append(f"    (void)memcpy({target}, v + {member.place}, sizeof {target});\n")
        total += member.count
    lines.append(f"    for (i = 0; i < {total}u; i += 1) {{\n")
    lines.append("        wrong += ((const double *)&model->outputs)[i] * 0.0;\n    }\n")
    lines.append("    if (wrong == 0.0) {\n")
    lines.append(f"        return {name.upper()}_OK;\n    }}\n")
    lines.append("    model->failure.block = -1;\n")
    lines.append(f"    return {name.upper()}_NOT_FINITE;\n")
    return "".join(lines)


def _fault_texts(layout: Layout) -> str:
    """What the faults of blocks mean, where they have some."""
    lines = []
    for number, leaf in enumerate(layout.plan.flat.leaves):
        for fault, said in enumerate(type(leaf.block).faults, 1):
            where = f"(model->failure.block == {number}) && (model->failure.fault == {fault})"
            lines.append(f"        if ({where}) {{\n            text = {_text(f'{leaf.name}: {said}')};\n        }}\n")
    return "".join(lines)


def _state_texts(layout: Layout) -> str:
    lines = []
    for number, leaf in enumerate(layout.plan.flat.leaves):
        if layout.structure.blocks[number].x.count:
            said = _text(f"{leaf.name}: a state is no finite number")
            lines.append(f"        if (model->failure.block == {number}) {{\n            text = {said};\n        }}\n")
    return "".join(lines)


def _text(text: str) -> str:
    """A literal of C."""
    shown = "".join(c if " " <= c < "\x7f" and c not in '"\\?' else _escaped(c) for c in text)
    return f'"{shown}"'


def _escaped(character: str) -> str:
    if character in '"\\?':
        return f"\\{character}"
    return "".join(f"\\{byte:03o}" for byte in character.encode())
