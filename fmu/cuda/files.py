"""The files of a model in CUDA C++: the source, the header for its host, rows as JSON, and how it is launched."""

from __future__ import annotations

import textwrap

from fmu.cuda.kernels import constants_text, kernels_text
from fmu.cuda.rows import Rows, rows_json, rows_of
from fmu.cuda.translation import device_code, fault_text, structs_of
from fmu.flat_c.export import Model
from fmu.flat_c.header import header_text, plain
from fmu.flat_c.model import model_text

_TOP = """\
/* {title}: a plan for many members in CUDA C++, a thread for each.
 *
{about} * Written by Keelblocks{version}; how to compile and launch it is in README.md. Steps of {step} s by {solver}.
 * SI units, radians. To be compiled with --fmad=false (one rounding per operation): the numbers of `simulate`.
 *
 * It includes nothing that NVRTC lacks, allocates nothing, does not recur, and calls no function by a pointer.
 */

#ifndef __CUDACC_RTC__      /* which knows these by itself */
#include <stddef.h>
#include <string.h>
#endif

"""
_HEADER = """\
/* {title}: for the host of {name}.cu, in C or C++. Where inputs, outputs and parameters stand, and what faults mean.
 *
 * The members stand in an array on the device, double models[{upper}_ROWS][members]: a row is one number of all.
 */

#ifndef {upper}_CUDA_H
#define {upper}_CUDA_H

#ifdef __cplusplus
extern "C" {{
#endif

#define {upper}_STEP {step}       /* s */
{constants}
/* What of a member stands in `status`. */
#ifndef {upper}_OK
#define {upper}_OK 0
#define {upper}_STOPPED 2         /* the stop signal is on: time stands */
#define {upper}_FAULT 3           /* a block cannot go on */
#define {upper}_NOT_FINITE 4      /* a state or an output is no finite number */
#define {upper}_UNSETTLED 5       /* modes keep changing at one instant */
#endif

/* The first row of each; an array goes on in the rows behind, the last index first. */
enum {{
{rows}}};

/* What is wrong, in words; "" where nothing is. status: of a member; block, fault: by {name}_all_faults. */
static inline const char *{name}_fault_text(int status, int block, int fault)
{fault_text}
#ifdef __cplusplus
}}
#endif

#endif
"""
_WIDTH = 118


def files_of(model: Model) -> dict[str, str]:
    """The texts by the names of files; README.md is not among them."""
    rows = rows_of(model)
    source = model_text(model.layout, model.name, model.title, model.version)
    return {
        f"{model.name}.cu": _cuda(model, rows, source),
        f"{model.name}.h": _host_header(model, rows, source),
        f"{model.name}.json": rows_json(model, rows),
    }


def _cuda(model: Model, rows: Rows, source: str) -> str:
    layout, name = model.layout, model.name
    settings = layout.plan.settings
    header = header_text(layout, name, model.title, model.about, model.version)
    about = "".join(f" * {line}\n" for line in textwrap.wrap(plain(model.about), _WIDTH - 4))
    top = _TOP.format(
        title=plain(model.title), about=f"{about} *\n" if about else "", version=model.version and f" {model.version}",
        step=repr(float(settings.step)), solver=settings.solver,
    )  # fmt: skip
    return "\n".join([
        top + structs_of(header, name), constants_text(name, rows.count), device_code(source, name), kernels_text(name),
    ])  # fmt: skip


def _host_header(model: Model, rows: Rows, source: str) -> str:
    name, upper = model.name, model.name.upper()
    lines = [f"    {upper}_TIME = {rows.time}, /* s: the instant of the outputs */\n"]
    for quantity in rows.quantities:
        shape = "".join(f"[{n}]" for n in quantity.shape)
        said = f"{shape} {quantity.meaning}".strip()
        comment = f" /* {said} */" if said else ""
        lines.append(f"    {upper}_{quantity.role.upper()}_{quantity.name} = {quantity.row},{comment}\n")
    last = lines[-1].replace(",", "", 1)
    return _HEADER.format(
        title=plain(model.title), name=name, upper=upper, step=repr(float(model.layout.plan.settings.step)),
        constants=constants_text(name, rows.count), rows="".join([*lines[:-1], last]),
        fault_text=fault_text(source, name),
    )  # fmt: skip
