"""What stands beside the C: an example of how to drive it, and how to compile it."""

from __future__ import annotations

from fmu.flat_c.layout import Layout, Member
from fmu.flat_c.report import Cost, cost_text

_MAIN = """\
/* An example: {count} steps of {name} with its inputs as they are. */
#include "{name}.h"
#include <stdio.h>

static {name}_model model;

int main(void)
{{
    int i;
    int status = {name}_init(&model);
    for (i = 0; (i < {count}) && (status == {upper}_OK); i += 1) {{
{inputs}        status = {name}_step(&model);
    }}
    printf("%g s: {called} %.17g %s\\n", {name}_time(&model), {shown}, {name}_fault_text(&model));
    return status;
}}
"""
_README = """\
# {title}

`{name}.h` and `{name}.c` are a plan of Keelblocks as C99: fixed steps of {step} s by {solver}, one struct that its
caller owns, no allocation, no files, no mathematics library. `main.c` drives it.

```console
$ cc -std=c99 -O2 -ffp-contract=off -fno-strict-aliasing {name}.c main.c -o {name}
$ arm-none-eabi-gcc -mcpu=cortex-m4 -mthumb -Os -std=c99 -ffp-contract=off -fno-strict-aliasing -c {name}.c
```

`-ffp-contract=off` gives one rounding per operation, and with it the numbers of `simulate`, bit for bit.
`-fno-strict-aliasing` is needed: what kernels see of a block is read by number and by name. Options that change
arithmetic, `-ffast-math` and its parts, give other numbers.

| function | |
|---|---|
| `{name}_init(&model)` | inputs and parameters as they were written, and the initial state |
| `{name}_step(&model)` | outputs from the inputs, now; then the states go on by {step} s. 0, or what stopped it |
| `{name}_parameters_changed(&model)` | after `model.parameters` were changed |
| `{name}_set_defaults`, `{name}_start` | the halves of `{name}_init`: parameters may be changed in between |
| `{name}_time`, `{name}_fault`, `{name}_fault_text` | the instant of the outputs; what is wrong |

Inputs: {inputs}. Outputs: {outputs}. Units and meanings are in the header.

## What a step costs

{cost}"""


def main_text(layout: Layout, name: str) -> str:
    """The text of `main.c`."""
    lines = "".join(
        f"        /* model.inputs.{member.name}{'[…]' if member.shape else ''} = …; */\n" for member in layout.inputs
    )
    called, shown = "done", "0.0"
    if layout.outputs:
        called = layout.outputs[0].name
        shown = f"model.outputs.{called}{''.join('[0]' for _ in layout.outputs[0].shape)}"
    return _MAIN.format(name=name, upper=name.upper(), count=1000, inputs=lines, called=called, shown=shown)


def readme_text(layout: Layout, name: str, title: str, cost: Cost | str) -> str:
    """The text of `README.md`."""
    settings = layout.plan.settings
    return _README.format(
        name=name, title=title, step=repr(float(settings.step)), solver=settings.solver,
        inputs=_listed(layout.inputs), outputs=_listed(layout.outputs),
        cost=cost_text(cost, settings.solver),
    )  # fmt: skip


def _listed(members: list[Member]) -> str:
    return ", ".join(f"`{member.name}{''.join(f'[{n}]' for n in member.shape)}`" for member in members) or "none"
