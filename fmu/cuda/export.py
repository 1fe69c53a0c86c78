"""Export a diagram or a block as CUDA C++ for many members: a folder with the source and all that its host needs."""

from __future__ import annotations

from os import PathLike, fspath
from pathlib import Path

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError
from fmu.cuda.files import files_of
from fmu.cuda.readme import readme_text
from fmu.exporting.archive import write_all
from fmu.flat_c.export import laid_out


def export_cuda(
    component: Diagram | Block,
    folder: str | PathLike[str],
    *,
    step: float | str | None = None,
    solver: str = "rk4",
    start: float | str = 0.0,
    end: float | str | None = None,
    stop: str | None = None,
    name: str | None = None,
) -> Path:
    """Write a diagram or a block as CUDA C++ that runs many members, a thread for each; returns the folder.

    folder: what the files are written into; it is made if it is not there.
    step, solver, start: of the fixed steps, as for `simulate`: euler, heun or rk4.
    end: of no meaning here; it is taken so that the settings of a scenario can be handed over.
    stop: an output; where it exceeds 0.5, the time of that member stands.
    name: of the files, and what all their names begin with, as a C identifier; else that of the diagram or block.

    The folder has `<name>.cu`, which NVRTC and nvcc compile as it is; `<name>.h` and `<name>.json`, which say to a host
    in C, C++ or another language where inputs, outputs and parameters of each member stand; and README.md. It is the
    C of `export_c` with a kernel around each of its functions.

    Raises ExportError if the model cannot leave as C: blocks written in Python, FMUs and libraries of users within, and
    solvers without a fixed step; and WiringError for a diagram that cannot run.
    """
    model = laid_out(component, step=step, solver=solver, start=start, end=end, stop=stop, name=name)
    texts = files_of(model) | {"README.md": readme_text(model)}
    target = Path(fspath(folder))
    if target.exists() and not target.is_dir():
        raise ExportError(f"cannot write CUDA C++ to {target}: it is a file, and a folder is wanted")
    write_all(target, {name: text.encode() for name, text in texts.items()})
    return target
