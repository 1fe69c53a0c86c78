"""What stands beside the CUDA C++: how to compile and launch it."""

from __future__ import annotations

from fmu.cuda.rows import Quantity, rows_of
from fmu.flat_c.export import Model

_README = """\
# {title}

`{name}.cu` is a plan of Keelblocks in CUDA C++: many members of one model, a thread for each, with fixed steps of
{step} s by {solver}. A member takes {bytes} bytes of the device's memory.

Not run on a GPU yet: compiled by NVRTC, and the same text run on a processor. Compare some members with `simulate`.

```console
$ nvcc -O3 --fmad=false -arch=native -cubin {name}.cu -o {name}.cubin
```

NVRTC compiles the same text without any include: `--gpu-architecture=sm_90 --fmad=false`. `--fmad=false` gives one
rounding per operation, and with it the numbers of `simulate`; what is compiled without says so at the start, by the
status {contracted}, 6, and does not go on. Of `--use_fast_math` nothing else matters: the rest of it is of singles,
and there are none.

## In memory

All members stand in one array of doubles, `models[{rows}][members]`: a row is one number of all members. `{name}.json`
and `{name}.h` have the row of each input, output and parameter. The other rows are the model's own.

| kernel | arguments | |
|---|---|---|
| `{name}_all_set_defaults` | `models, members` | inputs and parameters of all as they were written |
| `{name}_all_start` | `models, status, members` | the initial states, with the parameters that each member has then |
| `{name}_all_step` | `models, status, members, steps` | so many steps of {step} s, with inputs held |
| `{name}_all_parameters_changed` | `models, members` | after parameters were changed between steps |
| `{name}_all_faults` | `models, block, fault, members` | which block of each could not go on, and by which fault |

`double *models`, `int *status`, `int *block`, `int *fault`, `long long members`, `long long steps`. Launch blocks of
up to 128 threads (`{upper}_BLOCK` is set by `-D` for others), and as many blocks as are needed for a thread for each
member; with fewer, threads take several members. `status` is 0 where a member goes on, 2 where its stop signal is on, 3
to 5 after a fault, and 6 for code that was compiled without `--fmad=false`; `{name}_fault_text` of the header tells it
in words. A member with a fault stays as it is, and the others go on.

Begin with `{name}_all_set_defaults` and `{name}_all_start`: until then, rows are what the memory held. A file that is
compiled holds one such model: a second one is a file of its own.

With CuPy:

```python
import json
from pathlib import Path

import cupy
import numpy as np

rows = json.loads(Path("{name}.json").read_text())
code = cupy.RawModule(code=Path("{name}.cu").read_text(), options=("--fmad=false",))
members = np.int64(1_000_000)
models = cupy.empty((rows["rows"], int(members)))
status = cupy.empty(int(members), dtype=np.int32)
blocks, threads = ((int(members) + 127) // 128,), (128,)

code.get_function("{name}_all_set_defaults")(blocks, threads, (models, members))
{set_one}code.get_function("{name}_all_start")(blocks, threads, (models, status, members))
code.get_function("{name}_all_step")(blocks, threads, (models, status, members, np.int64(100)))
{get_one}```

Inputs: {inputs}. Outputs: {outputs}. Rows, units and meanings are in `{name}.h`.
"""


def readme_text(model: Model) -> str:
    """The text of `README.md`."""
    settings, rows = model.layout.plan.settings, rows_of(model)
    of = {role: [q for q in rows.quantities if q.role == role] for role in ("input", "output", "parameter")}
    own = next((q for q in [*of["input"], *of["parameter"]] if not q.shape), None)
    set_one = get_one = ""
    if own:
        set_one = f'models[rows["{own.role}s"]["{own.name}"]["row"]] = cupy.linspace(0.1, 1.0, int(members))\n'
    if of["output"]:
        get_one = f'print(models[rows["outputs"]["{of["output"][0].name}"]["row"]])\n'
    return _README.format(
        name=model.name, upper=model.name.upper(), title=model.title, step=repr(float(settings.step)),
        solver=settings.solver, bytes=8 * rows.count, rows=rows.count, set_one=set_one, get_one=get_one,
        contracted=f"{model.name.upper()}_CONTRACTED", inputs=_listed(of["input"]), outputs=_listed(of["output"]),
    )  # fmt: skip


def _listed(quantities: list[Quantity]) -> str:
    return ", ".join(f"`{q.name}{''.join(f'[{n}]' for n in q.shape)}`" for q in quantities) or "none"
