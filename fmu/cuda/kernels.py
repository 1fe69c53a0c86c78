"""The kernels that go over all members: a thread for each, which takes its member from the rows and puts it back."""

from __future__ import annotations

from fmu.cuda.rows import STATUS
from fmu.cuda.translation import for_device

_CONSTANTS = """\
#define {upper}_ROWS {rows}           /* numbers of a member: all stand in double[{upper}_ROWS][members] */
#define {upper}_CONTRACTED {contracted}       /* compiled without --fmad=false: other numbers would come */
#ifndef {upper}_BLOCK
#define {upper}_BLOCK 128          /* threads in a block, at most */
#endif
"""
_THREADS = """\
/* ---- A thread for each member. */

typedef char a_model_fills_its_rows[(sizeof({name}_model) == ({upper}_ROWS * sizeof(double))) ? 1 : -1];

static inline void own_load({name}_model *model, const double *models, long long members, long long member)
{{
    int row;
    for (row = 0; row < {upper}_ROWS; row += 1) {{
        ((double *)model)[row] = models[(row * members) + member];
    }}
}}

static inline void own_store(const {name}_model *model, double *models, long long members, long long member)
{{
    int row;
    for (row = 0; row < {upper}_ROWS; row += 1) {{
        models[(row * members) + member] = ((const double *)model)[row];
    }}
}}

/* Whether the compiler makes one rounding of a product and a sum: then the numbers are not those of a processor. */
static inline int own_contracts(void)
{{
    volatile double tiny = 1.0 / 134217728.0;       /* 2^-27, of which the compiler shall not know */
    const double x = 1.0 + tiny;
    const double square = 1.0 + (2.0 * tiny);       /* of x, rounded */
    return ((x * x) - square) != 0.0;
}}
"""
_KERNEL = """
{said}extern "C" __global__ void __launch_bounds__({upper}_BLOCK) {name}_all_{what}({arguments})
{{
    const long long threads = (long long)gridDim.x * blockDim.x;
    long long member;
    for (member = ((long long)blockIdx.x * blockDim.x) + threadIdx.x; member < members; member += threads) {{
        {name}_model model;
{body}    }}
}}
"""
_LOAD = "        own_load(&model, models, members, member);\n"
_STORE = "        own_store(&model, models, members, member);\n"
_STATUS = "        status[member] = model.status;\n"
_STEPS = """\
        for (step = 0; step < steps; step += 1) {{
            if ({name}_step(&model) != {upper}_OK) {{
                break;
            }}
        }}
"""
_CONTRACTED = """\
        if (own_contracts() != 0) {{
            model.status = {upper}_CONTRACTED;
        }}
"""
_FAULTS = """\
        block[member] = {name}_fault(&model);
        fault[member] = (model.status == {upper}_FAULT) ? model.failure.fault : 0;
"""
_KERNELS = (
    ("set_defaults", "Inputs and parameters of all members as they were written.", "double *models, long long members",
     "        {name}_set_defaults(&model);\n" + _STORE),
    ("start", "The initial states, with the parameters that each has. status: of each, {upper}_OK or what is wrong.",
     "double *models, int *status, long long members",
     _LOAD + "        (void){name}_start(&model);\n" + _CONTRACTED + _STORE + _STATUS),
    ("step", "So many steps of each, with its inputs held; outputs are of the instant that the last one began at.",
     "double *models, int *status, long long members, long long steps",
     "        long long step;\n" + _LOAD + _STEPS + _STORE + _STATUS),
    ("parameters_changed", "After parameters have been changed between steps: the next step takes them.",
     "double *models, long long members", _LOAD + "        {name}_parameters_changed(&model);\n" + _STORE),
    ("faults", "Which block of each could not go on, from 0, or -1; and by which of its faults, from 1, or 0.",
     "const double *models, int *block, int *fault, long long members", _LOAD + _FAULTS),
)  # fmt: skip
"""Name, comment, arguments, what is done with each member."""


def constants_text(name: str, rows: int) -> str:
    """The macros that host and device share."""
    return _CONSTANTS.format(upper=name.upper(), rows=rows, contracted=STATUS["contracted"])


def kernels_text(name: str) -> str:
    """The kernels of a model."""
    named = {"name": name, "upper": name.upper()}
    kernels = "".join(
        _KERNEL.format(
            said=f"/* {said.format(**named)} */\n", what=what, arguments=arguments, body=body.format(**named), **named
        )
        for what, said, arguments, body in _KERNELS
    )
    return for_device(_THREADS.format(**named), name) + kernels
