"""A compiled library as `keelblocks build` makes it, by a C compiler alone; with whatever is to be refused."""

from __future__ import annotations

import os
import shlex
import subprocess
from pathlib import Path

SOURCE = """
struct View {{
    const double **u; double **y; const double **p; double *w; const double *x; double *dx; double *z; double *g;
    const int *n; int *fault; unsigned int key; void *context;
}};
typedef void (*Kernel)(const struct View *, double);
struct KernelEntry {{
    const char *name; Kernel setup, start, outputs, derivatives, update, crossings, jumps;
    int inputs, outputs_count, parameters, sizes, checked;
}};
struct KernelLibrary {{
    char magic[8]; int abi, count; const char *name, *digest; const struct KernelEntry *entries;
}};

/* force = {factor} k u */
static void drag_outputs(const struct View *b, double t) {{
    (void)t;
    if (b->u[0][0] > 100.0) b->fault[0] = 1;
    b->y[0][0] = {factor} * b->p[0][0] * b->u[0][0];
}}
static const struct KernelEntry entries[] = {{
    {{"{name}.{kernel}", 0, 0, drag_outputs, 0, 0, 0, 0, 1, 1, 1, 0, 0}},
}};
static const struct KernelLibrary library = {{"{magic}", {abi}, 1, "{name}", "{digest}", entries}};
const struct KernelLibrary *keelblocks_library(void);
const struct KernelLibrary *keelblocks_library(void) {{ return &library; }}
"""


def compile_library(
    output: Path,
    name: str,
    factor: float = 1.0,
    *,
    abi: int = 1,
    kernel: str = "drag",
    magic: str = "KEELLIB",
    digest: str = "",
) -> Path:
    """A library with one kernel: an input, an output, a parameter."""
    source = output.with_suffix(".c")
    text = SOURCE.format(name=name, factor=factor, abi=abi, kernel=kernel, magic=magic, digest=digest)
    source.write_text(text, encoding="utf-8")
    compiler = shlex.split(os.environ.get("CC", "cc"))
    subprocess.run([*compiler, "-O1", "-fPIC", "-shared", str(source), "-o", str(output)], check=True)
    source.unlink()
    return output
