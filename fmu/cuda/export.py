"""Export a diagram or a block as CUDA C++ for many members: a folder with the source and all that its host needs."""

from __future__ import annotations

from os import PathLike
from pathlib import Path

from blocks.block import Block
from blocks.diagram import Diagram
from blocks.errors import ExportError
from fmu.cuda.files import files_of
from fmu.cuda.readme import readme_text
from fmu.cuda.rows import rows_of
from fmu.flat_c.export import Model, laid_out
from fmu.flat_c.folder import folder_of, write_code

_LANGUAGE = "CUDA C++"
_LOCAL_MEMORY = 512 * 1024
"""Bytes of a thread, on all architectures: CUDA C++ Programming Guide, technical specifications."""


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
    solvers without a fixed step; if a member takes more than the 512 kB of local memory that a thread has; and if a
    file would be replaced that no such export has written. Raises WiringError for a diagram that cannot run.
    """
    model = laid_out(
        component, step=step, solver=solver, start=start, end=end, stop=stop, name=name, language=_LANGUAGE
    )
    _check_size(model)
    target = folder_of(folder, _LANGUAGE)
    write_code(target, files_of(model) | {"README.md": readme_text(model)}, _LANGUAGE)
    return target


def _check_size(model: Model) -> None:
    """A thread has its member in local memory."""
    size = 8 * rows_of(model).count
    if size >= _LOCAL_MEMORY:
        raise ExportError(
            f"a member of '{model.title}' takes {size / 1024:,.0f} kB, and a thread of CUDA has "
            f"{_LOCAL_MEMORY // 1024} kB of local memory for it and for its work: export a part of the diagram without "
            "what is large (--only), or run members on processors, by Swarm"
        )
