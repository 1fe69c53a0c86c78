"""What FMI 2 and FMI 3 call a platform, in the folders of binaries, and the runtimes that there are for it."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from fmu import runtime

TUPLES = {"linux64": "x86_64-linux", "win64": "x86_64-windows", "darwin64": "x86_64-darwin"}
"""FMI 3's names by those of FMI 2, which are those of the runtimes."""


def binaries(fmi: str, platforms: Iterable[str] | None) -> list[tuple[str, Path]]:
    """The folder in the FMU and the runtime for each platform, named as in either version of FMI; None: all there are.

    Raises ExportError if there is no runtime for one.
    """
    names = {new: old for old, new in TUPLES.items()}
    wanted = runtime.platforms() or [runtime.fmi_platform()[0]] if platforms is None else list(platforms)
    chosen = [names.get(name, name) for name in wanted]
    return [(TUPLES.get(name, name) if fmi == "3.0" else name, runtime.binary(name)) for name in chosen]
