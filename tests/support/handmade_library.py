"""A compiled library as `keelblocks build` makes it, by a C compiler alone; with whatever is to be refused."""

from __future__ import annotations

import importlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from types import ModuleType

from libraries import forgetting

from blocks.libraries.manifest import Built, Manifest, digest_of, text_of
from cython_kernels.libraries import ABI
from cython_kernels.plain_c import platforms
from cython_kernels.plain_c.compilers import own_compiler

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
#ifndef KEELBLOCKS_LIBRARY
#define KEELBLOCKS_LIBRARY keelblocks_library
#endif
#ifdef _WIN32
__declspec(dllexport)
#endif
const struct KernelLibrary *KEELBLOCKS_LIBRARY(void);
const struct KernelLibrary *KEELBLOCKS_LIBRARY(void) {{ return &library; }}
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
    compiler: Sequence[str] = (),
) -> Path:
    """A library with one kernel: an input, an output, a parameter. Beside it stays its C, `library.c`."""
    output.unlink(missing_ok=True)  # one that is open would change under its users
    source = output.with_name("library.c")
    text = SOURCE.format(name=name, factor=factor, abi=abi, kernel=kernel, magic=magic, digest=digest)
    source.write_text(text, encoding="utf-8")
    command = compiler or own_compiler()
    subprocess.run([*command, "-O1", "-fPIC", "-shared", str(source), "-o", str(output)], check=True)
    return output


DECLARATION = """
from blocks import Block, Input, Output, Parameter
from blocks.signal import Number

class Drag(Block):
    '''Drag of {name}: force = {factor} k u.'''
    kernel = "drag"
    faults = ("u: faster than it can be",)
    u = Input(Number, "speed")
    force = Output(Number, "drag", feedthrough=True)
    k = Parameter(1.0, doc="drag per speed")
"""


def write_library(folder: Path, name: str, factor: float = 1.0, declaration: str = DECLARATION) -> Path:
    """A package with one block, `Drag`, and its kernel, built for this machine."""
    package = folder / name
    package.mkdir(parents=True, exist_ok=True)
    (package / "__init__.py").write_text("from .drag import Drag\n", encoding="utf-8")
    (package / "drag.py").write_text(declaration.format(name=name, factor=factor), encoding="utf-8")
    (package / "drag.pxd").write_text(f"# force = {factor} k u\n", encoding="utf-8")
    build_library(package, factor)
    return package


def build_library(package: Path, factor: float = 1.0, *, abi: int = ABI, checked: bool = False) -> None:
    """Build a package's kernel anew."""
    built, here = package / "__keelblocks__", platforms.local()
    built.mkdir(exist_ok=True)
    sources = {path.name: digest_of(text_of(path)) for path in (package / "drag.py", package / "drag.pxd")}
    digest, file = digest_of(repr((sources, factor)).encode()), f"{here.name}{here.suffix}"
    made = compile_library(built / f"new{here.suffix}", package.name, factor, abi=abi, digest=digest)
    made.replace(built / file)
    manifest = Manifest(
        package.name, digest, "0.1.0", abi=abi, sources=sources, kernels={f"{package.name}.drag": {}},
        platforms={here.name: Built(file, digest, checked, content=digest_of((built / file).read_bytes()))},
    )  # fmt: skip
    (built / "library.json").write_text(manifest.to_json(), encoding="utf-8")


@contextmanager
def imported(folder: Path, **factors: float) -> Iterator[dict[str, ModuleType]]:
    """Libraries by their names, each with a drag of its factor, imported from a folder; afterwards nothing is left."""
    with forgetting():
        sys.path.insert(0, str(folder))
        for name, factor in factors.items():
            write_library(folder, name, factor)
        yield {name: importlib.import_module(name) for name in factors}
